// SPDX-License-Identifier: Apache-2.0
// One run of the venue.
#pragma once

#include "app/options.hpp"

namespace fixaccel::exchange {

// Exit status of the program.
constexpr int kOk = 0;
constexpr int kRuntimeFailure = 1;
constexpr int kBadInput = 2;

// Until a signal, a failure or the end of the scenario; gives the exit status. Throws InputError for a file
// that is wrong, and other exceptions where the venue cannot begin.
int run(const Options& options);

}  // namespace fixaccel::exchange
