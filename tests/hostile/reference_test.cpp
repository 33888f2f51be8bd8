// SPDX-License-Identifier: Apache-2.0
// The reference: what a kernel takes, how FIX is framed, what the rules do to each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "evaluation.hpp"
#include "fix_text.hpp"
#include "kernel_tcp.hpp"
#include "market_rules.hpp"
#include "reference_fixture.hpp"

namespace fixaccel::hostile {
namespace {

KernelTcp kernel() {
    return KernelTcp(TcpState{.rcv_nxt = kTheirs,
                              .snd_una = kOurs,
                              .snd_nxt = kOurs + 500,
                              .snd_wnd = 0xFFFF,
                              .snd_wl1 = kTheirs,
                              .max_window = 0xFFFF});
}

Segment segment(std::uint32_t seq, const std::string& payload, std::uint8_t flags = flag::ack,
                std::uint32_t ack = kOurs) {
    return {.seq = seq, .ack = ack, .flags = flags, .window = 100, .payload = payload};
}

TEST(KernelTcp, TakesWhatLinuxTakes) {
    std::string read;
    KernelTcp tcp = kernel();
    EXPECT_EQ(tcp.take(segment(kTheirs, "abc"), &read), Fate::in_order);
    EXPECT_EQ(tcp.take(segment(kTheirs, "abc"), &read), Fate::ignored);
    EXPECT_EQ(tcp.take(segment(kTheirs + 2, "cde"), &read), Fate::overlap);
    EXPECT_EQ(tcp.take(segment(kTheirs + 8, "ijk"), &read), Fate::ahead);
    EXPECT_EQ(tcp.take(segment(kTheirs + 5, "fgh"), &read), Fate::in_order);
    EXPECT_EQ(read, "abcdefghijk");
    EXPECT_EQ(tcp.rcv_nxt, kTheirs + 11);
}

TEST(KernelTcp, IgnoresWhatLinuxIgnores) {
    KernelTcp tcp = kernel();
    EXPECT_EQ(tcp.take(segment(kTheirs + (1U << 20U), "x")), Fate::ignored);
    EXPECT_EQ(tcp.take(segment(kTheirs - 70'000, "x")), Fate::ignored);
    EXPECT_EQ(tcp.take(segment(kTheirs + 1, "", flag::rst)), Fate::ignored);
    EXPECT_EQ(tcp.take(segment(kTheirs, "", flag::syn)), Fate::ignored);
    EXPECT_EQ(tcp.take(segment(kTheirs, "x", flag::psh)), Fate::ignored);
    EXPECT_EQ(tcp.take(segment(kTheirs, "x", flag::ack, kOurs + 501)), Fate::ignored);
    EXPECT_EQ(tcp.take(segment(kTheirs, "x", flag::ack, kOurs - 70'000)), Fate::ignored);
    EXPECT_TRUE(tcp.open);
    EXPECT_EQ(tcp.rcv_nxt, kTheirs);
    EXPECT_EQ(tcp.take(segment(kTheirs, "", flag::rst)), Fate::reset);
    EXPECT_FALSE(tcp.open);
}

TEST(KernelTcp, TakesTheAcknowledgementOfAnOldSegmentOnlyFromWhatItHasAcknowledgedOn) {
    KernelTcp tcp = kernel();
    EXPECT_EQ(tcp.take(segment(kTheirs, "abcdef")), Fate::in_order);
    tcp.rcv_wup = kTheirs + 3;
    tcp.take(segment(kTheirs, "ab", flag::ack, kOurs + 7));
    EXPECT_EQ(tcp.snd_una, kOurs);
    tcp.take(segment(kTheirs, "abc", flag::ack, kOurs + 7));
    EXPECT_EQ(tcp.snd_una, kOurs + 7);
}

TEST(KernelTcp, AnOldSegmentDoesNotTouchTheWindow) {
    KernelTcp tcp = kernel();
    tcp.take(segment(kTheirs, "abc", flag::ack, kOurs + 100));
    EXPECT_EQ(tcp.snd_wnd, 100U);
    Segment closed = segment(kTheirs + 3, "d", flag::ack, kOurs + 100);
    closed.window = 0;
    tcp.take(closed);
    EXPECT_EQ(tcp.snd_wnd, 0U);
    tcp.take(segment(kTheirs, "abcd", flag::ack, kOurs + 100));
    EXPECT_EQ(tcp.snd_wnd, 0U);
    EXPECT_EQ(tcp.snd_una, kOurs + 100);
}

TEST(FixText, FramesAsQuickFixDoes) {
    const std::string message = fix_message({{35, "W"}, {55, "A"}});
    const Framed whole = frame_message(message + "8=");
    EXPECT_EQ(whole.what, Framed::What::whole);
    EXPECT_EQ(whole.length, message.size());
    EXPECT_TRUE(whole.sum_right);
    for (std::size_t size = 0; size < message.size(); ++size)
        EXPECT_EQ(frame_message(message.substr(0, size)).what, Framed::What::more) << size;
    std::string wrong = message;
    wrong[wrong.find("9=") + 3] = '9';
    EXPECT_EQ(frame_message(wrong + message + message + message + message + message).what,
              Framed::What::broken);
    EXPECT_EQ(frame_message("x" + message).what, Framed::What::broken);
}

TEST(FixText, SohEndsADataFieldToo) {
    const std::string data = std::string("a") + kSoh + "270=5";
    const auto fields =
        fix_fields(fix_message({{35, "W"}, {95, std::to_string(data.size())}, {96, data}, {55, "A"}}));
    ASSERT_TRUE(fields);
    EXPECT_EQ(*find(*fields, 96), "a");
    EXPECT_EQ(*find(*fields, 270), "5");
    EXPECT_EQ(fix_fields(fix_message({{35, "W"}, {95, "2"}, {96, data + kSoh + "x"}})), std::nullopt);
}

TEST(Decimal, IsExactOrNothing) {
    EXPECT_EQ(decimal("-1.25"), -125'000'000);
    EXPECT_EQ(decimal("0012.500000000000"), 1'250'000'000);
    for (const char* text : {"", "-", ".", "1e3", "+1", "1.2.3", " 1", "1 ", "--1", "0.000000001"})
        EXPECT_EQ(decimal(text), std::nullopt) << text;
    EXPECT_EQ(decimal_text(-125'000'000), "-1.25");
    EXPECT_EQ(decimal_text(0), "0");
}

TEST(MarketRules, JudgesANumberAsQuickFixDoes) {
    const MarketRules all = rules();
    const auto judged = [&](const std::string& number, const std::string& dup, const std::string& type) {
        return all.judge(fix_message({{35, type},
                                      {49, all.bundle().session.target_comp_id},
                                      {56, all.bundle().session.sender_comp_id},
                                      {34, number},
                                      {43, dup}}),
                         28);
    };
    using enum MarketRules::Judgement;
    EXPECT_EQ(judged("28", "N", "W"), taken);
    EXPECT_EQ(judged("28", "Y", "W"), taken);
    EXPECT_EQ(judged("27", "Y", "W"), passed_over);
    EXPECT_EQ(judged("27", "N", "W"), refused);
    EXPECT_EQ(judged("29", "Y", "W"), refused) << "it is asked for";
    EXPECT_EQ(judged("29", "N", "W"), refused);
    EXPECT_EQ(judged("028", "N", "W"), refused);
    EXPECT_EQ(judged("27", "Y", "5"), refused);
}

class RuleStatesTest : public ::testing::Test {
  protected:
    using State = RuleStates::State;
    // 1, 2 and 3 are a group, 3 waits for 4; 5 waits for 1 or 6, 7 for 5.
    RuleLinks links_{.siblings = {{1, {1, 2, 3}}, {2, {1, 2, 3}}, {3, {1, 2, 3}}},
                     .children = {{4, {3}}, {1, {5}}, {6, {5}}, {5, {7}}},
                     .disarmed = {3, 5, 7}};
    RuleStates states_{links_};
};

TEST_F(RuleStatesTest, ASentOrderCancelsItsSiblingsAtOnceAndArmsBehindTheMessage) {
    states_.fired(1, true);
    EXPECT_EQ(states_.state(1), State::fired);
    EXPECT_EQ(states_.state(2), State::cancelled);
    EXPECT_EQ(states_.state(3), State::cancelled) << "although it is disarmed";
    EXPECT_EQ(states_.state(5), State::disarmed) << "until the message is over";
    states_.message_over();
    EXPECT_EQ(states_.state(5), State::armed);
    EXPECT_EQ(states_.state(7), State::disarmed) << "its parent is armed and has not fired";
}

TEST_F(RuleStatesTest, ARejectedFireChangesNothingElse) {
    states_.fired(1, false);
    states_.message_over();
    EXPECT_EQ(states_.state(1), State::fired);
    EXPECT_EQ(states_.state(2), State::armed);
    EXPECT_EQ(states_.state(3), State::disarmed);
    EXPECT_EQ(states_.state(5), State::disarmed);
    states_.fired(6, true);
    states_.message_over();
    EXPECT_EQ(states_.state(5), State::armed) << "any of its parents arms it";
}

TEST_F(RuleStatesTest, OnlyWhatIsDisarmedIsArmed) {
    states_.fired(4, true);
    states_.fired(2, true);  // in the same message
    states_.message_over();
    EXPECT_EQ(states_.state(3), State::cancelled);
    states_.fired(6, true);
    states_.message_over();
    states_.fired(5, true);
    states_.message_over();
    states_.fired(1, true);
    states_.message_over();
    EXPECT_EQ(states_.state(5), State::fired);
    EXPECT_EQ(states_.state(7), State::armed);
    EXPECT_EQ(states_.state(1), State::fired);
}

TEST(RuleLinks, AreThoseOfTheStrategy) {
    const MarketRules all = rules();
    const RuleLinks& links = all.links();
    EXPECT_GT(links.siblings.size(), 50U);
    EXPECT_GT(links.disarmed.size(), 30U);
    std::map<std::uint32_t, unsigned> parents;
    for (const auto& [parent, children] : links.children)
        for (const std::uint32_t child : children) ++parents[child];
    EXPECT_EQ(parents.size(), links.disarmed.size());
    EXPECT_TRUE(std::any_of(parents.begin(), parents.end(), [](const auto& of) { return of.second > 1; }));
    for (const auto& [rule, group] : links.siblings) EXPECT_TRUE(group.contains(rule));
}

// Of an increment over two instruments the second is a message of its own: the first's orders have armed by
// then.
TEST(Evaluation, ArmsBetweenTheInstrumentsOfAMessage) {
    const RuleLinks links{.children = {{1, {2, 3}}}, .disarmed = {2, 3}};
    RuleStates states(links);
    Evaluation evaluation({{{.rule = 1}, {.rule = 2}}, {{.rule = 3}}});
    ASSERT_NE(evaluation.next(states), nullptr);
    EXPECT_EQ(evaluation.next(states)->rule, 1U);
    evaluation.pass();
    states.fired(1, true);
    ASSERT_NE(evaluation.next(states), nullptr);
    EXPECT_EQ(evaluation.next(states)->rule, 3U);
    evaluation.pass();
    EXPECT_EQ(evaluation.next(states), nullptr);
    EXPECT_EQ(states.state(2), RuleStates::State::armed);
}

}  // namespace
}  // namespace fixaccel::hostile
