// SPDX-License-Identifier: Apache-2.0
// Markets that the house makes by itself, in the clock's time or as fast as the venue takes them.
#include <algorithm>

#include "scenario/flow/flow.hpp"
#include "scenario/runner.hpp"
#include "scenario/ticks/tick_player.hpp"

namespace fixaccel::exchange {
namespace {

// Turns that are taken, and published, at once: clients get their say in between.
constexpr int kTurnsAtOnce = 32;
// A row that is due within that time is not waited for.
constexpr std::chrono::nanoseconds kSoon = std::chrono::microseconds(200);

}  // namespace

bool Runner::take(const FlowStep& step) {
    std::optional<Flow> flow;
    stage_.act([&](Exchange& exchange) {
        flow.emplace(step.settings, exchange);
        return std::vector<Execution>();
    });
    const auto begin = Clock::now();
    const auto due = [&] {
        if (flow->next_time() >= step.duration) return false;
        return !step.paced || begin + flow->next_time() <= Clock::now() + kSoon;
    };
    bool whole = true;
    while (flow->next_time() < step.duration) {
        whole = step.paced ? wait_until(begin + flow->next_time() - kSoon) : !ending();
        if (!whole) break;
        stage_.act([&](Exchange& exchange) {
            std::vector<Execution> all;
            for (int turn = 0; turn < kTurnsAtOnce && due(); ++turn) {
                const std::vector<Execution> some = flow->turn(exchange);
                all.insert(all.end(), some.begin(), some.end());
            }
            return all;
        });
    }
    stage_.act([&](Exchange& exchange) { return flow->end(exchange); });
    return whole;
}

bool Runner::take(const TicksStep& step) {
    try {
        EventFile file(step.file);
        // What a row says is found out here: on the venue's thread nothing may be wrong with it any more.
        std::optional<TickPlayer> player;
        stage_.act([&](Exchange& exchange) {
            player.emplace(exchange, step.symbols);
            return std::vector<Execution>();
        });
        EventRow row;
        std::optional<std::int64_t> first;
        const auto begin = Clock::now();
        std::chrono::nanoseconds latest(0);
        while (file.next(row)) {
            if (!first) first = row.ts_ns;
            // Time never falls in an event file.
            latest = std::max(latest, std::chrono::nanoseconds(row.ts_ns - *first));
            if (step.speed > 0) {
                const auto passed = std::chrono::duration<double, std::nano>(latest) / step.speed;
                const auto time = begin + std::chrono::duration_cast<std::chrono::nanoseconds>(passed);
                if (time > Clock::now() + kSoon && !wait_until(time)) return false;
            }
            if (ending()) return false;
            const std::vector<TickMove> moves = player->moves(row);
            if (moves.empty()) continue;
            stage_.act([&](Exchange& exchange) {
                std::vector<Execution> all;
                for (const TickMove& next : moves) {
                    const auto& some = TickPlayer::make(exchange, next);
                    all.insert(all.end(), some.begin(), some.end());
                }
                return all;
            });
        }
        return true;
    } catch (const std::exception& error) {
        // It was whole when it was checked.
        return fail("ticks: " + std::string(error.what()));
    }
}

}  // namespace fixaccel::exchange
