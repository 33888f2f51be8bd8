// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/ledger_state.hpp"

#include <exception>
#include <limits>
#include <utility>

#include "arming_text.hpp"
#include "fixaccel/fire.hpp"

namespace fixaccel {

using nlohmann::json;

int LedgerState::number_of(const Record& record, const char* key) {
    const RecordValue& number = record.at(key);
    const auto value = number.is_integer() ? number.get<std::int64_t>() : 0;
    if (value < 1 || value >= std::numeric_limits<int>::max())
        throw JournalError(std::string("a journal record is not understood: its ") + key +
                           " is no MsgSeqNum");
    return static_cast<int>(value);
}

void LedgerState::replay(const Record& record) {
    try {
        if (record.contains("time_ns")) record.at("time_ns").get<std::int64_t>();
        apply(record);
        // The daemon may have died before the engine counted the message; its number is used up all the same.
        if (record.at("type") == "out") next_sender_ = number_of(record, "seq") + 1;
    } catch (const JournalError&) {
        throw;
    } catch (const std::exception& error) {
        throw JournalError(std::string("a journal record is not understood: ") + error.what());
    }
}

std::uint32_t LedgerState::fires_of(const LoadedRule& rule) const {
    const auto found = effects_.fires.find(rule.key());
    return found == effects_.fires.end() ? 0 : found->second;
}

void LedgerState::begin_numbers() {
    messages_.clear();
    not_left_.clear();
    next_sender_ = next_target_ = written_target_ = 1;
    if (!in_doubt_.empty()) uncountable_ = true;
}

void LedgerState::apply(const Record& record) {
    ++records_;
    const std::string& type = record.at("type").text();
    if (type == "out") {
        const int seq = number_of(record, "seq");
        const std::string& message = messages_[seq] = text_to_bytes(record.at("message").text());
        if (fix_field(message, 35) == "A") last_logon_ = seq;
        if (intent_ && fix_field(message, 11) == intent_->at("cl_ord_id").text()) {
            intent_seq_ = seq;
            note_sent(message,
                      {.terms = OrderTerms{},
                       .rule = intent_->at("rule").text(),
                       .by = {},
                       .time_ns = record.value("time_ns", std::int64_t{0}),
                       .replaces = {},
                       .asked = {}},
                      intent_->at("rule").text() + '|' + intent_->at("hash").text());
        }
        if (by_hand_ && fix_field(message, 11) == by_hand_->at("cl_ord_id").text()) {
            by_hand_seq_ = seq;
            note_by_hand(message, record.value("time_ns", std::int64_t{0}));
        }
    } else if (type == "next") {
        next_sender_ = record.value("sender", next_sender_);
        written_target_ = next_target_ = record.value("target", next_target_);
    } else if (type == "reset") {
        begin_numbers();
        for (std::int64_t* const began : {&day_began_ns_, &counted_since_ns_})
            if (*began == 0) *began = record.at("time_ns").get<std::int64_t>();
    } else if (type == "day_roll") {
        apply_day_roll(record);
    } else if (type == "session") {
        if (record.at("event") != "logon") return;
        begins_anew_ = false;
        ask_again_for_cancels();
    } else if (type == "epoch") {
        epochs_ = record.at("number").get<std::uint64_t>();
        epoch_ = record.at("epoch").text();
    } else if (type == "load" || type == "flipped" || type == "load_dropped") {
        apply_load(record);
    } else if (type == "asked") {
        asked_ = arming_from(record.at("for").text());
    } else if (type == "open") {
        if (record.contains("truncated_bytes")) asked_ = Arming::disarmed;
    } else if (type == "kill") {
        killed_ = record.at("on").get<bool>();
        const auto kills = record.at("kills").get<std::uint64_t>();
        if (kills != std::exchange(kills_, kills)) asked_ = Arming::disarmed;
    } else if (type == "armed" || type == "disarmed") {
        apply_armed(type == "armed", record.value("dry", false));
    } else if (type == "board_lost") {
        apply_board_lost(record);
    } else if (type == "reconciled") {
        apply_reconciled(record);
    } else if (type == "counted") {
        unseen_ = record.at("unseen").get<int>();
    } else if (type == "uncountable") {
        uncountable_ = true;
    } else if (type == "trails") {
        apply_trails(record);
    } else if (type == "rearmed") {
        apply_rearmed(record);
    } else if (type == "intent") {
        apply_intent(record);
    } else if (type == "fire" && record.contains("found")) {
        apply_found(record);
    } else if (type == "fire" && record.value("where", "") == "runtime") {
        apply_software_fire(record);
    } else if (type == "fire") {
        apply_fire(record);
    } else if (type == "left") {
        apply_left(record);
    } else if (type == "watch") {
        apply_watch(record);
    } else if (type == "limit_set" || type == "limit_reverted" || type == "limits_reset") {
        apply_limit(record);
    } else if (type == "by_hand_intent" || type == "by_hand") {
        apply_by_hand(record);
    } else if (type == "cancel_reject") {
        apply_cancel_reject(record);
    } else if (type == "reject") {
        apply_reject(record);
    } else if (type == "execution") {
        apply_execution(record);
    }
}

void LedgerState::apply_armed(bool armed, bool dry) {
    if (before_dry_run_) effects_ = *std::exchange(before_dry_run_, std::nullopt);
    effects_.judged.clear();  // a rule that is not spent is armed anew
    armed_ = armed;
    if (dry) before_dry_run_ = effects_;
}

}  // namespace fixaccel
