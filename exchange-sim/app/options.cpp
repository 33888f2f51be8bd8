// SPDX-License-Identifier: Apache-2.0
#include "app/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <utility>

#include "session/session_host.hpp"
#include "session/settings_file.hpp"

namespace fixaccel::exchange {
namespace {

constexpr const char* kFooter = R"(
Exit status:
  0  stopped by SIGINT or SIGTERM, or the scenario ended with --exit-after-scenario
  1  failure while running: port in use, record or store not writable, a wait_for that timed out;
     a record that replays to something else
  2  bad command line, venue or scenario file

Examples:
  fixaccel-exchange --venue strategies/venues/simulator.yaml
      the venue of a strategy, on the address that its session connects to
  fixaccel-exchange --venue simulator.yaml --listen 127.0.0.1:9878 --client CLIENT2
      somewhere else, with a second client
  fixaccel-exchange --venue simulator.yaml --scenario move.yaml --record out.jsonl --exit-after-scenario
      play a scripted market, keep a record of everything, and end
  fixaccel-exchange --venue simulator.yaml --control unix:/tmp/exchange.sock
      one that `fixaccel dashboard --exchange unix:/tmp/exchange.sock` shows
  fixaccel-exchange --replay out.jsonl
      whether the same inputs give the same executions)";

void listen_at(const std::string& option, const std::string& text, std::string& host, std::uint16_t& port) {
    try {
        parse_endpoint(text, host, port);
    } catch (const InputError& error) {
        throw InputError(option + ": error: " + error.what() + "\n  help: write it as 127.0.0.1:9878\n");
    }
}

SessionConfig sessions_of(const VenueConfig& config) {
    SessionConfig result;
    result.begin_string = config.begin_string;
    result.comp_id = config.comp_id;
    result.clients = config.clients;
    result.host = config.host;
    result.port = config.port;
    result.heartbeat_seconds = config.heartbeat_seconds;
    result.store_path = config.store_path;
    result.validate = config.validate;
    result.reset_on_logon = config.reset_on_logon;
    result.dictionary_path = config.dictionary;
    if (config.market)
        result.market_clients.push_back(
            {config.market->client, config.market->comp_id, config.market->host, config.market->port});
    return result;
}

}  // namespace

void define(CLI::App& app, Options& options) {
    app.footer(kFooter);
    app.add_option("--venue,--config", options.venue, "venue file of a strategy, or an exchange file")
        ->option_text("FILE");
    app.add_option("--scenario", options.scenario, "scripted market to play")->option_text("FILE");
    app.add_option("--listen", options.listen,
                   "address to listen on instead of the file's; port 0 takes any free one")
        ->option_text("HOST:PORT");
    app.add_option("--listen-market", options.listen_market,
                   "the same for the session for market data, where the venue has one")
        ->option_text("HOST:PORT");
    app.add_option("--client", options.clients, "CompID of one more client; may be repeated")
        ->option_text("NAME");
    app.add_option("--record", options.record, "write everything that happens, one JSON object a line")
        ->option_text("FILE");
    app.add_flag("--record-wire", options.record_wire, "record each FIX message either way as it is, too");
    app.add_option("--replay", options.replay,
                   "do again what a record holds, without sockets, compare, print JSON, and end")
        ->option_text("RECORD");
    app.add_option("--events", options.events, "with --replay: write what happened as an event file")
        ->option_text("CSV");
    app.add_flag("--scenario-schema", options.scenario_schema, "print the JSON Schema of scenarios, and end");
    app.add_option(
           "--store", options.store,
           "keep sequence numbers, messages, orders and used ClOrdIDs in this folder, across restarts")
        ->option_text("DIR");
    app.add_option("--dictionary", options.dictionary, "FIX dictionary that messages are checked against")
        ->option_text("FILE");
    app.add_option("--settings", options.settings, "settings file of QuickFIX, for what the sessions do")
        ->option_text("FILE");
    app.add_option("--control", options.control,
                   "socket to watch the venue and act on it, as `fixaccel dashboard` does")
        ->option_text("unix:FILE");
    app.add_flag("--exit-after-scenario", options.exit_after_scenario,
                 "log clients out and end with the scenario");
}

std::vector<std::string> all_clients(const VenueConfig& config) {
    std::vector<std::string> out = config.clients;
    if (config.market) out.push_back(config.market->client);
    return out;
}

VenueConfig configure(const Options& options) {
    if (options.venue.empty())
        throw InputError(
            "--venue is required\n  help: name the venue file of a strategy, or an exchange file\n");
    if (!options.events.empty())
        throw InputError("--events: error: it goes with --replay\n  help: add --replay RECORD\n");
    if (options.record_wire && options.record.empty())
        throw InputError("--record-wire: error: there is no record\n  help: add --record FILE\n");
    YamlSource source = YamlSource::open(options.venue);
    VenueConfig config = read_venue_config(source);
    if (!options.listen.empty()) listen_at("--listen", options.listen, config.host, config.port);
    if (!options.listen_market.empty() && !config.market)
        throw InputError(
            "--listen-market: error: the venue has no session for market data alone\n"
            "  help: give it one as market_data.session\n");
    if (!options.listen_market.empty())
        listen_at("--listen-market", options.listen_market, config.market->host, config.market->port);
    if (!options.store.empty()) config.store_path = options.store;
    if (!options.dictionary.empty()) config.dictionary = options.dictionary;
    for (const std::string& client : options.clients) {
        if (!valid_comp_id(client)) {
            throw InputError("--client: error: '" + client +
                             "' is not a CompID\n  help: use printable characters "
                             "without blanks\n");
        }
        if (config.market && config.market->client == client)
            throw InputError("--client: error: '" + client + "' is the client for market data\n" +
                             "  help: give the other client a name of its own\n");
        if (std::find(config.clients.begin(), config.clients.end(), client) == config.clients.end()) {
            config.clients.push_back(client);
        }
    }
    if (options.exit_after_scenario && options.scenario.empty()) {
        throw InputError("--exit-after-scenario: error: there is no scenario\n  help: add --scenario FILE\n");
    }
    if (!options.control.empty() && !options.control.starts_with("unix:")) {
        throw InputError("--control: error: '" + options.control +
                         "' is no socket\n  help: write it as unix:/tmp/exchange.sock\n");
    }
    return config;
}

SessionConfig session_config(const Options& options, VenueConfig& config) {
    SessionConfig own = sessions_of(config);
    if (options.settings.empty()) return own;
    try {
        const SettingsFile file = read_settings(options.settings, own);
        for (const std::string& key : file.without_effect)
            std::cerr << options.settings << ": note: " << key << " changes nothing here" << std::endl;
        config.clients = file.config.clients;
        config.store_path = file.config.store_path;
        return file.config;
    } catch (const SessionHostError& error) {
        throw InputError(std::string(error.what()) + "\n");
    }
}

VenueOptions venue_options(const VenueConfig& config) {
    VenueOptions result;
    result.update_type = config.update_type;
    if (config.market) result.market_client = config.market->client;
    result.conflate = config.conflate;
    result.subscriptions = config.subscriptions;
    result.drop_copy = config.drop_copy;
    result.cancel_on_disconnect = {config.cancel_on_disconnect.begin(), config.cancel_on_disconnect.end()};
    result.store = config.store_path;
    result.sync = config.sync;
    result.journal_bytes = config.log_bytes;
    return result;
}

std::string identity(const VenueConfig& config) {
    std::string result = config.comp_id + "|" + std::string(to_text(config.self_trade));
    std::vector<const Instrument*> all;
    all.reserve(config.instruments.size());
    for (const Instrument& instrument : config.instruments) all.push_back(&instrument);
    std::sort(all.begin(), all.end(),
              [](const Instrument* one, const Instrument* other) { return one->symbol() < other->symbol(); });
    for (const Instrument* instrument : all) {
        const InstrumentTerms& terms = instrument->terms();
        result += "|" + terms.symbol + "," + std::to_string(terms.lot) + "," + std::to_string(terms.lowest) +
                  "," + std::to_string(terms.highest);
        for (const auto& [from, tick] : terms.ticks)
            result += "," + std::to_string(from) + ":" + std::to_string(tick);
    }
    return result;
}

}  // namespace fixaccel::exchange
