// SPDX-License-Identifier: Apache-2.0
// A scripted market: steps that the house takes, one after another.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "matching/exchange.hpp"

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

struct SayStep {
    std::string text;
};

using Action = std::variant<BatchStep, OrderStep, CancelAllStep, PhaseStep, WaitStep, WaitForStep, LogoutStep,
                            ResendStep, TestRequestStep, SayStep>;

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
