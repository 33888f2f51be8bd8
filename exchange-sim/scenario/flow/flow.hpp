// SPDX-License-Identifier: Apache-2.0
// A random market: participants take turns in the books of some instruments. Who is next, where and when, and
// every number that is drawn, is decided by the seed alone; what somebody does with it depends on the book as
// well.
#pragma once

#include <chrono>
#include <memory>
#include <unordered_map>
#include <vector>

#include "scenario/flow/flow_settings.hpp"
#include "scenario/flow/participant.hpp"

namespace fixaccel::exchange {

class Flow {
  public:
    // The instruments must be traded on `exchange`.
    Flow(const FlowSettings& settings, const Exchange& exchange);

    // When the next turn is, from the beginning of the flow.
    std::chrono::nanoseconds next_time() const { return next_time_; }
    std::int64_t turns() const { return turn_; }
    // Takes the next turn.
    std::vector<Execution> turn(Exchange& exchange);
    // Withdraws what rests.
    std::vector<Execution> end(Exchange& exchange);

  private:
    struct Trader {
        std::unique_ptr<Participant> who;
        std::int64_t weight = 0;
    };
    struct Traded {
        InstrumentIndex index = 0;
        std::string symbol;
        Grid grid;
        Price begin = 0;
        std::vector<OrderId> resting;
    };
    struct Held {
        Participant* who = nullptr;
        PlaceOrder placed;
        Quantity left = 0;
    };

    void add(std::unique_ptr<Participant> who, std::int64_t weight);
    void pass_time();
    Participant& choose(Random& random);
    // Learns what others did to orders that rest here.
    void look(const Exchange& exchange, Traded& traded);
    void do_it(Exchange& exchange, Traded& traded, Participant& who, const Decision& decision,
               std::vector<Execution>& out);
    std::vector<Execution> place(Exchange& exchange, Traded& traded, Participant& who,
                                 const PlaceOrder& order);
    std::vector<Execution> cancel(Exchange& exchange, OrderId id);
    void update(Traded& traded, OrderId id, const Order* order);

    const std::uint64_t seed_;
    const std::int64_t interval_ns_;  // between turns, in the mean
    Random random_;
    std::vector<Trader> traders_;
    std::int64_t weights_ = 0;
    std::vector<Traded> traded_;
    std::unordered_map<OrderId, Held> held_;
    std::chrono::nanoseconds next_time_{};
    std::int64_t turn_ = 0;
};

}  // namespace fixaccel::exchange
