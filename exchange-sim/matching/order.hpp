// SPDX-License-Identifier: Apache-2.0
// Orders, what happens to them, and what clients ask for, with the texts in which they were written.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "matching/instrument.hpp"
#include "matching/messages.hpp"
#include "matching/types.hpp"

namespace fixaccel::exchange {

// An order as the client wrote it: FIX codes and texts, not yet checked.
struct OrderTicket {
    std::string owner;              // the client's CompID
    std::string cl_ord_id;          // 11
    std::string symbol;             // 55
    std::string side;               // 54
    std::string ord_type;           // 40
    std::string tif;                // 59, empty is day
    std::string quantity;           // 38
    std::string price;              // 44
    std::string account;            // 1
    std::string stop_price = {};    // 99
    std::string max_floor = {};     // 111
    std::string min_quantity = {};  // 110
    std::string instruction = {};   // one that the venue does not follow, as in "ExecInst(18)=G"
};

// Its texts, by the names that records give them.
struct TicketField {
    const char* name;
    std::string OrderTicket::*text;
};
inline constexpr std::array kTicketFields = {
    TicketField{"client", &OrderTicket::owner},
    TicketField{"cl_ord_id", &OrderTicket::cl_ord_id},
    TicketField{"symbol", &OrderTicket::symbol},
    TicketField{"side", &OrderTicket::side},
    TicketField{"qty", &OrderTicket::quantity},
    TicketField{"ord_type", &OrderTicket::ord_type},
    TicketField{"price", &OrderTicket::price},
    TicketField{"stop_price", &OrderTicket::stop_price},
    TicketField{"tif", &OrderTicket::tif},
    TicketField{"account", &OrderTicket::account},
    TicketField{"max_floor", &OrderTicket::max_floor},
    TicketField{"min_qty", &OrderTicket::min_quantity},
    TicketField{"instruction", &OrderTicket::instruction},
};

// A cancel request as the client wrote it.
struct CancelTicket {
    std::string owner;
    std::string cl_ord_id;       // 11, of the request
    std::string orig_cl_ord_id;  // 41, of the order
    std::string symbol;          // 55
    std::string side = {};       // 54; empty: not compared
};

// A replace request as the client wrote it: the terms from then on, with the ClOrdID of the request.
struct ReplaceTicket {
    OrderTicket terms;
    std::string orig_cl_ord_id;  // 41, of the order
};

struct Order {
    OrderId id = 0;
    const Instrument* instrument = nullptr;  // none if the symbol is unknown
    InstrumentIndex index = 0;
    Owner owner = kNobody;
    Price price = 0;
    Price trigger = 0;
    Quantity quantity = 0;
    Quantity display = 0;
    Quantity minimum = 0;
    Quantity cum_quantity = 0;
    Quantity leaves_quantity = 0;
    Notional notional = 0;   // sum of price x quantity over its trades
    OrderId in_engine = 0;   // what the engine calls it
    std::uint32_t slot = 0;  // where it is kept, which is the engine's reference
    Side side = Side::kBuy;
    OrderType type = OrderType::kLimit;
    TimeInForce tif = TimeInForce::kDay;
    OrderStatus status = OrderStatus::kNew;
    bool house = false;
    bool triggered = false;  // its trigger was reached: it is a market or limit order now
    OrderTicket ticket;
};

// One thing that happened to one order, with the order's state right after it.
struct Execution {
    std::uint64_t id = 0;
    OrderId order = 0;
    ExecType type = ExecType::kNew;
    OrderStatus status = OrderStatus::kNew;
    Quantity last_quantity = 0;
    Price last_price = 0;
    OrderId counterparty = 0;  // the other order of a trade, 0 if there is none
    Quantity cum_quantity = 0;
    Quantity leaves_quantity = 0;
    Notional notional = 0;
    int reject_reason = 0;  // FIX OrdRejReason(103)
    std::string text = {};
    std::string cancel_cl_ord_id = {};    // the request's ClOrdID where a client canceled the order
    std::string replaced_cl_ord_id = {};  // the order's ClOrdID before, where a client replaced it
};

struct CancelReject {
    // FIX CxlRejReason(102).
    static constexpr int kTooLate = 0;
    static constexpr int kUnknownOrder = 1;
    static constexpr int kBrokerOption = 2;
    static constexpr int kDuplicateClOrdId = 6;
    static constexpr int kOther = 99;

    OrderId order = 0;  // 0 if there is no such order
    OrderStatus status = OrderStatus::kRejected;
    int reason = kTooLate;
    std::string text;
};

struct CancelOutcome {
    std::vector<Execution> executions;
    std::optional<CancelReject> reject;
};

struct MarketSnapshot {
    std::vector<Level> bids;
    std::vector<Level> asks;
    std::optional<Print> last;
};

// A price and a size that the house shows on one side.
struct Quote {
    Price price = 0;
    Quantity quantity = 0;
};

}  // namespace fixaccel::exchange
