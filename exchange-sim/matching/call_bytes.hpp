// SPDX-License-Identifier: Apache-2.0
// What an exchange is told, as bytes: short, and quick to write, for the store from which it goes on.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "matching/bytes.hpp"
#include "matching/exchange_journal.hpp"

namespace fixaccel::exchange {

void put_call(std::string& bytes, const CallView& call);
// None: the bytes are no call, or end within one.
std::optional<ExchangeCall> read_call(ByteReader& in);

// Keeps all that its exchange is told, until somebody takes it.
class CallLog : public ExchangeJournal {
  public:
    void on_call(const CallView& call) override { put_call(bytes, call); }

    std::string bytes;
};

// Makes the calls of a log again, all of which are whole, and tells of each with what came of it. False where
// it is not a log of this venue.
bool replay_calls(Exchange& exchange, std::string_view log,
                  const std::function<void(const ExchangeCall&, const CallResult&)>& sink);

}  // namespace fixaccel::exchange
