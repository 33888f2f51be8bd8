// SPDX-License-Identifier: Apache-2.0
#include "record/event_export.hpp"

namespace fixaccel::exchange {
namespace {

// A side that is known to be empty.
constexpr const char* kGone = "-";

}  // namespace

EventExport::EventExport(Exchange& exchange, UpdateType update_type, std::ostream& out)
    : exchange_(exchange), update_type_(update_type), out_(out) {
    out_ << "ts_ns,instrument,kind,bid,bid_size,ask,ask_size,last,last_size,rule\n";
}

void EventExport::row(std::int64_t time_ns, const std::string& symbol, const char* kind, const Side& bid,
                      const Side& ask, const Side& last, const std::string& rule) {
    out_ << time_ns << ',' << symbol << ',' << kind;
    for (const Side* side : {&bid, &ask, &last}) out_ << ',' << side->price << ',' << side->size;
    out_ << ',' << rule << '\n';
}

void EventExport::on_execution(std::int64_t time_ns, const Execution& execution) {
    const Order* order = exchange_.find_order(execution.order);
    if (order == nullptr || order->house || order->instrument == nullptr) return;
    const std::string& id = order->ticket.cl_ord_id;
    // It would be read as another column, and no ClOrdID of ours has one.
    if (id.find_first_of(",\"\r\n") != std::string::npos) return;
    if (execution.type == ExecType::kTrade) {
        row(time_ns, "", "fill", {}, {},
            {order->instrument->format_price(execution.last_price), std::to_string(execution.last_quantity)},
            id);
    } else if (execution.type == ExecType::kRejected) {
        row(time_ns, "", "reject", {}, {}, {}, id);
    } else if (execution.type == ExecType::kCanceled || execution.type == ExecType::kExpired) {
        row(time_ns, "", "done", {}, {}, {}, id);
    }
}

void EventExport::publish(std::int64_t time_ns) {
    for (const Instrument* instrument : exchange_.take_changed()) {
        const std::vector<Print> prints = exchange_.take_prints(instrument->symbol());
        if (update_type_ == UpdateType::kFullRefresh) {
            publish_whole(time_ns, *instrument);
        } else {
            publish_changes(time_ns, *instrument, prints);
        }
    }
}

EventExport::Side EventExport::side_of(const Instrument& instrument, const std::vector<Level>& levels) {
    if (levels.empty()) return {};
    return {instrument.format_price(levels.front().price), std::to_string(levels.front().quantity)};
}

// As 35=W tells it: the best levels and the last trade, each time.
void EventExport::publish_whole(std::int64_t time_ns, const Instrument& instrument) {
    const MarketSnapshot now = exchange_.snapshot(instrument.symbol(), 1);
    Side last;
    if (now.last) last = {instrument.format_price(now.last->price), std::to_string(now.last->quantity)};
    row(time_ns, instrument.symbol(), "snapshot", side_of(instrument, now.bids),
        side_of(instrument, now.asks), last);
}

// As 35=X tells it: what has changed, then each trade.
void EventExport::publish_changes(std::int64_t time_ns, const Instrument& instrument,
                                  const std::vector<Print>& prints) {
    const MarketSnapshot now = exchange_.snapshot(instrument.symbol(), 1);
    Shown& shown = shown_[instrument.symbol()];
    const auto change = [](Side& known, const Side& wanted) -> Side {
        if (known == wanted) return {};
        known = wanted;
        return wanted.price.empty() ? Side{kGone, ""} : wanted;
    };
    Side bid = change(shown.bid, side_of(instrument, now.bids));
    Side ask = change(shown.ask, side_of(instrument, now.asks));
    if (prints.empty() && bid.price.empty() && ask.price.empty()) return;
    Side last;
    for (std::size_t next = 0; next <= prints.size(); ++next) {
        if (next < prints.size())
            last = {instrument.format_price(prints[next].price), std::to_string(prints[next].quantity)};
        else if (!prints.empty())
            break;
        row(time_ns, instrument.symbol(), "", bid, ask, last);
        bid = ask = {};
    }
}

}  // namespace fixaccel::exchange
