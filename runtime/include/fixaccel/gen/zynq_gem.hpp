// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/hwmap/zynq_gem.yaml by `fixaccel hwmap generate`; do not edit.
// Source: sha256 ab07f9179adc3ea43979261698f31904915faa7e88afe51aca4b6b81e0230326
#pragma once

#include <cstdint>

// The Zynq's own Ethernet controller, a Cadence GEM, as far as fixaccel uses it.
namespace fixaccel::zynq_gem {

inline constexpr std::uint32_t kHash = 0xab07f917;

inline constexpr std::uint32_t address_bits = 0xc;  // Width of a byte address among its registers.
inline constexpr std::uint32_t base_gem0 = 0xe000b000;  // Physical address of GEM 0.
inline constexpr std::uint32_t base_gp0 = 0x40000000;  // Physical address of what the fabric has behind M_AXI_GP0.
inline constexpr std::uint32_t base_gp1 = 0x80000000;  // Physical address of what it has behind M_AXI_GP1.
inline constexpr std::uint32_t base_gem1 = 0xe000c000;  // Physical address of GEM 1.
inline constexpr std::uint32_t receive_buffer_unit = 0x40;  // Bytes that one step of dma_cfg.rx_buf_size stands for.
inline constexpr std::uint32_t burst_beats = 0x10;  // Beats of the longest burst: INCR16.
inline constexpr std::uint32_t burst_incr16 = 0x10;  // Value of dma_cfg.burst_length: bursts of 16 where space and data allow, else single transfers.
inline constexpr std::uint32_t mdc_divisor_64 = 0x4;  // Value of net_cfg.mdc_divisor for a management clock of cpu_1x / 64.
inline constexpr std::uint32_t module_version = 0x20118;  // What module_id reads on the Zynq-7000.

namespace reg {
inline constexpr std::uint32_t net_ctrl = 0x000;  // Network control.
inline constexpr std::uint32_t net_cfg = 0x004;  // Network configuration.
inline constexpr std::uint32_t net_status = 0x008;  // Network status.
inline constexpr std::uint32_t dma_cfg = 0x010;  // How the DMA moves data.
inline constexpr std::uint32_t tx_status = 0x014;  // What happened while sending; a 1 clears a bit.
inline constexpr std::uint32_t receive_queue = 0x018;  // Address of the receive descriptors; reads the current one's.
inline constexpr std::uint32_t transmit_queue = 0x01c;  // Address of the transmit descriptors; reads the current one's.
inline constexpr std::uint32_t rx_status = 0x020;  // What happened while receiving; a 1 clears a bit.
inline constexpr std::uint32_t interrupt_status = 0x024;  // Interrupts, reading or a 1 clears.
inline constexpr std::uint32_t interrupt_enable = 0x028;  // A 1 switches an interrupt on.
inline constexpr std::uint32_t interrupt_disable = 0x02c;  // A 1 switches an interrupt off.
inline constexpr std::uint32_t interrupt_mask = 0x030;  // A 1: the interrupt is off.
inline constexpr std::uint32_t phy_maintenance = 0x034;  // One access to a register of the PHY.
inline constexpr std::uint32_t address_1_low = 0x088;  // First four bytes of the own MAC address, the first lowest.
inline constexpr std::uint32_t address_1_high = 0x08c;  // Its last two bytes.
inline constexpr std::uint32_t module_id = 0x0fc;  // Kind and revision of the controller.
inline constexpr std::uint32_t frames_sent = 0x108;  // Frames sent without an error, cleared by reading.
inline constexpr std::uint32_t transmit_under_runs = 0x134;  // Frames that were cut off for want of data, cleared by reading.
inline constexpr std::uint32_t frames_received = 0x158;  // Frames received without an error, cleared by reading.
inline constexpr std::uint32_t fcs_errors = 0x190;  // Frames with a wrong FCS, cleared by reading.
inline constexpr std::uint32_t receive_no_buffer = 0x1a0;  // Frames for which there was no buffer, cleared by reading.
inline constexpr std::uint32_t receive_over_runs = 0x1a4;  // Frames for which the packet buffer had no room, cleared by reading.
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

// Register net_ctrl: Network control.
namespace net_ctrl_bits {
inline constexpr Bits loopback_local{1, 1};  // What is sent is received.
inline constexpr Bits receive_on{2, 1};  // Receiving is on; off, the receive pointer returns to receive_queue's.
inline constexpr Bits transmit_on{3, 1};  // Sending is on; off, the transmit pointer returns to transmit_queue's.
inline constexpr Bits management_on{4, 1};  // The port to the PHY's registers is on.
inline constexpr Bits clear_statistics{5, 1};  // Writing 1 clears the statistics.
inline constexpr Bits start_tx{9, 1};  // Writing 1 starts sending; reads as 0.
inline constexpr Bits halt_tx{10, 1};  // Writing 1 halts sending behind the frame that leaves.
}  // namespace net_ctrl_bits

// Register net_cfg: Network configuration.
namespace net_cfg_bits {
inline constexpr Bits speed_100{0, 1};  // 100 Mb/s, else 10; gigabit goes first.
inline constexpr Bits full_duplex{1, 1};  // Both directions at once.
inline constexpr Bits copy_all{4, 1};  // Every good frame is received.
inline constexpr Bits receive_1536{8, 1};  // Frames of up to 1,536 bytes are received, else 1,518.
inline constexpr Bits gigabit{10, 1};  // 1 Gb/s.
inline constexpr Bits pause_on{13, 1};  // Pause frames are obeyed.
inline constexpr Bits receive_offset{14, 2};  // Bytes ahead of the frame in its buffer.
inline constexpr Bits fcs_remove{17, 1};  // The FCS is not written into the buffer and not counted in its length.
inline constexpr Bits mdc_divisor{18, 3};  // Clock of the management port.
inline constexpr Bits receive_checksums{24, 1};  // Frames with a wrong IP or TCP checksum are dropped.
inline constexpr Bits ignore_fcs{26, 1};  // Frames with a wrong FCS are received.
}  // namespace net_cfg_bits

// Register net_status: Network status.
namespace net_status_bits {
inline constexpr Bits management_idle{2, 1};  // The port to the PHY's registers is at rest.
}  // namespace net_status_bits

// Register dma_cfg: How the DMA moves data.
namespace dma_cfg_bits {
inline constexpr Bits burst_length{0, 5};  // Bursts to attempt for frame data; descriptors are single transfers.
inline constexpr Bits swap_descriptors{6, 1};  // Descriptors are big-endian.
inline constexpr Bits swap_data{7, 1};  // Frame data are big-endian.
inline constexpr Bits receive_memory{8, 2};  // Size of the receive packet buffer; 3: all of it.
inline constexpr Bits transmit_memory{10, 1};  // Size of the transmit packet buffer; 1: all of it.
inline constexpr Bits checksum_offload{11, 1};  // Checksums are made while sending.
inline constexpr Bits rx_buf_size{16, 8};  // Size of a receive buffer, in receive_buffer_unit bytes.
inline constexpr Bits discard_without_buffer{24, 1};  // A frame for which there is no buffer is dropped at once.
}  // namespace dma_cfg_bits

// Register tx_status: What happened while sending; a 1 clears a bit.
namespace tx_status_bits {
inline constexpr Bits used_read{0, 1};  // A descriptor was read that is not the controller's.
inline constexpr Bits retry_limit{2, 1};  // Too many collisions.
inline constexpr Bits going{3, 1};  // Sending is under way.
inline constexpr Bits bus_corrupt{4, 1};  // A bus error inside a frame.
inline constexpr Bits complete{5, 1};  // A frame has been sent.
inline constexpr Bits under_run{6, 1};  // Data came too late.
inline constexpr Bits late_collision{7, 1};  // A collision too late to repeat.
inline constexpr Bits bus_error{8, 1};  // The bus answered with an error.
}  // namespace tx_status_bits

// Register rx_status: What happened while receiving; a 1 clears a bit.
namespace rx_status_bits {
inline constexpr Bits no_buffer{0, 1};  // A descriptor was read that is not the controller's.
inline constexpr Bits received{1, 1};  // A frame was received.
inline constexpr Bits over_run{2, 1};  // The packet buffer was full.
inline constexpr Bits bus_error{3, 1};  // The bus answered with an error.
}  // namespace rx_status_bits

// Register phy_maintenance: One access to a register of the PHY.
namespace phy_maintenance_bits {
inline constexpr Bits value{0, 16};  // What is written or was read.
inline constexpr Bits must_be_two{16, 2};  // Always 2.
inline constexpr Bits phy_register{18, 5};  // The PHY's register.
inline constexpr Bits phy_address{23, 5};  // The PHY.
inline constexpr Bits operation{28, 2};  // 1 writes, 2 reads.
inline constexpr Bits clause_22{30, 1};  // Always 1.
}  // namespace phy_maintenance_bits

// One receive buffer. The controller writes the second word, then sets `used`. A field's word is named with it.
namespace receive_descriptor {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits used{0, 1};  // word 0: Set: software's. The controller sets it once it has filled the buffer.
inline constexpr Bits wrap{1, 1};  // word 0: The last of the ring.
inline constexpr Bits address{2, 30};  // word 0: Address of the buffer / 4.
inline constexpr Bits length{0, 13};  // word 1: Bytes of the frame; stands with frame_end.
inline constexpr Bits checksum_state{13, 1};  // word 1: With ignore_fcs: the FCS was wrong.
inline constexpr Bits frame_begin{14, 1};  // word 1: The buffer holds a frame's first byte.
inline constexpr Bits frame_end{15, 1};  // word 1: And its last one.
inline constexpr Bits how_matched{16, 16};  // word 1: Why it was received.
}  // namespace receive_descriptor

// One transmit buffer. The controller sets `used` of a frame's first buffer when the frame has left. A field's word is named with it.
namespace transmit_descriptor {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits address{0, 32};  // word 0: Address of the buffer.
inline constexpr Bits length{0, 14};  // word 1: Bytes in it.
inline constexpr Bits reserved{14, 1};  // word 1: Zero.
inline constexpr Bits last{15, 1};  // word 1: It holds the frame's last byte.
inline constexpr Bits no_fcs{16, 1};  // word 1: The frame brings its own FCS.
inline constexpr Bits reserved2{17, 3};  // word 1: Zero.
inline constexpr Bits checksum_errors{20, 3};  // word 1: What the checksum offload could not do.
inline constexpr Bits reserved3{23, 3};  // word 1: Zero.
inline constexpr Bits late_collision{26, 1};  // word 1: A collision too late to repeat.
inline constexpr Bits bus_corrupt{27, 1};  // word 1: A bus error inside the frame.
inline constexpr Bits under_run{28, 1};  // word 1: Data came too late.
inline constexpr Bits retry_limit{29, 1};  // word 1: Too many collisions.
inline constexpr Bits wrap{30, 1};  // word 1: The last of the ring.
inline constexpr Bits used{31, 1};  // word 1: Set: not the controller's.
}  // namespace transmit_descriptor

}  // namespace fixaccel::zynq_gem
