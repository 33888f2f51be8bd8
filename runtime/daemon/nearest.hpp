// SPDX-License-Identifier: Apache-2.0
// What somebody may have meant.
#pragma once

#include <string_view>

namespace fixaccel {

// Letters that are missing, too many or others.
std::size_t distance(std::string_view from, std::string_view to);
// So few that one may be meant for the other.
bool is_near(std::string_view from, std::string_view to);

}  // namespace fixaccel
