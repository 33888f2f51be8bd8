// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "fixaccel/bundle.hpp"

namespace fixaccel {

// The rules of `bundle` from the manifest's blocks and the columns in `file`. The instruments and memories of
// the bundle are read. Throws BundleError, SafetensorsError or json's exceptions for whatever contradicts
// itself.
std::vector<BundleRule> read_rules(const Bundle& bundle, const nlohmann::json& manifest,
                                   std::string_view file);

}  // namespace fixaccel
