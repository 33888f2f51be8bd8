// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/resting_orders.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "fixaccel/decimal.hpp"
#include "fixaccel/fire.hpp"
#include "fixaccel/journal.hpp"

namespace fixaccel {
namespace {

constexpr unsigned kClOrdId = 11, kOrdType = 40, kPrice = 44, kSide = 54, kSymbol = 55, kTimeInForce = 59;
constexpr std::string_view kLimit = "2", kBuy = "1", kDay = "0", kGoodTillCancel = "1";

}  // namespace

bool ends_order(std::string_view status, bool lasting) {
    constexpr std::array<std::string_view, 5> kEnds{"filled", "canceled", "rejected", "expired", kReplaced};
    constexpr std::array<std::string_view, 2> kEndsDay{kDoneForDay, "calculated"};
    return std::find(kEnds.begin(), kEnds.end(), status) != kEnds.end() ||
           (!lasting && std::find(kEndsDay.begin(), kEndsDay.end(), status) != kEndsDay.end());
}

std::multiset<std::int64_t>& RestingOrders::changed_side(const Order& order) {
    Prices& prices = resting_[order.symbol];
    prices.changed = ++changes_;
    return order.buys ? prices.bids : prices.offers;
}

void RestingOrders::enter(const Order& order) { changed_side(order).insert(order.price); }

void RestingOrders::leave(const Order& order) {
    std::multiset<std::int64_t>& side = changed_side(order);
    side.erase(side.find(order.price));
}

void RestingOrders::sent(std::string_view order) {
    const std::string_view tif = fix_field(order, kTimeInForce);
    const std::optional<std::int64_t> price = parse_decimal(fix_field(order, kPrice));
    // FIX: without a TimeInForce it is `day`.
    const bool rests = tif.empty() || tif == kDay || tif == kGoodTillCancel;
    if (fix_field(order, kOrdType) != kLimit || !rests || !price) return;
    Order entry{.symbol = std::string(fix_field(order, kSymbol)),
                .price_text = plain_number(fix_field(order, kPrice)),
                .buys = fix_field(order, kSide) == kBuy,
                .lasting = tif == kGoodTillCancel,
                .price = *price};
    const auto [known, fresh] = orders_.emplace(fix_field(order, kClOrdId), std::move(entry));
    if (fresh) enter(known->second);
}

void RestingOrders::report(const std::string& cl_ord_id, std::string_view status) {
    const auto found = orders_.find(cl_ord_id);
    if (found == orders_.end()) return;
    Order& order = found->second;
    const bool done = ends_order(status, order.lasting);
    if (done == std::exchange(order.done, done)) return;
    if (done)
        leave(order);
    else
        enter(order);
}

bool RestingOrders::rests(const std::string& cl_ord_id) const {
    const auto found = orders_.find(cl_ord_id);
    return found != orders_.end() && !found->second.done;
}

void RestingOrders::forget(const std::string& cl_ord_id) {
    if (!rests(cl_ord_id)) orders_.erase(cl_ord_id);
}

std::vector<std::string> RestingOrders::end_day() {
    std::vector<std::string> ended;
    for (const auto& [cl_ord_id, order] : orders_)
        if (!order.done && !order.lasting) ended.push_back(cl_ord_id);
    for (const std::string& cl_ord_id : ended) report(cl_ord_id, kDoneForDay);
    return ended;
}

bool RestingOrders::meets(const std::string& symbol, bool buys, std::optional<std::int64_t> price) const {
    const std::optional<std::int64_t> met = best(symbol, !buys);
    if (!met || !price) return met.has_value();
    return buys ? *price >= *met : *price <= *met;
}

std::optional<std::int64_t> RestingOrders::best(const std::string& symbol, bool buys) const {
    const auto found = resting_.find(symbol);
    if (found == resting_.end()) return std::nullopt;
    const Prices& prices = found->second;
    if ((buys ? prices.bids : prices.offers).empty()) return std::nullopt;
    return buys ? *prices.bids.rbegin() : *prices.offers.begin();
}

std::uint64_t RestingOrders::changed(const std::string& symbol) const {
    const auto found = resting_.find(symbol);
    return found == resting_.end() ? 0 : found->second.changed;
}

std::vector<RestingOrder> RestingOrders::all() const {
    std::vector<RestingOrder> found;
    for (const auto& [cl_ord_id, order] : orders_)
        if (!order.done)
            found.push_back({cl_ord_id, order.symbol, order.buys ? "buy" : "sell", order.price_text});
    return found;
}

nlohmann::json RestingOrders::snapshot() const {
    nlohmann::json orders = nlohmann::json::array();
    for (const auto& [cl_ord_id, order] : orders_)
        orders.push_back({bytes_to_text(cl_ord_id), bytes_to_text(order.symbol),
                          bytes_to_text(order.price_text), order.buys, order.lasting, order.price,
                          order.done});
    nlohmann::json changed = nlohmann::json::array();
    for (const auto& [symbol, prices] : resting_) changed.push_back({bytes_to_text(symbol), prices.changed});
    return {{"orders", std::move(orders)}, {"changed", std::move(changed)}, {"changes", changes_}};
}

void RestingOrders::restore(const nlohmann::json& snapshot) {
    *this = {};
    const auto text = [](const nlohmann::json& entry) { return text_to_bytes(entry.get<std::string>()); };
    for (const nlohmann::json& each : snapshot.at("orders")) {
        const Order order{text(each.at(1)),
                          text(each.at(2)),
                          each.at(3).get<bool>(),
                          each.at(4).get<bool>(),
                          each.at(5).get<std::int64_t>(),
                          each.at(6).get<bool>()};
        orders_.emplace(text(each.at(0)), order);
        if (!order.done) enter(order);
    }
    for (const nlohmann::json& each : snapshot.at("changed"))
        resting_[text(each.at(0))].changed = each.at(1).get<std::uint64_t>();
    changes_ = snapshot.at("changes").get<std::uint64_t>();
}

}  // namespace fixaccel
