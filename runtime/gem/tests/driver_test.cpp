// SPDX-License-Identifier: Apache-2.0
// What the driver writes, and when, seen by a bus that only remembers: no fabric, no controller.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "driver.hpp"
#include "fixaccel/gen/gem_port.hpp"
#include "fixaccel/gen/zynq_gem.hpp"

namespace fixaccel::gem {
namespace {

namespace greg = zynq_gem::reg;
namespace preg = gem_port::reg;
using zynq_gem::net_ctrl_bits::clear_statistics;
using zynq_gem::net_ctrl_bits::management_on;
using zynq_gem::net_ctrl_bits::receive_on;
using zynq_gem::net_ctrl_bits::transmit_on;

constexpr std::uint32_t kDma = receive_on.mask() | transmit_on.mask();
constexpr std::uint32_t kBoxes = 8;
constexpr unsigned kPatience = 1000;  // reads that nothing here needs

struct Written {
    Place place;
    std::uint32_t addr;
    std::uint32_t value;
};

class RememberingBus : public GemBus {
  public:
    RememberingBus() {
        at(Place::window, preg::magic) = gem_port::magic_word;
        at(Place::window, preg::hwmap_hash) = gem_port::kHash;
        at(Place::window, preg::cap_to_cpu_slots) = kBoxes;
        at(Place::window, preg::cap_from_cpu_slots) = 4;
        at(Place::controller, greg::net_status) = zynq_gem::net_status_bits::management_idle.mask();
    }
    using GemBus::read;
    using GemBus::write;
    void read(Place place, std::uint32_t addr, std::span<std::uint32_t> words) override {
        ++reads;
        if (on_read) on_read(place, addr);
        for (std::size_t i = 0; i < words.size(); ++i)
            words[i] = at(place, addr + static_cast<std::uint32_t>(4 * i));
    }
    void write(Place place, std::uint32_t addr, std::span<const std::uint32_t> words) override {
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::uint32_t where = addr + static_cast<std::uint32_t>(4 * i);
            written.push_back({place, where, words[i]});
            at(place, where) = words[i];
        }
        // A PHY at address 0 with a link of 100 Mb/s, full duplex.
        using namespace zynq_gem::phy_maintenance_bits;
        constexpr std::array<std::uint32_t, 6> kPhy{0x1000, 0x0004, 0x001C, 0xC916, 0x0100, 0x0100};
        if (place == Place::controller && addr == greg::phy_maintenance) {
            const std::uint32_t number = phy_register.in(words[0]);
            if (operation.in(words[0]) == 1)
                phy_written.emplace_back(number, value.in(words[0]));
            else if (number == 0 && phy_control)
                at(place, addr) = *phy_control;
            else
                at(place, addr) = number < kPhy.size() ? kPhy[number] : 0;
        }
    }
    std::uint32_t window_base() const override { return kModelWindowBase; }
    std::uint32_t controller_base() const override { return zynq_gem::base_gem0; }
    std::uint32_t& at(Place place, std::uint32_t addr) { return words_[{place, addr}]; }

    // First write of this register with these bits; behind the last one if there is none.
    std::size_t first(Place place, std::uint32_t addr, std::uint32_t mask = 0,
                      std::uint32_t value = 0) const {
        const auto found = std::ranges::find_if(written, [&](const Written& one) {
            return one.place == place && one.addr == addr && (one.value & mask) == value;
        });
        return static_cast<std::size_t>(found - written.begin());
    }

    std::optional<std::uint32_t> phy_control;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> phy_written;
    std::vector<Written> written;
    unsigned reads = 0;
    std::function<void(Place, std::uint32_t)> on_read;

  private:
    std::map<std::pair<Place, std::uint32_t>, std::uint32_t> words_;
};

struct DriverTest : testing::Test {
    RememberingBus bus;
    GemDriver driver{bus};
    void mail(std::uint32_t box, std::uint32_t length) {
        bus.at(Place::window, gem_port::memory::to_cpu.base + box * gem_port::slot_bytes) = length;
    }
};

TEST_F(DriverTest, TheControllerIsSetUpInTheOrderOfItsManual) {
    bus.at(Place::controller, greg::net_ctrl) = kDma;
    bus.at(Place::controller, greg::net_cfg) = zynq_gem::net_cfg_bits::mdc_divisor.of(5);
    driver.start();
    const auto controller = Place::controller;
    const std::uint32_t receive = kModelWindowBase + gem_port::memory::receive_descriptors.base;
    const std::uint32_t transmit = kModelWindowBase + gem_port::memory::transmit_descriptors.base;
    const std::vector<std::size_t> order{
        bus.first(Place::window, preg::control),
        bus.first(controller, greg::net_ctrl, ~0U, 0),
        bus.first(controller, greg::net_ctrl, ~0U, clear_statistics.mask()),
        bus.first(controller, greg::rx_status),
        bus.first(controller, greg::tx_status),
        bus.first(controller, greg::interrupt_disable),
        bus.first(controller, greg::receive_queue, ~0U, 0),
        bus.first(controller, greg::transmit_queue, ~0U, 0),
        bus.first(controller, greg::net_cfg),
        bus.first(controller, greg::dma_cfg),
        bus.first(controller, greg::net_ctrl, ~0U, management_on.mask()),
        bus.first(controller, greg::phy_maintenance),
        bus.first(controller, greg::receive_queue, ~0U, receive),
        bus.first(controller, greg::transmit_queue, ~0U, transmit),
        bus.first(Place::window, preg::control, gem_port::control_bits::receive.mask(), 1),
        bus.first(controller, greg::net_ctrl, kDma, kDma),
    };
    EXPECT_TRUE(std::ranges::is_sorted(order)) << testing::PrintToString(order);
    EXPECT_EQ(order.back(), bus.written.size() - 1) << "nothing is written once it runs";
    EXPECT_EQ(bus.at(controller, greg::net_cfg) & zynq_gem::net_cfg_bits::mdc_divisor.mask(),
              zynq_gem::net_cfg_bits::mdc_divisor.of(5))
        << "the boot loader has set it for its clock";
    EXPECT_EQ(zynq_gem::net_cfg_bits::speed_100.in(bus.at(controller, greg::net_cfg)), 1U);
    EXPECT_EQ(zynq_gem::net_cfg_bits::gigabit.in(bus.at(controller, greg::net_cfg)), 0U);
}

TEST_F(DriverTest, APhyThatTheKernelHasPutToSleepIsWoken) {
    driver.start();
    EXPECT_TRUE(bus.phy_written.empty());
    constexpr std::uint32_t kAsleep = 0x1800, kNegotiatesAgain = 0x1200;
    bus.phy_control = kAsleep;
    driver.start();
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> woken{{0, kNegotiatesAgain}};
    EXPECT_EQ(bus.phy_written, woken);
}

TEST_F(DriverTest, AStartThatIsOnItsWayDoesNotSwitchTheControllerOnAgain) {
    driver.start();
    unsigned looks = 0;
    bool asked = false;
    bus.on_read = [&](Place place, std::uint32_t addr) {
        if (place == Place::controller && addr == greg::net_ctrl && ++looks == 3)
            bus.at(place, addr) = kDma | management_on.mask();  // what the fabric writes to send
        asked = asked || (looks > 3 && (bus.at(Place::controller, greg::net_ctrl) & kDma) == 0);
    };
    driver.stop();
    EXPECT_TRUE(asked);
    EXPECT_EQ(bus.at(Place::controller, greg::net_ctrl) & kDma, 0U);
}

TEST_F(DriverTest, AStopLeavesTheControllerAloneUntilAllIsSent) {
    bus.at(Place::controller, greg::interrupt_mask) = 0x07FFFF00;
    bus.at(Place::controller, greg::net_ctrl) = kDma | management_on.mask() | 1U << 7U;
    driver.start();
    ASSERT_TRUE(driver.send(Frame(100)));
    bus.written.clear();
    bus.reads = 0;
    bus.on_read = [&](Place place, std::uint32_t) {
        if (place != Place::window) return;
        if (bus.reads == 20) bus.at(place, preg::from_cpu_tail) = 1;
        if (bus.reads == 23) bus.at(place, preg::count_queued) = 1;
        if (bus.reads == 60) bus.at(place, preg::count_sent) = 1;
        const bool all = bus.at(place, preg::count_sent) == 1;
        EXPECT_TRUE(all || bus.written.size() == 1);
    };
    driver.stop();
    EXPECT_GT(bus.reads, 60U);
    EXPECT_LT(bus.reads, kPatience);
    EXPECT_EQ(bus.written[0].addr, preg::control);
    EXPECT_EQ(bus.written[0].value, gem_port::control_bits::transmit.mask());
    EXPECT_EQ(bus.first(Place::window, preg::control, ~0U, 0), 1U)
        << "the port is off ahead of its controller";
    EXPECT_EQ(bus.at(Place::controller, greg::interrupt_enable), 0xFFU) << "those that were on";
    EXPECT_EQ(bus.at(Place::controller, greg::net_ctrl), management_on.mask() | 1U << 7U);
}

TEST_F(DriverTest, AStopDoesNotWaitForWhatAFailedPortHasGivenUp) {
    bus.at(Place::window, preg::count_queued) = 3;
    bus.at(Place::window, preg::count_sent) = 0xFFFFFFFE;  // both wrap
    driver.start();
    bus.reads = 0;
    driver.stop();
    EXPECT_LT(bus.reads, kPatience);
    driver.start();
    bus.at(Place::window, preg::count_queued) = 4;
    bus.at(Place::window, preg::port_status) = gem_port::port_status_bits::transmit_late.mask();
    bus.reads = 0;
    driver.stop();
    EXPECT_LT(bus.reads, kPatience) << "nothing leaves a port that has failed";
}

TEST_F(DriverTest, MailboxesThatHoldNoFrameAreAllTakenOutAndCounted) {
    driver.start();
    bus.at(Place::window, preg::to_cpu_head) = kBoxes;
    constexpr std::array<std::uint32_t, kBoxes> kLengths{0, 1, 63, 64, 1523, 0xFFFF, 0x10040, 0xFFFFFFFF};
    for (std::uint32_t box = 0; box < kBoxes; ++box) mail(box, kLengths[box]);
    EXPECT_FALSE(driver.receive());
    EXPECT_EQ(driver.counts().bad, kBoxes);
    EXPECT_FALSE(driver.receive());
    EXPECT_EQ(bus.at(Place::window, preg::to_cpu_tail), kBoxes) << "they are the fabric's again";
}

TEST_F(DriverTest, AFloodOfBadOnesEnds) {
    driver.start();
    bus.on_read = [&](Place place, std::uint32_t addr) {
        if (addr == preg::to_cpu_head) ++bus.at(place, addr);
    };
    EXPECT_FALSE(driver.receive());
    EXPECT_EQ(driver.counts().bad, kBoxes) << "somebody else has a turn";
}

TEST_F(DriverTest, MoreFramesThanMailboxesAreAnotherWindow) {
    driver.start();
    bus.at(Place::window, preg::to_cpu_head) = kBoxes + 1;
    EXPECT_THROW(driver.receive(), GemError);
}

TEST_F(DriverTest, MoreFramesTakenThanWereGivenAreAnotherWindow) {
    driver.start();
    bus.at(Place::window, preg::from_cpu_tail) = 1;
    EXPECT_FALSE(driver.receive());
    EXPECT_THROW(driver.send(Frame(60)), GemError);
}

TEST_F(DriverTest, MailboxesOfANumberThatNoWindowHasAreRefused) {
    for (const std::uint32_t slots : {0U, 6U}) {
        bus.at(Place::window, preg::cap_to_cpu_slots) = slots;
        EXPECT_THROW(driver.start(), GemError) << slots;
    }
}

}  // namespace
}  // namespace fixaccel::gem
