// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/ledger.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "fixaccel/seq.hpp"
#include "fixaccel/utc_clock.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::uint64_t kEpochs = 36ULL * 36 * 36 * 36;
static_assert(kEpochChars == 4);

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
    record["time_ns"] = utc_ns();
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
    const auto second = static_cast<std::uint64_t>(utc_ns() / 1'000'000'000);
    const std::uint64_t number = std::max(epochs_ + 1, second);
    write({{"type", "epoch"}, {"number", number}, {"epoch", to_base36(number % kEpochs, kEpochChars)}},
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

void Ledger::begin_numbers() {
    messages_.clear();
    next_sender_ = next_target_ = written_target_ = 1;
}

void Ledger::apply(const json& record) {
    ++records_;
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
    } else if (type == "execution" || type == "reject") {
        apply_execution(record);
    }
}

void Ledger::apply_armed(bool armed, bool dry) {
    if (before_dry_run_) effects_ = *std::exchange(before_dry_run_, std::nullopt);
    effects_.judged.clear();  // a rule that is not spent is armed anew
    armed_ = armed;
    if (dry) before_dry_run_ = effects_;
}

}  // namespace fixaccel
