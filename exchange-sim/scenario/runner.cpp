// SPDX-License-Identifier: Apache-2.0
#include "scenario/runner.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>

namespace fixaccel::exchange {
namespace {

constexpr std::chrono::nanoseconds kFilePoll = std::chrono::milliseconds(20);

std::vector<Execution> move(Exchange& exchange, const QuoteStep& step) {
    return exchange.quote(step.symbol, step.bid, step.ask);
}

std::vector<Execution> move(Exchange& exchange, const TradeStep& step) {
    return exchange.trade(step.symbol, step.price, step.quantity);
}

}  // namespace

RunResult Runner::run(const Scenario& scenario) {
    for (const Step& step : scenario.steps) {
        if (gateway_.clients().interrupted()) return RunResult::kInterrupted;
        recorder_.write("scenario", {{"line", step.line}, {"step", step.name}});
        if (std::visit([this](const auto& action) { return take(action); }, step.action)) continue;
        if (gateway_.clients().interrupted()) return RunResult::kInterrupted;
        failure_ = scenario.file + ":" + std::to_string(step.line) + ": " + failure_;
        return RunResult::kFailed;
    }
    return RunResult::kCompleted;
}

bool Runner::take(const BatchStep& step) {
    gateway_.act([&](Exchange& exchange) {
        std::vector<Execution> all;
        for (const auto& next : step.moves) {
            auto some = std::visit([&](const auto& what) { return move(exchange, what); }, next);
            std::move(some.begin(), some.end(), std::back_inserter(all));
        }
        return all;
    });
    return true;
}

bool Runner::take(const OrderStep& step) {
    gateway_.act([&](Exchange& exchange) {
        return exchange.house_order(step.symbol, step.side, step.type, step.tif, step.price, step.quantity);
    });
    return true;
}

bool Runner::take(const CancelAllStep& step) {
    gateway_.act([&](Exchange& exchange) { return exchange.cancel_house(step.symbol); });
    return true;
}

bool Runner::take(const PhaseStep& step) {
    gateway_.act([&](Exchange& exchange) {
        Message message;
        message.kind = MessageKind::kPhase;
        message.instrument = exchange.index_of(step.symbol);
        message.phase = step.phase;
        return exchange.say(message);
    });
    return true;
}

bool Runner::take(const WaitStep& step) {
    gateway_.clients().wait([] { return false; }, step.duration);
    return !gateway_.clients().interrupted();
}

bool Runner::take(const WaitForStep& step) {
    ClientRegistry& clients = gateway_.clients();
    const auto holds = [&] {
        if (step.orders) return clients.accepted_orders() >= *step.orders;
        if (!step.logon.empty()) return clients.is_logged_on(step.logon);
        if (!step.logout.empty()) return !clients.is_logged_on(step.logout);
        if (!step.file.empty()) return std::filesystem::exists(step.file);
        return clients.is_subscribed(step.subscribed);
    };
    // Nobody tells the registry of a new file: look again every few milliseconds.
    const auto slice = step.file.empty() ? step.timeout : std::min(step.timeout, kFilePoll);
    for (auto left = step.timeout; left.count() > 0 && !clients.interrupted(); left -= slice) {
        if (clients.wait(holds, std::min(slice, left))) return true;
    }
    const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(step.timeout).count();
    failure_ = "wait_for gave up after " + std::to_string(waited) + " ms";
    if (step.orders) {
        failure_ += ": " + std::to_string(clients.accepted_orders()) + " of " + std::to_string(*step.orders) +
                    " orders were accepted";
    } else if (!step.logon.empty()) {
        failure_ += ": " + step.logon + " has not logged on";
    } else if (!step.logout.empty()) {
        failure_ += ": " + step.logout + " has not logged out";
    } else if (!step.file.empty()) {
        failure_ += ": there is no file " + step.file;
    } else {
        failure_ += ": " + step.subscribed + " has not subscribed to market data";
    }
    return false;
}

bool Runner::take(const LogoutStep& step) {
    gateway_.log_out(step.client, "scenario");
    return true;
}

bool Runner::take(const ResendStep& step) {
    gateway_.send_session_message(step.client, {"2",
                                                {{tag::kBeginSeqNo, std::to_string(step.begin)},
                                                 {tag::kEndSeqNo, std::to_string(step.end)}},
                                                {}});
    return true;
}

bool Runner::take(const TestRequestStep& step) {
    gateway_.send_session_message(step.client, {"1", {{tag::kTestReqId, "SCENARIO"}}, {}});
    return true;
}

bool Runner::take(const SayStep& step) {
    say_(step.text);
    return true;
}

}  // namespace fixaccel::exchange
