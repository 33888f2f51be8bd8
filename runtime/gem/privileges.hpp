// SPDX-License-Identifier: Apache-2.0
// What a program no longer needs once its devices are open.
#pragma once

#include <string>

namespace fixaccel::gem {

// Becomes `user` (empty: stays who it is), gives up every capability, for good and for whatever it might
// start. Throws GemError.
void drop_privileges(const std::string& user);

}  // namespace fixaccel::gem
