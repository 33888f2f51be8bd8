// SPDX-License-Identifier: Apache-2.0
#include "by_hand.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "fixaccel/decimal.hpp"
#include "fixaccel/utc_clock.hpp"
#include "hand_gate.hpp"
#include "order_fields.hpp"
#include "request_flag.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

std::string text(const json& body, const char* key, const std::string& otherwise = {}) {
    const auto found = body.find(key);
    if (found == body.end() || found->is_null()) return otherwise;
    if (found->is_number_integer()) return found->dump();
    // A binary fraction is no price.
    if (!found->is_string()) throw Refused(std::string("\"") + key + "\" must be text");
    const std::string given = found->get<std::string>();
    const bool printable =
        std::all_of(given.begin(), given.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (!printable) throw Refused(std::string("\"") + key + "\" has a character that no message may have");
    return given;
}

std::int64_t number(const std::string& digits) {
    std::int64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

json described(const std::string& cl_ord_id, const PlacedOrder& order, const OrderState* state) {
    const OrderTerms& terms = order.terms;
    json out{{"cl_ord_id", cl_ord_id},
             {"instrument", terms.symbol},
             {"side", terms.side},
             {"qty", terms.qty},
             {"type", terms.type},
             {"price", terms.price},
             {"tif", terms.tif},
             {"account", terms.account},
             {"rule", order.rule},
             {"by", order.by},
             {"time_ns", order.time_ns},
             {"replaces", order.replaces},
             {"asked", order.asked},
             {"status", "sent"},
             {"cum_qty", "0"},
             {"leaves_qty", terms.qty},
             {"avg_px", ""},
             {"text", ""}};
    if (state == nullptr) return out;
    out["status"] = state->status;
    out["text"] = state->text;
    if (!state->order_id.empty()) out["order_id"] = state->order_id;
    if (!state->cum_qty.empty()) out["cum_qty"] = state->cum_qty;
    if (!state->leaves_qty.empty()) out["leaves_qty"] = state->leaves_qty;
    if (is_over(state->status, terms.tif)) out["leaves_qty"] = "0";
    out["avg_px"] = state->avg_px;
    return out;
}

const OrderState* state_of(const Ledger& ledger, const std::string& cl_ord_id) {
    const auto found = ledger.orders().find(cl_ord_id);
    return found == ledger.orders().end() ? nullptr : &found->second;
}

// The order that a request is about.
void name_order(const std::string& cl_ord_id, const Ledger& ledger, FixFields& body) {
    body.emplace_back(41, cl_ord_id);
    const OrderState* state = state_of(ledger, cl_ord_id);
    if (state != nullptr && !state->order_id.empty()) body.emplace_back(37, text_to_bytes(state->order_id));
}

}  // namespace

FixFields cancel_fields(const HandRequest& request, const Ledger& ledger) {
    FixFields body;
    if (!request.terms.account.empty()) body.emplace_back(1, request.terms.account);
    body.emplace_back(11, request.cl_ord_id);
    body.emplace_back(38, request.terms.qty);
    body.emplace_back(54, std::string(side_code(request.terms.side)));
    body.emplace_back(55, request.terms.symbol);
    name_order(request.order, ledger, body);
    return body;
}

bool is_over(const std::string& status, const std::string& tif) {
    constexpr std::array<std::string_view, 5> kOver{"filled", "canceled", "rejected", "expired", kReplaced};
    return std::find(kOver.begin(), kOver.end(), status) != kOver.end() ||
           (status == kDoneForDay && tif != "gtc");
}

ByHand::ByHand(const Ledger& ledger) : ledger_(ledger) {}
ByHand::~ByHand() = default;

std::shared_ptr<HandGate> ByHand::gate_of(const Bundle& bundle) { return std::make_shared<HandGate>(bundle); }

void ByHand::load(std::shared_ptr<HandGate> gate) {
    if (gate_) gate->take_over(*gate_, utc_ns());
    gate_ = std::move(gate);
    next_.reset();
}

void ByHand::load_next(std::shared_ptr<HandGate> gate) { next_ = std::move(gate); }

void ByHand::next_loaded() {
    if (next_) load(std::move(next_));
}

void ByHand::see(const MarketText& message) {
    if (gate_) gate_->see(message, utc_ns());
    books_.see(message);
}

void ByHand::forget_market() {
    if (gate_) gate_->forget_market();
    books_.clear();
}

void ByHand::follow() {
    if (gate_) gate_->follow(ledger_.sent_orders(), utc_ns());
}

json ByHand::limits() const { return gate_ ? gate_->limits(ledger_) : json::array(); }

LimitValues ByHand::own_limits() const { return gate().own_limits(); }

void ByHand::change_limits(const LimitValues& changes) {
    if (gate_) gate_->change_limits(changes, utc_ns());
}

const HandGate& ByHand::gate() const {
    if (!gate_)
        throw Refused("nothing is loaded, so there are no instruments and no limits: deploy a bundle first");
    return *gate_;
}

HandRequest ByHand::request(const std::string& command, const json& body, const std::string& by) const {
    HandRequest request = command == "order" ? order(body) : about(body);
    if (command == "replace") change(body, request);
    const HandRequest next = ledger_.next_by_hand();
    request.cl_ord_id = next.cl_ord_id;
    request.number = next.number;
    request.by = by;
    return request;
}

HandRequest ByHand::order(const json& body) const {
    HandRequest request;
    const std::string price = text(body, "price");
    request.terms = {.symbol = text(body, "instrument"),
                     .side = text(body, "side"),
                     .qty = text(body, "qty"),
                     .type = text(body, "type", price.empty() ? "market" : "limit"),
                     .price = price,
                     .tif = text(body, "tif", "day"),
                     .account = text(body, "account")};
    if (const std::string wrong = gate().complete(request.terms); !wrong.empty()) throw Refused(wrong);
    request.terms.price = plain_number(price);
    request.counts_qty = request.terms.qty;
    return request;
}

// An order that is there, to be cancelled.
HandRequest ByHand::about(const json& body) const {
    gate();
    HandRequest request;
    request.what = HandRequest::What::cancel;
    request.order = text(body, "order");
    const auto placed = ledger_.placed().find(request.order);
    if (placed == ledger_.placed().end())
        throw Refused("no order " + request.order + " is known; `fixaccel orders` lists them");
    if (const OrderState* state = state_of(ledger_, request.order);
        state != nullptr && is_over(state->status, placed->second.terms.tif))
        throw Refused("the order " + request.order + " is " + state->status);
    const std::string& asked = placed->second.asked;
    if (!asked.empty() && !request_flag(body, "again"))
        throw Refused("the venue has not answered what was asked about " + request.order + " before, " +
                      asked + "; `--again` asks once more");
    request.terms = placed->second.terms;
    return request;
}

void ByHand::change(const json& body, HandRequest& request) const {
    const OrderTerms before = request.terms;
    request.what = HandRequest::What::replace;
    request.terms.qty = text(body, "qty", before.qty);
    request.terms.price = plain_number(text(body, "price", before.price));
    if (request.terms == before) throw Refused("nothing is to be changed: give a quantity or a price");
    if (const std::string wrong = gate().complete(request.terms); !wrong.empty()) throw Refused(wrong);
    const OrderState* state = state_of(ledger_, request.order);
    const std::int64_t filled = state == nullptr ? 0 : number(state->cum_qty);
    if (number(request.terms.qty) <= filled)
        throw Refused(std::to_string(filled) +
                      " of the order are filled already: the quantity counts these, too");
    request.counts_qty =
        std::to_string(std::max<std::int64_t>(number(request.terms.qty) - number(before.qty), 0));
}

std::string ByHand::judge(const HandRequest& request) {
    if (request.what == HandRequest::What::cancel) return {};
    gate();
    return gate_->judge(request.terms, number(request.terms.qty) - number(request.counts_qty), ledger_,
                        utc_ns());
}

bool ByHand::limits_quantity(const std::string& symbol) const { return gate().limits_quantity(symbol); }

FixFields ByHand::message(const HandRequest& request) const {
    if (request.what == HandRequest::What::cancel) return cancel_fields(request, ledger_);
    FixFields body = order_fields(request.terms, request.cl_ord_id, gate().unit_of(request.terms.symbol));
    body.insert(body.end(), gate().fields().begin(), gate().fields().end());
    if (!request.order.empty()) name_order(request.order, ledger_, body);
    return body;
}

json ByHand::order_state(const std::string& cl_ord_id) const {
    const auto found = ledger_.placed().find(cl_ord_id);
    if (found == ledger_.placed().end()) return {};
    return described(cl_ord_id, found->second, state_of(ledger_, cl_ord_id));
}

bool ByHand::has_instrument(const std::string& symbol) const {
    return gate_ != nullptr && gate_->unknown(symbol).empty();
}

void ByHand::check_instruments(const std::vector<std::string>& symbols) const {
    for (const std::string& symbol : symbols)
        if (const std::string wrong = gate().unknown(symbol); !wrong.empty()) throw Refused(wrong);
}

json ByHand::orders(bool open) const {
    std::vector<std::pair<std::int64_t, json>> found;
    for (const auto& [cl_ord_id, order] : ledger_.placed()) {
        const OrderState* state = state_of(ledger_, cl_ord_id);
        if (open && state != nullptr && is_over(state->status, order.terms.tif)) continue;
        found.emplace_back(order.time_ns, described(cl_ord_id, order, state));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& one, const auto& other) { return one.first < other.first; });
    json orders = json::array();
    for (auto& [time_ns, order] : found) orders.push_back(std::move(order));
    return {{"ok", true}, {"orders", std::move(orders)}};
}

}  // namespace fixaccel
