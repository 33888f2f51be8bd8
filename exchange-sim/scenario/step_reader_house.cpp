// SPDX-License-Identifier: Apache-2.0
// What the house does in the books.
#include <array>

#include "scenario/step_reader.hpp"

namespace fixaccel::exchange {

std::optional<Quote> StepReader::quote_side(MapReader& map, const Instrument* instrument,
                                            const std::string& side) {
    if (!map.has(side) && !map.has(side + "_size")) return std::nullopt;
    return Quote{price(map.require(side), instrument, side),
                 size(map.require(side + "_size"), instrument, side + "_size")};
}

QuoteStep StepReader::quote(const YAML::Node& node) {
    QuoteStep step;
    const KeySpec& spec = step_spec("quote");
    MapReader map(source_, node, spec.name, spec.names());
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

TradeStep StepReader::trade(const YAML::Node& node) {
    TradeStep step;
    const KeySpec& spec = step_spec("trade");
    MapReader map(source_, node, spec.name, spec.names());
    if (!map.valid()) return step;
    const Instrument* terms = instrument(map.require("instrument"), step.symbol);
    step.price = price(map.require("price"), terms, "price");
    step.quantity = size(map.require("size"), terms, "size");
    return step;
}

BatchStep StepReader::batch(const YAML::Node& node) {
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

OrderStep StepReader::order(const YAML::Node& node) {
    OrderStep step;
    const KeySpec& spec = step_spec("order");
    MapReader map(source_, node, spec.name, spec.names());
    if (!map.valid()) return step;
    // In the order of the words.
    constexpr std::array kSides = {Side::kBuy, Side::kSell};
    constexpr std::array kTypes = {OrderType::kMarket, OrderType::kLimit};
    constexpr std::array kTifs = {TimeInForce::kDay, TimeInForce::kGoodTillCancel,
                                  TimeInForce::kImmediateOrCancel, TimeInForce::kFillOrKill};
    const auto word = [&](const char* key) {
        return source_.word(map.require(key), key, spec.key(key).words).value_or(0);
    };
    const Instrument* terms = instrument(map.require("instrument"), step.symbol);
    step.side = kSides.at(word("side"));
    step.type = kTypes.at(word("type"));
    if (map.has("tif")) step.tif = kTifs.at(word("tif"));
    step.quantity = size(map.require("qty"), terms, "qty");
    if (step.type == OrderType::kLimit) {
        step.price = price(map.require("price"), terms, "price");
    } else if (map.has("price")) {
        source_.problem(map.find("price"), "a market order has no price", "remove it, or write type: limit");
    }
    return step;
}

PhaseStep StepReader::phase(const YAML::Node& node) {
    PhaseStep step;
    const KeySpec& spec = step_spec("phase");
    MapReader map(source_, node, spec.name, spec.names());
    if (!map.valid()) return step;
    instrument(map.require("instrument"), step.symbol);
    // The words are in the order of Phase.
    const auto word = source_.word(map.require("phase"), "phase", spec.key("phase").words);
    step.phase = static_cast<Phase>(word.value_or(0));
    return step;
}

}  // namespace fixaccel::exchange
