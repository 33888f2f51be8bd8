// SPDX-License-Identifier: Apache-2.0
// Register access over a Unix stream socket. All numbers are 32-bit little-endian words.
//
//   request:  op, addr, count, then `count` words if op is write
//   response: status, count, then `count` words (those read; none after a write or a failure)
//
// Requests are answered in order. `addr` is a byte address and a multiple of 4; the access covers `count`
// consecutive words, in ascending order. After bad_op or bad_count the server cannot know where the next
// request starts: it answers and closes the connection.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel::board_protocol {

enum class Op : std::uint32_t { read = 1, write = 2 };

enum class Status : std::uint32_t {
    ok = 0,
    bad_op = 1,       // op is neither read nor write
    bad_address = 2,  // unaligned, or beyond the board's address space
    bad_count = 3,    // zero, or more than kMaxWords
    bus_error = 4,    // the fabric does not answer, or with another error
    refused = 5,      // the fabric answered with SLVERR
};

inline constexpr std::uint32_t kMaxWords = 4096;                           // most words of one request
inline constexpr std::uint32_t kAddressSpace = 1U << hwmap::address_bits;  // bytes
inline constexpr std::size_t kWordBytes = sizeof(std::uint32_t);

struct RequestHeader {
    std::uint32_t op;
    std::uint32_t addr;
    std::uint32_t count;
};
static_assert(sizeof(RequestHeader) == 12);

struct ResponseHeader {
    std::uint32_t status;
    std::uint32_t count;
};
static_assert(sizeof(ResponseHeader) == 8);

// Verdict on a request header; ok means that it may be carried out.
constexpr Status check(const RequestHeader& header) {
    if (header.op != static_cast<std::uint32_t>(Op::read) &&
        header.op != static_cast<std::uint32_t>(Op::write))
        return Status::bad_op;
    if (header.count == 0 || header.count > kMaxWords) return Status::bad_count;
    if (header.addr % kWordBytes != 0 || header.addr >= kAddressSpace ||
        header.count > (kAddressSpace - header.addr) / kWordBytes)
        return Status::bad_address;
    return Status::ok;
}

constexpr const char* describe(Status status) {
    switch (status) {
        case Status::ok:
            return "ok";
        case Status::bad_op:
            return "unknown operation";
        case Status::bad_address:
            return "address unaligned or outside the board";
        case Status::bad_count:
            return "word count outside 1..4096";
        case Status::bus_error:
            return "the fabric answered with a bus error";
        case Status::refused:
            return "the fabric answered with SLVERR, its tables are locked while it is armed";
    }
    return "unknown status";
}

}  // namespace fixaccel::board_protocol
