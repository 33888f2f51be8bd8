// SPDX-License-Identifier: Apache-2.0
// What FIX lets a client ask for, in fields of its own, and this venue does not do: it is refused by name.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "session/message.hpp"

namespace fixaccel::exchange {

struct Unfollowed {
    int tag;
    const char* name;
    const char* nothing = nullptr;  // a value that asks for no more than the venue does
    const char* reason = "";        // MDReqRejReason(281)
};

// Of an order and its replacement. Fields that only tell of an order ask for nothing, and are free.
inline constexpr std::array kOrderUnfollowed = {
    Unfollowed{18, "ExecInst"},
    Unfollowed{121, "ForexReq", "N"},
    Unfollowed{126, "ExpireTime"},
    Unfollowed{152, "CashOrderQty"},
    Unfollowed{168, "EffectiveTime"},
    Unfollowed{192, "OrderQty2"},
    Unfollowed{210, "MaxShow"},
    Unfollowed{211, "PegOffsetValue"},
    Unfollowed{336, "TradingSessionID"},
    Unfollowed{388, "DiscretionInst"},
    Unfollowed{389, "DiscretionOffsetValue"},
    Unfollowed{423, "PriceType", "2"},
    Unfollowed{432, "ExpireDate"},
    Unfollowed{516, "OrderPercent"},
    Unfollowed{640, "Price2"},
    Unfollowed{847, "TargetStrategy"},
    Unfollowed{849, "ParticipationRate"},
    Unfollowed{854, "QtyType", "0"},
};

// Of requests to change an order: which state of it they mean.
inline constexpr std::array kChangeUnfollowed = {
    Unfollowed{586, "OrigOrdModTime"},
};

// Of requests about many orders, which would mean fewer with it.
inline constexpr std::array kMassUnfollowed = {
    Unfollowed{1, "Account"},
    Unfollowed{309, "UnderlyingSecurityID"},
    Unfollowed{310, "UnderlyingSecurityType"},
    Unfollowed{311, "UnderlyingSymbol"},
    Unfollowed{336, "TradingSessionID"},
    Unfollowed{448, "PartyID"},
    Unfollowed{462, "UnderlyingProduct"},
    Unfollowed{463, "UnderlyingCFICode"},
    Unfollowed{625, "TradingSessionSubID"},
};

// The same, of requests about all orders; of one security they only tell.
inline constexpr std::array kAllUnfollowed = {
    Unfollowed{48, "SecurityID"},        Unfollowed{55, "Symbol"},
    Unfollowed{167, "SecurityType"},     Unfollowed{200, "MaturityMonthYear"},
    Unfollowed{207, "SecurityExchange"}, Unfollowed{460, "Product"},
    Unfollowed{461, "CFICode"},
};

// Of a request for market data, with the reasons that FIX has for them.
inline constexpr std::array kMarketDataUnfollowed = {
    Unfollowed{266, "AggregatedBook", "Y", "7"},       Unfollowed{286, "OpenCloseSettlFlag", nullptr, "B"},
    Unfollowed{336, "TradingSessionID", nullptr, "9"}, Unfollowed{546, "Scope", nullptr, "A"},
    Unfollowed{547, "MDImplicitDelete", "N", "C"},
};

// The one of them that a field is; null: none, or it asks for nothing.
const Unfollowed* unfollowed(const Field& field, std::span<const Unfollowed> all);

struct Refusal {
    const Unfollowed* what;
    std::string named;  // as in "Scope(546)=1"
    std::string text;
};
// Of the first of a message's fields.
std::optional<Refusal> unfollowed(const IncomingMessage& message, std::span<const Unfollowed> all);

// As in `Refusal::named`.
std::string named(const Unfollowed& what, const std::string& value);

}  // namespace fixaccel::exchange
