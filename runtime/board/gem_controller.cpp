// SPDX-License-Identifier: Apache-2.0
#include "gem_controller.hpp"

#include <algorithm>
#include <utility>

#include "fixaccel/gen/gem_port.hpp"
#include "fixaccel/gen/zynq_gem.hpp"
#include "streams.hpp"

namespace fixaccel::board {
namespace {

using namespace zynq_gem;

constexpr std::size_t kReceiveBuffer = 8192;  // bytes of the receive packet buffer, all of it in use
constexpr std::uint32_t kWordBytes = 4;
constexpr std::uint32_t kWindowMask = (1U << gem_port::address_bits) - 1;
constexpr std::size_t kShortestMax = 1518;  // bytes of the longest frame without receive_1536
constexpr std::size_t kLongestMax = 1536;

// Cleared by reading.
constexpr std::array kStatistics{reg::frames_sent, reg::transmit_under_runs, reg::frames_received,
                                 reg::fcs_errors,  reg::receive_no_buffer,   reg::receive_over_runs};

// The PHY: one at address 0 that has agreed on 1 Gb/s, full duplex.
constexpr std::uint32_t kPhyAddress = 0;
constexpr std::array<std::uint16_t, 16> kPhyRegisters{
    0x1140,  // control: negotiates, full duplex, 1 Gb/s
    0x796D,  // status: link, negotiation complete
    0x001C, 0xC916, 0x01E1, 0xC1E1, 0,     0, 0, 0x0300,
    0x3C00,  // 1000BASE-T status: the partner can, both receivers are well
    0,      0,      0,      0,      0x3000};

}  // namespace

GemController::GemController(GemWindow& window, const GemTiming& timing)
    : window_(window), timing_(timing), random_(timing.seed) {
    reset();
}

void GemController::reset() {
    registers_.clear();
    registers_[reg::net_cfg] = 0x00080000;
    registers_[reg::net_status] = net_status_bits::management_idle.mask();
    registers_[reg::dma_cfg] = 0x00020784;
    registers_[reg::module_id] = module_version;
    line_in_.clear();
    stored_in_.clear();
    stored_out_.clear();
    in_position_ = out_position_ = 0;
    stored_bytes_ = 0;
    receive_ = {};
    const std::uint64_t number = transmit_.number;
    transmit_ = {};
    transmit_.number = number;
}

bool GemController::on(std::uint32_t addr, std::uint32_t mask) const {
    const auto found = registers_.find(addr);
    return found != registers_.end() && (found->second & mask) != 0;
}

std::uint32_t GemController::read(std::uint32_t addr) {
    switch (addr) {
        case reg::receive_queue:
            return receive_.at;
        case reg::transmit_queue:
            return transmit_.at;
        case reg::interrupt_status:
            return std::exchange(registers_[addr], 0);
        default:
            if (std::ranges::find(kStatistics, addr) != kStatistics.end())
                return std::exchange(registers_[addr], 0);
            return registers_[addr];
    }
}

void GemController::write(std::uint32_t addr, std::uint32_t value) {
    switch (addr) {
        case reg::net_ctrl: {
            registers_[addr] =
                value & ~(net_ctrl_bits::start_tx.mask() | net_ctrl_bits::clear_statistics.mask());
            if (net_ctrl_bits::clear_statistics.in(value) != 0)
                for (const std::uint32_t counter : kStatistics) registers_[counter] = 0;
            if (net_ctrl_bits::receive_on.in(value) == 0) stop_receive();
            if (net_ctrl_bits::transmit_on.in(value) == 0) {
                stop_transmit();
            } else if (net_ctrl_bits::start_tx.in(value) != 0 && transmit_.state == Transmit::idle) {
                flag(reg::tx_status, tx_status_bits::going.mask());
                transmit_.state = Transmit::address;
            }
            break;
        }
        case reg::receive_queue:
            registers_[addr] = receive_.at = value;  // while receiving is off
            break;
        case reg::transmit_queue:
            registers_[addr] = transmit_.at = value;
            break;
        case reg::tx_status:
        case reg::rx_status:
        case reg::interrupt_status:
            registers_[addr] &= ~value;
            break;
        case reg::interrupt_enable:
            registers_[reg::interrupt_mask] &= ~value;
            break;
        case reg::interrupt_disable:
            registers_[reg::interrupt_mask] |= value;
            break;
        case reg::phy_maintenance:
            phy(value);
            break;
        default:
            registers_[addr] = value;
    }
}

void GemController::phy(std::uint32_t command) {
    using namespace phy_maintenance_bits;
    constexpr std::uint32_t kRead = 2;
    if (operation.in(command) == kRead) {
        const std::uint32_t number = phy_register.in(command);
        const bool there = phy_address.in(command) == kPhyAddress && number < kPhyRegisters.size();
        command = (command & ~phy_maintenance_bits::value.mask()) | (there ? kPhyRegisters[number] : 0xFFFFU);
    }
    registers_[reg::phy_maintenance] = command;
}

// A burst of the DMA; the fabric's window is what it reaches.
GemBurst GemController::burst(bool write, std::uint32_t physical, std::vector<std::uint32_t> words) {
    return {.write = write,
            .addr = physical & kWindowMask,
            .words = std::move(words),
            .wait = chance(timing_.most_wait),
            .gap = chance(timing_.most_gap),
            .when = {}};
}

bool GemController::step(std::uint64_t cycle) {
    const bool in = step_line_in();
    const bool out = step_line_out(cycle);
    const bool received = step_receive();
    return step_transmit(cycle) || in || out || received;
}

// A byte a cycle at 1 Gb/s, preamble and gap with it.
bool GemController::step_line_in() {
    if (line_in_.empty()) return false;
    if (++in_position_ < line_in_.front().size() + kInterFrameCycles) return true;
    in_position_ = 0;
    Frame frame = std::move(line_in_.front());
    line_in_.pop_front();
    const std::size_t most = on(reg::net_cfg, net_cfg_bits::receive_1536.mask()) ? kLongestMax : kShortestMax;
    Frame checked = frame;
    if (!on(reg::net_ctrl, net_ctrl_bits::receive_on.mask())) return true;
    if (!strip_fcs(checked) || frame.size() > most) {
        count(reg::fcs_errors);
    } else if (stored_bytes_ + frame.size() > kReceiveBuffer) {
        count(reg::receive_over_runs);
        flag(reg::rx_status, rx_status_bits::over_run.mask());
    } else {
        stored_bytes_ += frame.size();
        stored_in_.push_back(std::move(frame));
    }
    return true;
}

bool GemController::step_line_out(std::uint64_t cycle) {
    if (stored_out_.empty() || (stalled_ && out_position_ == 0)) return false;
    if (out_position_ == 0) out_first_ = cycle;
    Frame& frame = stored_out_.front();
    if (++out_position_ == frame.size()) {
        SentFrame sent;
        sent.first_cycle = out_first_;
        sent.last_cycle = cycle;
        std::copy_n(frame.end() - std::ptrdiff_t{kFcsBytes}, kFcsBytes, sent.fcs.begin());
        sent.bytes = frame;
        sent.fcs_good = strip_fcs(sent.bytes);
        left_.push_back(std::move(sent));
    }
    if (out_position_ < frame.size() + kInterFrameCycles) return true;
    out_position_ = 0;
    stored_out_.pop_front();
    return true;
}

bool GemController::step_receive() {
    Receive& now = receive_;
    if (now.state == Receive::idle) {
        if (stored_in_.empty() || !on(reg::net_ctrl, net_ctrl_bits::receive_on.mask())) return false;
        now.burst = burst(false, now.at, {0});
        window_.controller(now.burst);
        now.state = Receive::descriptor;
        return true;
    }
    if (!now.burst.done) return true;
    if (now.stops) {
        stop_receive();
        return true;
    }
    if (now.burst.refused) flag(reg::rx_status, rx_status_bits::bus_error.mask());
    const Frame& frame = stored_in_.front();
    switch (now.state) {
        case Receive::descriptor:
            now.first = now.burst.words[0];
            if (receive_descriptor::used.in(now.first) != 0) {
                flag(reg::rx_status, rx_status_bits::no_buffer.mask());
                count(reg::receive_no_buffer);
                stored_bytes_ -= frame.size();
                stored_in_.pop_front();
                now.state = Receive::idle;
                break;
            }
            now.position = 0;
            now.state = Receive::data;
            receive_data();
            break;
        case Receive::data:
            if (now.position < frame.size()) {
                receive_data();
                break;
            }
            now.burst = burst(true, now.at + kWordBytes,
                              {receive_descriptor::length.of(static_cast<std::uint32_t>(frame.size())) |
                               receive_descriptor::frame_begin.of(1) | receive_descriptor::frame_end.of(1)});
            window_.controller(now.burst);
            now.state = Receive::status;
            break;
        case Receive::status:
            moments_.frame_ready = now.burst.last_beat;
            now.burst = burst(true, now.at, {now.first | receive_descriptor::used.of(1)});
            window_.controller(now.burst);
            now.state = Receive::own;
            break;
        default:
            count(reg::frames_received);
            flag(reg::rx_status, rx_status_bits::received.mask());
            stored_bytes_ -= frame.size();
            stored_in_.pop_front();
            now.at = receive_descriptor::wrap.in(now.first) != 0
                         ? registers_[reg::receive_queue]
                         : now.at + zynq_gem::receive_descriptor::stride_bytes;
            now.state = Receive::idle;
    }
    return true;
}

// Bursts of 16 while the frame has as many words, then single ones; what the last word holds beyond the frame
// is rubbish.
void GemController::receive_data() {
    const Frame& frame = stored_in_.front();
    const std::size_t left = frame.size() - receive_.position;
    const std::size_t beats = left >= burst_beats * kWordBytes ? burst_beats : 1;
    std::vector<std::uint32_t> words(beats);
    for (std::size_t i = 0; i < beats * kWordBytes; ++i) {
        const std::size_t at = receive_.position + i;
        const std::uint32_t byte = at < frame.size() ? frame[at] : chance(0xFF);
        words[i / kWordBytes] |= byte << (8 * (i % kWordBytes));
    }
    const std::uint32_t buffer = receive_.first & receive_descriptor::address.mask();
    receive_.burst = burst(true, buffer + static_cast<std::uint32_t>(receive_.position), std::move(words));
    window_.controller(receive_.burst);
    receive_.position += beats * kWordBytes;
}

// A burst that is under way comes to its end first.
void GemController::stop_receive() {
    receive_.stops = receive_.state != Receive::idle && !receive_.burst.done;
    if (receive_.stops) return;
    receive_ = {};
    receive_.at = registers_[reg::receive_queue];
}

void GemController::stop_transmit() {
    const bool on_bus = transmit_.state != Transmit::idle && transmit_.state != Transmit::address &&
                        transmit_.state != Transmit::line;
    transmit_.stops = on_bus && !transmit_.burst.done;
    if (transmit_.stops) return;
    const std::uint64_t number = transmit_.number;
    transmit_ = {};
    transmit_.number = number;
    transmit_.at = registers_[reg::transmit_queue];
    registers_[reg::tx_status] &= ~tx_status_bits::going.mask();
}

bool GemController::step_transmit(std::uint64_t cycle) {
    Transmit& now = transmit_;
    if (now.state == Transmit::idle) return false;
    const auto next = [&](bool write, std::uint32_t addr, std::uint32_t word, Transmit::State state) {
        now.burst = burst(write, addr, {word});
        window_.controller(now.burst);
        now.state = state;
    };
    if (now.state == Transmit::address) {
        moments_.start_tx = cycle;
        next(false, now.at, 0, Transmit::control);
        return true;
    }
    if (now.state == Transmit::line) {
        if (!stored_out_.empty() && out_position_ < stored_out_.front().size()) return true;
        const bool under_run = now.number == timing_.under_run, error = now.number == timing_.bus_error;
        next(true, now.at + kWordBytes,
             now.second | transmit_descriptor::used.of(1) | transmit_descriptor::under_run.of(under_run) |
                 transmit_descriptor::bus_corrupt.of(error),
             Transmit::back);
        return true;
    }
    if (!now.burst.done) return true;
    if (now.stops) {
        stop_transmit();
        return true;
    }
    switch (now.state) {
        case Transmit::control:
            if (now.burst.addr == (now.at & kWindowMask)) {
                now.buffer = now.burst.words[0];
                next(false, now.at + kWordBytes, 0, Transmit::control);
                break;
            }
            now.second = now.burst.words[0];
            moments_.descriptor_read = now.burst.last_beat;
            if (transmit_descriptor::used.in(now.second) != 0) {
                flag(reg::tx_status, tx_status_bits::used_read.mask());
                registers_[reg::tx_status] &= ~tx_status_bits::going.mask();
                now.state = Transmit::idle;
                break;
            }
            now.frame.clear();
            now.state = Transmit::data;
            transmit_data();
            break;
        case Transmit::data:
            transmit_data();
            break;
        default:
            if (now.number == timing_.under_run || now.number == timing_.bus_error) {
                const bool under_run = now.number == timing_.under_run;
                if (under_run) count(reg::transmit_under_runs);
                flag(reg::tx_status,
                     (under_run ? tx_status_bits::under_run : tx_status_bits::bus_corrupt).mask());
                registers_[reg::tx_status] &= ~tx_status_bits::going.mask();
                now.state = Transmit::idle;
                break;
            }
            count(reg::frames_sent);
            flag(reg::tx_status, tx_status_bits::complete.mask());
            now.at = transmit_descriptor::wrap.in(now.second) != 0
                         ? registers_[reg::transmit_queue]
                         : now.at + zynq_gem::transmit_descriptor::stride_bytes;
            now.state = Transmit::address;
    }
    return true;
}

// Takes what a burst has brought and asks for the next one; a whole frame goes to the line.
void GemController::transmit_data() {
    Transmit& now = transmit_;
    const std::size_t length = transmit_descriptor::length.in(now.second);
    if (now.burst.addr != ((now.at + kWordBytes) & kWindowMask)) {
        for (const std::uint32_t word : now.burst.words)
            for (unsigned i = 0; i < kWordBytes; ++i)
                now.frame.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
        moments_.last_word = now.burst.last_beat;
    }
    if (now.frame.size() >= length) {
        now.frame.resize(length);
        ++now.number;
        if (transmit_descriptor::no_fcs.in(now.second) == 0) now.frame = with_fcs(now.frame);
        // What is cut off does not leave: the other end would drop it for its FCS.
        if (now.number != timing_.under_run && now.number != timing_.bus_error)
            stored_out_.push_back(now.frame);
        now.state = Transmit::line;
        return;
    }
    const std::size_t left = length - now.frame.size();
    const std::size_t beats = left >= burst_beats * kWordBytes ? burst_beats : 1;
    now.burst = burst(false, now.buffer + static_cast<std::uint32_t>(now.frame.size()),
                      std::vector<std::uint32_t>(beats));
    window_.controller(now.burst);
}

}  // namespace fixaccel::board
