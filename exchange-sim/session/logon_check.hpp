// SPDX-License-Identifier: Apache-2.0
// What the engine would let pass in a Logon, or would find wrong in it only after it has acted on it. C++14,
// includes QuickFIX.
#pragma once

#include <quickfix/DataDictionaryProvider.h>

#include <string>

#include "session/session_config.hpp"

namespace fixaccel {
namespace exchange {

// Why the venue does not accept that Logon; empty: it does, or it is garbled, which the engine sees.
std::string logon_problem(const SessionConfig& config, const FIX::DataDictionaryProvider& dictionaries,
                          const std::string& raw, int next_target);

}  // namespace exchange
}  // namespace fixaccel
