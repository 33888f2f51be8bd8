// SPDX-License-Identifier: Apache-2.0
// Which code has been run: nothing is ever new where it does not tell (FIXACCEL_COVERAGE).
#pragma once

namespace fixaccel::fuzz {

// A run begins.
void begin_coverage();
// Code has been run since then that no run before has, or has so often.
bool covered_more();

}  // namespace fixaccel::fuzz
