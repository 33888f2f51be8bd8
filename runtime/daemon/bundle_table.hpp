// SPDX-License-Identifier: Apache-2.0
// The software table of a bundle.
#pragma once

#include <string>
#include <vector>

#include "fixaccel/table.hpp"

namespace fixaccel {

// Throws TableError.
SoftwareTable parse_table(const std::string& file);

// Of all instruments of the venue.
std::vector<std::string> symbols(const SoftwareTable& table);

}  // namespace fixaccel
