// SPDX-License-Identifier: Apache-2.0
// A message of the session taken apart once, for all that look at it: FIX session, rules, limits, books.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "fixaccel/market_header.hpp"

namespace fixaccel {

// One of the message's repeating group; empty: it does not say it.
struct MarketEntry {
    std::string_view symbol;  // as in the entry before, or ahead of all, where it says none
    std::string_view type;    // MDEntryType
    std::string_view action;  // MDUpdateAction
    std::optional<std::string_view> price;
    std::string_view size;
    std::string_view position;  // MDEntryPositionNo

    bool deleted() const { return action == "2"; }
};

class MarketText {
  public:
    MarketText() = default;
    explicit MarketText(std::string_view message) { read(message); }

    // `message` must stay as it is for as long as anything is asked: views into it are given out. Room for
    // entries is kept from message to message.
    void read(std::string_view message);

    std::string_view text() const { return text_; }
    // What the FIX session has to know of it.
    const MarketHeader& header() const { return header_; }
    std::string_view type() const { return type_; }
    bool snapshot() const { return type_ == "W"; }
    bool update() const { return type_ == "X"; }
    // It is market data.
    bool quotes() const { return snapshot() || update(); }
    // PossDupFlag: it is sent again.
    bool again() const { return again_; }
    // Ahead of the first entry.
    std::string_view symbol() const { return symbol_; }
    // In the order of the text; none of what is no market data.
    const std::vector<MarketEntry>& entries() const { return entries_; }

  private:
    std::string_view text_, type_, symbol_;
    MarketHeader header_;
    bool again_ = false;
    std::vector<MarketEntry> entries_;
};

}  // namespace fixaccel
