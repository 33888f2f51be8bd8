// SPDX-License-Identifier: Apache-2.0
// What rules do to each other, from semantics.md: `oco`, `armed_by`, and one fire for one arming.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fixaccel/bundle.hpp"

namespace fixaccel::hostile {

// As the strategy says it, by rule index; a rule that is nowhere here is on its own.
struct RuleLinks {
    std::map<std::uint32_t, std::set<std::uint32_t>> siblings{};  // of its `oco` group, itself among them
    std::map<std::uint32_t, std::set<std::uint32_t>> children{};  // that it arms
    std::set<std::uint32_t> disarmed{};                           // at load
};

// `file`: the links.txt that make_strategy.py writes. Throws std::runtime_error if it is not of this bundle.
RuleLinks read_links(const std::filesystem::path& file, const Bundle& bundle);

class RuleStates {
  public:
    enum class State { armed, disarmed, fired, cancelled };

    // As a load leaves them. `links` must live as long.
    explicit RuleStates(const RuleLinks& links);

    State state(std::uint32_t rule) const;
    bool armed(std::uint32_t rule) const { return state(rule) == State::armed; }
    // It fired; the order was sent, or rejected.
    void fired(std::uint32_t rule, bool sent);
    // The message has been evaluated: what its orders arm is armed.
    void message_over();
    // Rules that fires have cancelled and armed since the load.
    std::uint64_t cancelled() const { return cancelled_; }
    std::uint64_t newly_armed() const { return newly_armed_; }

  private:
    const RuleLinks* links_;
    std::map<std::uint32_t, State> states_{};  // of those that are not armed
    std::set<std::uint32_t> due_{};            // to be armed when the message is over
    std::uint64_t cancelled_ = 0, newly_armed_ = 0;
};

std::string state_text(RuleStates::State state);

// What is wrong with the fabric's bits, a bit a trigger, 32 a word; empty if nothing is.
std::string trigger_fault(const Bundle& bundle, const RuleStates& states, std::vector<std::uint32_t> live,
                          std::vector<std::uint32_t> dormant);

}  // namespace fixaccel::hostile
