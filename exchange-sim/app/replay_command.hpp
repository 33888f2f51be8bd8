// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fixaccel::exchange {

// Replays a record and prints what came of it as JSON on standard output. `venue`: a file to take in place of
// the record's own; `events`: an event file to write; either may be empty. Returns the exit status: 0 the
// same, 1 different. Throws InputError.
int replay_command(const std::string& record, const std::string& venue, const std::string& events);

}  // namespace fixaccel::exchange
