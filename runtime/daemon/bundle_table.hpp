// SPDX-License-Identifier: Apache-2.0
// What software tables of bundles are asked.
#pragma once

#include <string>
#include <vector>

#include "fixaccel/table.hpp"

namespace fixaccel {

// Of all instruments of the venue.
std::vector<std::string> symbols(const SoftwareTable& table);

}  // namespace fixaccel
