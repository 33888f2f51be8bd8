// SPDX-License-Identifier: Apache-2.0
// What of an order arms the rules that wait for it.
#pragma once

#include <cstdint>

namespace fixaccel {

// That it was sent, that something of it was filled, or that it is done with something filled.
enum class ArmedOn : std::uint8_t { sent, first_fill, filled };

}  // namespace fixaccel
