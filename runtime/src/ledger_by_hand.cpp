// SPDX-License-Identifier: Apache-2.0
// What is asked for by hand: orders, and what becomes of them.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "fixaccel/decimal.hpp"
#include "fixaccel/fire.hpp"
#include "fixaccel/ledger.hpp"
#include "fixaccel/seq.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kTifs{
    {{"day", "0"}, {"gtc", "1"}, {"ioc", "3"}, {"fok", "4"}}};

std::string tif_text(std::string_view code) {
    if (code.empty()) return "day";  // as FIX has it
    for (const auto& [text, known] : kTifs)
        if (code == known) return std::string(text);
    return bytes_to_text(code);
}

Record described(const HandRequest& request) {
    Record record{{"type", "by_hand"},
                  {"request", request_text(request.what)},
                  {"by", bytes_to_text(request.by)},
                  {"cl_ord_id", request.cl_ord_id},
                  {"instrument", request.terms.symbol},
                  {"side", request.terms.side},
                  {"qty", request.terms.qty},
                  {"type_of_order", request.terms.type}};
    if (!request.order.empty()) record["orig_cl_ord_id"] = request.order;
    if (!request.terms.price.empty()) record["price"] = request.terms.price;
    if (request.what != HandRequest::What::cancel) record["tif"] = request.terms.tif;
    if (!request.counts_qty.empty()) record["counts_qty"] = request.counts_qty;
    return record;
}

}  // namespace

std::string_view tif_code(std::string_view tif) {
    for (const auto& [text, code] : kTifs)
        if (tif == text) return code;
    return {};
}

OrderTerms terms_of(std::string_view message) {
    const auto field = [&](unsigned tag) { return bytes_to_text(fix_field(message, tag)); };
    return {.symbol = field(55),
            .side = fix_field(message, 54) == "1" ? "buy" : "sell",
            .qty = bytes_to_text(plain_number(fix_field(message, 38))),
            .type = fix_field(message, 40) == "1" ? "market" : "limit",
            .price = bytes_to_text(plain_number(fix_field(message, 44))),
            .tif = tif_text(fix_field(message, 59)),
            .account = field(1)};
}

const char* request_text(HandRequest::What what) {
    switch (what) {
        case HandRequest::What::order:
            return "order";
        case HandRequest::What::cancel:
            return "cancel";
        case HandRequest::What::replace:
            return "replace";
    }
    return "unknown";
}

std::string hand_key(const std::string& symbol, const std::string& side) {
    return "by hand/" + symbol + '/' + side;  // no rule is called like that
}

HandRequest Ledger::next_by_hand() const {
    HandRequest request;
    request.number = by_hand_count_ + 1;
    request.cl_ord_id = cl_ord_id_of(load_.epoch, kRuleByHand, request.number);
    return request;
}

void Ledger::record_by_hand(const HandRequest& request) {
    Record record = described(request);
    record["type"] = "by_hand_intent";
    record["number"] = request.number;
    write(std::move(record), Journal::Sync::now);
}

int Ledger::settle_by_hand(const std::string& reason) {
    if (!by_hand_) return 0;
    Record record = *by_hand_;
    record["type"] = "by_hand";
    const int number = by_hand_seq_;
    record["outcome"] = number != 0 ? "sent" : "rejected:" + reason;
    if (number != 0) record["msg_seq_num"] = number;
    // Should this record be lost, the two before it say the same again.
    write(std::move(record), Journal::Sync::later);
    return number;
}

void Ledger::record_refused(const HandRequest& request, const std::string& reason) {
    Record record = described(request);
    record.erase("cl_ord_id");
    record["outcome"] = "rejected:" + reason;
    write(std::move(record), Journal::Sync::later);
}

void Ledger::record_cancel_reject(const std::string& reject) {
    const auto field = [&](unsigned tag) { return bytes_to_text(fix_field(reject, tag)); };
    write({{"type", "cancel_reject"},
           {"cl_ord_id", field(11)},
           {"orig_cl_ord_id", field(41)},
           {"status", order_status_text(fix_field(reject, 39))},
           {"reason", field(102)},
           {"response_to", field(434)},
           {"text", field(58)}},
          Journal::Sync::later);
}

// The FIX store has what was asked for by hand.
void LedgerState::note_by_hand(const std::string& message, std::int64_t time_ns) {
    const std::string cl_ord_id = by_hand_->at("cl_ord_id").text();
    const std::string order = by_hand_->value("orig_cl_ord_id", "");
    if (fix_field(message, 35) != "F")
        note_sent(message,
                  {.terms = OrderTerms{},
                   .rule = {},
                   .by = by_hand_->at("by").text(),
                   .time_ns = time_ns,
                   .replaces = order,
                   .asked = {}},
                  {});
    else
        cancel_requested(order, cl_ord_id);
    if (const auto found = placed_.find(order); found != placed_.end()) found->second.asked = cl_ord_id;
}

// What became of it is made of it, after a crash by the next start.
void LedgerState::check_by_hand(const Record& record) {
    for (const char* text : {"cl_ord_id", "instrument", "side"}) record.at(text).text();
    if (record.contains("counts_qty")) record.at("counts_qty").text();
}

void LedgerState::apply_by_hand(const Record& record) {
    if (record.at("type") == "by_hand_intent") {
        check_by_hand(record);
        by_hand_ = record;
        by_hand_seq_ = 0;
        by_hand_count_ = record.at("number").get<std::uint32_t>();
        return;
    }
    // What was refused ahead of an intent has no ClOrdID.
    if (record.contains("cl_ord_id")) by_hand_.reset();
    if (record.at("outcome") != "sent" || !record.contains("counts_qty")) return;
    const std::string& symbol = record.at("instrument").text();
    const std::string& side = record.at("side").text();
    count_order(symbol, side, record.at("counts_qty").text(), hand_key(symbol, side),
                record.at("time_ns").get<std::int64_t>());
}

// The venue does not do what it was asked for. A replacement has never been then.
void LedgerState::apply_cancel_reject(const Record& record) {
    const std::string& request = record.at("cl_ord_id").text();
    const std::string& text = record.at("text").text();
    not_replaced(request, record.at("orig_cl_ord_id").text(), text);
    cancel_refused(record.at("orig_cl_ord_id").text(), request, record.value("reason", std::string()));
    const std::string status = record.value("status", std::string());
    const std::string& order = record.at("orig_cl_ord_id").text();
    // `rejected` is said of an order that the venue does not know by that name: what is known of it stays.
    if (placed_.count(order) == 0 || status.empty() || status == "rejected") return;
    OrderState& state = orders_[order];
    if (state.status == kReplaced) return;
    state.status = status;
    state.text = record.at("text").text();
    resting_.report(order, status);
    if (ends_order(status, placed_.at(order).terms.tif == "gtc")) end_order(order);
}

void LedgerState::not_replaced(const std::string& request, const std::string& order,
                               const std::string& text) {
    if (placed_.count(request) != 0) {
        orders_[request].status = "rejected";
        orders_[request].text = text;
        resting_.report(request, "rejected");
    }
    answered(order, request);
    if (const auto known = orders_.find(order); known != orders_.end()) known->second.text = text;
}

void LedgerState::answered(const std::string& order, const std::string& request) {
    const auto found = placed_.find(order);
    if (found != placed_.end() && found->second.asked == request) found->second.asked.clear();
}

}  // namespace fixaccel
