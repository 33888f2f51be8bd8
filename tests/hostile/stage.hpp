// SPDX-License-Identifier: Apache-2.0
// What scenarios say and do, in their words.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "episode.hpp"

namespace fixaccel::hostile {

class Stage {
  public:
    explicit Stage(Episode& episode) : episode_(episode), states_(episode.rules().fresh()) {}

    // Whether a message of the instrument will do that fires `fires` and leaves the rules in these states.
    using Fits = std::function<bool(const Instrument& instrument, const std::vector<Fire>& fires,
                                    const RuleStates& behind)>;
    std::string stop_that(const Fits& fits);
    // A snapshot that fires some rule, another one each time.
    std::string stop(std::size_t least = 1);
    // One that arms others; one that fires such; one of an instrument of which no rule arms others.
    std::string parent();
    std::string child();
    std::string stop_alone();
    // The same for a segment that nobody takes: its number stays free.
    std::string bait();
    // The same with a header of one's own; see Quotes::header.
    std::string stop_with(const std::function<void(Fields&)>& edit);
    // A snapshot on which nothing fires.
    std::string calm();

    // The venue's next bytes, in one segment.
    void say(const std::string& bytes) { episode_.venue().say(bytes); }
    // A frame of the session as the venue's kernel would make it now, changed by `edit`; no part of its
    // stream.
    void slip_in(const std::string& payload, const std::function<void(Packet&)>& edit);
    void slip_in(Bytes frame) { episode_.venue().inject({.bytes = finished(std::move(frame))}); }

    // Lets it come to rest and compares everything; then so many orders must have left since the start.
    void check_orders(std::uint64_t orders);
    // All that `stop` has promised must have left.
    void check_stops() { check_orders(promised_); }
    std::size_t promised() const { return promised_; }
    // So many in all, whether the rest is in order or not.
    std::uint64_t orders() { return episode_.referee().orders(); }

    Episode& episode() { return episode_; }

  private:
    Episode& episode_;
    RuleStates states_;  // if all that was promised is sent
    std::size_t promised_ = 0;
};

struct Scenario {
    std::string_view name;
    std::string_view shows;
    void (*play)(Stage&);
};

// By subject.
std::span<const Scenario> frame_scenarios();
std::span<const Scenario> tcp_scenarios();
std::span<const Scenario> fix_scenarios();
std::span<const Scenario> order_scenarios();

}  // namespace fixaccel::hostile
