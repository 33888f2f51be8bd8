// SPDX-License-Identifier: Apache-2.0
// What may be traded: tick table, lot and price range of one instrument.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "matching/book.hpp"
#include "matching/types.hpp"

namespace fixaccel::exchange {

// All prices scaled by 10^8, as parse_decimal() gives them.
struct InstrumentTerms {
    std::string symbol;
    std::map<std::int64_t, std::int64_t> ticks;  // from this price upwards -> tick
    Quantity lot = 1;
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
};

class Instrument {
  public:
    // Throws std::invalid_argument, with a message for the user, on terms that cannot be traded: no tick, a
    // tick that the finest one does not divide, a range that is empty or starts below the tick table.
    explicit Instrument(InstrumentTerms terms);

    const std::string& symbol() const { return terms_.symbol; }
    Quantity lot() const { return terms_.lot; }
    const InstrumentTerms& terms() const { return terms_; }

    // The same terms in price units, as the engine has them.
    BookRules rules() const;
    // A price in units from its text; when there is none, `why` says so in words for the sender.
    std::optional<Price> parse_price(std::string_view text, std::string& why) const;
    // How far two prices are apart, in units: positive, of whole ticks of the finest kind.
    std::optional<Price> parse_distance(std::string_view text) const;
    // A quantity from its text: a positive multiple of the lot.
    std::optional<Quantity> parse_quantity(std::string_view text, std::string& why) const;

    std::string format_price(Price price) const;
    // notional / quantity, rounded half away from zero to 10^-8.
    std::string format_average(Notional notional, Quantity quantity) const;

  private:
    std::int64_t tick_at(std::int64_t scaled) const;

    InstrumentTerms terms_;
    std::int64_t unit_ = 0;  // the finest tick, scaled
    int decimals_ = 0;
};

}  // namespace fixaccel::exchange
