// SPDX-License-Identifier: Apache-2.0
// A bundle with all that was made of it before anything is changed by it.
#pragma once

#include <memory>

#include "fixaccel/bundle.hpp"
#include "fixaccel/ledger.hpp"
#include "software.hpp"

namespace fixaccel {

struct Loadable {
    Bundle bundle;                            // without the files of the tables below
    Load load;                                // without generation and epoch
    std::unique_ptr<SoftwareRules> software;  // its rules in the runtime; none if there are no such rules
    std::unique_ptr<SoftwareRules> standby;   // likewise those of the fabric, there
};

}  // namespace fixaccel
