// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/hwmap/fixaccel.yaml by `fixaccel hwmap generate`; do not edit.
// Source: sha256 8bbe95acbb0a43fb0964f2dd317ba39cc8c625397cc195d5d1de471b5b4b8231
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fixaccel::hwmap {

inline constexpr std::uint32_t kHwmapHash = 0x8bbe95ac;
inline constexpr std::string_view kHwmapDigest = "8bbe95acbb0a43fb0964f2dd317ba39cc8c625397cc195d5d1de471b5b4b8231";

inline constexpr unsigned address_bits = 28;  // Width of a byte address in this map.
inline constexpr unsigned symbol_chars = 12;  // Longest instrument symbol.
inline constexpr unsigned price_text_chars = 16;  // Characters of the price kept in an order record.
inline constexpr unsigned qty_text_chars = 10;  // Characters of the quantity kept in an order record.
inline constexpr unsigned char_minus = 13;  // Code of `-` in an order record: the low half of its ASCII code, as a digit's code is.
inline constexpr unsigned char_point = 14;  // Code of `.` in an order record.
inline constexpr unsigned char_bound = 15;  // Code of no character: as the last one of a market order's price it says that the others are a bound, as that of a quantity that the order is a watch: nothing is sent, only its links count.
inline constexpr unsigned bound_bits = 49;  // Width of that bound: of the magnitude of a doubled price.
inline constexpr unsigned total_qty_digits = 9;  // Decimal digits of a quantity that the fabric counts.
inline constexpr unsigned bucket_rate_most = 1000000;  // Most orders a second that a bucket can be of.
inline constexpr unsigned bucket_cost = 1000000000;  // What an order costs of the bucket, in the credits that a rate of 1 gains in a second.
inline constexpr unsigned seq_num_chars = 8;  // Decimal digits of a patched MsgSeqNum.
inline constexpr unsigned time_chars = 21;  // Characters of a patched UTC time, YYYYMMDD-HH:MM:SS.mmm.
inline constexpr unsigned cl_ord_id_chars = 20;  // Characters of a ClOrdID: 4 epoch, 8 rule index, 8 fire count, base 36.
inline constexpr unsigned checksum_chars = 3;  // Digits of CheckSum(10).
inline constexpr unsigned message_bytes = 512;  // Longest prepared FIX message.
inline constexpr unsigned commit_beyond = 22;  // Bytes that commit_ahead may have more than the shortest FIX message of an order: its headers, less what verdict and record take.
inline constexpr unsigned ring_entries = 128;  // Fires that the event ring holds before the runtime has drained it.
inline constexpr unsigned sent_bytes = 16384;  // Payload bytes of sent orders that are kept until the runtime has drained their fires.
inline constexpr unsigned price_bits = 48;  // Width of a signed price in price units.
inline constexpr unsigned wire_decimals = 8;  // Decimal places that the price parser keeps; a price unit is a multiple of 10^-8.
inline constexpr unsigned wire_digits = 18;  // Significant digits of a price scaled to 10^-8 that the parser accepts.
inline constexpr unsigned source_bid = 0;  // Price source of a chain.
inline constexpr unsigned source_ask = 1;  // Price source of a chain.
inline constexpr unsigned source_last = 2;  // Price source of a chain.
inline constexpr unsigned source_mid = 3;  // Price source of a chain; compared doubled.
inline constexpr unsigned direction_le = 0;  // Chain of `<=` thresholds, highest first.
inline constexpr unsigned direction_ge = 1;  // Chain of `>=` thresholds, lowest first.
inline constexpr unsigned kind_thresholds = 0;  // Kind of a chain: each trigger is a threshold of its own.
inline constexpr unsigned kind_decide = 1;  // Kind of a chain: one rule that is decided ahead, its triggers the ends of intervals.
inline constexpr unsigned live_word_bits = 32;  // Triggers that a word of live or dormant bits tells of.
inline constexpr unsigned links_a_group = 4;  // Records of links that a board has room for, for each group of its capacity.
inline constexpr unsigned rearm_slots = 32;  // Parts with `rearm: {after}`, or that fills arm, that the fabric has room for; two banks have half each.
inline constexpr unsigned deferred_links = 1024;  // Fires of one message whose links arm triggers, at most: they arm at its end.
inline constexpr unsigned patch_index_bits = 5;  // Bits of the character index in a template patch byte; the source stands above them.
inline constexpr unsigned patch_seq_num = 0;  // Template patch source.
inline constexpr unsigned patch_time = 1;  // Template patch source.
inline constexpr unsigned patch_cl_ord_id = 2;  // Template patch source.
inline constexpr unsigned patch_checksum = 3;  // Template patch source.
inline constexpr unsigned patch_price = 4;  // Template patch source.
inline constexpr unsigned patch_qty = 5;  // Template patch source.
inline constexpr unsigned patch_symbol = 6;  // Template patch source: the symbol of the instrument that fired.
inline constexpr unsigned outcome_sent = 0;  // The order left.
inline constexpr unsigned outcome_kill = 1;  // Rejected, the kill switch is on.
inline constexpr unsigned outcome_watchdog = 2;  // Rejected, the runtime's watchdog expired.
inline constexpr unsigned outcome_session = 3;  // Rejected, the session is lost or being closed.
inline constexpr unsigned outcome_clock = 4;  // Rejected, the clock is not disciplined.
inline constexpr unsigned outcome_window = 5;  // Rejected, the peer's window or the limit of unacknowledged bytes.
inline constexpr unsigned outcome_exhausted = 6;  // Rejected, MsgSeqNum or the fire count of the rule has no successor.
inline constexpr unsigned outcome_fault = 7;  // Rejected, the egress guard or the lease limit has tripped, or the order's tables contradict each other.
inline constexpr unsigned outcome_order_notional = 8;  // Rejected, a market order that is worth more than the limit at the observed price.
inline constexpr unsigned outcome_collar = 9;  // Rejected, the observed price is too far from the reference.
inline constexpr unsigned outcome_self_trade = 10;  // Rejected, an order of our own rests on the other side that this one would meet.
inline constexpr unsigned outcome_orders_per_second = 11;  // Rejected, the bucket of orders is empty.
inline constexpr unsigned outcome_total_orders = 12;  // Rejected, no order is left.
inline constexpr unsigned outcome_total_qty = 13;  // Rejected, the quantity left of the instrument and side is too small.
inline constexpr unsigned outcome_dry = 14;  // Not sent, a dry run; all else is as if it had been.
inline constexpr unsigned outcome_watch = 15;  // A watch: it sends nothing and no limit counts it, its links were carried out. Of a watch whose count has no successor they are not, its outcome is outcome_exhausted; nothing else rejects it.
inline constexpr unsigned outcome_frame = 16;  // Rejected, the frame turned out bad behind which the order was to be whole: it had begun to leave, and has ended with a wrong FCS.

// A register under its name, for tools that go over all of them.
struct Register {
    std::string_view name;
    std::uint32_t addr;
};

namespace reg {
inline constexpr std::uint32_t magic = 0x000000;
inline constexpr std::uint32_t hwmap_hash = 0x000004;
inline constexpr std::uint32_t cap_instruments = 0x000008;
inline constexpr std::uint32_t cap_triggers = 0x00000c;
inline constexpr std::uint32_t cap_orders = 0x000010;
inline constexpr std::uint32_t cap_templates = 0x000014;
inline constexpr std::uint32_t cap_groups = 0x000018;
inline constexpr std::uint32_t cycle = 0x00001c;
inline constexpr std::uint32_t status = 0x000020;
inline constexpr std::uint32_t arm = 0x000024;
inline constexpr std::uint32_t kill = 0x000028;
inline constexpr std::uint32_t watchdog_ns = 0x00002c;
inline constexpr std::uint32_t watchdog_kick = 0x000030;
inline constexpr std::uint32_t banked = 0x000034;
inline constexpr std::uint32_t flip = 0x000038;
inline constexpr std::uint32_t flip_head = 0x00003c;
inline constexpr std::uint32_t flip_seq_num = 0x000040;
inline constexpr std::uint32_t flip_cycles = 0x000044;
inline constexpr std::uint32_t generation = 0x000048;
inline constexpr std::uint32_t generation_upper = 0x00004c;
inline constexpr std::uint32_t hash_seed = 0x000050;
inline constexpr std::uint32_t hash_seed_upper = 0x000054;
inline constexpr std::uint32_t collar_lo = 0x000058;
inline constexpr std::uint32_t collar_hi = 0x00005c;
inline constexpr std::uint32_t known_forget = 0x000060;
inline constexpr std::uint32_t epoch = 0x000064;
inline constexpr std::uint32_t epoch_upper = 0x000068;
inline constexpr std::uint32_t flow_local_ip = 0x00006c;
inline constexpr std::uint32_t flow_remote_ip = 0x000070;
inline constexpr std::uint32_t flow_ports = 0x000074;
inline constexpr std::uint32_t flow_valid = 0x000078;
inline constexpr std::uint32_t market_local_ip = 0x00007c;
inline constexpr std::uint32_t market_remote_ip = 0x000080;
inline constexpr std::uint32_t market_ports = 0x000084;
inline constexpr std::uint32_t market_valid = 0x000088;
inline constexpr std::uint32_t resync_seq = 0x00008c;
inline constexpr std::uint32_t rx_seq_num = 0x000090;
inline constexpr std::uint32_t sender_comp_crc = 0x000094;
inline constexpr std::uint32_t target_comp_crc = 0x000098;
inline constexpr std::uint32_t rcv_nxt = 0x00009c;
inline constexpr std::uint32_t found_seq = 0x0000a0;
inline constexpr std::uint32_t snd_nxt = 0x0000a4;
inline constexpr std::uint32_t committed = 0x0000a8;
inline constexpr std::uint32_t peer_ack = 0x0000ac;
inline constexpr std::uint32_t peer_window = 0x0000b0;
inline constexpr std::uint32_t peer_wscale = 0x0000b4;
inline constexpr std::uint32_t local_wscale = 0x0000b8;
inline constexpr std::uint32_t market_local_wscale = 0x0000bc;
inline constexpr std::uint32_t max_unacked = 0x0000c0;
inline constexpr std::uint32_t next_seq_num = 0x0000c4;
inline constexpr std::uint32_t lease_request = 0x0000c8;
inline constexpr std::uint32_t lease_seq_num = 0x0000cc;
inline constexpr std::uint32_t lease_snd_nxt = 0x0000d0;
inline constexpr std::uint32_t lease_release = 0x0000d4;
inline constexpr std::uint32_t lease_ns = 0x0000d8;
inline constexpr std::uint32_t hold_ns = 0x0000dc;
inline constexpr std::uint32_t commit_ahead = 0x0000e0;
inline constexpr std::uint32_t rx_gate_ns = 0x0000e4;
inline constexpr std::uint32_t clock_date = 0x0000e8;
inline constexpr std::uint32_t clock_hms = 0x0000ec;
inline constexpr std::uint32_t clock_ms = 0x0000f0;
inline constexpr std::uint32_t clock_sub_ns = 0x0000f4;
inline constexpr std::uint32_t clock_ns_lo = 0x0000f8;
inline constexpr std::uint32_t clock_ns_hi = 0x0000fc;
inline constexpr std::uint32_t clock_set = 0x000100;
inline constexpr std::uint32_t clock_max_age_ns = 0x000104;
inline constexpr std::uint32_t windows_next = 0x000108;
inline constexpr std::uint32_t windows_at_lo = 0x00010c;
inline constexpr std::uint32_t windows_at_hi = 0x000110;
inline constexpr std::uint32_t windows = 0x000114;
inline constexpr std::uint32_t unlimited_orders = 0x000118;
inline constexpr std::uint32_t order_rate = 0x00011c;
inline constexpr std::uint32_t order_gap_ns = 0x000120;
inline constexpr std::uint32_t order_gap_part = 0x000124;
inline constexpr std::uint32_t ring_tail = 0x000128;
inline constexpr std::uint32_t orders_left = 0x00012c;
inline constexpr std::uint32_t bucket_full_lo = 0x000130;
inline constexpr std::uint32_t bucket_full_hi = 0x000134;
inline constexpr std::uint32_t bucket_full_part = 0x000138;
inline constexpr std::uint32_t orders_aborted = 0x00013c;
inline constexpr std::uint32_t ring_head = 0x000140;
inline constexpr std::uint32_t count_frames = 0x000144;
inline constexpr std::uint32_t count_frames_bad = 0x000148;
inline constexpr std::uint32_t count_segments_old = 0x00014c;
inline constexpr std::uint32_t count_segments_hole = 0x000150;
inline constexpr std::uint32_t count_messages = 0x000154;
inline constexpr std::uint32_t count_bad_checksum = 0x000158;
inline constexpr std::uint32_t count_desync = 0x00015c;
inline constexpr std::uint32_t count_poss_dup = 0x000160;
inline constexpr std::uint32_t count_refused = 0x000164;
inline constexpr std::uint32_t count_unread = 0x000168;
inline constexpr std::uint32_t count_prices_invalid = 0x00016c;
inline constexpr std::uint32_t count_sent = 0x000170;
inline constexpr std::uint32_t count_rejected_kill = 0x000174;
inline constexpr std::uint32_t count_rejected_watchdog = 0x000178;
inline constexpr std::uint32_t count_rejected_session = 0x00017c;
inline constexpr std::uint32_t count_rejected_clock = 0x000180;
inline constexpr std::uint32_t count_rejected_window = 0x000184;
inline constexpr std::uint32_t count_rejected_exhausted = 0x000188;
inline constexpr std::uint32_t count_rejected_fault = 0x00018c;
inline constexpr std::uint32_t count_rejected_order_notional = 0x000190;
inline constexpr std::uint32_t count_rejected_collar = 0x000194;
inline constexpr std::uint32_t count_rejected_self_trade = 0x000198;
inline constexpr std::uint32_t count_rejected_orders_per_second = 0x00019c;
inline constexpr std::uint32_t count_rejected_total_orders = 0x0001a0;
inline constexpr std::uint32_t count_rejected_total_qty = 0x0001a4;
inline constexpr std::uint32_t count_dry = 0x0001a8;
inline constexpr std::uint32_t count_cpu_frames = 0x0001ac;
inline constexpr std::uint32_t count_ack_rewrites = 0x0001b0;
inline constexpr std::uint32_t count_guard_stops = 0x0001b4;
inline constexpr std::uint32_t count_gate_timeouts = 0x0001b8;
inline constexpr std::uint32_t count_gate_lowered = 0x0001bc;
inline constexpr std::uint32_t count_gate_drops = 0x0001c0;
inline constexpr std::uint32_t count_writes_refused = 0x0001c4;
inline constexpr std::array<Register, 114> all{{
    {"magic", magic},
    {"hwmap_hash", hwmap_hash},
    {"cap_instruments", cap_instruments},
    {"cap_triggers", cap_triggers},
    {"cap_orders", cap_orders},
    {"cap_templates", cap_templates},
    {"cap_groups", cap_groups},
    {"cycle", cycle},
    {"status", status},
    {"arm", arm},
    {"kill", kill},
    {"watchdog_ns", watchdog_ns},
    {"watchdog_kick", watchdog_kick},
    {"banked", banked},
    {"flip", flip},
    {"flip_head", flip_head},
    {"flip_seq_num", flip_seq_num},
    {"flip_cycles", flip_cycles},
    {"generation", generation},
    {"generation_upper", generation_upper},
    {"hash_seed", hash_seed},
    {"hash_seed_upper", hash_seed_upper},
    {"collar_lo", collar_lo},
    {"collar_hi", collar_hi},
    {"known_forget", known_forget},
    {"epoch", epoch},
    {"epoch_upper", epoch_upper},
    {"flow_local_ip", flow_local_ip},
    {"flow_remote_ip", flow_remote_ip},
    {"flow_ports", flow_ports},
    {"flow_valid", flow_valid},
    {"market_local_ip", market_local_ip},
    {"market_remote_ip", market_remote_ip},
    {"market_ports", market_ports},
    {"market_valid", market_valid},
    {"resync_seq", resync_seq},
    {"rx_seq_num", rx_seq_num},
    {"sender_comp_crc", sender_comp_crc},
    {"target_comp_crc", target_comp_crc},
    {"rcv_nxt", rcv_nxt},
    {"found_seq", found_seq},
    {"snd_nxt", snd_nxt},
    {"committed", committed},
    {"peer_ack", peer_ack},
    {"peer_window", peer_window},
    {"peer_wscale", peer_wscale},
    {"local_wscale", local_wscale},
    {"market_local_wscale", market_local_wscale},
    {"max_unacked", max_unacked},
    {"next_seq_num", next_seq_num},
    {"lease_request", lease_request},
    {"lease_seq_num", lease_seq_num},
    {"lease_snd_nxt", lease_snd_nxt},
    {"lease_release", lease_release},
    {"lease_ns", lease_ns},
    {"hold_ns", hold_ns},
    {"commit_ahead", commit_ahead},
    {"rx_gate_ns", rx_gate_ns},
    {"clock_date", clock_date},
    {"clock_hms", clock_hms},
    {"clock_ms", clock_ms},
    {"clock_sub_ns", clock_sub_ns},
    {"clock_ns_lo", clock_ns_lo},
    {"clock_ns_hi", clock_ns_hi},
    {"clock_set", clock_set},
    {"clock_max_age_ns", clock_max_age_ns},
    {"windows_next", windows_next},
    {"windows_at_lo", windows_at_lo},
    {"windows_at_hi", windows_at_hi},
    {"windows", windows},
    {"unlimited_orders", unlimited_orders},
    {"order_rate", order_rate},
    {"order_gap_ns", order_gap_ns},
    {"order_gap_part", order_gap_part},
    {"ring_tail", ring_tail},
    {"orders_left", orders_left},
    {"bucket_full_lo", bucket_full_lo},
    {"bucket_full_hi", bucket_full_hi},
    {"bucket_full_part", bucket_full_part},
    {"orders_aborted", orders_aborted},
    {"ring_head", ring_head},
    {"count_frames", count_frames},
    {"count_frames_bad", count_frames_bad},
    {"count_segments_old", count_segments_old},
    {"count_segments_hole", count_segments_hole},
    {"count_messages", count_messages},
    {"count_bad_checksum", count_bad_checksum},
    {"count_desync", count_desync},
    {"count_poss_dup", count_poss_dup},
    {"count_refused", count_refused},
    {"count_unread", count_unread},
    {"count_prices_invalid", count_prices_invalid},
    {"count_sent", count_sent},
    {"count_rejected_kill", count_rejected_kill},
    {"count_rejected_watchdog", count_rejected_watchdog},
    {"count_rejected_session", count_rejected_session},
    {"count_rejected_clock", count_rejected_clock},
    {"count_rejected_window", count_rejected_window},
    {"count_rejected_exhausted", count_rejected_exhausted},
    {"count_rejected_fault", count_rejected_fault},
    {"count_rejected_order_notional", count_rejected_order_notional},
    {"count_rejected_collar", count_rejected_collar},
    {"count_rejected_self_trade", count_rejected_self_trade},
    {"count_rejected_orders_per_second", count_rejected_orders_per_second},
    {"count_rejected_total_orders", count_rejected_total_orders},
    {"count_rejected_total_qty", count_rejected_total_qty},
    {"count_dry", count_dry},
    {"count_cpu_frames", count_cpu_frames},
    {"count_ack_rewrites", count_ack_rewrites},
    {"count_guard_stops", count_guard_stops},
    {"count_gate_timeouts", count_gate_timeouts},
    {"count_gate_lowered", count_gate_lowered},
    {"count_gate_drops", count_gate_drops},
    {"count_writes_refused", count_writes_refused},
}};
}  // namespace reg

// What registers read after a reset, where that is not zero.
namespace reg_reset {
inline constexpr std::uint32_t magic = 0x46584143;
}  // namespace reg_reset

// Bit positions of the fields of register status.
namespace status_bits {
inline constexpr unsigned armed = 0;
inline constexpr unsigned kill = 1;
inline constexpr unsigned flow = 2;
inline constexpr unsigned synced = 3;
inline constexpr unsigned gap = 4;
inline constexpr unsigned lease_requested = 5;
inline constexpr unsigned lease_held = 6;
inline constexpr unsigned release_refused = 7;
inline constexpr unsigned clock_valid = 8;
inline constexpr unsigned watchdog_expired = 9;
inline constexpr unsigned session_lost = 10;
inline constexpr unsigned held = 11;
inline constexpr unsigned fault_uncommitted = 12;
inline constexpr unsigned fault_unleased = 13;
inline constexpr unsigned fault_lease = 14;
inline constexpr unsigned order_busy = 15;
inline constexpr unsigned closed = 16;
inline constexpr unsigned found = 17;
inline constexpr unsigned dry = 18;
inline constexpr unsigned banked = 19;
inline constexpr unsigned bank = 20;
inline constexpr unsigned flip_asked = 21;
inline constexpr unsigned flip_begun = 22;
inline constexpr unsigned flip_waits = 23;
}  // namespace status_bits

// Bit positions of the fields of register flow_ports.
namespace flow_ports_bits {
inline constexpr unsigned remote_port = 0;
inline constexpr unsigned local_port = 16;
}  // namespace flow_ports_bits

// Bit positions of the fields of register market_ports.
namespace market_ports_bits {
inline constexpr unsigned remote_port = 0;
inline constexpr unsigned local_port = 16;
}  // namespace market_ports_bits

// Bit positions of the fields of register windows.
namespace windows_bits {
inline constexpr unsigned open = 0;
inline constexpr unsigned pending = 16;
}  // namespace windows_bits

// Bits [lsb, lsb + width) of a record held as little-endian words; width is at most 64.
template <std::size_t Words>
constexpr std::uint64_t get_bits(const std::array<std::uint32_t, Words>& words, unsigned lsb, unsigned width) {
    std::uint64_t value = 0;
    for (unsigned done = 0; done < width;) {
        const unsigned at = (lsb + done) % 32;
        const unsigned bits = width - done < 32 - at ? width - done : 32 - at;
        const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
        value |= ((std::uint64_t{words[(lsb + done) / 32]} >> at) & mask) << done;
        done += bits;
    }
    return value;
}

template <std::size_t Words>
constexpr void set_bits(std::array<std::uint32_t, Words>& words, unsigned lsb, unsigned width, std::uint64_t value) {
    for (unsigned i = 0; i < width; ++i) {
        const std::uint32_t mask = 1U << ((lsb + i) % 32);
        auto& word = words[(lsb + i) / 32];
        word = ((value >> i) & 1U) != 0U ? (word | mask) : (word & ~mask);
    }
}

constexpr std::int64_t sign_extend(std::uint64_t value, unsigned width) {
    const unsigned unused = 64 - width;
    return static_cast<std::int64_t>(value << unused) >> unused;
}

// One slot of the perfect-hash directory.
struct directory_record {
    static constexpr std::size_t kWords = 1;
    static constexpr std::size_t kStride = 1;
    std::array<std::uint32_t, kStride> words{};
    // instrument: Index into the instrument table.
    [[nodiscard]] constexpr std::uint64_t instrument() const { return get_bits(words, 0, 16); }
    constexpr void set_instrument(std::uint64_t value) { set_bits(words, 0, 16, value); }
    // valid: Slot is in use.
    [[nodiscard]] constexpr std::uint64_t valid() const { return get_bits(words, 16, 1); }
    constexpr void set_valid(std::uint64_t value) { set_bits(words, 16, 1, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("instrument", instrument());
        visitor("valid", valid());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "instrument") {
            set_instrument(value);
            return true;
        }
        if (field == "valid") {
            set_valid(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(directory_record) == 4);

// Displacement of one hash bucket.
struct displacement_record {
    static constexpr std::size_t kWords = 1;
    static constexpr std::size_t kStride = 1;
    std::array<std::uint32_t, kStride> words{};
    // offset: Added to the slot number modulo the number of slots.
    [[nodiscard]] constexpr std::uint64_t offset() const { return get_bits(words, 0, 16); }
    constexpr void set_offset(std::uint64_t value) { set_bits(words, 0, 16, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("offset", offset());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "offset") {
            set_offset(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(displacement_record) == 4);

// How to read a price of an instrument.
struct instrument_record {
    static constexpr std::size_t kWords = 6;
    static constexpr std::size_t kStride = 8;
    std::array<std::uint32_t, kStride> words{};
    // inverse: Inverse modulo 2^64 of the odd part of the price unit, the unit in 10^-8.
    [[nodiscard]] constexpr std::uint64_t inverse() const { return get_bits(words, 0, 64); }
    constexpr void set_inverse(std::uint64_t value) { set_bits(words, 0, 64, value); }
    // price_min: Lowest price that is an observation.
    [[nodiscard]] constexpr std::int64_t price_min() const {
        return sign_extend(get_bits(words, 64, 48), 48);
    }
    constexpr void set_price_min(std::int64_t value) {
        set_bits(words, 64, 48, static_cast<std::uint64_t>(value));
    }
    // price_max: Highest price that is an observation.
    [[nodiscard]] constexpr std::int64_t price_max() const {
        return sign_extend(get_bits(words, 112, 48), 48);
    }
    constexpr void set_price_max(std::int64_t value) {
        set_bits(words, 112, 48, static_cast<std::uint64_t>(value));
    }
    // shift: Power of two in the price unit.
    [[nodiscard]] constexpr std::uint64_t shift() const { return get_bits(words, 160, 6); }
    constexpr void set_shift(std::uint64_t value) { set_bits(words, 160, 6, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("inverse", inverse());
        visitor("price_min", price_min());
        visitor("price_max", price_max());
        visitor("shift", shift());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "inverse") {
            set_inverse(value);
            return true;
        }
        if (field == "price_min") {
            set_price_min(static_cast<std::int64_t>(value));
            return true;
        }
        if (field == "price_max") {
            set_price_max(static_cast<std::int64_t>(value));
            return true;
        }
        if (field == "shift") {
            set_shift(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(instrument_record) == 32);

// Triggers of one instrument, source and direction, in firing order. Index: instrument * 8 + source * 2 + direction. Or the intervals of one rule, rising, two triggers each, in the place of direction_ge: the interval's lowest price, then its highest, both with what landing in it sends. Its live bit and its count are those of the first.
struct chain_record {
    static constexpr std::size_t kWords = 2;
    static constexpr std::size_t kStride = 2;
    std::array<std::uint32_t, kStride> words{};
    // first: Its first trigger.
    [[nodiscard]] constexpr std::uint64_t first() const { return get_bits(words, 0, 20); }
    constexpr void set_first(std::uint64_t value) { set_bits(words, 0, 20, value); }
    // last: Its last trigger, not before the first.
    [[nodiscard]] constexpr std::uint64_t last() const { return get_bits(words, 20, 20); }
    constexpr void set_last(std::uint64_t value) { set_bits(words, 20, 20, value); }
    // valid: There are triggers.
    [[nodiscard]] constexpr std::uint64_t valid() const { return get_bits(words, 40, 1); }
    constexpr void set_valid(std::uint64_t value) { set_bits(words, 40, 1, value); }
    // arms: The order of one of them has a link that arms or revives.
    [[nodiscard]] constexpr std::uint64_t arms() const { return get_bits(words, 41, 1); }
    constexpr void set_arms(std::uint64_t value) { set_bits(words, 41, 1, value); }
    // window: Window of time in which they fire, a bit of the register windows; 0: always.
    [[nodiscard]] constexpr std::uint64_t window() const { return get_bits(words, 42, 4); }
    constexpr void set_window(std::uint64_t value) { set_bits(words, 42, 4, value); }
    // kind: What its triggers are: kind_thresholds or kind_decide.
    [[nodiscard]] constexpr std::uint64_t kind() const { return get_bits(words, 46, 1); }
    constexpr void set_kind(std::uint64_t value) { set_bits(words, 46, 1, value); }
    // confirms: Set: the observation just before has to satisfy a threshold, too. Neither of a mid nor with kind_decide.
    [[nodiscard]] constexpr std::uint64_t confirms() const { return get_bits(words, 47, 1); }
    constexpr void set_confirms(std::uint64_t value) { set_bits(words, 47, 1, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("first", first());
        visitor("last", last());
        visitor("valid", valid());
        visitor("arms", arms());
        visitor("window", window());
        visitor("kind", kind());
        visitor("confirms", confirms());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "first") {
            set_first(value);
            return true;
        }
        if (field == "last") {
            set_last(value);
            return true;
        }
        if (field == "valid") {
            set_valid(value);
            return true;
        }
        if (field == "arms") {
            set_arms(value);
            return true;
        }
        if (field == "window") {
            set_window(value);
            return true;
        }
        if (field == "kind") {
            set_kind(value);
            return true;
        }
        if (field == "confirms") {
            set_confirms(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(chain_record) == 8);

// One threshold and what it fires.
struct trigger_record {
    static constexpr std::size_t kWords = 3;
    static constexpr std::size_t kStride = 4;
    std::array<std::uint32_t, kStride> words{};
    // threshold: Inclusive threshold, or end of an interval; of a mid doubled.
    [[nodiscard]] constexpr std::int64_t threshold() const {
        return sign_extend(get_bits(words, 0, 48), 48);
    }
    constexpr void set_threshold(std::int64_t value) {
        set_bits(words, 0, 48, static_cast<std::uint64_t>(value));
    }
    // rule: Rule index.
    [[nodiscard]] constexpr std::uint64_t rule() const { return get_bits(words, 48, 24); }
    constexpr void set_rule(std::uint64_t value) { set_bits(words, 48, 24, value); }
    // order: Order record to send.
    [[nodiscard]] constexpr std::uint64_t order() const { return get_bits(words, 72, 20); }
    constexpr void set_order(std::uint64_t value) { set_bits(words, 72, 20, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("threshold", threshold());
        visitor("rule", rule());
        visitor("order", order());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "threshold") {
            set_threshold(static_cast<std::int64_t>(value));
            return true;
        }
        if (field == "rule") {
            set_rule(value);
            return true;
        }
        if (field == "order") {
            set_order(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(trigger_record) == 16);

// Fires of a trigger's rule, by trigger index. It survives a restart of the runtime.
struct fire_count_record {
    static constexpr std::size_t kWords = 1;
    static constexpr std::size_t kStride = 1;
    std::array<std::uint32_t, kStride> words{};
    // fires: How often the rule has fired. At its highest value nothing fires any more.
    [[nodiscard]] constexpr std::uint64_t fires() const { return get_bits(words, 0, 15); }
    constexpr void set_fires(std::uint64_t value) { set_bits(words, 0, 15, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("fires", fires());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "fires") {
            set_fires(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(fire_count_record) == 4);

// One-shot state of the triggers, one bit each: the first trigger in the lowest bit. It survives a restart of the runtime.
struct live_record {
    static constexpr std::size_t kWords = 1;
    static constexpr std::size_t kStride = 1;
    std::array<std::uint32_t, kStride> words{};
    // triggers: Set: the trigger may fire. The fabric clears it with the fire, and links clear and set it.
    [[nodiscard]] constexpr std::uint64_t triggers() const { return get_bits(words, 0, 32); }
    constexpr void set_triggers(std::uint64_t value) { set_bits(words, 0, 32, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("triggers", triggers());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "triggers") {
            set_triggers(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(live_record) == 4);

// Triggers that wait to be armed, bits as in `live`: no trigger has both. It survives a restart of the runtime.
struct dormant_record {
    static constexpr std::size_t kWords = 1;
    static constexpr std::size_t kStride = 1;
    std::array<std::uint32_t, kStride> words{};
    // triggers: Set: a link that arms makes the trigger live. Any link clears it.
    [[nodiscard]] constexpr std::uint64_t triggers() const { return get_bits(words, 0, 32); }
    constexpr void set_triggers(std::uint64_t value) { set_bits(words, 0, 32, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("triggers", triggers());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "triggers") {
            set_triggers(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(dormant_record) == 4);

// What an order that was sent, or a watch, does to triggers: a list of ranges, those at once first. Cancelling makes triggers neither live nor dormant, arming makes the dormant ones live, reviving makes all of them live.
struct link_record {
    static constexpr std::size_t kWords = 2;
    static constexpr std::size_t kStride = 2;
    std::array<std::uint32_t, kStride> words{};
    // first: First trigger of the range.
    [[nodiscard]] constexpr std::uint64_t first() const { return get_bits(words, 0, 20); }
    constexpr void set_first(std::uint64_t value) { set_bits(words, 0, 20, value); }
    // last: Its last one, not before the first.
    [[nodiscard]] constexpr std::uint64_t last() const { return get_bits(words, 20, 20); }
    constexpr void set_last(std::uint64_t value) { set_bits(words, 20, 20, value); }
    // arms: Set: the range is armed (or revived) when the message has been evaluated to its end, and so are all behind it. Otherwise it is cancelled (or revived) at once.
    [[nodiscard]] constexpr std::uint64_t arms() const { return get_bits(words, 40, 1); }
    constexpr void set_arms(std::uint64_t value) { set_bits(words, 40, 1, value); }
    // more: The list goes on with the next record.
    [[nodiscard]] constexpr std::uint64_t more() const { return get_bits(words, 41, 1); }
    constexpr void set_more(std::uint64_t value) { set_bits(words, 41, 1, value); }
    // revives: Set: the range is revived, neither cancelled nor armed: what is spent may fire again.
    [[nodiscard]] constexpr std::uint64_t revives() const { return get_bits(words, 42, 1); }
    constexpr void set_revives(std::uint64_t value) { set_bits(words, 42, 1, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("first", first());
        visitor("last", last());
        visitor("arms", arms());
        visitor("more", more());
        visitor("revives", revives());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "first") {
            set_first(value);
            return true;
        }
        if (field == "last") {
            set_last(value);
            return true;
        }
        if (field == "arms") {
            set_arms(value);
            return true;
        }
        if (field == "more") {
            set_more(value);
            return true;
        }
        if (field == "revives") {
            set_revives(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(link_record) == 8);

// When a rule is armed again: the first message of its instrument at or after `due` is a hit of `trigger`, a watch whose links revive the rule. The fabric clears `pending` with it, and sets it where links revive that trigger: an order of the rule has been sent. A slot's number is that of its trigger, modulo the slots of a bank. Written word by word, in order: a write of another word than the last clears `pending`, and `due` counts from that of the word behind it on.
struct rearm_record {
    static constexpr std::size_t kWords = 7;
    static constexpr std::size_t kStride = 8;
    std::array<std::uint32_t, kStride> words{};
    // due: Message time from which on it is, UTC since the epoch.
    [[nodiscard]] constexpr std::uint64_t due() const { return get_bits(words, 0, 64); }
    constexpr void set_due(std::uint64_t value) { set_bits(words, 0, 64, value); }
    // instrument: Whose messages are waited for.
    [[nodiscard]] constexpr std::uint64_t instrument() const { return get_bits(words, 64, 16); }
    constexpr void set_instrument(std::uint64_t value) { set_bits(words, 64, 16, value); }
    // last: With `again`: the fire count of the rule's order behind which it is armed no more.
    [[nodiscard]] constexpr std::uint64_t last() const { return get_bits(words, 80, 15); }
    constexpr void set_last(std::uint64_t value) { set_bits(words, 80, 15, value); }
    // reserved: Zero.
    [[nodiscard]] constexpr std::uint64_t reserved() const { return get_bits(words, 95, 1); }
    constexpr void set_reserved(std::uint64_t value) { set_bits(words, 95, 1, value); }
    // trigger: What hits: a trigger of no chain.
    [[nodiscard]] constexpr std::uint64_t trigger() const { return get_bits(words, 96, 20); }
    constexpr void set_trigger(std::uint64_t value) { set_bits(words, 96, 20, value); }
    // reserved2: Zero.
    [[nodiscard]] constexpr std::uint64_t reserved2() const { return get_bits(words, 116, 12); }
    constexpr void set_reserved2(std::uint64_t value) { set_bits(words, 116, 12, value); }
    // after: With `again`: how long after the rule's order.
    [[nodiscard]] constexpr std::uint64_t after() const { return get_bits(words, 128, 64); }
    constexpr void set_after(std::uint64_t value) { set_bits(words, 128, 64, value); }
    // order: Its order record: a watch.
    [[nodiscard]] constexpr std::uint64_t order() const { return get_bits(words, 192, 20); }
    constexpr void set_order(std::uint64_t value) { set_bits(words, 192, 20, value); }
    // pending: Set: it is waited for.
    [[nodiscard]] constexpr std::uint64_t pending() const { return get_bits(words, 212, 1); }
    constexpr void set_pending(std::uint64_t value) { set_bits(words, 212, 1, value); }
    // again: Set: links that revive `trigger` set `pending`, and `due` to the time of the fire and `after`.
    [[nodiscard]] constexpr std::uint64_t again() const { return get_bits(words, 213, 1); }
    constexpr void set_again(std::uint64_t value) { set_bits(words, 213, 1, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("due", due());
        visitor("instrument", instrument());
        visitor("last", last());
        visitor("reserved", reserved());
        visitor("trigger", trigger());
        visitor("reserved2", reserved2());
        visitor("after", after());
        visitor("order", order());
        visitor("pending", pending());
        visitor("again", again());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "due") {
            set_due(value);
            return true;
        }
        if (field == "instrument") {
            set_instrument(value);
            return true;
        }
        if (field == "last") {
            set_last(value);
            return true;
        }
        if (field == "reserved") {
            set_reserved(value);
            return true;
        }
        if (field == "trigger") {
            set_trigger(value);
            return true;
        }
        if (field == "reserved2") {
            set_reserved2(value);
            return true;
        }
        if (field == "after") {
            set_after(value);
            return true;
        }
        if (field == "order") {
            set_order(value);
            return true;
        }
        if (field == "pending") {
            set_pending(value);
            return true;
        }
        if (field == "again") {
            set_again(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(rearm_record) == 32);

// One order: template, characters and the sums of everything static in the payload, the symbol's characters with it.
struct order_record {
    static constexpr std::size_t kWords = 6;
    static constexpr std::size_t kStride = 8;
    std::array<std::uint32_t, kStride> words{};
    // price: Price, four bits a character, first character lowest: a digit, char_minus or char_point. Of a market order zero, or char_bound as the last character and in bound_bits the most that the magnitude of the doubled observed price may be.
    [[nodiscard]] constexpr std::uint64_t price() const { return get_bits(words, 0, 64); }
    constexpr void set_price(std::uint64_t value) { set_bits(words, 0, 64, value); }
    // qty: Quantity, four bits a digit, first digit lowest; char_bound as the last: the order is a watch.
    [[nodiscard]] constexpr std::uint64_t qty() const { return get_bits(words, 64, 40); }
    constexpr void set_qty(std::uint64_t value) { set_bits(words, 64, 40, value); }
    // tcp_sum: One's complement sum of the static payload in 16-bit big-endian words.
    [[nodiscard]] constexpr std::uint64_t tcp_sum() const { return get_bits(words, 104, 16); }
    constexpr void set_tcp_sum(std::uint64_t value) { set_bits(words, 104, 16, value); }
    // fix_sum: Sum of the static bytes before CheckSum(10) modulo 256.
    [[nodiscard]] constexpr std::uint64_t fix_sum() const { return get_bits(words, 120, 8); }
    constexpr void set_fix_sum(std::uint64_t value) { set_bits(words, 120, 8, value); }
    // template_index: Template index.
    [[nodiscard]] constexpr std::uint64_t template_index() const { return get_bits(words, 128, 16); }
    constexpr void set_template_index(std::uint64_t value) { set_bits(words, 128, 16, value); }
    // valid: Record is in use.
    [[nodiscard]] constexpr std::uint64_t valid() const { return get_bits(words, 144, 1); }
    constexpr void set_valid(std::uint64_t value) { set_bits(words, 144, 1, value); }
    // link: First record of its links; 0: none. Record 0 is no list's.
    [[nodiscard]] constexpr std::uint64_t link() const { return get_bits(words, 145, 14); }
    constexpr void set_link(std::uint64_t value) { set_bits(words, 145, 14, value); }
    // sell: Side: what it is sent for counts against `sell` of quantity_left, else against `buy`.
    [[nodiscard]] constexpr std::uint64_t sell() const { return get_bits(words, 159, 1); }
    constexpr void set_sell(std::uint64_t value) { set_bits(words, 159, 1, value); }
    // rests: Once sent, it is one that rests: no order that would meet it leaves. Only under `self_trade`.
    [[nodiscard]] constexpr std::uint64_t rests() const { return get_bits(words, 160, 1); }
    constexpr void set_rests(std::uint64_t value) { set_bits(words, 160, 1, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("price", price());
        visitor("qty", qty());
        visitor("tcp_sum", tcp_sum());
        visitor("fix_sum", fix_sum());
        visitor("template_index", template_index());
        visitor("valid", valid());
        visitor("link", link());
        visitor("sell", sell());
        visitor("rests", rests());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "price") {
            set_price(value);
            return true;
        }
        if (field == "qty") {
            set_qty(value);
            return true;
        }
        if (field == "tcp_sum") {
            set_tcp_sum(value);
            return true;
        }
        if (field == "fix_sum") {
            set_fix_sum(value);
            return true;
        }
        if (field == "template_index") {
            set_template_index(value);
            return true;
        }
        if (field == "valid") {
            set_valid(value);
            return true;
        }
        if (field == "link") {
            set_link(value);
            return true;
        }
        if (field == "sell") {
            set_sell(value);
            return true;
        }
        if (field == "rests") {
            set_rests(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(order_record) == 32);

// What of each side may still leave, by instrument index: total_qty_digits BCD digits; all ones: any quantity. Counts down with each order. It survives a restart of the runtime.
struct quantity_left_record {
    static constexpr std::size_t kWords = 3;
    static constexpr std::size_t kStride = 4;
    std::array<std::uint32_t, kStride> words{};
    // buy: Quantity that may still be bought.
    [[nodiscard]] constexpr std::uint64_t buy() const { return get_bits(words, 0, 36); }
    constexpr void set_buy(std::uint64_t value) { set_bits(words, 0, 36, value); }
    // sell: Quantity that may still be sold.
    [[nodiscard]] constexpr std::uint64_t sell() const { return get_bits(words, 36, 36); }
    constexpr void set_sell(std::uint64_t value) { set_bits(words, 36, 36, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("buy", buy());
        visitor("sell", sell());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "buy") {
            set_buy(value);
            return true;
        }
        if (field == "sell") {
            set_sell(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(quantity_left_record) == 16);

// The best of our own orders that rest, index: instrument * 2, and 1 more for those that sell. Orders of one instrument are numbered by price, sells before buys at the same one, market orders to sell first of all and to buy last: so a sell would meet a buy that rests if its number is not higher, a buy a sell if its number is not lower. An order that is sent and `rests` is noted if it is better than what stands there. A write while armed is taken only if ring_tail is ring_head and no order is on its way there: what is read back tells. It survives a restart of the runtime.
struct resting_record {
    static constexpr std::size_t kWords = 1;
    static constexpr std::size_t kStride = 1;
    std::array<std::uint32_t, kStride> words{};
    // order: Number of an order record, within its bank: of the best order itself, or of the last record that would meet it.
    [[nodiscard]] constexpr std::uint64_t order() const { return get_bits(words, 0, 20); }
    constexpr void set_order(std::uint64_t value) { set_bits(words, 0, 20, value); }
    // valid: There is one.
    [[nodiscard]] constexpr std::uint64_t valid() const { return get_bits(words, 20, 1); }
    constexpr void set_valid(std::uint64_t value) { set_bits(words, 20, 1, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("order", order());
        visitor("valid", valid());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "order") {
            set_order(value);
            return true;
        }
        if (field == "valid") {
            set_valid(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(resting_record) == 4);

// What an order is sent for, by instrument index.
struct symbol_record {
    static constexpr std::size_t kWords = 3;
    static constexpr std::size_t kStride = 4;
    std::array<std::uint32_t, kStride> words{};
    // key: Symbol, first character in the low byte, padded with zero bytes. Byte i of 12.
    [[nodiscard]] constexpr std::uint8_t key(unsigned i) const {
        return static_cast<std::uint8_t>(get_bits(words, 0 + 8 * i, 8));
    }
    constexpr void set_key(unsigned i, std::uint8_t value) { set_bits(words, 0 + 8 * i, 8, value); }
    [[nodiscard]] constexpr std::array<std::uint8_t, 12> key() const {
        std::array<std::uint8_t, 12> bytes{};
        for (unsigned i = 0; i < bytes.size(); ++i) bytes[i] = key(i);
        return bytes;
    }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("key", key());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "key") {
            if (index >= 12) return false;
            set_key(index, static_cast<std::uint8_t>(value));
            return true;
        }
        return false;
    }
};
static_assert(sizeof(symbol_record) == 16);

// What the messages of one template have in common beside their bytes.
struct template_shape_record {
    static constexpr std::size_t kWords = 1;
    static constexpr std::size_t kStride = 1;
    std::array<std::uint32_t, kStride> words{};
    // last_byte: Offset of the message's last byte: its length less one. CheckSum starts three before it.
    [[nodiscard]] constexpr std::uint64_t last_byte() const { return get_bits(words, 0, 9); }
    constexpr void set_last_byte(std::uint64_t value) { set_bits(words, 0, 9, value); }
    // seq_num_odd: MsgSeqNum starts at an odd offset.
    [[nodiscard]] constexpr std::uint64_t seq_num_odd() const { return get_bits(words, 9, 1); }
    constexpr void set_seq_num_odd(std::uint64_t value) { set_bits(words, 9, 1, value); }
    // sending_time_odd: SendingTime starts at an odd offset.
    [[nodiscard]] constexpr std::uint64_t sending_time_odd() const { return get_bits(words, 10, 1); }
    constexpr void set_sending_time_odd(std::uint64_t value) { set_bits(words, 10, 1, value); }
    // transact_time_odd: TransactTime starts at an odd offset.
    [[nodiscard]] constexpr std::uint64_t transact_time_odd() const { return get_bits(words, 11, 1); }
    constexpr void set_transact_time_odd(std::uint64_t value) { set_bits(words, 11, 1, value); }
    // cl_ord_id_odd: ClOrdID starts at an odd offset.
    [[nodiscard]] constexpr std::uint64_t cl_ord_id_odd() const { return get_bits(words, 12, 1); }
    constexpr void set_cl_ord_id_odd(std::uint64_t value) { set_bits(words, 12, 1, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("last_byte", last_byte());
        visitor("seq_num_odd", seq_num_odd());
        visitor("sending_time_odd", sending_time_odd());
        visitor("transact_time_odd", transact_time_odd());
        visitor("cl_ord_id_odd", cl_ord_id_odd());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "last_byte") {
            set_last_byte(value);
            return true;
        }
        if (field == "seq_num_odd") {
            set_seq_num_odd(value);
            return true;
        }
        if (field == "sending_time_odd") {
            set_sending_time_odd(value);
            return true;
        }
        if (field == "transact_time_odd") {
            set_transact_time_odd(value);
            return true;
        }
        if (field == "cl_ord_id_odd") {
            set_cl_ord_id_odd(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(template_shape_record) == 4);

// One byte of a template, at index template * message_bytes + offset.
struct template_byte_record {
    static constexpr std::size_t kWords = 1;
    static constexpr std::size_t kStride = 1;
    std::array<std::uint32_t, kStride> words{};
    // value: A literal byte, or a patch: bits 7 to 5 the source, bits 4 to 0 the character's index.
    [[nodiscard]] constexpr std::uint64_t value() const { return get_bits(words, 0, 8); }
    constexpr void set_value(std::uint64_t value) { set_bits(words, 0, 8, value); }
    // patch: The byte is patched.
    [[nodiscard]] constexpr std::uint64_t patch() const { return get_bits(words, 8, 1); }
    constexpr void set_patch(std::uint64_t value) { set_bits(words, 8, 1, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("value", value());
        visitor("patch", patch());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "value") {
            set_value(value);
            return true;
        }
        if (field == "patch") {
            set_patch(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(template_byte_record) == 4);

// One fire, written while the MAC sends the preamble of its order. Record number n (from 1) is at index (n - 1) modulo ring_entries.
struct ring_record {
    static constexpr std::size_t kWords = 16;
    static constexpr std::size_t kStride = 16;
    std::array<std::uint32_t, kStride> words{};
    // entry: Record number n.
    [[nodiscard]] constexpr std::uint64_t entry() const { return get_bits(words, 0, 32); }
    constexpr void set_entry(std::uint64_t value) { set_bits(words, 0, 32, value); }
    // generation: Generation of the tables, of their bank where they are two. The indices below are within the bank.
    [[nodiscard]] constexpr std::uint64_t generation() const { return get_bits(words, 32, 32); }
    constexpr void set_generation(std::uint64_t value) { set_bits(words, 32, 32, value); }
    // message: Number of the FIX message as count_messages counts, from 1.
    [[nodiscard]] constexpr std::uint64_t message() const { return get_bits(words, 64, 32); }
    constexpr void set_message(std::uint64_t value) { set_bits(words, 64, 32, value); }
    // trigger: Trigger index.
    [[nodiscard]] constexpr std::uint64_t trigger() const { return get_bits(words, 96, 20); }
    constexpr void set_trigger(std::uint64_t value) { set_bits(words, 96, 20, value); }
    // sent_at: Index of the first of the words in `sent` that hold the payload.
    [[nodiscard]] constexpr std::uint64_t sent_at() const { return get_bits(words, 116, 12); }
    constexpr void set_sent_at(std::uint64_t value) { set_bits(words, 116, 12, value); }
    // rule: Rule index.
    [[nodiscard]] constexpr std::uint64_t rule() const { return get_bits(words, 128, 32); }
    constexpr void set_rule(std::uint64_t value) { set_bits(words, 128, 32, value); }
    // order: Order record.
    [[nodiscard]] constexpr std::uint64_t order() const { return get_bits(words, 160, 32); }
    constexpr void set_order(std::uint64_t value) { set_bits(words, 160, 32, value); }
    // message_end_cycle: Cycle of the last byte of the trigger message.
    [[nodiscard]] constexpr std::uint64_t message_end_cycle() const { return get_bits(words, 192, 32); }
    constexpr void set_message_end_cycle(std::uint64_t value) { set_bits(words, 192, 32, value); }
    // instrument: Instrument index.
    [[nodiscard]] constexpr std::uint64_t instrument() const { return get_bits(words, 224, 16); }
    constexpr void set_instrument(std::uint64_t value) { set_bits(words, 224, 16, value); }
    // fires: Fire count of the rule including this one.
    [[nodiscard]] constexpr std::uint64_t fires() const { return get_bits(words, 240, 16); }
    constexpr void set_fires(std::uint64_t value) { set_bits(words, 240, 16, value); }
    // observed: Observed price; a mid doubled: bid + ask.
    [[nodiscard]] constexpr std::int64_t observed() const {
        return sign_extend(get_bits(words, 256, 64), 64);
    }
    constexpr void set_observed(std::int64_t value) {
        set_bits(words, 256, 64, static_cast<std::uint64_t>(value));
    }
    // msg_seq_num: MsgSeqNum, 8 BCD digits (zero when rejected).
    [[nodiscard]] constexpr std::uint64_t msg_seq_num() const { return get_bits(words, 320, 32); }
    constexpr void set_msg_seq_num(std::uint64_t value) { set_bits(words, 320, 32, value); }
    // tcp_seq: TCP sequence number of the order's first byte (zero when rejected).
    [[nodiscard]] constexpr std::uint64_t tcp_seq() const { return get_bits(words, 352, 32); }
    constexpr void set_tcp_seq(std::uint64_t value) { set_bits(words, 352, 32, value); }
    // time_ns: Clock at the end of the trigger's frame, UTC since the epoch.
    [[nodiscard]] constexpr std::uint64_t time_ns() const { return get_bits(words, 384, 64); }
    constexpr void set_time_ns(std::uint64_t value) { set_bits(words, 384, 64, value); }
    // frame_end_cycle: Cycle of the last byte of the frame that completed the trigger message.
    [[nodiscard]] constexpr std::uint64_t frame_end_cycle() const { return get_bits(words, 448, 32); }
    constexpr void set_frame_end_cycle(std::uint64_t value) { set_bits(words, 448, 32, value); }
    // length: Payload length (zero when rejected).
    [[nodiscard]] constexpr std::uint64_t length() const { return get_bits(words, 480, 16); }
    constexpr void set_length(std::uint64_t value) { set_bits(words, 480, 16, value); }
    // source: Price source.
    [[nodiscard]] constexpr std::uint64_t source() const { return get_bits(words, 496, 8); }
    constexpr void set_source(std::uint64_t value) { set_bits(words, 496, 8, value); }
    // outcome: Outcome, see the constants.
    [[nodiscard]] constexpr std::uint64_t outcome() const { return get_bits(words, 504, 8); }
    constexpr void set_outcome(std::uint64_t value) { set_bits(words, 504, 8, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("entry", entry());
        visitor("generation", generation());
        visitor("message", message());
        visitor("trigger", trigger());
        visitor("sent_at", sent_at());
        visitor("rule", rule());
        visitor("order", order());
        visitor("message_end_cycle", message_end_cycle());
        visitor("instrument", instrument());
        visitor("fires", fires());
        visitor("observed", observed());
        visitor("msg_seq_num", msg_seq_num());
        visitor("tcp_seq", tcp_seq());
        visitor("time_ns", time_ns());
        visitor("frame_end_cycle", frame_end_cycle());
        visitor("length", length());
        visitor("source", source());
        visitor("outcome", outcome());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "entry") {
            set_entry(value);
            return true;
        }
        if (field == "generation") {
            set_generation(value);
            return true;
        }
        if (field == "message") {
            set_message(value);
            return true;
        }
        if (field == "trigger") {
            set_trigger(value);
            return true;
        }
        if (field == "sent_at") {
            set_sent_at(value);
            return true;
        }
        if (field == "rule") {
            set_rule(value);
            return true;
        }
        if (field == "order") {
            set_order(value);
            return true;
        }
        if (field == "message_end_cycle") {
            set_message_end_cycle(value);
            return true;
        }
        if (field == "instrument") {
            set_instrument(value);
            return true;
        }
        if (field == "fires") {
            set_fires(value);
            return true;
        }
        if (field == "observed") {
            set_observed(static_cast<std::int64_t>(value));
            return true;
        }
        if (field == "msg_seq_num") {
            set_msg_seq_num(value);
            return true;
        }
        if (field == "tcp_seq") {
            set_tcp_seq(value);
            return true;
        }
        if (field == "time_ns") {
            set_time_ns(value);
            return true;
        }
        if (field == "frame_end_cycle") {
            set_frame_end_cycle(value);
            return true;
        }
        if (field == "length") {
            set_length(value);
            return true;
        }
        if (field == "source") {
            set_source(value);
            return true;
        }
        if (field == "outcome") {
            set_outcome(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(ring_record) == 64);

// Written when the last byte of the order has left; same index as the ring record.
struct ring_sent_record {
    static constexpr std::size_t kWords = 4;
    static constexpr std::size_t kStride = 4;
    std::array<std::uint32_t, kStride> words{};
    // entry: Record number n; equal to the ring record's when the order has left.
    [[nodiscard]] constexpr std::uint64_t entry() const { return get_bits(words, 0, 32); }
    constexpr void set_entry(std::uint64_t value) { set_bits(words, 0, 32, value); }
    // first_byte_cycle: Cycle of the order frame's first byte.
    [[nodiscard]] constexpr std::uint64_t first_byte_cycle() const { return get_bits(words, 32, 32); }
    constexpr void set_first_byte_cycle(std::uint64_t value) { set_bits(words, 32, 32, value); }
    // last_byte_cycle: Cycle of the order frame's last byte.
    [[nodiscard]] constexpr std::uint64_t last_byte_cycle() const { return get_bits(words, 64, 32); }
    constexpr void set_last_byte_cycle(std::uint64_t value) { set_bits(words, 64, 32, value); }
    // tcp_checksum: TCP checksum as sent.
    [[nodiscard]] constexpr std::uint64_t tcp_checksum() const { return get_bits(words, 96, 16); }
    constexpr void set_tcp_checksum(std::uint64_t value) { set_bits(words, 96, 16, value); }
    // reserved: Zero.
    [[nodiscard]] constexpr std::uint64_t reserved() const { return get_bits(words, 112, 16); }
    constexpr void set_reserved(std::uint64_t value) { set_bits(words, 112, 16, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("entry", entry());
        visitor("first_byte_cycle", first_byte_cycle());
        visitor("last_byte_cycle", last_byte_cycle());
        visitor("tcp_checksum", tcp_checksum());
        visitor("reserved", reserved());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "entry") {
            set_entry(value);
            return true;
        }
        if (field == "first_byte_cycle") {
            set_first_byte_cycle(value);
            return true;
        }
        if (field == "last_byte_cycle") {
            set_last_byte_cycle(value);
            return true;
        }
        if (field == "tcp_checksum") {
            set_tcp_checksum(value);
            return true;
        }
        if (field == "reserved") {
            set_reserved(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(ring_sent_record) == 16);

// Payload bytes as sent, 4 a word, first byte lowest; an order begins at the index that its ring record names, and index 0 follows the last.
struct sent_record {
    static constexpr std::size_t kWords = 1;
    static constexpr std::size_t kStride = 1;
    std::array<std::uint32_t, kStride> words{};
    // word: Four payload bytes.
    [[nodiscard]] constexpr std::uint64_t word() const { return get_bits(words, 0, 32); }
    constexpr void set_word(std::uint64_t value) { set_bits(words, 0, 32, value); }
    // Calls visitor(name, value) for every field in order; a wide field's value is an array of its bytes.
    template <typename Visitor>
    constexpr void visit(Visitor&& visitor) const {
        visitor("word", word());
    }
    // Sets the field called `field`, of a wide one its byte `index`. False if there is no such field or byte.
    constexpr bool set(std::string_view field, std::uint64_t value, [[maybe_unused]] unsigned index = 0) {
        if (field == "word") {
            set_word(value);
            return true;
        }
        return false;
    }
};
static_assert(sizeof(sent_record) == 4);

// A window of records: byte address of record i is base + i * stride_bytes.
struct Window {
    std::uint32_t base;
    std::uint32_t stride_bytes;
    std::uint32_t room;
};

namespace memory {
inline constexpr Window ring{0x100000, 64, 256};
inline constexpr Window ring_sent{0x110000, 16, 256};
inline constexpr Window sent{0x120000, 4, 32768};
inline constexpr Window resting{0x140000, 4, 32768};
inline constexpr Window rearm{0x160000, 32, 128};
inline constexpr Window directory{0x200000, 4, 131072};
inline constexpr Window displacement{0x400000, 4, 65536};
inline constexpr Window live{0x480000, 4, 1024};
inline constexpr Window dormant{0x490000, 4, 1024};
inline constexpr Window link{0x4a0000, 8, 16384};
inline constexpr Window quantity_left{0x4c0000, 16, 16384};
inline constexpr Window template_shape{0x500000, 4, 65536};
inline constexpr Window symbol{0x580000, 16, 32768};
inline constexpr Window instrument{0x600000, 32, 65536};
inline constexpr Window chain{0x800000, 8, 524288};
inline constexpr Window trigger{0x1000000, 16, 1048576};
inline constexpr Window fire_count{0x2000000, 4, 1048576};
inline constexpr Window order{0x4000000, 32, 1048576};
inline constexpr Window template_byte{0x8000000, 4, 33554432};
}  // namespace memory

// From here on lie the windows that software writes; locked while the fabric is armed.
inline constexpr std::uint32_t tables_base = 0x200000;

// Calls visitor(name, record) with an empty record of every kind.
template <typename Visitor>
constexpr void each_record(Visitor&& visitor) {
    visitor("directory", directory_record{});
    visitor("displacement", displacement_record{});
    visitor("instrument", instrument_record{});
    visitor("chain", chain_record{});
    visitor("trigger", trigger_record{});
    visitor("fire_count", fire_count_record{});
    visitor("live", live_record{});
    visitor("dormant", dormant_record{});
    visitor("link", link_record{});
    visitor("rearm", rearm_record{});
    visitor("order", order_record{});
    visitor("quantity_left", quantity_left_record{});
    visitor("resting", resting_record{});
    visitor("symbol", symbol_record{});
    visitor("template_shape", template_shape_record{});
    visitor("template_byte", template_byte_record{});
    visitor("ring", ring_record{});
    visitor("ring_sent", ring_sent_record{});
    visitor("sent", sent_record{});
}

// What a board holds, as its cap_ registers say.
struct Capacity {
    std::uint32_t instruments;
    std::uint32_t triggers;
    std::uint32_t orders;
    std::uint32_t templates;
    std::uint32_t groups;
};

// Fields that are an index: a board stores only the bits that its capacity needs.
struct Index {
    std::string_view record;
    std::string_view field;
    std::uint32_t Capacity::*counts;
};
inline constexpr std::array indices{
    Index{"directory", "instrument", &Capacity::instruments},
    Index{"chain", "first", &Capacity::triggers},
    Index{"chain", "last", &Capacity::triggers},
    Index{"trigger", "rule", &Capacity::triggers},
    Index{"trigger", "order", &Capacity::orders},
    Index{"link", "first", &Capacity::triggers},
    Index{"link", "last", &Capacity::triggers},
    Index{"rearm", "instrument", &Capacity::instruments},
    Index{"rearm", "trigger", &Capacity::triggers},
    Index{"rearm", "order", &Capacity::orders},
    Index{"order", "template_index", &Capacity::templates},
    Index{"resting", "order", &Capacity::orders},
};

// Records that each memory has on a board of that capacity.
namespace depth {
constexpr std::uint32_t ring([[maybe_unused]] const Capacity& c) { return ring_entries; }
constexpr std::uint32_t ring_sent([[maybe_unused]] const Capacity& c) { return ring_entries; }
constexpr std::uint32_t sent([[maybe_unused]] const Capacity& c) { return sent_bytes / 4; }
constexpr std::uint32_t resting([[maybe_unused]] const Capacity& c) { return 2 * c.instruments; }
constexpr std::uint32_t rearm([[maybe_unused]] const Capacity& c) { return rearm_slots; }
constexpr std::uint32_t directory([[maybe_unused]] const Capacity& c) { return 2 * c.instruments; }
constexpr std::uint32_t displacement([[maybe_unused]] const Capacity& c) { return c.instruments; }
constexpr std::uint32_t live([[maybe_unused]] const Capacity& c) { return c.triggers / live_word_bits; }
constexpr std::uint32_t dormant([[maybe_unused]] const Capacity& c) { return c.triggers / live_word_bits; }
constexpr std::uint32_t link([[maybe_unused]] const Capacity& c) { return c.groups * links_a_group; }
constexpr std::uint32_t quantity_left([[maybe_unused]] const Capacity& c) { return c.instruments; }
constexpr std::uint32_t template_shape([[maybe_unused]] const Capacity& c) { return c.templates; }
constexpr std::uint32_t symbol([[maybe_unused]] const Capacity& c) { return c.instruments; }
constexpr std::uint32_t instrument([[maybe_unused]] const Capacity& c) { return c.instruments; }
constexpr std::uint32_t chain([[maybe_unused]] const Capacity& c) { return 8 * c.instruments; }
constexpr std::uint32_t trigger([[maybe_unused]] const Capacity& c) { return c.triggers; }
constexpr std::uint32_t fire_count([[maybe_unused]] const Capacity& c) { return c.triggers; }
constexpr std::uint32_t order([[maybe_unused]] const Capacity& c) { return c.orders; }
constexpr std::uint32_t template_byte([[maybe_unused]] const Capacity& c) { return c.templates * message_bytes; }
}  // namespace depth

// A memory under its name, for tools that go over all of them.
struct Memory {
    std::string_view name;
    Window window;
    std::uint32_t (*depth)(const Capacity&);
    bool writable;
};
inline constexpr std::array<Memory, 19> memories{{
    {"ring", memory::ring, depth::ring, false},
    {"ring_sent", memory::ring_sent, depth::ring_sent, false},
    {"sent", memory::sent, depth::sent, false},
    {"resting", memory::resting, depth::resting, false},
    {"rearm", memory::rearm, depth::rearm, true},
    {"directory", memory::directory, depth::directory, true},
    {"displacement", memory::displacement, depth::displacement, true},
    {"live", memory::live, depth::live, true},
    {"dormant", memory::dormant, depth::dormant, true},
    {"link", memory::link, depth::link, true},
    {"quantity_left", memory::quantity_left, depth::quantity_left, true},
    {"template_shape", memory::template_shape, depth::template_shape, true},
    {"symbol", memory::symbol, depth::symbol, true},
    {"instrument", memory::instrument, depth::instrument, true},
    {"chain", memory::chain, depth::chain, true},
    {"trigger", memory::trigger, depth::trigger, true},
    {"fire_count", memory::fire_count, depth::fire_count, true},
    {"order", memory::order, depth::order, true},
    {"template_byte", memory::template_byte, depth::template_byte, true},
}};

}  // namespace fixaccel::hwmap
