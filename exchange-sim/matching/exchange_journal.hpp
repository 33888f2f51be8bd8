// SPDX-License-Identifier: Apache-2.0
// What an exchange is told to do, as data: the calls, in the order in which it takes them, are all that
// decides what it does. Taken down and made again on an exchange of the same instruments, they give the same
// executions.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "matching/exchange.hpp"

namespace fixaccel::exchange {

struct EnterCall {
    OrderTicket ticket;
};

struct CancelCall {
    CancelTicket ticket;
};

struct ReplaceCall {
    ReplaceTicket ticket;
};

struct MassCancelCall {
    std::string owner;
    InstrumentIndex instrument = kAllInstruments;
    std::optional<Side> side;
    std::string text;
};

struct TakeOutCall {
    OrderId order = 0;
    std::string text;
};

struct UseCall {
    std::string owner;
    std::string cl_ord_id;
};

struct QuoteCall {
    std::string symbol;
    std::optional<Quote> bid;
    std::optional<Quote> ask;
};

struct TradeCall {
    std::string symbol;
    Price price = 0;
    Quantity quantity = 0;
};

struct HouseOrderCall {
    std::string symbol;
    Side side = Side::kBuy;
    OrderType type = OrderType::kLimit;
    TimeInForce tif = TimeInForce::kDay;
    Price price = 0;
    Quantity quantity = 0;
    Price trigger = 0;
};

struct SayCall {
    Message message;
};

// What the clock says, where something waits for it.
struct TimeCall {
    std::int64_t time_ns = 0;
};

struct ForgetCall {};

using ExchangeCall = std::variant<EnterCall, CancelCall, ReplaceCall, MassCancelCall, TakeOutCall, UseCall,
                                  QuoteCall, TradeCall, HouseOrderCall, SayCall, TimeCall, ForgetCall>;

class ExchangeJournal {
  public:
    virtual ~ExchangeJournal() = default;
    // Before the exchange does it.
    virtual void on_call(const ExchangeCall& call) = 0;
    // The calls in between are published together.
    virtual void begin_together() = 0;
    virtual void end_together() = 0;
};

// Makes a call again; what came of it. Throws std::invalid_argument for a symbol that is not traded.
CancelOutcome apply_call(Exchange& exchange, const ExchangeCall& call);

}  // namespace fixaccel::exchange
