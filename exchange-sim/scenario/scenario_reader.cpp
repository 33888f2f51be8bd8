// SPDX-License-Identifier: Apache-2.0
#include "scenario/scenario_reader.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fixaccel::exchange {
namespace {

const std::vector<std::string> kStepNames = {"quote", "trade",    "batch",  "order",  "cancel_all",   "phase",
                                             "wait",  "wait_for", "logout", "resend", "test_request", "say"};
constexpr std::chrono::seconds kDefaultTimeout(10);

// Turns the nodes of one scenario into steps; every fault goes to the source's problems.
class Builder {
  public:
    Builder(YamlSource& source, const Exchange& exchange, const std::vector<std::string>& clients)
        : source_(source), exchange_(exchange), clients_(clients) {}

    void set_timeout(std::chrono::nanoseconds timeout) { timeout_ = timeout; }
    std::optional<Step> step(const YAML::Node& node);

  private:
    Action action(const std::string& name, const YAML::Node& node);
    QuoteStep quote(const YAML::Node& node);
    TradeStep trade(const YAML::Node& node);
    BatchStep batch(const YAML::Node& node);
    OrderStep order(const YAML::Node& node);
    PhaseStep phase(const YAML::Node& node);
    WaitForStep wait_for(const YAML::Node& node);
    ResendStep resend(const YAML::Node& node);

    // The single key of a step; nothing if there is none or more.
    std::optional<std::string> step_name(const YAML::Node& node);
    const Instrument* instrument(const YAML::Node& node, std::string& symbol);
    std::string client(const YAML::Node& node);
    std::string only_client(const YAML::Node& node);
    Price price(const YAML::Node& node, const Instrument* instrument, const std::string& what);
    Quantity size(const YAML::Node& node, const Instrument* instrument, const std::string& what);
    std::optional<Quote> quote_side(MapReader& map, const Instrument* instrument, const std::string& side);

    YamlSource& source_;
    const Exchange& exchange_;
    const std::vector<std::string>& clients_;
    std::chrono::nanoseconds timeout_ = kDefaultTimeout;
};

std::optional<std::string> Builder::step_name(const YAML::Node& node) {
    const std::string help =
        "write '- STEP: ...' with one of: quote, trade, batch, order, cancel_all, phase, wait, wait_for, "
        "logout, resend, test_request, say";
    if (!node.IsMap() || node.size() != 1) {
        source_.problem(node, "a step is a map with one key, its name", help);
        return std::nullopt;
    }
    const YAML::Node key = node.begin()->first;
    auto name = source_.text(key, "the name of a step");
    if (!name) return std::nullopt;
    if (std::find(kStepNames.begin(), kStepNames.end(), *name) != kStepNames.end()) return name;
    const std::string near = nearest(*name, kStepNames);
    source_.problem(key, "unknown step '" + *name + "'",
                    near.empty() ? help : "did you mean '" + near + "'?");
    return std::nullopt;
}

std::optional<Step> Builder::step(const YAML::Node& node) {
    const auto name = step_name(node);
    if (!name) return std::nullopt;
    return Step{node.Mark().line + 1, *name, action(*name, node.begin()->second)};
}

Action Builder::action(const std::string& name, const YAML::Node& node) {
    if (name == "quote") return BatchStep{{quote(node)}};
    if (name == "trade") return BatchStep{{trade(node)}};
    if (name == "batch") return batch(node);
    if (name == "order") return order(node);
    if (name == "phase") return phase(node);
    if (name == "wait_for") return wait_for(node);
    if (name == "resend") return resend(node);
    if (name == "wait") return WaitStep{source_.duration(node, "wait").value_or(std::chrono::nanoseconds(0))};
    if (name == "logout") return LogoutStep{client(node)};
    if (name == "test_request") return TestRequestStep{only_client(node)};
    if (name == "say") return SayStep{source_.text(node, "say").value_or("")};
    CancelAllStep cancel;
    instrument(node, cancel.symbol);
    return cancel;
}

const Instrument* Builder::instrument(const YAML::Node& node, std::string& symbol) {
    const auto text = source_.text(node, "instrument");
    if (!text) return nullptr;
    symbol = *text;
    const Instrument* found = exchange_.find(symbol);
    if (found != nullptr) return found;
    const std::string near = nearest(symbol, exchange_.symbols());
    source_.problem(node, "instrument '" + symbol + "' is not traded here",
                    near.empty() ? "add it to the venue's instruments" : "did you mean '" + near + "'?");
    return nullptr;
}

std::string Builder::client(const YAML::Node& node) {
    const auto text = source_.text(node, "client");
    if (!text) return "";
    if (std::find(clients_.begin(), clients_.end(), *text) == clients_.end()) {
        source_.problem(node, "'" + *text + "' is not a client of this exchange",
                        "add it with --client " + *text);
    }
    return *text;
}

std::string Builder::only_client(const YAML::Node& node) {
    MapReader map(source_, node, "the step", {"client"});
    return client(map.require("client"));
}

Price Builder::price(const YAML::Node& node, const Instrument* instrument, const std::string& what) {
    const auto text = source_.text(node, what);
    if (!text || instrument == nullptr) return 0;
    std::string why;
    const auto value = instrument->parse_price(*text, why);
    if (!value) source_.problem(node, why, "see tick and price_range of " + instrument->symbol());
    return value.value_or(0);
}

Quantity Builder::size(const YAML::Node& node, const Instrument* instrument, const std::string& what) {
    const auto text = source_.text(node, what);
    if (!text || instrument == nullptr) return 0;
    std::string why;
    const auto value = instrument->parse_quantity(*text, why);
    if (!value) source_.problem(node, why, "write a multiple of the lot of " + instrument->symbol());
    return value.value_or(0);
}

std::optional<Quote> Builder::quote_side(MapReader& map, const Instrument* instrument,
                                         const std::string& side) {
    if (!map.has(side) && !map.has(side + "_size")) return std::nullopt;
    return Quote{price(map.require(side), instrument, side),
                 size(map.require(side + "_size"), instrument, side + "_size")};
}

QuoteStep Builder::quote(const YAML::Node& node) {
    QuoteStep step;
    MapReader map(source_, node, "quote", {"instrument", "bid", "bid_size", "ask", "ask_size"});
    if (!map.valid()) return step;
    const Instrument* terms = instrument(map.require("instrument"), step.symbol);
    step.bid = quote_side(map, terms, "bid");
    step.ask = quote_side(map, terms, "ask");
    if (terms != nullptr && step.bid && step.ask && step.bid->price >= step.ask->price &&
        source_.problems().empty()) {
        source_.problem(map.find("bid"), "the bid is not below the ask",
                        "a house that crosses itself trades: use 'trade'");
    }
    return step;
}

TradeStep Builder::trade(const YAML::Node& node) {
    TradeStep step;
    MapReader map(source_, node, "trade", {"instrument", "price", "size"});
    if (!map.valid()) return step;
    const Instrument* terms = instrument(map.require("instrument"), step.symbol);
    step.price = price(map.require("price"), terms, "price");
    step.quantity = size(map.require("size"), terms, "size");
    return step;
}

BatchStep Builder::batch(const YAML::Node& node) {
    BatchStep result;
    if (!node.IsSequence() || node.size() == 0) {
        source_.problem(node, "batch must be a list of quote and trade steps",
                        "write it as batch: [{trade: {...}}]");
        return result;
    }
    for (const YAML::Node& child : node) {
        const auto name = step_name(child);
        if (!name) continue;
        const YAML::Node value = child.begin()->second;
        if (*name == "quote") {
            result.moves.emplace_back(quote(value));
        } else if (*name == "trade") {
            result.moves.emplace_back(trade(value));
        } else {
            source_.problem(child, "'" + *name + "' cannot stand in a batch",
                            "a batch holds quote and trade steps");
        }
    }
    return result;
}

OrderStep Builder::order(const YAML::Node& node) {
    OrderStep step;
    MapReader map(source_, node, "order", {"instrument", "side", "qty", "type", "price", "tif"});
    if (!map.valid()) return step;
    constexpr std::array kSides = {Side::kBuy, Side::kSell};
    constexpr std::array kTypes = {OrderType::kMarket, OrderType::kLimit};
    constexpr std::array kTifs = {TimeInForce::kDay, TimeInForce::kGoodTillCancel,
                                  TimeInForce::kImmediateOrCancel, TimeInForce::kFillOrKill};
    const Instrument* terms = instrument(map.require("instrument"), step.symbol);
    step.side = kSides.at(source_.word(map.require("side"), "side", {"buy", "sell"}).value_or(0));
    step.type = kTypes.at(source_.word(map.require("type"), "type", {"market", "limit"}).value_or(0));
    if (map.has("tif")) {
        step.tif = kTifs.at(source_.word(map.find("tif"), "tif", {"day", "gtc", "ioc", "fok"}).value_or(0));
    }
    step.quantity = size(map.require("qty"), terms, "qty");
    if (step.type == OrderType::kLimit) {
        step.price = price(map.require("price"), terms, "price");
    } else if (map.has("price")) {
        source_.problem(map.find("price"), "a market order has no price", "remove it, or write type: limit");
    }
    return step;
}

PhaseStep Builder::phase(const YAML::Node& node) {
    PhaseStep step;
    MapReader map(source_, node, "phase", {"instrument", "phase"});
    if (!map.valid()) return step;
    instrument(map.require("instrument"), step.symbol);
    // In the order of Phase.
    const auto word = source_.word(map.require("phase"), "phase",
                                   {"continuous", "opening_call", "closing_call", "halted", "closed"});
    step.phase = static_cast<Phase>(word.value_or(0));
    return step;
}

WaitForStep Builder::wait_for(const YAML::Node& node) {
    WaitForStep step;
    step.timeout = timeout_;
    MapReader map(source_, node, "wait_for", {"orders", "logon", "logout", "subscribed", "file", "timeout"});
    if (!map.valid()) return step;
    int conditions = 0;
    if (map.has("orders")) {
        ++conditions;
        const auto orders = source_.whole(map.find("orders"), "orders", 1);
        step.orders = static_cast<std::size_t>(orders.value_or(1));
    }
    for (const auto& [key, target] : {std::pair{"logon", &step.logon}, std::pair{"logout", &step.logout},
                                      std::pair{"subscribed", &step.subscribed}}) {
        if (!map.has(key)) continue;
        ++conditions;
        *target = client(map.find(key));
    }
    if (map.has("file")) {
        ++conditions;
        step.file = source_.text(map.find("file"), "file").value_or("");
    }
    if (conditions != 1) {
        source_.problem(node, "wait_for needs one condition",
                        "write one of: orders, logon, logout, subscribed, file");
    }
    if (map.has("timeout"))
        step.timeout = source_.duration(map.find("timeout"), "timeout").value_or(timeout_);
    return step;
}

ResendStep Builder::resend(const YAML::Node& node) {
    ResendStep step;
    MapReader map(source_, node, "resend", {"client", "begin", "end"});
    if (!map.valid()) return step;
    step.client = client(map.require("client"));
    step.begin = source_.whole(map.require("begin"), "begin", 1).value_or(1);
    step.end = source_.whole(map.require("end"), "end", 0).value_or(0);
    if (step.end != 0 && step.end < step.begin) {
        source_.problem(map.find("end"), "the range ends before it begins", "0 means: everything up to now");
    }
    return step;
}

}  // namespace

Scenario read_scenario(YamlSource& source, const std::string& file, const Exchange& exchange,
                       const std::vector<std::string>& clients) {
    Scenario scenario{file, {}};
    Builder builder(source, exchange, clients);
    MapReader map(source, source.root(), "the scenario", {"fixaccel-scenario", "timeout", "steps"});
    if (!map.valid()) source.problems().raise();
    source.word(map.require("fixaccel-scenario"), "'fixaccel-scenario'", {"1"});
    if (map.has("timeout")) {
        if (const auto timeout = source.duration(map.find("timeout"), "timeout"))
            builder.set_timeout(*timeout);
    }
    const YAML::Node steps = map.require("steps");
    if (steps.IsDefined() && !steps.IsSequence()) {
        source.problem(steps, "'steps' must be a list", "begin each step with a dash");
    } else if (steps.IsDefined()) {
        for (const YAML::Node& node : steps) {
            if (auto step = builder.step(node)) scenario.steps.push_back(std::move(*step));
        }
    }
    source.problems().raise();
    return scenario;
}

}  // namespace fixaccel::exchange
