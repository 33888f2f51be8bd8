// SPDX-License-Identifier: Apache-2.0
// The bus of a board over plain files.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

#include "driver.hpp"
#include "fixaccel/gen/gem_port.hpp"
#include "fixaccel/gen/zynq_gem.hpp"
#include "uio_bus.hpp"
#include "uio_files.hpp"

namespace fixaccel::gem {
namespace {

struct UioTest : testing::Test {
    void SetUp() override {
        files.add("uio0", "0x40000000", 1U << gem_port::address_bits, "window");
        files.add("uio1", "0xe000b000", 1U << zynq_gem::address_bits, "ethernet");
    }
    std::string refused(const std::string& window) {
        try {
            UioBus bus(root, window, "uio1");
        } catch (const GemError& error) {
            return error.what();
        }
        return "";
    }
    const test::UioFiles files;
    const std::string root = files.root;
};

TEST_F(UioTest, WordsGoWhereTheyBelong) {
    UioBus bus(root, "uio0", "uio1");
    EXPECT_EQ(bus.window_base(), 0x40000000U);
    EXPECT_EQ(bus.controller_base(), 0xE000B000U);
    const std::array<std::uint32_t, 2> words{0x11223344, 0x55667788};
    bus.write(Place::window, gem_port::memory::from_cpu.base, words);
    bus.write(Place::controller, zynq_gem::reg::net_cfg, 0x99AABBCC);
    EXPECT_EQ(bus.read(Place::window, gem_port::memory::from_cpu.base + 4), words[1]);
    EXPECT_EQ(bus.read(Place::controller, zynq_gem::reg::net_cfg), 0x99AABBCCU);
    EXPECT_THROW(bus.read(Place::controller, 0x1000), GemError);
}

// The count of interrupts and the word that lets one come are what a device's file gives and takes.
TEST_F(UioTest, AnInterruptIsLetComeAheadOfEachWait) {
    UioBus bus(root, "uio0", "uio1");
    const auto word = [&](std::size_t number) {
        return bus.read(Place::window, static_cast<std::uint32_t>(4 * number));
    };
    bus.enable_interrupt();
    EXPECT_EQ(word(0), 1U) << "also ahead of the first one";
    EXPECT_EQ(::lseek(bus.interrupt_fd(), 0, SEEK_CUR), 4);
    bus.take_interrupt();
    EXPECT_EQ(::lseek(bus.interrupt_fd(), 0, SEEK_CUR), 8) << "the count is taken, and nothing written";
    EXPECT_EQ(word(2), 0U);
    bus.enable_interrupt();
    EXPECT_EQ(word(2), 1U);
}

TEST_F(UioTest, WhatIsMissingIsNamed) {
    EXPECT_NE(
        refused("uio7").find("no UIO device uio7: is the device bound to generic-uio? Those bound are "),
        std::string::npos);
    EXPECT_NE(refused("uio7").find("uio0 (window)"), std::string::npos);
    files.add("uio2", "0x40000000", 4096);
    EXPECT_NE(refused("uio2").find("look at `reg` in the device tree overlay"), std::string::npos);
}

// Numbers of devices depend on what else the device tree has; the names of its nodes do not.
TEST_F(UioTest, ADeviceHasTheNameOfItsNodeToo) {
    UioBus bus(root, "window", "ethernet");
    EXPECT_EQ(bus.window_base(), 0x40000000U);
    EXPECT_EQ(bus.controller_base(), 0xE000B000U);
    files.add("uio2", "0x40000000", 1U << gem_port::address_bits, "window");
    EXPECT_NE(refused("window").find("several UIO devices are called window, such as uio0 and uio2"),
              std::string::npos);
}

TEST_F(UioTest, AWindowOfAnotherMapIsRefusedByName) {
    UioBus bus(root, "uio0", "uio1");
    GemDriver driver(bus);
    try {
        driver.start();
        FAIL() << "it starts";
    } catch (const GemError& error) {
        EXPECT_NE(std::string(error.what()).find("no window of the fabric"), std::string::npos);
    }
    bus.write(Place::window, gem_port::reg::magic, gem_port::magic_word);
    try {
        driver.start();
        FAIL() << "it starts";
    } catch (const GemError& error) {
        EXPECT_NE(std::string(error.what()).find("rtl/hwmap/gem_port.yaml"), std::string::npos);
    }
}

}  // namespace
}  // namespace fixaccel::gem
