// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "fixaccel/read_file.hpp"
#include "scratch_folder.hpp"

namespace fixaccel {
namespace {

using State = HostVerdict::State;
using std::chrono::seconds;

std::string verdict(const std::string& run, int drifted) {
    return R"({"format": 1, "run": ")" + run + R"(", "drifted": )" + std::to_string(drifted) +
           R"(, "time": 1772461867})";
}

class MachineTest : public testing::Test {
  protected:
    void write(const std::string& text) {
        std::ofstream(file_) << text;
        // Two writes within one tick of the file system's clock are two all the same.
        std::filesystem::last_write_time(file_, std::filesystem::file_time_type{} + seconds(++written_));
    }
    Machine machine(bool require = false) const {
        return Machine({.verdict = file_, .require_verified = require});
    }
    std::chrono::steady_clock::time_point next() { return now_ += seconds(2); }

    ScratchFolder folder_;
    const std::filesystem::path file_ = folder_.path() / "verdict.json";

  private:
    int written_ = 0;
    std::chrono::steady_clock::time_point now_ = std::chrono::steady_clock::now();
};

TEST_F(MachineTest, CoresStayAwakeWhileArmedAndNoLonger) {
    const std::filesystem::path device = folder_.path() / "cpu_dma_latency";
    std::ofstream{device}.close();
    const auto readers = [&] {
        // Of this process, the descriptors that lead there: the kernel holds to it while there is one.
        std::size_t found = 0;
        for (const auto& one : std::filesystem::directory_iterator("/proc/self/fd")) {
            std::error_code gone;
            found += std::filesystem::read_symlink(one, gone) == device ? 1 : 0;
        }
        return found;
    };
    {
        Machine here({.wake = std::chrono::microseconds(2), .wake_device = device});
        here.stay_awake(false);
        EXPECT_EQ(readers(), 0U);
        here.stay_awake(true);
        here.stay_awake(true);
        EXPECT_EQ(readers(), 1U);
        EXPECT_EQ(read_file(device.string(), 64), std::string("\2\0\0\0", 4));
        here.stay_awake(false);
        EXPECT_EQ(readers(), 0U);
        here.stay_awake(true);
    }
    EXPECT_EQ(readers(), 0U) << "a machine that ends lets them sleep";
    Machine unasked({.wake_device = device});
    unasked.stay_awake(true);
    EXPECT_EQ(readers(), 0U);
}

TEST_F(MachineTest, SaysThatCoresMaySleep) {
    Machine here({.wake = std::chrono::microseconds(0), .wake_device = folder_.path() / "none" / "device"});
    EXPECT_TRUE(here.cpu().at("not_granted").empty()) << "not asked yet";
    here.stay_awake(true);
    const std::string said = here.cpu().at("not_granted").at(0);
    EXPECT_NE(said.find("cores may sleep while armed: "), std::string::npos);
    EXPECT_NE(said.find("No such file or directory"), std::string::npos);
}

TEST_F(MachineTest, SaysWhatTheVerdictSays) {
    Machine here = machine();
    EXPECT_FALSE(here.look(next())) << "nobody has tuned it, as before";
    EXPECT_EQ(here.host().at("text"), "untuned");
    write(verdict("7", 0));
    EXPECT_TRUE(here.look(next()));
    EXPECT_EQ(here.host().at("text"), "verified 7");
    EXPECT_EQ(here.host().at("time_ns"), 1'772'461'867'000'000'000);
    EXPECT_FALSE(here.look(next()));
    write(verdict("7", 2));
    EXPECT_TRUE(here.look(next()));
    EXPECT_EQ(here.host().at("text"), "drifted: 2 of run 7");
    EXPECT_EQ(here.host().at("state"), "drifted");
    write(verdict("", 0));
    EXPECT_TRUE(here.look(next()));
    EXPECT_EQ(here.verdict().state, State::untuned);
    std::filesystem::remove(file_);
    EXPECT_FALSE(here.look(next()));
}

TEST_F(MachineTest, LooksOnceASecond) {
    Machine here = machine();
    const auto now = next();
    EXPECT_FALSE(here.look(now));
    write(verdict("7", 0));
    EXPECT_FALSE(here.look(now + std::chrono::milliseconds(500)));
    EXPECT_TRUE(here.look(now + seconds(1)));
}

TEST_F(MachineTest, WhatCannotBeReadIsNoVerdict) {
    for (const char* const text : {"", "{", "[]", R"({"format": 2, "run": "7", "drifted": 0, "time": 0})",
                                   R"({"format": 1, "run": 7, "drifted": 0, "time": 0})",
                                   R"({"format": 1, "run": "7", "drifted": 0})"})
        EXPECT_EQ(read_verdict(text).state, State::unreadable) << text;
    std::filesystem::create_directory(file_);
    Machine here = machine(true);
    EXPECT_TRUE(here.look(next()));
    EXPECT_EQ(here.verdict().state, State::unreadable);
    EXPECT_NE(here.refusal(), "");
}

TEST_F(MachineTest, IsArmedOnlyWhereVerifiedIfThatIsAskedFor) {
    Machine strict = machine(true), any = machine();
    EXPECT_NE(strict.refusal().find("the machine is untuned"), std::string::npos);
    EXPECT_EQ(any.refusal(), "");
    write(verdict("7", 1));
    strict.look(next());
    EXPECT_NE(strict.refusal().find("drifted: 1 of run 7"), std::string::npos);
    write(verdict("7", 0));
    strict.look(next());
    EXPECT_EQ(strict.refusal(), "");
}

}  // namespace
}  // namespace fixaccel
