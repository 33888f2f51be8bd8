// SPDX-License-Identifier: Apache-2.0
// Market data of the FIX session as messages of the table interpreter.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fixaccel/table.hpp"
#include "market_text.hpp"

namespace fixaccel {

// A price in 10^-8, exact: value if `text` is a decimal of at most 18 digits then, else invalid.
PriceState read_price(std::string_view text, std::int64_t& price);

class MarketReader {
  public:
    // `symbols` by instrument.
    explicit MarketReader(const std::vector<std::string>& symbols);

    // Makes `out` the messages that one FIX message means to these instruments, all at `ts_ns`: one for a
    // snapshot (35=W), one for each instrument of an update (35=X) in the order of first appearance, none
    // for anything else, for other instruments and for what is sent again (PossDupFlag=Y). False, and
    // nothing in `out`, if it does not say which instruments it is about.
    bool read(const MarketText& text, std::int64_t ts_ns, std::vector<MarketMessage>& out);

    // What a message says of one instrument, by source.
    struct Chosen {
        std::array<const MarketEntry*, kCarriedSources> entry{};
        std::array<bool, kCarriedSources> best{};  // it is of the first level
    };
    // Takes one more entry of the message, which is an update or a snapshot.
    static void choose(const MarketEntry& entry, bool update, Chosen& chosen);

  private:
    std::int32_t find(std::string_view symbol) const;
    static void say(const Chosen& chosen, MarketMessage& message);

    std::map<std::string, std::int32_t, std::less<>> instruments_;
    // Scratch.
    std::vector<Chosen> chosen_;       // beside the messages
    std::vector<std::int32_t> place_;  // which of the messages is an instrument's
};

}  // namespace fixaccel
