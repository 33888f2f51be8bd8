// SPDX-License-Identifier: Apache-2.0
// Fires, of the fabric and of the runtime: their records, and what they change.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>
#include <utility>

#include "fixaccel/decimal.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/ledger.hpp"
#include "order_terms.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::string_view kDry = "dry";  // outcome

// LoadedRule::key() of the rule that a record is about.
std::string key_of(const Record& record) { return record.at("rule").text() + '|' + record.at("hash").text(); }

// By WatchRole.
constexpr std::array<std::string_view, 5> kWatched{"reset", "clear", "through", "after", "fills"};

std::string_view watch_text(WatchRole role) { return kWatched.at(static_cast<std::size_t>(role)); }

}  // namespace

// What its load says of it. Before a load the ring is drained, so there are no others.
void Ledger::name_rule(const Fire& fire, Record& record) const {
    const Load* load = load_of(fire.generation);
    if (load == nullptr || fire.rule >= load->rules.size()) return;
    const LoadedRule& rule = load->rules[fire.rule];
    record["rule"] = rule.id;
    if (!rule.rule.empty()) record["of_rule"] = rule.rule;
    record["hash"] = rule.hash;
    record["instrument"] = rule.instrument;
    record["observed"] = price_text(fire.observed, rule.unit, fire.source == hwmap::source_mid);
}

// `watch`: for what it is the hit.
Record Ledger::describe(const Fire& fire, const Watch& watch) const {
    Record record{{"type", "watch"},
                  {"entry", fire.entry},
                  {"generation", fire.generation},
                  {"rule_index", watch.rule},
                  {"trigger", fire.trigger},
                  {"watched", watch_text(watch.role)},
                  {"outcome", outcome_text(fire.outcome)},
                  {"message", fire.message},
                  {"trigger_time_ns", fire.time_ns}};
    if (dry()) record["dry"] = true;
    Fire of_rule = fire;
    of_rule.rule = watch.rule;
    name_rule(of_rule, record);
    if (watch.told()) {
        // It is no observation, and the fabric does not count it.
        record.erase("observed");
        if (watch.role == WatchRole::after)
            record["times"] = rearmed(load_of(fire.generation)->rules.at(watch.rule)) + 1;
    } else {
        record["source"] = source_text(fire.source);
        record["times"] = fire.fires - watch.fires;
    }
    return record;
}

Record Ledger::describe(const Fire& fire) const {
    Record record{{"type", "fire"},
                  {"where", "fabric"},
                  {"entry", fire.entry},
                  {"generation", fire.generation},
                  {"rule_index", fire.rule},
                  {"trigger", fire.trigger},
                  {"source", source_text(fire.source)},
                  {"outcome", outcome_text(fire.outcome)},
                  {"fires", fire.fires},
                  {"observed_units", fire.observed},
                  {"message", fire.message},
                  {"trigger_time_ns", fire.time_ns},
                  {"message_end_cycle", fire.message_end_cycle},
                  {"frame_end_cycle", fire.frame_end_cycle},
                  {"order", fire.order}};
    if (dry()) record["dry"] = true;
    if (fire.sent()) {
        record["msg_seq_num"] = fire.seq_num;
        record["cl_ord_id"] = bytes_to_text(fire.cl_ord_id());
        record["tcp_seq"] = fire.tcp_seq;
        record["length"] = fire.payload.size();
        record["payload"] = bytes_to_text(fire.payload);
        describe_order(fire.payload, record);
        record["left"] = fire.left;
        record["committed"] = fire.committed;
        if (fire.left) {
            record["first_byte_cycle"] = fire.first_byte_cycle;
            record["last_byte_cycle"] = fire.last_byte_cycle;
            record["cycles"] = fire.cycles();
        }
    }
    name_rule(fire, record);
    if (const Load* load = load_of(fire.generation); load != nullptr && fire.rule < load->rules.size()) {
        const LoadedRule& rule = load->rules[fire.rule];
        record["direction"] = rule.direction;
        record["threshold"] = rule.threshold;
        // Without its bytes the rule says what it is.
        if (fire.outcome == hwmap::outcome_dry || (fire.sent() && fire.payload.empty()))
            describe_order(rule, record);
    }
    return record;
}

bool Ledger::settle_intent(const std::string& reason, std::optional<std::chrono::nanoseconds> took) {
    take_effect();
    if (!intent_) return false;
    Record record = *intent_;
    record["type"] = "fire";
    const bool sent = intent_seq_ != 0;
    record["outcome"] = sent ? "sent" : "rejected:" + reason;
    if (sent) {
        record["msg_seq_num"] = intent_seq_;
        if (took) record["took_ns"] = took->count();
    } else {
        record.erase("cl_ord_id");
        record["fires"] = 0;
    }
    // Should this record be lost, the two before it say the same again.
    write(std::move(record), Journal::Sync::later);
    return sent;
}

void Ledger::record_rejected(const SoftwareFire& fire, const std::string& reason) {
    Record record = describe(fire);
    record["outcome"] = "rejected:" + reason;
    record["fires"] = 0;
    write(std::move(record), Journal::Sync::later);
}

void Ledger::record_dry(const SoftwareFire& fire) {
    Record record = describe(fire);
    record["outcome"] = kDry;
    write(std::move(record), Journal::Sync::later);
}

void Ledger::record(const std::vector<Fire>& fires) {
    for (const Fire& fire : fires) {
        const Load* load = load_of(fire.generation);
        const Watch* watch = load == nullptr ? nullptr : load->watch_of(fire.trigger);
        Record entry = watch == nullptr ? describe(fire) : describe(fire, *watch);
        if (known(entry)) continue;
        if (next_load_ && fire.generation == next_load_->generation)
            write({{"type", "flipped"}, {"generation", fire.generation}}, Journal::Sync::later);
        if (fire.sent() && static_cast<int>(fire.seq_num) != next_sender_)
            record_note("fire " + std::to_string(fire.entry) + " has MsgSeqNum " +
                        std::to_string(fire.seq_num) + ", the store expected " +
                        std::to_string(next_sender_));
        write(std::move(entry), Journal::Sync::later);
    }
    journal_.sync();
}

void Ledger::record_left(const Fire& fire) {
    write({{"type", "left"},
           {"entry", fire.entry},
           {"generation", fire.generation},
           {"msg_seq_num", fire.seq_num},
           {"cl_ord_id", bytes_to_text(fire.cl_ord_id())},
           {"first_byte_cycle", fire.first_byte_cycle},
           {"last_byte_cycle", fire.last_byte_cycle},
           {"payload", bytes_to_text(fire.payload)}},
          Journal::Sync::now);
}

// Its fire is made of it, whatever becomes of its order: after a crash by the next start.
void LedgerState::check_intent(const Record& record) {
    if (record.at("where") != "runtime" || record.contains("found"))
        throw JournalError("a journal record is not understood: an intent that is none of the runtime");
    for (const char* number : {"generation", "rule_index", "fires"}) record.at(number).get<std::uint32_t>();
    record.at("trigger_time_ns").get<std::int64_t>();
    for (const char* text : {"where", "rule", "hash", "instrument", "side", "qty", "cl_ord_id"})
        record.at(text).text();
}

void LedgerState::apply_intent(const Record& record) {
    check_intent(record);
    intent_ = record;
    intent_seq_ = 0;
    effects_.spent.insert(key_of(record));
    effects_.trails.erase(key_of(record));
}

void LedgerState::count_order(const Record& fire) {
    count_order(fire.at("instrument").text(), fire.at("side").text(), fire.at("qty").text(),
                fire.value("of_rule", fire.value("rule", "")),
                fire.at("trigger_time_ns").get<std::int64_t>());
}

void LedgerState::count_order(const std::string& symbol, const std::string& side, const std::string& qty,
                              const std::string& rule, std::int64_t time_ns) {
    ++effects_.sent.orders;
    std::int64_t number = 0;
    std::from_chars(qty.data(), qty.data() + qty.size(), number);
    SentOrders::Rule& of_rule = effects_.sent.rules[rule];
    ++of_rule.orders;
    for (auto* quantities : {&effects_.sent.quantities, &of_rule.quantities}) {
        SentOrders::Quantity& quantity = (*quantities)[symbol];
        std::int64_t& sum = side == "buy" ? quantity.bought : quantity.sold;
        if (__builtin_add_overflow(sum, number, &sum)) sum = std::numeric_limits<std::int64_t>::max();
    }
    std::int64_t& last_ns = effects_.sent.last_ns[rule];
    last_ns = std::max(last_ns, time_ns);
}

// After a restart the venue's report may have come before the fire was taken off the ring.
void LedgerState::note_sent(const std::string& order, PlacedOrder placed, const std::string& part) {
    resting_.sent(order);
    const std::string cl_ord_id = bytes_to_text(fix_field(order, 11));
    hear_of(cl_ord_id);
    placed.terms = terms_of(order);
    if (placed_.emplace(cl_ord_id, std::move(placed)).second) begin_order(cl_ord_id, part);
    if (const auto found = orders_.find(cl_ord_id); found != orders_.end())
        resting_.report(cl_ord_id, found->second.status);
}

void LedgerState::apply_software_fire(const Record& record) {
    const std::string key = key_of(record);
    keep(record);
    effects_.spent.insert(key);
    effects_.trails.erase(key);  // armed again, it begins anew
    if (intent_ && key_of(*intent_) == key) intent_.reset();
    if (record.at("outcome") != "sent" && record.at("outcome") != kDry) return;
    std::uint32_t& count = effects_.fires[key];
    count = std::max(count, record.at("fires").get<std::uint32_t>());
    carry_out_links(record);
    await_rearm(record);  // of a rule of the fabric, which does that
    count_order(record);
}

void LedgerState::apply_watch(const Record& record) {
    if (!take_entry(record)) return;
    const std::string key = key_of(record);
    const Load* load = load_of(record.at("generation").get<std::uint32_t>());
    // What is gone has no state to change.
    if (load == nullptr || (load == &former_load_ && !is_loaded(key))) return;
    const bool hit = record.at("outcome") == outcome_text(hwmap::outcome_watch);
    const std::string& watched = record.at("watched").text();
    if (watched == watch_text(WatchRole::clear) || watched == watch_text(WatchRole::through)) {
        effects_.judged[key] = watched == watch_text(WatchRole::clear) ? Judged::clear : Judged::refused;
        return;
    }
    // That it is armed follows from what the venue has reported.
    if (watched == watch_text(WatchRole::fills)) return;
    Rearm& rearm = effects_.rearms[key];
    rearm.awaits = false;
    if (!hit) return;
    rearm.times = record.at("times").get<std::uint32_t>();
    effects_.spent.erase(key);
    effects_.linked[key] = {.cancelled = false, .armed = true};
}

// The order of a fire was sent: its rule is armed again when what is watched for it comes.
void LedgerState::await_rearm(const Record& fire) {
    const Load* load = load_of(fire.at("generation").get<std::uint32_t>());
    if (load == nullptr) return;
    const auto rule = fire.at("rule_index").get<std::uint32_t>();
    const auto watch = std::find_if(load->watches.begin(), load->watches.end(), [rule](const Watch& one) {
        return one.rule == rule && (one.role == WatchRole::reset || one.role == WatchRole::after);
    });
    if (watch == load->watches.end()) return;
    const std::string key = key_of(fire);
    if (load == &former_load_ && !is_loaded(key)) return;
    Rearm& rearm = effects_.rearms[key];
    if (watch->role == WatchRole::after) {
        if (rearm.times >= watch->times()) return;
        rearm.due_ns = fire.at("trigger_time_ns").get<std::uint64_t>() + watch->after_ns;
    }
    rearm.awaits = true;
}

void LedgerState::apply_fire(const Record& record) {
    if (!take_entry(record)) return;
    keep(record);
    if (record.contains("rule")) {
        const std::string key = key_of(record);
        std::uint32_t& count = effects_.fires[key];
        count = std::max(count, record.at("fires").get<std::uint32_t>());
        effects_.spent.insert(key);
    }
    const bool sent = record.contains("msg_seq_num");
    if (!sent && record.at("outcome") != kDry) return;
    carry_out_links(record);
    await_rearm(record);
    if (record.contains("instrument")) count_order(record);
    if (!sent) return;
    const int seq = number_of(record, "msg_seq_num");
    // An order that has not left has no bytes: the number is gap-filled unless it leaves after all.
    if (const std::string payload = text_to_bytes(record.at("payload").text()); !payload.empty())
        note_left(payload, seq, record);
    else
        not_left_[record.at("entry").get<std::uint32_t>()] = record.at("generation").get<std::uint32_t>();
    next_sender_ = std::max(next_sender_, seq + 1);
}

void LedgerState::note_left(const std::string& payload, int seq, const Record& fire) {
    messages_[seq] = payload;
    note_sent(payload,
              {.terms = OrderTerms{},
               .rule = fire.value("rule", std::string()),
               .by = {},
               .time_ns = fire.at("trigger_time_ns").get<std::int64_t>(),
               .replaces = {},
               .asked = {}},
              fire.contains("rule") ? key_of(fire) : std::string());
}

// The fire itself may be one of so many that it is not kept; its bytes are wanted all the same.
void LedgerState::apply_left(const Record& record) {
    const auto entry = record.at("entry").get<std::uint32_t>();
    const auto found = not_left_.find(entry);
    if (found == not_left_.end() || found->second != record.at("generation").get<std::uint32_t>()) return;
    not_left_.erase(found);
    const int seq = number_of(record, "msg_seq_num");
    const std::string payload = text_to_bytes(record.at("payload").text());
    const auto fire = std::find_if(fires_.rbegin(), fires_.rend(), [&](const Record& one) {
        return one.value("where", "") == "fabric" && one.at("entry") == record.at("entry") &&
               one.at("generation") == record.at("generation");
    });
    if (fire == fires_.rend()) {
        messages_[seq] = payload;
        return;
    }
    for (const char* key : {"cl_ord_id", "first_byte_cycle", "last_byte_cycle", "payload"})
        (*fire)[key] = record.at(key);
    (*fire)["length"] = payload.size();
    (*fire)["left"] = true;
    note_left(payload, seq, *fire);
}

}  // namespace fixaccel
