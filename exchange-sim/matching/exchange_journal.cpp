// SPDX-License-Identifier: Apache-2.0
#include "matching/exchange_journal.hpp"

namespace fixaccel::exchange {
namespace {

struct Again {
    Exchange& exchange;

    CancelOutcome operator()(const EnterCall& call) const { return {exchange.enter(call.ticket), {}}; }
    CancelOutcome operator()(const CancelCall& call) const { return exchange.cancel(call.ticket); }
    CancelOutcome operator()(const ReplaceCall& call) const { return exchange.replace(call.ticket); }
    CancelOutcome operator()(const MassCancelCall& call) const {
        return {exchange.mass_cancel(call.owner, call.instrument, call.side, call.text), {}};
    }
    CancelOutcome operator()(const TakeOutCall& call) const {
        return {exchange.take_out(call.order, call.text), {}};
    }
    CancelOutcome operator()(const UseCall& call) const {
        exchange.use(call.owner, call.cl_ord_id);
        return {};
    }
    CancelOutcome operator()(const QuoteCall& call) const {
        return {exchange.quote(call.symbol, call.bid, call.ask), {}};
    }
    CancelOutcome operator()(const TradeCall& call) const {
        return {exchange.trade(call.symbol, call.price, call.quantity), {}};
    }
    CancelOutcome operator()(const HouseOrderCall& call) const {
        return {exchange.house_order(call.symbol, call.side, call.type, call.tif, call.price, call.quantity,
                                     call.trigger),
                {}};
    }
    CancelOutcome operator()(const SayCall& call) const { return {exchange.say(call.message), {}}; }
    CancelOutcome operator()(const TimeCall& call) const { return {exchange.set_time(call.time_ns), {}}; }
    CancelOutcome operator()(const ForgetCall&) const {
        exchange.forget_finished();
        return {};
    }
};

}  // namespace

CancelOutcome apply_call(Exchange& exchange, const ExchangeCall& call) {
    return std::visit(Again{exchange}, call);
}

}  // namespace fixaccel::exchange
