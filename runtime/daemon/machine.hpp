// SPDX-License-Identifier: Apache-2.0
// The machine: what of it the daemon was granted, and what `fixaccel tune` has found of the rest.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "config.hpp"
#include "fixaccel/own_core.hpp"

namespace fixaccel {

// What the file of the verdict says.
struct HostVerdict {
    enum class State { untuned, verified, drifted, unreadable };
    State state = State::untuned;
    std::string run{};          // of `fixaccel tune`
    std::uint64_t drifted = 0;  // values that are no longer as they were set
    std::int64_t time_ns = 0;   // UTC, when they were looked at
    std::string wrong{};        // with the file

    // `verified 7`, `drifted: 2 of run 7`, `untuned`.
    std::string text() const;
};

// Of what a file holds that `fixaccel tune` has written.
HostVerdict read_verdict(const std::string& text);

class Machine {
  public:
    // Ahead of all threads. As the daemon is started: no bundle says on which core it runs.
    explicit Machine(const CpuSettings& settings);
    ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;
    // The calling thread is the one that trades.
    void take();

    // Asks the kernel, while it is armed, for cores that wake in `wake`; asked once where it is refused.
    void stay_awake(bool is_armed);

    // Looks at the verdict, not more often than once a second. Whether it says anything else.
    bool look(std::chrono::steady_clock::time_point now);
    const HostVerdict& verdict() const { return verdict_; }
    // Why it must not be armed on this machine; empty: it may.
    std::string refusal() const;

    // For the status.
    nlohmann::json cpu() const;
    nlohmann::json host() const;

  private:
    const CpuSettings settings_;
    OwnCore core_;
    int awake_ = -1;            // the kernel keeps to it for as long as this is open
    std::string wake_problem_;  // empty: granted, or not asked yet
    HostVerdict verdict_;
    std::filesystem::file_time_type written_{};  // the file that verdict_ is of
    std::chrono::steady_clock::time_point next_look_{};
};

}  // namespace fixaccel
