// SPDX-License-Identifier: Apache-2.0
// Subjects and streams of one board.
#pragma once

#include <string>
#include <string_view>

#include "bus/gen/bus.hpp"

namespace fixaccel::bus {

// A symbol as one token of a subject.
std::string token(std::string_view symbol);

struct Subjects {
    Subjects(const std::string& site, const std::string& board)
        : root(std::string(kRoot) + "." + site + "." + board + "."),
          events_stream(std::string(kEventsStream) + board),
          quotes_stream(std::string(kQuotesStream) + board),
          status_stream(std::string(kStatusStream) + board) {}

    std::string quotes(std::string_view symbol) const { return of(kQuotes) + "." + token(symbol); }
    std::string events(std::string_view kind) const { return of(kEvents) + "." + std::string(kind); }
    std::string of(std::string_view what) const { return root + std::string(what); }

    std::string root;
    std::string events_stream, quotes_stream, status_stream;
};

}  // namespace fixaccel::bus
