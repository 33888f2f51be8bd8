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
constexpr std::array kMassStatusTags = {tag::kMassStatusReqId, tag::kMassStatusReqType};
constexpr const char* kNotDelivered = "7";  // BusinessRejectReason(380)

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

// A request may name its order twice: both must mean the same one. Empty: they do.
std::string other_order(const IncomingMessage& message, const Order& order, int cl_ord_id) {
    const std::string* id = message.find(tag::kOrderId);
    const std::string own = order_id_text(order.id);
    if (id == nullptr || *id == own) return "";
    return "OrderID(37)=" + *id + " is not that of " + message.text(cl_ord_id) + ", which is " + own;
}

// Which orders a request about many means.
struct Many {
    InstrumentIndex instrument = kAllInstruments;
    std::optional<Side> side;
    std::string refusal;               // empty: it is none
    const char* cancel_reason = "99";  // MassCancelRejectReason(532)
    const char* status_reason = "99";  // OrdRejReason(103)
};

// `type` is what FIX calls the field that says of what kind they are.
Many many(const IncomingMessage& message, const Field& type, const Exchange& exchange) {
    const std::string asked = type.text + "(" + std::to_string(type.tag) + ")=" + message.text(type.tag);
    const std::string symbol = message.text(tag::kSymbol);
    const bool all = message.text(type.tag) == kOfAll;
    bool side_known = false;
    Many result;
    result.side = side_of(message, side_known);
    if (!all && message.text(type.tag) != kOfSecurity) {
        result.refusal = asked + " is not supported; 1 is of a security, 7 all";
        result.cancel_reason = "0";  // not supported
    } else if (!all && exchange.find(symbol) == nullptr) {
        result.refusal = symbol.empty() ? asked + " is of a security, and Symbol(55) is missing"
                                        : "unknown symbol '" + symbol + "'";
        result.cancel_reason = result.status_reason = "1";  // unknown security
    } else if (!side_known) {
        result.refusal = "Side(54)=" + message.text(tag::kSide) + " is not supported; 1 buys, 2 sells";
    } else if (const auto narrower = unfollowed(message, kMassUnfollowed)) {
        result.refusal = narrower->text;
    } else if (const auto some = unfollowed(message, kAllUnfollowed); all && some) {
        result.refusal = asked + " is of all orders, not of those with " + some->named;
    } else if (!all) {
        result.instrument = exchange.index_of(symbol);
    }
    return result;
}

}  // namespace

void Gateway::take_message(const IncomingMessage& message) {
    const std::string type = message.text(tag::kMsgType);
    const std::string* firm = message.find(tag::kDeliverToCompId);
    if (firm != nullptr && *firm != message.text(tag::kTargetCompId))
        return refuse(message, kNotDelivered,
                      "DeliverToCompID(128)=" + *firm + " is not this venue, which passes nothing on");
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

std::optional<CancelReject> Gateway::contradiction(const IncomingMessage& message) const {
    const auto once = unfollowed(message, kChangeUnfollowed);
    if (!once && message.find(tag::kOrderId) == nullptr) return std::nullopt;
    const Order* order = exchange_.find_order(message.client, message.text(tag::kOrigClOrdId));
    if (order == nullptr) return std::nullopt;  // as the exchange will say
    const std::string other = other_order(message, *order, tag::kOrigClOrdId);
    if (!other.empty()) return CancelReject{0, OrderStatus::kRejected, CancelReject::kUnknownOrder, other};
    if (once) return CancelReject{order->id, order->status, CancelReject::kOther, once->text};
    return std::nullopt;
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
    const CancelTicket ticket{.owner = message.client,
                              .cl_ord_id = message.text(tag::kClOrdId),
                              .orig_cl_ord_id = message.text(tag::kOrigClOrdId),
                              .symbol = message.text(tag::kSymbol),
                              .side = message.text(tag::kSide)};
    if (auto reject = contradiction(message)) return answer(message, ticket, {{}, std::move(reject)});
    answer(message, ticket, exchange_.cancel(ticket));
}

void Gateway::take_replace(const IncomingMessage& message) {
    if (const int missing = first_missing(message, kReplaceTags)) return refuse_missing(message, missing);
    if (answer_again(message)) return;
    const OrderTicket terms = order_ticket(message);
    const std::string order = message.text(tag::kOrigClOrdId);
    const CancelTicket ticket{terms.owner, terms.cl_ord_id, order, terms.symbol};
    if (auto reject = contradiction(message)) return answer(message, ticket, {{}, std::move(reject)});
    answer(message, ticket, exchange_.replace({terms, order}));
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
    const std::string id = message.text(tag::kClOrdId);
    Many asked = many(message, {tag::kMassCancelRequestType, "MassCancelRequestType"}, exchange_);
    if (asked.refusal.empty() && exchange_.used(message.client, id))
        asked.refusal = "ClOrdID(11)=" + id + " was used before";
    const bool refused = !asked.refusal.empty();
    MassCancelAnswer answer{0, refused ? asked.cancel_reason : "", asked.refusal};
    if (!refused) exchange_.use(message.client, id);
    if (!refused)
        answer.affected = exchange_.open_orders(message.client, asked.instrument, asked.side).size();
    if (recorder_.enabled()) {
        Json line = header_line(message);
        line["cl_ord_id"] = id;
        line["symbol"] = message.text(tag::kSymbol);
        line["type"] = message.text(tag::kMassCancelRequestType);
        line["affected"] = answer.affected;
        line["status"] = refused ? "rejected" : "accepted";
        line["text"] = answer.text;
        recorder_.write("mass_cancel", std::move(line));
    }
    // The input is safe before anything is said of it, so it comes first.
    const auto* canceled =
        refused ? nullptr : &exchange_.mass_cancel(message.client, asked.instrument, asked.side, "");
    if (journal_) journal_->flush();
    post(message.client, mass_cancel_report(message, answer));
    if (canceled != nullptr) report(*canceled);
}

void Gateway::take_status_request(const IncomingMessage& message) {
    if (const int missing = first_missing(message, kStatusTags)) return refuse_missing(message, missing);
    const Order* order = exchange_.find_order(message.client, message.text(tag::kClOrdId));
    if (order != nullptr && (order->ticket.symbol != message.text(tag::kSymbol) ||
                             order->ticket.side != message.text(tag::kSide)))
        order = nullptr;
    const std::string other = order == nullptr ? "" : other_order(message, *order, tag::kClOrdId);
    if (!other.empty()) order = nullptr;
    if (recorder_.enabled()) {
        Json line = header_line(message);
        line["cl_ord_id"] = message.text(tag::kClOrdId);
        line["known"] = order != nullptr;
        recorder_.write("order_status", std::move(line));
    }
    post(message.client,
         other.empty() ? status_report(message, order) : status_report(message, order, other));
}

void Gateway::take_mass_status_request(const IncomingMessage& message) {
    if (const int missing = first_missing(message, kMassStatusTags)) return refuse_missing(message, missing);
    const Many asked = many(message, {tag::kMassStatusReqType, "MassStatusReqType"}, exchange_);
    const bool refused = !asked.refusal.empty();
    std::vector<const Order*> orders;
    if (!refused) orders = exchange_.open_orders(message.client, asked.instrument, asked.side);
    if (recorder_.enabled()) {
        Json line = header_line(message);
        line["mass_status_req_id"] = message.text(tag::kMassStatusReqId);
        line["orders"] = orders.size();
        line["text"] = asked.refusal;
        recorder_.write("mass_status", std::move(line));
    }
    // Nobody is to take a refusal for the news that nothing is open.
    if (refused) {
        post(message.client, no_mass_status_report(message, asked.status_reason, asked.refusal));
    } else if (orders.empty()) {
        post(message.client, no_mass_status_report(message, kNoSuchOrder, "there is no open order"));
    }
    for (std::size_t at = 0; at < orders.size(); ++at)
        post(message.client,
             mass_status_report(message, *orders[at], orders.size(), at + 1 == orders.size()));
}

}  // namespace fixaccel::exchange
