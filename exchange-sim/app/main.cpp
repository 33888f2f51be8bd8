// SPDX-License-Identifier: Apache-2.0
// fixaccel-exchange: a venue to trade against.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <iostream>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "config/venue_config.hpp"
#include "fix/gateway.hpp"
#include "fix/record_lines.hpp"
#include "matching/exchange.hpp"
#include "record/recorder.hpp"
#include "scenario/runner.hpp"
#include "scenario/scenario_reader.hpp"
#include "session/session_host.hpp"

namespace {

using namespace fixaccel::exchange;

constexpr int kOk = 0;
constexpr int kRuntimeFailure = 1;
constexpr int kBadInput = 2;

constexpr const char* kFooter = R"(
Exit status:
  0  stopped by SIGINT or SIGTERM, or the scenario ended with --exit-after-scenario
  1  failure while running: port in use, record or store not writable, a wait_for that timed out
  2  bad command line, venue or scenario file

Examples:
  fixaccel-exchange --venue strategies/venues/simulator.yaml
      the venue of a strategy, on the address that its session connects to
  fixaccel-exchange --venue simulator.yaml --listen 127.0.0.1:9878 --client CLIENT2
      somewhere else, with a second client
  fixaccel-exchange --venue simulator.yaml --scenario move.yaml --record out.jsonl --exit-after-scenario
      play a scripted market, keep a record of everything, and end)";

struct Options {
    std::string venue;
    std::string scenario;
    std::string listen;
    std::string listen_market;
    std::string record;
    std::string store;
    std::vector<std::string> clients;
    bool exit_after_scenario = false;
};

void define(CLI::App& app, Options& options) {
    app.footer(kFooter);
    app.add_option("--venue", options.venue, "venue file of a strategy, or an exchange file")
        ->required()
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
    app.add_option("--store", options.store,
                   "keep sequence numbers and messages in this folder, across restarts")
        ->option_text("DIR");
    app.add_flag("--exit-after-scenario", options.exit_after_scenario,
                 "log clients out and end with the scenario");
}

void listen_at(const std::string& option, const std::string& text, std::string& host, std::uint16_t& port) {
    try {
        parse_endpoint(text, host, port);
    } catch (const InputError& error) {
        throw InputError(option + ": error: " + error.what() + "\n  help: write it as 127.0.0.1:9878\n");
    }
}

// Who may log on, for orders or for market data.
std::vector<std::string> all_clients(const VenueConfig& config) {
    std::vector<std::string> out = config.clients;
    if (config.market) out.push_back(config.market->client);
    return out;
}

VenueConfig configure(const Options& options) {
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
    return config;
}

SessionConfig session_config(const VenueConfig& config) {
    SessionConfig result;
    result.begin_string = config.begin_string;
    result.comp_id = config.comp_id;
    result.clients = config.clients;
    result.host = config.host;
    result.port = config.port;
    result.heartbeat_seconds = config.heartbeat_seconds;
    result.store_path = config.store_path;
    if (config.market)
        result.market_clients.push_back(
            {config.market->client, config.market->comp_id, config.market->host, config.market->port});
    return result;
}

void say(const std::string& text) { std::cout << text << std::endl; }

// Signals that end the program; SIGUSR1 is the scenario's own, to wake the main thread.
sigset_t blocked_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaddset(&signals, signal);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    return signals;
}

// Waits for the end: a signal, a failed scenario, or a completed one where that is asked for.
int serve(const sigset_t& signals, const Options& options, Runner& runner, Gateway& gateway,
          const std::optional<Scenario>& scenario) {
    std::optional<RunResult> result;
    std::mutex mutex;
    std::thread player;
    if (scenario) {
        player = std::thread([&] {
            const RunResult ended = runner.run(*scenario);
            {
                const std::lock_guard lock(mutex);
                result = ended;
            }
            kill(getpid(), SIGUSR1);
        });
    }
    int status = kOk;
    for (int signal = 0; sigwait(&signals, &signal) == 0 && signal == SIGUSR1;) {
        const std::lock_guard lock(mutex);
        if (!result) continue;
        if (*result == RunResult::kFailed) {
            std::cerr << "error: " << runner.failure() << std::endl;
            status = kRuntimeFailure;
            break;
        }
        say("scenario completed");
        if (options.exit_after_scenario) break;
    }
    gateway.clients().interrupt();
    if (player.joinable()) player.join();
    return status;
}

int run(const Options& options) {
    const VenueConfig config = configure(options);
    Exchange exchange(config.instruments);
    exchange.set_self_trade(config.self_trade);
    std::optional<Scenario> scenario;
    if (!options.scenario.empty()) {
        YamlSource source = YamlSource::open(options.scenario);
        scenario = read_scenario(source, options.scenario, exchange, all_clients(config));
    }
    const sigset_t signals = blocked_signals();
    Recorder recorder(options.record);
    Gateway gateway(exchange, recorder, config.update_type, config.market ? config.market->client : "");
    SessionHost host(session_config(config), gateway);
    gateway.attach(host);
    host.start();
    say("listening on " + config.host + ":" + std::to_string(host.port()));
    if (config.market)
        say("market data on " + config.market->host + ":" + std::to_string(host.market_port(0)));
    recorder.write("start", {{"listen", config.host + ":" + std::to_string(host.port())},
                             {"clients", all_clients(config)}});
    Runner runner(gateway, recorder, say);
    const int status = serve(signals, options, runner, gateway, scenario);
    host.stop();
    recorder.write("summary", summary_line(exchange));
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Exchange simulator: a FIX 4.4 venue with price-time matching and a scripted market.",
                 "fixaccel-exchange");
    Options options;
    define(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kOk : kBadInput;
    }
    try {
        return run(options);
    } catch (const InputError& error) {
        std::cerr << error.what();
        return kBadInput;
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << std::endl;
        return kRuntimeFailure;
    }
}
