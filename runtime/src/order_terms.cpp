// SPDX-License-Identifier: Apache-2.0
#include "order_terms.hpp"

#include "fixaccel/decimal.hpp"
#include "fixaccel/fire.hpp"

namespace fixaccel {

void describe_order(std::string_view message, Record& record) {
    record["side"] = fix_field(message, 54) == "1" ? "buy" : "sell";
    record["qty"] = plain_number(fix_field(message, 38));
    record["type_of_order"] = fix_field(message, 40) == "1" ? "market" : "limit";
    if (const std::string_view price = fix_field(message, 44); !price.empty())
        record["price"] = plain_number(price);
}

void describe_order(const LoadedRule& rule, Record& record) {
    record["side"] = rule.side;
    record["qty"] = rule.qty;
    record["type_of_order"] = rule.type;
    if (!rule.price.empty()) record["price"] = rule.price;
}

}  // namespace fixaccel
