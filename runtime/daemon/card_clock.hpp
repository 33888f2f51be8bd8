// SPDX-License-Identifier: Apache-2.0
// The clock that a network card has of its own (PHC), and stamps by it.
#pragma once

#include <array>
#include <chrono>
#include <ctime>
#include <optional>
#include <string>

#include "stamps.hpp"

namespace fixaccel {

// As far as the kernel tells.
struct CardClock {
    bool there = false;                    // an interface of that name
    bool stamps = false;                   // what it sends and what it receives
    int number = -1;                       // of /dev/ptpN; -1: it has none
    bool sends = false, receives = false;  // it has been told to stamp all of what it sends, and receives
    std::optional<std::chrono::nanoseconds> apart;  // from the system's clock; none: it cannot be read
    std::string why;                                // it cannot
};

// Of the interface, in this process' network namespace.
CardClock card_clock(const std::string& interface);

// Why its stamps are of no use, and what to do; empty if they are.
std::string unusable(const std::string& interface, const CardClock& clock);

// Of the three times of SCM_TIMESTAMPING the card's, if it is asked for, is there and can be, else the
// kernel's; none if neither is. `ahead_ns`: of the system's clock, to the steady one, where it is `now`.
std::optional<Stamp> chosen_stamp(const std::array<timespec, 3>& times, bool card, std::int64_t ahead_ns,
                                  std::chrono::steady_clock::time_point now);

}  // namespace fixaccel
