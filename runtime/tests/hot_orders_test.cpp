// SPDX-License-Identifier: Apache-2.0
// An order of the runtime allocates nothing, from the bytes that were read to those that the kernel gets:
// connection, FIX session, rules, journal and FIX store of the daemon, against a venue on loopback.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "allocations.hpp"
#include "by_hand.hpp"
#include "engine_fixture.hpp"
#include "fix_text.hpp"
#include "fixaccel/no_board.hpp"
#include "loopback_venue.hpp"
#include "market_feed.hpp"
#include "session_link.hpp"
#include "table_builder.hpp"

namespace fixaccel {
namespace {

using test::TableBuilder;
using test::Values;

constexpr std::size_t kStops = 24;
constexpr std::int64_t kFirst = 90'000;  // the highest of them, in cents

// A port that is slow to say whether an order may leave.
class SlowPort final : public OrderPort {
  public:
    explicit SlowPort(OrderPort& port) : port_(port) {}
    bool armed() const override { return port_.armed(); }
    bool admits(const LoadedRule& rule) override { return port_.admits(rule); }
    std::string held_back() override {
        std::this_thread::sleep_for(slow);
        return port_.held_back();
    }
    void decided() override { port_.decided(); }
    void journalled() override { port_.journalled(); }
    std::chrono::steady_clock::time_point send_order(const OrderText& order) override {
        return port_.send_order(order);
    }
    void cancels_due() override { port_.cancels_due(); }

    std::chrono::nanoseconds slow{0};

  private:
    OrderPort& port_;
};

class HotOrders : public EngineTest {
  protected:
    HotOrders() {
        Values thresholds, envelopes(kStops, 0);
        rules_.clear();
        for (std::size_t i = 0; i < kStops; ++i) {
            thresholds.push_back(kFirst - static_cast<std::int64_t>(i));
            char hash[33];
            std::snprintf(hash, sizeof hash, "%032zx", i + 1);
            rules_.emplace_back("fall-through-the-floor[" + std::to_string(i) + "]", hash);
        }
        builder_.stops(thresholds)
            .set("order.envelope", envelopes)
            .envelopes(
                R"([{"tif": "day", "account": "A-LONG-ACCOUNT-NAME", "fields": {"58": "of a rule", "528": "A"}}])");
    }
    ~HotOrders() override {
        link_.reset();
        engine_.reset();
    }

    // Daemon and venue, logged on and armed; `sessions`: 2 if market data have one of their own.
    void begin(int sessions, Stamps stamps = Stamps::app) {
        times_ = std::make_unique<OrderTimes>(stamps);
        engine_.reset();
        ledger_.reset();
        journal_.reset();
        for (test::LoopbackVenue* const venue : {&venue_, &market_})
            (venue == &venue_ ? config_.quickfix : config_.quickfix_market) = settings(*venue);
        if (sessions == 1) config_.quickfix_market = {};
        journal_ = std::make_unique<Journal>(folder_.path());
        ledger_ = std::make_unique<Ledger>(*journal_);
        engine_ = std::make_unique<Engine>(none_, *ledger_, config_, kill_);
        engine_->recover();
        const std::vector<std::byte> file = builder_.file();
        Bundle compiled = bundle();
        compiled.standby = SharedText(std::string(reinterpret_cast<const char*>(file.data()), file.size()));
        engine_->load(engine_->loadable(compiled), "");
        link_ = std::make_unique<SessionLink>(config_, *engine_, *ledger_, *times_);
        link_->connect();
        log_on(venue_, link_->orders().fd(), false);
        if (sessions == 2) log_on(market_, link_->market()->fd(), true);
        ASSERT_TRUE(link_->logged_on());
        carrier_ = sessions == 2 ? &market_ : &venue_;
        carrier_fd_ = sessions == 2 ? link_->market()->fd() : link_->orders().fd();
        see(kFirst + 100);
        ASSERT_TRUE(engine_->arm(link_->market_data().boundaries(), false));
        engine_->watch();  // as the daemon does from then on
        test::allocations_by_order().clear();
    }

    static FixFile settings(const test::LoopbackVenue& venue) {
        return {"quickfix.cfg",
                "[DEFAULT]\nConnectionType=initiator\nStartTime=00:00:00\nEndTime=00:00:00\nHeartBtInt=30\n"
                "UseDataDictionary=N\n[SESSION]\nBeginString=FIX.4.4\nSenderCompID=US\nTargetCompID=VENUE\n"
                "SocketConnectHost=127.0.0.1\nSocketConnectPort=" +
                    std::to_string(venue.port()) + "\nSessionQualifier=" + std::to_string(venue.port()) +
                    "\n",
                true};
    }

    void log_on(test::LoopbackVenue& venue, int fd, bool anew) {
        venue.meet(fd);
        link_->ready(fd);
        venue.say(test::message("A", 1,
                                std::string("98=0\x01"
                                            "108=30\x01") +
                                    (anew ? "141=Y\x01" : "")),
                  fd);
        take(fd);
    }

    // On a busy machine a turn may have had no time for it.
    void take(int fd) {
        times_->woken(std::chrono::steady_clock::now());
        link_->ready(fd);
        while (link_->more(fd)) link_->ready(fd);
    }

    // A trade, and what the daemon does about it.
    void see(std::int64_t cents) {
        char price[32];
        std::snprintf(price, sizeof price, "%lld.%02lld", static_cast<long long>(cents / 100),
                      static_cast<long long>(cents % 100));
        carrier_->say(test::message("W", ++number_,
                                    "55=MSFT\x01"
                                    "268=1\x01"
                                    "269=2\x01"
                                    "270=" +
                                        std::string(price) +
                                        "\x01"
                                        "271=1\x01"),
                      carrier_fd_);
        take(carrier_fd_);
    }

    // Stops one after the other.
    void fires(std::size_t stops) {
        for (std::size_t i = 0; i < stops; ++i) see(kFirst - static_cast<std::int64_t>(i));
        EXPECT_EQ(test::allocations_by_order(), std::vector<std::size_t>(stops, 0));
        EXPECT_EQ(ledger_->sent_orders().orders, static_cast<std::int64_t>(stops));
        const nlohmann::json timed = times_->report(0)["paths"]["rule"];
        EXPECT_EQ(timed["orders"], stops);
        if (!times_->by_kernel()) {
            EXPECT_EQ(timed["parts"]["t1_t2"]["count"], stops);
        }
        for (const Record& fire : ledger_->fires()) {
            EXPECT_EQ(fire["outcome"], "sent");
            EXPECT_TRUE(fire.contains("took_ns"));
        }
    }

    void market_data_take_nothing() {
        ByHand by_hand(*ledger_);
        link_->market_data().tell(&by_hand);
        constexpr std::size_t kWarm = 20, kAll = 1020;
        std::vector<std::string> messages;
        while (messages.size() < kAll) {
            // One of many digits in the unit of the wire, and one with zeros ahead.
            const std::string price = messages.size() % 3 == 0 ? "15000000.50" : "00000000000000950.10";
            const bool update = messages.size() % 2 == 0;
            messages.push_back(
                test::message(update ? "X" : "W", ++number_,
                              test::fix_of(update ? "268=1|279=1|269=2|55=MSFT|270=" + price + "|271=100|"
                                                  : "55=MSFT|268=2|269=2|270=" + price +
                                                        "|271=1|269=0|270=12.10|271=7|290=1|")));
        }
        const auto say = [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                carrier_->say(messages[i], carrier_fd_);
                take(carrier_fd_);
            }
        };
        say(0, kWarm);
        const std::size_t before = test::allocations();
        say(kWarm, kAll);
        EXPECT_EQ(test::allocations() - before, 0U);
        EXPECT_EQ(link_->next_number(), number_ + 1) << "all of them were taken";
        EXPECT_TRUE(ledger_->fires().empty());
        link_->market_data().tell(nullptr);
    }

    TableBuilder builder_;
    NoBoard none_;
    test::LoopbackVenue venue_, market_;
    std::unique_ptr<OrderTimes> times_;
    std::unique_ptr<SessionLink> link_;
    test::LoopbackVenue* carrier_ = nullptr;  // of market data
    int carrier_fd_ = -1;
    int number_ = 1;  // of the venue's last message with them
};

TEST_F(HotOrders, AMarketOrder) {
    begin(1);
    fires(kStops);
}

TEST_F(HotOrders, ALimitOrderThatEveryLimitLooksAt) {
    builder_.set("order.type", Values(kStops, 1))
        .set("order.price", Values(kStops, kFirst))
        .set("order.rests", Values(kStops, 1))
        .set("limits.self_trade", {1})
        .set("limits.collar", {2000})
        .set("limits.orders_per_second", {1000})
        .set("limits.total_orders", {1000})
        .set("instrument.total_qty", {1000})
        .set("zone.start_s", {0})
        .set("zone.offset_s", {0});
    begin(1);
    fires(kStops);
}

// Of a price on the one session and an order on the other.
TEST_F(HotOrders, AnOrderThatTheKernelStamps) {
    begin(2, Stamps::kernel);
    fires(kStops);
    // On a busy machine the last of them leave a moment later.
    for (int tries = 0; times_->awaits_departures() && tries < 1000; ++tries) {
        pollfd said{link_->orders().fd(), POLLIN, 0};
        ::poll(&said, 1, 5);
        take(link_->orders().fd());
    }
    const nlohmann::json by = times_->report(0)["paths"]["rule"]["stamps"];
    EXPECT_EQ(by["t2"]["kernel"], kStops) << by;
    // It begins to stamp what comes a moment after it is asked to.
    EXPECT_EQ(by["t1"]["kernel"].get<std::size_t>() + by["t1"]["app"].get<std::size_t>(), kStops) << by;
}

TEST_F(HotOrders, AnOrderForMarketDataOfAnotherSession) {
    begin(2);
    fires(kStops);
}

// Up to where the next message is waited for.
TEST_F(HotOrders, MarketDataThatFireNothing) {
    begin(1);
    market_data_take_nothing();
}

TEST_F(HotOrders, MarketDataOfAnotherSessionThatFireNothing) {
    begin(2);
    market_data_take_nothing();
}

// Whatever the machine is busy with: by a median, and half of it.
TEST_F(HotOrders, WhatIsSlowInDecideShowsThereAndOnlyThere) {
    begin(1);
    SlowPort port(link_->orders().port());
    MarketFeed feed(link_->orders(), link_->orders(), {port, link_->orders().stand_in_port()}, config_,
                    *engine_, *ledger_, *times_);
    link_->orders().carry(feed);
    constexpr std::size_t kEach = 11;
    constexpr std::int64_t kSlow = 40'000'000;
    const auto fire = [&](std::size_t first) {
        for (std::size_t i = first; i < first + kEach; ++i) see(kFirst - static_cast<std::int64_t>(i));
    };
    fire(0);
    port.slow = std::chrono::nanoseconds(kSlow);
    fire(kEach);
    link_->orders().carry(link_->market_data());
    const nlohmann::json orders = times_->orders(0, 2 * kEach);
    ASSERT_EQ(orders.size(), 2 * kEach);
    const auto median = [&](std::size_t first, const std::string& stage) {
        std::vector<std::int64_t> all;
        for (std::size_t i = first; i < first + kEach; ++i)
            all.push_back(orders[i]["stages"][stage].get<std::int64_t>());
        std::nth_element(all.begin(), all.begin() + kEach / 2, all.end());
        return all[kEach / 2];
    };
    for (const auto& [stage, ns] : orders[0]["stages"].items()) {
        const std::int64_t rose = median(kEach, stage) - median(0, stage);
        if (stage == "decide")
            EXPECT_GE(rose, kSlow / 2);
        else
            EXPECT_LT(rose, kSlow / 2) << stage;
    }
    for (std::size_t i = kEach; i < 2 * kEach; ++i) EXPECT_GE(orders[i]["stages"]["decide"], kSlow);
}

TEST_F(HotOrders, AnOrderThatIsSentAgainCountsOnce) {
    begin(1);
    fires(2);
    venue_.say(test::message("2", ++number_, test::fix_of("7=1|16=0|")), link_->orders().fd());
    take(link_->orders().fd());
    const auto rule = [&] { return times_->report(0)["paths"]["rule"]; };
    EXPECT_EQ(rule()["orders"], 2);
    EXPECT_EQ(rule()["resent"], 2);
    EXPECT_EQ(rule()["parts"]["t1_t2"]["count"], 2);
    const std::string order = ledger_->fires().back()["cl_ord_id"].text();
    venue_.say(test::message(
                   "8", ++number_,
                   test::fix_of("37=V1|11=" + order + "|17=E1|150=0|39=0|55=MSFT|54=2|38=1|151=1|14=0|6=0|")),
               link_->orders().fd());
    take(link_->orders().fd());
    EXPECT_EQ(rule()["answered"], 0) << "nobody can tell which of the two it answers";
    EXPECT_EQ(rule()["parts"]["inner"]["count"], 0);
    EXPECT_EQ(rule()["unanswered"], 0);
}

// That what is counted is what happens.
TEST_F(HotOrders, AMessageOfTheEnginesOwnIsNoted) {
    begin(1);
    link_->orders().fix().send_order({{11, "X1"}, {55, "MSFT"}});
    ASSERT_EQ(test::allocations_by_order().size(), 1U);
    EXPECT_GT(test::allocations_by_order().front(), 10U);
}

}  // namespace
}  // namespace fixaccel
