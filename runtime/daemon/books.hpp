// SPDX-License-Identifier: Apache-2.0
// The venue's books as market data tells them, for people to look at: rules heed no more than the best of
// each side.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "market_text.hpp"

namespace fixaccel {

class Books {
  public:
    // A snapshot (35=W) or an update (35=X). Anything else, and what cannot be understood, changes nothing.
    void see(const MarketText& message);
    void clear();

    // Those that have changed since the last call, or all of them: instrument, bids and asks as pairs of
    // price and size, the best first, and the last trade. Texts as the venue writes them, without padding.
    nlohmann::json take(bool all);

  private:
    struct Level {
        std::string price, size;
    };
    struct Book {
        std::vector<Level> bids, asks;
        Level last;
        std::string snapshot;  // that has come and nobody has looked at
    };

    static void apply(const MarketEntry& entry, bool update, Book& book);
    Book& book_of(std::string_view symbol);
    void changed(std::string_view symbol);
    // What nobody has looked at yet.
    void read(Book& book);

    std::map<std::string, Book, std::less<>> books_;
    std::set<std::string, std::less<>> changed_;
    MarketText kept_;  // scratch
};

}  // namespace fixaccel
