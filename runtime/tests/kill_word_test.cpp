// SPDX-License-Identifier: Apache-2.0
// The last word on the kill switch, in its file and in the journal.
#include "fixaccel/kill_word.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>

#include "fixaccel/ledger.hpp"
#include "scratch_folder.hpp"

namespace fixaccel {
namespace {

class KillWordTest : public ::testing::Test {
  protected:
    std::filesystem::path file() const { return folder_.path() / "kill"; }
    ScratchFolder folder_;
};

TEST_F(KillWordTest, IsReadAsItWasWritten) {
    EXPECT_FALSE(read_kill_word(folder_.path()));
    for (const bool on : {true, false}) {
        write_kill_word(folder_.path(), {on, 7, "user 1, process 2", 12345});
        const auto word = read_kill_word(folder_.path());
        ASSERT_TRUE(word);
        EXPECT_EQ(word->on, on);
        EXPECT_EQ(word->kills, 7U);
        EXPECT_EQ(word->by, "user 1, process 2");
        EXPECT_EQ(word->time_ns, 12345);
    }
}

TEST_F(KillWordTest, WhoSaidItMayHaveAnyName) {
    for (int restart = 0; restart < 2; ++restart) {
        write_kill_word(folder_.path(), {true, 1, "the file /h\xC3\xA4lt \xFF", 0});
        const auto word = read_kill_word(folder_.path());
        ASSERT_TRUE(word);
        EXPECT_EQ(word->by, "the file /h\xC3\xA4lt \xFF");
        write_kill_word(folder_.path(), *word);
    }
}

TEST_F(KillWordTest, OneThatCannotBeReadSaysOn) {
    write_kill_word(folder_.path(), {false, 1, "me", 0});
    std::string good;
    std::getline(std::ifstream(file()), good);
    std::string torn = good.substr(0, good.size() / 2);
    std::string wrong = good;
    wrong.back() = '!';
    for (const std::string& text : {std::string(), torn, wrong, std::string("off"), journal_line({{"on", 0}}),
                                    journal_line({{"kills", 1}})}) {
        std::ofstream(file(), std::ios::trunc) << text;
        const auto word = read_kill_word(folder_.path());
        ASSERT_TRUE(word) << text;
        EXPECT_TRUE(word->on) << text;
        EXPECT_NE(word->by.find("cannot be read"), std::string::npos);
    }
    std::filesystem::remove(file());
    std::filesystem::create_directory(file());
    EXPECT_TRUE(read_kill_word(folder_.path())->on);
}

TEST_F(KillWordTest, WhatCannotBeWrittenIsAnError) {
    EXPECT_THROW(write_kill_word(folder_.path() / "none", {}), JournalError);
}

class LedgerKillTest : public KillWordTest {
  protected:
    LedgerKillTest() { restart(); }
    void restart() {
        ledger_.reset();
        journal_.reset();
        journal_ = std::make_unique<Journal>(folder_.path());
        ledger_ = std::make_unique<Ledger>(*journal_);
    }
    std::unique_ptr<Journal> journal_;
    std::unique_ptr<Ledger> ledger_;
};

TEST_F(LedgerKillTest, OutlivesARestartAndCountsAsADisarm) {
    ledger_->record_asked(Arming::armed);
    ledger_->record_kill({true, 1, "me", 0});
    for (const bool restarted : {false, true}) {
        if (restarted) restart();
        EXPECT_TRUE(ledger_->killed());
        EXPECT_EQ(ledger_->kills(), 1U);
        EXPECT_EQ(ledger_->asked(), Arming::disarmed);
    }
    ledger_->record_kill({false, 1, "me", 0});
    restart();
    EXPECT_FALSE(ledger_->killed());
    EXPECT_EQ(ledger_->asked(), Arming::disarmed) << "nobody has asked for arming since";
    ledger_->record_asked(Arming::armed);
    restart();
    EXPECT_EQ(ledger_->asked(), Arming::armed);
}

TEST_F(LedgerKillTest, OneThatIsOverAlreadyCountsToo) {
    ledger_->record_kill({false, 1, "me", 0});
    EXPECT_FALSE(ledger_->killed());
    EXPECT_EQ(ledger_->asked(), Arming::disarmed);
}

TEST_F(LedgerKillTest, ATornEndMayHaveBeenADisarm) {
    ledger_->record_asked(Arming::disarmed);
    ledger_->record_asked(Arming::armed);
    ledger_.reset();
    journal_.reset();
    std::ofstream(segment_path(folder_.path(), 1), std::ios::app) << R"(12345678 {"type":"asked","for":"dis)";
    restart();
    EXPECT_EQ(ledger_->asked(), Arming::disarmed);
    restart();
    EXPECT_EQ(ledger_->asked(), Arming::disarmed);
    ledger_->record_asked(Arming::armed);
    restart();
    EXPECT_EQ(ledger_->asked(), Arming::armed);
}

}  // namespace
}  // namespace fixaccel
