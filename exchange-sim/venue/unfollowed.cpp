// SPDX-License-Identifier: Apache-2.0
#include "venue/unfollowed.hpp"

#include <algorithm>

namespace fixaccel::exchange {

const Unfollowed* unfollowed(const Field& field, std::span<const Unfollowed> all) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Unfollowed& each) { return each.tag == field.tag; });
    if (found == all.end() || (found->nothing != nullptr && field.text == found->nothing)) return nullptr;
    return &*found;
}

std::optional<Refusal> unfollowed(const IncomingMessage& message, std::span<const Unfollowed> all) {
    for (const Field& field : message.fields) {
        if (const Unfollowed* what = unfollowed(field, all))
            return Refusal{what, named(*what, field.text), named(*what, field.text) + " is not supported"};
    }
    return std::nullopt;
}

std::string named(const Unfollowed& what, const std::string& value) {
    return std::string(what.name) + "(" + std::to_string(what.tag) + ")=" + value;
}

}  // namespace fixaccel::exchange
