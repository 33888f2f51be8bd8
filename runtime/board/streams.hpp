// SPDX-License-Identifier: Apache-2.0
// Both ends of the core's byte streams: a frame source and a frame sink.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

#include "ethernet.hpp"
#include "verilated_core.hpp"

namespace fixaccel::board {

// What a MAC without its preamble leaves between two frames: 8 bytes of preamble and 12 of gap.
inline constexpr unsigned kInterFrameCycles = 20;

// Plays queued frames, FCS included, a byte a cycle.
class FrameSource {
  public:
    explicit FrameSource(unsigned gap) : gap_(gap) {}
    void push(Frame frame) { frames_.push_back(std::move(frame)); }
    bool valid() const { return !frames_.empty() && wait_ == 0; }
    std::uint8_t data() const { return valid() ? frames_.front()[position_] : std::uint8_t{0}; }
    bool last() const { return valid() && position_ + 1 == frames_.front().size(); }
    std::size_t queued() const { return frames_.size(); }
    // A clock edge at which the offered byte, if any, was taken.
    void taken() {
        if (!last()) {
            ++position_;
            return;
        }
        frames_.pop_front();
        position_ = 0;
        wait_ = gap_;
    }
    // A clock edge at which nothing was offered.
    void rest() {
        if (wait_ > 0) --wait_;
    }

  private:
    std::deque<Frame> frames_;
    std::size_t position_ = 0;
    unsigned gap_;
    unsigned wait_ = 0;
};

// Collects bytes to whole frames.
class FrameSink {
  public:
    explicit FrameSink(unsigned gap) : gap_(gap) {}
    bool ready() const { return wait_ == 0 && !held_ && (inside() || !blocked_); }
    // From the next frame on nothing is taken; with false all is again.
    void block(bool on) {
        blocked_ = on;
        held_ = held_ && on;
    }
    // Behind the first `text` that comes, in the middle of its frame, nothing is taken until block(false).
    void hold_behind(const std::string& text) { hold_behind_ = text; }
    bool held() const { return held_; }
    bool inside() const { return !current_.bytes.empty(); }
    std::deque<SentFrame>& frames() { return frames_; }
    // A byte at a clock edge with ready.
    void take(std::uint8_t byte, bool last, bool err, std::uint64_t cycle) {
        if (!inside()) current_.first_cycle = cycle;
        current_.bytes.push_back(byte);
        if (!hold_behind_.empty() && ends_with(hold_behind_)) {
            held_ = true;
            hold_behind_.clear();
        }
        if (!last) return;
        current_.last_cycle = cycle;
        current_.aborted = err;
        if (current_.bytes.size() >= kFcsBytes)
            std::copy_n(current_.bytes.end() - std::ptrdiff_t{kFcsBytes}, kFcsBytes, current_.fcs.begin());
        current_.fcs_good = strip_fcs(current_.bytes);
        frames_.push_back(std::exchange(current_, {}));
        wait_ = gap_;
    }
    void rest() {
        if (wait_ > 0) --wait_;
    }

  private:
    bool ends_with(const std::string& text) const {
        const Frame& bytes = current_.bytes;
        return bytes.size() >= text.size() && std::equal(text.rbegin(), text.rend(), bytes.rbegin());
    }

    std::deque<SentFrame> frames_;
    SentFrame current_;
    unsigned gap_;
    unsigned wait_ = 0;
    bool blocked_ = false;
    std::string hold_behind_;
    bool held_ = false;
};

}  // namespace fixaccel::board
