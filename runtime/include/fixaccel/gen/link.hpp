// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/hwmap/link.yaml by `fixaccel hwmap generate`; do not edit.
// Source: sha256 7cca413c68cf897643c8c7ae9bee1c13c157e04e034729dae1f00ff30a0c423a
#pragma once

#include <cstdint>

// Frames of the link between two boards: a header, then records in words of eight bytes.
namespace fixaccel::link {

inline constexpr std::uint32_t kHash = 0x7cca413c;

inline constexpr std::uint32_t address_bits = 0xa;  // Width of a byte address in this map.
inline constexpr std::uint32_t ether_type = 0x88b5;  // EtherType of its frames: local experimental.
inline constexpr std::uint32_t version = 0x1;  // Version of the frames; those of another one are dropped and counted.
inline constexpr std::uint32_t channels = 0x3;  // Channels: fires, prices, host stream. Channel c has bits and numbers c - 1 of the header.
inline constexpr std::uint32_t channel_none = 0x0;  // Channel of a frame with no records.
inline constexpr std::uint32_t channel_fires = 0x1;  // Channel of fires: what one board did, ahead of all others on the wire.
inline constexpr std::uint32_t channel_prices = 0x2;  // Channel of prices: what one board's parsers saw.
inline constexpr std::uint32_t channel_host = 0x3;  // Channel of the daemons' stream of bytes.
inline constexpr std::uint32_t channel_hello = 0xf;  // Channel of a frame that says who its sender is; it has no sequence number.
inline constexpr std::uint32_t buffers = 0x2;  // Frames of a channel that are under way at most, on either side: frame n lies in buffer n modulo this.
inline constexpr std::uint32_t word_bytes = 0x8;  // Bytes of a word of a record.
inline constexpr std::uint32_t ethernet_bytes = 0xe;  // Bytes of a frame ahead of the header: both addresses and the EtherType.
inline constexpr std::uint32_t header_bytes = 0x1a;  // Bytes of the header; the first record begins behind it, at a multiple of a word from the frame's begin.
inline constexpr std::uint32_t record_words = 0x3c;  // Words of a record at most; one of the host stream goes to its frame's end.
inline constexpr std::uint32_t beats = 0x8;  // Beats in a lease.
inline constexpr std::uint32_t type_hello = 0x1;  // Type of a record: who its sender is.
inline constexpr std::uint32_t type_bytes = 0x2;  // Type of a record: bytes of the host stream, up to the frame's end; `number` is how many.

namespace reg {
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

// The header, 26 bytes. A field's word is named with it.
namespace link_header {
inline constexpr std::uint32_t stride_bytes = 32;
inline constexpr Bits echo{0, 16};  // word 0: The newest beat that was received.
inline constexpr Bits beat{16, 16};  // word 0: Count of the sender's eighths of a lease.
inline constexpr Bits missing{0, 8};  // word 1: A bit for each channel, the lowest of fires: the frame behind the next one expected is there, that one is not.
inline constexpr Bits free{8, 8};  // word 1: Two bits for each channel, the lowest of fires: buffers less the frames accepted in order and not yet consumed.
inline constexpr Bits ack_host{16, 16};  // word 1: Number of the next frame expected of the host stream.
inline constexpr Bits ack_prices{0, 16};  // word 2: Number of the next frame expected of the prices.
inline constexpr Bits ack_fires{16, 16};  // word 2: Number of the next frame expected of the fires.
inline constexpr Bits seq{0, 16};  // word 3: Number of this frame in its channel.
inline constexpr Bits receiver{16, 16};  // word 3: Incarnation of the receiver as the sender knows it; 0: it does not.
inline constexpr Bits sender{0, 16};  // word 4: Incarnation of the sender, never 0: its daemon's last one and one more, at each start.
inline constexpr Bits term{16, 32};  // word 4: Term of the sender.
inline constexpr Bits length{16, 16};  // word 5: Length of the records.
inline constexpr Bits answer{0, 1};  // word 6: Flag: is to be answered at once.
inline constexpr Bits solo{1, 1};  // word 6: Flag: the sender works on without a standby.
inline constexpr Bits in_sync{2, 1};  // word 6: Flag: the standby has all that the active has.
inline constexpr Bits standby{3, 1};  // word 6: Flag: the sender is the standby.
inline constexpr Bits live{4, 1};  // word 6: Flag: the sender is armed, or about to arm, or has an order that has not left.
inline constexpr Bits no_flags{5, 3};  // word 6: Zero.
inline constexpr Bits channel{8, 4};  // word 6: Channel, see the constants.
inline constexpr Bits version{12, 4};  // word 6: Version.
}  // namespace link_header

// Word 0 of a record. A field's word is named with it.
namespace record_head {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits number{0, 32};  // word 0: What the type says: of bytes, how many.
inline constexpr Bits kind{0, 16};  // word 1: Kind or flags, as the type says.
inline constexpr Bits words{16, 8};  // word 1: Words of the record with this one; 0: up to the frame's end.
inline constexpr Bits record_type{24, 8};  // word 1: Type, see the constants.
}  // namespace record_head

// Words 1 to 5 of a hello: who its sender is. What differs is refused by name. A field's word is named with it.
namespace hello_state {
inline constexpr std::uint32_t stride_bytes = 64;
inline constexpr Bits capacities{0, 64};  // word 0: First bits of the SHA-256 of its capacities.
inline constexpr Bits venue_hash{0, 64};  // word 2: First bits of the SHA-256 of its venue file.
inline constexpr Bits bundle_hash{0, 64};  // word 4: First bits of the SHA-256 of its bundle.
inline constexpr Bits hwmap_hash{0, 64};  // word 6: First bits of the SHA-256 of its map of the core.
inline constexpr Bits generation{0, 32};  // word 8: Generation of its tables.
inline constexpr Bits role{0, 32};  // word 9: Its role: 0 none, 1 active, 2 standby.
}  // namespace hello_state

}  // namespace fixaccel::link
