// SPDX-License-Identifier: Apache-2.0
// What watchers of the control socket are told, and that nobody waits for them.
#include <sys/stat.h>

#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "control_fixture.hpp"

namespace fixaccel::exchange {
namespace {

using nlohmann::json;

json watch(std::initializer_list<const char*> what, json more = json::object()) {
    more["do"] = "watch";
    more["what"] = what;
    return more;
}

json limit_order(const char* side, const char* price) {
    return {{"do", "order"}, {"symbol", "MSFT"}, {"side", side}, {"qty", "1"}, {"price", price}};
}

// Reads the next event: one of the messages, or how many were lost.
void count_one(ControlUser& user, std::uint64_t& heard, std::uint64_t& lost) {
    const auto event = user.line();
    ASSERT_TRUE(event);
    if ((*event)["event"] == "lost")
        lost += (*event)["count"].get<std::uint64_t>();
    else
        ++heard;
}

TEST_F(ControlTest, AllThatIsComesFirstThenWhatChanges) {
    ControlUser user(path);
    ASSERT_TRUE(user.ask(watch({"books", "trades", "orders", "sessions", "messages"}))["ok"]);
    EXPECT_EQ(user.next("session")["client"], "CLIENT1");
    ControlUser other(path);
    ASSERT_TRUE(other.ask(limit_order("buy", "410"))["ok"]);
    const json rested = user.next("order");
    EXPECT_EQ(rested["exec_type"], "new");
    ASSERT_TRUE(other.ask(limit_order("sell", "410"))["ok"]);
    EXPECT_EQ(user.next("order")["exec_type"], "new");
    const json filled = user.next("order");
    EXPECT_EQ(filled["exec_type"], "trade");
    EXPECT_EQ(filled["last_px"], "410.00");
    EXPECT_EQ(filled["avg_px"], "410.00");
    EXPECT_EQ(filled["leaves_qty"], "0");
    venue.observer().on_wire(Direction::kOut, "CLIENT1",
                             "8=FIX.4.4\x01"
                             "58=\xff\x01",
                             42);
    const json message = user.next("message");
    EXPECT_EQ(message["raw"], "8=FIX.4.4|58=\xef\xbf\xbd|");
    EXPECT_EQ(message["direction"], "out");
    EXPECT_EQ(message["time_ns"], 42);
    venue.set_logged_on(false);
    EXPECT_EQ(user.next("session")["logged_on"], false);
}

TEST_F(ControlTest, WhatIsAskedRightBehindAWatchIsToldToo) {
    ControlUser user(path);
    user.say(watch({"orders"}).dump() + "\n" + limit_order("buy", "410").dump() + "\n");
    EXPECT_EQ(user.next("order")["price"], "410.00");
}

TEST_F(ControlTest, TradesNameBothSides) {
    ControlUser user(path);
    ASSERT_TRUE(user.ask(watch({"trades"}))["ok"]);
    user.ask(limit_order("buy", "410"));
    user.ask(limit_order("sell", "410"));
    EXPECT_EQ(user.next("trade"), json({{"event", "trade"},
                                        {"symbol", "MSFT"},
                                        {"price", "410.00"},
                                        {"qty", "1"},
                                        {"time_ns", 1},
                                        {"side", "sell"},
                                        {"buyer", "one"},
                                        {"seller", "other"}}));
}

TEST_F(ControlTest, EachWatcherHasItsOwnDepth) {
    for (int i = 0; i < 8; ++i) venue.enter("CLIENT1", std::to_string(i), "1", "1", std::to_string(400 + i));
    ControlUser deep(path);
    ControlUser flat(path);
    ControlUser all(path);
    ASSERT_TRUE(deep.ask(watch({"books"}, {{"depth", 5}}))["ok"]);
    ASSERT_TRUE(flat.ask(watch({"books"}, {{"depth", 1}}))["ok"]);
    ASSERT_TRUE(all.ask(watch({"books"}, {{"depth", 0}}))["ok"]);
    const auto bids = [](ControlUser& user) {
        for (;;)
            if (const json book = user.next("book"); book["symbol"] == "MSFT") return book["bids"];
    };
    EXPECT_EQ(bids(deep).size(), 5U);
    EXPECT_EQ(bids(flat), json({{"407.00", "1", 1}}));
    EXPECT_EQ(bids(all).size(), 8U);
}

TEST_F(ControlTest, ABookIsToldOnceAnIntervalHoweverOftenItChanges) {
    ControlUser user(path);
    ASSERT_TRUE(user.ask(watch({"books"}, {{"interval_ms", 60'000}}))["ok"]);
    EXPECT_EQ(user.next("book")["symbol"], "MSFT");
    EXPECT_EQ(user.next("book")["symbol"], "TOYOTA");
    ControlUser quick(path);
    ASSERT_TRUE(quick.ask(watch({"books"}, {{"interval_ms", 1}}))["ok"]);
    for (int i = 0; i < 500; ++i) venue.enter("CLIENT1", std::to_string(i), "1", "1", "400");
    while (quick.next("book")["bids"] != json({{"400.00", "500", 500}})) continue;
    for (int i = 500; i < 1000; ++i) venue.enter("CLIENT1", std::to_string(i), "1", "1", "400");
    // A new watch tells all anew, and nothing was told before it.
    ASSERT_TRUE(user.ask(watch({"books"}, {{"interval_ms", 60'000}}))["ok"]);
    const json book = user.next("book");
    EXPECT_EQ(book["bids"], json({{"400.00", "1000", 1000}}));
}

TEST_F(ControlTest, WhoDoesNotReadLosesEventsAndHearsHowManyAndNobodyElseNotices) {
    ControlUser slow(path);
    ASSERT_TRUE(slow.ask(watch({"messages"}))["ok"]);
    ControlUser quick(path);
    ASSERT_TRUE(quick.ask(watch({"messages"}))["ok"]);
    constexpr std::uint64_t kSent = 10'000;
    const std::string bytes(1000, 'x');
    std::uint64_t heard = 0;
    std::uint64_t lost = 0;
    for (std::uint64_t i = 0; i < kSent;) {
        // As many as surely have room, then the quick one reads them.
        for (int n = 0; n < 500; ++n, ++i) venue.observer().on_wire(Direction::kIn, "CLIENT1", bytes, 1);
        while (heard + lost < i) count_one(quick, heard, lost);
    }
    EXPECT_EQ(heard, kSent);
    EXPECT_EQ(lost, 0U);
    EXPECT_TRUE(quick.ask({{"do", "status"}})["ok"]);
    std::uint64_t slow_heard = 0;
    std::uint64_t slow_lost = 0;
    while (slow_heard + slow_lost < kSent) count_one(slow, slow_heard, slow_lost);
    EXPECT_EQ(slow_heard + slow_lost, kSent);
    EXPECT_GT(slow_lost, kSent / 2);
    EXPECT_LE(slow_heard * bytes.size(), 2 * ControlClient::kMostUntold);
}

TEST_F(ControlTest, WhatTheQueueHasNoRoomForIsCounted) {
    WatchQueue queue;
    for (int i = 0; i < 3; ++i) queue.on_wire(Direction::kIn, "CLIENT1", "x", 1);
    EXPECT_TRUE(queue.take().events.empty());  // nobody watches
    queue.set_wanted(static_cast<unsigned>(Watch::kMessages));
    for (std::size_t i = 0; i < WatchQueue::kMostEvents + 3; ++i)
        queue.on_wire(Direction::kIn, "CLIENT1", "x", 1);
    const Harvest harvest = queue.take();
    EXPECT_EQ(harvest.events.size(), WatchQueue::kMostEvents);
    EXPECT_EQ(harvest.lost, 3U);
    EXPECT_TRUE(queue.take().events.empty());
}

TEST_F(ControlTest, NoMoreASecondThanWasAskedFor) {
    ControlUser user(path);
    ASSERT_TRUE(user.ask(watch({"messages"}, {{"most_per_second", 10}}))["ok"]);
    for (int i = 0; i < 1000; ++i) venue.observer().on_wire(Direction::kIn, "CLIENT1", "x", 1);
    std::uint64_t heard = 0;
    std::uint64_t lost = 0;
    while (heard + lost < 1000) count_one(user, heard, lost);
    EXPECT_GE(lost, 900U);
}

TEST_F(ControlTest, OneMoreThanThereIsRoomForIsToldSo) {
    std::vector<std::unique_ptr<ControlUser>> users;
    for (std::size_t i = 0; i < ControlSocket::kMostClients; ++i) {
        users.push_back(std::make_unique<ControlUser>(path));
        ASSERT_TRUE(users.back()->ask({{"do", "status"}})["ok"]);
    }
    ControlUser more(path);
    EXPECT_NE((*more.line())["error"].get<std::string>().find("others are connected"), std::string::npos);
    EXPECT_FALSE(more.line());
    users.pop_back();
    // That it is gone is seen a moment later.
    for (;;) {
        ControlUser again(path);
        again.say("{\"do\":\"status\"}\n");
        if ((*again.line())["ok"]) break;
        std::this_thread::yield();
    }
}

TEST_F(ControlTest, TheSocketIsItsUsersAlone) {
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
    EXPECT_THROW(ControlSocket("unix:" + path, venue, ""), std::runtime_error);
    EXPECT_TRUE(ControlUser(path).ask({{"do", "status"}})["ok"]);
}

TEST_F(ControlTest, WhatElseStandsThereStays) {
    const std::string file = folder / "precious";
    std::ofstream(file) << "data";
    EXPECT_THROW(ControlSocket("unix:" + file, venue, ""), std::runtime_error);
    EXPECT_EQ(std::filesystem::file_size(file), 4U);
    EXPECT_THROW(ControlSocket(file, venue, ""), std::runtime_error);
    EXPECT_THROW(ControlSocket("unix:", venue, ""), std::runtime_error);
    EXPECT_THROW(ControlSocket("unix:/" + std::string(200, 'x'), venue, ""), std::runtime_error);
}

TEST_F(ControlTest, AStaleSocketIsReplacedAndGoneInTheEnd) {
    socket.reset();
    EXPECT_FALSE(std::filesystem::exists(path));
    const pid_t child = ::fork();
    if (child == 0) {
        const UnixListener left(path, 1, {});
        ::_exit(0);  // as a crash would
    }
    int ended = 0;
    ::waitpid(child, &ended, 0);
    ASSERT_TRUE(std::filesystem::exists(path));
    socket = std::make_unique<ControlSocket>("unix:" + path, venue, "");
    socket->start();
    EXPECT_TRUE(ControlUser(path).ask({{"do", "status"}})["ok"]);
}

TEST_F(ControlTest, AWatcherThatHasSaidAllHearsOn) {
    ControlUser user(path);
    user.say(watch({"messages"}).dump() + "\n");
    user.end_of_requests();
    EXPECT_TRUE((*user.line())["ok"]);
    venue.observer().on_wire(Direction::kIn, "CLIENT1", "x", 1);
    EXPECT_EQ(user.next("message")["raw"], "x");
}

}  // namespace
}  // namespace fixaccel::exchange
