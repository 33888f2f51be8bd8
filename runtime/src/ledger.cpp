// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/ledger.hpp"

#include <algorithm>
#include <utility>

#include "arming_text.hpp"
#include "fixaccel/seq.hpp"
#include "fixaccel/utc_clock.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

// Messages of the venue that a crash may make it send once more, if the journal has nothing else of them.
constexpr int kMostHeldBack = 64;

constexpr std::uint64_t kEpochs = 36ULL * 36 * 36 * 36;
static_assert(kEpochChars == 4);

std::int64_t utc_day(std::int64_t time_ns) { return time_ns / 86'400'000'000'000; }

}  // namespace

Ledger::Ledger(Journal& journal)
    : LedgerState(journal.take_snapshot()), journal_(journal), snapshots_(journal.folder()) {
    make_room();
    const std::uint64_t known = records();
    segment_day_ = utc_day(utc_ns());
    for (const Record& record : journal_.take_records()) {
        replay(record);
        segment_day_ = utc_day(record.value("time_ns", utc_ns()));
    }
    Record opened{{"type", "open"}, {"records", records()}, {"read", records() - known}};
    if (journal_.torn()) opened["truncated_bytes"] = journal_.truncated_bytes();
    if (records() == 0) reset();
    if (intent_) settle_intent("interrupted");
    if (by_hand_) settle_by_hand("interrupted");
    write(std::move(opened), Journal::Sync::now);
    if (journal_.full()) journal_.begin_segment();
    // A snapshot that the former daemon did not get done, or that was of no use.
    if (journal_.segment_first() - 1 > journal_.snapshot_record())
        snapshots_.make(journal_.segment_first() - 1);
}

void Ledger::write(Record record, Journal::Sync sync) {
    take_effect();
    record["time_ns"] = utc_ns();
    journal_.append(record, sync);
    conclude(record);
}

// The journal has it.
void Ledger::conclude(const Record& record) {
    tally_.count(record);
    apply(record);
    if (listener_ != nullptr) listener_->recorded(record);
}

void Ledger::set(int seq_num, const std::string& message) {
    if (on_its_way_ && set_seq_ == 0) return set_on_its_way(seq_num, message);
    write({{"type", "out"}, {"seq", seq_num}, {"message", bytes_to_text(message)}}, Journal::Sync::now);
}

void Ledger::get(int first, int last, std::vector<std::string>& messages) const {
    for (auto it = messages_.lower_bound(first); it != messages_.end() && it->first <= last; ++it)
        messages.push_back(it->second);
}

void Ledger::set_next_sender(int seq_num) {
    if (seq_num == next_sender_) return;
    // The record of a message says that its number is used up.
    const bool kept = set_seq_ == next_sender_ || messages_.count(next_sender_) != 0;
    if (seq_num == next_sender_ + 1 && kept) {
        next_sender_ = seq_num;
        return;
    }
    write({{"type", "next"}, {"sender", seq_num}}, Journal::Sync::now);
}

void Ledger::set_next_target(int seq_num) { next_target_ = seq_num; }

// What the number counts is in the journal before it: what has left no trace there may be asked for again.
void Ledger::flush() {
    const bool traces = records() != target_written_at_;
    const int held_back = next_target_ - written_target_;
    if (held_back != 0 && (traces || held_back < 0 || held_back >= kMostHeldBack)) write_target();
    if (const std::string problem = snapshots_.take_problem(); !problem.empty()) record_note(problem);
    if (journal_.full() || utc_day(utc_ns()) != segment_day_) turn_over();
}

void Ledger::write_target() {
    if (written_target_ == next_target_) return;
    write({{"type", "next"}, {"target", next_target_}}, Journal::Sync::later);
    target_written_at_ = records();
}

void Ledger::turn_over() {
    segment_day_ = utc_day(utc_ns());
    journal_.begin_segment();
    snapshots_.make(journal_.segment_first() - 1);
}

void Ledger::reset() { write({{"type", "reset"}}, Journal::Sync::now); }

std::string Ledger::new_epoch() {
    const auto second = static_cast<std::uint64_t>(utc_ns() / 1'000'000'000);
    const std::uint64_t number = std::max(epochs_ + 1, second);
    // On disk with the load that it is for: no order has it before.
    write({{"type", "epoch"}, {"number", number}, {"epoch", to_base36(number % kEpochs, kEpochChars)}},
          Journal::Sync::with_next);
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
    Record record{{"type", "armed"},
                  {"generation", load_.generation},
                  {"epoch", epoch_},
                  {"next_sender", next_sender_}};
    if (dry) record["dry"] = true;
    write(std::move(record), Journal::Sync::now);
}

void Ledger::record_disarmed(const std::string& reason) {
    write({{"type", "disarmed"}, {"reason", reason}}, Journal::Sync::now);
}

void Ledger::record_session(const std::string& event, const std::string& reason) {
    write_target();
    Record record{
        {"type", "session"}, {"event", event}, {"next_sender", next_sender_}, {"next_target", next_target_}};
    if (!reason.empty()) record["reason"] = reason;
    write(std::move(record), Journal::Sync::now);
}

void Ledger::record_note(const std::string& text) {
    write({{"type", "note"}, {"text", bytes_to_text(text)}}, Journal::Sync::later);
}

void Ledger::record_command(const std::string& by, const std::string& role, const json& request,
                            const json& reply, std::uint64_t refused_before) {
    Record record{{"type", "command"},
                  {"by", bytes_to_text(by)},
                  {"role", role},
                  {"request", request},
                  {"ok", reply.at("ok")}};
    if (refused_before != 0) record["refused_before"] = refused_before;
    if (reply.contains("error")) record["error"] = reply["error"];
    write(std::move(record), Journal::Sync::now);
}

}  // namespace fixaccel
