// SPDX-License-Identifier: Apache-2.0
// The setter of [bus]; apart from its settings, so that those need nothing of TOML.
#pragma once

#include <optional>

#include "config_bus.hpp"
#include "config_values.hpp"

namespace fixaccel {

Setter bus_table(std::optional<BusSettings>& out, const std::filesystem::path& file,
                 std::vector<std::string>& problems);

}  // namespace fixaccel
