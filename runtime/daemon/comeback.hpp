// SPDX-License-Identifier: Apache-2.0
// What a daemon does of its own accord once the session was lost: it tries to connect, with pauses that grow,
// and arms again, so often.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "config.hpp"
#include "fixaccel/ledger.hpp"

namespace fixaccel {

class Comeback {
  public:
    using Time = std::chrono::steady_clock::time_point;

    struct Loss {
        std::string reason;
        std::int64_t time_ns;  // UTC
    };

    // A session that stood was lost.
    void lost(const std::string& reason, std::int64_t time_ns) { loss_ = {reason, time_ns}; }
    const std::optional<Loss>& loss() const { return loss_; }
    // There is no connection: when to try. The pause is `reconnect` and doubles with each try that fails.
    void pause(Time now, const DaemonConfig& config);
    bool due(Time now) const { return now >= next_; }
    std::chrono::nanoseconds wait(Time now) const;
    void try_now() { ++tries_; }
    unsigned tries() const { return tries_; }  // since there was a session
    void logged_on();

    // It was armed until the session was lost, or `stands` still, so for a dry run.
    void was_armed(bool dry, bool stands);
    void gone() { session_ = false; }
    // There is a session, and it is not armed yet as it was.
    bool due_to_arm() const { return dry_.has_value() && session_; }
    bool dry() const { return dry_.value_or(false); }
    // Somebody else has said what is to be.
    void overrule();
    // It is not armed again, for that reason.
    void refuse(const std::string& reason);
    const std::string& refused() const { return refused_; }
    // What it still waits for.
    void await(const std::string& what) { awaited_ = what; }
    const std::string& awaited() const { return awaited_; }
    // It is about to be armed again. False: that was `most` times within a minute.
    bool once_more(Time now, std::uint32_t most);
    void armed();

  private:
    std::optional<Loss> loss_;
    unsigned tries_ = 0;
    Time next_{};
    std::optional<bool> dry_;
    bool session_ = false;  // there is one
    std::string awaited_;
    std::string refused_;
    std::deque<Time> arms_;  // of the last minute
};

// What names an order that has left since then, or may have, and of which the venue has said nothing; empty
// if there is none. Behind more fires than are kept there may be one.
std::string first_unreported(const Ledger& ledger, std::int64_t since_ns);

}  // namespace fixaccel
