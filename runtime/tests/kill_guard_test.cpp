// SPDX-License-Identifier: Apache-2.0
// The guard's thread while the other one does nothing at all.
#include "kill_guard.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <set>

#include "await_request.hpp"
#include "control_client.hpp"
#include "kill_fixture.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

class KillGuardTest : public KillTest {
  protected:
    void begin(const std::filesystem::path& file = {}, const std::set<Role>& others = {}) {
        ControlDoors doors{{Role::admin, {"unix:" + socket()}}};
        for (const Role role : others) doors[role].endpoint = "unix:" + socket(role);
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        pthread_sigmask(SIG_BLOCK, &set, nullptr);
        kill_ = make(file);
        kill_->start();
        guard_ = std::make_unique<KillGuard>(*kill_, doors);
    }

    std::string socket(Role role = Role::admin) const {
        return (folder_.path() / (role == Role::admin ? "s" : role_text(role))).string();
    }

    int connect(Role role = Role::admin) const {
        const int fd = connect_to(socket(role));
        EXPECT_GE(fd, 0);
        return fd;
    }

    json ask(const std::string& request, Role role = Role::admin) const {
        const int fd = connect(role);
        say(fd, request + "\n");
        json reply = hear(fd);
        ::close(fd);
        return reply;
    }

    ControlRequest await_request() const { return fixaccel::await_request(*guard_); }

    void await_kill() const {
        for (int i = 0; i < 2000 && !guard_->flag().on(); ++i) ::usleep(10'000);
        EXPECT_TRUE(guard_->flag().on());
    }

    std::unique_ptr<KillSwitch> kill_;
    std::unique_ptr<KillGuard> guard_;
};

TEST_F(KillGuardTest, WhoAsksThroughSomebodysProgramSaysSo) {
    begin();
    EXPECT_EQ(ask(R"({"cmd":"kill","author":"dashboard"})"), (json{{"ok", true}}));
    EXPECT_EQ(ask(R"({"cmd":"status","short":true})")["kill"]["by"],
              UserNames().text(::getuid()) + ", process " + std::to_string(::getpid()) + ", dashboard");
}

TEST_F(KillGuardTest, KillsWhileRequestsWaitForTheOtherThread) {
    begin();
    const int deploys = connect();
    say(deploys, R"({"cmd":"deploy","bundle":"x"})"
                 "\n");
    std::vector<int> idle;
    for (int i = 0; i < 100; ++i) {
        idle.push_back(connect());
        if (i % 2 == 0) say(idle.back(), R"({"cmd":"ki)");
    }
    EXPECT_EQ(ask(R"({"cmd":"kill"})"), (json{{"ok", true}}));
    EXPECT_TRUE(guard_->flag().on());
    const json status = ask(R"({"cmd":"status","short":true})");
    EXPECT_EQ(status["kill"]["on"], true);
    EXPECT_EQ(status["kill"]["by"], UserNames().text(::getuid()) + ", process " + std::to_string(::getpid()));
    const ControlRequest request = await_request();
    EXPECT_EQ(request.body["bundle"], "x");
    guard_->answer(request.ticket, {{"ok", true}, {"loads", true}});
    EXPECT_EQ(hear(deploys)["loads"], true);
    guard_.reset();
    idle.push_back(deploys);
    for (const int fd : idle) ::close(fd);
}

// What the other thread does between a kill and its undo may be arming: it has to see that there was one.
TEST_F(KillGuardTest, AnUndoWaitsForTheOtherThread) {
    begin();
    const int client = connect();
    say(client, "{\"cmd\":\"kill\"}\n{\"cmd\":\"unkill\"}\n");
    EXPECT_EQ(hear(client)["ok"], true);
    const auto request = await_request();
    EXPECT_EQ(request.body["cmd"], "unkill");
    EXPECT_TRUE(guard_->flag().on());
    EXPECT_TRUE(board_killed());
    guard_->answer(request.ticket, {{"ok", true}});
    EXPECT_EQ(hear(client)["ok"], true);
    EXPECT_FALSE(guard_->flag().on());
    EXPECT_FALSE(board_killed());
    guard_.reset();
    ::close(client);
}

TEST_F(KillGuardTest, AKillOverrulesAnUndoThatWaits) {
    begin();
    const int client = connect();
    say(client, "{\"cmd\":\"kill\"}\n{\"cmd\":\"unkill\"}\n");
    EXPECT_EQ(hear(client)["ok"], true);
    const auto request = await_request();
    EXPECT_EQ(ask(R"({"cmd":"kill"})")["ok"], true);
    guard_->answer(request.ticket, {{"ok", true}});
    const json reply = hear(client);
    EXPECT_EQ(reply["ok"], false);
    EXPECT_NE(reply["error"].get<std::string>().find("once more"), std::string::npos);
    EXPECT_TRUE(guard_->flag().on());
    guard_.reset();
    ::close(client);
}

TEST_F(KillGuardTest, ThoseWhoWaitDoNotTakeAllTheRoom) {
    begin();
    std::vector<int> waiting;
    for (int i = 0; i < 64; ++i) {
        waiting.push_back(connect());
        say(waiting.back(), "{\"cmd\":\"arm\"}\n");
    }
    const json refused = hear(waiting.back());
    EXPECT_EQ(refused["ok"], false);
    EXPECT_NE(refused["error"].get<std::string>().find("busy"), std::string::npos);
    EXPECT_EQ(ask(R"({"cmd":"kill"})")["ok"], true);
    for (const auto& request : guard_->take_requests()) guard_->answer(request.ticket, {{"ok", true}});
    EXPECT_EQ(hear(waiting.front())["ok"], true) << "answered before its end";
    guard_.reset();
    for (const int fd : waiting) ::close(fd);
}

TEST_F(KillGuardTest, ABoardThatIsGoneIsToldOf) {
    begin();
    board_.reset();
    const json reply = ask(R"({"cmd":"kill"})");
    EXPECT_EQ(reply["ok"], false);
    EXPECT_NE(reply["error"].get<std::string>().find("the board could not be told"), std::string::npos);
    EXPECT_TRUE(guard_->flag().on());
    EXPECT_NE(ask(R"({"cmd":"status","short":true})")["board_problem"], "");
}

TEST_F(KillGuardTest, ASignalKills) {
    begin();
    ::kill(::getpid(), SIGUSR1);
    await_kill();
    guard_.reset();
    EXPECT_TRUE(board_killed());
    EXPECT_EQ(kill_->flag().word().by.find("SIGUSR1 from user "), 0U);
}

TEST_F(KillGuardTest, AFileKills) {
    const std::filesystem::path file = folder_.path() / "stop";
    begin(file);
    std::ofstream(file).close();
    await_kill();
    guard_.reset();
    EXPECT_TRUE(board_killed());
}

TEST_F(KillGuardTest, WhatIsAnsweredLastIsHeard) {
    begin();
    const int fd = connect();
    say(fd, "{\"cmd\":\"shutdown\"}\n");
    pollfd there{guard_->requests_fd(), POLLIN, 0};
    ASSERT_EQ(::poll(&there, 1, 10'000), 1);
    guard_->answer(guard_->take_requests().front().ticket, {{"ok", true}});
    guard_.reset();
    EXPECT_EQ(hear(fd)["ok"], true);
    ::close(fd);
}

TEST_F(KillGuardTest, AKillDoesNotWaitForWhoeverWatches) {
    begin();
    const int fd = connect();
    say(fd, "{\"cmd\":\"watch\"}\n");
    const ControlRequest request = await_request();
    EXPECT_FALSE(guard_->watched());
    guard_->publish({{"event", "nobody hears that"}});
    guard_->answer(request.ticket, {{"ok", true}});
    EXPECT_EQ(hear(fd)["ok"], true);
    for (int i = 0; i < 2000 && !guard_->watched(); ++i) ::usleep(10'000);
    ASSERT_TRUE(guard_->watched());
    // Far more than is kept for one that does not read.
    constexpr std::uint64_t kEvents = 30'000;
    for (std::uint64_t i = 0; i < kEvents; ++i)
        guard_->publish({{"event", "x"}, {"text", std::string(200, 'x')}});
    EXPECT_EQ(ask("{\"cmd\":\"kill\"}")["ok"], true);
    EXPECT_TRUE(guard_->flag().on());
    std::uint64_t told = 0;
    while (told < kEvents) {
        const json event = hear(fd);
        ASSERT_FALSE(event.is_discarded()) << "events are lost without a word: " << told << " were told";
        if (event["event"] == "dropped") told += event["events"].get<std::uint64_t>();
        if (event["event"] == "x") ++told;
    }
    EXPECT_EQ(told, kEvents);
    ::close(fd);
}

TEST_F(KillGuardTest, WhoMayOnlySeeIsRefusedAndTheOtherThreadHearsOfIt) {
    begin({}, {Role::view, Role::trade, Role::risk});
    const int sees = connect(Role::view);
    for (const char* const command : {"kill", "unkill", "deploy", "shutdown"}) {
        say(sees, std::string(R"({"cmd":")") + command + "\"}\n");
        const ControlRequest request = await_request();
        EXPECT_EQ(request.body["cmd"], command);
        EXPECT_EQ(request.role, Role::view);
        EXPECT_NE(request.refused.find("this socket has role view"), std::string::npos) << request.refused;
        guard_->answer(request.ticket, {{"ok", false}, {"error", request.refused}});
        EXPECT_EQ(hear(sees)["ok"], false);
        EXPECT_FALSE(guard_->flag().on());
    }
    EXPECT_EQ(ask(R"({"cmd":"status","short":true})", Role::view)["ok"], true);
    say(sees, "{\"cmd\":\"status\"}\n");
    EXPECT_EQ(await_request().refused, "");
    EXPECT_EQ(ask(R"({"cmd":"kill"})", Role::trade)["ok"], true) << "who may trade may stop";
    EXPECT_TRUE(guard_->flag().on());
    guard_.reset();
    ::close(sees);
}

// An undo that was refused must not come about, whatever the other thread answers.
TEST_F(KillGuardTest, OnlyRiskUndoesAKill) {
    begin({}, {Role::trade, Role::risk});
    EXPECT_EQ(ask(R"({"cmd":"kill"})", Role::trade)["ok"], true);
    const int trades = connect(Role::trade), judges = connect(Role::risk);
    say(trades, "{\"cmd\":\"unkill\"}\n");
    ControlRequest request = await_request();
    EXPECT_NE(request.refused.find("for role risk or admin"), std::string::npos) << request.refused;
    guard_->answer(request.ticket, {{"ok", true}});
    hear(trades);
    EXPECT_TRUE(guard_->flag().on());
    say(judges, "{\"cmd\":\"unkill\"}\n");
    request = await_request();
    EXPECT_EQ(request.refused, "");
    guard_->answer(request.ticket, {{"ok", true}});
    EXPECT_EQ(hear(judges)["ok"], true);
    EXPECT_FALSE(guard_->flag().on());
    guard_.reset();
    for (const int fd : {trades, judges}) ::close(fd);
}

TEST_F(KillGuardTest, ThoseOfOneRoleTakeNoRoomOfAnother) {
    begin({}, {Role::view, Role::trade});
    std::vector<int> seeing;
    for (int i = 0; i < 64; ++i) {
        seeing.push_back(connect(Role::view));
        say(seeing.back(), "{\"cmd\":\"status\"}\n");
    }
    EXPECT_NE(hear(seeing.back())["error"].get<std::string>().find("busy"), std::string::npos);
    guard_->take_requests();
    const int trades = connect(Role::trade);
    say(trades, "{\"cmd\":\"arm\"}\n");
    EXPECT_EQ(await_request().body["cmd"], "arm");
    guard_.reset();
    seeing.push_back(trades);
    for (const int fd : seeing) ::close(fd);
}

// Each that is written costs the disk's confirmation.
TEST_F(KillGuardTest, RefusalsOfASecondAreWrittenAndTheRestCounted) {
    begin({}, {Role::view});
    const int sees = connect(Role::view);
    std::uint64_t handed_on = 0, counted = 0;
    for (int i = 0; i < 40 || counted == 0; ++i) {
        ASSERT_LT(i, 400);
        say(sees, "{\"cmd\":\"arm\"}\n");
        pollfd either[]{{guard_->requests_fd(), POLLIN, 0}, {sees, POLLIN, 0}};
        ASSERT_GE(::poll(either, 2, 10'000), 1);
        for (const ControlRequest& request : guard_->take_requests()) {
            ++handed_on;
            counted += request.refused_before;
            guard_->answer(request.ticket, {{"ok", false}, {"error", request.refused}});
        }
        EXPECT_EQ(hear(sees)["ok"], false);
        if (i == 39) {
            EXPECT_LE(handed_on, 20U);
        }
        if (i >= 39) ::usleep(50'000);
    }
    EXPECT_GE(counted, 20U);
    guard_.reset();
    ::close(sees);
}

}  // namespace
}  // namespace fixaccel
