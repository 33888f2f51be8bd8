// SPDX-License-Identifier: Apache-2.0
#include "bundle_table.hpp"

#include <cstring>

#include "table_columns.hpp"

namespace fixaccel {

SoftwareTable parse_table(const std::string& file, const LimitValues& changed_limits) {
    std::vector<std::byte> bytes(file.size());
    if (!file.empty()) std::memcpy(bytes.data(), file.data(), file.size());
    SoftwareTable table = SoftwareTable::parse(std::move(bytes));
    table.change_limits(changed_limits);
    return table;
}

std::vector<std::string> symbols(const SoftwareTable& table) {
    std::vector<std::string> all;
    all.reserve(table.columns().instruments());
    for (std::size_t row = 0; row < table.columns().instruments(); ++row) all.emplace_back(table.symbol(row));
    return all;
}

}  // namespace fixaccel
