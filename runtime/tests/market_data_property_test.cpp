// SPDX-License-Identifier: Apache-2.0
// Random updates (35=X): what the reader makes of the text is what the entries mean one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "market_data.hpp"

namespace fixaccel {
namespace {

constexpr std::int64_t kWhole = 100'000'000;
constexpr std::array kSymbols = {"MSFT", "CLZ6", "OTHER"};  // the last is not the reader's
constexpr std::array kTypes = {"0", "1", "2", "4"};         // bid, offer, trade, something else
constexpr int kTrade = 2;
constexpr int kDelete = 2;

struct Entry {
    std::int32_t instrument = 0;
    int type = 0;
    int action = 0;
    std::optional<int> price;
    int position = 0;  // 0: it has none
};

class RandomUpdates {
  public:
    explicit RandomUpdates(unsigned seed) : random_(seed) {}

    int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }

    std::vector<Entry> entries() {
        std::vector<Entry> all(static_cast<std::size_t>(1 + below(8)));
        for (Entry& entry : all) {
            entry = {
                .instrument = below(3), .type = below(4), .action = below(3), .price = {}, .position = 0};
            if (below(5) != 0) entry.price = below(9) - 4;
            if (below(3) != 0) entry.position = 1 + below(3);
        }
        return all;
    }

    std::string text(const std::vector<Entry>& entries) {
        std::string result =
            field("35", "X") + field("262", "R") + field("268", std::to_string(entries.size()));
        std::optional<std::int32_t> said;
        for (const Entry& entry : entries) {
            std::vector<std::string> rest = {field("271", "1"),
                                             field("269", kTypes.at(static_cast<std::size_t>(entry.type)))};
            // What an entry leaves out is as in the one before it.
            if (said != entry.instrument || below(2) == 0)
                rest.push_back(field("55", kSymbols.at(static_cast<std::size_t>(entry.instrument))));
            if (entry.price) rest.push_back(field("270", std::to_string(*entry.price)));
            if (entry.position > 0) rest.push_back(field("290", std::to_string(entry.position)));
            std::shuffle(rest.begin(), rest.end(), random_);
            result += field("279", std::to_string(entry.action));
            for (const std::string& each : rest) result += each;
            said = entry.instrument;
        }
        return result;
    }

  private:
    static std::string field(const std::string& tag, const std::string& value) {
        return tag + "=" + value + "\x01";
    }

    std::mt19937 random_;
};

// The entry that says what a source is now.
const Entry* decisive(const std::vector<Entry>& entries, std::int32_t instrument, int type) {
    std::vector<const Entry*> best;
    std::vector<const Entry*> unplaced;
    std::vector<const Entry*> trades;
    for (const Entry& entry : entries) {
        if (entry.instrument != instrument || entry.type != type) continue;
        if (entry.position == 1) best.push_back(&entry);
        if (entry.position == 0) unplaced.push_back(&entry);
        if (entry.action != kDelete) trades.push_back(&entry);
    }
    if (type == kTrade) return trades.empty() ? nullptr : trades.back();
    if (!best.empty()) return best.front();
    return unplaced.empty() ? nullptr : unplaced.front();
}

std::vector<std::int32_t> instruments_of(const std::vector<Entry>& entries) {
    std::vector<std::int32_t> order;
    for (const Entry& entry : entries)
        if (entry.instrument < 2 && std::find(order.begin(), order.end(), entry.instrument) == order.end())
            order.push_back(entry.instrument);
    return order;
}

TEST(MarketDataProperty, AnUpdateMeansWhatItsEntriesMean) {
    MarketReader reader({kSymbols[0], kSymbols[1]});
    for (unsigned seed = 0; seed < 3000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        RandomUpdates random(seed);
        const std::vector<Entry> entries = random.entries();
        std::vector<MarketMessage> seen;
        const std::string text = random.text(entries);
        ASSERT_TRUE(reader.read(MarketText(text), 7, seen));
        const std::vector<std::int32_t> expected = instruments_of(entries);
        ASSERT_EQ(seen.size(), expected.size());
        for (std::size_t at = 0; at < seen.size(); ++at) {
            ASSERT_EQ(seen[at].instrument, expected[at]);
            ASSERT_EQ(seen[at].kind, MarketKind::update);
            for (std::size_t source = 0; source < kCarriedSources; ++source) {
                const Entry* const entry = decisive(entries, expected[at], static_cast<int>(source));
                const PriceState state = entry == nullptr                            ? PriceState::absent
                                         : entry->action == kDelete || !entry->price ? PriceState::unknown
                                                                                     : PriceState::value;
                ASSERT_EQ(seen[at].state[source], state) << source;
                if (state == PriceState::value) {
                    ASSERT_EQ(seen[at].price[source], *entry->price * kWhole);
                }
            }
        }
    }
}

}  // namespace
}  // namespace fixaccel
