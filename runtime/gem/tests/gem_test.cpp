// SPDX-License-Identifier: Apache-2.0
// The driver, the model of the controller, gem_port and the core together.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "driver.hpp"
#include "fixaccel/gen/gem_port.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/gen/zynq_gem.hpp"
#include "gem_controller.hpp"
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

// Of one kind of error: what the controller says of it.
struct CutOff {
    const char* name;
    GemTiming timing;
    std::uint32_t flag;  // in tx_status
    std::uint32_t under_runs;
};

struct CutOffTest : GemTest, testing::WithParamInterface<CutOff> {};

TEST_P(CutOffTest, DisarmsAndNothingLeavesUntilThePortIsStartedAnew) {
    begin(GetParam().timing);
    const std::vector<Frame> frames = some_frames(4);
    core->write(hwmap::reg::arm, 1);
    send_all({frames[0], frames[1]});
    core->step(1000);
    EXPECT_NE(driver->fault().find("came back with an error"), std::string::npos) << driver->fault();
    EXPECT_EQ(left(), std::vector<Frame>{frames[0]});
    EXPECT_NE(controller(zynq_gem::reg::tx_status) & GetParam().flag, 0U);
    EXPECT_EQ(controller(zynq_gem::reg::transmit_under_runs), GetParam().under_runs);
    core->write(hwmap::reg::arm, 1);
    send_all({frames[2]});
    EXPECT_EQ(core->read(hwmap::reg::status) >> hwmap::status_bits::armed & 1U, 0U);
    EXPECT_EQ(port(gem_port::reg::count_discarded), 1U) << "what is sent meanwhile is thrown away";
    EXPECT_TRUE(left().empty());
    driver->restart();
    EXPECT_EQ(driver->fault(), "");
    send_all({frames[3]});
    EXPECT_EQ(left(), std::vector<Frame>{frames[3]});
    EXPECT_EQ(port(gem_port::reg::count_queued), port(gem_port::reg::count_sent))
        << "each once, the bad one as well";
}

INSTANTIATE_TEST_SUITE_P(
    Gem, CutOffTest,
    testing::Values(CutOff{"UnderRun", {.under_run = 2}, zynq_gem::tx_status_bits::under_run.mask(), 1},
                    CutOff{"BusError", {.bus_error = 2}, zynq_gem::tx_status_bits::bus_corrupt.mask(), 0}),
    [](const auto& info) { return info.param.name; });

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

TEST_F(GemTest, WhileItStopsFramesLeaveAndNoneIsReceived) {
    begin();
    const std::vector<Frame> frames = some_frames(20);
    for (unsigned i = 0; i < 4; ++i) ASSERT_TRUE(driver->send(frames[i]));
    for (unsigned i = 4; i < frames.size(); ++i) core->push(Side::net, frames[i]);
    const std::uint32_t before = port(gem_port::reg::count_received);
    driver->stop();
    EXPECT_EQ(left(), std::vector(frames.begin(), frames.begin() + 4));
    EXPECT_EQ(port(gem_port::reg::count_received), before);
    core->push(Side::net, frames[0]);
    core->step(5000);
    EXPECT_EQ(controller(zynq_gem::reg::net_ctrl) &
                  (zynq_gem::net_ctrl_bits::receive_on.mask() | zynq_gem::net_ctrl_bits::transmit_on.mask()),
              0U)
        << "no start comes behind the end";
}

TEST_F(GemTest, FramesThatWereNeverSentDoNotHoldAStopUp) {
    begin({.most_wait = 0, .start_wait = 1000});
    core->gem_bus().write(Place::window, gem_port::reg::slot_limit, 400);
    ASSERT_TRUE(driver->send(some_frames(1)[0]));
    core->step(4000);
    ASSERT_NE(driver->fault().find("not sent in time"), std::string::npos) << driver->fault();
    core->gem_bus().write(Place::window, gem_port::reg::slot_limit, gem_port::slot_limit_cycles);
    driver->restart();
    ASSERT_NE(port(gem_port::reg::count_queued), port(gem_port::reg::count_sent));
    core->step(4000);
    EXPECT_EQ(left().size(), 1U) << "it was on the line already";
    const std::vector<Frame> frames = some_frames(2);
    for (const Frame& frame : frames) ASSERT_TRUE(driver->send(frame));
    const std::uint64_t from = core->cycles();
    driver->stop();
    EXPECT_EQ(left(), frames);
    EXPECT_LT(core->cycles() - from, kLimit / 10) << "it does not wait for what was given up";
}

TEST_F(GemTest, AFrameThatNoWireTakesIsDroppedAndCounted) {
    begin();
    EXPECT_TRUE(driver->send(Frame(1600)));
    EXPECT_EQ(driver->counts().oversized, 1U);
    EXPECT_EQ(port(gem_port::reg::from_cpu_head), 0U);
}

}  // namespace
}  // namespace fixaccel::gem
