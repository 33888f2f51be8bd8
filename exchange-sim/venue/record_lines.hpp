// SPDX-License-Identifier: Apache-2.0
// The lines of the record, as JSON objects.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "matching/exchange.hpp"
#include "session/message.hpp"

namespace fixaccel::exchange {

using Json = nlohmann::ordered_json;

// The client and what its message's header says: MsgSeqNum, PossDupFlag, SendingTime.
Json header_line(const IncomingMessage& message);
// An order as received, with its OrderID and whether it was accepted.
Json order_line(const IncomingMessage& message, const Order& order, bool accepted, const std::string& text);
Json execution_line(const Order& order, const Execution& execution, int msg_seq_num);
// A trade, seen from the order that came later.
Json trade_line(const Exchange& exchange, const Execution& execution);
Json market_data_line(const std::string& client, const OutgoingMessage& message, int msg_seq_num);
// The final state of every client order, in order of arrival.
Json summary_line(const Exchange& exchange);

}  // namespace fixaccel::exchange
