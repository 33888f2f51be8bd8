// SPDX-License-Identifier: Apache-2.0
// What the referee throws: a property of the fabric that does not hold.
#pragma once

#include <stdexcept>
#include <string>

namespace fixaccel::hostile {

class Failure : public std::runtime_error {
  public:
    // `property`: a short name, the same for failures of one kind.
    Failure(std::string property, const std::string& what)
        : std::runtime_error(property + ": " + what), property_(std::move(property)) {}
    const std::string& property() const { return property_; }

  private:
    std::string property_;
};

}  // namespace fixaccel::hostile
