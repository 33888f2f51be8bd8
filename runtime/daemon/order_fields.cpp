// SPDX-License-Identifier: Apache-2.0
#include "order_fields.hpp"

namespace fixaccel {

void pad_decimals(std::string& price, const std::string& unit) {
    const auto decimals = [](const std::string& number) {
        const std::size_t point = number.find('.');
        return point == std::string::npos ? 0 : number.size() - point - 1;
    };
    const std::size_t wanted = decimals(unit);
    const std::size_t has = decimals(price);
    if (has >= wanted) return;
    if (has == 0) price += '.';
    price.append(wanted - has, '0');
}

std::string_view type_code(const std::string& type) { return type == "market" ? "1" : "2"; }

std::string_view side_code(const std::string& side) { return side == "buy" ? "1" : "2"; }

FixFields order_fields(const OrderTerms& terms, const std::string& cl_ord_id, const std::string& unit) {
    FixFields body;
    if (!terms.account.empty()) body.emplace_back(1, terms.account);
    body.emplace_back(11, cl_ord_id);
    body.emplace_back(21, "1");  // automated execution, no broker intervention
    body.emplace_back(38, terms.qty);
    body.emplace_back(40, std::string(type_code(terms.type)));
    if (!terms.price.empty()) {
        body.emplace_back(44, terms.price);
        pad_decimals(body.back().second, unit);
    }
    body.emplace_back(54, std::string(side_code(terms.side)));
    body.emplace_back(55, terms.symbol);
    body.emplace_back(59, std::string(tif_code(terms.tif)));
    return body;
}

std::string limit_text(GateOutcome outcome) {
    switch (outcome) {
        case GateOutcome::order_notional:
            return "order_notional";
        case GateOutcome::collar:
            return "collar";
        case GateOutcome::self_trade:
            return "self_trade";
        case GateOutcome::repeat:
            return "repeat";
        case GateOutcome::orders_per_second:
            return "orders_per_second";
        case GateOutcome::total_orders:
            return "total_orders";
        case GateOutcome::total_qty:
            return "total_qty";
        case GateOutcome::filled:
            return "filled";
        case GateOutcome::order_qty:
            return "order_qty";
        case GateOutcome::sent:
        case GateOutcome::withheld:
            break;
    }
    return "unknown";
}

}  // namespace fixaccel
