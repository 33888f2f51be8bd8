// SPDX-License-Identifier: Apache-2.0
// Requests about orders: D, F, G, q, H and AF.
#include <array>
#include <utility>

#include "venue/gateway.hpp"
#include "venue/reports.hpp"
#include "venue/tags.hpp"
#include "venue/unfollowed.hpp"

namespace fixaccel::exchange {
namespace {

// Tags that FIX 4.4 requires; 44 depends on the order type and is judged with the order itself.
constexpr std::array kOrderTags = {tag::kClOrdId,  tag::kSymbol,       tag::kSide,
                                   tag::kOrderQty, tag::kTransactTime, tag::kOrdType};
constexpr std::array kCancelTags = {tag::kClOrdId, tag::kOrigClOrdId, tag::kSymbol, tag::kSide,
                                    tag::kTransactTime};
constexpr std::array kReplaceTags = {tag::kClOrdId,  tag::kOrigClOrdId,  tag::kSymbol, tag::kSide,
                                     tag::kOrderQty, tag::kTransactTime, tag::kOrdType};
constexpr std::array kStatusTags = {tag::kClOrdId, tag::kSymbol, tag::kSide};
constexpr std::array kMassCancelTags = {tag::kClOrdId, tag::kMassCancelRequestType, tag::kTransactTime};
constexpr const char* kUnknownId = "1";  // BusinessRejectReason(380)
constexpr std::array kMassStatusTags = {tag::kMassStatusReqId, tag::kMassStatusReqType};

template <typename Tags>
int first_missing(const IncomingMessage& message, const Tags& tags) {
    for (const int wanted : tags) {
        if (message.find(wanted) == nullptr) return wanted;
    }
    return 0;
}

OrderTicket order_ticket(const IncomingMessage& message) {
    OrderTicket ticket;
    ticket.owner = message.client;
    for (const Field& field : message.fields) {
        switch (field.tag) {
            case tag::kClOrdId:
                ticket.cl_ord_id = field.text;
                break;
            case tag::kSymbol:
                ticket.symbol = field.text;
                break;
            case tag::kSide:
                ticket.side = field.text;
                break;
            case tag::kOrdType:
                ticket.ord_type = field.text;
                break;
            case tag::kTimeInForce:
                ticket.tif = field.text;
                break;
            case tag::kOrderQty:
                ticket.quantity = field.text;
                break;
            case tag::kPrice:
                ticket.price = field.text;
                break;
            case tag::kAccount:
                ticket.account = field.text;
                break;
            case tag::kStopPx:
                ticket.stop_price = field.text;
                break;
            case tag::kMaxFloor:
                ticket.max_floor = field.text;
                break;
            case tag::kMinQty:
                ticket.min_quantity = field.text;
                break;
            default:
                if (!ticket.instruction.empty()) break;
                if (const Unfollowed* what = unfollowed(field, kOrderUnfollowed))
                    ticket.instruction = named(*what, field.text);
                break;
        }
    }
    return ticket;
}

// No value: nothing is asked for, or something that is no side; `known` says which.
std::optional<Side> side_of(const IncomingMessage& message, bool& known) {
    const std::string code = message.text(tag::kSide);
    known = code.empty() || code == side_code(Side::kBuy) || code == side_code(Side::kSell);
    if (code.empty() || !known) return std::nullopt;
    return code == side_code(Side::kBuy) ? Side::kBuy : Side::kSell;
}

}  // namespace

void Gateway::take_message(const IncomingMessage& message) {
    const std::string type = message.text(tag::kMsgType);
    if (type == "D") {
        take_order(message);
    } else if (type == "F") {
        take_cancel(message);
    } else if (type == "G") {
        take_replace(message);
    } else if (type == "q") {
        take_mass_cancel(message);
    } else if (type == "H") {
        take_status_request(message);
    } else if (type == "AF") {
        take_mass_status_request(message);
    } else if (type == "V") {
        take_market_data_request(message);
    }
}

void Gateway::refuse_missing(const IncomingMessage& message, int missing) {
    refuse(message, "5", "Conditionally Required Field Missing (" + std::to_string(missing) + ")");
}

// `reason` is BusinessRejectReason(380).
void Gateway::refuse(const IncomingMessage& message, const std::string& reason, const std::string& text) {
    post(message.client, business_reject(message, reason, text));
}

bool Gateway::answer_again(const IncomingMessage& message) {
    if (message.text(tag::kPossResend) != "Y") return false;
    const Order* order = exchange_.find_order(message.client, message.text(tag::kClOrdId));
    if (order == nullptr) return false;
    if (recorder_.enabled()) {
        Json line = header_line(message);
        line["cl_ord_id"] = message.text(tag::kClOrdId);
        line["known"] = true;
        recorder_.write("possible_resend", std::move(line));
    }
    post(message.client, status_report(message, order));
    return true;
}

// A request may name its order twice: both must mean the same one.
bool Gateway::names_another(const IncomingMessage& message, int id) {
    const std::string* named = message.find(tag::kOrderId);
    if (named == nullptr) return false;
    const Order* order = exchange_.find_order(message.client, message.text(id));
    if (order == nullptr || *named == order_id_text(order->id)) return false;
    refuse(message, kUnknownId,
           "OrderID(37)=" + *named + " is not that of " + message.text(id) + ", which is " +
               order_id_text(order->id));
    return true;
}

void Gateway::take_order(const IncomingMessage& message) {
    if (const int missing = first_missing(message, kOrderTags)) return refuse_missing(message, missing);
    if (answer_again(message)) return;
    const std::vector<Execution>& executions = exchange_.enter(order_ticket(message));
    const Execution& first = executions.front();
    const bool accepted = first.type != ExecType::kRejected;
    if (recorder_.enabled())
        recorder_.write("order", order_line(message, exchange_.order(first.order), accepted, first.text));
    report(executions);
    if (accepted) clients_.order_accepted();
}

void Gateway::take_cancel(const IncomingMessage& message) {
    if (const int missing = first_missing(message, kCancelTags)) return refuse_missing(message, missing);
    if (answer_again(message)) return;
    if (names_another(message, tag::kOrigClOrdId)) return;
    const CancelTicket ticket{.owner = message.client,
                              .cl_ord_id = message.text(tag::kClOrdId),
                              .orig_cl_ord_id = message.text(tag::kOrigClOrdId),
                              .symbol = message.text(tag::kSymbol),
                              .side = message.text(tag::kSide)};
    answer(message, ticket, exchange_.cancel(ticket));
}

void Gateway::take_replace(const IncomingMessage& message) {
    if (const int missing = first_missing(message, kReplaceTags)) return refuse_missing(message, missing);
    if (answer_again(message)) return;
    if (names_another(message, tag::kOrigClOrdId)) return;
    const OrderTicket terms = order_ticket(message);
    const std::string order = message.text(tag::kOrigClOrdId);
    answer(message, {terms.owner, terms.cl_ord_id, order, terms.symbol}, exchange_.replace({terms, order}));
}

void Gateway::answer(const IncomingMessage& message, const CancelTicket& ticket,
                     const CancelOutcome& outcome) {
    const bool replaces = message.text(tag::kMsgType) == "G";
    if (recorder_.enabled()) {
        Json line = header_line(message);
        line["cl_ord_id"] = ticket.cl_ord_id;
        line["orig_cl_ord_id"] = ticket.orig_cl_ord_id;
        line["symbol"] = ticket.symbol;
        if (replaces) {
            line["qty"] = message.text(tag::kOrderQty);
            line["price"] = message.text(tag::kPrice);
        }
        line["status"] = outcome.reject ? "rejected" : "accepted";
        line["text"] = outcome.reject ? outcome.reject->text : "";
        recorder_.write(replaces ? "replace" : "cancel", std::move(line));
    }
    report(outcome.executions);
    if (outcome.reject)
        post(message.client, cancel_reject(ticket, *outcome.reject, replaces ? kToReplace : kToCancel));
}

void Gateway::take_mass_cancel(const IncomingMessage& message) {
    if (const int missing = first_missing(message, kMassCancelTags)) return refuse_missing(message, missing);
    const std::string type = message.text(tag::kMassCancelRequestType);
    const std::string id = message.text(tag::kClOrdId);
    const std::string symbol = message.text(tag::kSymbol);
    bool side_known = false;
    const std::optional<Side> side = side_of(message, side_known);
    MassCancelAnswer answer;
    if (type == kOfSecurity && symbol.empty()) return refuse_missing(message, tag::kSymbol);
    if (type != kOfSecurity && type != kOfAll) {
        answer.reject_reason = "0";  // not supported
        answer.text = "MassCancelRequestType(530)=" + type + " is not supported; 1 is of a security, 7 all";
    } else if (type == kOfSecurity && exchange_.find(symbol) == nullptr) {
        answer.reject_reason = "1";  // unknown security
        answer.text = "unknown symbol '" + symbol + "'";
    } else if (!side_known) {
        answer.reject_reason = "99";
        answer.text = "Side(54)=" + message.text(tag::kSide) + " is not supported; 1 buys, 2 sells";
    } else if (exchange_.used(message.client, id)) {
        answer.reject_reason = "99";
        answer.text = "ClOrdID(11)=" + id + " was used before";
    } else if (const auto narrower = unfollowed(message, kMassUnfollowed)) {
        answer.reject_reason = "99";
        answer.text = narrower->text;
    }
    const bool refused = !answer.reject_reason.empty();
    const InstrumentIndex index =
        type == kOfSecurity && !refused ? exchange_.index_of(symbol) : kAllInstruments;
    if (!refused) exchange_.use(message.client, id);
    if (!refused) answer.affected = exchange_.open_orders(message.client, index, side).size();
    if (recorder_.enabled()) {
        Json line = header_line(message);
        line["cl_ord_id"] = id;
        line["symbol"] = symbol;
        line["type"] = type;
        line["affected"] = answer.affected;
        line["status"] = refused ? "rejected" : "accepted";
        line["text"] = answer.text;
        recorder_.write("mass_cancel", std::move(line));
    }
    // The input is safe before anything is said of it, so it comes first.
    const auto* canceled = refused ? nullptr : &exchange_.mass_cancel(message.client, index, side, "");
    if (journal_) journal_->flush();
    post(message.client, mass_cancel_report(message, answer));
    if (canceled != nullptr) report(*canceled);
}

void Gateway::take_status_request(const IncomingMessage& message) {
    if (const int missing = first_missing(message, kStatusTags)) return refuse_missing(message, missing);
    if (names_another(message, tag::kClOrdId)) return;
    const Order* order = exchange_.find_order(message.client, message.text(tag::kClOrdId));
    if (order != nullptr && (order->ticket.symbol != message.text(tag::kSymbol) ||
                             order->ticket.side != message.text(tag::kSide)))
        order = nullptr;
    if (recorder_.enabled()) {
        Json line = header_line(message);
        line["cl_ord_id"] = message.text(tag::kClOrdId);
        line["known"] = order != nullptr;
        recorder_.write("order_status", std::move(line));
    }
    post(message.client, status_report(message, order));
}

void Gateway::take_mass_status_request(const IncomingMessage& message) {
    if (const int missing = first_missing(message, kMassStatusTags)) return refuse_missing(message, missing);
    const std::string type = message.text(tag::kMassStatusReqType);
    const std::string symbol = message.text(tag::kSymbol);
    bool side_known = false;
    const std::optional<Side> side = side_of(message, side_known);
    if (type == kOfSecurity && symbol.empty()) return refuse_missing(message, tag::kSymbol);
    std::string why;
    if (type != kOfSecurity && type != kOfAll)
        why = "MassStatusReqType(585)=" + type + " is not supported; 1 is of a security, 7 all";
    else if (type == kOfSecurity && exchange_.find(symbol) == nullptr)
        why = "unknown symbol '" + symbol + "'";
    else if (!side_known)
        why = "Side(54)=" + message.text(tag::kSide) + " is not supported; 1 buys, 2 sells";
    else if (const auto narrower = unfollowed(message, kMassUnfollowed))
        why = narrower->text;
    std::vector<const Order*> orders;
    if (why.empty())
        orders = exchange_.open_orders(
            message.client, type == kOfSecurity ? exchange_.index_of(symbol) : kAllInstruments, side);
    if (recorder_.enabled()) {
        Json line = header_line(message);
        line["mass_status_req_id"] = message.text(tag::kMassStatusReqId);
        line["orders"] = orders.size();
        line["text"] = why;
        recorder_.write("mass_status", std::move(line));
    }
    if (orders.empty()) {
        post(message.client,
             mass_status_report(message, nullptr, 0, true, why.empty() ? "there is no open order" : why));
        return;
    }
    for (std::size_t at = 0; at < orders.size(); ++at)
        post(message.client,
             mass_status_report(message, orders[at], orders.size(), at + 1 == orders.size(), ""));
}

}  // namespace fixaccel::exchange
