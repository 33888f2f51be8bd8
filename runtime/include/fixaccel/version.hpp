// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdio>
#include <string>

#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {

// What `--version` says, as `fixaccel --version` does: the layout that board, bundle and daemon must share is
// named by its hash, as the register hwmap_hash has it.
inline std::string version_line(const std::string& program, const std::string& version) {
    std::array<char, 9> hash{};
    std::snprintf(hash.data(), hash.size(), "%08x", static_cast<unsigned>(hwmap::kHwmapHash));
    return program + ", version " + version + ", hwmap " + hash.data();
}

}  // namespace fixaccel
