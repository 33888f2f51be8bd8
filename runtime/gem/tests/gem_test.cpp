// SPDX-License-Identifier: Apache-2.0
// The driver, the model of the controller, gem_port and the core together; and the bus of a board over plain
// files.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <random>

#include "driver.hpp"
#include "fixaccel/gen/gem_port.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/gen/zynq_gem.hpp"
#include "gem_controller.hpp"
#include "uio_bus.hpp"
#include "verilated_core.hpp"

namespace fixaccel::gem {
namespace {

using board::GemTiming;
using board::Side;
using board::VerilatedCore;

constexpr unsigned kLimit = 400'000;  // cycles that anything here may take
constexpr std::size_t kFrames = 40;   // more than any ring has slots

// A frame of no flow, as long as is asked for.
Frame some_frame(std::mt19937& random, std::size_t length) {
    Frame frame(length);
    for (std::uint8_t& byte : frame) byte = static_cast<std::uint8_t>(random());
    frame[12] = 0x88;  // an Ethernet type that is not IP
    frame[13] = 0xB5;
    return frame;
}

std::vector<Frame> some_frames(std::size_t count) {
    std::mt19937 random(7);
    std::vector<Frame> frames;
    for (std::size_t i = 0; i < count; ++i)
        frames.push_back(some_frame(random, i % 5 == 0 ? 1514 : 60 + random() % 200));
    return frames;
}

struct GemTest : testing::Test {
    void begin(const GemTiming& timing = {}) {
        core = std::make_unique<VerilatedCore>("", &timing);
        driver = std::make_unique<GemDriver>(core->gem_bus());
        driver->start();
    }
    std::uint32_t controller(std::uint32_t addr) { return core->gem_bus().read(Place::controller, addr); }
    std::uint32_t port(std::uint32_t addr) { return core->gem_bus().read(Place::window, addr); }

    // Frames that come to the CPU while the fabric rests.
    std::vector<Frame> taken() {
        std::vector<Frame> frames;
        for (unsigned rest = 0; rest < 200; ++rest) {
            core->step(64);
            while (auto frame = driver->receive()) {
                frames.push_back(std::move(*frame));
                rest = 0;
            }
        }
        return frames;
    }
    std::vector<Frame> left() {
        std::vector<Frame> frames;
        for (auto& sent = core->sent(Side::net); !sent.empty(); sent.pop_front()) {
            EXPECT_TRUE(sent.front().fcs_good);
            frames.push_back(std::move(sent.front().bytes));
        }
        return frames;
    }
    void send_all(const std::vector<Frame>& frames) {
        for (const Frame& frame : frames)
            for (unsigned i = 0; !driver->send(frame); ++i) {
                ASSERT_LT(i, kLimit / 64) << "no mailbox becomes free";
                core->step(64);
            }
        for (unsigned i = 0; !core->quiet() && i < kLimit; ++i) core->step();
    }

    std::unique_ptr<VerilatedCore> core;
    std::unique_ptr<GemDriver> driver;
};

TEST_F(GemTest, FramesOfNoFlowPassBothWaysUntouched) {
    begin();
    const std::vector<Frame> frames = some_frames(kFrames);
    for (const Frame& frame : frames) core->push(Side::net, frame);
    EXPECT_EQ(taken(), frames);
    send_all(frames);
    EXPECT_EQ(left(), frames);
    EXPECT_EQ(driver->fault(), "");
    EXPECT_EQ(controller(zynq_gem::reg::frames_received), kFrames);
    EXPECT_EQ(controller(zynq_gem::reg::frames_sent), kFrames);
    EXPECT_EQ(port(gem_port::reg::count_sent), kFrames);
}

TEST_F(GemTest, TheBusMayBeAsFastOrAsSlowAsItWill) {
    for (const unsigned wait : {0U, 20U}) {
        begin({.seed = 3, .most_wait = wait, .most_gap = wait / 10, .start_wait = wait});
        const std::vector<Frame> frames = some_frames(10);
        for (const Frame& frame : frames) core->push(Side::net, frame);
        send_all(frames);
        EXPECT_EQ(left(), frames);
        EXPECT_EQ(taken(), frames);
        EXPECT_EQ(driver->fault(), "");
    }
}

TEST_F(GemTest, AFrameWithABadFcsNeverReachesTheFabric) {
    begin();
    const std::vector<Frame> frames = some_frames(2);
    core->push(Side::net, frames[0], true);
    core->push(Side::net, frames[1]);
    EXPECT_EQ(taken(), std::vector<Frame>{frames[1]});
    EXPECT_EQ(controller(zynq_gem::reg::fcs_errors), 1U);
    EXPECT_EQ(core->read(hwmap::reg::count_frames), 1U);
}

TEST_F(GemTest, AnUnderRunDisarmsAndNothingLeavesUntilThePortIsStartedAnew) {
    begin({.under_run = 2});
    const std::vector<Frame> frames = some_frames(4);
    core->write(hwmap::reg::arm, 1);
    send_all({frames[0], frames[1]});
    core->step(1000);
    EXPECT_NE(driver->fault().find("came back with an error"), std::string::npos) << driver->fault();
    EXPECT_EQ(left(), std::vector<Frame>{frames[0]});
    core->write(hwmap::reg::arm, 1);
    send_all({frames[2]});
    EXPECT_EQ(core->read(hwmap::reg::status) >> hwmap::status_bits::armed & 1U, 0U);
    EXPECT_EQ(port(gem_port::reg::count_discarded), 1U) << "what is sent meanwhile is thrown away";
    EXPECT_TRUE(left().empty());
    driver->restart();
    EXPECT_EQ(driver->fault(), "");
    send_all({frames[3]});
    EXPECT_EQ(left(), std::vector<Frame>{frames[3]});
}

TEST_F(GemTest, APacketBufferThatIsFullLosesFramesAndNothingElse) {
    begin({.most_wait = 400});
    const std::vector<Frame> frames = some_frames(30);
    for (const Frame& frame : frames) core->push(Side::net, frame);
    const std::vector<Frame> came = taken();
    const std::uint32_t lost = controller(zynq_gem::reg::receive_over_runs);
    EXPECT_GT(lost, 0U);
    EXPECT_EQ(came.size() + lost, frames.size());
    EXPECT_EQ(driver->fault(), "");
    core->push(Side::net, frames[1]);
    EXPECT_EQ(taken(), std::vector<Frame>{frames[1]});
}

TEST_F(GemTest, APortThatDoesNotReceiveHasNoBuffers) {
    begin();
    core->gem_bus().write(Place::window, gem_port::reg::control, gem_port::control_bits::transmit.of(1));
    core->push(Side::net, some_frames(1)[0]);
    EXPECT_TRUE(taken().empty());
    EXPECT_EQ(controller(zynq_gem::reg::receive_no_buffer), 1U);
    EXPECT_EQ(driver->fault(), "");
}

TEST_F(GemTest, AStopGivesTheControllerBackAsItWas) {
    const GemTiming timing;
    core = std::make_unique<VerilatedCore>("", &timing);
    GemBus& bus = core->gem_bus();
    const std::array registers{zynq_gem::reg::net_cfg, zynq_gem::reg::dma_cfg, zynq_gem::reg::address_1_low,
                               zynq_gem::reg::receive_queue};
    bus.write(Place::controller, zynq_gem::reg::address_1_low, 0x12345678);
    bus.write(Place::controller, zynq_gem::reg::receive_queue, 0x00100000);
    std::vector<std::uint32_t> before;
    for (const std::uint32_t addr : registers) before.push_back(bus.read(Place::controller, addr));
    driver = std::make_unique<GemDriver>(bus);
    driver->start();
    const std::vector<Frame> frames = some_frames(3);
    for (const Frame& frame : frames) ASSERT_TRUE(driver->send(frame));
    driver->stop();
    EXPECT_EQ(left(), frames) << "what was handed over has left";
    std::vector<std::uint32_t> after;
    for (const std::uint32_t addr : registers) after.push_back(bus.read(Place::controller, addr));
    EXPECT_EQ(after, before);
    const std::uint32_t control = bus.read(Place::controller, zynq_gem::reg::net_ctrl);
    EXPECT_EQ(zynq_gem::net_ctrl_bits::receive_on.in(control), 0U);
    EXPECT_EQ(zynq_gem::net_ctrl_bits::transmit_on.in(control), 0U);
}

TEST_F(GemTest, AFrameThatNoWireTakesIsDroppedAndCounted) {
    begin();
    EXPECT_TRUE(driver->send(Frame(1600)));
    EXPECT_EQ(driver->counts().oversized, 1U);
    EXPECT_EQ(port(gem_port::reg::from_cpu_head), 0U);
}

// A board's devices as files: /dev and /sys below a folder.
struct UioTest : testing::Test {
    void SetUp() override {
        root = std::filesystem::temp_directory_path() / ("fixaccel-uio-" + std::to_string(::getpid()));
        device("uio0", "0x40000000", 1U << gem_port::address_bits);
        device("uio1", "0xe000b000", 1U << zynq_gem::address_bits);
    }
    void TearDown() override { std::filesystem::remove_all(root); }
    void device(const std::string& name, const std::string& addr, std::size_t bytes) {
        const std::filesystem::path map = root / "sys/class/uio" / name / "maps/map0";
        std::filesystem::create_directories(map);
        std::filesystem::create_directories(root / "dev");
        std::ofstream(map / "addr") << addr << '\n';
        std::ofstream(map / "size") << "0x" << std::hex << bytes << '\n';
        std::ofstream(root / "dev" / name) << std::string(bytes, '\0');
    }
    std::string refused(const std::string& window) {
        try {
            UioBus bus(root, window, "uio1");
        } catch (const GemError& error) {
            return error.what();
        }
        return "";
    }
    std::filesystem::path root;
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

TEST_F(UioTest, WhatIsMissingIsNamed) {
    EXPECT_NE(refused("uio7").find("is the device bound to generic-uio?"), std::string::npos);
    device("uio2", "0x40000000", 4096);
    EXPECT_NE(refused("uio2").find("look at `reg` in the device tree overlay"), std::string::npos);
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
