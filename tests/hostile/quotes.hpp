// SPDX-License-Identifier: Apache-2.0
// What the venue says: market data around a wandering price, and the rest of a FIX session.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fix_text.hpp"
#include "kinds.hpp"
#include "market_rules.hpp"
#include "random.hpp"

namespace fixaccel::hostile {

class Quotes {
  public:
    Quotes(Random& random, const MarketRules& rules, Kinds kinds);

    // The next message of the session, numbered.
    std::string next();
    // Bytes that break the stream's framing.
    std::string garbage();
    // A snapshot with prices far through the thresholds, not numbered on.
    std::string tempting();
    // A snapshot of the instrument with these entries, numbered: pairs of MDEntryType and price text.
    std::string snapshot(const std::string& symbol, const std::vector<std::pair<char, std::string>>& entries);
    std::uint32_t seq_num() const { return seq_num_; }
    void skip_numbers(std::uint32_t n) { seq_num_ += n; }
    // MsgType, CompIDs, MsgSeqNum and SendingTime; numbered.
    Fields header(const std::string& type);

  private:
    std::string quote(Fields head, int jump);
    std::string price(std::size_t instrument, int offset);
    std::string update();
    void add_entries(Fields& body, std::size_t instrument, int jump);
    std::string refused();

    Random& random_;
    const MarketRules& rules_;
    Kinds kinds_;
    std::vector<int> ticks_;  // from the middle, by instrument
    std::uint32_t seq_num_ = 1;
};

}  // namespace fixaccel::hostile
