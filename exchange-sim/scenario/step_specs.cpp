// SPDX-License-Identifier: Apache-2.0
#include "scenario/step_specs.hpp"

#include <stdexcept>

#include "scenario/fault_words.hpp"
#include "scenario/flow/flow_settings.hpp"

namespace fixaccel::exchange {
namespace {

constexpr std::int64_t kMostTurns = 1'000'000;

KeySpec instrument() { return {"instrument", Form::kInstrument, "The instrument.", true}; }

KeySpec client() { return {"client", Form::kClient, "The client, by its CompID.", true}; }

KeySpec map(std::string name, std::string doc, std::vector<KeySpec> keys,
            std::vector<std::string> one_of = {}) {
    KeySpec spec{std::move(name), Form::kMap, std::move(doc)};
    spec.keys = std::move(keys);
    spec.one_of = std::move(one_of);
    return spec;
}

KeySpec word(std::string name, std::string doc, bool required, std::vector<std::string> words) {
    return {std::move(name), Form::kWord, std::move(doc), required, std::move(words)};
}

KeySpec whole(std::string name, std::string doc, std::int64_t least, std::int64_t most = 1'000'000'000) {
    KeySpec spec{std::move(name), Form::kWhole, std::move(doc)};
    spec.least = least;
    spec.most = most;
    return spec;
}

KeySpec required(KeySpec spec) {
    spec.required = true;
    return spec;
}

std::vector<KeySpec> house_steps() {
    return {
        map("quote", "Replaces the house's quotes; a side left out is withdrawn.",
            {instrument(),
             {"bid", Form::kPrice, "Best bid."},
             {"bid_size", Form::kSize, "Its size."},
             {"ask", Form::kPrice, "Best ask."},
             {"ask_size", Form::kSize, "Its size."}}),
        map("trade",
            "The market trades at `price`: clients' resting orders at that price or better are filled by the "
            "house, "
            "then the house prints `size` with itself. Its own quotes stay.",
            {instrument(),
             {"price", Form::kPrice, "Price of the trade.", true},
             {"size", Form::kSize, "Size that the house prints.", true}}),
        {"batch", Form::kSteps, "Several `quote` and `trade` steps, published together."},
        map("order", "An order of the house, in the words of a strategy's `order`.",
            {instrument(),
             word("side", "Side.", true, {"buy", "sell"}),
             {"qty", Form::kSize, "Quantity.", true},
             word("type", "A market order has no price.", true, {"market", "limit"}),
             {"price", Form::kPrice, "Of a limit order."},
             word("tif", "How long it stays [day].", false, {"day", "gtc", "ioc", "fok"})}),
        {"cancel_all", Form::kInstrument, "Cancels all orders of the house in one book, never a client's."},
        map("phase",
            "`opening_call`, `closing_call` and `halted` collect orders; `continuous` and `closed` end that "
            "with an "
            "auction, if there was one to hold.",
            {instrument(), word("phase", "The phase from now on.", true,
                                {"continuous", "opening_call", "closing_call", "halted", "closed"})}),
    };
}

std::vector<KeySpec> waiting_steps() {
    return {
        {"wait", Form::kDuration, "Waits; longer than the heartbeat interval, it brings heartbeats."},
        {"after", Form::kDuration,
         "Waits until so long after the scenario's start; goes on at once where that is over."},
        {"at", Form::kTimeOfDay, "Waits until a time of the day, UTC; goes on at once where that is over."},
        map("wait_for", "Waits until something has happened, and fails where it does not.",
            {whole("orders", "So many client orders were accepted since the start.", 1),
             {"logon", Form::kClient, "That client is logged on."},
             {"logout", Form::kClient, "That client is not logged on."},
             {"subscribed", Form::kClient, "That client has subscribed to market data."},
             {"file", Form::kText, "That file exists; for scripts."},
             {"timeout", Form::kDuration, "How long it waits [`timeout` of the file]."}},
            {"orders", "logon", "logout", "subscribed", "file"}),
    };
}

std::vector<KeySpec> session_steps() {
    return {
        {"logout", Form::kClient, "Logs a client out; the Logout leaves within a second."},
        map("resend", "Sends a ResendRequest.",
            {client(), required(whole("begin", "First MsgSeqNum asked for.", 1)),
             required(whole("end", "Last one; 0 is up to now.", 0))}),
        map("test_request", "Sends a TestRequest with TestReqID SCENARIO.", {client()}),
        fault_spec(),
        {"say", Form::kText, "Prints a line."},
    };
}

std::vector<KeySpec> participants() {
    const MakerSettings maker;
    const NoiseSettings noise;
    const MomentumSettings momentum;
    const auto setting = [](const char* name, const std::string& doc, std::int64_t standard,
                            std::int64_t least, std::int64_t most) {
        return whole(name, doc + " [" + std::to_string(standard) + "].", least, most);
    };
    return {
        map("maker", "A market maker: quotes around a drifting reference, and leans against its inventory.",
            {setting("weight", "Its share of the turns", maker.weight, 1, 1000),
             setting("spread", "Ticks between its best bid and ask", maker.spread, 1, 1000),
             setting("levels", "Levels a side", maker.levels, 1, 20),
             setting("size", "Lots of each level", maker.size, 1, kMostTurns),
             setting("drift", "Turns of a hundred in which the reference moves by a tick", maker.drift, 0,
                     100),
             setting("skew", "Lots held that move its quotes by a tick; 0: none do", maker.skew, 0,
                     kMostTurns)}),
        map("noise", "Noise traders: limit orders near the market, market orders, cancels.",
            {setting("weight", "Their share of the turns", noise.weight, 1, 1000),
             setting("limit", "Weight of limit orders", noise.limit, 0, 1000),
             setting("market", "Weight of market orders", noise.market, 0, 1000),
             setting("cancel", "Weight of cancels", noise.cancel, 0, 1000),
             setting("size", "Lots of an order at most", noise.size, 1, kMostTurns),
             setting("depth", "Ticks behind the best price at most", noise.depth, 0, 1000),
             setting("resting", "Orders in one book at most", noise.resting, 1, 10'000)}),
        map("momentum", "Momentum traders: buy what has risen, sell what has fallen.",
            {setting("weight", "Their share of the turns", momentum.weight, 1, 1000),
             setting("window", "Turns that they look back on", momentum.window, 2, 10'000),
             setting("threshold", "Ticks of a move that they follow", momentum.threshold, 1, 10'000),
             setting("size", "Lots of an order", momentum.size, 1, kMostTurns)}),
    };
}

std::vector<KeySpec> market_steps() {
    KeySpec market = map("participants", "Who trades; left out: all three.", participants());
    return {
        map("flow", "A random market from a seed: the same turns for the same seed, however long they take.",
            {whole("seed", "Where it begins.", 0),
             {"rate", Form::kRate, "Turns a second of the flow's own time.", true},
             {"for", Form::kDuration, "How long it lasts, in the flow's own time.", true},
             word("pace",
                  "`real`: its time passes as the clock's does; `max`: as fast as the venue takes it [real].",
                  false, {"real", "max"}),
             {"instruments", Form::kPrices, "What is traded, with the price that it begins at.", true},
             std::move(market)}),
        map("ticks", "A recorded market: an event file's quotes and trades, made by the house.",
            {{"file", Form::kText, "CSV event file, from the scenario's folder.", true},
             {"speed", Form::kSpeed, "How fast its time passes [1x]."},
             {"instruments", Form::kNames,
              "Symbols in the file, with the instruments that they are here; others are left out."}}),
    };
}

std::vector<KeySpec> composed_steps() {
    return {
        map("repeat", "Takes steps again and again.",
            {whole("times", "So many times.", 1),
             {"for", Form::kDuration, "Until that time is over; a round that has begun is ended."},
             {"steps", Form::kSteps, "The steps.", true}},
            {"times", "for"}),
        {"parallel", Form::kBranches,
         "Takes lists of steps side by side, and goes on when all are through. One that fails ends the "
         "others."},
    };
}

}  // namespace

const KeySpec& KeySpec::key(const std::string& wanted) const {
    for (const KeySpec& spec : keys) {
        if (spec.name == wanted) return spec;
    }
    throw std::logic_error(name + " has no key " + wanted);
}

std::vector<std::string> KeySpec::names() const {
    std::vector<std::string> result;
    result.reserve(keys.size());
    for (const KeySpec& spec : keys) result.push_back(spec.name);
    return result;
}

const std::vector<KeySpec>& step_specs() {
    static const std::vector<KeySpec> specs = [] {
        std::vector<KeySpec> all;
        for (auto* some : {house_steps, waiting_steps, session_steps, market_steps, composed_steps}) {
            for (KeySpec& spec : some()) all.push_back(std::move(spec));
        }
        return all;
    }();
    return specs;
}

const KeySpec& step_spec(const std::string& name) {
    for (const KeySpec& spec : step_specs()) {
        if (spec.name == name) return spec;
    }
    throw std::logic_error("there is no step " + name);
}

std::vector<std::string> step_names() {
    std::vector<std::string> result;
    for (const KeySpec& spec : step_specs()) result.push_back(spec.name);
    return result;
}

const KeySpec& file_spec() {
    static const KeySpec spec = map("the scenario", "A scripted market for the exchange simulator.",
                                    {word("fixaccel-scenario", "The version of the language.", true, {"1"}),
                                     {"timeout", Form::kDuration, "Of each wait_for that gives none [10s]."},
                                     {"steps", Form::kSteps, "What happens, one after another.", true}});
    return spec;
}

}  // namespace fixaccel::exchange
