// SPDX-License-Identifier: Apache-2.0
// Where the dictionary of FIX 4.4 is, a file in QuickFIX's format that comes with a package and not with this
// program. Read as C++14 and as C++20.
#pragma once

#include <string>

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

// The file asked for, else FIX44.xml beside the program, where an installation puts it, or where a build
// does. Throws SessionHostError, which says what to do, if there is none.
std::string find_dictionary(const std::string& asked);

}  // namespace exchange
}  // namespace fixaccel
