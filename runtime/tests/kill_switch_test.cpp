// SPDX-License-Identifier: Apache-2.0
#include "kill_switch.hpp"

#include <fstream>
#include <thread>

#include "kill_fixture.hpp"

namespace fixaccel {
namespace {

using Words = std::vector<std::string>;

std::string refusal(const std::function<void()>& action) {
    try {
        action();
    } catch (const KillError& error) {
        return error.what();
    }
    return "";
}

TEST_F(KillTest, FlagThenBoardThenDisk) {
    const auto kill = make();
    kill->start();
    EXPECT_TRUE(kill->unspoken());
    EXPECT_TRUE(done_.empty());
    bool seen = false;
    board_->on_write = [&](std::uint32_t addr, std::uint32_t /*word*/) {
        if (addr != hwmap::reg::kill) return;
        seen = true;
        EXPECT_TRUE(kill->flag().on());
        EXPECT_FALSE(read_kill_word(folder_.path() / "journal"));
    };
    kill->kill("me");
    EXPECT_TRUE(seen);
    EXPECT_EQ(done_, (Words{"kill 1", "arm 0"})) << "what was armed does not come back";
    EXPECT_TRUE(read_kill_word(folder_.path() / "journal")->on);
    EXPECT_EQ(kill->flag().word().by, "me");
    EXPECT_EQ(kill->flag().kills(), 1U);
}

TEST_F(KillTest, OutlivesDaemonAndBoardUntilItIsUndone) {
    make()->start();
    {
        const auto kill = make();
        kill->start();
        kill->kill("me");
    }
    power_on();
    done_.clear();
    auto kill = make();
    kill->start();
    EXPECT_EQ(done_, (Words{"kill 1", "arm 0"})) << "and nothing before";
    EXPECT_TRUE(board_killed());
    EXPECT_TRUE(kill->flag().on());
    kill->undo("you");
    EXPECT_FALSE(board_killed());
    EXPECT_FALSE(kill->flag().on());
    kill = make();
    done_.clear();
    kill->start();
    EXPECT_TRUE(done_.empty());
    EXPECT_EQ(kill->flag().kills(), 1U);
    kill->kill("me");
    EXPECT_EQ(kill->flag().kills(), 2U);
}

TEST_F(KillTest, ABoardThatIsKilledStaysSo) {
    board_->set_status(hwmap::status_bits::kill, true);
    make()->start();
    EXPECT_TRUE(read_kill_word(folder_.path() / "journal")->on);
}

TEST_F(KillTest, WithoutABoardTheFlagIsOnAllTheSameAndTheBoardIsToldLater) {
    const auto kill = make();
    kill->start();
    board_.reset();
    EXPECT_NE(refusal([&] { kill->kill("me"); }).find("the runtime's orders are stopped: no board"),
              std::string::npos);
    EXPECT_TRUE(kill->flag().on());
    EXPECT_TRUE(read_kill_word(folder_.path() / "journal")->on);
    EXPECT_NE(kill->board_problem(), "");
    power_on();
    for (int i = 0; i < 500 && !board_killed(); ++i) {
        kill->look();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_TRUE(board_killed());
    EXPECT_EQ(kill->board_problem(), "");
}

TEST_F(KillTest, ABoardThatWasRestartedIsToldAtOnce) {
    const auto kill = make();
    kill->start();
    power_on();
    kill->kill("me");
    EXPECT_TRUE(board_killed());
}

TEST_F(KillTest, WhatCannotBeUndoneStaysOn) {
    auto kill = make();
    kill->start();
    kill->kill("me");
    board_.reset();
    EXPECT_NE(refusal([&] { kill->undo("me"); }).find("stays on"), std::string::npos);
    EXPECT_TRUE(kill->flag().on());
    EXPECT_TRUE(read_kill_word(folder_.path() / "journal")->on);
}

TEST_F(KillTest, OneThatWouldNotOutliveACrashSaysSo) {
    const auto kill = make();
    kill->start();
    std::filesystem::remove_all(folder_.path() / "journal");
    EXPECT_NE(refusal([&] { kill->kill("me"); }).find("would not outlive a crash"), std::string::npos);
    EXPECT_TRUE(board_killed());
    EXPECT_TRUE(kill->flag().on());
    EXPECT_NE(refusal([&] { kill->undo("me"); }).find("stays on"), std::string::npos);
    EXPECT_TRUE(board_killed());
}

TEST_F(KillTest, AFileKillsAndHasToGoFirst) {
    const std::filesystem::path file = folder_.path() / "stop";
    const auto kill = make(file);
    kill->start();
    kill->look();
    EXPECT_FALSE(board_killed());
    std::ofstream(file).close();
    kill->look();
    EXPECT_TRUE(board_killed());
    EXPECT_EQ(kill->flag().word().by, "the file " + file.string());
    EXPECT_NE(refusal([&] { kill->undo("me"); }).find("remove it first"), std::string::npos);
    EXPECT_TRUE(kill->flag().on());
    std::filesystem::remove(file);
    kill->look();
    EXPECT_TRUE(kill->flag().on()) << "its end undoes nothing";
    kill->undo("me");
    EXPECT_FALSE(board_killed());
}

TEST_F(KillTest, AFileThatIsThereAtStartKills) {
    const std::filesystem::path file = folder_.path() / "stop";
    std::filesystem::create_symlink(folder_.path() / "nowhere", file);
    make(file)->start();
    EXPECT_TRUE(board_killed());
}

TEST_F(KillTest, AnotherBoardIsRefused) {
    board_->memory[hwmap::reg::hwmap_hash] = ~hwmap::kHwmapHash;
    EXPECT_THROW(make()->start(), BoardError);
}

}  // namespace
}  // namespace fixaccel
