// SPDX-License-Identifier: Apache-2.0
// Markets that the house makes by itself: a random flow, recorded ticks.
#include <charconv>

#include "matching/decimal.hpp"
#include "scenario/step_reader.hpp"
#include "scenario/ticks/tick_player.hpp"

namespace fixaccel::exchange {
namespace {

constexpr std::int64_t kFastestRate = 1'000'000;
constexpr double kLargestSpeed = 1'000'000;

std::int64_t parse_rate(const std::string& text) {
    if (!text.ends_with("/s")) return 0;
    const auto value = parse_whole(std::string_view(text).substr(0, text.size() - 2));
    return value && *value <= kFastestRate ? *value : 0;
}

}  // namespace

FlowStep StepReader::flow(const YAML::Node& node) {
    FlowStep step;
    const KeySpec& spec = step_spec("flow");
    MapReader map(source_, node, spec.name, spec.names());
    if (!map.valid()) return step;
    FlowSettings& settings = step.settings;
    setting(map, spec, "seed", settings.seed);
    if (const auto text = source_.text(map.require("rate"), "rate")) {
        settings.rate = parse_rate(*text);
        if (settings.rate == 0)
            source_.problem(map.find("rate"), "rate '" + *text + "' is not a rate",
                            "write it as 5000/s, from 1/s to " + std::to_string(kFastestRate) + "/s");
    }
    step.duration = source_.duration(map.require("for"), "for").value_or(step.duration);
    if (map.has("pace"))
        step.paced = source_.word(map.find("pace"), "pace", spec.key("pace").words).value_or(0) == 0;
    settings.instruments = flow_instruments(map.require("instruments"));
    settings.maker.emplace();
    settings.noise.emplace();
    settings.momentum.emplace();
    if (map.has("participants")) participants(map.find("participants"), settings);
    return step;
}

std::vector<FlowInstrument> StepReader::flow_instruments(const YAML::Node& node) {
    std::vector<FlowInstrument> result;
    if (!node.IsDefined()) return result;
    const MapReader map(source_, node, "instruments", {"an instrument each, with its price"}, false);
    if (!map.valid()) return result;
    if (node.size() == 0)
        source_.problem(node, "there is no instrument", "write it as instruments: {MSFT: 1180.00}");
    for (const auto& entry : node) {
        FlowInstrument traded;
        const Instrument* terms = instrument(entry.first, traded.symbol);
        traded.price = price(entry.second, terms, "price");
        result.push_back(std::move(traded));
    }
    return result;
}

void StepReader::participants(const YAML::Node& node, FlowSettings& settings) {
    const KeySpec& spec = step_spec("flow").key("participants");
    const MapReader map(source_, node, spec.name, spec.names());
    if (!map.valid()) return;
    const auto read = [&](const char* name, auto& target, const auto& fill) {
        if (!map.has(name)) {
            target.reset();
            return;
        }
        const KeySpec& keys = spec.key(name);
        MapReader inner(source_, map.find(name), keys.name, keys.names());
        if (inner.valid()) fill(inner, keys, *target);
    };
    read("maker", settings.maker, [this](MapReader& keys, const KeySpec& of, MakerSettings& maker) {
        setting(keys, of, "weight", maker.weight);
        setting(keys, of, "spread", maker.spread);
        setting(keys, of, "levels", maker.levels);
        setting(keys, of, "size", maker.size);
        setting(keys, of, "drift", maker.drift);
        setting(keys, of, "skew", maker.skew);
    });
    read("noise", settings.noise, [this](MapReader& keys, const KeySpec& of, NoiseSettings& noise) {
        setting(keys, of, "weight", noise.weight);
        setting(keys, of, "limit", noise.limit);
        setting(keys, of, "market", noise.market);
        setting(keys, of, "cancel", noise.cancel);
        setting(keys, of, "size", noise.size);
        setting(keys, of, "depth", noise.depth);
        setting(keys, of, "resting", noise.resting);
    });
    read("momentum", settings.momentum,
         [this](MapReader& keys, const KeySpec& of, MomentumSettings& momentum) {
             setting(keys, of, "weight", momentum.weight);
             setting(keys, of, "window", momentum.window);
             setting(keys, of, "threshold", momentum.threshold);
             setting(keys, of, "size", momentum.size);
         });
    if (node.size() == 0)
        source_.problem(node, "nobody takes part", "name at least one of maker, noise, momentum");
}

TicksStep StepReader::ticks(const YAML::Node& node) {
    TicksStep step;
    const KeySpec& spec = step_spec("ticks");
    MapReader map(source_, node, spec.name, spec.names());
    if (!map.valid()) return step;
    if (map.has("speed")) {
        const std::string text = source_.text(map.find("speed"), "speed").value_or("1x");
        double value = 0;
        const char* const end = text.data() + text.size();
        const bool is_number = std::from_chars(text.data(), end, value).ptr == end - 1 && end[-1] == 'x';
        const bool in_bounds = is_number && value > 0 && value <= kLargestSpeed;
        if (text != "max" && !in_bounds)
            source_.problem(map.find("speed"), "speed '" + text + "' is not a speed",
                            "write it as 1x, 0.5x or 10x, or max");
        step.speed = text == "max" || !in_bounds ? 0 : value;
    }
    if (map.has("instruments")) {
        const YAML::Node names = map.find("instruments");
        const MapReader pairs(source_, names, "instruments", {"a symbol of the file each"}, false);
        if (!pairs.valid()) return step;
        for (const auto& entry : names) {
            std::string here;
            instrument(entry.second, here);
            if (entry.first.IsScalar()) step.symbols[entry.first.Scalar()] = here;
        }
    }
    const auto file = source_.text(map.require("file"), "file");
    if (!file) return step;
    step.file = (folder_ / *file).string();
    // A map that is wrong makes every row of the file wrong.
    if (source_.problems().empty()) check_ticks(map.find("file"), step);
    return step;
}

void StepReader::check_ticks(const YAML::Node& node, const TicksStep& step) {
    const std::string help = "give a CSV event file; `fixaccel exchange ticks` makes one of Parquet";
    try {
        EventFile file(step.file);
        TickPlayer player(exchange_, step.symbols);
        EventRow row;
        std::size_t moves = 0;
        while (file.next(row)) {
            try {
                moves += player.moves(row).size();
            } catch (const std::invalid_argument& error) {
                throw EventFileError(file.at(error.what()));
            }
        }
        if (moves == 0) throw EventFileError(step.file + ": no row is of an instrument that is traded here");
    } catch (const EventFileError& error) {
        source_.problem(node, error.what(), help);
    }
}

}  // namespace fixaccel::exchange
