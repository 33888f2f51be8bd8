// SPDX-License-Identifier: Apache-2.0
#include "session_link.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "fixaccel/utc_clock.hpp"
#include "log.hpp"

namespace fixaccel {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kReadBytes = 64U * 1024;  // then the event ring is looked at again
constexpr auto kWriteLimit = std::chrono::milliseconds(500);
constexpr std::chrono::nanoseconds kTurn = std::chrono::milliseconds(20);  // then all else has its turn
constexpr std::size_t kLeasedBytes = 16U * 1024;  // that one lease is for: they are through before it ends

constexpr unsigned kMsgType = 35;
constexpr unsigned kPossDupFlag = 43;
constexpr unsigned kSymbol = 55;
constexpr unsigned kText = 58;
constexpr unsigned kMdReqId = 262;

// MsgSeqNum(34); 0 if there is none.
std::uint32_t seq_num_of(const std::string& message) {
    const std::string_view text = fix_field(message, 34);
    std::uint32_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

bool is_quotes(const std::string& message) {
    const std::string_view type = fix_field(message, kMsgType);
    return type == "W" || type == "X";
}

// While they evaluate a message no other rules take their place.
class Evaluating {
  public:
    explicit Evaluating(Engine& engine) : engine_(engine) { engine_.set_evaluating(true); }
    Evaluating(const Evaluating&) = delete;
    Evaluating& operator=(const Evaluating&) = delete;
    ~Evaluating() { engine_.set_evaluating(false); }

  private:
    Engine& engine_;
};

// FIX text may hold anything: SOH and other control characters must not reach a terminal.
std::string printable(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '|');
    return text;
}

}  // namespace

SessionLink::SessionLink(const FixFile& settings, const DaemonConfig& config, Engine& engine, Ledger& ledger)
    : config_(config),
      engine_(engine),
      ledger_(ledger),
      fix_(settings, config.resend, ledger, *this),
      subscriptions_([&ledger] { return ledger.epoch(); }) {}

SessionLink::~SessionLink() { engine_.attach(nullptr); }

void SessionLink::connect() {
    ended_.clear();
    parted_ = logged_out_ = false;
    peer_text_.clear();
    awaited_.clear();
    subscriptions_.clear();
    subscription_refused_.clear();
    framer_.clear();
    boundaries_.clear();
    highest_ = 0;
    auto connection = std::make_unique<Connection>(settings().host, settings().port, config_.max_segment);
    engine_.set_flow(connection->flow());
    engine_.set_comp_ids(settings().target_comp_id, settings().sender_comp_id);
    connection->start();
    connection_ = std::move(connection);
}

void SessionLink::writable() {
    try {
        connection_->finish();
    } catch (const ConnectionError& error) {
        end(settings().host + ":" + std::to_string(settings().port) + ": " + error.what());
        return;
    } catch (const CommitError& error) {
        end(error);
        return;
    }
    engine_.set_window_scales(connection_->peer_wscale(), connection_->local_wscale());
    engine_.attach(&connection_->stream());
    fix_.connected();
    fix_.tick();
}

void SessionLink::readable() {
    std::string bytes;
    const Connection::Read result = more_ ? Connection::Read::nothing : connection_->read(bytes, kReadBytes);
    // An answer to a fire may be among these bytes; the fire went into the ring before it left. The FIX
    // engine must know of it first.
    // And it must be known from which of them on a load counts.
    try {
        engine_.take_fires();
        engine_.look_for_gap();
        engine_.advance_load();
    } catch (const CommitError& error) {
        end(error);
    }
    framer_.feed(bytes);
    std::string message;
    const auto until = steady_clock::now() + std::min(kTurn, config_.limits.watchdog / 8);
    more_ = false;
    while (!more_ && ended_.empty() && framer_.next(message)) {
        highest_ = std::max(highest_, seq_num_of(message));
        if (fix_field(message, kMsgType) == "W") note_snapshot(message);
        quotes_taken_ = 0;
        fix_.receive(message);
        note_boundary();
        if (SoftwareRules* rules = engine_.software_for(seq_num_of(message)); rules != nullptr)
            evaluate(*rules, message);
        if (SoftwareRules* standby = engine_.standby_for_next(); standby != nullptr)
            follow(*standby, message);
        engine_.read_up_to(read_seq());
        if (by_hand_ != nullptr && quotes_taken_ > 0) by_hand_->see(message);
        more_ = steady_clock::now() >= until;
    }
    if (result == Connection::Read::closed && !more_) end("the venue closed the connection");
}

// The FIX engine must have taken just this message: one that it keeps for later, or took late, would be
// evaluated out of order.
bool SessionLink::in_order(const std::string& message) const {
    const bool again = fix_field(message, kPossDupFlag) == "Y";
    return again ? quotes_taken_ <= 1 : quotes_taken_ == (is_quotes(message) ? 1 : 0);
}

// The FIX engine's call is over, so an order may be sent at once: it is an outer call of its own.
void SessionLink::evaluate(SoftwareRules& rules, const std::string& message) {
    const Evaluating guard(engine_);
    try {
        if (!in_order(message)) {
            rules.forget_market();
            engine_.disarm("market data came out of order");
        } else if (is_quotes(message) && !rules.process(message, utc_ns(), *this)) {
            engine_.disarm("a market-data message names no instrument");
        }
    } catch (const CommitError& error) {
        end(error);
    }
}

// What the fabric would not evaluate, either, ends nothing.
void SessionLink::follow(SoftwareRules& standby, const std::string& message) {
    const Evaluating guard(engine_);
    try {
        if (!in_order(message))
            standby.forget_market();
        else if (is_quotes(message))
            standby.process(message, utc_ns(), stand_in_);
    } catch (const CommitError& error) {
        end(error);
    }
}

bool SessionLink::StandIn::admits(const LoadedRule& rule) {
    try {
        return link_.engine_.takes_over(rule);
    } catch (const CommitError& error) {
        link_.end(error);
        return false;
    }
}

std::string SessionLink::held_back() {
    if (!ended_.empty() || !logged_on()) return "session";
    try {
        // Many orders may come of one message: the ring and the watchdog must not wait for the last.
        const FabricStatus status = engine_.watch();
        if (engine_.killed() || status.killed()) return "kill";
        return engine_.armed() ? "" : "disarmed";
    } catch (const CommitError& error) {
        end(error);
        return "session";
    }
}

void SessionLink::send_order(const FixFields& body) {
    ordering_ = true;
    fix_.send_order(body);
    ordering_ = false;
}

bool SessionLink::catch_up() {
    try {
        engine_.watch();
    } catch (const CommitError& error) {
        end(error);
    }
    return ended_.empty();
}

std::string SessionLink::send_by_hand(HandRequest::What what, const FixFields& body,
                                      const std::function<std::string()>& judge) {
    using What = HandRequest::What;
    held_back_by_hand_.clear();
    last_look_ = [&](bool granted) -> std::string {
        if (what == What::cancel) return {};
        if (!granted) return "lease: the egress lease was not granted in time";
        if (!engine_.may_send_by_hand()) return std::string("kill: ") + kKillIsOn;
        return judge();
    };
    fix_.send_order(body, what == What::order ? "D" : what == What::cancel ? "F" : "G");
    last_look_ = nullptr;
    return held_back_by_hand_;
}

void SessionLink::note_snapshot(const std::string& message) {
    if (!awaited_.empty()) awaited_.erase(std::string(fix_field(message, kSymbol)));
}

void SessionLink::tick() {
    if (connected() && ended_.empty()) fix_.tick();
    if (connected() && ended_.empty() && subscriptions_.snapshot_refused())
        carry_out(subscriptions_.begin_anew());
}

void SessionLink::logout(const std::string& reason) {
    if (connected() && ended_.empty()) fix_.logout(reason);
}

void SessionLink::close() {
    if (!connection_) return;
    fix_.disconnected();
    // The fabric looks at the next connection then. What the kernel has in its place of this one would pass.
    if (engine_.parted()) connection_->abandon();
    engine_.attach(nullptr);
    if (by_hand_ != nullptr) by_hand_->forget_market();
    connection_.reset();
    framer_.clear();
    more_ = false;
    ended_.clear();
}

void SessionLink::end(const std::string& reason) {
    if (ended_.empty()) ended_ = reason;
}

void SessionLink::end(const std::exception& error) {
    if (ended_.empty()) parted_ = dynamic_cast<const CommitError*>(&error) != nullptr;
    end(std::string(error.what()));
}

void SessionLink::subscribe(const std::vector<std::string>& symbols) {
    awaited_ = {symbols.begin(), symbols.end()};
    subscription_refused_.clear();
    for (SoftwareRules* rules : {engine_.software(), engine_.standby()})
        if (rules != nullptr) rules->forget_market();
    if (by_hand_ != nullptr) by_hand_->forget_market();
    const Subscriptions::Change change = subscriptions_.change_to(symbols, config_.full_book, increments());
    carry_out(change);
    // What goes on is not said again of itself, and all that was known is forgotten.
    if (!change.kept.empty()) fix_.request_market_data(subscriptions_.snapshot(change.kept));
}

void SessionLink::follow(const std::vector<std::string>& symbols) {
    carry_out(subscriptions_.grow_to(symbols, config_.full_book, increments()));
}

void SessionLink::carry_out(const Subscriptions::Change& change) {
    for (const MarketDataRequest& old : change.ended) fix_.end_market_data(old);
    if (change.begun) fix_.request_market_data(*change.begun);
}

bool SessionLink::increments() const { return engine_.bundle()->market_data == "incremental"; }

std::uint32_t SessionLink::read_seq() const {
    return connection_->read_seq() - static_cast<std::uint32_t>(framer_.pending());
}

void SessionLink::note_boundary() {
    boundaries_.record({read_seq(), static_cast<std::uint32_t>(ledger_.next_target())});
}

const Boundaries& SessionLink::boundaries() {
    note_boundary();  // the number may have changed since
    return boundaries_;
}

bool SessionLink::before_send(const std::string& type) noexcept {
    try {
        if (!connected()) return false;
        // Whoever asked for it, behind a Logout no order may leave. The engine sends one before a sequence
        // reset too.
        if (type == "5")
            engine_.disarm("the session is being logged out",
                           logged_out_ ? DisarmCause::session : DisarmCause::other);
        // Resends come in one call, and the lease is not for all of them at once.
        if (engine_.lease_held() && (leased_bytes_ >= kLeasedBytes || engine_.lease_worn())) give_lease();
        const bool granted = engine_.take_lease();
        if (!granted) engine_.disarm("the egress lease was not granted in time");
        if (last_look_) held_back_by_hand_ = last_look_(granted);
        if (last_look_) return ended_.empty() && held_back_by_hand_.empty();
        return !ordering_ || (ended_.empty() && engine_.may_send());
    } catch (const std::exception& error) {
        end(error);
        return false;
    }
}

// An order that left before may reach the venue only now: it waits like any other.
bool SessionLink::may_resend_orders() noexcept {
    return !engine_.killed() && ledger_.asked() != Arming::disarmed;
}

// What the fabric has sent by the old numbers is counted by them, too.
void SessionLink::before_reset() noexcept {
    reset_ = logged_on();
    highest_ = 0;
    try {
        engine_.disarm("the venue has begun the sequence numbers anew");
    } catch (const std::exception& error) {
        end(error);
    }
}

void SessionLink::after_outer_call() noexcept {
    try {
        give_lease();
    } catch (const std::exception& error) {
        end(error);
    }
}

void SessionLink::give_lease() {
    engine_.give_lease();
    leased_bytes_ = 0;
}

bool SessionLink::write(const std::string& message) noexcept {
    if (!connection_) return false;
    leased_bytes_ += message.size();
    if (connection_->write(message, kWriteLimit)) return true;
    end("the connection takes no more data");
    return false;
}

void SessionLink::disconnect() noexcept {
    if (!peer_text_.empty()) return end("the venue logged the session out: " + peer_text_);
    end(logged_out_ ? "the venue logged the session out" : "the FIX session gave up the connection");
}

void SessionLink::on_logon() noexcept { log_line("logged on"); }

void SessionLink::on_logout() noexcept { log_line("logged out"); }

void SessionLink::on_message(const std::string& type, const std::string& message) noexcept {
    if (type == "W" || type == "X") ++quotes_taken_;
    try {
        if (reconciliation_ != nullptr && type == "2") reconciliation_->asked_again(message);
        const bool of_none =
            reconciliation_ != nullptr && type == "8" && reconciliation_->heard(message, steady_clock::now());
        if (type == "8" && !of_none) ledger_.record_execution(message);
        if (type == "5") logged_out_ = true;
        if (type == "5") peer_text_ = printable(std::string(fix_field(message, kText)));
        if (type == "Y" && subscriptions_.refused(std::string(fix_field(message, kMdReqId))))
            subscription_refused_ =
                printable("the venue refused market data: " + std::string(fix_field(message, kText)));
        if (type == "3" || type == "j" || type == "9") {
            log_line("the venue rejected a message: " + printable(message));
            if (type != "9") ledger_.record_note("rejected by the venue: " + message);
            type == "9" ? ledger_.record_cancel_reject(message) : ledger_.record_reject(message);
            if (reconciliation_ != nullptr) reconciliation_->refused(message);
        }
    } catch (const std::exception& error) {
        end(error);
    }
}

void SessionLink::on_event(const std::string& text) noexcept { log_line("session: " + text); }

}  // namespace fixaccel
