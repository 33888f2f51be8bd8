// SPDX-License-Identifier: Apache-2.0
// What the venue says of our orders.
#include <charconv>

#include "fixaccel/ledger.hpp"
#include "report_key.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

bool is_order(std::string_view type) { return type == "D" || type == "G"; }

}  // namespace

std::string order_status_text(std::string_view code) {
    static const std::map<std::string, std::string, std::less<>> kNames{
        {"0", "new"},      {"1", "partially filled"}, {"2", "filled"},         {"3", kDoneForDay},
        {"4", "canceled"}, {"5", kReplaced},          {"6", "pending cancel"}, {"7", "stopped"},
        {"8", "rejected"}, {"9", "suspended"},        {"A", "pending new"},    {"B", "calculated"},
        {"C", "expired"},  {"E", "pending replace"}};
    const auto found = kNames.find(code);
    return found == kNames.end() ? std::string(code) : found->second;
}

std::string Ledger::record_execution(const std::string& report) {
    const auto field = [&](unsigned tag) { return bytes_to_text(fix_field(report, tag)); };
    Record record{
        {"type", "execution"},  {"cl_ord_id", field(11)},   {"order_id", field(37)},
        {"exec_id", field(17)}, {"exec_type", field(150)},  {"status", order_status_text(field(39))},
        {"symbol", field(55)},  {"side", field(54)},        {"last_qty", field(32)},
        {"last_px", field(31)}, {"cum_qty", field(14)},     {"leaves_qty", field(151)},
        {"avg_px", field(6)},   {"msg_seq_num", field(34)}, {"poss_dup", field(43) == "Y"}};
    // Said again as what it was, it tells nothing new. By its ExecID alone it is not known: some venues use
    // one twice.
    const bool again = field(43) == "Y" || field(97) == "Y";
    const auto seen = reports_.find(record.at("cl_ord_id").text());
    if (again && seen != reports_.end() && seen->second.count(report_key(record)) != 0) return {};
    if (const std::string text = field(58); !text.empty()) record["text"] = text;
    // A report on a cancel request names the order here.
    if (const std::string order = field(41); !order.empty()) record["orig_cl_ord_id"] = order;
    // Sent once more, or to somebody else before.
    if (field(97) == "Y" || field(797) == "Y") record["again"] = true;
    std::string wrong = contradiction(record);
    if (!wrong.empty()) record["contradiction"] = wrong;
    write(std::move(record), wrong.empty() ? Journal::Sync::later : Journal::Sync::now);
    return wrong;
}

std::string Ledger::rejected_order(const std::string& reject) const {
    const std::string_view number = fix_field(reject, 45);  // RefSeqNum
    int seq = 0;
    std::from_chars(number.data(), number.data() + number.size(), seq);
    const auto rejected = messages_.find(seq);
    if (rejected == messages_.end() || !is_order(fix_field(rejected->second, 35))) return {};
    return std::string(fix_field(rejected->second, 11));
}

void Ledger::record_reject(const std::string& reject) {
    const auto field = [&](unsigned tag) { return bytes_to_text(fix_field(reject, tag)); };
    const std::string_view number = fix_field(reject, 45);  // RefSeqNum
    int seq = 0;
    std::from_chars(number.data(), number.data() + number.size(), seq);
    const auto rejected = messages_.find(seq);
    if (rejected == messages_.end()) return;
    const std::string_view type = fix_field(rejected->second, 35);
    if (!is_order(type) && type != "F") return;
    Record record{{"type", "reject"},
                  {"cl_ord_id", bytes_to_text(fix_field(rejected->second, 11))},
                  {"msg_type", field(35)},
                  {"ref_seq_num", seq},
                  {"text", field(58)}};
    if (type != "D") record["orig_cl_ord_id"] = bytes_to_text(fix_field(rejected->second, 41));
    write(std::move(record), Journal::Sync::later);
}

void LedgerState::apply_reject(const Record& record) {
    const std::string& cl_ord_id = record.at("cl_ord_id").text();
    const std::string& text = record.at("text").text();
    if (record.contains("orig_cl_ord_id")) {
        const auto order = record["orig_cl_ord_id"].get<std::string>();
        cancel_refused(order, cl_ord_id, {});
        return not_replaced(cl_ord_id, order, text);
    }
    hear_of(cl_ord_id);
    OrderState& order = orders_[cl_ord_id];
    order.status = order_status_text("8");
    order.text = text;
    resting_.report(cl_ord_id, order.status);
    end_order(cl_ord_id);
}

void LedgerState::apply_execution(const Record& record) {
    const std::string& cl_ord_id = record.at("cl_ord_id").text();
    const std::string before = record.value("orig_cl_ord_id", std::string());
    hear_of(cl_ord_id);
    take_fills(record);
    // Nothing is armed by itself before somebody has looked at it.
    if (record.contains("contradiction")) asked_ = Arming::disarmed;
    reports_[cl_ord_id].insert(report_key(record));
    OrderState& order = orders_[cl_ord_id];
    order = {record.at("status").text(),  record.at("order_id").text(),
             record.at("cum_qty").text(), record.at("leaves_qty").text(),
             record.at("avg_px").text(),  record.value("text", std::string())};
    const bool replaced = record.at("exec_type") == "5";
    // By some venues the new order is called that, too.
    if (replaced && order.status == kReplaced)
        order.status = order.cum_qty == "0" ? "new" : "partially filled";
    resting_.report(cl_ord_id, order.status);
    if (before.empty() || before == cl_ord_id) return;
    if (!order.status.starts_with("pending")) answered(before, cl_ord_id);
    // Some venues go on to name it in reports of the order that it has become.
    const auto known = orders_.find(before);
    if (known != orders_.end() && known->second.status == kReplaced) return;
    const std::string status = replaced ? kReplaced : order.status;
    if (placed_.count(before) != 0) {
        OrderState& old = orders_[before];
        if (!replaced) old = order;
        old.status = status;
    }
    resting_.report(before, status);
}

}  // namespace fixaccel
