// SPDX-License-Identifier: Apache-2.0
// A session on its connection, against a venue on loopback.
#include "fix_channel.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "fix_text.hpp"
#include "loopback_venue.hpp"
#include "market_channel.hpp"
#include "scratch_folder.hpp"

namespace fixaccel {
namespace {

using test::message;

// It may send whatever it likes.
class Channel final : private PassingStore, public FixChannel {
  public:
    Channel(const FixFile& settings, const DaemonConfig& config, OrderTimes& times)
        : FixChannel("session", settings, config, static_cast<PassingStore&>(*this), times) {}

    bool before_send(const std::string& /*type*/) noexcept override { return true; }
    void after_outer_call() noexcept override {}
    bool may_resend_orders() noexcept override { return true; }

  private:
    void begins(const Flow& /*flow*/) override { begin(); }
    void established(Connection& /*connection*/) override {}
    void closing(Connection& /*connection*/) override {}
    void numbers_begin_anew() override {}
    void heard(const std::string& /*type*/, const std::string& /*message*/) override {}
};

class FixChannelTest : public ::testing::Test {
  protected:
    explicit FixChannelTest(Stamps stamps = Stamps::off) : times_(stamps) {}
    void SetUp() override {
        channel_.connect();
        venue_.meet(channel_.fd());
        channel_.writable();
        say("A", 1,
            "98=0\x01"
            "108=1\x01"
            "141=Y\x01");
        take();
        ASSERT_TRUE(channel_.logged_on());
    }

    void say(const std::string& type, int number, const std::string& body) {
        venue_.say(message(type, number, body), channel_.fd());
    }
    void take() {
        channel_.read();
        channel_.hand_over();
    }
    // Longer than the venue may be silent: 2.4 heartbeats, by a clock of whole seconds.
    static void stay_away() { std::this_thread::sleep_for(std::chrono::milliseconds(3100)); }

    test::LoopbackVenue venue_;
    DaemonConfig config_;
    OrderTimes times_;
    Channel channel_{
        {"",
         "[DEFAULT]\nConnectionType=initiator\nStartTime=00:00:00\nEndTime=00:00:00\nHeartBtInt=1\n"
         "UseDataDictionary=N\n[SESSION]\nBeginString=FIX.4.4\nSenderCompID=US\nTargetCompID=VENUE\n"
         "SocketConnectHost=127.0.0.1\nSocketConnectPort=" +
             std::to_string(venue_.port()) + "\n",
         true},
        config_,
        times_};
};

TEST_F(FixChannelTest, WhatHasComeMeanwhileIsHeardBeforeTheVenueIsTakenForSilent) {
    channel_.tick();
    stay_away();
    say("1", 2, "112=STILL\x01");
    // However often it looks at its timers before it comes to read.
    for (int i = 0; i < 3; ++i) channel_.tick();
    EXPECT_EQ(channel_.ended(), "");
    take();
    channel_.tick();
    EXPECT_EQ(channel_.ended(), "");
    EXPECT_TRUE(channel_.logged_on());
}

TEST_F(FixChannelTest, WhatWasReadAndWaitsForItsTurnIsHeardToo) {
    config_.limits.watchdog = std::chrono::nanoseconds(8);  // a turn has time for one message
    channel_.tick();
    say("0", 2, "");
    say("1", 3, "112=STILL\x01");
    take();
    ASSERT_TRUE(channel_.more());
    stay_away();
    for (int i = 0; i < 3; ++i) channel_.tick();
    EXPECT_EQ(channel_.ended(), "");
    take();
    channel_.tick();
    EXPECT_EQ(channel_.ended(), "");
}

class StampedChannelTest : public FixChannelTest {
  protected:
    StampedChannelTest() : FixChannelTest(Stamps::kernel) {}
};

// The wake-up is in it.
TEST_F(StampedChannelTest, TheKernelsT1IsNotLaterThanOurs) {
    constexpr int kStamped = 100, kMost = 10'000;
    int by_kernel = 0;
    for (int number = 2; by_kernel < kStamped && number < kMost; ++number) {
        say("0", number, "");
        const auto woken = std::chrono::steady_clock::now();
        times_.woken(woken);
        take();
        const Arrival arrival = channel_.arrival();
        EXPECT_LE(arrival.at, woken);
        EXPECT_LE(woken, arrival.read);
        const bool stamped = arrival.by == StampBy::kernel;
        by_kernel += static_cast<int>(stamped);
        // It begins to stamp what comes a moment after it is asked to.
        if (!stamped) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(by_kernel, kStamped);
}

TEST_F(FixChannelTest, AVenueThatHasSaidNothingIsGivenUp) {
    channel_.tick();
    stay_away();
    channel_.tick();
    EXPECT_EQ(channel_.ended(), "the FIX session gave up the connection");
}

}  // namespace
}  // namespace fixaccel
