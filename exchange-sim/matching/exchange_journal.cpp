// SPDX-License-Identifier: Apache-2.0
#include "matching/exchange_journal.hpp"

namespace fixaccel::exchange {
namespace {

const std::vector<Execution> kNone;

CallResult result_of(const CancelOutcome& outcome) {
    return {outcome.executions, outcome.reject ? &*outcome.reject : nullptr};
}

struct Again {
    Exchange& exchange;

    CallResult operator()(const EnterCall& call) const { return {exchange.enter(call)}; }
    CallResult operator()(const CancelCall& call) const { return result_of(exchange.cancel(call)); }
    CallResult operator()(const ReplaceCall& call) const { return result_of(exchange.replace(call)); }
    CallResult operator()(const MassCancelCall& call) const {
        return {exchange.mass_cancel(call.owner, call.instrument, call.side, call.text)};
    }
    CallResult operator()(const TakeOutCall& call) const {
        return {exchange.take_out(call.order, call.text)};
    }
    CallResult operator()(const UseCall& call) const {
        exchange.use(call.owner, call.cl_ord_id);
        return {kNone};
    }
    CallResult operator()(const QuoteCall& call) const {
        return {exchange.quote(call.symbol, call.bid, call.ask)};
    }
    CallResult operator()(const TradeCall& call) const {
        return {exchange.trade(call.symbol, call.price, call.quantity)};
    }
    CallResult operator()(const HouseOrderCall& call) const {
        return {exchange.house_order(call.symbol, call.side, call.type, call.tif, call.price, call.quantity,
                                     call.trigger)};
    }
    CallResult operator()(const SayCall& call) const { return {exchange.say(call.message)}; }
    CallResult operator()(const ForgetCall&) const {
        exchange.forget_finished();
        return {kNone};
    }
    CallResult operator()(const TimeCall& call) const {
        exchange.keep_time();
        return {exchange.set_time(call.time_ns)};
    }
};

}  // namespace

CallResult apply_call(Exchange& exchange, const ExchangeCall& call) {
    return std::visit(Again{exchange}, call);
}

}  // namespace fixaccel::exchange
