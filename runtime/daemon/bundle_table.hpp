// SPDX-License-Identifier: Apache-2.0
// The software table of a bundle.
#pragma once

#include <string>
#include <vector>

#include "fixaccel/table.hpp"

namespace fixaccel {

// With these limits in place of its own. Throws TableError.
SoftwareTable parse_table(const std::string& file, const LimitValues& changed_limits);

// Of all instruments of the venue.
std::vector<std::string> symbols(const SoftwareTable& table);

}  // namespace fixaccel
