// SPDX-License-Identifier: Apache-2.0
// What the board is told of rules that the venue's reports of other rules' orders arm.
#include "engine_fixture.hpp"
#include "fixaccel/loads.hpp"

namespace fixaccel {
namespace {

constexpr std::uint32_t kExit = 3, kWatch = 4;
constexpr const char* kOrder = "00000000000000000001";

// The first fill of rule 0 arms rule 3.
class EngineFillsTest : public EngineTest {
  protected:
    EngineFillsTest() {
        image_ = TableImage(5);
        image_.wait(kExit);
        image_.told(kWatch, kExit);
        image_.link({kWatch}, {{kExit, kExit, true}});
        load();
    }

    void load() {
        Loadable next{.bundle = bundle(), .load = describe_load(bundle()), .software = {}, .standby = {}};
        next.load.links.push_back(
            {.senders = {{0, 0}}, .cancels = {}, .arms = {{kExit, kExit}}, .on = ArmedOn::first_fill});
        engine_->load(std::move(next), "");
    }

    // The entry's order has left.
    void sent() {
        Fire fire;
        fire.generation = ledger_->load().generation;
        fire.entry = ++fires_;
        fire.outcome = hwmap::outcome_sent;
        fire.seq_num = static_cast<std::uint32_t>(ledger_->next_sender());
        fire.fires = 1;
        fire.left = true;
        fire.payload = std::string(
                           "35=D\x01"
                           "55=MSFT\x01"
                           "54=1\x01"
                           "38=10\x01"
                           "40=2\x01"
                           "44=5\x01"
                           "11=") +
                       kOrder + "\x01";
        ledger_->record({fire});
    }
    void reported(const std::string& exec_id, const std::string& type, const std::string& last,
                  const std::string& filled) {
        EXPECT_EQ(ledger_->record_execution(std::string("35=8\x01"
                                                        "39=1\x01"
                                                        "11=") +
                                            kOrder +
                                            "\x01"
                                            "17=" +
                                            exec_id +
                                            "\x01"
                                            "150=" +
                                            type +
                                            "\x01"
                                            "32=" +
                                            last +
                                            "\x01"
                                            "14=" +
                                            filled + "\x01"),
                  "");
        engine_->follow_fills();
    }
    std::uint32_t last_word() const {
        return hwmap::memory::rearm.base + kWatch * hwmap::memory::rearm.stride_bytes +
               4 * (hwmap::rearm_record::kWords - 1);
    }
    bool pending() {
        hwmap::rearm_record record;
        record.words[hwmap::rearm_record::kWords - 1] = board_->memory[last_word()];
        return record.pending() != 0;
    }
};

TEST_F(EngineFillsTest, TheBoardIsToldOnce) {
    arm();
    sent();
    engine_->take_fires();
    EXPECT_FALSE(pending());
    EXPECT_EQ(told(), "fired armed armed disarmed");
    reported("E1", "F", "4", "4");
    EXPECT_TRUE(pending());
    EXPECT_EQ(told(), "fired armed armed armed");
    board_->memory[last_word()] = 0;  // the fabric has armed it
    reported("E2", "F", "3", "7");
    EXPECT_FALSE(pending()) << "it waits for nothing any more";
    reported("E3", "H", "3", "4");
    EXPECT_EQ(told(), "fired armed armed armed") << "nothing that is taken back disarms";
}

TEST_F(EngineFillsTest, WhatIsArmedIsLiveWhenTheBoardIsArmedAgain) {
    arm();
    EXPECT_EQ(states(), "LLLD");
    sent();
    reported("E1", "F", "4", "4");
    engine_->disarm("test");
    arm();
    EXPECT_EQ(states(), "-LLL");
    EXPECT_FALSE(pending()) << "its bit says so";
    restart();
    load();
    EXPECT_EQ(states(), "-LLL") << "board and daemon have started anew";
    EXPECT_FALSE(pending());
}

TEST_F(EngineFillsTest, WhatIsFilledWhileTheBoardIsDisarmedArms) {
    sent();
    reported("E1", "F", "4", "4");
    arm();
    EXPECT_EQ(states(), "-LLL");
}

TEST_F(EngineFillsTest, WhatHasFiredIsNotArmedByLaterFills) {
    arm();
    sent();
    reported("E1", "F", "4", "4");
    fire(kExit);
    engine_->disarm("test");
    reported("E2", "F", "3", "7");
    arm();
    EXPECT_EQ(states(), "-LL-");
    EXPECT_FALSE(pending());
}

TEST_F(EngineFillsTest, RulesThatFillsArmNeedTheTableOfAll) {
    EXPECT_THROW(engine_->loadable(bundle()), BundleError);
}

}  // namespace
}  // namespace fixaccel
