// SPDX-License-Identifier: Apache-2.0
#include "config.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "scratch_folder.hpp"

namespace fixaccel {
namespace {

class ConfigTest : public ::testing::Test {
  protected:
    DaemonConfig read(const std::string& text) {
        std::ofstream(file()) << text;
        DaemonConfig config;
        read_config(file(), config);
        return config;
    }

    std::string refusal(const std::string& text) {
        try {
            read(text);
        } catch (const ConfigError& error) {
            return error.what();
        }
        return "accepted";
    }

    std::filesystem::path file() const { return folder_.path() / "fixacceld.toml"; }
    ScratchFolder folder_;
};

TEST_F(ConfigTest, ReadsEverySection) {
    const DaemonConfig config = read(
        "board = 'unix:b'\njournal = 'j'\n[session]\nresend_orders = 'gap-fill'\n"
        "max_segment_bytes = 536\n[limits]\nlease_ms = 200\nhold_ms = 20\n"
        "poll_us = 250\nmax_unacked_bytes = 1000\n");
    EXPECT_EQ(config.board, "unix:b");
    EXPECT_FALSE(config.day_roll);
    EXPECT_EQ(read("[session]\nday_roll = '17:00'\n").day_roll, 17 * 3600);
    EXPECT_EQ(read("[session]\nday_roll = '23:59:59'\n").day_roll, 24 * 3600 - 1);
    EXPECT_EQ(config.journal, folder_.path() / "j") << "paths are relative to the file";
    EXPECT_EQ(config.resend, ResendPolicy::gap_fill);
    EXPECT_EQ(config.max_segment, 536U);
    EXPECT_EQ(config.limits.lease, std::chrono::milliseconds(200));
    EXPECT_EQ(config.limits.hold, std::chrono::milliseconds(20));
    EXPECT_EQ(config.poll, std::chrono::microseconds(250));
    EXPECT_EQ(config.limits.max_unacked, 1000U);
}

TEST_F(ConfigTest, NamesThePlaceOfAMistake) {
    EXPECT_NE(refusal("[limits]\nlease_ms = 'long'\n").find("fixacceld.toml:2:"), std::string::npos);
    EXPECT_NE(refusal("bord = 'x'\n").find("unknown key 'bord'"), std::string::npos);
    EXPECT_NE(refusal("[limits]\nlease_ms = 0\n").find("from 1 to 4294"), std::string::npos);
    EXPECT_NE(refusal("[session]\nresend_orders = 'maybe'\n").find("\"gap-fill\""), std::string::npos);
    EXPECT_NE(refusal("[session]\nmax_segment_bytes = 20\n").find("from 88 to 1460"), std::string::npos);
    EXPECT_NE(refusal("[session]\nday_roll = '24:00'\n").find("a time of day"), std::string::npos);
    EXPECT_NE(refusal("[session]\nday_roll = '17:00:5'\n").find("a time of day"), std::string::npos);
    EXPECT_NE(refusal("[session]\nday_roll = '17.00'\n").find("a time of day"), std::string::npos);
    EXPECT_NE(refusal("[session]\nday_roll = 1700\n").find("a time of day"), std::string::npos);
    EXPECT_NE(refusal("limits = 3\n").find("must be a table"), std::string::npos);
    EXPECT_NE(refusal("board = \n").find("fixacceld.toml:1:"), std::string::npos);
    EXPECT_NE(refusal("[limits]\nmax_unacked_bytes = 1.5\n").find("whole number"), std::string::npos);
}

}  // namespace
}  // namespace fixaccel
