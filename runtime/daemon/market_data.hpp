// SPDX-License-Identifier: Apache-2.0
// Market data of the FIX session as messages of the table interpreter.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fixaccel/table.hpp"

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
    bool read(std::string_view message, std::int64_t ts_ns, std::vector<MarketMessage>& out) const;

  private:
    std::map<std::string, std::int32_t, std::less<>> instruments_;
};

}  // namespace fixaccel
