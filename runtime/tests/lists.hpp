// SPDX-License-Identifier: Apache-2.0
// Lists of rules as tests make and change them.
#pragma once

#include <vector>

#include "fixaccel/bundle.hpp"

namespace fixaccel {

template <typename T>
SharedList<T> list_of(const std::vector<T>& elements) {
    SharedList<T> list;
    for (const T& each : elements) list.push_back(each);
    return list;
}

// A new one at the end.
inline BundleRule& add_rule(Bundle& bundle) {
    bundle.rules.push_back({});
    return bundle.rules.edit(bundle.rules.size() - 1);
}

template <typename Change>
void each_rule(Bundle& bundle, Change change) {
    for (std::size_t i = 0; i < bundle.rules.size(); ++i) change(bundle.rules.edit(i));
}

}  // namespace fixaccel
