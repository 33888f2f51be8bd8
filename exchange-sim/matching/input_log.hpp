// SPDX-License-Identifier: Apache-2.0
// What goes into an exchange, as bytes: the same inputs make the same venue again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "matching/order.hpp"

namespace fixaccel::exchange::input_log {

enum class Kind : std::uint8_t {
    kEnter = 1,
    kCancel,
    kReplace,
    kMassCancel,
    kTakeOut,
    kUse,
    kQuote,
    kTrade,
    kHouseOrder,
    kSay,
    kForget,
    kTime,
};

struct HouseTerms {
    Side side = Side::kBuy;
    OrderType type = OrderType::kLimit;
    TimeInForce tif = TimeInForce::kDay;
    Price price = 0;
    Quantity quantity = 0;
    Price trigger = 0;
};

void enter(std::string& log, const OrderTicket& ticket);
void cancel(std::string& log, const CancelTicket& ticket);
void replace(std::string& log, const ReplaceTicket& ticket);
void mass_cancel(std::string& log, const std::string& owner, InstrumentIndex instrument,
                 std::optional<Side> side, const std::string& text);
void take_out(std::string& log, OrderId order, const std::string& text);
void use(std::string& log, const std::string& owner, const std::string& cl_ord_id);
void quote(std::string& log, const std::string& symbol, const std::optional<Quote>& bid,
           const std::optional<Quote>& ask);
void trade(std::string& log, const std::string& symbol, Price price, Quantity quantity);
void house_order(std::string& log, const std::string& symbol, const HouseTerms& terms);
void say(std::string& log, const Message& message);
void forget(std::string& log);
void time(std::string& log, std::int64_t time_ns);

}  // namespace fixaccel::exchange::input_log
