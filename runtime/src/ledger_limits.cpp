// SPDX-License-Identifier: Apache-2.0
// Limits that are changed for a time.
#include "fixaccel/journal.hpp"
#include "fixaccel/ledger.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

Record described(const LimitChange& change, const char* type) {
    Record record{{"type", type}, {"limit", change.limit}};
    if (!change.instrument.empty()) record["instrument"] = change.instrument;
    if (!change.rule.empty()) record["rule"] = change.rule;
    return record;
}

}  // namespace

void Ledger::record_limit_set(const LimitChange& change) {
    Record record = described(change, "limit_set");
    record["value"] = change.value;
    record["by"] = bytes_to_text(change.by);
    record["reason"] = change.reason;
    record["until_ns"] = change.until_ns;
    record["bundle"] = change.bundle;
    write(std::move(record), Journal::Sync::now);
}

void Ledger::record_limit_reverted(const std::string& key, const std::string& reason, const std::string& by) {
    const auto change = limit_changes_.find(key);
    if (change == limit_changes_.end()) return;
    Record record = described(change->second, "limit_reverted");
    record["value"] = change->second.value;
    record["reason"] = reason;
    if (!by.empty()) record["by"] = bytes_to_text(by);
    write(std::move(record), Journal::Sync::now);
}

void Ledger::record_limits_reset(const std::string& reason, const std::string& by) {
    write({{"type", "limits_reset"}, {"reason", reason}, {"by", bytes_to_text(by)}}, Journal::Sync::now);
}

void LedgerState::apply_limit(const Record& record) {
    if (record.at("type") == "limits_reset") return count_anew(record.at("time_ns").get<std::int64_t>());
    LimitChange change{.limit = record.at("limit").text(),
                       .instrument = record.value("instrument", std::string()),
                       .value = record.at("value").get<std::int64_t>(),
                       .by = record.value("by", std::string()),
                       .reason = record.at("reason").text(),
                       .set_ns = record.value("time_ns", std::int64_t{0}),
                       .until_ns = record.value("until_ns", std::int64_t{0}),
                       .bundle = record.value("bundle", std::string()),
                       .rule = record.value("rule", std::string())};
    const std::string key = change.key();
    limit_changes_.erase(key);
    if (record.at("type") == "limit_set") limit_changes_.emplace(key, std::move(change));
}

}  // namespace fixaccel
