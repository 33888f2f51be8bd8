// SPDX-License-Identifier: Apache-2.0
// Counts what is allocated in all of a program, of the thread that asks.
#pragma once

#include <cstddef>
#include <vector>

namespace fixaccel::test {

// So many until now.
std::size_t allocations();

// For each order that was given to a socket: how many since bytes were last read from one.
std::vector<std::size_t>& allocations_by_order();

}  // namespace fixaccel::test
