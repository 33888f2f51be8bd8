// SPDX-License-Identifier: Apache-2.0
// What the fabric may read: the FIX messages in those bytes of the wire that a kernel would take, in order,
// as they come, up to the first hole or break of the framing.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "core_bench.hpp"
#include "kernel_tcp.hpp"
#include "packet.hpp"

namespace fixaccel::hostile {

// A message that has come to its end, with the cycles of its first and last byte and of its last frame.
struct Arrival {
    std::string text{};
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t frame_first = 0;
    std::uint64_t frame_last = 0;
    bool certain = true;  // false: the fabric may have left it out
};

class StreamReference {
  public:
    enum class State {
        following,  // every byte so far
        doubtful,   // it may have stopped
        lost        // there is a hole, or the framing is broken
    };

    StreamReference(const Endpoint& remote, const Endpoint& local, KernelTcp kernel)
        : remote_(remote), local_(local), kernel_(kernel) {}

    // A frame has come off the wire; `taken` gets each message that it completes.
    Fate frame(const RawFrame& frame, std::uint64_t first, std::uint64_t last,
               const std::function<void(Arrival)>& taken);
    // The messages that a frame which nobody takes would have completed, had it been good.
    std::vector<Arrival> spoiled(const RawFrame& frame, std::uint64_t first, std::uint64_t last) const;
    // The fabric reads again from `seq` on; `taken` gets the messages that have ended since.
    void resume(std::uint32_t seq, State state, const std::function<void(Arrival)>& taken);
    // The fabric was seen to be in step, or to have stopped.
    void settle(bool in_step);

    State state() const { return state_; }
    // A stop of the fabric has a cause that this saw.
    bool may_stop() const { return state_ != State::following; }
    void doubt() {
        if (state_ == State::following) state_ = State::doubtful;
    }
    void lose() { state_ = State::lost; }
    KernelTcp& kernel() { return kernel_; }
    const KernelTcp& kernel() const { return kernel_; }
    // TCP sequence number behind the last byte read.
    std::uint32_t read_to() const { return read_to_; }

  private:
    void feed(const Segment& segment, std::uint64_t first, std::uint64_t last,
              const std::function<void(Arrival)>& taken);

    Endpoint remote_, local_;
    KernelTcp kernel_;
    State state_ = State::lost;
    std::uint32_t read_to_ = 0;
    std::string pending_{};
    std::uint64_t begun_ = 0;  // cycle of the first byte of what is pending
    struct Passed {
        Segment segment{};
        std::uint64_t first = 0, last = 0;
    };
    std::deque<Passed> passed_{};  // the last ones that the kernel took
};

}  // namespace fixaccel::hostile
