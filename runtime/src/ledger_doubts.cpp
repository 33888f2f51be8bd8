// SPDX-License-Identifier: Apache-2.0
// Rules that may have fired unseen: the board lost its memory while they were armed.
#include <algorithm>
#include <utility>

#include "fixaccel/ledger.hpp"
#include "fixaccel/seq.hpp"
#include "fixaccel/utc_clock.hpp"
#include "order_terms.hpp"

namespace fixaccel {

using nlohmann::json;

std::string Doubt::cl_ord_id() const {
    return epoch.empty() ? std::string() : cl_ord_id_of(epoch, rule, fires + 1);
}

void Ledger::record_board_lost() {
    json rules = json::array();
    const auto doubt = [&](const Load& load) {
        for (std::uint32_t i = 0; i < load.rules.size(); ++i) {
            const LoadedRule& rule = load.rules[i];
            // What the runtime sends is in the journal first, and what is in doubt already was not armed.
            if (!rule.in_fabric || in_doubt_.count(rule.key()) != 0) continue;
            if (effects_.spent.count(rule.key()) != 0 && !awaits_rearm(rule)) continue;
            rules.push_back({{"key", rule.key()},
                             {"epoch", load.epoch},
                             {"rule", i},
                             {"fires", fires_of(rule)},
                             {"instrument", rule.instrument},
                             {"side", rule.side}});
        }
    };
    doubt(load_);
    if (next_load_) doubt(*next_load_);
    write({{"type", "board_lost"}, {"in_doubt", std::move(rules)}}, Journal::Sync::now);
}

void LedgerState::apply_board_lost(const Record& record) {
    apply_armed(false, false);
    for (auto& [key, doubt] : in_doubt_) doubt.counted = false;
    doubts_judged_ = uncountable_ = false;
    found_ = 0;
    unseen_ = -1;
    counted_from_ = next_sender_;
    for (const json& rule : record.at("in_doubt").parts()) {
        if (rule.is_string()) {  // as earlier journals have it
            in_doubt_[rule.get<std::string>()] = {};
            uncountable_ = true;
            continue;
        }
        in_doubt_[rule.at("key").get<std::string>()] = {
            rule.at("epoch").get<std::string>(), rule.at("rule").get<std::uint32_t>(),
            rule.at("fires").get<std::uint32_t>(), rule.at("instrument").get<std::string>(),
            rule.at("side").get<std::string>()};
    }
}

void Ledger::record_counted(int next_sender) {
    const int unseen = std::max(0, next_sender - counted_from_);
    if (!in_doubt_.empty() && (unseen_ < 0 || unseen < unseen_))
        write({{"type", "counted"}, {"unseen", unseen}}, Journal::Sync::now);
}

void Ledger::record_found(const std::string& key, const std::string& report) {
    const Doubt& doubt = in_doubt_.at(key);
    const std::size_t bar = key.rfind('|');
    Record record{{"type", "fire"},
                  {"where", "fabric"},
                  {"found", "venue"},
                  {"generation", load_.generation},
                  {"rule_index", doubt.rule},
                  {"rule", key.substr(0, bar)},
                  {"hash", key.substr(bar + 1)},
                  {"source", ""},
                  {"outcome", "sent"},
                  {"fires", doubt.fires + 1},
                  {"cl_ord_id", doubt.cl_ord_id()},
                  {"trigger_time_ns", utc_ns()}};
    // What its order has done to others is told by the load of now, where it is a rule of that.
    const auto loaded = std::find_if(load_.rules.begin(), load_.rules.end(),
                                     [&key](const LoadedRule& rule) { return rule.key() == key; });
    if (loaded != load_.rules.end()) {
        record["rule_index"] = loaded - load_.rules.begin();
        record["source"] = loaded->source;
        record["direction"] = loaded->direction;
        record["threshold"] = loaded->threshold;
        record["instrument"] = loaded->instrument;
        describe_order(*loaded, record);
        if (!loaded->rule.empty()) record["of_rule"] = loaded->rule;
    }
    if (const std::string_view symbol = fix_field(report, 55); !symbol.empty())
        record["instrument"] = bytes_to_text(symbol);
    // A report may leave out what the order has said.
    if (!fix_field(report, 38).empty() && !fix_field(report, 54).empty()) describe_order(report, record);
    write(std::move(record), Journal::Sync::now);
}

void LedgerState::apply_found(const Record& fire) {
    const std::string key = fire.at("rule").text() + '|' + fire.at("hash").text();
    keep(fire);
    effects_.fires[key] = fire.at("fires").get<std::uint32_t>();
    effects_.spent.insert(key);
    effects_.rearms.erase(key);
    effects_.trails.erase(key);
    if (is_loaded(key)) carry_out_links(fire);
    if (fire.contains("instrument") && fire.contains("qty")) {
        count_order(fire);
        note_found(fire, key);
    }
    const auto doubt = in_doubt_.find(key);
    if (doubt == in_doubt_.end()) return;
    ++doubt->second.fires;
    if (doubt->second.counted) ++found_;
}

// What is known of its order; how long it lasts is not.
void LedgerState::note_found(const Record& fire, const std::string& part) {
    const std::string& cl_ord_id = fire.at("cl_ord_id").text();
    hear_of(cl_ord_id);
    const auto [placed, fresh] = placed_.emplace(
        cl_ord_id, PlacedOrder{.terms = OrderTerms{.symbol = fire.at("instrument").text(),
                                                   .side = fire.at("side").text(),
                                                   .qty = fire.at("qty").text(),
                                                   .type = fire.value("type_of_order", std::string()),
                                                   .price = fire.value("price", std::string()),
                                                   .tif = {},
                                                   .account = {}},
                               .rule = fire.at("rule").text(),
                               .by = {},
                               .time_ns = fire.at("trigger_time_ns").get<std::int64_t>(),
                               .replaces = {},
                               .asked = {}});
    if (fresh) begin_order(cl_ord_id, part);
}

void Ledger::record_uncountable() {
    if (!uncountable_) write({{"type", "uncountable"}}, Journal::Sync::now);
}

void Ledger::record_reconciled(const std::vector<std::string>& not_sent, const std::string& by) {
    write({{"type", "reconciled"}, {"not_sent", not_sent}, {"by", bytes_to_text(by)}}, Journal::Sync::now);
}

void Ledger::record_told(const std::vector<std::string>& keys, bool sent, const std::string& by) {
    write({{"type", "reconciled"},
           {sent ? "sent" : "not_sent", keys},
           {"by", bytes_to_text(by)},
           {"told", true}},
          Journal::Sync::now);
}

void LedgerState::apply_reconciled(const Record& record) {
    if (!record.contains("by")) {  // as earlier journals have it
        in_doubt_.clear();
        return;
    }
    for (const json& key : record.value("not_sent", json::array())) in_doubt_.erase(key.get<std::string>());
    for (const json& key : record.value("sent", json::array())) {
        effects_.spent.insert(key.get<std::string>());
        in_doubt_.erase(key.get<std::string>());
    }
    if (!record.value("told", false)) doubts_judged_ = true;
}

}  // namespace fixaccel
