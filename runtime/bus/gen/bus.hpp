// SPDX-License-Identifier: Apache-2.0
// Generated from compiler/fixaccel/bus by `fixaccel hwmap generate`. Do not edit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace fixaccel::bus {

// Names.
inline constexpr int kVersion = 1;
inline constexpr std::string_view kRoot = "fx";
inline constexpr std::string_view kQuotes = "md";
inline constexpr std::string_view kEvents = "ev";
inline constexpr std::string_view kStatus = "st";
inline constexpr std::string_view kHeartbeat = "hb";
inline constexpr const char* kHeaderEvent = "Fx-Event";
inline constexpr const char* kHeaderJournal = "Fx-Journal";
inline constexpr const char* kHeaderRecord = "Fx-Record";
inline constexpr const char* kHeaderExpected = "Nats-Expected-Last-Sequence";
// Behind which comes the board.
inline constexpr std::string_view kEventsStream = "EV-";
inline constexpr std::string_view kQuotesStream = "QUOTES-";
inline constexpr std::string_view kStatusStream = "STATUS-";
// Behind which comes the principal.
inline constexpr std::string_view kInbox = "_INBOX.";
inline constexpr std::int64_t kHeartbeatMs = 1000;
inline constexpr std::int64_t kSilentMs = 3000;
inline constexpr std::int64_t kRefreshMs = 5000;

// Type of a record of the journal, and the kind of event that it is.
inline constexpr std::array kEventKinds{
    std::pair<std::string_view, std::string_view>{"fire", "fire"},
    std::pair<std::string_view, std::string_view>{"execution", "execution"},
    std::pair<std::string_view, std::string_view>{"reject", "execution"},
    std::pair<std::string_view, std::string_view>{"cancel_reject", "execution"},
    std::pair<std::string_view, std::string_view>{"armed", "armed"},
    std::pair<std::string_view, std::string_view>{"disarmed", "disarmed"},
    std::pair<std::string_view, std::string_view>{"load", "load"},
    std::pair<std::string_view, std::string_view>{"load_dropped", "load"},
    std::pair<std::string_view, std::string_view>{"session", "session"},
    std::pair<std::string_view, std::string_view>{"board_lost", "board_lost"},
    std::pair<std::string_view, std::string_view>{"reconciled", "reconciled"},
    std::pair<std::string_view, std::string_view>{"command", "command"},
    std::pair<std::string_view, std::string_view>{"kill", "command"},
    std::pair<std::string_view, std::string_view>{"limit_set", "limit"},
    std::pair<std::string_view, std::string_view>{"limit_reverted", "limit"},
    std::pair<std::string_view, std::string_view>{"limits_reset", "limit"},
    std::pair<std::string_view, std::string_view>{"note", "note"},
};

// The ring. Words of its header, 64 bits each.
inline constexpr std::uint64_t kMagic = 0x0031474e49525846;
inline constexpr std::size_t kHeaderBytes = 4096;
inline constexpr std::size_t kPhaseBytes = 16;
enum class Word : std::size_t {
    magic = 0,  // that it is a ring, of this layout
    capacity = 1,  // bytes behind the header, a power of two
    run = 2,  // when the daemon began it, nanoseconds of UTC
    process = 3,  // of the daemon
    reserved = 8,  // position up to which the daemon may be writing
    committed = 9,  // position up to which records are whole
    records = 10,  // number of the last record, from 1
    quotes = 11,  // messages with market data among them
    beat_ns = 16,  // when the daemon was last seen, nanoseconds of UTC
    durable = 17,  // number of the last record of the journal that survives a loss of power
    fires = 18,  // fires recorded since the daemon's start
    reports = 19,  // execution reports recorded since the daemon's start
    flags = 20,  // bits: see FLAGS
    phase = 21,  // of the session, as text of at most 16 bytes, zeros behind it
    sleeping = 64,  // 1: a relay sleeps until it is woken; the one word that a relay writes
};
// Bits of `flags`.
inline constexpr std::uint64_t kArmed = 1;
inline constexpr std::uint64_t kDry = 2;
inline constexpr std::uint64_t kKilled = 4;
inline constexpr std::uint64_t kConnected = 8;
// Of a record: words before its bytes.
inline constexpr std::size_t kRecordWhat = 0;  // kind in the lowest byte, number of bytes above it
inline constexpr std::size_t kRecordNumber = 1;  // from 1, without a hole: what is missing was lost
inline constexpr std::size_t kRecordTime = 2;  // when the daemon had it, nanoseconds of UTC
inline constexpr std::size_t kRecordWords = 3;
enum class RecordKind : std::uint8_t {
    quotes = 1,  // a FIX message with market data, as it came
    unknown = 2,  // nothing is known of the market from here on; no bytes
};

}  // namespace fixaccel::bus
