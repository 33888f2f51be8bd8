// SPDX-License-Identifier: Apache-2.0
// What FIX 4.4 has of messages and fields, as QuickFIX reads it. C++14, includes QuickFIX.
#pragma once

#include <quickfix/DataDictionaryProvider.h>

#include <string>

#include "session/session_config.hpp"

namespace fixaccel {
namespace exchange {

// What the sessions' messages are read by: the whole dictionary where they are validated, else their groups
// alone. Throws SessionHostError: there is no such file, or it is no dictionary of that version.
FIX::DataDictionaryProvider session_dictionary(const SessionConfig& config);

// Without any dictionary the engine takes the second entry of a group for a repeated tag and rejects the
// message. This one knows the groups of 35=V, 35=W and 35=X and checks nothing else.
FIX::DataDictionaryProvider group_dictionary(const std::string& begin_string);

}  // namespace exchange
}  // namespace fixaccel
