// SPDX-License-Identifier: Apache-2.0
#include "control/requests.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace fixaccel::exchange {
namespace {

constexpr std::pair<std::string_view, Watch> kWatches[] = {{"books", Watch::kBooks},
                                                           {"trades", Watch::kTrades},
                                                           {"orders", Watch::kOrders},
                                                           {"sessions", Watch::kSessions},
                                                           {"messages", Watch::kMessages}};
constexpr std::int64_t kMostDepth = 1000;
constexpr std::int64_t kLeastInterval = 1;
constexpr std::int64_t kMostInterval = 60'000;
constexpr std::int64_t kMostPerSecond = 10'000'000;

}  // namespace

ControlRequests::ControlRequests(ControlledVenue& venue, std::string version)
    : venue_(venue), version_(std::move(version)) {}

const std::vector<ControlRequests::Command>& ControlRequests::commands() {
    static const std::vector<Command> kCommands{
        {"status", &ControlRequests::status}, {"orders", &ControlRequests::orders},
        {"order", &ControlRequests::order},   {"cancel", &ControlRequests::cancel},
        {"quote", &ControlRequests::quote},   {"trade", &ControlRequests::trade},
        {"phase", &ControlRequests::phase},   {"logout", &ControlRequests::logout},
        {"resend", &ControlRequests::resend}, {"test_request", &ControlRequests::test_request},
        {"fault", &ControlRequests::fault}};
    return kCommands;
}

ControlJson ControlRequests::answer(const std::string& command, Asked& asked) {
    std::vector<std::string> names{"watch"};
    for (const Command& each : commands()) {
        if (each.name == command) return (this->*each.handler)(asked);
        names.emplace_back(each.name);
    }
    throw RequestError("unknown request \"" + command.substr(0, 40) + "\"", "there is " + listed(names));
}

WatchTerms ControlRequests::read_watch(Asked& asked) {
    WatchTerms terms;
    std::vector<std::string> known;
    for (const auto& each : kWatches) known.emplace_back(each.first);
    for (const std::string& word : asked.words("what")) {
        const auto* const found = std::find_if(std::begin(kWatches), std::end(kWatches),
                                               [&](const auto& each) { return each.first == word; });
        if (found == std::end(kWatches))
            throw RequestError("nothing called '" + word.substr(0, 40) + "' can be watched",
                               "\"what\" lists " + listed(known));
        terms.what |= static_cast<unsigned>(found->second);
    }
    if (terms.what == 0) throw RequestError("\"what\" is empty", "it lists " + listed(known));
    terms.depth =
        static_cast<std::size_t>(asked.whole("depth", static_cast<std::int64_t>(terms.depth), 0, kMostDepth));
    terms.interval = std::chrono::milliseconds(
        asked.whole("interval_ms", terms.interval.count(), kLeastInterval, kMostInterval));
    terms.most_per_second = static_cast<std::size_t>(asked.whole("most_per_second", 0, 0, kMostPerSecond));
    asked.end();
    return terms;
}

void ControlRequests::act(const ControlledVenue::Action& action) {
    std::exception_ptr thrown;
    venue_.act([&](Exchange& exchange) -> std::vector<Execution> {
        try {
            return action(exchange);
        } catch (...) {
            // It is the control thread's, not the engine's.
            thrown = std::current_exception();
            return {};
        }
    });
    if (thrown) std::rethrow_exception(thrown);
}

std::vector<const Instrument*> ControlRequests::instruments() const {
    std::vector<const Instrument*> out;
    for (const std::string& symbol : venue_.exchange().symbols())
        out.push_back(venue_.exchange().find(symbol));
    return out;
}

std::vector<BookSeen> ControlRequests::books(const std::vector<const Instrument*>& instruments,
                                             std::size_t depth) {
    std::vector<BookSeen> out(instruments.size());
    act([&](Exchange& exchange) {
        for (std::size_t i = 0; i < instruments.size(); ++i) {
            const InstrumentIndex index = exchange.index_of(instruments[i]->symbol());
            out[i] = {instruments[i], exchange.snapshot(instruments[i]->symbol(), depth),
                      exchange.engine().phase(index)};
        }
        return std::vector<Execution>{};
    });
    return out;
}

const Instrument& ControlRequests::instrument(Asked& asked) const {
    const std::string symbol = asked.text("symbol");
    if (const Instrument* const found = venue_.exchange().find(symbol)) return *found;
    std::vector<std::string> known = venue_.exchange().symbols();
    constexpr std::size_t kShown = 10;
    if (known.size() > kShown) known.resize(kShown);
    throw RequestError("unknown symbol '" + symbol.substr(0, 40) + "'", "there is " + listed(known));
}

const VenueClient& ControlRequests::client(Asked& asked) const {
    const std::string name = asked.text("client");
    std::vector<std::string> known;
    for (const VenueClient& each : venue_.clients()) {
        if (each.name == name) return each;
        known.push_back(each.name);
    }
    throw RequestError("unknown client '" + name.substr(0, 40) + "'", "there is " + listed(known));
}

ControlJson ControlRequests::status(Asked& asked) {
    asked.end();
    std::vector<Phase> phases;
    std::uint64_t open = 0;
    std::uint64_t known = 0;
    const std::vector<const Instrument*> all = instruments();
    act([&](Exchange& exchange) {
        for (const Instrument* each : all)
            phases.push_back(exchange.engine().phase(exchange.index_of(each->symbol())));
        open = exchange.engine().order_count();
        known = exchange.store().size();
        return std::vector<Execution>{};
    });
    ControlJson listed_instruments = ControlJson::array();
    for (std::size_t i = 0; i < all.size(); ++i)
        listed_instruments.push_back(instrument_view(*all[i], phases[i]));
    ControlJson sessions = ControlJson::array();
    for (const VenueClient& each : venue_.clients())
        sessions.push_back(session_view(each, venue_.stats(each.name)));
    return {{"venue", venue_.name()},
            {"version", version_},
            {"time_ns", now_ns()},
            {"instruments", std::move(listed_instruments)},
            {"sessions", std::move(sessions)},
            {"counts", {{"open_orders", open}, {"orders", known}}}};
}

}  // namespace fixaccel::exchange
