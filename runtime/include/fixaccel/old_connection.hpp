// SPDX-License-Identifier: Apache-2.0
// What a daemon that has died has left of its connection with the kernel.
#pragma once

#include "fixaccel/fabric.hpp"

namespace fixaccel {

enum class OldConnection {
    none,   // the kernel has none
    ended,  // with an RST: nothing of it is sent any more
    kept,   // the kernel does not end it, or we may not ask for it
};

// Ends a TCP connection of this network namespace.
OldConnection end_old_connection(const Flow& flow);

}  // namespace fixaccel
