// SPDX-License-Identifier: Apache-2.0
// An engine on a board in memory with a journal of its own, and a bracket of four rules.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "fake_board.hpp"
#include "fixaccel/seq.hpp"
#include "lists.hpp"
#include "rule_states.hpp"
#include "scratch_folder.hpp"
#include "table_image.hpp"

namespace fixaccel {

// A kernel that has sent what it has.
class QuietStream final : public KernelStream {
  public:
    std::uint32_t unsent() override { return 0; }
    std::uint32_t snd_nxt() override { return 0; }
    std::uint32_t rcv_nxt() override { return 0; }
    void commit(std::string_view /*bytes*/) override {}
};

// A bracket: the entry arms stop and target, of which one cancels the other; and another rule.
class EngineTest : public ::testing::Test {
  protected:
    EngineTest() {
        image_.wait(1);
        image_.wait(2);
        image_.link({0}, {{1, 2, true}});
        image_.link({1, 2}, {{1, 2}});
        restart();
    }

    // Daemon and board start anew with this journal.
    void restart() {
        engine_.reset();
        board_ = std::make_unique<FakeBoard>();
        board_->memory[hwmap::reg::magic] = hwmap::reg_reset::magic;
        board_->memory[hwmap::reg::hwmap_hash] = hwmap::kHwmapHash;
        board_->memory[hwmap::reg::cap_instruments] = 8;
        board_->memory[hwmap::reg::cap_triggers] = 64;
        board_->memory[hwmap::reg::cap_orders] = 16;
        board_->memory[hwmap::reg::cap_groups] = 4;
        board_->on_write = [this](std::uint32_t addr, std::uint32_t word) { act(addr, word); };
        restart_daemon();
    }

    void restart_daemon() {
        engine_.reset();
        ledger_.reset();
        journal_.reset();
        journal_ = std::make_unique<Journal>(folder_.path());
        ledger_ = std::make_unique<Ledger>(*journal_);
        engine_ = std::make_unique<Engine>(*board_, *ledger_, config_, kill_);
    }

    // Arming and flips as the fabric has them; a flip begins when `begins_at` names its first message.
    void act(std::uint32_t addr, std::uint32_t word) {
        namespace bits = hwmap::status_bits;
        if (addr == hwmap::reg::arm) {
            board_->set_status(bits::armed, word != 0);
            board_->set_status(bits::dry, word == 2);
            if (board_->has_status(bits::flip_begun)) board_->set_status(bits::bank, new_bank_);
            for (const unsigned bit : {bits::flip_asked, bits::flip_begun, bits::flip_waits})
                board_->set_status(bit, false);
        }
        if (addr == hwmap::reg::banked) {
            board_->set_status(bits::banked, word != 0);
            board_->set_status(bits::bank, false);
        }
        const bool same =
            board_->memory[hwmap::reg::flip_head] == board_->memory[hwmap::reg::ring_head] && !busy_;
        if (addr == hwmap::reg::flip && same) {
            new_bank_ = !board_->has_status(bits::bank);
            board_->set_status(bits::flip_asked, true);
            follow();
        }
        if (addr == hwmap::reg::flip_head && board_->has_status(bits::flip_waits)) follow();
    }

    void follow() {
        namespace bits = hwmap::status_bits;
        if (!board_->has_status(bits::flip_asked) || begins_at_ == 0) return;
        board_->memory[hwmap::reg::flip_seq_num] = to_bcd(begins_at_, 8);
        board_->set_status(bits::flip_begun, true);
        const bool same =
            board_->memory[hwmap::reg::flip_head] == board_->memory[hwmap::reg::ring_head] && !held_;
        board_->set_status(bits::flip_waits, !same);
        if (!same) return;
        for (const unsigned bit : {bits::flip_asked, bits::flip_begun}) board_->set_status(bit, false);
        board_->set_status(bits::bank, new_bank_);
    }

    // Goes on with a load until it waits for something.
    void advance() {
        for (int i = 0; i < 1000 && engine_->loading(); ++i) engine_->advance_load();
    }

    void load() { engine_->load(engine_->loadable(bundle()), ""); }
    void hot_load() {
        ASSERT_EQ(engine_->not_hot(engine_->loadable(bundle())), "");
        engine_->begin_hot_load(engine_->loadable(bundle()));
    }

    Bundle bundle() {
        Bundle bundle;
        bundle.banked = banked_;
        bundle.capacity["instruments"] = 8;
        bundle.memories = image_.memories();
        bundle.limits = limits_;
        bundle.instruments.push_back({"MSFT", 0, "0.01"});
        for (const auto& [id, hash] : rules_) {
            BundleRule& rule = add_rule(bundle);
            rule.id = id;
            rule.rule = id.substr(0, id.find('['));
            rule.hash = hash;
            rule.instrument = "MSFT";
            rule.index = static_cast<std::uint32_t>(bundle.rules.size() - 1);
            rule.trigger = rule.index;
        }
        return bundle;
    }

    // The fabric has fired, as its ring says.
    void ring(std::uint32_t rule, std::uint32_t generation) {
        put_record(++board_->memory[hwmap::reg::ring_head], rule, generation);
    }

    void put_record(std::uint32_t entry, std::uint32_t rule, std::uint32_t generation) {
        hwmap::ring_record record;
        record.set_entry(entry);
        record.set_generation(generation);
        record.set_rule(rule);
        record.set_trigger(rule);
        record.set_outcome(hwmap::outcome_kill);
        std::uint32_t addr =
            hwmap::memory::ring.base + (entry - 1) % hwmap::ring_entries * hwmap::memory::ring.stride_bytes;
        for (const std::uint32_t word : record.words) {
            board_->memory[addr] = word;
            addr += 4;
        }
    }

    void fire(std::uint32_t rule, std::uint32_t outcome = hwmap::outcome_sent) {
        Fire fire;
        fire.generation = ledger_->load().generation;
        fire.entry = ++fires_;
        fire.rule = fire.trigger = rule;
        fire.outcome = outcome;
        fire.time_ns = fires_;
        if (fire.sent()) {
            fire.seq_num = static_cast<std::uint32_t>(ledger_->next_sender());
            fire.fires = 1;
            fire.left = true;
            fire.payload =
                "54=2\x01"
                "38=1\x01";
        }
        ledger_->record({fire});
    }

    void arm(bool dry = false) {
        engine_->attach(&stream_);
        ASSERT_TRUE(engine_->arm(Boundaries(), dry));
    }

    // The entry's fire in a dry run, on the board and in the journal.
    void fire_entry_dry() {
        board_->memory[hwmap::memory::live.base] = 0b1110;
        board_->memory[hwmap::memory::dormant.base] = 0;
        board_->memory[hwmap::memory::fire_count.base] = 1;
        put_record(1, 0, ledger_->load().generation);
        static_cast<void>(engine_->fabric().read_fire(1));
        fire(0, hwmap::outcome_dry);
    }

    std::string told() {
        std::string text;
        for (const char* state : rule_states(*engine_, *ledger_))
            text += (text.empty() ? "" : " ") + std::string(state);
        return text;
    }

    // A character a trigger as the board has it, in a bank: L live, D dormant, - neither.
    std::string states(std::uint32_t bank = 0) {
        std::string text;
        for (std::size_t i = 0; i < rules_.size(); ++i) {
            const bool live = ((board_->memory[hwmap::memory::live.base + 4 * bank] >> i) & 1U) != 0;
            const bool dormant = ((board_->memory[hwmap::memory::dormant.base + 4 * bank] >> i) & 1U) != 0;
            EXPECT_FALSE(live && dormant);
            text += live ? 'L' : dormant ? 'D' : '-';
        }
        return text;
    }

    TableImage image_{4};
    BundleLimits limits_{.orders_per_second = {}, .total_orders = {}, .unlimited_orders = true};
    std::vector<std::pair<std::string, std::string>> rules_{
        {"entry", "1"}, {"stop", "1"}, {"target", "1"}, {"other", "1"}};
    std::uint32_t fires_ = 0;
    bool banked_ = true;
    bool busy_ = false;  // a fire waits: no flip is taken
    bool held_ = false;  // messages wait, whatever is told
    bool new_bank_ = false;
    std::uint32_t begins_at_ = 7;  // MsgSeqNum; 0: no message begins
    ScratchFolder folder_;
    DaemonConfig config_;
    KillFlag kill_;
    QuietStream stream_;
    std::unique_ptr<FakeBoard> board_;
    std::unique_ptr<Journal> journal_;
    std::unique_ptr<Ledger> ledger_;
    std::unique_ptr<Engine> engine_;
};

}  // namespace fixaccel
