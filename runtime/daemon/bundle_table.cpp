// SPDX-License-Identifier: Apache-2.0
#include "bundle_table.hpp"

#include "table_columns.hpp"

namespace fixaccel {

std::vector<std::string> symbols(const SoftwareTable& table) {
    std::vector<std::string> all;
    all.reserve(table.columns().instruments());
    for (std::size_t row = 0; row < table.columns().instruments(); ++row) all.emplace_back(table.symbol(row));
    return all;
}

}  // namespace fixaccel
