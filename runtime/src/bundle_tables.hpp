// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fixaccel/bundle.hpp"

namespace fixaccel {

// That no record leads to one that the bundle does not have: the board may have something else there, of a
// bundle before. Throws BundleError.
void check_tables(const Bundle& bundle);

}  // namespace fixaccel
