// SPDX-License-Identifier: Apache-2.0
#include "event_feed.hpp"

#include <utility>

#include "limit_terms.hpp"
#include "rule_states.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr auto kTurn = std::chrono::milliseconds(20);
constexpr auto kRules = std::chrono::milliseconds(250);  // their states are computed, all of them
constexpr std::size_t kMostFires = 1000;                 // between two turns

// What a watcher may want to know of a fire.
json described(const Record& fire) {
    json out{{"event", "fire"}};
    for (const char* key :
         {"rule", "where", "instrument", "source", "direction", "threshold", "observed", "outcome", "cycles",
          "took_ns", "msg_seq_num", "cl_ord_id", "trigger_time_ns", "dry", "found"})
        if (fire.contains(key)) out[key] = fire[key];
    return out;
}

json described_limit(const Record& record) {
    const std::string& type = record.at("type").text();
    const bool reset = type == "limits_reset";  // of all that count
    json out{{"event", "limit"}, {"what", reset ? "reset" : type == "limit_set" ? "set" : "reverted"}};
    for (const char* key : {"limit", "instrument", "rule", "by", "reason", "until_ns"})
        if (record.contains(key)) out[key] = record[key];
    if (reset) return out;
    out["value"] =
        limit_value_text(record.at("limit").get<std::string>(), record.at("value").get<std::int64_t>());
    return out;
}

}  // namespace

EventFeed::EventFeed(EventSink& sink, const Engine& engine, Ledger& ledger, ByHand& by_hand,
                     OrderTimes& times)
    : sink_(sink), engine_(engine), ledger_(ledger), by_hand_(by_hand), times_(times) {
    ledger_.listen(this);
}

EventFeed::~EventFeed() { ledger_.listen(nullptr); }

void EventFeed::recorded(const Record& record) {
    const auto& type = record.at("type").text();
    if (type == "fire") time_fire(record);
    if (!sink_.watched()) return;
    for (const char* key : {"cl_ord_id", "orig_cl_ord_id"})
        if (record.contains(key)) orders_.insert(record[key].get<std::string>());
    if ((type == "execution" || type == "reject") && times_.watched()) at_once_ = true;
    if (type.starts_with("limit_") || type == "limits_reset") limits_.push_back(described_limit(record));
    if (type != "fire") return;
    fires_.size() < kMostFires ? fires_.push_back(described(record)) : void(++missed_);
}

// That it was seen to leave is in what it says.
void EventFeed::time_fire(const Record& fire) {
    // What the venue was asked for may be long ago.
    if (fire.at("where") != "fabric" || fire.at("outcome") != "sent" || fire.contains("found")) return;
    const auto number = [&](const char* key) { return fire.at(key).get<std::uint32_t>(); };
    std::optional<FabricCycles> cycles;
    if (fire.contains("last_byte_cycle"))
        cycles = {number("message_end_cycle"), number("frame_end_cycle"), number("first_byte_cycle"),
                  number("last_byte_cycle")};
    times_.fired(fire.at("cl_ord_id").text(), fire.at("trigger_time_ns").get<std::int64_t>(), cycles,
                 engine_.bundle() ? engine_.bundle()->clock_hz : 0);
}

bool EventFeed::due(std::chrono::steady_clock::time_point now) const {
    return (at_once_ || now >= next_) && sink_.watched();
}

void EventFeed::turn(std::chrono::steady_clock::time_point now, const json& session) {
    next_ = now + kTurn;
    at_once_ = false;
    const bool all = std::exchange(all_, false);
    if (all) {
        rules_.clear();
        for (const auto& [cl_ord_id, order] : ledger_.placed()) orders_.insert(cl_ord_id);
    }
    if (all || session != session_) {
        session_ = session;
        json event = session;
        event["event"] = "session";
        sink_.publish(std::move(event));
    }
    for (json& fire : std::exchange(fires_, {})) sink_.publish(std::move(fire));
    for (json& limit : std::exchange(limits_, {})) sink_.publish(std::move(limit));
    if (missed_ != 0) sink_.publish({{"event", "missed"}, {"fires", std::exchange(missed_, 0)}});
    if (all || now >= next_rules_) {
        next_rules_ = now + kRules;
        tell_rules();
    }
    tell_orders();
    for (json& book : by_hand_.books().take(all)) {
        book["event"] = "book";
        sink_.publish(std::move(book));
    }
}

void EventFeed::take_told() {
    if (untold_ == 0) return;
    for (const auto& [ticket, at] : sink_.take_told()) {
        times_.told(ticket, at);
        --untold_;
    }
}

void EventFeed::tell_rules() {
    if (!engine_.bundle()) return;
    const std::vector<const char*> states = rule_states(engine_, ledger_);
    std::map<std::string, std::string> now;
    for (std::size_t i = 0; i < states.size(); ++i) {
        const std::string& id = engine_.bundle()->rules[i].id;
        now.emplace(id, states[i]);
        if (const auto before = rules_.find(id); before == rules_.end() || before->second != states[i])
            sink_.publish({{"event", "rule"}, {"id", id}, {"state", states[i]}});
    }
    for (const auto& [id, state] : rules_)
        if (now.count(id) == 0) sink_.publish({{"event", "rule"}, {"id", id}, {"state", "gone"}});
    rules_ = std::move(now);
}

void EventFeed::tell_orders() {
    for (const std::string& cl_ord_id : std::exchange(orders_, {})) {
        json order = by_hand_.order_state(cl_ord_id);
        if (order.is_null()) continue;
        order["event"] = "order";
        const std::uint64_t ticket = times_.ticket(cl_ord_id);
        untold_ += ticket != 0;
        sink_.publish(std::move(order), ticket);
    }
}

}  // namespace fixaccel
