// SPDX-License-Identifier: Apache-2.0
// From a folder to the strategy that runs: got ready beside everything else, checked against what there is,
// and only then anything is changed.
#include <cstdio>

#include "daemon.hpp"
#include "log.hpp"

namespace fixaccel {
namespace {

std::vector<FixDifference> differences_to(const BundleSession& session, const FixSettings& fix) {
    return differences(fix, {session.begin_string, session.sender_comp_id, session.target_comp_id,
                             session.connect_host, session.connect_port});
}

std::string text_of(const FixDifference& one) {
    return one.key + " is " + one.ours + ", and the bundle has " + one.of_bundle;
}

// `what` the bundle has from another session than that of `file`.
void check_file(const BundleSession& session, const FixFile& file, const char* what) {
    std::string text;
    for (const FixDifference& one : differences_to(session, read_fix_settings(file)))
        text += (text.empty() ? "" : "; ") + place_of(file, one.key) + ": " + text_of(one);
    if (!text.empty())
        throw Refused(std::string(what) + " another FIX session than " + file.path + ": " + text);
}

// Not what lies there by now: what was signed, or has its hash in the manifest.
FixFile own_settings(const Bundle& bundle, const std::string& name, const char* key) {
    const auto file = bundle.client.find(name);
    if (file == bundle.client.end())
        throw Refused("bundle " + bundle.path.string() + " has no " + name + ", and session." + key +
                      " names none");
    return {(bundle.path / file->first).string(), file->second, true};
}

void use_own_settings(const Bundle& bundle, DaemonConfig& config) {
    if (config.quickfix.path.empty())
        config.quickfix = own_settings(bundle, "client/quickfix.cfg", "quickfix");
    if (!bundle.market_session)
        config.quickfix_market = {};
    else if (config.quickfix_market.path.empty())
        config.quickfix_market = own_settings(bundle, "client/quickfix-market.cfg", "quickfix_market");
}

std::string time_of_day_text(std::int32_t second_of_day) {
    char text[16];
    std::snprintf(text, sizeof text, "%02d:%02d:%02d", second_of_day / 3600, second_of_day / 60 % 60,
                  second_of_day % 60);
    return text;
}

// The venue file is what `simulate` and the rules' tests go by.
std::string contradicted(const DaemonConfig& config, const Bundle& bundle) {
    const std::string own = time_of_day_text(*config.day_roll);
    return "session.day_roll is " + own + ", and the venue file of this bundle has " +
           (bundle.day_roll ? "`day_roll: " + time_of_day_text(*bundle.day_roll) + "`" : "none") +
           ": what limits count would not begin anew when `simulate` has it. Write `day_roll: \"" + own +
           "\"` in the venue file and compile anew, or change session.day_roll";
}

}  // namespace

// On whatever thread, but one at a time: it looks at nothing else that changes than what it has made before.
Prepared Daemon::prepare(const std::filesystem::path& path, Looks looks) {
    Bundle bundle = reader_.read(path, looks);
    // Named: GCC 12 destroys the parts of an unnamed {} twice if what follows it throws.
    Prepared made{.rules = Loadable{}, .config = layers_(&bundle), .gate = ByHand::gate_of(bundle)};
    use_own_settings(bundle, made.config);
    made.rules = engine_.loadable(std::move(bundle));
    return made;
}

void Daemon::begin_deploy(Deployment asked, const std::filesystem::path& path) {
    if (deployment_) throw Refused("another deploy is being got ready; wait until it has been answered");
    deployment_ = std::move(asked);
    // While armed the market goes on: what the rules do not depend on is looked at when they are loaded.
    const Looks looks = engine_.armed() ? Looks::ahead : Looks::all;
    preparation_.begin([this, path, looks] { return prepare(path, looks); });
}

// As if what ends it or disarms had come behind it.
void Daemon::finish_deploy() {
    heed_kill();
    const Deployment asked = *std::exchange(deployment_, std::nullopt);
    answer(asked.request, [&] {
        Prepared next = preparation_.take();
        if (!asked.ended_by.empty())
            throw Refused("nothing is deployed: " + asked.ended_by + " before the bundle had been read");
        const Arming arming = allowed(asked.disarmed ? Arming::disarmed : asked.arming);
        const bool loads = deploy(std::move(next), asked.reconciled, asked.rearm, arming);
        ledger_.record_asked(arming);
        return nlohmann::json{{"ok", true}, {"loads", loads}};
    });
}

// The sessions are those of the bundle: the one that orders leave on, and that of market data alone.
void Daemon::check_session(const Bundle& bundle, const DaemonConfig& config) const {
    if (link_ && link_->any_connected()) {
        const FixChannel* market = link_->market();
        std::vector<FixDifference> found = differences_to(bundle.session, link_->orders().settings());
        if (bundle.market_session.has_value() != (market != nullptr))
            found.push_back({"the session of market data alone", market == nullptr ? "none" : "one",
                             market == nullptr ? "one" : "none"});
        else if (market != nullptr)
            for (const FixDifference& one : differences_to(*bundle.market_session, market->settings()))
                found.push_back({one.key + " of market data", one.ours, one.of_bundle});
        if (found.empty()) return;
        std::string text =
            "the bundle is for another FIX session than the one that is logged on; log out first";
        for (const FixDifference& one : found) text += "; " + text_of(one);
        throw Refused(text);
    }
    check_keeps_orders(config.quickfix);
    check_file(bundle.session, config.quickfix, "the bundle is for");
    if (bundle.market_session)
        check_file(*bundle.market_session, config.quickfix_market, "the bundle has its market data from");
}

// What speaks against a deploy before its tables are looked at. Throws Refused, FixConfigError.
void Daemon::check(const Bundle& bundle, const DaemonConfig& config, bool reconciled) const {
    if (stop_ || phase_ == Phase::logging_out) throw Refused("the daemon is logging out");
    check_session(bundle, config);
    if (!ledger_.in_doubt().empty() && !ledger_.doubts_judged() && !reconciled)
        throw Refused("the board lost its memory while armed and " +
                      std::to_string(ledger_.in_doubt().size()) +
                      " rules may have fired unseen; `fixaccel deploy --reconciled` asks the venue");
    if (config.day_roll && bundle.zone.start_s.empty())
        throw Refused(
            "day_roll is a time in the venue's zone, which this bundle does not have: compile it anew");
    if (config.day_roll && config.day_roll != bundle.day_roll) throw Refused(contradicted(config, bundle));
}

// False: just this is loaded and armed.
bool Daemon::deploy(Prepared next, bool reconciled, bool rearm, Arming arming) {
    const Bundle& bundle = next.rules.bundle;
    check(bundle, next.config, reconciled);
    hold_to_changes(next);
    const bool loaded = engine_.bundle() && engine_.bundle()->manifest_sha256 == bundle.manifest_sha256;
    const bool dry = arming == Arming::dry;
    const bool as_asked = phase_ == Phase::armed       ? engine_.dry() == dry
                          : arming == Arming::disarmed ? !want_armed_
                                                       : want_armed_ && want_dry_ == dry;
    if (loaded && !rearm && !reconciled && link_ && as_asked) return false;
    const std::string reason = not_hot(next.rules, reconciled, rearm, arming);
    if (reason.empty()) {
        engine_.begin_hot_load(std::move(next.rules));
        by_hand_.load_next(std::move(next.gate));
        next_config_ = std::move(next.config);
        problem_.clear();
        return true;
    }
    // Whatever is wrong with it is known before anything is changed; but until it is disarmed an order may
    // fire that stands on the wire then.
    engine_.check_fits(bundle);
    const bool armed = engine_.armed();
    engine_.disarm("another bundle is loaded");
    engine_.check_fits(bundle);
    if (rearm) ledger_.record_rearmed();
    next_config_.reset();
    config_ = std::move(next.config);
    comeback_.overrule();
    end_reconciliation();
    engine_.load(std::move(next.rules), armed ? reason : "");
    by_hand_.load(std::move(next.gate));
    unread_.begin(engine_.bundle()->unread);
    end_other_changes();
    plan_roll();
    log_line("loaded " + engine_.bundle()->strategy + ", " + std::to_string(engine_.bundle()->rules.size()) +
             " rules");
    problem_ = engine_.killed() ? kKillIsOn : "";
    want_session_ = true;
    want_armed_ = arming != Arming::disarmed;
    want_dry_ = dry;
    if (reconciled) begin_reconciliation();
    if (link_ && link_->any_connected()) {
        // Other instruments need another subscription.
        enter(link_->connected() ? Phase::logging_on : Phase::connecting);
        return true;
    }
    link_.reset();
    link_ = std::make_unique<SessionLink>(config_, engine_, ledger_, times_);
    link_->orders().compare(reconciliation_.get());
    link_->market_data().tell(&by_hand_);
    link_->market_data().show(observer_);
    enter(Phase::connecting);
    return true;
}

// Why the board has to be disarmed for it; empty if it need not be.
std::string Daemon::not_hot(const Loadable& next, bool reconciled, bool rearm, Arming arming) const {
    if (std::string reason = engine_.not_hot(next); !reason.empty()) return reason;
    if (phase_ != Phase::armed) return "the board is not armed";
    if (arming == Arming::dry) return "a dry run is to begin";
    if (arming == Arming::disarmed) return "nothing is to be armed";
    if (rearm) return "rules that have fired are armed again";
    if (reconciled) return "the venue is asked for rules that are in doubt";
    if (next.bundle.market_data != engine_.bundle()->market_data)
        return "market data comes as " + next.bundle.market_data + ", which takes another subscription";
    return {};
}

void Daemon::loaded_while_armed() {
    const LoadReport& report = engine_.load_report();
    const bool loaded = report.state == std::string("loaded");
    if (loaded) config_ = *next_config_;
    next_config_.reset();
    if (!loaded) {
        log_line("the load was dropped: the board was disarmed before it came about");
        return;
    }
    by_hand_.next_loaded();
    unread_.begin(engine_.bundle()->unread);
    end_other_changes();
    plan_roll();
    log_line("loaded " + engine_.bundle()->strategy + " while armed, messages waited for " +
             std::to_string(report.hold_cycles) + " cycles");
    engine_.take_limits();
    if (link_ && link_->logged_on()) link_->market_data().follow(instruments());
}

// The rules that run are those that were signed or have their hashes; but the folder that they came from is
// not what its manifest says, and a daemon that starts anew would refuse it.
void Daemon::watch_unread() {
    const std::string wrong = unread_.take_problem();
    if (wrong.empty()) return;
    const std::string text = "loaded, but the folder is damaged: " + wrong;
    if (problem_.empty()) problem_ = text;
    log_line(text, {LogLevel::warning, "bundle_damaged"});
    ledger_.record_note(text);
}

}  // namespace fixaccel
