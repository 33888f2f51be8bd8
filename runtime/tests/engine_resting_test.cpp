// SPDX-License-Identifier: Apache-2.0
// What the board is told of our own orders that rest.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine_fixture.hpp"
#include "fixaccel/resting_table.hpp"

namespace fixaccel {
namespace {

constexpr std::uint32_t kNone = 0;

std::uint32_t word(std::uint32_t number) {
    hwmap::resting_record record;
    record.set_order(number);
    record.set_valid(1);
    return record.words[0];
}

std::uint64_t codes(std::string_view text) {
    std::uint64_t price = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        price |= std::uint64_t{static_cast<unsigned char>(text[i]) & 0xFU} << (4 * i);
    return price;
}

// Orders of MSFT by price: to sell at market, at -0.50 and 100.50, to buy at 100.50 and 101.
class Resting : public EngineTest {
  protected:
    static constexpr std::uint32_t kOrders = 5;

    Resting() {
        board_->memory[hwmap::reg::cap_templates] = 4;
        limits_.unlimited_orders = false;
        limits_.self_trade = true;
        rules_.emplace_back("last", "1");
        image_ = TableImage(kOrders);
        const std::vector<std::string> prices{"", "-000.50", "0100.50", "0100.50", "0101.00"};
        for (std::uint32_t i = 0; i < kOrders; ++i) {
            hwmap::order_record& order = image_.orders()[i];
            order.set_price(codes(prices[i]));
            order.set_sell(i < 3 ? 1 : 0);
            order.set_template_index(prices[i].empty() ? 1 : 0);
        }
        board_->on_write = [this](std::uint32_t addr, std::uint32_t value) {
            const bool resting = addr >= kBase && addr < kBase + 4 * 16;
            if (resting && refuses_) board_->memory[addr] = 0xFFFF'FFFF;
            if (addr == hwmap::reg::lease_release) at_release_ = sides();
            act(addr, value);
        };
    }

    Bundle own() {
        Bundle made = bundle();
        hwmap::chain_record chain;
        chain.set_valid(1);
        chain.set_last(kOrders - 1);
        add(made, "chain", hwmap::memory::chain, {chain.words.begin(), chain.words.end()});
        std::vector<std::uint32_t> bytes;
        for (unsigned i = 0; i < 7; ++i) {  // the limit orders' template begins with the price
            hwmap::template_byte_record byte;
            byte.set_patch(1);
            byte.set_value(hwmap::patch_price << hwmap::patch_index_bits | i);
            bytes.push_back(byte.words[0]);
        }
        add(made, "template_byte", hwmap::memory::template_byte, bytes);
        return made;
    }

    static void add(Bundle& made, const char* name, const hwmap::Window& window,
                    std::vector<std::uint32_t> words) {
        BundleMemory& memory = made.memories.emplace_back();
        memory.name = name;
        memory.base = window.base;
        memory.records = static_cast<std::uint32_t>(words.size() * 4 / window.stride_bytes);
        memory.words = std::move(words);
    }

    void start(bool dry = false) {
        engine_->load(engine_->loadable(own()), "");
        arm(dry);
    }

    // An order left, of the fabric or of the runtime; its ClOrdID is its price.
    static std::string order(const char* side, const std::string& price) {
        return "35=D\x01"
               "11=" +
               price +
               "\x01"
               "38=1\x01"
               "40=2\x01"
               "44=" +
               price +
               "\x01"
               "54=" +
               side +
               "\x01"
               "55=MSFT\x01"
               "59=0\x01";
    }
    void sent(const char* side, const std::string& price) {
        Fire fire;
        fire.generation = ledger_->load().generation;
        fire.entry = ++fires_;
        fire.outcome = hwmap::outcome_sent;
        fire.time_ns = fires_;
        fire.seq_num = static_cast<std::uint32_t>(ledger_->next_sender());
        fire.fires = fires_;
        fire.left = true;
        fire.payload = order(side, price);
        ledger_->record({fire});
    }
    void sent_by_runtime(const char* side, const std::string& price) {
        SoftwareFire fire;
        fire.generation = ledger_->load().generation;
        fire.cl_ord_id = price;
        fire.qty = "1";
        ledger_->record_intent(fire);
        ASSERT_TRUE(engine_->take_lease());
        ledger_->set(ledger_->next_sender(), order(side, price));
        ledger_->set_next_sender(ledger_->next_sender() + 1);
        ledger_->take_effect();
        engine_->give_lease();
    }
    void filled(const std::string& price) {
        ledger_->record_execution(
            "35=8\x01"
            "17=e" +
            price +
            "\x01"
            "11=" +
            price +
            "\x01"
            "39=2\x01");
    }

    // What the board has of MSFT, of a bank.
    std::vector<std::uint32_t> sides(std::uint32_t bank = 0) {
        const std::uint32_t first = kBase + bank * 8 * 4;
        return {board_->memory[first], board_->memory[first + 4]};
    }
    using Sides = std::vector<std::uint32_t>;

    static constexpr std::uint32_t kBase = hwmap::memory::resting.base;
    bool refuses_ = false;
    Sides at_release_;
};

TEST_F(Resting, TheBoardKnowsWhatRestsWhenItIsArmed) {
    engine_->load(engine_->loadable(own()), "");
    sent("1", "100.70");
    EXPECT_EQ(sides(), (Sides{kNone, kNone}));
    arm();
    EXPECT_EQ(sides(), (Sides{word(2), kNone})) << "whatever sells at that or less";
    engine_->disarm("test");
    filled("100.70");
    arm();
    EXPECT_EQ(sides(), (Sides{kNone, kNone}));
}

TEST_F(Resting, ThePriceThatNoOrderHasIsThatOfTheLastThatMeetsIt) {
    start();
    const auto told = [&](const char* side, const std::string& price) {
        sent(side, price);
        engine_->watch();
        const Sides now = sides();
        filled(price);
        engine_->watch();
        EXPECT_EQ(sides(), (Sides{kNone, kNone}));
        return now;
    };
    EXPECT_EQ(told("1", "100.50"), (Sides{word(2), kNone}));
    EXPECT_EQ(told("1", "100.49"), (Sides{word(1), kNone}));
    EXPECT_EQ(told("1", "-0.50"), (Sides{word(1), kNone}));
    EXPECT_EQ(told("1", "-0.51"), (Sides{word(0), kNone})) << "an order at market meets any";
    EXPECT_EQ(told("2", "1"), (Sides{kNone, word(3)}));
    EXPECT_EQ(told("2", "100.51"), (Sides{kNone, word(4)}));
    EXPECT_EQ(told("2", "101.00"), (Sides{kNone, word(4)}));
    EXPECT_EQ(told("2", "101.01"), (Sides{kNone, kNone}));
}

TEST_F(Resting, TheBestCountsAsLongAsItRests) {
    start();
    sent("1", "100.50");
    sent("1", "100.60");
    sent("1", "99");
    engine_->watch();
    EXPECT_EQ(sides(), (Sides{word(2), kNone}));
    filled("100.60");
    filled("100.50");
    engine_->watch();
    EXPECT_EQ(sides(), (Sides{word(1), kNone}));
}

TEST_F(Resting, WhatTheBoardDidNotTakeItIsToldAgain) {
    start();
    sent("1", "100.50");
    refuses_ = true;
    engine_->watch();
    EXPECT_TRUE(engine_->armed());
    refuses_ = false;
    engine_->watch();
    EXPECT_EQ(sides(), (Sides{word(2), kNone}));
}

TEST_F(Resting, AnOrderOfTheRuntimeIsToldBeforeTheFabricMaySendAgain) {
    start();
    sent_by_runtime("2", "101");
    EXPECT_TRUE(engine_->armed());
    EXPECT_EQ(at_release_, (Sides{kNone, word(4)}));
    refuses_ = true;
    sent_by_runtime("2", "100");
    EXPECT_FALSE(engine_->armed());
}

TEST_F(Resting, ADryRunKeepsWhatTheFabricKnows) {
    start(true);
    board_->memory[kBase] = word(1);  // an order that it has kept back
    sent("2", "101");
    engine_->watch();
    EXPECT_EQ(sides(), (Sides{word(1), kNone}));
    engine_->disarm("test");
    arm();
    EXPECT_EQ(sides(), (Sides{kNone, word(4)}));
}

TEST_F(Resting, ALoadWhileArmedKnowsItInBothBanks) {
    start();
    sent("1", "100.50");
    engine_->begin_hot_load(engine_->loadable(own()));
    begins_at_ = 0;
    advance();
    EXPECT_EQ(sides(1), (Sides{word(2), kNone}));
    filled("100.50");
    sent("2", "101");
    engine_->watch();
    EXPECT_EQ(sides(0), (Sides{kNone, word(4)}));
    EXPECT_EQ(sides(1), (Sides{kNone, word(4)}));
    begins_at_ = 7;
    follow();
    engine_->watch();
    EXPECT_FALSE(engine_->loading());
    filled("101");
    engine_->watch();
    EXPECT_EQ(sides(1), (Sides{kNone, kNone}));
    EXPECT_EQ(sides(0), (Sides{kNone, word(4)})) << "nobody looks there any more";
}

TEST_F(Resting, WithoutTheLimitNothingIsKept) {
    limits_.self_trade = false;
    engine_->load(engine_->loadable(own()), "");
    board_->memory[kBase] = word(1);
    sent("1", "100.50");
    arm();
    EXPECT_EQ(sides(), (Sides{kNone, kNone}));
}

TEST_F(Resting, OrdersThatAreNotNumberedByTheirPricesAreRefused) {
    EXPECT_NO_THROW(RestingTable{own()});
    image_.orders()[2].set_price(codes("-001.50"));
    EXPECT_THROW(RestingTable{own()}, BundleError);
    image_.orders()[2].set_price(codes("0100.51"));
    EXPECT_THROW(RestingTable{own()}, BundleError) << "what sells at more than the next one buys at";
    image_.orders()[2].set_price(codes("010..50"));
    EXPECT_THROW(RestingTable{own()}, BundleError) << "that is no price";
}

}  // namespace
}  // namespace fixaccel
