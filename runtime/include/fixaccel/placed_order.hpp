// SPDX-License-Identifier: Apache-2.0
// Orders of ours as they were sent, by rules and by hand, and what is asked for by hand.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace fixaccel {

// Of which no ClOrdID of a rule is: there are never so many.
inline constexpr std::uint32_t kRuleByHand = std::numeric_limits<std::uint32_t>::max();

struct OrderTerms {
    std::string symbol;
    std::string side;   // buy, sell
    std::string qty;    // of all of it
    std::string type;   // limit, market
    std::string price;  // decimal text, empty for a market order
    std::string tif;    // day, gtc, ioc, fok, or the venue's own code
    std::string account;

    bool operator==(const OrderTerms&) const = default;
};

// Of NewOrderSingle(D) or OrderCancelReplaceRequest(G).
OrderTerms terms_of(std::string_view message);
// TimeInForce(59) of one of the first four words, empty for anything else.
std::string_view tif_code(std::string_view tif);

struct PlacedOrder {
    OrderTerms terms;
    std::string rule;  // that sent it
    std::string by;    // who asked for it; empty: a rule
    std::int64_t time_ns = 0;
    std::string replaces;  // ClOrdID of the order that it goes on for
    std::string asked;     // ClOrdID of what was asked about it and is not answered
    std::string first{};   // ClOrdID that it had before all replacements

    bool operator==(const PlacedOrder&) const = default;
};

struct HandRequest {
    enum class What { order, cancel, replace };

    What what = What::order;
    std::string by;            // who asks
    std::string cl_ord_id;     // of the message
    std::uint32_t number = 0;  // from which it is made
    std::string order;         // ClOrdID of the order that it is about
    OrderTerms terms;
    std::string counts_qty;  // for so much it counts against total_qty; empty: it is no order
};

const char* request_text(HandRequest::What what);

}  // namespace fixaccel
