// SPDX-License-Identifier: Apache-2.0
#include "reconciliation.hpp"

#include <charconv>
#include <utility>
#include <vector>

#include "fixaccel/fire.hpp"

namespace fixaccel {
namespace {

constexpr std::size_t kAtOnce = 32;  // questions that are not yet answered
constexpr auto kPatience = std::chrono::seconds(10);

// MsgType, and fields.
constexpr std::string_view kStatusRequest = "H";
constexpr unsigned kBeginSeqNo = 7, kClOrdId = 11, kOrderId = 37, kOrdStatus = 39, kSide = 54,
                   kSymbolTag = 55;
constexpr unsigned kOrdRejReason = 103, kRefMsgType = 372;

bool knows_no_such_order(const std::string& report) {
    if (fix_field(report, kOrdStatus) != "8") return false;
    return fix_field(report, kOrdRejReason) == "5" || fix_field(report, kOrderId) == "NONE";
}

std::string count_of(std::size_t count, const char* what) {
    return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

}  // namespace

Reconciliation::Reconciliation(Ledger& ledger) : ledger_(ledger) { look_for_all(); }

void Reconciliation::begin(Time now) {
    if (!ledger_.unseen_numbers()) ledger_.record_counted(ledger_.last_logon());
    look_for_all();
    heard_ = now;
}

void Reconciliation::look_for_all() {
    to_ask_.clear();
    rules_.clear();
    asked_.clear();
    for (const auto& [key, doubt] : ledger_.in_doubt()) {
        const std::string id = doubt.cl_ord_id();
        if (id.empty()) continue;
        rules_[id] = key;
        to_ask_.push_back(key);
    }
}

void Reconciliation::go_on(const Ask& ask) {
    while (!to_ask_.empty() && asked_.size() < kAtOnce) {
        const Doubt& doubt = ledger_.in_doubt().at(to_ask_.front());
        to_ask_.pop_front();
        asked_.insert(doubt.cl_ord_id());
        ask({{kClOrdId, doubt.cl_ord_id()},
             {kSymbolTag, text_to_bytes(doubt.instrument)},
             {kSide, doubt.side == "buy" ? "1" : "2"}});
    }
}

bool Reconciliation::heard(const std::string& report, Time now) {
    const auto found = rules_.find(bytes_to_text(fix_field(report, kClOrdId)));
    if (found == rules_.end()) return false;
    heard_ = now;
    asked_.erase(found->first);
    if (knows_no_such_order(report)) return true;
    const std::string key = found->second;
    rules_.erase(found);
    ledger_.record_found(key, report);
    // It may have been armed again and have fired once more.
    rules_[ledger_.in_doubt().at(key).cl_ord_id()] = key;
    to_ask_.push_back(key);
    return false;
}

void Reconciliation::refused(const std::string& reject) {
    if (fix_field(reject, kRefMsgType) != kStatusRequest) return;
    to_ask_.clear();
    asked_.clear();
}

// The first number was that of a Logon, which it had taken before anything was armed.
void Reconciliation::asked_again(const std::string& request) {
    const std::string_view text = fix_field(request, kBeginSeqNo);
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    number <= 1 ? ledger_.record_uncountable() : ledger_.record_counted(number);
}

bool Reconciliation::over(Time now) const {
    return (to_ask_.empty() && asked_.empty()) || now - heard_ >= kPatience;
}

// Whatever the runtime has sent is in the journal. What the venue has counted beyond that are orders of the
// fabric; if all of them are known, no other rule has sent one.
std::string Reconciliation::conclude() {
    const int unseen = ledger_.unseen_numbers().value_or(0), found = ledger_.found_orders();
    const bool all_known = !ledger_.doubts_uncountable() && unseen == found;
    std::vector<std::string> not_sent;
    std::size_t left = 0;
    for (const auto& [key, doubt] : ledger_.in_doubt()) {
        if (all_known && doubt.counted)
            not_sent.push_back(key);
        else
            ++left;
    }
    std::string text = "reconciled with the venue: it has " +
                       count_of(static_cast<std::size_t>(found), "order") + " of rules that were in doubt";
    if (left != 0) {
        text += "; " + count_of(left, "rule") + (left == 1 ? " stays" : " stay") + " in doubt";
        if (ledger_.doubts_uncountable())
            text += ", for the sequence numbers have begun anew since the board was lost";
        else if (!all_known)
            text += ", for the venue has counted " + count_of(static_cast<std::size_t>(unseen), "message") +
                    " that the journal does not have";
    }
    ledger_.record_reconciled(not_sent, "the venue");
    ledger_.record_note(text);
    return text;
}

}  // namespace fixaccel
