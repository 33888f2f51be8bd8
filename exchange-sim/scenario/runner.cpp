// SPDX-License-Identifier: Apache-2.0
#include "scenario/runner.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <thread>

namespace fixaccel::exchange {
namespace {

// Nobody tells of a new file, nor of a failure in another branch: look again every few milliseconds.
constexpr std::chrono::nanoseconds kPoll = std::chrono::milliseconds(20);

const std::vector<Execution>& move(Exchange& exchange, const QuoteStep& step) {
    return exchange.quote(step.symbol, step.bid, step.ask);
}

const std::vector<Execution>& move(Exchange& exchange, const TradeStep& step) {
    return exchange.trade(step.symbol, step.price, step.quantity);
}

// The line of the step that a thread is taking.
int& line_here() {
    thread_local int line = 0;
    return line;
}

}  // namespace

RunResult Runner::run(const Scenario& scenario) {
    start_ = Clock::now();
    file_ = scenario.file;
    failed_ = false;
    if (take(scenario.steps)) return RunResult::kCompleted;
    return failed_ ? RunResult::kFailed : RunResult::kInterrupted;
}

bool Runner::take(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
        if (ending()) return false;
        line_here() = step.line;
        recorder_.write("scenario", {{"line", step.line}, {"step", step.name}});
        if (!std::visit([this](const auto& action) { return take(action); }, step.action)) return false;
    }
    return true;
}

bool Runner::fail(const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (!failed_ && !stage_.interrupted()) {
        failure_ = file_ + ":" + std::to_string(line_here()) + ": " + why;
        failed_ = true;
    }
    return false;
}

bool Runner::wait_until(Clock::time_point time) {
    for (auto left = time - Clock::now(); left.count() > 0 && !ending(); left = time - Clock::now())
        stage_.wait([] { return false; }, std::min<std::chrono::nanoseconds>(left, kPoll));
    return !ending();
}

bool Runner::take(const BatchStep& step) {
    stage_.act([&](Exchange& exchange) {
        std::vector<Execution> all;
        for (const auto& next : step.moves) {
            const auto& some = std::visit(
                [&](const auto& what) -> const auto& { return move(exchange, what); }, next);
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    });
    return true;
}

bool Runner::take(const OrderStep& step) {
    stage_.act([&](Exchange& exchange) {
        return exchange.house_order(step.symbol, step.side, step.type, step.tif, step.price, step.quantity);
    });
    return true;
}

bool Runner::take(const CancelAllStep& step) {
    stage_.act([&](Exchange& exchange) { return exchange.cancel_house(step.symbol); });
    return true;
}

bool Runner::take(const PhaseStep& step) {
    stage_.act([&](Exchange& exchange) {
        Message message;
        message.kind = MessageKind::kPhase;
        message.instrument = exchange.index_of(step.symbol);
        message.phase = step.phase;
        return exchange.say(message);
    });
    return true;
}

bool Runner::take(const WaitStep& step) { return wait_until(Clock::now() + step.duration); }

bool Runner::take(const UntilStep& step) {
    if (step.after) return wait_until(start_ + *step.after);
    if (!step.time_of_day) return true;
    using std::chrono::system_clock;
    const auto now = system_clock::now();
    const auto wanted = std::chrono::floor<std::chrono::days>(now) + *step.time_of_day;
    return wait_until(Clock::now() + (wanted - now));
}

bool Runner::holds(const WaitForStep& step) const {
    if (step.orders) return stage_.accepted_orders() >= *step.orders;
    if (!step.logon.empty()) return stage_.logged_on(step.logon);
    if (!step.logout.empty()) return !stage_.logged_on(step.logout);
    if (!step.file.empty()) return std::filesystem::exists(step.file);
    return stage_.subscribed(step.subscribed);
}

std::string Runner::missing(const WaitForStep& step) const {
    if (step.orders)
        return std::to_string(stage_.accepted_orders()) + " of " + std::to_string(*step.orders) +
               " orders were accepted";
    if (!step.logon.empty()) return step.logon + " has not logged on";
    if (!step.logout.empty()) return step.logout + " has not logged out";
    if (!step.file.empty()) return "there is no file " + step.file;
    return step.subscribed + " has not subscribed to market data";
}

bool Runner::take(const WaitForStep& step) {
    const auto end = Clock::now() + step.timeout;
    while (!ending()) {
        const auto left = end - Clock::now();
        if (left.count() <= 0) break;
        if (stage_.wait([&] { return holds(step); }, std::min<std::chrono::nanoseconds>(left, kPoll)))
            return true;
    }
    if (ending()) return false;
    const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(step.timeout).count();
    return fail("wait_for gave up after " + std::to_string(waited) + " ms: " + missing(step));
}

bool Runner::take(const LogoutStep& step) {
    stage_.log_out(step.client, "scenario");
    return true;
}

bool Runner::take(const ResendStep& step) {
    stage_.request_resend(step.client, step.begin, step.end);
    return true;
}

bool Runner::take(const TestRequestStep& step) {
    stage_.request_test(step.client, "SCENARIO");
    return true;
}

bool Runner::take(const FaultStep& step) {
    stage_.fault(step.client, step.fault);
    return true;
}

bool Runner::take(const SayStep& step) {
    const std::lock_guard lock(mutex_);
    say_(step.text);
    return true;
}

bool Runner::take(const RepeatStep& step) {
    const auto end = Clock::now() + step.duration;
    for (std::int64_t round = 0; step.times ? round < *step.times : Clock::now() < end; ++round) {
        if (!take(step.steps)) return false;
        // Steps that take no time are no reason to take the core from what they wait for.
        if (!step.times) std::this_thread::yield();
        if (ending()) return false;
    }
    return true;
}

bool Runner::take(const ParallelStep& step) {
    std::atomic<bool> good = true;
    std::vector<std::thread> threads;
    threads.reserve(step.branches.size());
    for (const auto& branch : step.branches) {
        threads.emplace_back([this, &branch, &good] {
            if (!take(branch)) good = false;
        });
    }
    for (std::thread& thread : threads) thread.join();
    return good;
}

}  // namespace fixaccel::exchange
