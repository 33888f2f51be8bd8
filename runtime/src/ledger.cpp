// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/ledger.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <functional>
#include <utility>

#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/seq.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

std::int64_t now_ns() {
    return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::int64_t now_s() { return now_ns() / 1'000'000'000; }

// OrdStatus(39)
std::string status_text(std::string_view code) {
    static const std::map<std::string, std::string, std::less<>> kNames{
        {"0", "new"},      {"1", "partially filled"}, {"2", "filled"},         {"3", "done for day"},
        {"4", "canceled"}, {"5", "replaced"},         {"6", "pending cancel"}, {"7", "stopped"},
        {"8", "rejected"}, {"9", "suspended"},        {"A", "pending new"},    {"B", "calculated"},
        {"C", "expired"}};
    const auto found = kNames.find(code);
    return found == kNames.end() ? std::string(code) : found->second;
}

constexpr std::string_view kDry = "dry";  // outcome

const char* arming_text(Arming arming) {
    switch (arming) {
        case Arming::disarmed:
            return "disarmed";
        case Arming::dry:
            return "dry run";
        case Arming::armed:
            return "armed";
    }
    return "";
}

Arming arming_from(const std::string& text) {
    return text == arming_text(Arming::armed) ? Arming::armed
           : text == arming_text(Arming::dry) ? Arming::dry
                                              : Arming::disarmed;
}

// LoadedRule::key() of the rule that a record is about.
std::string key_of(const json& record) {
    return record.at("rule").get<std::string>() + '|' + record.at("hash").get<std::string>();
}

}  // namespace

Ledger::Ledger(Journal& journal) : journal_(journal), created_(now_s()) {
    const std::vector<json> records = journal_.take_records();
    for (const json& record : records) {
        try {
            apply(record);
            // The daemon may have died before the engine counted the message; its number is used up all the
            // same.
            if (record.at("type") == "out") next_sender_ = record.at("seq").get<int>() + 1;
        } catch (const json::exception& error) {
            throw JournalError(std::string("a journal record is not understood: ") + error.what());
        }
    }
    if (records.empty()) reset();
    if (!intent_.is_null()) settle_intent("interrupted");
    json opened{{"type", "open"}, {"records", records.size()}};
    if (journal_.truncated_bytes() != 0) opened["truncated_bytes"] = journal_.truncated_bytes();
    write(std::move(opened), Journal::Sync::now);
}

void Ledger::write(json record, Journal::Sync sync) {
    record["time_ns"] = now_ns();
    journal_.append(record, sync);
    apply(record);
}

void Ledger::set(int seq_num, const std::string& message) {
    write({{"type", "out"}, {"seq", seq_num}, {"message", bytes_to_text(message)}}, Journal::Sync::now);
}

void Ledger::get(int first, int last, std::vector<std::string>& messages) const {
    for (auto it = messages_.lower_bound(first); it != messages_.end() && it->first <= last; ++it)
        messages.push_back(it->second);
}

void Ledger::set_next_sender(int seq_num) {
    if (seq_num == next_sender_) return;
    // The record of a message says that its number is used up.
    if (seq_num == next_sender_ + 1 && messages_.count(next_sender_) != 0) {
        next_sender_ = seq_num;
        return;
    }
    write({{"type", "next"}, {"sender", seq_num}}, Journal::Sync::now);
}

void Ledger::set_next_target(int seq_num) { next_target_ = seq_num; }

void Ledger::flush() {
    if (written_target_ == next_target_) return;
    write({{"type", "next"}, {"target", next_target_}}, Journal::Sync::later);
}

void Ledger::reset() { write({{"type", "reset"}, {"created", now_s()}}, Journal::Sync::now); }

std::string Ledger::new_epoch() {
    write({{"type", "epoch"}, {"number", epochs_ + 1}, {"epoch", to_base36(epochs_ + 1, kEpochChars)}},
          Journal::Sync::now);
    return epoch_;
}

void Ledger::record_asked(Arming arming) {
    if (arming != asked_) write({{"type", "asked"}, {"for", arming_text(arming)}}, Journal::Sync::now);
}

void Ledger::record_armed(bool dry) {
    json record{{"type", "armed"},
                {"generation", load_.generation},
                {"epoch", epoch_},
                {"next_sender", next_sender_}};
    if (dry) record["dry"] = true;
    write(std::move(record), Journal::Sync::now);
}

void Ledger::record_disarmed(const std::string& reason) {
    write({{"type", "disarmed"}, {"reason", reason}}, Journal::Sync::now);
}

void Ledger::record_rearmed() { write({{"type", "rearmed"}}, Journal::Sync::now); }

void Ledger::record_reconciled() { write({{"type", "reconciled"}}, Journal::Sync::now); }

std::uint32_t Ledger::fires_of(const LoadedRule& rule) const {
    const auto found = effects_.fires.find(rule.key());
    return found == effects_.fires.end() ? 0 : found->second;
}

void Ledger::record_session(const std::string& event, const std::string& reason) {
    flush();
    json record{
        {"type", "session"}, {"event", event}, {"next_sender", next_sender_}, {"next_target", next_target_}};
    if (!reason.empty()) record["reason"] = reason;
    write(std::move(record), Journal::Sync::now);
}

void Ledger::record_note(const std::string& text) {
    write({{"type", "note"}, {"text", bytes_to_text(text)}}, Journal::Sync::later);
}

void Ledger::record_execution(const std::string& report) {
    const auto field = [&](unsigned tag) { return bytes_to_text(fix_field(report, tag)); };
    // A report that is sent again tells nothing new.
    if (executions_.count(field(17)) != 0) return;
    json record{{"type", "execution"},  {"cl_ord_id", field(11)},   {"order_id", field(37)},
                {"exec_id", field(17)}, {"exec_type", field(150)},  {"status", status_text(field(39))},
                {"symbol", field(55)},  {"side", field(54)},        {"last_qty", field(32)},
                {"last_px", field(31)}, {"cum_qty", field(14)},     {"leaves_qty", field(151)},
                {"avg_px", field(6)},   {"msg_seq_num", field(34)}, {"poss_dup", field(43) == "Y"}};
    if (const std::string text = field(58); !text.empty()) record["text"] = text;
    // A report on a cancel request names the order here.
    if (const std::string order = field(41); !order.empty()) record["orig_cl_ord_id"] = order;
    write(std::move(record), Journal::Sync::later);
}

namespace {

// The order's terms as they were sent.
void describe_order(std::string_view payload, json& record) {
    record["side"] = fix_field(payload, 54) == "1" ? "buy" : "sell";
    record["qty"] = plain_number(fix_field(payload, 38));
    record["type_of_order"] = fix_field(payload, 40) == "1" ? "market" : "limit";
    if (const std::string_view price = fix_field(payload, 44); !price.empty())
        record["price"] = plain_number(price);
}

// As they would have been.
void describe_order(const LoadedRule& rule, json& record) {
    record["side"] = rule.side;
    record["qty"] = rule.qty;
    record["type_of_order"] = rule.type;
    if (!rule.price.empty()) record["price"] = rule.price;
}

}  // namespace

json Ledger::describe(const Fire& fire) const {
    json record{{"type", "fire"},
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
    // Before a load the ring is drained, so there are no others.
    if (const Load* load = load_of(fire.generation); load != nullptr && fire.rule < load->rules.size()) {
        const LoadedRule& rule = load->rules[fire.rule];
        record["rule"] = rule.id;
        if (!rule.rule.empty()) record["of_rule"] = rule.rule;
        record["hash"] = rule.hash;
        record["instrument"] = rule.instrument;
        record["direction"] = rule.direction;
        record["threshold"] = rule.threshold;
        record["observed"] = price_text(fire.observed, rule.unit, fire.source == hwmap::source_mid);
        if (fire.outcome == hwmap::outcome_dry) describe_order(rule, record);
    }
    return record;
}

json Ledger::describe(const SoftwareFire& fire) const {
    const Load* load = load_of(fire.generation);
    if (load == nullptr) throw JournalError("an order of rules that are not loaded");
    const LoadedRule& rule = load->rules.at(fire.rule);
    json record{{"type", "fire"},
                {"where", "runtime"},
                {"generation", fire.generation},
                {"rule_index", fire.rule},
                {"rule", rule.id},
                {"hash", rule.hash},
                {"instrument", rule.instrument},
                {"source", fire.source},
                {"direction", rule.direction},
                {"threshold", fire.threshold},
                {"observed", fire.observed},
                {"fires", fire.fires},
                {"trigger_time_ns", fire.time_ns},
                {"side", fire.side},
                {"qty", fire.qty},
                {"type_of_order", fire.type}};
    if (!rule.rule.empty()) record["of_rule"] = rule.rule;
    if (dry()) record["dry"] = true;
    if (!fire.price.empty()) record["price"] = fire.price;
    return record;
}

void Ledger::record_intent(const SoftwareFire& fire) {
    json record = describe(fire);
    record["type"] = "intent";
    record["cl_ord_id"] = fire.cl_ord_id;
    write(std::move(record), Journal::Sync::now);
}

bool Ledger::settle_intent(const std::string& reason) {
    if (intent_.is_null()) return false;
    json record = intent_;
    record["type"] = "fire";
    const bool sent = intent_seq_ != 0;
    record["outcome"] = sent ? "sent" : "rejected:" + reason;
    if (sent) {
        record["msg_seq_num"] = intent_seq_;
    } else {
        record.erase("cl_ord_id");
        record["fires"] = 0;
    }
    // Should this record be lost, the two before it say the same again.
    write(std::move(record), Journal::Sync::later);
    return sent;
}

void Ledger::record_rejected(const SoftwareFire& fire, const std::string& reason) {
    json record = describe(fire);
    record["outcome"] = "rejected:" + reason;
    record["fires"] = 0;
    write(std::move(record), Journal::Sync::later);
}

void Ledger::record_dry(const SoftwareFire& fire) {
    json record = describe(fire);
    record["outcome"] = kDry;
    write(std::move(record), Journal::Sync::later);
}

namespace {

// The same for the same fire read twice from the ring, whatever happened in between.
std::string fire_key(const json& fire) {
    return std::to_string(fire.at("entry").get<std::uint32_t>()) + '/' +
           std::to_string(fire.at("generation").get<std::uint32_t>()) + '/' +
           std::to_string(fire.at("trigger_time_ns").get<std::uint64_t>());
}

}  // namespace

bool Ledger::known(const json& fire) const { return fire_keys_.count(fire_key(fire)) != 0; }

void Ledger::record(const std::vector<Fire>& fires) {
    for (const Fire& fire : fires) {
        json entry = describe(fire);
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

void Ledger::apply(const json& record) {
    const std::string type = record.at("type").get<std::string>();
    if (type == "out") {
        const int seq = record.at("seq").get<int>();
        const std::string& message = messages_[seq] = text_to_bytes(record.at("message").get<std::string>());
        if (!intent_.is_null() && fix_field(message, 11) == intent_.at("cl_ord_id").get<std::string>()) {
            intent_seq_ = seq;
            note_sent(message);
        }
    } else if (type == "next") {
        next_sender_ = record.value("sender", next_sender_);
        written_target_ = next_target_ = record.value("target", next_target_);
    } else if (type == "reset") {
        messages_.clear();
        next_sender_ = next_target_ = written_target_ = 1;
        created_ = record.at("created").get<std::int64_t>();
    } else if (type == "epoch") {
        epochs_ = record.at("number").get<std::uint64_t>();
        epoch_ = record.at("epoch").get<std::string>();
    } else if (type == "load" || type == "flipped" || type == "load_dropped") {
        apply_load(record);
    } else if (type == "asked") {
        asked_ = arming_from(record.at("for").get<std::string>());
    } else if (type == "armed" || type == "disarmed") {
        apply_armed(type == "armed", record.value("dry", false));
    } else if (type == "board_lost") {
        apply_armed(false, false);
        for (const json& key : record.at("in_doubt")) in_doubt_.insert(key.get<std::string>());
    } else if (type == "reconciled") {
        in_doubt_.clear();
    } else if (type == "rearmed") {
        effects_.spent.clear();
        effects_.linked.clear();
    } else if (type == "intent") {
        intent_ = record;
        intent_seq_ = 0;
        effects_.spent.insert(key_of(record));
    } else if (type == "fire" && record.value("where", "") == "runtime") {
        apply_software_fire(record);
    } else if (type == "fire") {
        apply_fire(record);
    } else if (type == "execution") {
        OrderState& order = orders_[record.at("cl_ord_id").get<std::string>()];
        executions_.insert(record.at("exec_id").get<std::string>());
        order = {record.at("status").get<std::string>(),  record.at("order_id").get<std::string>(),
                 record.at("cum_qty").get<std::string>(), record.at("leaves_qty").get<std::string>(),
                 record.at("avg_px").get<std::string>(),  record.value("text", std::string())};
        for (const char* key : {"cl_ord_id", "orig_cl_ord_id"})
            resting_.report(record.value(key, std::string()), order.status);
    }
}

void Ledger::apply_armed(bool armed, bool dry) {
    if (before_dry_run_) effects_ = *std::exchange(before_dry_run_, std::nullopt);
    armed_ = armed;
    if (dry) before_dry_run_ = effects_;
}

void Ledger::count_order(const json& fire) {
    ++effects_.sent.orders;
    const std::string text = fire.at("qty").get<std::string>();
    std::int64_t qty = 0;
    std::from_chars(text.data(), text.data() + text.size(), qty);
    SentOrders::Quantity& quantity = effects_.sent.quantities[fire.at("instrument").get<std::string>()];
    (fire.at("side") == "buy" ? quantity.bought : quantity.sold) += qty;
    std::int64_t& last_ns = effects_.sent.last_ns[fire.value("of_rule", fire.value("rule", std::string()))];
    last_ns = std::max(last_ns, fire.at("trigger_time_ns").get<std::int64_t>());
}

// After a restart the venue's report may have come before the fire was taken off the ring.
void Ledger::note_sent(const std::string& order) {
    resting_.sent(order);
    const std::string cl_ord_id = bytes_to_text(fix_field(order, 11));
    if (const auto found = orders_.find(cl_ord_id); found != orders_.end())
        resting_.report(cl_ord_id, found->second.status);
}

void Ledger::apply_software_fire(const json& record) {
    const std::string key = key_of(record);
    fires_.push_back(record);
    effects_.spent.insert(key);
    if (!intent_.is_null() && key_of(intent_) == key) intent_ = nullptr;
    if (record.at("outcome") != "sent" && record.at("outcome") != kDry) return;
    std::uint32_t& count = effects_.fires[key];
    count = std::max(count, record.at("fires").get<std::uint32_t>());
    carry_out_links(record);
    count_order(record);
}

void Ledger::apply_fire(const json& record) {
    if (!fire_keys_.insert(fire_key(record)).second) return;
    fires_.push_back(record);
    if (record.contains("rule")) {
        const std::string key = key_of(record);
        std::uint32_t& count = effects_.fires[key];
        count = std::max(count, record.at("fires").get<std::uint32_t>());
        effects_.spent.insert(key);
    }
    const bool sent = record.contains("msg_seq_num");
    if (!sent && record.at("outcome") != kDry) return;
    carry_out_links(record);
    if (record.contains("instrument")) count_order(record);
    if (!sent) return;
    const int seq = record.at("msg_seq_num").get<int>();
    // An order that never left has no bytes: the number is gap-filled.
    if (const std::string payload = text_to_bytes(record.at("payload").get<std::string>());
        !payload.empty()) {
        messages_[seq] = payload;
        note_sent(payload);
    }
    next_sender_ = std::max(next_sender_, seq + 1);
}

}  // namespace fixaccel
