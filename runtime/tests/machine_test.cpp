// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <gtest/gtest.h>

#include <fstream>

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
