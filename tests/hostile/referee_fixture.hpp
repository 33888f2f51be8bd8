// SPDX-License-Identifier: Apache-2.0
// A session with one message on which rules fire, and the means to tell the referee about it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "failure.hpp"
#include "fix_text.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "referee.hpp"
#include "reference_fixture.hpp"

namespace fixaccel::hostile {

inline const Endpoint kLocal{.ip = 0x0A000002, .port = 4000, .mac = {2, 0, 0, 0, 0, 2}};
inline const Endpoint kRemote{.ip = 0x0A000001, .port = 9878, .mac = {2, 0, 0, 0, 0, 1}};

inline std::vector<std::uint32_t> rules_of(const std::vector<Fire>& fires) {
    std::vector<std::uint32_t> out;
    for (const Fire& fire : fires) out.push_back(fire.rule);
    return out;
}

// A session with one message on which rules fire, and the means to tell the referee about it.
class RefereeTest : public ::testing::Test {
  protected:
    RefereeTest()
        : rules_(rules()),
          referee_(rules_, {.local = kLocal,
                            .remote = kRemote,
                            .snd_nxt = kOurs,
                            .rcv_nxt = kTheirs,
                            .peer_window = 0xFFFF,
                            .peer_wscale = 0,
                            .seq_num = 7,
                            .epoch = "EP0C"}) {
        // All that it satisfies fires, for none of that is linked.
        choose([&](const Fire&, const std::vector<std::uint32_t>& fired) {
            return fired.size() > 3 && fired.size() == rules_.satisfied(message_).at(0).size();
        });
        referee_.resumed({kTheirs, 1}, 0, 0);
        referee_.audit(at_rest());
        referee_.arming(0);
        referee_.armed(0, 1);
    }

    std::string trade(const Instrument& instrument, int ticks) const {
        return fix_message({{35, "W"},
                            {49, rules_.bundle().session.target_comp_id},
                            {56, rules_.bundle().session.sender_comp_id},
                            {34, std::to_string(number_)},
                            {55, instrument.symbol},
                            {268, "1"},
                            {269, "2"},
                            {270, decimal_text(instrument.middle + ticks * instrument.tick)}});
    }
    // The first trade of which this is true becomes the message.
    template <typename Fits>
    Fire choose(Fits fits) {
        for (const Instrument& instrument : rules_.instruments())
            for (int ticks = -30; ticks <= 30; ++ticks) {
                message_ = trade(instrument, ticks);
                for (const auto& all : rules_.satisfied(message_))
                    for (const Fire& fire : all)
                        if (fits(fire, rules_of(rules_.fires(message_)))) return fire;
            }
        throw std::runtime_error("no trade will do");
    }
    // One that is armed at first and cancelled by an order of the same message.
    Fire cancelled_at_once() {
        return choose([&](const Fire& fire, const std::vector<std::uint32_t>& fired) {
            return rules_.fresh().armed(fire.rule) &&
                   std::find(fired.begin(), fired.end(), fire.rule) == fired.end();
        });
    }
    // One that an order of the same message arms.
    Fire child_of_the_message() {
        return choose([&](const Fire& fire, const std::vector<std::uint32_t>& fired) {
            return std::any_of(fired.begin(), fired.end(), [&](std::uint32_t rule) {
                const auto found = rules_.links().children.find(rule);
                return found != rules_.links().children.end() && found->second.contains(fire.rule);
            });
        });
    }

    Audit at_rest() const {
        std::vector<std::uint32_t> live(64), dormant(64);
        for (const BundleRule& rule : rules_.bundle().rules) {
            if (!rule.trigger) continue;
            const std::uint32_t bit = 1U << *rule.trigger % 32;
            const auto state = referee_.states().state(rule.index);
            if (state == RuleStates::State::armed) live.at(*rule.trigger / 32) |= bit;
            if (state == RuleStates::State::disarmed) dormant.at(*rule.trigger / 32) |= bit;
        }
        return {.status = 1U << hwmap::status_bits::armed,
                .rcv_nxt = referee_.stream().read_to(),
                .snd_nxt = referee_.wire_snd_nxt(),
                .peer_ack = referee_.stream().kernel().snd_una,
                .peer_window = referee_.stream().kernel().snd_wnd,
                .aborted = static_cast<std::uint32_t>(referee_.aborted()),
                .live = live,
                .dormant = dormant};
    }
    Bytes incoming(const std::string& payload) const {
        return finished(
            Packet{.from = kRemote, .to = kLocal, .seq = theirs_, .ack = kOurs, .payload = payload}.frame());
    }
    Bytes outgoing(std::uint32_t seq, std::uint32_t ack, const std::string& payload) const {
        return finished(
            Packet{.from = kLocal, .to = kRemote, .seq = seq, .ack = ack, .payload = payload}.frame());
    }
    void market() {
        const Bytes frame = incoming(message_);
        referee_.from_net({.bytes = frame}, first_, first_ + frame.size(), 0);
        referee_.to_cpu(frame);
    }
    // The same prices in the next message, later.
    void market_again() {
        theirs_ += static_cast<std::uint32_t>(message_.size());
        first_ += 10'000;
        ++number_;
        Fields fields = fix_fields(message_).value();
        fields.erase(fields.begin(), fields.begin() + 2);
        fields.pop_back();
        fields[3].value = std::to_string(number_);
        message_ = fix_message(fields);
        market();
    }
    fixaccel::Fire fire(std::size_t index, std::uint32_t outcome) const {
        return record(rules_.fires(message_).at(index), outcome, static_cast<std::uint32_t>(index + 1));
    }
    fixaccel::Fire record(const Fire& expected, std::uint32_t outcome, std::uint32_t entry = 1) const {
        fixaccel::Fire out;
        out.entry = entry;
        out.generation = 1;
        out.rule = expected.rule;
        out.source = expected.source;
        out.observed = expected.observed;
        out.outcome = outcome;
        out.message_end_cycle = static_cast<std::uint32_t>(first_ + 54 + message_.size() - 1);
        return out;
    }
    std::string order_of(const Fire& expected) const {
        const BundleRule rule = rules_.rule_of(expected);
        constexpr std::string_view kTime = "19700101-00:00:00.000",
                                   kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        std::string index(8, '0');
        for (auto [at, rest] = std::pair{index.rbegin(), rule.index}; rest != 0; rest /= 36)
            *at++ = kDigits[rest % 36];
        Fields fields{{35, "D"},
                      {34, std::to_string(referee_.seq_num())},
                      {49, rules_.bundle().session.sender_comp_id},
                      {52, std::string(kTime)},
                      {56, rules_.bundle().session.target_comp_id},
                      {1, rule.order.account},
                      {11, "EP0C" + index + "00000000"},
                      {38, rule.order.qty},
                      {40, rule.order.type == "limit" ? "2" : "1"},
                      {54, rule.order.side == "buy" ? "1" : "2"},
                      {55, rule.instrument},
                      {59, "0"},
                      {60, std::string(kTime)}};
        if (rule.order.type == "limit") fields.push_back({44, rule.order.price});
        return fix_message(fields);
    }
    // Its order leaves, with its record.
    void send(const Fire& expected) {
        auto sent = record(expected, hwmap::outcome_sent);
        sent.payload = order_of(expected);
        sent.left = true;
        sent.tcp_seq = referee_.wire_snd_nxt();
        EXPECT_TRUE(referee_.to_net(outgoing(sent.tcp_seq, kTheirs, sent.payload), false, first_ + 1000, 0));
        referee_.record(sent, 0);
    }
    // The message, in a frame with a wrong FCS.
    void bad_market() {
        Bytes frame = incoming(message_);
        frame.back() ^= 1;
        referee_.from_net({.bytes = frame}, first_, first_ + frame.size(), 0);
    }
    // Its order begins while the message's frame comes, and ends with a wrong FCS.
    void give_up(const Fire& expected) {
        Bytes frame = outgoing(referee_.wire_snd_nxt(), kTheirs, order_of(expected));
        frame.back() ^= 1;
        referee_.to_net(frame, true, first_ + 200, 0);
    }
    // All that fire in the message before this one.
    void send_all_before(const Fire& last) {
        for (const std::vector<Fire> all = rules_.satisfied(message_).at(0); const Fire& fire : all) {
            if (fire == last) return;
            if (referee_.states().armed(fire.rule)) send(fire);
        }
    }
    template <typename Action>
    std::string broken(Action action) {
        try {
            action();
        } catch (const Failure& failure) {
            return failure.property();
        }
        return "nothing";
    }

    std::uint64_t first_ = 1000;
    std::uint32_t theirs_ = kTheirs, number_ = 1;
    MarketRules rules_;
    Referee referee_;
    std::string message_{};
};

}  // namespace fixaccel::hostile
