// SPDX-License-Identifier: Apache-2.0
#include "venue/record_lines.hpp"

#include "venue/reports.hpp"

namespace fixaccel::exchange {
namespace {

// Numbers of the header are digits of any width; a text that is none stays a text.
Json number_or_text(const std::string& text) {
    if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
        return text;
    return std::stoll(text);
}

std::string text_of(const Fields& fields, int tag) {
    for (const Field& field : fields) {
        if (field.tag == tag) return field.text;
    }
    return "";
}

// The word for a FIX code that counts from 0.
std::string word_of(const std::string& code, const std::vector<std::string>& words) {
    return words.at(std::stoul(code));
}

std::string owner_of(const Order& order) { return order.house ? "house" : order.ticket.owner; }

std::string price_text(const Order& order, Price price) { return order.instrument->format_price(price); }

}  // namespace

Json header_line(const IncomingMessage& message) {
    return {{"client", message.client},
            {"msg_seq_num", number_or_text(message.text(tag::kMsgSeqNum))},
            {"poss_dup", message.text(tag::kPossDupFlag) == "Y"},
            {"sending_time", message.text(tag::kSendingTime)}};
}

Json order_line(const IncomingMessage& message, const Order& order, bool accepted, const std::string& text) {
    Json line = header_line(message);
    line["order_id"] = order_id_text(order.id);
    line["cl_ord_id"] = order.ticket.cl_ord_id;
    line["symbol"] = order.ticket.symbol;
    line["side"] = order.ticket.side;
    line["qty"] = order.ticket.quantity;
    line["ord_type"] = order.ticket.ord_type;
    line["price"] = order.ticket.price;
    line["tif"] = order.ticket.tif;
    line["account"] = order.ticket.account;
    line["transact_time"] = message.text(tag::kTransactTime);
    line["status"] = accepted ? "accepted" : "rejected";
    line["text"] = text;
    return line;
}

Json execution_line(const Order& order, const Execution& execution, int msg_seq_num) {
    const bool trade = execution.type == ExecType::kTrade;
    return {{"client", order.ticket.owner},
            {"msg_seq_num", msg_seq_num},
            {"order_id", order_id_text(order.id)},
            {"exec_id", exec_id_text(execution.id)},
            {"cl_ord_id", order.ticket.cl_ord_id},
            {"symbol", order.ticket.symbol},
            {"exec_type", to_text(execution.type)},
            {"status", to_text(execution.status)},
            {"last_qty", execution.last_quantity},
            {"last_px", trade ? price_text(order, execution.last_price) : ""},
            {"cum_qty", execution.cum_quantity},
            {"leaves_qty", execution.leaves_quantity},
            {"avg_px", average_text(order, execution)},
            {"text", execution.text}};
}

Json trade_line(const Exchange& exchange, const Execution& execution) {
    const Order& taker = exchange.order(execution.order);
    const Order& maker = exchange.order(execution.counterparty);
    const bool buys = taker.side == Side::kBuy;
    const Order& buyer = buys ? taker : maker;
    const Order& seller = buys ? maker : taker;
    return {{"symbol", taker.ticket.symbol},
            {"price", price_text(taker, execution.last_price)},
            {"qty", execution.last_quantity},
            {"buyer", owner_of(buyer)},
            {"buy_order_id", order_id_text(buyer.id)},
            {"seller", owner_of(seller)},
            {"sell_order_id", order_id_text(seller.id)}};
}

Json market_data_line(const std::string& client, const OutgoingMessage& message, int msg_seq_num) {
    Json entries = Json::array();
    for (const Fields& entry : message.groups.front().entries) {
        Json line = {{"type", word_of(text_of(entry, tag::kMdEntryType), {"bid", "ask", "last"})},
                     {"price", text_of(entry, tag::kMdEntryPx)},
                     {"qty", number_or_text(text_of(entry, tag::kMdEntrySize))}};
        const std::string position = text_of(entry, tag::kMdEntryPositionNo);
        if (!position.empty()) line["position"] = number_or_text(position);
        const std::string action = text_of(entry, tag::kMdUpdateAction);
        if (!action.empty()) line["action"] = word_of(action, {"new", "change", "delete"});
        const std::string symbol = text_of(entry, tag::kSymbol);
        if (!symbol.empty()) line["symbol"] = symbol;
        entries.push_back(line);
    }
    return {{"client", client},
            {"msg_seq_num", msg_seq_num},
            {"md_req_id", text_of(message.fields, tag::kMdReqId)},
            {"msg_type", message.type},
            {"symbol", text_of(message.fields, tag::kSymbol)},
            {"entries", entries}};
}

Json summary_line(const Exchange& exchange) {
    Json orders = Json::array();
    for (const Order* next : exchange.orders()) {
        const Order& order = *next;
        if (order.house) continue;
        const bool priced = order.instrument != nullptr && order.cum_quantity > 0;
        orders.push_back(
            {{"client", order.ticket.owner},
             {"order_id", order_id_text(order.id)},
             {"cl_ord_id", order.ticket.cl_ord_id},
             {"symbol", order.ticket.symbol},
             {"side", order.ticket.side},
             {"qty", order.ticket.quantity},
             {"ord_type", order.ticket.ord_type},
             {"price", order.ticket.price},
             {"tif", order.ticket.tif},
             {"account", order.ticket.account},
             {"status", to_text(order.status)},
             {"cum_qty", order.cum_quantity},
             {"leaves_qty", order.leaves_quantity},
             {"avg_px",
              priced ? order.instrument->format_average(order.notional, order.cum_quantity) : "0"}});
    }
    return {{"orders", orders}};
}

}  // namespace fixaccel::exchange
