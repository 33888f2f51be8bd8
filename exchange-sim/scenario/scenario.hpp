// SPDX-License-Identifier: Apache-2.0
// A scripted market: steps that the house takes, one after another.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "matching/exchange.hpp"
#include "scenario/flow/flow_settings.hpp"
#include "session/fault.hpp"

namespace fixaccel::exchange {

struct QuoteStep {
    std::string symbol;
    std::optional<Quote> bid;  // none: the house shows no bid
    std::optional<Quote> ask;
};

struct TradeStep {
    std::string symbol;
    Price price = 0;
    Quantity quantity = 0;
};

// Quotes and trades that are published together.
struct BatchStep {
    std::vector<std::variant<QuoteStep, TradeStep>> moves;
};

struct OrderStep {
    std::string symbol;
    Side side = Side::kBuy;
    OrderType type = OrderType::kLimit;
    TimeInForce tif = TimeInForce::kDay;
    Price price = 0;
    Quantity quantity = 0;
};

struct CancelAllStep {
    std::string symbol;
};

// Of one instrument: calls and halts collect orders, and end with an auction.
struct PhaseStep {
    std::string symbol;
    Phase phase = Phase::kContinuous;
};

struct WaitStep {
    std::chrono::nanoseconds duration{};
};

// Waits until so long after the scenario's start, or until a time of the day; not at all where that is over.
struct UntilStep {
    std::optional<std::chrono::nanoseconds> after;
    std::optional<std::chrono::seconds> time_of_day;  // UTC
};

// Exactly one of the conditions is set.
struct WaitForStep {
    std::optional<std::size_t> orders;  // accepted client orders since the venue started
    std::string logon;
    std::string logout;
    std::string subscribed;
    std::string file;  // until it exists
    std::chrono::nanoseconds timeout{};
};

struct LogoutStep {
    std::string client;
};

struct ResendStep {
    std::string client;
    std::int64_t begin = 0;
    std::int64_t end = 0;  // 0: everything up to now
};

struct TestRequestStep {
    std::string client;
};

struct FaultStep {
    std::string client;
    Fault fault;
};

struct SayStep {
    std::string text;
};

// A market of its own, from a seed.
struct FlowStep {
    FlowSettings settings;
    std::chrono::nanoseconds duration{};  // of the flow's own time
    bool paced = true;                    // false: as fast as the venue takes it
};

// A recorded market, from an event file.
struct TicksStep {
    std::string file;
    double speed = 1.0;                          // 0: as fast as the venue takes it
    std::map<std::string, std::string> symbols;  // in the file -> here; empty: as they are
};

struct Step;

struct RepeatStep {
    std::optional<std::int64_t> times;
    std::chrono::nanoseconds duration{};  // where `times` is none
    std::vector<Step> steps;
};

struct ParallelStep {
    std::vector<std::vector<Step>> branches;
};

using Action = std::variant<BatchStep, OrderStep, CancelAllStep, PhaseStep, WaitStep, UntilStep, WaitForStep,
                            LogoutStep, ResendStep, TestRequestStep, FaultStep, SayStep, FlowStep, TicksStep,
                            RepeatStep, ParallelStep>;

struct Step {
    int line = 0;  // in the scenario file, 1-based
    std::string name;
    Action action;
};

struct Scenario {
    std::string file;
    std::vector<Step> steps;
};

}  // namespace fixaccel::exchange
