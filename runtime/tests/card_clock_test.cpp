// SPDX-License-Identifier: Apache-2.0
// Which card's stamps are taken, and which stamp of a message. No machine of the tests has such a card.
#include "card_clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "config.hpp"

namespace fixaccel {
namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

const CardClock kUsable{.there = true,
                        .stamps = true,
                        .number = 0,
                        .sends = true,
                        .receives = true,
                        .apart = nanoseconds(-300),
                        .why = ""};

void expect_unusable(const CardClock& clock, const std::string& why) {
    const std::string said = unusable("eth7", clock);
    EXPECT_NE(said.find(why), std::string::npos) << said;
    EXPECT_NE(said.find("eth7"), std::string::npos) << said;
}

TEST(CardClock, WhatItLacksIsSaid) {
    EXPECT_EQ(unusable("eth7", kUsable), "");
    expect_unusable({}, "there is no interface eth7");
    CardClock clock = kUsable;
    clock.number = -1;
    expect_unusable(clock, "no clock of its own (PHC)");
    clock = kUsable;
    clock.stamps = false;
    expect_unusable(clock, "does not stamp both");
    for (bool CardClock::*const told : {&CardClock::sends, &CardClock::receives}) {
        clock = kUsable;
        clock.*told = false;
        expect_unusable(clock, "hwstamp_ctl -i eth7 -t 1 -r 1");
    }
    clock = kUsable;
    clock.apart.reset();
    clock.why = "/dev/ptp0: Permission denied";
    expect_unusable(clock, "/dev/ptp0: Permission denied");
    // TAI, and a clock that nobody keeps.
    for (const auto apart : {nanoseconds(37'000'000'000), nanoseconds(10'001), nanoseconds(-10'001)}) {
        clock = kUsable;
        clock.apart = apart;
        expect_unusable(clock, std::to_string(apart.count()) + " ns from the system's");
        expect_unusable(clock, "phc2sys -s CLOCK_REALTIME -c eth7 -O 0");
    }
}

TEST(CardClock, AnInterfaceThatIsNotThere) {
    EXPECT_FALSE(card_clock("no-such-card").there);
    EXPECT_FALSE(card_clock("a-name-that-no-interface-may-have").there);
}

TEST(CardClock, LoopbackHasNone) {
    const CardClock clock = card_clock("lo");
    EXPECT_TRUE(clock.there);
    EXPECT_EQ(clock.number, -1);
    EXPECT_FALSE(clock.stamps);
}

TEST(CardClock, SettingsAreRefusedWithTheirLine) {
    const auto problems = [](const std::string& cpu) {
        DaemonConfig config;
        std::vector<std::string> problems;
        read_config("d.toml", cpu, config, problems);
        EXPECT_TRUE(problems.empty());
        check_stamps(config.cpu, problems);
        return problems;
    };
    EXPECT_TRUE(problems("[cpu]\nstamps = 'kernel'\n").empty());
    EXPECT_TRUE(problems("[cpu]\ninterface = 'lo'\n").empty());
    for (const auto& [cpu, why] :
         {std::pair("[cpu]\nstamps = 'hardware'\n", "as cpu.interface"),
          std::pair("[cpu]\nstamps = 'hardware'\ninterface = 'lo'\n", "lo has no clock")}) {
        const std::vector<std::string> found = problems(cpu);
        ASSERT_EQ(found.size(), 1U);
        EXPECT_TRUE(found.front().starts_with("d.toml:2:10: 'stamps' cannot be \"hardware\": "))
            << found.front();
        EXPECT_NE(found.front().find(why), std::string::npos) << found.front();
    }
}

class ChosenStamp : public ::testing::Test {
  protected:
    // So long ago, by a clock that is `kAhead` ahead of the steady one; 0: it has none.
    timespec time(std::int64_t ago_ns) const {
        if (ago_ns == 0) return {};
        const std::int64_t ns = now_.time_since_epoch().count() - ago_ns + kAhead;
        return {ns / 1'000'000'000, static_cast<long>(ns % 1'000'000'000)};
    }
    std::optional<Stamp> choose(std::int64_t kernel, std::int64_t card, bool asked = true) const {
        return chosen_stamp({time(kernel), {}, time(card)}, asked, kAhead, now_);
    }
    void expect(const std::optional<Stamp>& stamp, StampBy by, std::int64_t ago_ns) const {
        ASSERT_TRUE(stamp);
        EXPECT_EQ(stamp->by, by);
        EXPECT_EQ((now_ - stamp->at).count(), ago_ns);
    }

    static constexpr std::int64_t kAhead = 1'700'000'000'000'000'000;
    const steady_clock::time_point now_ = steady_clock::now();
};

TEST_F(ChosenStamp, TheCardsWhereItIsAskedFor) {
    expect(choose(1000, 5000), StampBy::card, 5000);
    expect(choose(1000, 5000, false), StampBy::kernel, 1000);
    // Of what has left it is the only one.
    expect(choose(0, 5000), StampBy::card, 5000);
    EXPECT_FALSE(choose(0, 5000, false));
    EXPECT_FALSE(choose(0, 0));
}

TEST_F(ChosenStamp, TheKernelsWhereTheCardsCannotBe) {
    expect(choose(1000, 0), StampBy::kernel, 1000);
    expect(choose(50'000, 30'000), StampBy::kernel, 50'000);
    expect(choose(50'000, 45'000), StampBy::card, 45'000);  // as far as the two clocks may be apart
    expect(choose(1000, -37'000'000'000), StampBy::kernel, 1000);
    expect(choose(1000, 11'000'000'000), StampBy::kernel, 1000);
    EXPECT_FALSE(choose(-1000, 11'000'000'000)) << "the system's clock was set";
}

}  // namespace
}  // namespace fixaccel
