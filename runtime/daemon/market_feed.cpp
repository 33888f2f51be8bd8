// SPDX-License-Identifier: Apache-2.0
#include "market_feed.hpp"

#include "fixaccel/utc_clock.hpp"
#include "log.hpp"

namespace fixaccel {
namespace {

constexpr unsigned kText = 58;
constexpr unsigned kMdReqId = 262;

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

// What it makes fire has it for T1.
class OfMessage {
  public:
    OfMessage(OrderTimes& times, const FixChannel& channel) : times_(times) {
        times_.message(channel.arrival());
    }
    OfMessage(const OfMessage&) = delete;
    OfMessage& operator=(const OfMessage&) = delete;
    ~OfMessage() { times_.message_over(); }

  private:
    OrderTimes& times_;
};

}  // namespace

MarketFeed::MarketFeed(FixChannel& channel, FixChannel& orders, Ports ports, const DaemonConfig& config,
                       Engine& engine, const Ledger& ledger, OrderTimes& times)
    : channel_(channel),
      orders_(orders),
      ports_(ports),
      config_(config),
      engine_(engine),
      times_(times),
      subscriptions_([&ledger] { return ledger.epoch(); }) {}

void MarketFeed::begin() {
    awaited_.clear();
    subscriptions_.clear();
    refused_.clear();
    boundaries_.clear();
}

void MarketFeed::forget() {
    if (by_hand_ != nullptr) by_hand_->forget_market();
    if (observer_ != nullptr) observer_->market_unknown(utc_ns());
}

void MarketFeed::arrives(const MarketText& message) {
    if (observer_ != nullptr) came_ns_ = utc_ns();
    if (!awaited_.empty() && message.snapshot()) awaited_.erase(std::string(message.symbol()));
    quotes_taken_ = 0;
}

void MarketFeed::taken(const std::string& type, const std::string& message) {
    if (type == "W" || type == "X") ++quotes_taken_;
    if (type == "Y" && subscriptions_.refused(std::string(fix_field(message, kMdReqId))))
        refused_ = printable("the venue refused market data: " + std::string(fix_field(message, kText)));
}

void MarketFeed::arrived(const MarketText& message, std::uint32_t seq_num) {
    note_boundary();
    if (SoftwareRules* rules = engine_.software_for(seq_num); rules != nullptr) evaluate(*rules, message);
    if (SoftwareRules* standby = engine_.standby_for_next(); standby != nullptr) stand_by(*standby, message);
    engine_.read_up_to(channel_.read_seq());
    if (by_hand_ != nullptr && quotes_taken_ > 0) by_hand_->see(message);
    if (observer_ != nullptr && quotes_taken_ > 0) observer_->quotes(message.text(), came_ns_);
}

void MarketFeed::tick() {
    if (channel_.connected() && channel_.ended().empty() && subscriptions_.snapshot_refused())
        carry_out(subscriptions_.begin_anew());
}

// The FIX engine must have taken just this message: one that it keeps for later, or took late, would be
// evaluated out of order.
bool MarketFeed::in_order(const MarketText& message) const {
    return message.again() ? quotes_taken_ <= 1 : quotes_taken_ == (message.quotes() ? 1 : 0);
}

// The FIX engine's call is over, so an order may be sent at once: it is an outer call of its own.
void MarketFeed::evaluate(SoftwareRules& rules, const MarketText& message) {
    const Evaluating guard(engine_);
    const OfMessage times(times_, channel_);
    try {
        const std::int64_t now_ns = utc_ns();
        engine_.come_to(now_ns);
        if (!in_order(message)) {
            rules.forget_market();
            engine_.disarm("market data came out of order");
        } else if (message.quotes() && !rules.process(message, now_ns, ports_.own, channel_.read_at())) {
            engine_.disarm("a market-data message names no instrument");
        }
    } catch (const CommitError& error) {
        orders_.end(error);
    }
}

void MarketFeed::keep_time() {
    SoftwareRules* const rules = engine_.software();
    if (rules == nullptr || !rules->next_moment()) return;
    const Evaluating guard(engine_);
    try {
        const std::int64_t now_ns = utc_ns();
        engine_.come_to(now_ns);
        rules->advance(now_ns, ports_.own);
    } catch (const CommitError& error) {
        orders_.end(error);
    }
}

// What the fabric would not evaluate, either, ends nothing.
void MarketFeed::stand_by(SoftwareRules& standby, const MarketText& message) {
    const Evaluating guard(engine_);
    const OfMessage times(times_, channel_);
    try {
        const std::int64_t now_ns = utc_ns();
        engine_.come_to(now_ns);
        if (!in_order(message))
            standby.forget_market();
        else if (message.quotes())
            standby.process(message, now_ns, ports_.stand_in, channel_.read_at());
    } catch (const CommitError& error) {
        orders_.end(error);
    }
}

void MarketFeed::subscribe(const std::vector<std::string>& symbols) {
    awaited_ = {symbols.begin(), symbols.end()};
    refused_.clear();
    for (SoftwareRules* rules : {engine_.software(), engine_.standby()})
        if (rules != nullptr) rules->forget_market();
    forget();
    const Subscriptions::Change change = subscriptions_.change_to(symbols, config_.full_book, increments());
    carry_out(change);
    // What goes on is not said again of itself, and all that was known is forgotten.
    if (!change.kept.empty()) channel_.fix().request_market_data(subscriptions_.snapshot(change.kept));
}

void MarketFeed::follow(const std::vector<std::string>& symbols) {
    carry_out(subscriptions_.grow_to(symbols, config_.full_book, increments()));
}

void MarketFeed::carry_out(const Subscriptions::Change& change) {
    for (const MarketDataRequest& old : change.ended) channel_.fix().end_market_data(old);
    if (change.begun) channel_.fix().request_market_data(*change.begun);
}

bool MarketFeed::increments() const { return engine_.bundle()->market_data == "incremental"; }

void MarketFeed::note_boundary() {
    boundaries_.record({channel_.read_seq(), static_cast<std::uint32_t>(channel_.next_number())});
}

const Boundaries& MarketFeed::boundaries() {
    note_boundary();  // the number may have changed since
    return boundaries_;
}

}  // namespace fixaccel
