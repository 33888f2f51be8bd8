// SPDX-License-Identifier: Apache-2.0
// Plays a scenario on a running venue.
#pragma once

#include <functional>
#include <string>

#include "record/recorder.hpp"
#include "scenario/scenario.hpp"
#include "venue/gateway.hpp"

namespace fixaccel::exchange {

enum class RunResult { kCompleted, kFailed, kInterrupted };

class Runner {
  public:
    // `say` shows a line to the user.
    Runner(Gateway& gateway, Recorder& recorder, std::function<void(const std::string&)> say)
        : gateway_(gateway), recorder_(recorder), say_(std::move(say)) {}

    // Takes the steps in order, on the calling thread. A wait that runs out ends it with kFailed; after
    // ClientRegistry::interrupt() it ends with kInterrupted.
    RunResult run(const Scenario& scenario);

    // Why a run failed, with the place in the scenario file.
    const std::string& failure() const { return failure_; }

  private:
    bool take(const BatchStep& step);
    bool take(const OrderStep& step);
    bool take(const CancelAllStep& step);
    bool take(const PhaseStep& step);
    bool take(const WaitStep& step);
    bool take(const WaitForStep& step);
    bool take(const LogoutStep& step);
    bool take(const ResendStep& step);
    bool take(const TestRequestStep& step);
    bool take(const SayStep& step);

    Gateway& gateway_;
    Recorder& recorder_;
    std::function<void(const std::string&)> say_;
    std::string failure_;
};

}  // namespace fixaccel::exchange
