// SPDX-License-Identifier: Apache-2.0
// The examples of the page on matching are played, and what the page says comes is what comes. An example is
// a block of text; a line at the margin does something, the indented ones below it are what follows from it.
#include <fstream>
#include <optional>
#include <sstream>

#include "tests/engine_driver.hpp"

namespace fixaccel::exchange {
namespace {

class MatchingPage : public EngineTest {
  protected:
    std::string next(std::istringstream& words) {
        std::string word;
        words >> word;
        return word;
    }
    std::int64_t number(std::istringstream& words) {
        std::int64_t value = 0;
        EXPECT_TRUE(words >> value) << "a number is missing: " << words.str();
        return value;
    }

    static std::optional<TimeInForce> tif(const std::string& word) {
        for (int value = 0; value <= static_cast<int>(TimeInForce::kAtTheClose); ++value) {
            if (to_text(static_cast<TimeInForce>(value)) == word) return static_cast<TimeInForce>(value);
        }
        return std::nullopt;
    }
    static std::optional<SelfTrade> self_trade(const std::string& word) {
        for (int value = 0; value <= static_cast<int>(SelfTrade::kDecrement); ++value) {
            if (to_text(static_cast<SelfTrade>(value)) == word) return static_cast<SelfTrade>(value);
        }
        return std::nullopt;
    }

    // QTY [at PRICE] [stop PRICE] [touched PRICE] [shows QTY] [minimum QTY] [owner N] [TIF] [SELF-TRADE]
    Terms terms(std::istringstream& words, Owner& owner) {
        Terms terms;
        terms.quantity = number(words);
        bool priced = false;
        bool stops = false;
        bool touches = false;
        for (std::string word; words >> word;) {
            if (word == "at") {
                terms.price = number(words);
                priced = true;
            } else if (word == "stop" || word == "touched") {
                terms.trigger = number(words);
                (word == "stop" ? stops : touches) = true;
            } else if (word == "shows") {
                terms.display = number(words);
            } else if (word == "minimum") {
                terms.minimum = number(words);
            } else if (word == "owner") {
                owner = static_cast<Owner>(number(words));
            } else if (const auto time = tif(word)) {
                terms.tif = *time;
            } else if (const auto mode = self_trade(word)) {
                terms.self_trade = *mode;
            } else {
                ADD_FAILURE() << "unknown word " << word;
            }
        }
        terms.type = touches           ? OrderType::kMarketIfTouched
                     : stops && priced ? OrderType::kStopLimit
                     : stops           ? OrderType::kStop
                     : priced          ? OrderType::kLimit
                                       : OrderType::kMarket;
        return terms;
    }

    Phase phase_of(const std::string& word) {
        for (int value = 0; value <= static_cast<int>(Phase::kClosed); ++value) {
            if (to_text(static_cast<Phase>(value)) == word) return static_cast<Phase>(value);
        }
        ADD_FAILURE() << "no phase " << word;
        return Phase::kClosed;
    }

    Lines act(const std::string& line) {
        std::istringstream words(line);
        const std::string what = next(words);
        Owner owner = kNobody;
        if (what == "book") return {book()};
        if (what == "end_of_day") return end_of_day();
        if (what == "phase") return phase(phase_of(next(words)));
        if (what == "print") return print(number(words));
        if (what == "reference") return reference(number(words));
        if (what == "time") return time(number(words));
        if (what == "mass_cancel") return mass_cancel(static_cast<Owner>(number(words)));
        if (what == "limits" || what == "breaker") {
            const std::int64_t first = number(words);
            const std::int64_t second = number(words);
            return what == "limits" ? limits(first, second) : breaker(first, second);
        }
        const std::string name = next(words);
        if (what == "cancel") return cancel(name);
        const Terms wanted = terms(words, owner);
        if (what == "buy") return buy(name, wanted, owner);
        if (what == "sell") return sell(name, wanted, owner);
        if (what == "replace") return replace(name, wanted);
        ADD_FAILURE() << "unknown step " << line;
        return {};
    }
};

std::vector<std::vector<std::string>> examples() {
    std::ifstream page(MATCHING_PAGE);
    std::vector<std::vector<std::string>> result;
    bool inside = false;
    for (std::string line; std::getline(page, line);) {
        if (line == "```{code-block} text") {
            result.emplace_back();
            inside = true;
        } else if (line == "```") {
            inside = false;
        } else if (inside && !line.empty() && line.front() != ':') {
            result.back().push_back(line);
        }
    }
    return result;
}

class MatchingExample : public MatchingPage, public testing::WithParamInterface<std::size_t> {};

TEST_P(MatchingExample, IsWhatThePageSays) {
    const std::vector<std::string> lines = examples()[GetParam()];
    for (std::size_t at = 0; at < lines.size();) {
        const std::string step = lines[at++];
        Lines said;
        for (; at < lines.size() && lines[at].starts_with("  "); ++at) said.push_back(lines[at].substr(2));
        EXPECT_EQ(act(step), said) << step;
    }
}

INSTANTIATE_TEST_SUITE_P(Page, MatchingExample, testing::Range(std::size_t{0}, examples().size()));

}  // namespace
}  // namespace fixaccel::exchange
