// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "engine.hpp"

namespace fixaccel {

// What a request says with a key that is true or false; false without it. Throws Refused for anything else.
inline bool request_flag(const nlohmann::json& request, const char* key) {
    const auto found = request.find(key);
    if (found == request.end()) return false;
    if (!found->is_boolean()) throw Refused(std::string("\"") + key + "\" must be true or false");
    return found->get<bool>();
}

}  // namespace fixaccel
