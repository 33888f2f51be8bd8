// SPDX-License-Identifier: Apache-2.0
// The faults in force on one session. Read as C++14 and as C++20; of one thread.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "session/fault.hpp"
#include "session/post.hpp"

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

class Faults {
  public:
    using Clock = std::chrono::steady_clock;
    using Time = Clock::time_point;

    // What becomes of a message on the wire.
    struct OnWire {
        int copies = 1;
        bool split = false;
    };

    // One that lasts, or kClear, after which what waits is to be released.
    void set(const Fault& fault, Time now);

    bool any() const { return !active_.empty() || keeps(); }
    // Some posts have not left yet.
    bool keeps() const { return !delayed_.empty() || !held_.empty() || !early_.empty(); }
    // Takes the post if it is not to leave yet, or puts those behind it that now leave after it into `then`.
    bool postpone(Post& post, Time now, std::vector<Post>& then);
    // Adds those whose time has come.
    void due(Time now, std::vector<Post>& leaving);
    // Adds all that wait, in order.
    void release(std::vector<Post>& leaving);
    // The next time at which something changes; Time::max(): never.
    Time next_due() const;

    // May change the bytes.
    OnWire on_wire(std::string& bytes, Time now);

  private:
    struct Active {
        Fault fault;
        Time ends = Time::max();
    };
    struct Delayed {
        Time due;
        Post post;
    };

    // The fault of that kind if it hits such a message; the message is counted.
    const Fault* hit(Fault::Kind kind, const std::string& type);
    void garble(std::string& bytes, std::uint64_t seed);

    std::map<Fault::Kind, Active> active_;
    std::deque<Delayed> delayed_;
    std::vector<Post> held_;
    std::vector<Post> early_;  // one at most
    Time early_leaves_{};
    Fault last_hit_;  // what hit() gave, also where it ended with that message
    std::uint64_t garbled_ = 0;
};

}  // namespace exchange
}  // namespace fixaccel
