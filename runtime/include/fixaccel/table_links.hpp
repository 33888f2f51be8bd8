// SPDX-License-Identifier: Apache-2.0
// What orders of rules do to others, as a table of the runtime has it.
#pragma once

#include <vector>

#include "fixaccel/bundle.hpp"
#include "fixaccel/links.hpp"
#include "fixaccel/table.hpp"

namespace fixaccel {

// Of all rules of the table, by their numbers in the bundle.
std::vector<Links> table_links(const SoftwareTable& table);

// Those of `links`, of the table of all rules of `bundle`, by which fills arm rules that the fabric runs:
// whose fills these are stands in none of its memories.
std::vector<Links> by_fills_in_fabric(const std::vector<Links>& links, const Bundle& bundle);

}  // namespace fixaccel
