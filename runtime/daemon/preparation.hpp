// SPDX-License-Identifier: Apache-2.0
// What a deploy needs is got ready on a thread of its own: nothing that trades waits for it.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <utility>

#include "config.hpp"
#include "fixaccel/own_core.hpp"
#include "loadable.hpp"
#include "mailbox.hpp"

namespace fixaccel {

class HandGate;

struct Prepared {
    Loadable rules;
    DaemonConfig config;
    std::shared_ptr<HandGate> gate;  // of orders by hand
};

// One at a time. Its end waits for what is under way.
class Preparation {
  public:
    void begin(std::function<Prepared()> make) {
        made_ = std::async(std::launch::async, [this, make = std::move(make)] {
            leave_own_core("prepare");
            const std::unique_ptr<Mailbox<bool>, Wake> wake(&done_);
            return make();
        });
    }
    // Readable when it is done.
    int fd() const { return done_.fd(); }
    // What was made. Throws what making it threw.
    Prepared take() {
        done_.take();
        return std::exchange(made_, {}).get();
    }

  private:
    struct Wake {
        void operator()(const Mailbox<bool>* done) const { done->wake(); }
    };

    Mailbox<bool> done_;  // nothing is ever in it
    std::future<Prepared> made_;
};

}  // namespace fixaccel
