// SPDX-License-Identifier: Apache-2.0
// The repeating groups of market data, told to QuickFIX. C++14, includes QuickFIX.
#pragma once

#include <quickfix/DataDictionaryProvider.h>

#include <string>

namespace fixaccel {
namespace exchange {

// Without any dictionary the engine takes the second entry of a group for a repeated tag and rejects the
// message. This one knows the groups of 35=V, 35=W and 35=X and checks nothing else; for
// Session::setDataDictionaryProvider.
FIX::DataDictionaryProvider group_dictionary(const std::string& begin_string);

}  // namespace exchange
}  // namespace fixaccel
