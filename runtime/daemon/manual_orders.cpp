// SPDX-License-Identifier: Apache-2.0
// An order by hand, or a request about one, on its way: what outranks it, its place in the journal, and the
// session.
#include <algorithm>
#include <utility>

#include "daemon.hpp"
#include "fixaccel/utc_clock.hpp"
#include "log.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;
using What = HandRequest::What;

// What the journal calls a reason: the words before the colon.
std::string name_of(const std::string& reason) {
    return reason.empty() ? "session" : reason.substr(0, reason.find(':'));
}

// Whatever comes of it, behind this no order is in hand.
class InHand {
  public:
    explicit InHand(OrderTimes& times) : times_(times) {}
    InHand(const InHand&) = delete;
    InHand& operator=(const InHand&) = delete;
    ~InHand() { times_.drop(); }

  private:
    OrderTimes& times_;
};

}  // namespace

// Why it may not leave, as `name: text`; empty if it may. To cancel is to take risk away: neither the kill
// switch nor a dry run nor a limit keeps a request to cancel back.
std::string Daemon::held_back(const HandRequest& request) {
    const bool up = link_ && link_->orders().logged_on() && link_->orders_stand();
    const bool stands = is_up(phase_) || without_market_;
    const bool cancels = request.what == What::cancel;
    if (!cancels && engine_.killed()) return std::string("kill: ") + kKillIsOn;
    if (!up || !stands)
        return std::string("session: no order can leave while the session is ") + phase_text(phase_) +
               (problem_.empty() ? "" : ": " + problem_);
    if (!cancels && engine_.dry()) return "dry: in a dry run no order leaves: `fixaccel disarm` first";
    // The limits count what the fabric has sent until now.
    if (!link_->orders().catch_up()) return "session: the connection is of no more use";
    const std::string limit = by_hand_.judge(request);
    return limit.empty() ? limit : limit + " (a limit of the bundle)";
}

json Daemon::by_hand(const std::string& command, const ControlRequest& asked) {
    if (command == "order") times_.requested(asked.received, asked.handed);
    const InHand in_hand(times_);
    const HandRequest request = by_hand_.request(command, asked.body, asked.by);
    if (const std::string reason = held_back(request); !reason.empty()) {
        ledger_.record_refused(request, name_of(reason));
        throw Refused(reason);
    }
    const bool pauses = request.what != What::cancel && pause_for(request.terms.symbol);
    times_.mark(OrderStage::decide);
    ledger_.record_by_hand(request);
    times_.mark(OrderStage::journal);
    const std::string reason = link_->orders().send_by_hand(request.what, by_hand_.message(request),
                                                            [&] { return by_hand_.judge(request); });
    const int number = ledger_.settle_by_hand(name_of(reason));
    if (number != 0 && request.what != What::cancel) engine_.count_other(utc_ns());
    if (pauses) go_on_armed();
    if (number == 0) throw Refused("not sent: " + (reason.empty() ? "the session did not take it" : reason));
    return {{"ok", true}, {"cl_ord_id", request.cl_ord_id}, {"msg_seq_num", number}};
}

// What the board counts while it is armed nobody else can count there: it is disarmed for a moment, as it is
// for whatever else changes what it keeps.
bool Daemon::pause_for(const std::string& symbol) {
    if (!engine_.board_counts(by_hand_.limits_quantity(symbol))) return false;
    if (engine_.loading()) throw Refused("a load is under way; wait until it has come about");
    if (engine_.blind())
        throw Refused(
            "the runtime stands in for the fabric, which does not see the market: wait until it does");
    try {
        engine_.disarm("an order by hand counts against limits that the board keeps");
    } catch (const CommitError& error) {
        problem_ = error.what();
        lost();
        throw Refused("not sent: " + problem_);
    }
    enter(Phase::ready);
    return true;
}

// Of the rules, and what somebody wants to see beside.
std::vector<std::string> Daemon::instruments() const {
    std::vector<std::string> symbols;
    for (const BundleInstrument& instrument : engine_.bundle()->instruments)
        symbols.push_back(instrument.symbol);
    for (const std::string& symbol : followed_) {
        const bool there = std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
        if (!there && by_hand_.has_instrument(symbol)) symbols.push_back(symbol);
    }
    return symbols;
}

void Daemon::follow(const std::vector<std::string>& symbols) {
    by_hand_.check_instruments(symbols);
    followed_.insert(symbols.begin(), symbols.end());
    if (link_ && link_->logged_on() && is_up(phase_)) link_->market_data().follow(instruments());
}

json Daemon::session_state() const {
    return {{"phase", phase_text(phase_)},  {"armed", engine_.live(fabric_status_)},
            {"dry_run", engine_.dry()},     {"waiting", want_armed_},
            {"problem", problem_},          {"logged_on", link_ && link_->logged_on()},
            {"killed", guard_.flag().on()}, {"strategy", engine_.bundle() ? engine_.bundle()->strategy : ""}};
}

void Daemon::go_on_armed(bool dry) {
    if (engine_.killed() || phase_ != Phase::ready) return;
    want_armed_ = true;
    want_dry_ = dry;
    arm_until_ = std::chrono::steady_clock::now() + kArmPatience;
}

}  // namespace fixaccel
