// SPDX-License-Identifier: Apache-2.0
#include "driver.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <sstream>

#include "fixaccel/gen/gem_port.hpp"
#include "fixaccel/gen/zynq_gem.hpp"

namespace fixaccel::gem {
namespace {

namespace greg = zynq_gem::reg;
namespace preg = gem_port::reg;
using zynq_gem::dma_cfg_bits::burst_length;
using zynq_gem::dma_cfg_bits::receive_memory;
using zynq_gem::dma_cfg_bits::rx_buf_size;
using zynq_gem::dma_cfg_bits::transmit_memory;

constexpr std::uint32_t kWord = 4;
constexpr std::uint32_t kDma =
    zynq_gem::net_ctrl_bits::receive_on.mask() | zynq_gem::net_ctrl_bits::transmit_on.mask();
constexpr std::uint32_t kAllInterrupts = 0x07FFFFFF;
constexpr std::uint32_t kAllStatus = 0x1FF;
constexpr unsigned kLooks = 20000;  // at something that ends within microseconds
constexpr unsigned kStill = 8;      // looks, each longer than a write takes from the fabric to the controller
constexpr std::size_t kShortest = board::kMinFrame + board::kFcsBytes;
constexpr std::size_t kLongest = board::kMaxFrame + board::kFcsBytes + 4;  // with a VLAN tag

// Of the PHY, IEEE 802.3 clause 22.
constexpr std::uint32_t kPhyAddresses = 32, kPhyControl = 0, kPhyStatus = 1, kPhyId = 2, kPhyAbilities = 4,
                        kPhyPartner = 5, kPhyGigabit = 10;
constexpr std::uint32_t kPhyPowerDown = 1U << 11U, kPhyNegotiate = 1U << 9U;
constexpr std::uint32_t kPhyLink = 1U << 2U, kPhyPartner1000Full = 1U << 11U, kPhy100Full = 1U << 8U,
                        kPhy100Half = 1U << 7U, kPhy10Full = 1U << 6U;

void check_count(std::uint32_t frames, std::uint32_t slots) {
    if (frames > slots)
        throw GemError("the window counts " + std::to_string(frames) + " frames in " + std::to_string(slots) +
                       " mailboxes: it was loaded anew under this program");
}

// What is taken over from the driver before and given back; beside them the interrupts, and what net_ctrl has
// besides receiving and sending.
constexpr std::array kRestored{greg::net_cfg,        greg::dma_cfg,       greg::receive_queue,
                               greg::transmit_queue, greg::address_1_low, greg::address_1_high};

struct FaultName {
    gem_port::Bits bit;
    const char* text;
};
constexpr std::array kFaults{
    FaultName{gem_port::port_status_bits::receive_order, "the controller wrote out of turn"},
    FaultName{gem_port::port_status_bits::receive_length, "a frame's length is not what was written"},
    FaultName{gem_port::port_status_bits::receive_span, "a frame over more than one buffer"},
    FaultName{gem_port::port_status_bits::transmit_order, "a transmit descriptor came back out of turn"},
    FaultName{gem_port::port_status_bits::transmit_error, "a frame came back with an error"},
    FaultName{gem_port::port_status_bits::transmit_late, "a frame was not sent in time"},
    FaultName{gem_port::port_status_bits::start_refused, "net_ctrl cannot be written by the fabric"},
};

std::string hex(std::uint32_t value) {
    std::ostringstream text;
    text << "0x" << std::hex << value;
    return text.str();
}

}  // namespace

void GemDriver::start() {
    if (const std::uint32_t magic = port(preg::magic); magic != gem_port::magic_word)
        throw GemError("no window of the fabric: its magic register reads " + hex(magic) + ", expected " +
                       hex(gem_port::magic_word));
    if (const std::uint32_t hash = port(preg::hwmap_hash); hash != gem_port::kHash)
        throw GemError("hwmap mismatch: the window has " + hex(hash) + ", this program " +
                       hex(gem_port::kHash) +
                       "; rebuild the older of the two from the same rtl/hwmap/gem_port.yaml");
    to_cpu_slots_ = port(preg::cap_to_cpu_slots);
    from_cpu_slots_ = port(preg::cap_from_cpu_slots);
    if (!std::has_single_bit(to_cpu_slots_) || !std::has_single_bit(from_cpu_slots_))
        throw GemError("the window has " + std::to_string(to_cpu_slots_) + " and " +
                       std::to_string(from_cpu_slots_) + " mailboxes: both are powers of two");
    found_.clear();
    for (const std::uint32_t addr : kRestored) found_.emplace_back(addr, controller(addr));
    found_.emplace_back(greg::interrupt_enable, ~controller(greg::interrupt_mask) & kAllInterrupts);
    found_.emplace_back(greg::net_ctrl, controller(greg::net_ctrl) & ~kDma);
    set_up_controller();
    set_up_port();
}

void GemDriver::restart() {
    set_up_controller();
    set_up_port();
}

// In the order of UG585, 16.3: off, statistics and status cleared, interrupts off, no queues; then
// configured, the PHY asked, the queues named. Receiving and sending are switched on last, by set_up_port.
void GemDriver::set_up_controller() {
    using namespace zynq_gem::net_cfg_bits;
    using namespace zynq_gem::net_ctrl_bits;
    set_port(preg::control, 0);
    switch_off();
    set_controller(greg::net_ctrl, clear_statistics.of(1));
    set_controller(greg::rx_status, kAllStatus);
    set_controller(greg::tx_status, kAllStatus);
    set_controller(greg::interrupt_disable, kAllInterrupts);
    set_controller(greg::receive_queue, 0);
    set_controller(greg::transmit_queue, 0);
    // The FCS stays with the frame: the core checks it again. Every frame is received, as by a wire, so the
    // controller's own addresses play no part.
    const std::uint32_t config =
        (controller(greg::net_cfg) & mdc_divisor.mask()) | receive_1536.of(1) | copy_all.of(1);
    set_controller(greg::net_cfg, config | full_duplex.of(1) | gigabit.of(1));
    set_controller(greg::dma_cfg,
                   burst_length.of(zynq_gem::burst_incr16) | receive_memory.of(3) | transmit_memory.of(1) |
                       rx_buf_size.of(gem_port::receive_bytes / zynq_gem::receive_buffer_unit));
    set_controller(greg::net_ctrl, management_on.of(1));
    find_phy();
    if (const Link agreed = link(); agreed.up)
        set_controller(greg::net_cfg, config | full_duplex.of(agreed.full_duplex) |
                                          gigabit.of(agreed.mbit_s == 1000) |
                                          speed_100.of(agreed.mbit_s == 100));
    const std::uint32_t base = bus_.window_base();
    set_controller(greg::receive_queue, base + gem_port::memory::receive_descriptors.base);
    set_controller(greg::transmit_queue, base + gem_port::memory::transmit_descriptors.base);
}

void GemDriver::set_up_port() {
    using namespace zynq_gem::net_ctrl_bits;
    const std::uint32_t running = kDma | management_on.of(1);
    to_cpu_tail_ = from_cpu_head_ = to_cpu_head_ = from_cpu_tail_ = given_back_ = 0;
    unsent_ = port(preg::count_queued) - port(preg::count_sent);
    set_port(preg::window_base, bus_.window_base());
    set_port(preg::start_address, bus_.controller_base() + greg::net_ctrl);
    set_port(preg::start_value, running | start_tx.of(1));
    set_port(preg::control, gem_port::control_bits::receive.of(1) | gem_port::control_bits::transmit.of(1));
    set_controller(greg::net_ctrl, running);
}

// The port is off, but a start that it has begun may still be on its way, and would switch the DMA on again.
void GemDriver::switch_off() {
    set_controller(greg::net_ctrl, 0);
    for (unsigned look = 0, still = 0; look < kLooks && still < kStill; ++look) {
        if ((controller(greg::net_ctrl) & kDma) == 0) {
            ++still;
            continue;
        }
        set_controller(greg::net_ctrl, 0);
        still = 0;
    }
}

// A frame is in from_cpu_head until the fabric has decided of it, then queued, then sent: read in this order,
// and twice, for it is queued some cycles behind the decision.
bool GemDriver::all_sent() {
    if (port(preg::from_cpu_tail) != from_cpu_head_) return false;
    const std::uint32_t queued = port(preg::count_queued);
    return queued - port(preg::count_sent) == unsent_;
}

void GemDriver::stop() {
    // The port alone stops receiving. net_ctrl is the fabric's while it sends: each start writes all of it.
    set_port(preg::control, gem_port::control_bits::transmit.of(1));
    // What the kernel has handed over, its FIN among it, still leaves.
    for (unsigned look = 0, still = 0; look < kLooks && still < 2 && port(preg::port_status) == 0; ++look)
        still = all_sent() ? still + 1 : 0;
    set_port(preg::control, 0);
    switch_off();
    for (const auto& [addr, value] : found_) set_controller(addr, value);
    found_.clear();
}

// Both rings' counts in one read.
void GemDriver::look() {
    std::array<std::uint32_t, 4> counts{};
    static_assert(preg::from_cpu_tail - preg::to_cpu_head == sizeof counts - kWord);
    bus_.read(Place::window, preg::to_cpu_head, counts);
    to_cpu_head_ = counts.front();
    from_cpu_tail_ = counts.back();
}

void GemDriver::give_back() {
    if (given_back_ == to_cpu_tail_) return;
    set_port(preg::to_cpu_tail, to_cpu_tail_);
    given_back_ = to_cpu_tail_;
}

std::optional<Frame> GemDriver::receive() {
    // As many as there are mailboxes: where all that comes is bad, somebody else is to have a turn.
    for (std::uint32_t box = 0; box < to_cpu_slots_; ++box) {
        if (to_cpu_head_ == to_cpu_tail_) {
            give_back();
            look();
            if (to_cpu_head_ == to_cpu_tail_) return std::nullopt;
            check_count(to_cpu_head_ - to_cpu_tail_, to_cpu_slots_);
        }
        std::optional<Frame> frame =
            take_out(gem_port::memory::to_cpu.base + to_cpu_tail_ % to_cpu_slots_ * gem_port::slot_bytes);
        ++to_cpu_tail_;
        if (to_cpu_tail_ - given_back_ >= to_cpu_slots_ / 2) give_back();
        if (frame) {
            ++counts_.received;
            return frame;
        }
        ++counts_.bad;
    }
    return std::nullopt;
}

// The frame of one mailbox, without its FCS; none if length or FCS are not a frame's.
std::optional<Frame> GemDriver::take_out(std::uint32_t box) {
    static_assert(gem_port::mail_head_bytes == kWord);
    // Length and a short frame in one read.
    std::vector<std::uint32_t> words(1 + kShortest / kWord);
    bus_.read(Place::window, box, words);
    const std::uint32_t length = words[0];
    if (length < kShortest || length > kLongest) return std::nullopt;
    const std::size_t there = words.size();
    words.resize(1 + (length + kWord - 1) / kWord);
    if (words.size() > there)
        bus_.read(Place::window, box + static_cast<std::uint32_t>(there * kWord),
                  std::span(words).subspan(there));
    Frame frame(length);
    for (std::size_t i = 0; i < length; ++i)
        frame[i] = static_cast<std::uint8_t>(words[1 + i / kWord] >> (8 * (i % kWord)));
    if (!board::strip_fcs(frame)) return std::nullopt;
    return frame;
}

bool GemDriver::send(FrameView frame) {
    const Frame whole = board::with_fcs(frame);
    if (whole.size() > kLongest) {
        ++counts_.oversized;
        return true;
    }
    if (from_cpu_head_ - from_cpu_tail_ >= from_cpu_slots_) {
        look();
        check_count(from_cpu_head_ - from_cpu_tail_, from_cpu_slots_);
        if (from_cpu_head_ - from_cpu_tail_ == from_cpu_slots_) return false;
    }
    std::vector<std::uint32_t> words(1 + (whole.size() + kWord - 1) / kWord);
    words[0] = static_cast<std::uint32_t>(whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i)
        words[1 + i / kWord] |= static_cast<std::uint32_t>(whole[i]) << (8 * (i % kWord));
    bus_.write(Place::window,
               gem_port::memory::from_cpu.base + from_cpu_head_ % from_cpu_slots_ * gem_port::slot_bytes,
               words);
    set_port(preg::from_cpu_head, ++from_cpu_head_);
    ++counts_.sent;
    return true;
}

std::string GemDriver::fault() {
    const std::uint32_t status = port(preg::port_status);
    std::string text;
    for (const FaultName& fault : kFaults)
        if (fault.bit.in(status) != 0) text += (text.empty() ? "" : ", ") + std::string(fault.text);
    return text;
}

std::uint32_t GemDriver::phy_access(std::uint32_t way, std::uint32_t number, std::uint32_t word) {
    using namespace zynq_gem::phy_maintenance_bits;
    set_controller(greg::phy_maintenance, clause_22.of(1) | operation.of(way) | phy_address.of(phy_) |
                                              phy_register.of(number) | must_be_two.of(2) | value.of(word));
    for (unsigned look = 0; look < kLooks; ++look)
        if (zynq_gem::net_status_bits::management_idle.in(controller(greg::net_status)) != 0)
            return value.in(controller(greg::phy_maintenance));
    throw GemError("the controller's port to the PHY does not answer");
}

std::uint32_t GemDriver::phy_read(std::uint32_t number) { return phy_access(2, number, 0); }

void GemDriver::phy_write(std::uint32_t number, std::uint32_t word) { phy_access(1, number, word); }

// The kernel's driver puts it to sleep when it goes.
void GemDriver::wake_phy() {
    const std::uint32_t control = phy_read(kPhyControl);
    if ((control & kPhyPowerDown) != 0) phy_write(kPhyControl, (control & ~kPhyPowerDown) | kPhyNegotiate);
}

void GemDriver::find_phy() {
    for (phy_ = 0; phy_ < kPhyAddresses; ++phy_)
        if (const std::uint32_t id = phy_read(kPhyId); id != 0xFFFF && id != 0) return wake_phy();
    throw GemError("no PHY answers the controller: is its clock on?");
}

Link GemDriver::link() {
    phy_read(kPhyStatus);  // a link that was lost shows in the first read
    const bool up = (phy_read(kPhyStatus) & kPhyLink) != 0;
    if (!up) return {};
    if ((phy_read(kPhyGigabit) & kPhyPartner1000Full) != 0)
        return {.up = true, .mbit_s = 1000, .full_duplex = true};
    const std::uint32_t common = phy_read(kPhyAbilities) & phy_read(kPhyPartner);
    const bool fast = (common & (kPhy100Full | kPhy100Half)) != 0;
    return {.up = true,
            .mbit_s = fast ? 100U : 10U,
            .full_duplex = (common & (fast ? kPhy100Full : kPhy10Full)) != 0};
}

}  // namespace fixaccel::gem
