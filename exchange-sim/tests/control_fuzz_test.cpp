// SPDX-License-Identifier: Apache-2.0
// Hostile input for the control socket, the same each time: requests that are nearly right, torn and mixed.
// A sanitizer sees more in it than the assertions do.
#include <cstdlib>
#include <random>

#include "control_fixture.hpp"

namespace fixaccel::exchange {
namespace {

using nlohmann::json;

const std::vector<json> kRequests{
    {{"do", "status"}},
    {{"do", "orders"}, {"open", true}, {"limit", 5}, {"client", "CLIENT1"}},
    {{"do", "order"}, {"symbol", "MSFT"}, {"side", "buy"}, {"type", "limit"}, {"qty", "5"}, {"price", "410"}},
    {{"do", "order"}, {"symbol", "MSFT"}, {"side", "sell"}, {"type", "market"}, {"qty", 7}, {"tif", "ioc"}},
    {{"do", "cancel"}, {"order", "O1"}, {"force", true}},
    {{"do", "quote"},
     {"symbol", "TOYOTA"},
     {"bid", "99"},
     {"bid_size", "100"},
     {"ask", "101"},
     {"ask_size", "100"}},
    {{"do", "trade"}, {"symbol", "MSFT"}, {"price", "410"}, {"qty", "1"}},
    {{"do", "phase"}, {"symbol", "MSFT"}, {"phase", "continuous"}},
    {{"do", "resend"}, {"client", "CLIENT1"}, {"begin", 1}, {"end", 0}},
    {{"do", "fault"}, {"client", "CLIENT1"}, {"kind", "drop"}, {"time_ms", 5}, {"count", 1}, {"types", "8"}},
    {{"do", "watch"}, {"what", {"books", "orders", "trades"}}, {"depth", 3}, {"interval_ms", 1}}};

class Mutator {
  public:
    explicit Mutator(std::uint64_t seed) : random_(seed) {}

    std::size_t below(std::size_t bound) {
        return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
    }

    json value() {
        switch (below(9)) {
            case 0:
                return nullptr;
            case 1:
                return static_cast<std::int64_t>(random_());
            case 2:
                return random_();
            case 3:
                return -1e300;
            case 4:
                return true;
            case 5:
                return json::array({1, "x", json::object()});
            case 6:
                return std::string(below(300), static_cast<char>(below(128)));
            case 7:
                return "9223372036854775807";
            default:
                return "-0.00000001";
        }
    }

    std::string line() {
        json request = kRequests[below(kRequests.size())];
        request["id"] = below(4) == 0 ? value() : json(below(1000));
        for (std::size_t i = below(3); i > 0; --i) {
            auto at = request.begin();
            std::advance(at, static_cast<std::ptrdiff_t>(below(request.size())));
            if (below(3) == 0)
                request.erase(at);
            else
                *at = value();
            if (request.empty()) break;
        }
        std::string text = request.dump(-1, ' ', false, json::error_handler_t::replace);
        for (std::size_t i = below(4) == 0 ? below(4) : 0; i > 0; --i)
            text[below(text.size())] = static_cast<char>(below(256));
        if (below(200) == 0) text = std::string(20'000, "[{\""[below(3)]);
        return text + "\n";
    }

  private:
    std::mt19937_64 random_;
};

class ControlFuzz : public ControlTest, public testing::WithParamInterface<std::uint64_t> {
  protected:
    void hammer(std::uint64_t seed, int rounds);
};

// Every line is answered, and the socket serves on.
void ControlFuzz::hammer(std::uint64_t seed, int rounds) {
    Mutator mutator(seed);
    for (int round = 0; round < rounds; ++round) {
        ControlUser user(path);
        std::string all;
        for (std::size_t i = 0; i < 1 + mutator.below(20); ++i) all += mutator.line();
        if (mutator.below(3) == 0) all.resize(mutator.below(all.size() + 1));
        for (std::size_t sent = 0; sent < all.size();) {
            const std::size_t part = 1 + mutator.below(all.size());
            user.say(all.substr(sent, part));
            sent += part;
        }
        if (mutator.below(4) == 0) continue;  // it hangs up unheard
        user.say("\n{\"id\":\"last\",\"do\":\"status\"}\n");
        for (auto said = user.line(); said && said->value("id", json()) != "last"; said = user.line())
            EXPECT_TRUE(said->contains("event") || (*said)["ok"].is_boolean()) << *said;
    }
    EXPECT_TRUE(ControlUser(path).ask({{"do", "status"}})["ok"]);
}

TEST_P(ControlFuzz, OfASeed) { hammer(GetParam(), 40); }

INSTANTIATE_TEST_SUITE_P(Seeds, ControlFuzz, testing::Range<std::uint64_t>(1, 6));

// What `make soak` runs.
class ControlFuzzCampaign : public ControlFuzz {};
TEST_P(ControlFuzzCampaign, OfTheSeedInTheEnvironment) {
    const char* const seed = std::getenv("CONTROL_FUZZ_SEED");
    if (seed == nullptr) GTEST_SKIP() << "CONTROL_FUZZ_SEED names none";
    hammer(std::strtoull(seed, nullptr, 10), 5000);
}
INSTANTIATE_TEST_SUITE_P(Soak, ControlFuzzCampaign, testing::Values(0));

}  // namespace
}  // namespace fixaccel::exchange
