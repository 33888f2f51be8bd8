// SPDX-License-Identifier: Apache-2.0
// The ledger's state as a snapshot has it.
#include <exception>
#include <type_traits>
#include <utility>

#include "fixaccel/ledger_state.hpp"
#include "load_record.hpp"

namespace fixaccel {

using nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OrderState, status, order_id, cum_qty, leaves_qty, avg_px, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OrderTerms, symbol, side, qty, type, price, tif, account)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PlacedOrder, terms, rule, by, time_ns, replaces, asked, first)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OrderFills, part, current, filled, done, names)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PartFills, filled, sent, done)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DueCancel, rule, request, named, refused)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TrailState, active, has_extreme, extreme, stop)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SentOrders::Quantity, bought, sold)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SentOrders::Rule, orders, quantities)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SentOrders, orders, quantities, last_ns, rules)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Doubt, epoch, rule, fires, instrument, side, counted)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LimitChange, limit, instrument, value, by, reason, set_ns, until_ns,
                                   bundle, rule)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LedgerState::Linked, cancelled, armed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LedgerState::Rearm, awaits, times, due_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LedgerState::Effects, fires, spent, linked, rearms, judged, trails, sent)

inline void to_json(json& out, const Load& load) { out = load_record(load, "", nullptr); }
inline void from_json(const json& in, Load& load) { load = load_from(in, {}); }

inline void to_json(json& out, const RestingOrders& resting) { out = resting.snapshot(); }
inline void from_json(const json& in, RestingOrders& resting) { resting.restore(in); }

template <typename Value>
void to_json(json& out, const std::optional<Value>& value) {
    out = value ? json(*value) : json();
}
template <typename Value>
void from_json(const json& in, std::optional<Value>& value) {
    value = in.is_null() ? std::nullopt : std::optional<Value>(in.get<Value>());
}

namespace {

using Messages = std::map<int, std::string>;  // bytes

json message_texts(const Messages& messages) {
    json texts = json::array();
    for (const auto& [number, bytes] : messages) texts.push_back({number, bytes_to_text(bytes)});
    return texts;
}

Messages messages_from(const json& texts) {
    Messages messages;
    for (const json& each : texts)
        messages.emplace(each.at(0).get<int>(), text_to_bytes(each.at(1).get<std::string>()));
    return messages;
}

}  // namespace

// Whatever is a member, but for what the constructor and snapshot() do with the messages, and keys that the
// load has.
template <typename State, typename Visit>
void LedgerState::each_field(State& state, Visit visit) {
    visit("next_sender", state.next_sender_);
    visit("next_target", state.next_target_);
    visit("written_target", state.written_target_);
    visit("begins_anew", state.begins_anew_);
    visit("day_began_ns", state.day_began_ns_);
    visit("counted_since_ns", state.counted_since_ns_);
    visit("epochs", state.epochs_);
    visit("epoch", state.epoch_);
    visit("load", state.load_);
    visit("former_load", state.former_load_);
    visit("next_load", state.next_load_);
    visit("generations", state.generations_);
    visit("asked", state.asked_);
    visit("killed", state.killed_);
    visit("kills", state.kills_);
    visit("armed", state.armed_);
    visit("in_doubt", state.in_doubt_);
    visit("doubts_judged", state.doubts_judged_);
    visit("unseen", state.unseen_);
    visit("counted_from", state.counted_from_);
    visit("last_logon", state.last_logon_);
    visit("found", state.found_);
    visit("uncountable", state.uncountable_);
    visit("effects", state.effects_);
    visit("before_dry_run", state.before_dry_run_);
    visit("intent", state.intent_);
    visit("intent_seq", state.intent_seq_);
    visit("ring", state.ring_);
    visit("not_left", state.not_left_);
    visit("records", state.records_);
    visit("fires", state.fires_);
    visit("rejections", state.rejections_);
    visit("orders", state.orders_);
    visit("placed", state.placed_);
    visit("by_hand", state.by_hand_);
    visit("by_hand_seq", state.by_hand_seq_);
    visit("by_hand_count", state.by_hand_count_);
    visit("limit_changes", state.limit_changes_);
    visit("resting", state.resting_);
    visit("reports", state.reports_);
    visit("heard_of", state.heard_of_);
    visit("fills_by_order", state.fills_by_order_);
    visit("fills", state.fills_);
    visit("fills_changes", state.fills_changes_);
    visit("cancels_due", state.cancels_due_);
}

json LedgerState::snapshot() const {
    json out{{"messages", message_texts(messages_)}};
    each_field(*this, [&out](const char* name, const auto& value) { out[name] = value; });
    return out;
}

LedgerState::LedgerState(const json& snapshot) {
    if (snapshot.is_null()) return;
    try {
        messages_ = messages_from(snapshot.at("messages"));
        each_field(*this, [&snapshot](const char* name, auto& value) { snapshot.at(name).get_to(value); });
        know_rules({});
        if (intent_) check_intent(*intent_);
        if (by_hand_) check_by_hand(*by_hand_);
    } catch (const std::exception& error) {
        throw JournalError(
            std::string("the journal's last snapshot is not understood; moved away, the records before it "
                        "are read instead: ") +
            error.what());
    }
}

}  // namespace fixaccel
