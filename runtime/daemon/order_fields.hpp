// SPDX-License-Identifier: Apache-2.0
// Orders of the runtime as messages, and the words for what holds them back.
#pragma once

#include <string>
#include <string_view>

#include "fixaccel/fix_session.hpp"
#include "fixaccel/placed_order.hpp"
#include "fixaccel/table.hpp"

namespace fixaccel {

// The fields that the compiler writes into the fabric's templates; the price with as many decimals as `unit`
// has.
FixFields order_fields(const OrderTerms& terms, const std::string& cl_ord_id, const std::string& unit);

// Appends zeros until `price` has as many decimals as `unit`.
void pad_decimals(std::string& price, const std::string& unit);

// OrdType(40).
std::string_view type_code(const std::string& type);

// Side(54).
std::string_view side_code(const std::string& side);

// The name of a limit.
std::string limit_text(GateOutcome outcome);

}  // namespace fixaccel
