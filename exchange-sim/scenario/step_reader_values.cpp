// SPDX-License-Identifier: Apache-2.0
// Values that several steps have.
#include <algorithm>

#include "matching/decimal.hpp"
#include "scenario/step_reader.hpp"

namespace fixaccel::exchange {
namespace {

std::string listed(const std::vector<std::string>& words) {
    std::string result;
    for (const std::string& word : words) result += (result.empty() ? "" : ", ") + word;
    return result;
}

}  // namespace

std::optional<std::string> StepReader::step_name(const YAML::Node& node) {
    const std::vector<std::string> names = step_names();
    const std::string help = "write '- STEP: ...' with one of: " + listed(names);
    if (!node.IsMap() || node.size() != 1) {
        source_.problem(node, "a step is a map with one key, its name", help);
        return std::nullopt;
    }
    const YAML::Node key = node.begin()->first;
    auto name = source_.text(key, "the name of a step");
    if (!name) return std::nullopt;
    if (std::find(names.begin(), names.end(), *name) != names.end()) return name;
    const std::string near = nearest(*name, names);
    source_.problem(key, "unknown step '" + *name + "'",
                    near.empty() ? help : "did you mean '" + near + "'?");
    return std::nullopt;
}

std::string StepReader::one_of(const MapReader& map, const KeySpec& spec, const YAML::Node& node,
                               const std::string& message) {
    std::string found;
    int count = 0;
    for (const std::string& name : spec.one_of) {
        if (!map.has(name)) continue;
        found = name;
        ++count;
    }
    if (count == 1) return found;
    source_.problem(node, message, "write one of: " + listed(spec.one_of));
    return "";
}

const Instrument* StepReader::instrument(const YAML::Node& node, std::string& symbol) {
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

std::string StepReader::client(const YAML::Node& node) {
    const auto text = source_.text(node, "client");
    if (!text) return "";
    if (std::find(clients_.begin(), clients_.end(), *text) == clients_.end()) {
        source_.problem(node, "'" + *text + "' is not a client of this exchange",
                        "add it with --client " + *text);
    }
    return *text;
}

Price StepReader::price(const YAML::Node& node, const Instrument* instrument, const std::string& what) {
    const auto text = source_.text(node, what);
    if (!text || instrument == nullptr) return 0;
    std::string why;
    const auto value = instrument->parse_price(*text, why);
    if (!value) source_.problem(node, why, "see tick and price_range of " + instrument->symbol());
    return value.value_or(0);
}

Quantity StepReader::size(const YAML::Node& node, const Instrument* instrument, const std::string& what) {
    const auto text = source_.text(node, what);
    if (!text || instrument == nullptr) return 0;
    std::string why;
    const auto value = instrument->parse_quantity(*text, why);
    if (!value) source_.problem(node, why, "write a multiple of the lot of " + instrument->symbol());
    return value.value_or(0);
}

std::int64_t StepReader::whole(const YAML::Node& node, const KeySpec& key) {
    const auto value = source_.whole(node, key.name, key.least);
    if (!value) return key.least;
    if (*value <= key.most) return *value;
    source_.problem(node, key.name + " '" + node.Scalar() + "' is too large",
                    "write a number up to " + std::to_string(key.most));
    return key.least;
}

unsigned StepReader::count(const YAML::Node& node, const KeySpec& key) {
    const auto text = source_.text(node, key.name);
    if (!text || *text == "all") return 0;
    const auto value = parse_whole(*text);
    if (value && *value >= key.least && *value <= key.most) return static_cast<unsigned>(*value);
    source_.problem(node, key.name + " '" + *text + "' is not a number of messages",
                    "write a number from " + std::to_string(key.least) + ", or all");
    return 0;
}

bool StepReader::is_true(const YAML::Node& node, const std::string& what) {
    return source_.word(node, what, {"true"}).has_value();
}

std::chrono::nanoseconds StepReader::lasting(const YAML::Node& node, const std::string& what) {
    constexpr std::chrono::nanoseconds kUntilCleared(0);
    if (node.IsScalar() && node.Scalar() == "true") return kUntilCleared;
    return source_.duration(node, what).value_or(kUntilCleared);
}

}  // namespace fixaccel::exchange
