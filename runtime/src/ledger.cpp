// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/ledger.hpp"

#include <chrono>
#include <functional>
#include <utility>

#include "fixaccel/seq.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

std::int64_t now_ns() {
    return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

// OrdStatus(39)
std::string status_text(std::string_view code) {
    static const std::map<std::string, std::string, std::less<>> kNames{
        {"0", "new"},      {"1", "partially filled"}, {"2", "filled"},         {"3", kDoneForDay},
        {"4", "canceled"}, {"5", "replaced"},         {"6", "pending cancel"}, {"7", "stopped"},
        {"8", "rejected"}, {"9", "suspended"},        {"A", "pending new"},    {"B", "calculated"},
        {"C", "expired"}};
    const auto found = kNames.find(code);
    return found == kNames.end() ? std::string(code) : found->second;
}

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

}  // namespace

Ledger::Ledger(Journal& journal) : journal_(journal) {
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

void Ledger::reset() { write({{"type", "reset"}}, Journal::Sync::now); }

std::string Ledger::new_epoch() {
    write({{"type", "epoch"}, {"number", epochs_ + 1}, {"epoch", to_base36(epochs_ + 1, kEpochChars)}},
          Journal::Sync::now);
    return epoch_;
}

void Ledger::record_asked(Arming arming) {
    if (arming != asked_) write({{"type", "asked"}, {"for", arming_text(arming)}}, Journal::Sync::now);
}

void Ledger::record_kill(const KillWord& word) {
    write({{"type", "kill"},
           {"on", word.on},
           {"kills", word.kills},
           {"by", bytes_to_text(word.by)},
           {"told_ns", word.time_ns}},
          Journal::Sync::now);
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

void Ledger::begin_numbers() {
    messages_.clear();
    next_sender_ = next_target_ = written_target_ = 1;
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
        begin_numbers();
        if (day_began_ns_ == 0) day_began_ns_ = record.at("time_ns").get<std::int64_t>();
    } else if (type == "day_roll") {
        apply_day_roll(record);
    } else if (type == "session") {
        if (record.at("event") == "logon") begins_anew_ = false;
    } else if (type == "epoch") {
        epochs_ = record.at("number").get<std::uint64_t>();
        epoch_ = record.at("epoch").get<std::string>();
    } else if (type == "load" || type == "flipped" || type == "load_dropped") {
        apply_load(record);
    } else if (type == "asked") {
        asked_ = arming_from(record.at("for").get<std::string>());
    } else if (type == "open") {
        if (record.contains("truncated_bytes")) asked_ = Arming::disarmed;
    } else if (type == "kill") {
        killed_ = record.at("on").get<bool>();
        const auto kills = record.at("kills").get<std::uint64_t>();
        if (kills != std::exchange(kills_, kills)) asked_ = Arming::disarmed;
    } else if (type == "armed" || type == "disarmed") {
        apply_armed(type == "armed", record.value("dry", false));
    } else if (type == "board_lost") {
        apply_armed(false, false);
        for (const json& key : record.at("in_doubt")) in_doubt_.insert(key.get<std::string>());
    } else if (type == "reconciled") {
        in_doubt_.clear();
    } else if (type == "trails") {
        apply_trails(record);
    } else if (type == "rearmed") {
        apply_rearmed(record);
    } else if (type == "intent") {
        apply_intent(record);
    } else if (type == "fire" && record.value("where", "") == "runtime") {
        apply_software_fire(record);
    } else if (type == "fire") {
        apply_fire(record);
    } else if (type == "watch") {
        apply_watch(record);
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
    effects_.judged.clear();  // a rule that is not spent is armed anew
    armed_ = armed;
    if (dry) before_dry_run_ = effects_;
}

}  // namespace fixaccel
