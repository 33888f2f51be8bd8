// SPDX-License-Identifier: Apache-2.0
// The time that the FIX engine goes by.
#pragma once

namespace fixaccel {

// Whether it is ours: see gettimeofday() in engine_clock.cpp.
bool engine_goes_by_our_clock();

}  // namespace fixaccel
