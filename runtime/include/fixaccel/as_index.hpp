// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace fixaccel {

// A number that is known to be one of something in memory, or a record's field that numbers records: a
// std::size_t holds it where that has 32 bits, too.
constexpr std::size_t as_index(std::uint64_t number) { return static_cast<std::size_t>(number); }

}  // namespace fixaccel
