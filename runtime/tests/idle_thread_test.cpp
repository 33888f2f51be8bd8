// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/idle_thread.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace fixaccel {
namespace {

// Waits until it is told to go on, or to stop.
class Gate {
  public:
    void open() {
        open_ = true;
        open_.notify_all();
    }
    void pass() const { open_.wait(false); }

  private:
    std::atomic<bool> open_{false};
};

TEST(IdleThread, OfWhatWaitsTheLastIsDone) {
    Gate gate;
    std::string done;
    IdleThread thread;
    EXPECT_FALSE(thread.busy());
    thread.begin([&](const std::stop_token&) {
        gate.pass();
        done += 'a';
    });
    EXPECT_TRUE(thread.busy());
    // Perhaps the first of them takes the place of one that has not begun.
    thread.begin([&](const std::stop_token&) { done += 'b'; });
    thread.begin([&](const std::stop_token&) { done += 'c'; });
    gate.open();
    thread.finish();
    EXPECT_FALSE(thread.busy());
    EXPECT_TRUE(done == "ac" || done == "c") << done;
    thread.begin([&](const std::stop_token&) { done += 'd'; });
    thread.finish();
    EXPECT_EQ(done.back(), 'd');
}

TEST(IdleThread, ItsEndGivesUpWhatIsUnderWay) {
    std::atomic<bool> under_way{false};
    bool stopped = false, begun = false;
    {
        IdleThread thread;
        thread.begin([&](const std::stop_token& stop) {
            under_way = true;
            under_way.notify_all();
            while (!stop.stop_requested()) std::this_thread::yield();
            stopped = true;
        });
        under_way.wait(false);
        thread.begin([&](const std::stop_token&) { begun = true; });
    }
    EXPECT_TRUE(stopped);
    EXPECT_FALSE(begun) << "nor is anything else begun";
    const IdleThread never;
    EXPECT_FALSE(never.busy());
}

// Many at once, so that some lose the processor between any two of their steps.
TEST(IdleThread, ItsEndIsHeardWheneverItComes) {
    for (int round = 0; round < 100; ++round) {
        std::array<IdleThread, 64> threads;
        for (IdleThread& thread : threads) thread.begin([](const std::stop_token&) {});
    }
}

}  // namespace
}  // namespace fixaccel
