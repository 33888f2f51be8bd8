// SPDX-License-Identifier: Apache-2.0
// What nobody has looked at of a bundle before it was loaded is looked at behind.
#pragma once

#include <string>

#include "fixaccel/bundle.hpp"
#include "fixaccel/idle_thread.hpp"

namespace fixaccel {

class UnreadCheck {
  public:
    // Of the bundle that is loaded now.
    void begin(const UnreadFiles& files);
    // What is wrong with one that has been looked at; empty: nothing. Told once.
    std::string take_problem();

  private:
    std::string problem_;  // of the thread while it is busy
    IdleThread thread_;    // last: it uses the other
};

}  // namespace fixaccel
