// SPDX-License-Identifier: Apache-2.0
#include "matching/messages.hpp"

#include <cstddef>

namespace fixaccel::exchange {

std::string_view to_text(MessageKind kind) {
    constexpr std::string_view kWords[] = {"add",   "cancel",    "replace", "mass_cancel",
                                           "phase", "reference", "limits",  "breaker",
                                           "print", "sweep",     "time",    "end_of_day"};
    return kWords[static_cast<int>(kind)];
}

std::string_view to_text(EventKind kind) {
    constexpr std::string_view kWords[] = {"accepted", "rejected", "trade",   "canceled",
                                           "reduced",  "replaced", "refused", "triggered",
                                           "printed",  "auction",  "phase"};
    return kWords[static_cast<int>(kind)];
}

std::string_view to_text(Reason reason) {
    constexpr std::string_view kWords[] = {
        "",
        "unknown instrument",
        "unknown order",
        "the quantity is not a positive number of lots",
        "a price is not on the tick grid",
        "a price is outside the price range",
        "a price is outside the limits of the day",
        "a price that this type of order does not have",
        "the quantity shown is not a part of the quantity in whole lots",
        "a minimum quantity needs an immediate or cancel order of that size",
        "an order with a trigger is not for an auction alone",
        "the instrument is closed",
        "at the open is taken in the opening call only",
        "an order that must trade at once is not taken in a call",
        "the venue is full",
        "that much is filled already",
        "that cannot be set",
        "as requested",
        "mass cancel",
        "no more quantity at the limit",
        "not enough quantity at the limit",
        "less than the minimum quantity at the limit",
        "it would trade with its own owner",
        "the auction is over",
        "the day is over",
        "the circuit breaker halted the instrument",
        "the halt is over"};
    static_assert(sizeof(kWords) / sizeof(kWords[0]) == static_cast<std::size_t>(Reason::kFinished));
    return kWords[static_cast<int>(reason)];
}

}  // namespace fixaccel::exchange
