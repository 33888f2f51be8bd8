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

using EnterCall = OrderTicket;
using CancelCall = CancelTicket;
using ReplaceCall = ReplaceTicket;

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

struct ForgetCall {};

// What the clock says, where something waits for it.
struct TimeCall {
    std::int64_t time_ns = 0;
};

// Their order is what stores name them by: new ones go to the end.
using ExchangeCall = std::variant<EnterCall, CancelCall, ReplaceCall, MassCancelCall, TakeOutCall, UseCall,
                                  QuoteCall, TradeCall, HouseOrderCall, SayCall, ForgetCall, TimeCall>;

template <typename Calls>
struct ViewOf;
template <typename... Calls>
struct ViewOf<std::variant<Calls...>> {
    using Type = std::variant<const Calls*...>;
};
// A call that somebody else holds: orders' texts are not copied for those who only look.
using CallView = ViewOf<ExchangeCall>::Type;

inline CallView view_of(const ExchangeCall& call) {
    return std::visit([](const auto& held) { return CallView(&held); }, call);
}

class ExchangeJournal {
  public:
    virtual ~ExchangeJournal() = default;
    // Before the exchange does it. The call is there until this returns.
    virtual void on_call(const CallView& call) = 0;
    // The calls in between are published together.
    virtual void begin_together() {}
    virtual void end_together() {}
};

template <typename Call>
void Exchange::tell(const Call& call) {
    for (ExchangeJournal* journal : journals_) journal->on_call(&call);
}

// What came of a call; valid until the exchange's next one.
struct CallResult {
    const std::vector<Execution>& executions;
    const CancelReject* reject = nullptr;  // of a cancel or a replace
};

// Makes a call again. Throws std::invalid_argument for a symbol that is not traded.
CallResult apply_call(Exchange& exchange, const ExchangeCall& call);

}  // namespace fixaccel::exchange
