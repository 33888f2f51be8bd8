// SPDX-License-Identifier: Apache-2.0
#include "config/venue_settings.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace fixaccel::exchange {
namespace {

bool is_client(const VenueConfig& config, const std::string& name) {
    return std::find(config.clients.begin(), config.clients.end(), name) != config.clients.end();
}

std::vector<std::string> known_clients(YamlSource& source, const YAML::Node& node, const std::string& what,
                                       const VenueConfig& config) {
    std::vector<std::string> result;
    if (!node.IsSequence()) {
        source.problem(node, what + " must be a list of CompIDs", "write it as [CLIENT1, CLIENT2]");
        return result;
    }
    for (const YAML::Node& entry : node) {
        const auto name = source.text(entry, "a client of " + what);
        if (!name) continue;
        if (!is_client(config, *name))
            source.problem(entry, "'" + *name + "' of " + what + " is no client of this venue",
                           "name one of its clients");
        result.push_back(*name);
    }
    return result;
}

void read_drop_copy(YamlSource& source, const YAML::Node& node, VenueConfig& config) {
    const MapReader map(source, node, "'drop_copy'", {"a CompID each"}, false);
    if (!map.valid()) return;
    for (const auto& entry : node) {
        const auto name = source.text(entry.first, "a session of 'drop_copy'");
        if (!name) continue;
        if (!valid_comp_id(*name)) {
            source.problem(entry.first, "'" + *name + "' is not a CompID",
                           "use printable characters without blanks");
            continue;
        }
        const bool all = entry.second.IsScalar() && entry.second.Scalar() == "all";
        config.drop_copy[*name] =
            all ? std::vector<std::string>() : known_clients(source, entry.second, "'drop_copy'", config);
        if (!all && config.drop_copy[*name].empty() && entry.second.IsSequence())
            source.problem(entry.second, "'drop_copy' of " + *name + " names no client",
                           "name some, or write all");
    }
    for (const auto& [name, ignored] : config.drop_copy) {
        if (!is_client(config, name)) config.clients.push_back(name);
    }
}

// HH:MM or HH:MM:SS.
std::optional<int> second_of(const std::string& text) {
    int parts[3] = {0, 0, 0};
    std::size_t at = 0;
    for (int part = 0; part < 3; ++part) {
        if (at + 2 > text.size() || text[at] < '0' || text[at] > '9' || text[at + 1] < '0' ||
            text[at + 1] > '9')
            return std::nullopt;
        parts[part] = (text[at] - '0') * 10 + (text[at + 1] - '0');
        at += 2;
        if (at == text.size() && part > 0) break;
        if (at >= text.size() || text[at] != ':' || part == 2) return std::nullopt;
        ++at;
    }
    if (parts[0] > 23 || parts[1] > 59 || parts[2] > 59) return std::nullopt;
    return parts[0] * 3600 + parts[1] * 60 + parts[2];
}

void read_day(YamlSource& source, const YAML::Node& node, VenueConfig& config) {
    const std::vector<std::string> words = {"opening_call", "continuous", "closing_call", "closed"};
    const std::vector<Phase> phases = {Phase::kOpeningCall, Phase::kContinuous, Phase::kClosingCall,
                                       Phase::kClosed};
    MapReader map(source, node, "'day'", words);
    if (!map.valid()) return;
    int last = -1;
    for (std::size_t at = 0; at < words.size(); ++at) {
        if (!map.has(words[at])) continue;
        const YAML::Node entry = map.find(words[at]);
        const auto text = source.text(entry, words[at]);
        if (!text) continue;
        const auto second = second_of(*text);
        if (!second) {
            source.problem(entry, words[at] + " '" + *text + "' is not a time of the day",
                           "write it as 09:30 or 09:30:00, in quotes where YAML reads it as a number");
        } else if (*second <= last) {
            source.problem(entry, words[at] + " begins before the phase that comes before it",
                           "order: opening_call, continuous, closing_call, closed");
        } else {
            last = *second;
            config.day.push_back({*second, phases[at]});
        }
    }
    if (!map.has("continuous") || !map.has("closed"))
        source.problem(node, "a day needs its 'continuous' and its 'closed'",
                       R"(write it as {continuous: "09:30", closed: "16:00"})");
}

void read_time_zone(YamlSource& source, const YAML::Node& node, VenueConfig& config) {
    const auto zone = source.text(node, "time_zone");
    if (!zone) return;
    std::error_code ignored;
    const bool plain = !zone->empty() && zone->front() != '/' && zone->find("..") == std::string::npos;
    if (!plain || !std::filesystem::is_regular_file("/usr/share/zoneinfo/" + *zone, ignored))
        source.problem(node, "time_zone '" + *zone + "' is not known on this machine",
                       "use a name such as America/New_York; the package tzdata has them");
    config.time_zone = *zone;
}

std::optional<Price> price_of(YamlSource& source, const YAML::Node& node, const std::string& what,
                              const Instrument& instrument) {
    const auto text = source.text(node, what);
    if (!text) return std::nullopt;
    std::string why;
    const auto price = instrument.parse_price(*text, why);
    if (!price) source.problem(node, what + ": " + why, "give a price at which the instrument may trade");
    return price;
}

// A distance is no price of the instrument: it may lie outside its range.
void read_breaker(YamlSource& source, const YAML::Node& node, const Instrument& instrument,
                  InstrumentSettings& settings) {
    MapReader map(source, node, "'breaker'", {"distance", "halt"});
    if (!map.valid()) return;
    const YAML::Node given = map.require("distance");
    if (const auto text = source.text(given, "distance")) {
        const auto distance = instrument.parse_distance(*text);
        if (!distance)
            source.problem(given, "distance '" + *text + "' is not a number of ticks",
                           "write how far from the reference a trade may be, such as 5.00");
        settings.breaker = distance.value_or(0);
    }
    if (map.has("halt"))
        settings.halt = source.duration(map.find("halt"), "halt").value_or(std::chrono::nanoseconds(0));
}

void read_limits(YamlSource& source, const YAML::Node& node, const Instrument& instrument,
                 InstrumentSettings& settings) {
    const auto text = source.text(node, "limits");
    if (!text) return;
    const std::size_t dots = text->find("..");
    std::string why;
    const auto low = instrument.parse_price(text->substr(0, dots), why);
    const auto high =
        dots == std::string::npos ? std::nullopt : instrument.parse_price(text->substr(dots + 2), why);
    if (!low || !high || *low > *high) {
        source.problem(node, "limits '" + *text + "' are not DOWN..UP" + (why.empty() ? "" : ": " + why),
                       "write them as 90.00..110.00");
        return;
    }
    settings.limits = {*low, *high};
}

void read_instrument_settings(YamlSource& source, const YAML::Node& node, bool adds, VenueConfig& config) {
    if (!node.IsDefined()) return;
    const MapReader map(source, node, "'instruments'", {"a symbol each"}, false);
    if (!map.valid()) return;
    for (const auto& entry : node) {
        const std::string symbol = entry.first.IsScalar() ? entry.first.Scalar() : "";
        const auto found =
            std::find_if(config.instruments.begin(), config.instruments.end(),
                         [&](const Instrument& instrument) { return instrument.symbol() == symbol; });
        if (found == config.instruments.end()) {
            source.problem(entry.first, "'" + symbol + "' is no instrument of the venue",
                           "name one that its file has");
            continue;
        }
        MapReader keys(source, entry.second, "instrument " + symbol, {"reference", "limits", "breaker"},
                       adds);
        if (!keys.valid()) continue;
        InstrumentSettings settings;
        settings.symbol = symbol;
        if (keys.has("reference"))
            settings.reference = price_of(source, keys.find("reference"), "reference", *found);
        if (keys.has("limits")) read_limits(source, keys.find("limits"), *found, settings);
        if (keys.has("breaker")) {
            read_breaker(source, keys.find("breaker"), *found, settings);
            if (!keys.has("reference"))
                source.problem(keys.find("breaker"), "a breaker of " + symbol + " needs its 'reference'",
                               "give the price that its band lies around");
        }
        config.settings.push_back(std::move(settings));
    }
}

}  // namespace

void read_feed_settings(YamlSource& source, MapReader& data, VenueConfig& config) {
    if (data.has("conflate"))
        config.conflate =
            source.duration(data.find("conflate"), "conflate").value_or(std::chrono::nanoseconds(0));
    if (data.has("subscriptions"))
        config.subscriptions = static_cast<std::size_t>(
            source.whole(data.find("subscriptions"), "subscriptions", 1).value_or(1));
}

void read_settings(YamlSource& source, MapReader& file, VenueConfig& config) {
    if (file.has("drop_copy")) read_drop_copy(source, file.find("drop_copy"), config);
    if (file.has("cancel_on_disconnect")) {
        const YAML::Node node = file.find("cancel_on_disconnect");
        if (node.IsSequence()) {
            config.cancel_on_disconnect = known_clients(source, node, "'cancel_on_disconnect'", config);
        } else if (source.flag(node, "cancel_on_disconnect").value_or(false)) {
            config.cancel_on_disconnect = config.clients;
        }
    }
    if (file.has("day")) read_day(source, file.find("day"), config);
    if (file.has("time_zone")) read_time_zone(source, file.find("time_zone"), config);
    if (file.has("validate")) config.validate = source.flag(file.find("validate"), "validate").value_or(true);
    if (file.has("reset_on_logon"))
        config.reset_on_logon = source.flag(file.find("reset_on_logon"), "reset_on_logon").value_or(false);
    if (file.has("dictionary"))
        config.dictionary = source.beside(file.require_text("dictionary").value_or(""));
    if (file.has("kept_orders"))
        config.kept_orders =
            static_cast<std::size_t>(source.whole(file.find("kept_orders"), "kept_orders", 0).value_or(0));
    if (file.has("log_bytes"))
        config.log_bytes =
            static_cast<std::size_t>(source.whole(file.find("log_bytes"), "log_bytes", 1000).value_or(1000));
    if (file.has("sync")) config.sync = source.flag(file.find("sync"), "sync").value_or(false);
    read_instrument_settings(source, file.find("instruments"), file.has("venue"), config);
}

}  // namespace fixaccel::exchange
