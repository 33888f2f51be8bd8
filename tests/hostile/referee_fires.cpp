// SPDX-License-Identifier: Apache-2.0
// Records of fires, and the orders that left for them.
#include <algorithm>

#include "failure.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "order_check.hpp"
#include "referee.hpp"

namespace fixaccel::hostile {
namespace {

constexpr std::int64_t kStampSlack = 24;      // of a record's cycle stamps, less than the shortest message
constexpr std::uint64_t kOldest = 5'000'000;  // ns that a SendingTime may lie behind its order's last byte

std::string printable(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '|');
    return text;
}

std::string text_of(const Fire& fire) {
    return "rule " + std::to_string(fire.rule) + " at " + std::to_string(fire.observed) + " of " +
           std::string(source_text(fire.source));
}

// Cycles between the ends of the record's message and of this one.
std::int64_t distance_of(const fixaccel::Fire& fire, const Arrival& arrival, std::uint32_t cycle_offset) {
    return std::abs(static_cast<std::int64_t>(static_cast<std::int32_t>(
        fire.message_end_cycle - static_cast<std::uint32_t>(arrival.end) - cycle_offset)));
}

}  // namespace

void Referee::close_front(const std::string& why) {
    Candidate& candidate = candidates_.front();
    const Fire* lost = candidate.arrival.certain ? candidate.evaluation.next(states_) : nullptr;
    while (lost != nullptr && !lost->certain) {
        candidate.evaluation.pass();
        lost = candidate.evaluation.next(states_);
    }
    if (lost != nullptr)
        throw Failure("lost-stop", text_of(*lost) + " did not fire on message that ended in cycle " +
                                       std::to_string(candidate.arrival.end) + " (" + why + "), frame from " +
                                       std::to_string(candidate.arrival.frame_first) + " to " +
                                       std::to_string(candidate.arrival.frame_last) + ", armed since " +
                                       std::to_string(on_since_.value_or(0)) + ", " +
                                       std::to_string(candidate.evaluation.passed()) +
                                       " fired before it: " + printable(candidate.arrival.text));
    states_.message_over();
    candidates_.pop_front();
}

// Of a bad frame only what would have fired first can have begun.
void Referee::record_spoiled(const fixaccel::Fire& fire, std::uint32_t cycle_offset) {
    const Fire actual{.rule = fire.rule, .source = fire.source, .observed = fire.observed};
    const auto is_of = [&](const Candidate& c) {
        return distance_of(fire, c.arrival, cycle_offset) <= kStampSlack;
    };
    const auto at = std::find_if(spoiled_.begin(), spoiled_.end(), [&](const Spoiled& frame) {
        return std::any_of(frame.messages.begin(), frame.messages.end(), is_of);
    });
    if (at == spoiled_.end())
        throw Failure("wrong-fire", text_of(actual) + " was spent on a bad frame, and none says that");
    if (at->spent) throw Failure("wrong-fire", text_of(actual) + " is a second fire of one bad frame");
    at->spent = true;
    while (!candidates_.empty() && candidates_.front().arrival.frame_last < at->first)
        close_front("a later frame was bad");
    RuleStates states = states_;
    for (Candidate& message : at->messages) {
        const Fire* next = message.evaluation.next(states);
        while (next != nullptr && *next != actual && !(message.arrival.certain && next->certain)) {
            message.evaluation.pass();
            next = message.evaluation.next(states);
        }
        if (next == nullptr && !is_of(message)) continue;
        if (next == nullptr || *next != actual || !is_of(message))
            throw Failure("wrong-order", text_of(actual) + " was spent on a bad frame, where " +
                                             (next == nullptr ? "nothing" : text_of(*next)) +
                                             " had to fire first: " + printable(message.arrival.text));
        if (!next->may_pass) throw Failure("collar", text_of(actual) + " began to leave beyond the collar");
        break;
    }
    judge_given_up(fire, at->first);
    if (fire.left || !fire.payload.empty() || fire.tcp_seq != 0)
        throw Failure("record", "what is spent on a bad frame has no order");
    states_.fired(fire.rule, false);
    ++spoiled_seen_;
}

// What began on a frame that was bad is spent, whatever comes behind it.
void Referee::judge_given_up(const fixaccel::Fire& fire, std::uint64_t since) {
    const auto found = given_up_.find(fire.rule);
    if (found == given_up_.end()) {
        if (!fire.sent()) leaving_.insert(fire.rule);
        return;
    }
    if (found->second < since && !withdrawn_)
        throw Failure("aborted", "an order of rule " + std::to_string(fire.rule) +
                                     " was given up on a frame before the one that it fired on");
    given_up_.erase(found);
}

void Referee::record(const fixaccel::Fire& fire, std::uint32_t cycle_offset) {
    if (fire.generation != generation_)
        throw Failure("generation", "a record of generation " + std::to_string(fire.generation));
    if (fire.outcome == hwmap::outcome_frame) return record_spoiled(fire, cycle_offset);
    const Fire actual{.rule = fire.rule, .source = fire.source, .observed = fire.observed};
    const auto distance = [&](const Candidate& candidate) {
        return distance_of(fire, candidate.arrival, cycle_offset);
    };
    const auto at = std::find_if(candidates_.begin(), candidates_.end(),
                                 [&](const Candidate& c) { return distance(c) <= kStampSlack; });
    if (at == candidates_.end() && closed_ && !fire.sent()) return states_.fired(fire.rule, false);
    if (at == candidates_.end())
        throw Failure(
            "wrong-fire",
            text_of(actual) + " (" + outcome_text(fire.outcome) +
                ") fired on a message that no kernel and no FIX engine would have taken, ended in cycle " +
                std::to_string(fire.message_end_cycle - cycle_offset) + ", armed since " +
                std::to_string(on_since_.value_or(0)));
    while (distance(candidates_.front()) > kStampSlack) close_front("a later message fired");
    Candidate& candidate = candidates_.front();
    judge_state(actual, candidate);
    const Fire* next = candidate.evaluation.next(states_);
    while (next != nullptr && *next != actual) {
        if (candidate.arrival.certain && next->certain)
            throw Failure("wrong-order", text_of(actual) + " fired where " + text_of(*next) +
                                             " had to: " + printable(candidate.arrival.text));
        candidate.evaluation.pass();
        next = candidate.evaluation.next(states_);
    }
    if (next == nullptr)
        throw Failure("wrong-fire", text_of(actual) + " fired on " + printable(candidate.arrival.text));
    judge_given_up(fire, candidate.arrival.frame_first);
    const Fire expected = *next;
    candidate.evaluation.pass();
    states_.fired(fire.rule, fire.sent());
    judge_limits(fire, rules_.rule_of(actual));
    if (fire.sent() && !expected.may_pass)
        throw Failure("collar", text_of(actual) + " was sent beyond the collar");
    if (fire.sent())
        judge_order(fire, candidate);
    else
        judge_outcome(fire, expected, candidate);
}

void Referee::judge_state(const Fire& fire, const Candidate& candidate) const {
    // What stands behind this one for another instrument may find its rule armed.
    RuleStates states = states_;
    Evaluation evaluation = candidate.evaluation;
    for (const Fire* next = evaluation.next(states); next != nullptr; next = evaluation.next(states)) {
        if (*next == fire) return;
        evaluation.pass();
    }
    const auto state = states_.state(fire.rule);
    if (state == RuleStates::State::armed) return;
    throw Failure(
        state == RuleStates::State::fired ? "two-orders" : "wrong-link",
        text_of(fire) + " fired and was " + state_text(state) + ": " + printable(candidate.arrival.text));
}

void Referee::judge_limits(const fixaccel::Fire& fire, const BundleRule& rule) {
    const auto first = limits_.violated(rule, fire.time_ns);
    if (fire.sent()) {
        if (first) throw Failure("over-limit", rule.id + " was sent, beyond " + outcome_text(*first));
        limits_.sent(rule);
    } else if (is_limit(fire.outcome)) {
        if (first != fire.outcome)
            throw Failure("wrong-reject", rule.id + " is " + outcome_text(fire.outcome) + ", and had to be " +
                                              outcome_text(first.value_or(hwmap::outcome_sent)));
        ++limited_;
    }
}

void Referee::judge_outcome(const fixaccel::Fire& fire, const Fire& expected, const Candidate& candidate) {
    if (fire.outcome == hwmap::outcome_collar) {
        if (!expected.may_breach) throw Failure("wrong-reject", "collar, and it was not reached");
        return;
    }
    constexpr std::uint32_t kOrderRoom = 512;
    if (fire.outcome == hwmap::outcome_window) {
        if (candidate.room > 2 * kOrderRoom && candidate.evaluation.passed() == 1)
            throw Failure("wrong-reject",
                          "window, with " + std::to_string(candidate.room) + " bytes of room");
        return;
    }
    if (!is_limit(fire.outcome) && !candidate.excused.contains(fire.outcome))
        throw Failure("wrong-reject", outcome_text(fire.outcome) + " without a reason");
}

void Referee::judge_order(const fixaccel::Fire& fire, const Candidate& candidate) {
    if (!fire.left) throw Failure("record", "an order's record is sent and its bytes never left");
    if (orders_.empty()) throw Failure("record", "record " + std::to_string(fire.entry) + " has no order");
    const Order order = orders_.front();
    orders_.pop_front();
    if (order.text != fire.payload || order.seq != fire.tcp_seq)
        throw Failure("record", "record " + std::to_string(fire.entry) + " is not of the order that left: " +
                                    printable(fire.payload) + " against " + printable(order.text));
    if (fire.rule >= rules_.bundle().rules.size()) throw Failure("record", "no such rule");
    const std::string fault = order_fault(
        order.text, rules_.bundle(),
        rules_.rule_of({.rule = fire.rule, .source = fire.source, .observed = fire.observed}),
        {.seq_num = seq_num_,
         .fires = fire.fires,
         .epoch = session_.epoch,
         .earliest_ns = std::max(candidate.time_ns, order.time_ns - std::min(order.time_ns, kOldest)),
         .latest_ns = order.time_ns});
    if (!fault.empty()) throw Failure("order-text", fault + ": " + printable(order.text));
    ++seq_num_;
}

}  // namespace fixaccel::hostile
