// SPDX-License-Identifier: Apache-2.0
#include "app/program.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "app/replay_command.hpp"
#include "control/control_socket.hpp"
#include "control/gateway_venue.hpp"
#include "matching/exchange.hpp"
#include "record/call_recorder.hpp"
#include "record/recorder.hpp"
#include "record/wire_recorder.hpp"
#include "scenario/gateway_stage.hpp"
#include "scenario/runner.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/step_specs.hpp"
#include "session/session_host.hpp"
#include "venue/gateway.hpp"
#include "venue/record_lines.hpp"

namespace fixaccel::exchange {
namespace {

void say(const std::string& text) { std::cout << text << std::endl; }

// Why the venue cannot go on, told on the engine thread.
class Failure {
  public:
    void tell(const std::string& text) {
        {
            const std::lock_guard lock(mutex_);
            text_ = text;
        }
        kill(getpid(), SIGUSR1);
    }
    std::string text() const {
        const std::lock_guard lock(mutex_);
        return text_;
    }

  private:
    mutable std::mutex mutex_;
    std::string text_;
};

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
          const std::optional<Scenario>& scenario, Failure& failure) {
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
        if (const std::string text = failure.text(); !text.empty()) {
            std::cerr << "error: " << text << std::endl;
            status = kRuntimeFailure;
            break;
        }
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

std::vector<VenueClient> control_clients(const VenueConfig& config) {
    std::vector<VenueClient> out;
    out.reserve(config.clients.size() + 1);
    for (const std::string& client : config.clients) out.push_back({client, false});
    if (config.market) out.push_back({config.market->client, true});
    return out;
}

// None where none is asked for.
std::unique_ptr<ControlSocket> open_control(const Options& options, GatewayVenue& venue, Gateway& gateway) {
    if (options.control.empty()) return nullptr;
    auto control = std::make_unique<ControlSocket>(options.control, venue, FIXACCEL_VERSION);
    gateway.observe(control->observer());
    return control;
}

// What the file says of instruments. A store knows their references already.
void apply(const VenueConfig& config, Gateway& gateway) {
    for (const InstrumentSettings& settings : config.settings) {
        gateway.act([&](Exchange& exchange) {
            std::vector<Execution> all;
            const auto say = [&](const Message& message) {
                const auto& some = exchange.say(message);
                all.insert(all.end(), some.begin(), some.end());
            };
            Message message;
            message.instrument = exchange.index_of(settings.symbol);
            if (settings.reference && !exchange.engine().state(message.instrument).has_reference) {
                message.kind = MessageKind::kReference;
                message.price = *settings.reference;
                say(message);
            }
            if (settings.limits) {
                message.kind = MessageKind::kLimits;
                message.price = settings.limits->first;
                message.other_price = settings.limits->second;
                say(message);
            }
            if (settings.breaker > 0) {
                message.kind = MessageKind::kBreaker;
                message.price = settings.breaker;
                message.time = settings.halt.count();
                say(message);
            }
            return all;
        });
    }
    if (config.day.empty()) return;
    std::vector<Timetable::Row> rows;
    rows.reserve(config.day.size());
    for (const DayRow& row : config.day) rows.push_back({row.second, row.phase});
    gateway.follow(Timetable(std::move(rows)));
}

}  // namespace

int run(const Options& options) {
    if (options.scenario_schema) {
        say(scenario_schema().dump(1));
        return kOk;
    }
    if (!options.replay.empty()) return replay_command(options.replay, options.venue, options.events);
    VenueConfig config = configure(options);
    SessionConfig sessions = session_config(options, config);
    sessions.confirmed = true;  // by the gateway
    // Before any thread: the phases of the day go by it.
    if (!config.day.empty() && !config.time_zone.empty()) setenv("TZ", config.time_zone.c_str(), 1);
    tzset();
    Exchange exchange(config.instruments);
    exchange.set_self_trade(config.self_trade);
    exchange.set_kept_finished(config.kept_orders);
    std::optional<Scenario> scenario;
    if (!options.scenario.empty()) {
        YamlSource source = YamlSource::open(options.scenario);
        scenario = read_scenario(source, options.scenario, exchange, all_clients(config));
    }
    const sigset_t signals = blocked_signals();
    Recorder recorder(options.record);
    Failure failure;
    Gateway gateway(exchange, recorder, venue_options(config));
    gateway.on_failure([&](const std::string& text) { failure.tell(text); });
    gateway.recover(identity(config));
    // Behind what a store brought back, ahead of all that comes.
    const CallRecorder calls(exchange, recorder,
                             {config.instruments, config.self_trade, config.update_type, config.kept_orders});
    if (options.record_wire) gateway.observe(std::make_shared<WireRecorder>(recorder));
    SessionHost host(sessions, gateway);
    gateway.attach(host);
    apply(config, gateway);
    GatewayVenue venue(gateway, exchange, config.comp_id, control_clients(config));
    // Before the sessions begin: where it cannot be had, nothing has begun.
    std::unique_ptr<ControlSocket> control = open_control(options, venue, gateway);
    host.start();
    say("listening on " + sessions.host + ":" + std::to_string(host.port()));
    if (config.market)
        say("market data on " + config.market->host + ":" + std::to_string(host.market_port(0)));
    recorder.write("start", {{"listen", sessions.host + ":" + std::to_string(host.port())},
                             {"clients", all_clients(config)}});
    if (control) control->start();
    GatewayStage stage(gateway);
    Runner runner(stage, recorder, say);
    const int status = serve(signals, options, runner, gateway, scenario, failure);
    control.reset();
    host.stop();
    gateway.stop();
    recorder.write("summary", summary_line(exchange));
    return status;
}

}  // namespace fixaccel::exchange
