// SPDX-License-Identifier: Apache-2.0
#include "control/views.hpp"

#include <algorithm>
#include <chrono>

#include "venue/reports.hpp"

namespace fixaccel::exchange {
namespace {

std::string price_text(const Order& order, Price price) {
    return order.instrument == nullptr ? "" : order.instrument->format_price(price);
}

ControlJson levels(const Instrument& instrument, const std::vector<Level>& side, std::size_t depth) {
    ControlJson out = ControlJson::array();
    const std::size_t count = depth == 0 ? side.size() : std::min(depth, side.size());
    for (std::size_t i = 0; i < count; ++i)
        out.push_back(
            {instrument.format_price(side[i].price), std::to_string(side[i].quantity), side[i].orders});
    return out;
}

// The order as it was right behind an execution, or as it is now.
ControlJson order_state(const Order& order, OrderStatus status, Quantity cum_quantity, Quantity leaves,
                        Notional notional) {
    // One that was rejected may have terms that could not be read.
    const bool read = order.quantity != 0;
    const bool traded = cum_quantity != 0 && order.instrument != nullptr;
    return {{"order", order_id_text(order.id)},
            {"client", order.house ? "house" : order.ticket.owner},
            {"cl_ord_id", order.ticket.cl_ord_id},
            {"symbol", order.instrument == nullptr ? order.ticket.symbol : order.instrument->symbol()},
            {"side", to_text(order.side)},
            {"type", to_text(order.type)},
            {"tif", to_text(order.tif)},
            {"qty", read ? std::to_string(order.quantity) : order.ticket.quantity},
            {"price", has_price(order.type) ? price_text(order, order.price) : ""},
            {"stop_price", has_trigger(order.type) ? price_text(order, order.trigger) : ""},
            {"status", to_text(status)},
            {"cum_qty", std::to_string(cum_quantity)},
            {"leaves_qty", std::to_string(leaves)},
            {"avg_px", traded ? order.instrument->format_average(notional, cum_quantity) : "0"},
            {"house", order.house}};
}

}  // namespace

ControlJson order_view(const Order& order) {
    return order_state(order, order.status, order.cum_quantity, order.leaves_quantity, order.notional);
}

ControlJson order_view(const Order& order, const Execution& execution) {
    const bool trade = execution.type == ExecType::kTrade;
    ControlJson out = order_state(order, execution.status, execution.cum_quantity, execution.leaves_quantity,
                                  execution.notional);
    out["exec_type"] = to_text(execution.type);
    out["last_qty"] = std::to_string(execution.last_quantity);
    out["last_px"] = trade ? price_text(order, execution.last_price) : "";
    out["text"] = execution.text;
    return out;
}

ControlJson trade_view(const TradeHappened& trade) {
    return {{"event", "trade"},
            {"symbol", trade.instrument->symbol()},
            {"price", trade.instrument->format_price(trade.print.price)},
            {"qty", std::to_string(trade.print.quantity)},
            {"time_ns", trade.time_ns},
            {"side", to_text(trade.aggressor)},
            {"buyer", trade.buyer},
            {"seller", trade.seller}};
}

ControlJson message_view(const MessageHappened& message) {
    std::string raw = message.bytes;
    std::replace(raw.begin(), raw.end(), '\x01', '|');
    return {{"event", "message"},
            {"client", message.client},
            {"direction", message.direction == Direction::kIn ? "in" : "out"},
            {"time_ns", message.time_ns},
            {"raw", std::move(raw)}};
}

ControlJson session_view(const VenueClient& client, const SessionStats& stats) {
    return {{"client", client.name},
            {"market_data", client.market_data},
            {"logged_on", stats.logged_on},
            {"next_sender", stats.next_sender},
            {"next_target", stats.next_target},
            {"peer", stats.peer},
            {"messages_in", stats.messages_in},
            {"messages_out", stats.messages_out},
            {"bytes_in", stats.bytes_in},
            {"bytes_out", stats.bytes_out},
            {"outbox", stats.outbox},
            {"outbox_high", stats.outbox_high},
            {"dropped", stats.dropped},
            {"connects", stats.connects},
            {"disconnects", stats.disconnects},
            {"resends", stats.resends}};
}

ControlJson instrument_view(const Instrument& instrument, Phase phase) {
    return {{"symbol", instrument.symbol()},
            {"tick", instrument.format_price(1)},
            {"lot", std::to_string(instrument.lot())},
            {"phase", to_text(phase)}};
}

ControlJson book_view(const BookSeen& book, std::int64_t time_ns, std::size_t depth) {
    ControlJson last;
    if (const auto& print = book.snapshot.last)
        last = {book.instrument->format_price(print->price), std::to_string(print->quantity)};
    return {{"event", "book"},
            {"symbol", book.instrument->symbol()},
            {"time_ns", time_ns},
            {"bids", levels(*book.instrument, book.snapshot.bids, depth)},
            {"asks", levels(*book.instrument, book.snapshot.asks, depth)},
            {"last", std::move(last)},
            {"phase", to_text(book.phase)}};
}

std::int64_t now_ns() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

std::string line_of(const ControlJson& what) {
    return what.dump(-1, ' ', false, ControlJson::error_handler_t::replace) + '\n';
}

}  // namespace fixaccel::exchange
