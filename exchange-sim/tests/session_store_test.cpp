// SPDX-License-Identifier: Apache-2.0
// Sequence numbers and reports over restarts, kills and torn files, and the memory that a day takes.
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <fstream>
#include <thread>

#include "tests/descriptors.hpp"
#include "tests/eventually.hpp"
#include "tests/session_fixture.hpp"

namespace fixaccel::exchange {
namespace {

class SessionStoreTest : public SessionTest {
  protected:
    SessionConfig with_store(const std::string& path) {
        SessionConfig config;
        config.store_path = path;
        return config;
    }
    void post(const std::string& id) { host->post("CLIENT1", {"8", {{tag::kClOrdId, id}}, {}}); }
    // Logs on without a reset at that number, and asks for all from `begin` on.
    RawClient come_back(int number, int begin) {
        RawClient result = client();
        result.next_number = number;
        result.log_on("98=0|108=30");
        EXPECT_TRUE(result.next("A").has_value());
        result.send("2", "7=" + std::to_string(begin) + "|16=0");
        return result;
    }
    static std::string seen(std::optional<IncomingMessage> message) {
        if (!message) return "nothing";
        const std::string type = message->text(tag::kMsgType);
        return type + " " + message->text(tag::kMsgSeqNum) + " " +
               (type == "4" ? message->text(tag::kNewSeqNo) : message->text(tag::kClOrdId));
    }
    static long resident_kb() {
        std::ifstream status("/proc/self/status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("VmRSS:")) return std::stol(line.substr(6));
        return 0;
    }
};

TEST_F(SessionStoreTest, ARestartLosesNeitherNumbersNorReports) {
    const std::string path = folder();
    open(with_store(path));
    {
        RawClient first = logged_on();
        post("A");
        post("B");
        ASSERT_TRUE(first.next("8").has_value());
        ASSERT_TRUE(first.next("8").has_value());
    }
    ASSERT_TRUE(events.wait([&] { return !host->logged_on("CLIENT1"); }));
    post("C");  // while it is away
    open(with_store(path));
    EXPECT_EQ(host->stats("CLIENT1").next_sender, 5);
    EXPECT_EQ(host->stats("CLIENT1").next_target, 2);
    RawClient back = come_back(2, 2);
    for (const char* expected : {"8 2 A", "8 3 B", "8 4 C", "4 5 6"}) EXPECT_EQ(seen(back.next()), expected);
}

// A program of its own, which is killed in the middle of what it does.
TEST_F(SessionStoreTest, AKillLosesNothingThatWasSent) {
    const std::string path = folder();
    close();
    int port[2];
    ASSERT_EQ(pipe(port), 0);
    const pid_t child = fork();
    if (child == 0) {
        // A test that fails before it kills it leaves nothing that goes on.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        SessionConfig config = with_store(path);
        config.comp_id = "SIMULATOR";
        config.clients = {"CLIENT1"};
        EchoEvents quiet;
        SessionHost venue(config, quiet);
        quiet.attach(&venue);
        venue.start();
        const std::uint16_t number = venue.port();
        if (write(port[1], &number, sizeof number) < 0) _exit(1);
        for (int i = 1;; ++i) {
            while (venue.stats("CLIENT1").outbox > 100) std::this_thread::yield();
            venue.post("CLIENT1", {"8", {{tag::kClOrdId, std::to_string(i)}}, {}});
        }
    }
    std::uint16_t number = 0;
    ASSERT_EQ(read(port[0], &number, sizeof number), static_cast<ssize_t>(sizeof number));
    int last = 0;
    int last_id = 0;
    {
        RawClient reader(number);
        reader.log_on("98=0|108=30");
        ASSERT_TRUE(reader.next("A").has_value());
        // The kill comes in the middle of them, wherever that is: what came until the end was sent.
        for (int i = 0;; ++i) {
            if (i == 3000) kill(child, SIGKILL);
            const auto message = reader.next();
            if (!message) break;
            last = std::stoi(message->text(tag::kMsgSeqNum));
            last_id = std::stoi(message->text(tag::kClOrdId));
        }
    }
    kill(child, SIGKILL);  // also where the reader got less
    waitpid(child, nullptr, 0);
    for (const int end : port) ::close(end);
    ASSERT_GE(last, 3000);
    open(with_store(path));
    EXPECT_GT(host->stats("CLIENT1").next_sender, last);
    RawClient back = come_back(2, last);
    EXPECT_EQ(seen(back.next()), "8 " + std::to_string(last) + " " + std::to_string(last_id));
}

TEST_F(SessionStoreTest, TornFilesCostTheTornMessageAndNoMore) {
    const std::string path = folder();
    open(with_store(path));
    for (const char* id : {"A", "B", "C"}) post(id);
    ASSERT_TRUE(events.wait([&] { return host->stats("CLIENT1").next_sender == 4; }));
    close();
    const std::string base = path + "/FIX.4.4-SIMULATOR-CLIENT1.";
    std::filesystem::resize_file(base + "messages", std::filesystem::file_size(base + "messages") - 5);
    open(with_store(path));
    post("D");
    ASSERT_TRUE(events.wait([&] { return host->stats("CLIENT1").next_sender == 5; }));
    {
        RawClient back = come_back(1, 1);
        for (const char* expected : {"8 1 A", "8 2 B", "4 3 4", "8 4 D"})
            EXPECT_EQ(seen(back.next()), expected);
    }
    close();
    // An index that ends in the middle of a place, and bytes that have changed.
    std::filesystem::resize_file(base + "index", std::filesystem::file_size(base + "index") - 3);
    std::fstream messages(base + "messages", std::ios::in | std::ios::out);
    messages.seekp(30);
    messages.put('?');
    messages.close();
    open(with_store(path));
    RawClient back = come_back(3, 1);
    for (const char* expected : {"4 1 2", "8 2 B"}) EXPECT_EQ(seen(back.next()), expected);
}

TEST_F(SessionStoreTest, TwoProgramsDoNotShareAStore) {
    const std::string path = folder();
    open(with_store(path));
    SessionConfig config = with_store(path);
    config.comp_id = "SIMULATOR";
    config.clients = {"CLIENT1"};
    const auto before = descriptors();
    try {
        SessionHost second(config, events);
        FAIL() << "two programs on one store";
    } catch (const SessionHostError& error) {
        EXPECT_NE(std::string(error.what()).find("is in use by another program"), std::string::npos);
    }
    EXPECT_EQ(descriptors(), before);
}

TEST_F(SessionStoreTest, ACompIdCannotNameAFileElsewhere) {
    const std::string path = folder();
    SessionConfig config = with_store(path + "/inside");
    config.clients = {"../../escape", "a/b"};
    open(config);
    EXPECT_TRUE(std::filesystem::exists(path + "/inside/FIX.4.4-SIMULATOR-..%2f..%2fescape.numbers"));
    close();
    EXPECT_FALSE(std::filesystem::exists(path + "/escape.numbers"));
}

TEST_F(SessionStoreTest, ResetOnLogonBeginsBothSidesAnew) {
    SessionConfig config = with_store(folder());
    config.reset_on_logon = true;
    open(config);
    for (int round = 0; round < 2; ++round) {
        RawClient each = client();
        each.log_on("98=0|108=30");
        const auto answer = each.next("A");
        ASSERT_TRUE(answer.has_value());
        EXPECT_EQ(answer->text(tag::kMsgSeqNum), "1");
        post("A");
        EXPECT_EQ(seen(each.next()), "8 2 A");
        each.send("5");
        EXPECT_TRUE(each.closed());
    }
    RawClient old = client();
    old.next_number = 9;
    old.log_on("98=0|108=30");
    EXPECT_TRUE(old.next("5").has_value());
    EXPECT_TRUE(old.closed());
}

TEST_F(SessionStoreTest, MarketDataIsNotKept) {
    const std::string path = folder();
    open(with_store(path));
    RawClient watcher = logged_on();
    for (int i = 0; i < 100; ++i)
        host->post("CLIENT1", {"W", {{tag::kSymbol, "MSFT"}}, {}}, Urgency::kMarketData);
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(watcher.next("W").has_value());
    post("A");
    ASSERT_TRUE(watcher.next("8").has_value());
    watcher.send("2", "7=1|16=0");
    EXPECT_EQ(seen(watcher.next()), "4 1 102");
    EXPECT_EQ(seen(watcher.next()), "8 102 A");
    EXPECT_LT(std::filesystem::file_size(path + "/FIX.4.4-SIMULATOR-CLIENT1.messages"), 200U);
}

// Four times as many messages take no more memory, whether or not there is a folder.
TEST_F(SessionStoreTest, MemoryDoesNotGrowWithTheDay) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "a sanitizer keeps memory of its own";
#endif
    RawClient reader = logged_on();
    std::thread reads([&] {
        while (const auto message = reader.next())
            if (message->text(tag::kClOrdId) == "LAST") break;
    });
    const OutgoingMessage report{"8", {{tag::kClOrdId, "1"}, {tag::kText, std::string(200, 'x')}}, {}};
    const OutgoingMessage snapshot{"W", {{tag::kSymbol, "MSFT"}, {tag::kText, std::string(200, 'x')}}, {}};
    const auto day = [&](int messages) {
        for (int i = 0; i < messages; ++i) {
            ASSERT_TRUE(eventually([&] { return host->stats("CLIENT1").outbox <= 200; }));
            host->post("CLIENT1", report);
            host->post("CLIENT1", snapshot, Urgency::kMarketData);
        }
        ASSERT_TRUE(events.wait([&] { return host->stats("CLIENT1").outbox == 0; }));
    };
    day(10000);
    malloc_trim(0);
    const long before = resident_kb();
    day(40000);
    malloc_trim(0);
    // 80,000 messages of 300 bytes are 24 MB.
    EXPECT_LT(resident_kb() - before, 4000);
    post("LAST");
    reads.join();
}

TEST_F(SessionStoreTest, ARequestCountsAsReceivedOnceItIsTaken) {
    SessionConfig config = with_store(folder());
    config.confirmed = true;
    open(config);
    events.echoes = false;
    RawClient trader = logged_on();
    for (const char* id : {"A", "B", "C"}) trader.send("D", order_fields(id));
    ASSERT_TRUE(events.wait_applications(3));
    EXPECT_EQ(events.application(1).as.number, 3);
    EXPECT_TRUE(events.wait([&] { return host->stats("CLIENT1").next_target == 5; }))
        << "the session itself goes on";
    host->taken("CLIENT1", events.application(0).as);
    trader.send("1", "112=SEEN");
    ASSERT_TRUE(trader.next("0").has_value());
    // The program ends: B and C were with nobody.
    open(config);
    EXPECT_EQ(host->stats("CLIENT1").next_target, 3);
    RawClient back = client();
    back.next_number = 6;
    back.log_on("98=0|108=30");
    ASSERT_TRUE(back.next("A").has_value());
    const auto request = back.next("2");
    ASSERT_TRUE(request.has_value());
    EXPECT_EQ(request->text(tag::kBeginSeqNo), "3");
    back.send_as("3", "D", "43=Y|122=" + utc_text() + "|" + order_fields("B"));
    ASSERT_TRUE(events.wait_applications(4));
    EXPECT_EQ(events.application(3).text(tag::kClOrdId), "B");
    EXPECT_EQ(events.application(3).as.generation, events.application(1).as.generation);
}

TEST_F(SessionStoreTest, WhatAProgramBeforeHadTakenIsNotAskedForAgain) {
    SessionConfig config = with_store(folder());
    config.confirmed = true;
    config.comp_id = "SIMULATOR";
    config.clients = {"CLIENT1"};
    open(config);
    events.echoes = false;
    {
        RawClient trader = logged_on();
        for (const char* id : {"A", "B", "C"}) trader.send("D", order_fields(id));
        ASSERT_TRUE(events.wait_applications(3));
    }
    const ReceivedAs last = events.application(1).as;
    close();
    ReceivedAs other = last;
    ++other.generation;
    {
        SessionHost next(config, events);
        EXPECT_EQ(next.expected("CLIENT1").number, 2);
        EXPECT_EQ(next.expected("CLIENT1").generation, last.generation);
        next.resume("CLIENT1", other);
        EXPECT_EQ(next.expected("CLIENT1").number, 2) << "of other numbers: nothing is known";
        next.resume("CLIENT1", last);
        EXPECT_EQ(next.stats("CLIENT1").next_target, 4);
    }
    {
        SessionHost after(config, events);
        EXPECT_EQ(after.expected("CLIENT1").number, 2) << "the answers had no numbers yet";
        after.resume("CLIENT1", last);
        after.start();
        after.taken("CLIENT1", last);
        EXPECT_EQ(after.taken("CLIENT1").given, 1U);
    }
    SessionHost end(config, events);
    EXPECT_EQ(end.stats("CLIENT1").next_target, 4);
    end.resume("CLIENT1", last);
    EXPECT_EQ(end.expected("CLIENT1").number, 4);
}

TEST_F(SessionStoreTest, NumbersThatBeginAnewConfirmNothingOfBefore) {
    SessionConfig config = with_store(folder());
    config.confirmed = true;
    open(config);
    events.echoes = false;
    {
        RawClient trader = logged_on();
        for (const char* id : {"A", "B"}) trader.send("D", order_fields(id));
        ASSERT_TRUE(events.wait_applications(2));
    }
    RawClient again = logged_on();
    again.send("D", order_fields("C"));
    ASSERT_TRUE(events.wait_applications(3));
    host->taken("CLIENT1", events.application(1).as);
    again.send("1", "112=SEEN");
    ASSERT_TRUE(again.next("0").has_value());
    open(config);
    EXPECT_EQ(host->stats("CLIENT1").next_target, 2) << "C was with nobody";
}

}  // namespace
}  // namespace fixaccel::exchange
