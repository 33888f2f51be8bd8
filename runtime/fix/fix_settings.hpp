// SPDX-License-Identifier: Apache-2.0
// The settings of the FIX session, as the engine takes them. Includes QuickFIX.
#pragma once

#include <quickfix/SessionSettings.h>

#include <string>

#include "fixaccel/fix_session.hpp"

namespace fixaccel {

// All of these throw FixConfigError.
FIX::SessionID only_session(const FIX::SessionSettings& settings);
// What we make use of ourselves.
FixSettings read_settings(const FIX::SessionSettings& all);
// Of a file, and checked. The engine keeps no hours.
FIX::SessionSettings load_settings(const FixFile& file);

}  // namespace fixaccel
