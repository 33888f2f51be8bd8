// SPDX-License-Identifier: Apache-2.0
// Names of users as the file of the machine's own has them when it is read: a directory service that does not
// answer must not keep anybody waiting.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>

namespace fixaccel {

class UserNames {
  public:
    explicit UserNames(const std::string& file = "/etc/passwd");

    // "user 1000 (anna)"; without a name where the file has none.
    std::string text(uid_t user) const;

  private:
    std::map<uid_t, std::string> names_;
};

}  // namespace fixaccel
