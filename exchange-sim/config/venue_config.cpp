// SPDX-License-Identifier: Apache-2.0
#include "config/venue_config.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "config/venue_settings.hpp"
#include "matching/decimal.hpp"

namespace fixaccel::exchange {
namespace {

constexpr std::size_t kLongestSymbol = 12;
constexpr const char* kDecimalHelp = "write digits with an optional fraction, at most 8 places, such as 0.01";

bool valid_symbol(const std::string& text) {
    return !text.empty() && text.size() <= kLongestSymbol &&
           text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/^-") ==
               std::string::npos;
}

std::optional<std::int64_t> decimal(YamlSource& source, const YAML::Node& node, const std::string& what) {
    const auto text = source.text(node, what);
    if (!text) return std::nullopt;
    const auto value = parse_decimal(*text);
    if (!value) source.problem(node, what + " '" + *text + "' is not a decimal number", kDecimalHelp);
    return value;
}

std::map<std::int64_t, std::int64_t> read_ticks(YamlSource& source, const YAML::Node& node) {
    std::map<std::int64_t, std::int64_t> ticks;
    if (!node.IsDefined()) return ticks;
    if (!node.IsMap()) {
        // One tick holds for all prices, wherever they begin.
        if (const auto tick = decimal(source, node, "tick"))
            ticks[std::numeric_limits<std::int64_t>::min()] = *tick;
        return ticks;
    }
    for (const auto& row : node) {
        const auto from = decimal(source, row.first, "price in the tick table");
        const auto tick = decimal(source, row.second, "tick");
        if (!from || !tick) continue;
        if (!ticks.emplace(*from, *tick).second) {
            source.problem(row.first, "the tick table has two rows for one price", "remove one of them");
        }
    }
    return ticks;
}

void read_range(YamlSource& source, const YAML::Node& node, InstrumentTerms& terms) {
    const auto text = source.text(node, "price_range");
    if (!text) return;
    const std::size_t dots = text->find("..");
    const auto low = parse_decimal(text->substr(0, dots));
    const auto high = dots == std::string::npos ? std::nullopt : parse_decimal(text->substr(dots + 2));
    if (!low || !high) {
        source.problem(node, "price_range '" + *text + "' is not LOW..HIGH", "write it as 0.01..10000");
        return;
    }
    terms.lowest = *low;
    terms.highest = *high;
}

void read_instruments(YamlSource& source, const YAML::Node& node, VenueConfig& config, bool closed) {
    if (!node.IsDefined()) return;
    const MapReader map(source, node, "'instruments'", {"a symbol each"}, false);
    if (!map.valid()) return;
    if (node.size() == 0)
        source.problem(node, "there is no instrument", "give at least one symbol with its tick");
    for (const auto& entry : node) {
        InstrumentTerms terms;
        terms.symbol = entry.first.IsScalar() ? entry.first.Scalar() : "";
        if (!valid_symbol(terms.symbol)) {
            source.problem(entry.first, "'" + terms.symbol + "' is not a symbol",
                           "use 1 to 12 characters of A-Z a-z 0-9 . _ / ^ -");
            continue;
        }
        MapReader keys(source, entry.second, "instrument " + terms.symbol,
                       {"tick", "lot", "price_range", "multiplier", "reference", "limits", "breaker"},
                       closed);
        if (!keys.valid()) continue;
        terms.ticks = read_ticks(source, keys.require("tick"));
        if (keys.has("lot")) terms.lot = source.whole(keys.find("lot"), "lot", 1).value_or(1);
        read_range(source, keys.require("price_range"), terms);
        if (!source.problems().empty()) continue;
        try {
            config.instruments.emplace_back(terms);
        } catch (const std::invalid_argument& error) {
            source.problem(entry.first, "instrument " + terms.symbol + ": " + error.what(),
                           "correct its terms");
        }
    }
}

void read_endpoint(YamlSource& source, const YAML::Node& node, const std::string& what, std::string& host,
                   std::uint16_t& port) {
    const auto text = source.text(node, what);
    if (!text) return;
    try {
        parse_endpoint(*text, host, port);
    } catch (const InputError& error) {
        source.problem(node, what + " " + error.what(), "write it as 127.0.0.1:9878");
    }
}

std::string read_comp_id(YamlSource& source, const YAML::Node& node, const std::string& what) {
    const auto text = source.text(node, what);
    if (!text) return "";
    if (!valid_comp_id(*text))
        source.problem(node, what + " is not a CompID", "use printable characters without blanks");
    return *text;
}

int read_heartbeat(YamlSource& source, const YAML::Node& node) {
    const auto duration = source.duration(node, "heartbeat");
    if (!duration) return 0;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*duration);
    if (seconds < std::chrono::seconds(1) || seconds != *duration) {
        source.problem(node, "heartbeat must be whole seconds, one at least", "write it as 30s");
    }
    return static_cast<int>(seconds.count());
}

// Of a strategy's venue file: who talks to whom, and where.
SessionEnds read_session(YamlSource& source, const YAML::Node& node, const std::string& what,
                         std::string* begin_string) {
    SessionEnds out;
    MapReader session(source, node, what,
                      {"begin_string", "sender_comp_id", "target_comp_id", "connect", "heartbeat"}, false);
    if (!session.valid()) return out;
    const std::string version = session.require_text("begin_string").value_or("");
    if (begin_string != nullptr) *begin_string = version;
    out.comp_id = read_comp_id(source, session.require("target_comp_id"), "target_comp_id");
    out.client = read_comp_id(source, session.require("sender_comp_id"), "sender_comp_id");
    read_endpoint(source, session.require("connect"), "connect", out.host, out.port);
    return out;
}

// `adds`: the file adds to a venue file, which has said the kind already.
void read_market_data(YamlSource& source, const YAML::Node& node, bool venue_file, bool adds,
                      VenueConfig& config) {
    MapReader data(source, node, "'market_data'",
                   venue_file ? std::vector<std::string>{"message", "session"}
                              : std::vector<std::string>{"message", "conflate", "subscriptions"},
                   !venue_file);
    if (!venue_file) read_feed_settings(source, data, config);
    if (adds && !data.has("message")) return;
    const auto message = source.word(data.require("message"), "message", {"snapshot", "incremental"});
    config.update_type =
        message.value_or(0) == 0 ? UpdateType::kFullRefresh : UpdateType::kIncrementalRefresh;
    if (!venue_file || !data.has("session")) return;
    config.market = read_session(source, data.find("session"), "'session'", nullptr);
    if (!config.clients.empty() && config.market->client == config.clients.front())
        source.problem(data.find("session"), "both sessions have the sender_comp_id " + config.market->client,
                       "this venue tells its clients apart by it: give one of them another");
}

// The strategy's venue file is checked by its compiler; here only what the venue itself needs is read.
VenueConfig read_strategy_venue(YamlSource& source, MapReader& file) {
    VenueConfig config;
    const SessionEnds session =
        read_session(source, file.require("session"), "'session'", &config.begin_string);
    config.comp_id = session.comp_id;
    if (file.has("time_zone")) config.time_zone = file.require_text("time_zone").value_or("");
    config.clients.push_back(session.client);
    config.host = session.host;
    config.port = session.port;
    return config;
}

std::vector<std::string> read_clients(YamlSource& source, const YAML::Node& clients,
                                      const std::string& what) {
    std::vector<std::string> result;
    if (clients.IsDefined() && !clients.IsSequence()) {
        source.problem(clients, "'" + what + "' must be a list of CompIDs", "write it as [CLIENT1, CLIENT2]");
    } else if (clients.IsDefined()) {
        for (const YAML::Node& client : clients) result.push_back(read_comp_id(source, client, "client"));
    }
    return result;
}

// Who the venue is: in this file, or in the strategy's venue file that it names.
VenueConfig read_identity(YamlSource& source, MapReader& file) {
    VenueConfig config;
    if (file.has("venue")) {
        const std::string name = file.require_text("venue").value_or("");
        for (const char* key : {"begin_string", "comp_id", "listen"}) {
            if (file.has(key))
                source.problem(file.find(key), std::string("'") + key + "' is the venue file's to say",
                               "remove it, or name no 'venue'");
        }
        YamlSource venue = YamlSource::open(source.beside(name));
        if (!venue.root().IsMap() || !venue.root()["fixaccel-venue"].IsDefined()) {
            source.problem(file.find("venue"), "'" + name + "' is no strategy's venue file",
                           "name one that begins with fixaccel-venue: 1");
            return config;
        }
        config = read_venue_config(venue);
        for (const std::string& client : read_clients(source, file.find("clients"), "clients")) {
            if (std::find(config.clients.begin(), config.clients.end(), client) == config.clients.end())
                config.clients.push_back(client);
        }
        return config;
    }
    config.begin_string =
        file.has("begin_string") ? file.require_text("begin_string").value_or("") : "FIX.4.4";
    config.comp_id = read_comp_id(source, file.require("comp_id"), "comp_id");
    read_endpoint(source, file.require("listen"), "listen", config.host, config.port);
    config.clients = read_clients(source, file.require("clients"), "clients");
    return config;
}

VenueConfig read_exchange_file(YamlSource& source, MapReader& file) {
    VenueConfig config = read_identity(source, file);
    if (file.has("heartbeat")) config.heartbeat_seconds = read_heartbeat(source, file.find("heartbeat"));
    if (file.has("self_trade")) {
        const std::vector<std::string> modes = {"allow", "cancel_newest", "cancel_oldest", "cancel_both",
                                                "decrement"};
        config.self_trade =
            static_cast<SelfTrade>(source.word(file.find("self_trade"), "self_trade", modes).value_or(0));
    }
    if (file.has("store")) config.store_path = file.require_text("store").value_or("");
    return config;
}

}  // namespace

VenueConfig read_venue_config(YamlSource& source) {
    const YAML::Node& root = source.root();
    const bool venue_file = root.IsMap() && root["fixaccel-venue"].IsDefined();
    std::vector<std::string> keys = {"fixaccel-exchange", "begin_string", "comp_id", "listen",
                                     "clients",           "heartbeat",    "store",   "market_data",
                                     "self_trade",        "instruments",  "venue"};
    keys.insert(keys.end(), kSettingKeys.begin(), kSettingKeys.end());
    if (venue_file) keys = {"fixaccel-venue", "name", "time_zone", "session", "market_data", "instruments"};
    MapReader file(source, root, venue_file ? "the venue file" : "the exchange file", keys, !venue_file);
    if (!file.valid()) source.problems().raise();
    source.word(file.require(keys.front()), "'" + keys.front() + "'", {"1"});
    VenueConfig config = venue_file ? read_strategy_venue(source, file) : read_exchange_file(source, file);
    if (!config.begin_string.empty() && config.begin_string != "FIX.4.4") {
        source.problem(file.find("begin_string"),
                       "begin_string " + config.begin_string + " is not spoken here", "use FIX.4.4");
    }
    // A file that names a venue file only adds to what that says.
    const bool adds = !venue_file && file.has("venue");
    if (file.has("market_data")) read_market_data(source, file.find("market_data"), venue_file, adds, config);
    if (!adds) read_instruments(source, file.require("instruments"), config, !venue_file);
    source.problems().raise();
    if (!venue_file) read_settings(source, file, config);
    source.problems().raise();
    return config;
}

void parse_endpoint(const std::string& text, std::string& host, std::uint16_t& port) {
    const std::size_t colon = text.rfind(':');
    const std::string address = text.substr(0, colon);
    const auto number = colon == std::string::npos ? std::nullopt : parse_whole(text.substr(colon + 1));
    in_addr ignored{};
    if (inet_pton(AF_INET, address.c_str(), &ignored) != 1 || !number || *number > 65535) {
        throw InputError("'" + text + "' is not ADDRESS:PORT with an IPv4 address");
    }
    host = address;
    port = static_cast<std::uint16_t>(*number);
}

bool valid_comp_id(const std::string& text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f' && c != '='; });
}

}  // namespace fixaccel::exchange
