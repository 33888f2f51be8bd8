// SPDX-License-Identifier: Apache-2.0
// One message as it is evaluated: which rule is to fire next, as the orders before it were sent or not.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "market_rules.hpp"

namespace fixaccel::hostile {

class Evaluation {
  public:
    // See MarketRules::satisfied.
    explicit Evaluation(std::vector<std::vector<Fire>> satisfied) : satisfied_(std::move(satisfied)) {}

    // Nothing once the message is over. Between its instruments it is over for the one before.
    const Fire* next(RuleStates& states) {
        for (; instrument_ < satisfied_.size(); ++instrument_, at_ = 0) {
            for (; at_ < satisfied_[instrument_].size(); ++at_)
                if (states.armed(satisfied_[instrument_][at_].rule)) return &satisfied_[instrument_][at_];
            states.message_over();
        }
        return nullptr;
    }
    // Behind what was next: it has fired, or will not.
    void pass() {
        ++at_;
        ++passed_;
    }
    std::size_t passed() const { return passed_; }

  private:
    std::vector<std::vector<Fire>> satisfied_;
    std::size_t instrument_ = 0, at_ = 0, passed_ = 0;
};

}  // namespace fixaccel::hostile
