// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "fixaccel/bundle.hpp"

namespace fixaccel {

// Rules with what they were made of.
struct MadeRules {
    MadeRules() = default;
    MadeRules(const MadeRules&) = delete;
    MadeRules& operator=(const MadeRules&) = delete;
    ~MadeRules();

    BundleRules rules;
    struct Source;
    std::unique_ptr<Source> source;
};

// The rules of `bundle` from its blocks, a text in JSON, and the columns in `file`. The instruments and
// memories of the bundle are read. Rules that are just as they were in `former` (null: there is none) are
// shared with it. Throws BundleError, SafetensorsError or json's exceptions for whatever contradicts itself.
std::shared_ptr<const MadeRules> read_rules(const Bundle& bundle, const nlohmann::json& manifest,
                                            SharedText blocks, SharedText file, const MadeRules* former);

}  // namespace fixaccel
