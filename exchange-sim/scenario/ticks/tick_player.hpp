// SPDX-License-Identifier: Apache-2.0
// From rows of an event file to what the house does.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "matching/exchange.hpp"
#include "scenario/ticks/event_file.hpp"

namespace fixaccel::exchange {

struct TickQuote {
    std::string symbol;
    std::optional<Quote> bid;
    std::optional<Quote> ask;
};

struct TickTrade {
    std::string symbol;
    Price price = 0;
    Quantity quantity = 0;
};

struct TickPhase {
    std::string symbol;
    Phase phase = Phase::kContinuous;
};

using TickMove = std::variant<TickQuote, TickTrade, TickPhase>;

class TickPlayer {
  public:
    // `symbols`: in the file -> here, others are left out; empty: as they are.
    TickPlayer(const Exchange& exchange, std::map<std::string, std::string> symbols);

    // What the house does for a row; nothing for one that tells of no market. Throws std::invalid_argument
    // with what is wrong with the row.
    std::vector<TickMove> moves(const EventRow& row);

    static const std::vector<Execution>& make(Exchange& exchange, const TickMove& move);

  private:
    struct Shown {
        std::string symbol;  // here
        const Instrument* terms = nullptr;
        std::optional<Quote> bid;
        std::optional<Quote> ask;
    };

    // Null for a symbol that is left out.
    Shown* find(const std::string& symbol);
    static bool read_side(const Shown& shown, const std::string& price, const std::string& size,
                          std::optional<Quote>& side);
    static Quantity size_of(const Instrument& terms, const std::string& text);
    std::vector<TickMove> phases(const std::string& symbol, Phase phase);

    const Exchange& exchange_;
    const std::map<std::string, std::string> symbols_;
    std::map<std::string, Shown> shown_;  // by the symbol in the file
};

}  // namespace fixaccel::exchange
