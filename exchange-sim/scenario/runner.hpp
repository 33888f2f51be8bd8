// SPDX-License-Identifier: Apache-2.0
// Plays a scenario on a running venue.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "record/recorder.hpp"
#include "scenario/scenario.hpp"
#include "scenario/stage.hpp"

namespace fixaccel::exchange {

enum class RunResult { kCompleted, kFailed, kInterrupted };

class Runner {
  public:
    // `say` shows a line to the user; from several threads where steps run side by side, one at a time.
    Runner(Stage& stage, Recorder& recorder, std::function<void(const std::string&)> say)
        : stage_(stage), recorder_(recorder), say_(std::move(say)) {}

    // Takes the steps in order, on the calling thread. A wait that runs out ends it with kFailed; after
    // the stage is interrupted it ends with kInterrupted.
    RunResult run(const Scenario& scenario);

    // Why a run failed, with the place in the scenario file.
    const std::string& failure() const { return failure_; }

  private:
    using Clock = std::chrono::steady_clock;

    // False: it failed, or is to end.
    bool take(const std::vector<Step>& steps);
    bool take(const BatchStep& step);
    bool take(const OrderStep& step);
    bool take(const CancelAllStep& step);
    bool take(const PhaseStep& step);
    bool take(const WaitStep& step);
    bool take(const UntilStep& step);
    bool take(const WaitForStep& step);
    bool take(const LogoutStep& step);
    bool take(const ResendStep& step);
    bool take(const TestRequestStep& step);
    bool take(const FaultStep& step);
    bool take(const SayStep& step);
    bool take(const RepeatStep& step);
    bool take(const ParallelStep& step);
    // runner_market.cpp
    bool take(const FlowStep& step);
    bool take(const TicksStep& step);

    // Interrupted from outside, or failed in another branch.
    bool ending() const { return failed_ || stage_.interrupted(); }
    bool wait_until(Clock::time_point time);
    // Of the step that is being taken on this thread; the first one counts.
    bool fail(const std::string& why);
    bool holds(const WaitForStep& step) const;
    std::string missing(const WaitForStep& step) const;

    Stage& stage_;
    Recorder& recorder_;
    std::function<void(const std::string&)> say_;
    Clock::time_point start_;
    std::string file_;
    std::mutex mutex_;  // of what follows, and of say_
    std::atomic<bool> failed_ = false;
    std::string failure_;
};

}  // namespace fixaccel::exchange
