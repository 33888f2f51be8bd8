// SPDX-License-Identifier: Apache-2.0
#include "order_times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "fixaccel/utc_clock.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;
using std::chrono::nanoseconds;
using Time = OrderTimes::Time;

class OrderTimesTest : public ::testing::Test {
  protected:
    static constexpr std::size_t kKept = 8;

    explicit OrderTimesTest(Stamps stamps = Stamps::app) : times_(stamps, kKept) {}
    // It came so long ago, and was read at once.
    static Arrival came(std::int64_t ago_ns = 1000, StampBy by = StampBy::app) {
        const Time read = std::chrono::steady_clock::now();
        return {read - nanoseconds(ago_ns), read, by};
    }
    void order(const std::string& cl_ord_id) {
        times_.decided();
        for (const OrderStage stage : {OrderStage::journal, OrderStage::engine, OrderStage::lease,
                                       OrderStage::engine, OrderStage::journal, OrderStage::engine})
            times_.mark(stage);
        times_.left(cl_ord_id);
        times_.settle();
    }
    void order_of_a_message(const std::string& cl_ord_id) {
        times_.message(came());
        order(cl_ord_id);
        times_.message_over();
    }
    void order_by_hand(const std::string& cl_ord_id) {
        const Time now = std::chrono::steady_clock::now();
        times_.requested(now - nanoseconds(500), now - nanoseconds(200));
        times_.left(cl_ord_id);
        times_.settle();
    }
    void answer(const std::string& cl_ord_id, bool rejected = false) {
        times_.answered(cl_ord_id, came(), rejected);
        times_.journalled();
    }
    json path(const char* name) const { return times_.report(0)["paths"][name]; }
    static std::int64_t sum(const json& path, std::initializer_list<const char*> parts) {
        return std::accumulate(parts.begin(), parts.end(), std::int64_t{0},
                               [&](std::int64_t all, const char* part) {
                                   return all + path["parts"][part]["sum_ns"].get<std::int64_t>();
                               });
    }
    // The stages of all orders add up to the halves, and these to the whole, to the nanosecond.
    static void expect_whole(const json& path) {
        EXPECT_EQ(sum(path, {"wake", "parse", "decide", "journal", "lease", "engine", "send"}),
                  sum(path, {"t1_t2"}));
        EXPECT_EQ(sum(path, {"answer_wake", "answer_parse", "answer_journal", "answer_out"}),
                  sum(path, {"t3_t4"}));
        if (path["answered"] == path["orders"]) {
            EXPECT_EQ(sum(path, {"t1_t2", "t3_t4"}), sum(path, {"inner"}));
        }
    }

    OrderTimes times_;
};

TEST_F(OrderTimesTest, StagesAddUpToTheWhole) {
    for (int i = 0; i < 5; ++i) {
        order_of_a_message("R" + std::to_string(i));
        answer("R" + std::to_string(i));
    }
    const json rule = path("rule");
    EXPECT_EQ(rule["orders"], 5);
    EXPECT_EQ(rule["answered"], 5);
    EXPECT_EQ(rule["unanswered"], 0);
    EXPECT_EQ(rule["parts"]["wake"]["sum_ns"], 5000);
    for (const char* part : {"journal", "t1_t2", "answer_wake", "inner"})
        EXPECT_EQ(rule["parts"][part]["count"], 5) << part;
    EXPECT_EQ(rule["parts"]["answer_out"]["count"], 0) << "nobody is written to";
    expect_whole(rule);
    EXPECT_EQ(path("desk")["orders"], 0);
}

TEST_F(OrderTimesTest, EachStageIsWhatItIsCalled) {
    const Time now = std::chrono::steady_clock::now();
    constexpr std::int64_t kHalf = 30'000'000'000;
    const Arrival waited{now - nanoseconds(2 * kHalf), now - nanoseconds(kHalf), StampBy::app};
    times_.message(waited);
    order("R");
    times_.message_over();
    times_.answered("R", waited, false);
    times_.journalled();
    const json parts = path("rule")["parts"];
    for (const char* half : {"", "answer_"}) {
        EXPECT_EQ(parts[std::string(half) + "wake"]["sum_ns"], kHalf) << half;
        EXPECT_GE(parts[std::string(half) + "parse"]["sum_ns"].get<std::int64_t>(), kHalf) << half;
        EXPECT_LT(parts[std::string(half) + "journal"]["sum_ns"].get<std::int64_t>(), kHalf) << half;
    }
}

TEST_F(OrderTimesTest, OrdersOfOneMessageHaveItsT1) {
    times_.message(came());
    order("one");
    order("two");
    times_.message_over();
    EXPECT_EQ(path("rule")["parts"]["wake"]["sum_ns"], 2000);
    expect_whole(path("rule"));
}

TEST_F(OrderTimesTest, WithoutAMessageItIsOnlyCounted) {
    order("clock");
    answer("clock");
    const json rule = path("rule");
    EXPECT_EQ(rule["orders"], 1);
    EXPECT_EQ(rule["without_t1"], 1);
    EXPECT_EQ(rule["unanswered"], 0);
    EXPECT_EQ(rule["parts"]["t1_t2"]["count"], 0);
}

TEST_F(OrderTimesTest, AnOrderByHandEndsWithWhoeverWatches) {
    order_by_hand("H1");
    times_.answered("H1", came(), false);
    EXPECT_TRUE(times_.watched());
    times_.journalled();
    EXPECT_EQ(path("desk")["answered"], 0) << "not yet";
    EXPECT_EQ(times_.ticket("other"), 0U);
    const std::uint64_t ticket = times_.ticket("H1");
    ASSERT_NE(ticket, 0U);
    times_.told(ticket, std::chrono::steady_clock::now());
    times_.told(ticket, std::chrono::steady_clock::now() + std::chrono::hours(1));
    const json desk = path("desk");
    EXPECT_EQ(desk["answered"], 1);
    EXPECT_EQ(desk["parts"]["answer_out"]["count"], 1);
    EXPECT_LT(desk["parts"]["inner"]["max_ns"].get<std::int64_t>(), 3'600'000'000'000) << "told once";
    EXPECT_EQ(desk["parts"]["parse"]["sum_ns"], 300);
    expect_whole(desk);
    EXPECT_EQ(times_.ticket("H1"), 0U);
}

TEST_F(OrderTimesTest, ATicketIsOfOneOrderAlone) {
    const auto wait_for = [this](const std::string& cl_ord_id) {
        order_by_hand(cl_ord_id);
        times_.answered(cl_ord_id, came(), false);
        EXPECT_TRUE(times_.watched());
        times_.journalled();
        return times_.ticket(cl_ord_id);
    };
    const std::uint64_t first = wait_for("H1");
    // The last of them has the first one's place.
    for (std::size_t i = 1; i < kKept; ++i) order_by_hand("other");
    const std::uint64_t last = wait_for("H2");
    times_.told(first, std::chrono::steady_clock::now());
    EXPECT_EQ(path("desk")["answered"], 0);
    times_.told(last, std::chrono::steady_clock::now());
    EXPECT_EQ(path("desk")["answered"], 1);
}

TEST_F(OrderTimesTest, WhatNobodyWatchesHasNoT4) {
    order_by_hand("H1");
    answer("H1");
    EXPECT_EQ(path("desk")["untold"], 1);
    EXPECT_EQ(path("desk")["answered"], 0);
    EXPECT_EQ(path("desk")["parts"]["t1_t2"]["count"], 1);
    EXPECT_EQ(path("desk")["parts"]["inner"]["count"], 0);
    EXPECT_EQ(times_.ticket("H1"), 0U) << "whoever begins to watch later did not wait for it";
}

TEST_F(OrderTimesTest, RejectedResentAndUnansweredAreCountedApart) {
    for (const char* id : {"answered", "rejected", "resent", "silent"}) order_of_a_message(id);
    answer("answered");
    answer("rejected", true);
    times_.resent("resent");
    times_.resent("resent");
    times_.resent("answered");
    answer("resent");
    answer("answered");
    answer("of somebody else");
    const json rule = path("rule");
    EXPECT_EQ(rule["orders"], 4);
    for (const char* count : {"answered", "rejected", "resent", "unanswered"})
        EXPECT_EQ(rule[count], 1) << count;
    EXPECT_EQ(rule["parts"]["t1_t2"]["count"], 4);
    EXPECT_EQ(rule["parts"]["inner"]["count"], 1);
}

TEST_F(OrderTimesTest, WhatWasNotWrittenIsNoOrder) {
    times_.message(came());
    times_.decided();
    times_.settle();
    times_.message_over();
    times_.requested(came().at, came().at);
    times_.drop();
    EXPECT_FALSE(times_.in_hand());
    EXPECT_EQ(path("rule")["orders"], 0);
    EXPECT_EQ(path("desk")["orders"], 0);
}

// Orders that the fabric has sent, at 125 MHz.
class FabricTimesTest : public OrderTimesTest {
  protected:
    static constexpr std::uint64_t kHz = 125'000'000;
    static constexpr FabricCycles kCycles{
        .message_end = 90, .frame_end = 100, .first_byte = 108, .last_byte = 140};

    void fire(const std::string& cl_ord_id, const std::optional<FabricCycles>& cycles = kCycles,
              std::uint64_t clock_hz = kHz) {
        times_.fired(cl_ord_id, utc_ns() - 1'000'000, cycles, clock_hz);
    }
    std::int64_t sum(const char* part) const {
        return path("fabric")["parts"][part]["sum_ns"].get<std::int64_t>();
    }
};

TEST_F(FabricTimesTest, CyclesAreItsFirstHalf) {
    fire("F");
    EXPECT_EQ(sum("t1_t2"), 320);
    EXPECT_EQ(sum("decide"), 64);
    EXPECT_EQ(sum("send"), 256);
    EXPECT_EQ(path("fabric")["unanswered"], 1);
    answer("F");
    const json fabric = path("fabric");
    EXPECT_EQ(fabric["orders"], 1);
    EXPECT_EQ(fabric["answered"], 1);
    expect_whole(fabric);
    for (const char* part : {"wake", "parse", "journal", "lease", "engine", "answer_out"})
        EXPECT_EQ(fabric["parts"][part]["count"], 0) << part;
    for (const char* part : {"answer_wake", "answer_parse", "answer_journal", "t3_t4", "inner"})
        EXPECT_EQ(fabric["parts"][part]["count"], 1) << part;
    for (const char* moment : {"t1", "t2"}) EXPECT_EQ(fabric["stamps"][moment]["fabric"], 1);
    EXPECT_EQ(fabric["stamps"]["t3"]["app"], 1);
    EXPECT_EQ(path("rule")["orders"], 0);
}

TEST_F(FabricTimesTest, AnOrderAheadOfTheFramesEndBeginsWithItsMessage) {
    // Cycles begin anew in between.
    fire("F", FabricCycles{.message_end = 0xffff'fff0U, .frame_end = 100, .first_byte = 4, .last_byte = 36});
    EXPECT_EQ(sum("decide"), 160);
    EXPECT_EQ(sum("t1_t2"), 416);
}

TEST_F(FabricTimesTest, AnyClock) {
    // Halves are rounded once, so that they add up.
    fire("F", FabricCycles{.message_end = 0, .frame_end = 0, .first_byte = 1, .last_byte = 2}, 156'250'001);
    fire("G", FabricCycles{.message_end = 0, .frame_end = 0, .first_byte = 1, .last_byte = 3}, 300'000'000);
    EXPECT_EQ(sum("decide"), 6 + 3);
    EXPECT_EQ(sum("t1_t2"), 13 + 10);
    expect_whole(path("fabric"));
}

TEST_F(FabricTimesTest, WhatHasNoCyclesIsOnlyCounted) {
    fire("not seen to leave", std::nullopt);
    fire("no clock", kCycles, 0);
    answer("no clock");
    const json fabric = path("fabric");
    EXPECT_EQ(fabric["orders"], 2);
    EXPECT_EQ(fabric["without_t1"], 2);
    EXPECT_EQ(fabric["unanswered"], 0);
}

TEST_F(FabricTimesTest, RejectedAndResentAreCountedApart) {
    for (const char* id : {"answered", "rejected", "resent", "silent"}) fire(id);
    answer("answered");
    answer("rejected", true);
    times_.resent("resent");
    answer("resent");
    const json fabric = path("fabric");
    for (const char* count : {"answered", "rejected", "resent", "unanswered"})
        EXPECT_EQ(fabric[count], 1) << count;
}

TEST_F(FabricTimesTest, AnOrderInHandStaysWhatItIs) {
    times_.message(came());
    times_.decided();
    fire("F");
    times_.left("R");
    times_.settle();
    times_.message_over();
    answer("R");
    EXPECT_EQ(path("rule")["answered"], 1);
    EXPECT_EQ(path("rule")["parts"]["wake"]["sum_ns"], 1000);
    EXPECT_EQ(path("fabric")["orders"], 1);
}

TEST_F(FabricTimesTest, ItsMomentsAreTheFabricsOwn) {
    const std::int64_t frame = utc_ns() - 1'000'000;
    times_.fired("F", frame, kCycles, kHz);
    answer("F");
    const json order = times_.report(1)["worst"][0];
    EXPECT_NEAR(static_cast<double>(order["t1_ns"].get<std::int64_t>() - frame), 0, 1e8) << "two looks apart";
    EXPECT_EQ(order["t2_ns"].get<std::int64_t>() - order["t1_ns"].get<std::int64_t>(), 320);
    EXPECT_LT(order["t2_ns"], order["t3_ns"]);
    EXPECT_EQ(order["by"], json({"fabric", "fabric", "app"}));
    EXPECT_EQ(order["stages"].size(), 5U);
}

// Orders whose T2 the kernel is to say.
class DepartureTest : public OrderTimesTest {
  protected:
    DepartureTest() : OrderTimesTest(Stamps::kernel) {}
    // It ends with that byte of the connection.
    void order_up_to(const std::string& cl_ord_id, std::uint32_t bytes) {
        times_.message(came(1000, StampBy::kernel));
        times_.decided();
        times_.mark(OrderStage::engine);
        called_ = std::chrono::steady_clock::now();
        times_.left(cl_ord_id);
        times_.settle(bytes);
        times_.message_over();
    }
    static Stamp by_kernel(Time at) { return {at, StampBy::kernel}; }
    void expect_t2(int by_kernel, int by_app) const {
        const json rule = path("rule");
        EXPECT_EQ(rule["stamps"]["t2"]["kernel"], by_kernel);
        EXPECT_EQ(rule["stamps"]["t2"]["app"], by_app);
        EXPECT_EQ(rule["parts"]["t1_t2"]["count"], by_kernel + by_app);
        expect_whole(rule);
    }

    Time called_;  // the last order
};

TEST_F(DepartureTest, TheRestOfTheCallIsTakenOutOfSend) {
    order_up_to("K", 100);
    EXPECT_TRUE(times_.awaits_departures());
    expect_t2(0, 0);
    times_.departed(100, by_kernel(called_));
    EXPECT_FALSE(times_.awaits_departures());
    expect_t2(1, 0);
    EXPECT_EQ(path("rule")["stamps"]["t1"]["kernel"], 1);
}

TEST_F(DepartureTest, WhatLiesAheadOfTheCallIsNotBelieved) {
    order_up_to("X", 100);
    times_.departed(100, by_kernel(called_ - std::chrono::hours(1)));
    expect_t2(0, 1);
}

// The kernel had no room for them on the way, and sent them in one piece.
TEST_F(DepartureTest, OrdersThatWereHeldBackLeaveWithTheLastOfTheirPiece) {
    order_up_to("A", 0xffff'ffc0U);
    order_up_to("B", 0x20U);
    order_up_to("C", 0x80U);
    times_.departed(0xffff'ffb0U, by_kernel(called_));
    expect_t2(0, 0);
    const auto held = std::chrono::milliseconds(40);
    times_.departed(0x20U, by_kernel(called_ + held));
    expect_t2(2, 0);
    EXPECT_GE(path("rule")["parts"]["t1_t2"]["max_ns"].get<std::int64_t>(), 40'000'000);
    // Nothing more is said of the third before it is answered.
    answer("C");
    expect_t2(2, 1);
    EXPECT_FALSE(times_.awaits_departures()) << "nobody asks the kernel for it any more";
    times_.departed(0x80U, by_kernel(called_ + held));
    expect_t2(2, 1);
}

TEST_F(DepartureTest, WithTheConnectionGoesTheWaitForIt) {
    order_up_to("A", 100);
    order_up_to("B", 200);
    times_.no_more_departs();
    EXPECT_FALSE(times_.awaits_departures());
    expect_t2(0, 2);
    // Bytes are counted anew.
    order_up_to("C", 50);
    times_.departed(50, by_kernel(called_));
    expect_t2(1, 2);
}

TEST_F(DepartureTest, NoMoreOrdersWaitForItThanAreKept) {
    for (std::uint32_t i = 0; i < 2 * kKept; ++i) order_up_to("O" + std::to_string(i), 100 * (i + 1));
    expect_t2(0, static_cast<int>(kKept));
    times_.departed(200 * kKept, by_kernel(called_));
    expect_t2(static_cast<int>(kKept), static_cast<int>(kKept));
}

TEST_F(OrderTimesTest, KeepsTheLastOrdersAndFindsThem) {
    for (int i = 0; i < 100; ++i) order_of_a_message("R" + std::to_string(i));
    for (int i = 0; i < 100; ++i) answer("R" + std::to_string(i));
    const json rule = path("rule");
    EXPECT_EQ(rule["orders"], 100);
    EXPECT_EQ(rule["answered"], 8) << "so many are kept";
    EXPECT_EQ(rule["unanswered"], 92);
    const json worst = times_.report(3)["worst"];
    ASSERT_EQ(worst.size(), 3U);
    for (const json& order : worst) {
        EXPECT_LE(order["t1_ns"], order["t2_ns"]);
        EXPECT_LE(order["t3_ns"], order["t4_ns"]);
        EXPECT_GE(worst[0]["inner_ns"], order["inner_ns"]);
    }
}

TEST_F(OrderTimesTest, OrdersAreToldPageByPage) {
    EXPECT_EQ(times_.orders(0, 10), json::array());
    for (int i = 0; i < 11; ++i) order_of_a_message("R" + std::to_string(i));
    answer("R10");
    answer("R9", true);
    times_.resent("R8");
    const auto ids = [&](std::uint64_t after, std::size_t most) {
        std::vector<std::string> found;
        for (const json& order : times_.orders(after, most)) found.push_back(order["cl_ord_id"]);
        return found;
    };
    using Ids = std::vector<std::string>;
    EXPECT_EQ(ids(0, 3), (Ids{"R3", "R4", "R5"})) << "eight are kept";
    EXPECT_EQ(ids(6, 100), (Ids{"R6", "R7", "R8", "R9", "R10"}));
    EXPECT_EQ(ids(11, 100), Ids());
    EXPECT_EQ(ids(~std::uint64_t{0}, 100), Ids());
    const json told = times_.orders(7, 100);
    Ids states;
    for (const json& order : told) {
        states.push_back(order["state"]);
        EXPECT_EQ(order.contains("t3_ns"), order["state"] == "answered");
        EXPECT_EQ(order["stages"].size(), order["state"] == "answered" ? 10U : 7U);
    }
    EXPECT_EQ(states, (Ids{"unanswered", "resent", "rejected", "answered"}));
    EXPECT_EQ(told[0]["number"], 8);
}

TEST_F(OrderTimesTest, BucketsHoldAllThatIsCounted) {
    for (int i = 0; i < 5; ++i) order_of_a_message("R" + std::to_string(i));
    EXPECT_FALSE(path("rule")["parts"]["wake"].contains("buckets"));
    const json parts = times_.report(0, true)["paths"]["rule"]["parts"];
    EXPECT_EQ(parts["wake"]["buckets"], json::parse("[[1000, 5]]"));
    EXPECT_EQ(parts["inner"]["buckets"], json::array());
}

TEST_F(OrderTimesTest, HistogramsForPrometheusRise) {
    order_of_a_message("R");
    const json part = times_.histograms()["rule"]["t1_t2"];
    EXPECT_EQ(part["count"], 1);
    EXPECT_EQ(part["bounds"].size(), part["counts"].size());
    EXPECT_EQ(part["bounds"][0], 63);
    EXPECT_TRUE(std::is_sorted(part["counts"].begin(), part["counts"].end()));
}

TEST(OrderTimes, OffTheyKeepNothing) {
    OrderTimes times(Stamps::off);
    times.message({});
    times.decided();
    EXPECT_FALSE(times.in_hand());
    times.left("R");
    times.settle();
    times.answered("R", {}, false);
    EXPECT_FALSE(times.watched());
    times.journalled();
    EXPECT_EQ(times.report(5)["paths"], json::object());
    EXPECT_EQ(times.histograms(), json::object());
}

}  // namespace
}  // namespace fixaccel
