// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/own_core.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include <array>
#include <fstream>
#include <string>
#include <thread>

namespace fixaccel {
namespace {

cpu_set_t cores() {
    cpu_set_t out{};
    ::sched_getaffinity(0, sizeof out, &out);
    return out;
}

unsigned last_core() {
    const cpu_set_t all = cores();
    unsigned last = 0;
    for (unsigned core = 0; core < kMostCores; ++core)
        if (CPU_ISSET(core, &all)) last = core;
    return last;
}

// Cores and priorities are a thread's own: what a test does ends with it.
template <typename Body>
void on_its_own(Body body) {
    std::thread(body).join();
}

TEST(OwnCore, WhatTradesHasItAndAllOthersKeepOff) {
    on_its_own([] {
        const cpu_set_t all = cores();
        const unsigned core = last_core();
        OwnCore own({.core = core});
        cpu_set_t early{}, late{};
        std::thread([&] { early = cores(); }).join();
        own.take();
        EXPECT_TRUE(own.problems().empty());
        std::array<char, 16> name{};
        std::thread([&] {
            leave_own_core("idle work");
            late = cores();
            ::pthread_getname_np(::pthread_self(), name.data(), name.size());
        }).join();
        const cpu_set_t mine = cores();
        EXPECT_EQ(CPU_COUNT(&mine), 1);
        EXPECT_TRUE(CPU_ISSET(core, &mine));
        EXPECT_STREQ(name.data(), "idle work");
        // The only core of a machine is everybody's.
        const int others = CPU_COUNT(&all) == 1 ? 1 : CPU_COUNT(&all) - 1;
        for (const cpu_set_t& theirs : {early, late}) {
            EXPECT_EQ(CPU_COUNT(&theirs), others);
            EXPECT_EQ(CPU_ISSET(core, &theirs) != 0, CPU_COUNT(&all) == 1);
        }
    });
}

TEST(OwnCore, ACoreThatIsNotToBeHadIsSaidAndNothingElseChanges) {
    on_its_own([] {
        cpu_set_t one{};
        CPU_SET(last_core(), &one);
        ::sched_setaffinity(0, sizeof one, &one);
        OwnCore own({.core = kMostCores - 1});
        own.take();
        ASSERT_EQ(own.problems().size(), 1U);
        EXPECT_NE(own.problems()[0].find("core 1023 is not one of those"), std::string::npos);
        const cpu_set_t now = cores();
        EXPECT_TRUE(CPU_EQUAL(&now, &one));
    });
}

TEST(OwnCore, ItsPriorityIsNotThatOfWhatItStarts) {
    on_its_own([] {
        OwnCore own({.fifo = 7});
        own.take();
        sched_param priority{};
        ::sched_getparam(0, &priority);
        const bool granted = (::sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO;
        EXPECT_EQ(granted, own.problems().empty());
        EXPECT_EQ(priority.sched_priority, granted ? 7 : 0);
        if (!granted) {
            EXPECT_NE(own.problems()[0].find("RestrictRealtime=no"), std::string::npos);
        }
        int started = -1;
        std::thread([&] { started = ::sched_getscheduler(0); }).join();
        EXPECT_EQ(started, SCHED_OTHER);
    });
}

TEST(OwnCore, MemoryIsLockedWhereAllOfItMayBe) {
    OwnCore own({.lock_memory = true});
    std::ifstream status("/proc/self/status");
    std::string line, locked;
    while (std::getline(status, line))
        if (line.starts_with("VmLck:")) locked = line;
    ::munlockall();
    ASSERT_FALSE(locked.empty());
    const bool any = locked.find_first_of("123456789") != std::string::npos;
    EXPECT_EQ(any, own.problems().empty());
    if (!any) {
        EXPECT_NE(own.problems()[0].find("LimitMEMLOCK=infinity"), std::string::npos);
    }
}

}  // namespace
}  // namespace fixaccel
