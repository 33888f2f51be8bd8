// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/hwmap/gem_port.yaml by `fixaccel hwmap generate`; do not edit.
// Source: sha256 78b14999a5c87079a67588c0a80ac760fdb26825629d4e6fc83ac0915a301844
#pragma once

#include <cstdint>

// The window of gem_port, behind which the processing system's Ethernet controller is the fabric's wire.
namespace fixaccel::gem_port {

inline constexpr std::uint32_t kHash = 0x78b14999;

inline constexpr std::uint32_t address_bits = 0x11;  // Width of a byte address in this window.
inline constexpr std::uint32_t magic_word = 0x4658474d;  // What the register magic reads: FXGM.
inline constexpr std::uint32_t slot_bytes = 0x800;  // Distance from one frame to the next in each memory of frames.
inline constexpr std::uint32_t receive_bytes = 0x600;  // Size of a receive buffer.
inline constexpr std::uint32_t mail_head_bytes = 0x4;  // Bytes ahead of the frame in a mailbox: its length, FCS included.
inline constexpr std::uint32_t slot_limit_cycles = 0x1e848;  // What slot_limit reads after a reset: a millisecond at 125 MHz, of which the longest frame takes 12 microseconds at 1 Gb/s and 122 at 100 Mb/s.

namespace reg {
inline constexpr std::uint32_t magic = 0x000;  // Reads magic_word, FXGM.
inline constexpr std::uint32_t hwmap_hash = 0x004;  // First 32 bits of the SHA-256 of this map. Software refuses a mismatch by name.
inline constexpr std::uint32_t cap_receive_slots = 0x008;  // Receive buffers and their descriptors.
inline constexpr std::uint32_t cap_transmit_slots = 0x00c;  // Transmit buffers and their descriptors.
inline constexpr std::uint32_t cap_to_cpu_slots = 0x010;  // Mailboxes to the CPU.
inline constexpr std::uint32_t cap_from_cpu_slots = 0x014;  // Mailboxes from the CPU.
inline constexpr std::uint32_t window_base = 0x018;  // Physical address of this window, as the controller sees it: descriptors name it. A multiple of its size; taken while `control` is 0.
inline constexpr std::uint32_t start_address = 0x01c;  // Physical address of the controller's net_ctrl, which the fabric writes to send; taken while `control` is 0.
inline constexpr std::uint32_t start_value = 0x020;  // What it writes there: net_ctrl as it stands, with start_tx; taken while `control` is 0.
inline constexpr std::uint32_t slot_limit = 0x024;  // Longest time that the oldest frame to be sent may take; then the port fails.
inline constexpr std::uint32_t control = 0x028;  // What of the port is on. Writing 0 empties the port and clears its faults.
inline constexpr std::uint32_t port_status = 0x02c;  // What went wrong; any bit disarms the fabric and stops sending until `control` is written 0.
inline constexpr std::uint32_t to_cpu_head = 0x030;  // Frames ever put into mailboxes to the CPU, modulo 2^32; number n lies in box n - 1 modulo their number.
inline constexpr std::uint32_t to_cpu_tail = 0x034;  // Frames that the CPU has taken out of them, likewise.
inline constexpr std::uint32_t from_cpu_head = 0x038;  // Frames that the CPU has ever put into mailboxes from it, likewise.
inline constexpr std::uint32_t from_cpu_tail = 0x03c;  // Frames among them of which the fabric has decided: they leave, or are stopped or thrown away; likewise.
inline constexpr std::uint32_t count_received = 0x040;  // Frames that the controller has handed over, modulo 2^32.
inline constexpr std::uint32_t count_aborted = 0x044;  // Those among them that were not whole.
inline constexpr std::uint32_t count_queued = 0x048;  // Frames that the fabric has given the controller to send.
inline constexpr std::uint32_t count_sent = 0x04c;  // Frames that the controller has given back as sent.
inline constexpr std::uint32_t count_starts = 0x050;  // Writes of start_tx.
inline constexpr std::uint32_t count_restarts = 0x054;  // Those among them that repeated one, because a descriptor had not been looked at while none was being sent.
inline constexpr std::uint32_t count_discarded = 0x058;  // Frames that were to be sent while the port had failed, or from the CPU with an impossible length.
}  // namespace reg

// A run of bits in a word.
struct Bits {
    unsigned lsb;
    unsigned width;
    [[nodiscard]] constexpr std::uint32_t mask() const {
        return width == 32 ? ~0U : ((1U << width) - 1U) << lsb;
    }
    [[nodiscard]] constexpr std::uint32_t of(std::uint32_t value) const { return (value << lsb) & mask(); }
    [[nodiscard]] constexpr std::uint32_t in(std::uint32_t word) const { return (word & mask()) >> lsb; }
};

// Register control: What of the port is on. Writing 0 empties the port and clears its faults.
namespace control_bits {
inline constexpr Bits receive{0, 1};  // Receive descriptors are the controller's.
inline constexpr Bits transmit{1, 1};  // Frames are sent.
}  // namespace control_bits

// Register port_status: What went wrong; any bit disarms the fabric and stops sending until `control` is written 0.
namespace port_status_bits {
inline constexpr Bits receive_order{0, 1};  // The controller wrote into a receive buffer out of turn, or a descriptor that is not the next.
inline constexpr Bits receive_length{1, 1};  // A frame's length is not that of what was written.
inline constexpr Bits receive_span{2, 1};  // A frame over more than one buffer.
inline constexpr Bits transmit_order{3, 1};  // A transmit descriptor was given back out of turn.
inline constexpr Bits transmit_error{4, 1};  // A frame came back with an error: underrun, bus error, collisions.
inline constexpr Bits transmit_late{5, 1};  // The oldest frame was not sent within slot_limit.
inline constexpr Bits start_refused{6, 1};  // The bus refused the write of net_ctrl.
}  // namespace port_status_bits

// Four bytes of a frame, the first one lowest. A field's word is named with it.
namespace frame_word {
inline constexpr std::uint32_t stride_bytes = 4;
inline constexpr Bits word{0, 32};  // word 0: Four bytes.
}  // namespace frame_word

// A descriptor of the controller, see zynq_gem. A field's word is named with it.
namespace descriptor_words {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits first{0, 32};  // word 0: Its first word.
inline constexpr Bits second{0, 32};  // word 1: Its second word.
}  // namespace descriptor_words

// A window of records.
struct Window {
    std::uint32_t base;          // byte address
    std::uint32_t stride_bytes;  // from one record to the next
    std::uint32_t room;          // records
};

namespace memory {
inline constexpr Window receive_descriptors{0x000400, 8, 16};
inline constexpr Window transmit_descriptors{0x000600, 8, 4};
inline constexpr Window transmit_frames{0x002000, 4, 2048};
inline constexpr Window to_cpu{0x004000, 4, 4096};
inline constexpr Window from_cpu{0x008000, 4, 4096};
inline constexpr Window receive_frames{0x010000, 4, 8192};
}  // namespace memory

}  // namespace fixaccel::gem_port
