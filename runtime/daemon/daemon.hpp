// SPDX-License-Identifier: Apache-2.0
// fixacceld: what happens when, on one thread. The kill switch has another, see kill_guard.hpp.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "by_hand.hpp"
#include "comeback.hpp"
#include "engine.hpp"
#include "event_feed.hpp"
#include "fixaccel/clock_sync.hpp"
#include "fixaccel/observer.hpp"
#include "kill_guard.hpp"
#include "machine.hpp"
#include "order_times.hpp"
#include "phase.hpp"
#include "preparation.hpp"
#include "reconciliation.hpp"
#include "ring_watch.hpp"
#include "session_link.hpp"
#include "unread_check.hpp"

namespace fixaccel {

// The configuration with a bundle's client settings below the daemon's own; null: without any.
using ConfigLayers = std::function<DaemonConfig(const Bundle* bundle)>;

class Daemon {
  public:
    Daemon(Board& board, Ledger& ledger, KillGuard& guard, Machine& machine, ConfigLayers layers);

    // Runs until a shutdown command or `signal_fd` (signalfd of SIGTERM, SIGINT) asks for the end. Throws
    // BoardError and JournalError: without board or journal nothing can go on.
    void run(int signal_fd);
    // Looks on from now on; ahead of run().
    void show(Observer* observer) { observer_ = observer; }

  private:
    // A deploy whose bundle is being got ready.
    struct Deployment {
        ControlRequest request;
        bool reconciled = false;
        bool rearm = false;
        Arming arming = Arming::armed;
        bool disarmed = false;   // that was asked for meanwhile, or by the kill switch
        std::string ended_by{};  // likewise a logout, or the daemon's end
    };

    // daemon.cpp
    void wait_and_dispatch(int signal_fd);
    std::chrono::nanoseconds armed_rest() const;
    void tell_observer();
    void answer_requests();
    void answer(const ControlRequest& request,
                const std::function<std::optional<nlohmann::json>()>& carry_out);
    void step();
    bool look_at_board();
    void heed_time(std::chrono::steady_clock::time_point now);
    void heed_disarmed(std::chrono::steady_clock::time_point now);
    void heed_contradiction();
    void keep_in_step(std::chrono::steady_clock::time_point now);
    void heed_kill();
    void disarm_killed();
    void try_arm();
    std::string clock_too_far() const;
    void give_back();
    bool busy() const;
    void begin_logout(const std::string& reason);

    // phases.cpp
    void enter(Phase phase);
    void go_on(std::chrono::steady_clock::time_point now);
    void logging_on(std::chrono::steady_clock::time_point now);
    void subscribe(std::chrono::steady_clock::time_point now);
    void subscribing(std::chrono::steady_clock::time_point now);

    // session_lost.cpp
    void lost(DisarmCause cause = DisarmCause::session);
    void try_later(const std::string& why);
    void connect();
    void logged_on_again();
    void disarmed_by_session();
    void arm_again();
    std::string not_again() const;
    std::string not_known();
    nlohmann::json comeback_status() const;

    // doubts.cpp
    void begin_reconciliation();
    void reconcile(std::chrono::steady_clock::time_point now);
    void end_reconciliation();
    bool catch_up(const std::string& reason);
    void told_of_doubts(const std::vector<std::string>& names, bool sent, const std::string& by);
    nlohmann::json doubts() const;

    // noticed.cpp
    void watch_clock();
    void watch_clock_sync();
    void watch_parser();
    void watch_machine();

    // day_roll.cpp
    void plan_roll();
    void roll_day();
    void day_rolled();
    void heed_roll();

    // arm_rejected.cpp
    void arm_rejected(const std::vector<std::string>& names, bool dry);

    // manual_orders.cpp
    std::string held_back(const HandRequest& request);
    nlohmann::json by_hand(const std::string& command, const ControlRequest& asked);
    bool pause_for(const std::string& symbol);
    void go_on_armed(bool dry = false);
    void follow(const std::vector<std::string>& symbols);
    std::vector<std::string> instruments() const;
    nlohmann::json session_state() const;

    // limit_changes.cpp
    void set_limit(const nlohmann::json& request, const std::string& by);
    void revert_limit(const nlohmann::json& request, const std::string& by);
    void reset_limits(const nlohmann::json& request, const std::string& by);
    void end_changes();
    void end_other_changes();
    void hold_limits(const std::string& reason, const std::function<void()>& record, bool board = true);
    void plan_end_of_change();
    void hold_to_changes(Prepared& next) const;

    // questions.cpp
    nlohmann::json rules(const nlohmann::json& request) const;
    nlohmann::json fires(const nlohmann::json& request) const;
    nlohmann::json limits() const;
    nlohmann::json limits_changed() const;

    // deploy.cpp
    Prepared prepare(const std::filesystem::path& path, Looks looks);
    void begin_deploy(Deployment asked, const std::filesystem::path& path);
    void finish_deploy();
    // Arms it as `arming` says, once the session stands.
    bool deploy(Prepared next, bool reconciled, bool rearm, Arming arming);
    void check_session(const Bundle& bundle, const DaemonConfig& config) const;
    void check(const Bundle& bundle, const DaemonConfig& config, bool reconciled) const;
    std::string not_hot(const Loadable& next, bool reconciled, bool rearm, Arming arming) const;
    void loaded_while_armed();
    void watch_unread();

    // commands.cpp
    void record(const ControlRequest& request, const nlohmann::json& reply);
    std::optional<nlohmann::json> handle(const ControlRequest& asked);
    void ask_to_arm(bool dry);
    void ask_to_disarm();
    Arming allowed(Arming arming) const;
    nlohmann::json status();

    // metrics.cpp
    nlohmann::json latency(const nlohmann::json& request);
    nlohmann::json metrics();

    DaemonConfig config_;
    Board& board_;
    Ledger& ledger_;
    ConfigLayers layers_;
    BundleReader reader_;  // as the daemon was started: no bundle says by whom it has to be signed
    const std::chrono::nanoseconds longest_change_;  // of a limit; likewise
    KillGuard& guard_;
    Machine& machine_;
    Engine engine_;
    OrderTimes times_;
    ByHand by_hand_;
    EventFeed feed_;
    Observer* observer_ = nullptr;
    std::set<std::string> followed_;  // instruments that were asked for beside those of the rules
    std::unique_ptr<SessionLink> link_;
    std::unique_ptr<Reconciliation> reconciliation_;  // until the venue has answered

    Phase phase_ = Phase::idle;
    bool without_market_ = false;  // only the session of market data was lost, and is being opened again
    bool stop_ = false;
    bool want_session_ = false;
    bool want_armed_ = false;
    bool want_dry_ = false;  // for a dry run
    std::optional<Deployment> deployment_;
    std::optional<DaemonConfig> next_config_;  // of the bundle that is being loaded while armed
    bool clock_was_set_ = false;               // the system's
    ClockSync clock_sync_;                     // likewise
    std::chrono::steady_clock::time_point next_clock_look_{};
    bool rolling_ = false;                                                // the venue's day is being ended
    std::int64_t roll_at_ns_ = std::numeric_limits<std::int64_t>::max();  // UTC
    std::int64_t change_ends_ns_ = std::numeric_limits<std::int64_t>::max();  // the first of limits, UTC
    std::string problem_;  // why what was asked for did not come about
    FabricStatus fabric_status_;
    RingWatch ring_watch_;
    std::optional<std::chrono::steady_clock::time_point>
        gap_since_;     // the parser lost the stream while armed
    int gap_from_ = 0;  // MsgSeqNum that was due then
    unsigned gaps_ = 0;
    std::chrono::steady_clock::time_point next_tick_{};
    Comeback comeback_;
    std::int64_t armed_at_ns_ = 0;  // UTC
    std::chrono::steady_clock::time_point connect_until_{};
    std::chrono::steady_clock::time_point known_until_{};
    std::optional<std::chrono::steady_clock::time_point>
        in_step_until_;  // in this phase, since it is logged on
    std::chrono::steady_clock::time_point snapshots_until_{};
    static constexpr std::chrono::seconds kArmPatience{10};  // until the parser is in step
    std::chrono::steady_clock::time_point arm_until_{};
    UnreadCheck unread_;
    std::vector<pollfd> watched_;  // kept for its room
    Preparation preparation_;      // last: ahead of all that it looks at its end waits for it
};

}  // namespace fixaccel
