// SPDX-License-Identifier: Apache-2.0
// The runtime without a board: all rules are its own, in one table.
#include "fixaccel/no_board.hpp"

#include <gtest/gtest.h>

#include "engine_fixture.hpp"
#include "fixaccel/utc_clock.hpp"
#include "table_builder.hpp"

namespace fixaccel {
namespace {

namespace reg = hwmap::reg;
using test::TableBuilder;

TEST(NoBoard, SaysThatItIsOneAndKeepsWhatIsWritten) {
    NoBoard board;
    EXPECT_FALSE(board.is_there());
    EXPECT_NO_THROW(check_hwmap(board));
    EXPECT_EQ(board.Board::read(reg::generation), 0U);
    board.Board::write(reg::generation, 7);
    EXPECT_EQ(board.Board::read(reg::generation), 7U);
    EXPECT_EQ(board.Board::read(reg::status), 0U);
    board.Board::write(reg::kill, 1);
    board.Board::write(reg::arm, 1);
    EXPECT_EQ(board.Board::read(reg::status), 1U << hwmap::status_bits::kill);
    EXPECT_FALSE(open_board("none")->is_there());
}

class NoBoardTest : public EngineTest, private OrderPort, private RecordListener {
  protected:
    NoBoardTest() {
        builder_.stops({400, 300, 200, 100})
            .set("order.envelope", {0, 0, 0, 0})
            .envelopes(R"([{"tif": "day", "account": "", "fields": {}}])");
        for (std::size_t i = 0; i < rules_.size(); ++i)
            rules_[i].second = std::string(31, '0') + std::to_string(i + 1);
    }
    ~NoBoardTest() override { engine_.reset(); }

    // Of rules that its compiler has placed in the fabric.
    Bundle compiled() {
        Bundle of_fabric = bundle();
        const std::vector<std::byte> file = builder_.file();
        of_fabric.standby = SharedText(std::string(reinterpret_cast<const char*>(file.data()), file.size()));
        return of_fabric;
    }

    // The daemon starts anew, and there is no board.
    void start() {
        engine_.reset();
        ledger_.reset();
        journal_.reset();
        journal_ = std::make_unique<Journal>(folder_.path());
        ledger_ = std::make_unique<Ledger>(*journal_);
        none_ = std::make_unique<NoBoard>();
        engine_ = std::make_unique<Engine>(*none_, *ledger_, config_, kill_);
        recover();
    }

    void recover() {
        ledger_->listen(this);
        engine_->recover();
        ledger_->listen(nullptr);
    }
    void recorded(const Record& record) override { boards_lost_ += record["type"] == "board_lost" ? 1 : 0; }

    void load_here() { engine_->load(engine_->loadable(compiled()), ""); }

    void begin() {
        start();
        load_here();
        arm();
    }

    // The session has a trade.
    void see(const std::string& price) {
        engine_->watch();
        EXPECT_EQ(engine_->standby(), nullptr) << "there is one table";
        engine_->software()->process(MarketText("35=W\x01"
                                                "55=MSFT\x01"
                                                "269=2\x01"
                                                "270=" +
                                                price + "\x01"),
                                     utc_ns(), *this);
    }

    bool armed() const override { return engine_->armed(); }
    std::string held_back() override { return engine_->armed() ? "" : "disarmed"; }
    std::chrono::steady_clock::time_point send_order(const OrderText& order) override {
        EXPECT_TRUE(engine_->take_lease());
        EXPECT_TRUE(engine_->may_send());
        const int seq = ledger_->next_sender();
        ledger_->set(seq, "35=D\x01" + order.body);
        ledger_->set_next_sender(seq + 1);
        engine_->give_lease();
        return {};
    }

    std::string fired() const {
        std::string text;
        for (const Record& fire : ledger_->fires()) {
            EXPECT_EQ(fire["where"], "runtime");
            EXPECT_FALSE(fire.contains("stand_in")) << "it stands in for nobody";
            text += (text.empty() ? "" : " ") + fire["rule"].get<std::string>() + ":" +
                    fire["outcome"].get<std::string>();
        }
        return text;
    }

    TableBuilder builder_;
    std::unique_ptr<NoBoard> none_;
    int boards_lost_ = 0;  // as the journal has it
};

TEST_F(NoBoardTest, RulesOfTheFabricFireHere) {
    begin();
    EXPECT_TRUE(engine_->live(engine_->fabric().status()));
    EXPECT_EQ(told(), "armed armed armed armed");
    see("5.00");
    EXPECT_EQ(fired(), "");
    see("2.50");
    EXPECT_EQ(fired(), "entry:sent stop:sent");
    see("2.50");
    EXPECT_EQ(fired(), "entry:sent stop:sent") << "each once";
    engine_->disarm("test");
    EXPECT_FALSE(engine_->live(engine_->fabric().status()));
    see("0.50");
    EXPECT_EQ(fired(), "entry:sent stop:sent");
}

TEST_F(NoBoardTest, NothingLeavesOnceItIsKilled) {
    begin();
    kill_.raise(1);
    EXPECT_FALSE(engine_->may_send());
    EXPECT_FALSE(engine_->may_send_by_hand());
}

TEST_F(NoBoardTest, ADryRunEndsAsItBegan) {
    start();
    load_here();
    arm(true);
    EXPECT_FALSE(engine_->may_send());
    see("3.50");
    EXPECT_EQ(fired(), "entry:dry");
    engine_->disarm("test");
    arm();
    EXPECT_EQ(told(), "armed armed armed armed");
}

TEST_F(NoBoardTest, AfterACrashNothingIsInDoubt) {
    begin();
    see("3.50");
    start();
    EXPECT_FALSE(ledger_->armed());
    EXPECT_TRUE(ledger_->in_doubt().empty());
    EXPECT_EQ(boards_lost_, 0) << "there was none";
    load_here();
    arm();
    EXPECT_EQ(told(), "fired armed armed armed");
    see("3.50");
    EXPECT_EQ(fired(), "entry:sent");
}

TEST_F(NoBoardTest, WhatABoardWasArmedForIsInDoubt) {
    load();
    arm();
    start();
    EXPECT_EQ(boards_lost_, 1);
    EXPECT_EQ(ledger_->in_doubt().size(), rules_.size()) << "it may have fired, and nobody has seen it";
    load_here();
    engine_->attach(&stream_);
    EXPECT_THROW(engine_->arm(Boundaries(), false), Refused);
}

TEST_F(NoBoardTest, ABoardThatIsBackFindsNothingInDoubt) {
    begin();
    see("3.50");
    restart();
    recover();
    EXPECT_TRUE(ledger_->in_doubt().empty());
    EXPECT_EQ(boards_lost_, 0);
    EXPECT_FALSE(ledger_->armed());
    load();
    EXPECT_EQ(states(), "-DDL") << "what has fired here is spent there";
}

TEST_F(NoBoardTest, ALoadWhileArmedKeepsWhatGoesOn) {
    begin();
    see("5.00");
    rules_[1].second = std::string(31, '0') + "9";
    builder_.stops({400, 250, 200, 100})
        .set("order.envelope", {0, 0, 0, 0})
        .set("part.hash", {1, 0, 9, 0, 3, 0, 4, 0});
    Loadable next = engine_->loadable(compiled());
    ASSERT_EQ(engine_->not_hot(next), "");
    const std::uint32_t before = ledger_->load().generation;
    engine_->begin_hot_load(std::move(next));
    EXPECT_FALSE(engine_->loading()) << "nothing has to be written anywhere";
    EXPECT_EQ(engine_->load_report().state, std::string("loaded"));
    EXPECT_EQ(engine_->load_report().how, std::string("hot"));
    EXPECT_NE(ledger_->load().generation, before);
    EXPECT_FALSE(ledger_->next_load());
    EXPECT_TRUE(engine_->armed());
    see("2.75");
    EXPECT_EQ(fired(), "entry:sent") << "by the new threshold";
    see("2.45");
    EXPECT_EQ(fired(), "entry:sent stop:sent");
}

TEST_F(NoBoardTest, ABundleWithoutATableOfAllRulesIsRefused) {
    start();
    EXPECT_THROW(engine_->loadable(bundle()), BundleError);
}

}  // namespace
}  // namespace fixaccel
