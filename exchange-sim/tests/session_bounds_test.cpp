// SPDX-License-Identifier: Apache-2.0
// What one client, or a stranger, can make the venue hold, and what the others notice of it: nothing.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <list>
#include <thread>

#include "tests/eventually.hpp"
#include "tests/session_fixture.hpp"

namespace fixaccel::exchange {
namespace {

class SessionBoundsTest : public SessionTest {
  protected:
    // CPU time of this process, in seconds.
    static double cpu() {
        rusage used{};
        getrusage(RUSAGE_SELF, &used);
        return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
               static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
    }
    static OutgoingMessage report(int number, std::size_t size = 50) {
        return {"8", {{tag::kClOrdId, std::to_string(number)}, {tag::kText, std::string(size, 'x')}}, {}};
    }
    void ping(RawClient& client, const std::string& id) {
        client.send("1", "112=" + id);
        const auto answer = client.next("0");
        ASSERT_TRUE(answer.has_value());
        EXPECT_EQ(answer->text(tag::kTestReqId), id);
    }
};

TEST_F(SessionBoundsTest, BytesWithoutALogonAreFew) {
    RawClient stranger = client();
    const std::string endless = "8=FIX.4.4\0019=4000\00135=A\001" + std::string(2000, 'x');
    while (stranger.received == 0 && stranger.send_bytes(endless)) {
        if (stranger.closed(std::chrono::milliseconds(1))) break;
    }
    EXPECT_TRUE(stranger.closed());
    RawClient liar = client();
    liar.send_bytes("8=FIX.4.4\0019=60000000\001");
    EXPECT_TRUE(liar.closed());
    RawClient other = client();
    other.send_bytes("GET / HTTP/1.0\r\n\r\n");
    EXPECT_TRUE(other.closed());
    EXPECT_TRUE(events.wait_note("no FIX message"));
}

TEST_F(SessionBoundsTest, WhoDoesNotLogOnInTimeIsClosed) {
    SessionConfig config;
    config.bounds.logon_timeout = std::chrono::milliseconds(100);
    open(config);
    RawClient idle = client();
    RawClient slow = client();
    slow.send_bytes("8=FIX.4.4\0019=");
    EXPECT_TRUE(idle.closed());
    EXPECT_TRUE(slow.closed());
    EXPECT_TRUE(events.wait_note("no Logon came in time"));
    RawClient good = logged_on();
    ping(good, "A");
}

TEST_F(SessionBoundsTest, IdleSocketsLockNobodyOut) {
    std::list<RawClient> idle;
    for (int i = 0; i < 895; ++i) idle.push_back(client());
    RawClient good = logged_on();
    ping(good, "A");
    // The oldest have gone, the newest are still there.
    EXPECT_TRUE(idle.front().closed());
    EXPECT_FALSE(idle.back().closed(std::chrono::milliseconds(0)));
}

TEST_F(SessionBoundsTest, AtTheDescriptorLimitTheAcceptLoopRestsAndRecovers) {
    RawClient good = logged_on();
    // The sanitizer of undefined behaviour looks at an object's type through a pipe the first time: what is
    // done when no descriptors are left has been done before.
    ping(good, "first");
    std::list<RawClient> waiting;
    rlimit before{};
    getrlimit(RLIMIT_NOFILE, &before);
    const int next = dup(0);
    ASSERT_GE(next, 0);
    // Two more: a client's own, and none for the venue's side.
    rlimit tight = before;
    tight.rlim_cur = static_cast<rlim_t>(next) + 1;
    ::close(next);
    setrlimit(RLIMIT_NOFILE, &tight);
    waiting.push_back(client("CLIENT2"));
    EXPECT_TRUE(events.wait_note("no descriptors are left"));
    const double used = cpu();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    // A loop that spins takes all of it.
    EXPECT_LT(cpu() - used, 0.25);
    ping(good, "A");
    setrlimit(RLIMIT_NOFILE, &before);
    waiting.clear();
    RawClient later = logged_on("CLIENT2");
    ping(later, "B");
}

TEST_F(SessionBoundsTest, AClientThatDoesNotReadLosesItsConnectionAndNoReport) {
    SessionConfig config;
    config.bounds.outbox_hard = 2000;
    config.bounds.out_bytes = 1 << 16;
    open(config);
    constexpr int kReports = 20000;
    RawClient other = logged_on("CLIENT2");
    {
        RawClient slow = logged_on();
        slow.shrink_window();
        for (int i = 1; i <= kReports; ++i) {
            host->post("CLIENT1", report(i, 400));
            // Whoever reads is served while the outbox of the other one is full.
            if (i % 5000 == 0) ping(other, std::to_string(i));
        }
        EXPECT_TRUE(events.wait_note("reads too slowly"));
        EXPECT_TRUE(events.wait([&] { return !host->logged_on("CLIENT1"); }));
    }
    // They are kept first, which takes a slow machine a while.
    ASSERT_TRUE(eventually([&] { return host->stats("CLIENT1").outbox == 0; }));
    // The others are there at its return: a resend request brings them, in order, each once.
    RawClient back = client();
    back.next_number = 2;
    back.log_on("98=0|108=30");
    ASSERT_TRUE(back.next("A").has_value());
    back.send("2", "7=2|16=0");
    for (int i = 1; i <= kReports; ++i) {
        const auto message = back.next();
        ASSERT_TRUE(message.has_value()) << i;
        ASSERT_EQ(message->text(tag::kMsgType), "8") << shown(back.bytes());
        ASSERT_EQ(message->text(tag::kClOrdId), std::to_string(i));
        ASSERT_EQ(message->text(tag::kMsgSeqNum), std::to_string(i + 1));
        ASSERT_EQ(message->text(tag::kPossDupFlag), "Y");
    }
    EXPECT_EQ(host->stats("CLIENT1").resends, static_cast<std::uint64_t>(kReports));
}

TEST_F(SessionBoundsTest, MarketDataForAClientThatIsBehindIsNotTaken) {
    SessionConfig config;
    config.bounds.outbox_soft = 100;
    config.bounds.out_bytes = 1 << 16;
    open(config);
    RawClient slow = logged_on();
    slow.shrink_window();
    int taken = 0;
    std::atomic<int> numbered{0};
    const OutgoingMessage snapshot{"W", {{tag::kSymbol, "MSFT"}, {tag::kText, std::string(2000, 'x')}}, {}};
    for (int i = 0; i < 20000; ++i)
        if (host->post("CLIENT1", snapshot, Urgency::kMarketData, [&](int) { ++numbered; })) ++taken;
    EXPECT_LT(taken, 20000);
    EXPECT_TRUE(host->logged_on("CLIENT1"));
    const SessionStats stats = host->stats("CLIENT1");
    EXPECT_EQ(stats.dropped, static_cast<std::uint64_t>(20000 - taken));
    EXPECT_LE(stats.outbox_high, 100U);
    // It reads again, and the venue is told that there is room.
    for (int i = 0; i < taken; ++i) ASSERT_TRUE(slow.next("W").has_value()) << i;
    EXPECT_TRUE(events.wait([&] { return events.drained > 0; }));
    EXPECT_FALSE(host->behind("CLIENT1"));
    EXPECT_EQ(numbered, taken);
    host->logout("CLIENT1", "");
    EXPECT_TRUE(slow.next("5").has_value());
    slow.send("5");
    EXPECT_TRUE(slow.closed());
    ASSERT_TRUE(events.wait([&] { return !host->logged_on("CLIENT1"); }));
    EXPECT_FALSE(host->post("CLIENT1", snapshot, Urgency::kMarketData));
}

TEST_F(SessionBoundsTest, AResendStormHarmsNobodyElse) {
    for (int i = 1; i <= 20000; ++i) host->post("CLIENT1", report(i, 100));
    RawClient stormy = client();
    stormy.log_on("98=0|108=30");
    ASSERT_TRUE(stormy.next("A").has_value());
    RawClient other = logged_on("CLIENT2");
    // It asks for all, again and again, and reads nothing.
    stormy.shrink_window();
    for (int i = 0; i < 200; ++i) stormy.send("2", "7=1|16=0");
    for (int i = 0; i < 50; ++i) {
        ping(other, std::to_string(i));
        host->post("CLIENT2", report(i));
        ASSERT_TRUE(other.next("8").has_value());
    }
}

TEST_F(SessionBoundsTest, AGapThatIsNeverFilledEndsTheConnection) {
    SessionConfig config;
    config.bounds.behind_gap = 100;
    open(config);
    RawClient client = logged_on();
    client.next_number = 3;
    for (int i = 0; i < 102; ++i) client.send("0");
    EXPECT_EQ(client.next("5").value_or(IncomingMessage{}).text(tag::kText),
              "too many messages after a gap, expecting 2");
    EXPECT_TRUE(client.closed());
}

TEST_F(SessionBoundsTest, SixtyFourSessionsAtOnce) {
    SessionConfig config;
    for (int i = 1; i <= 64; ++i) config.clients.push_back("C" + std::to_string(i));
    open(config);
    std::list<RawClient> clients;
    for (const std::string& name : config.clients) {
        clients.push_back(client(name));
        clients.back().log_on();
    }
    for (RawClient& each : clients) ASSERT_TRUE(each.next("A").has_value());
    for (int round = 0; round < 5; ++round)
        for (RawClient& each : clients) each.send("D", order_fields(std::to_string(round)));
    for (RawClient& each : clients)
        for (int round = 0; round < 5; ++round)
            ASSERT_EQ(each.next("8").value_or(IncomingMessage{}).text(tag::kClOrdId), std::to_string(round));
    host->stop();
    for (RawClient& each : clients) EXPECT_TRUE(each.next("5").has_value());
}

TEST_F(SessionBoundsTest, AFullEngineQueueHoldsUpThatClientAlone) {
    RawClient first = logged_on();
    RawClient second = logged_on("CLIENT2");
    // The thread of a session may wait in a callback; here it is in the middle of an order.
    events.block("CLIENT1", true);
    first.send("D", order_fields("A"));
    ping(second, "A");
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(host->post("CLIENT1", report(i)));
    events.block("CLIENT1", false);
    EXPECT_TRUE(first.next("8").has_value());
}

}  // namespace
}  // namespace fixaccel::exchange
