// SPDX-License-Identifier: Apache-2.0
// The reference itself: what a kernel takes, what the rules fire, and that the referee sees each property
// break.
#include "referee.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "failure.hpp"
#include "fix_text.hpp"
#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel::hostile {
namespace {

const Endpoint kLocal{.ip = 0x0A000002, .port = 4000, .mac = {2, 0, 0, 0, 0, 2}};
const Endpoint kRemote{.ip = 0x0A000001, .port = 9878, .mac = {2, 0, 0, 0, 0, 1}};
constexpr std::uint32_t kOurs = 1000, kTheirs = 0xFFFF'FF00U;

MarketRules rules() { return {read_bundle(HOSTILE_BUNDLE), HOSTILE_TABLES}; }

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

std::vector<std::uint32_t> rules_of(const std::vector<Fire>& fires) {
    std::vector<std::uint32_t> out;
    for (const Fire& fire : fires) out.push_back(fire.rule);
    return out;
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
    // Its order leaves, with its record.
    void send(const Fire& expected) {
        const auto& all = rules_.bundle().rules;
        const BundleRule& rule =
            *std::find_if(all.begin(), all.end(), [&](const auto& r) { return r.index == expected.rule; });
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
        auto sent = record(expected, hwmap::outcome_sent);
        sent.payload = fix_message(fields);
        sent.left = true;
        sent.tcp_seq = referee_.wire_snd_nxt();
        EXPECT_TRUE(referee_.to_net(outgoing(sent.tcp_seq, kTheirs, sent.payload), false, first_ + 1000, 0));
        referee_.record(sent, 0);
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

TEST_F(RefereeTest, SeesALostStop) {
    market();
    EXPECT_EQ(broken([&] { referee_.audit(at_rest()); }), "lost-stop");
}

TEST_F(RefereeTest, SeesAFireOnNothing) {
    EXPECT_EQ(broken([&] { referee_.record(fire(0, hwmap::outcome_sent), 0); }), "wrong-fire");
}

TEST_F(RefereeTest, SeesAFireOutOfOrder) {
    market();
    EXPECT_EQ(broken([&] { referee_.record(fire(1, hwmap::outcome_kill), 0); }), "wrong-order");
}

TEST_F(RefereeTest, SeesASecondFire) {
    market();
    referee_.excuse(hwmap::outcome_kill);
    referee_.record(fire(0, hwmap::outcome_kill), 0);
    EXPECT_EQ(broken([&] { referee_.record(fire(0, hwmap::outcome_kill), 0); }), "two-orders");
}

TEST_F(RefereeTest, SeesASiblingFireBehindASentOrder) {
    const Fire sibling = cancelled_at_once();
    market();
    send_all_before(sibling);
    EXPECT_EQ(referee_.states().state(sibling.rule), RuleStates::State::cancelled);
    EXPECT_EQ(broken([&] { referee_.record(record(sibling, hwmap::outcome_kill), 0); }), "wrong-link");
}

TEST_F(RefereeTest, WantsASiblingBehindARejectedFire) {
    const Fire sibling = cancelled_at_once();
    market();
    referee_.excuse(hwmap::outcome_kill);
    for (const std::vector<Fire> all = rules_.satisfied(message_).at(0); const Fire& fire : all) {
        if (fire == sibling) break;
        if (referee_.states().armed(fire.rule)) referee_.record(record(fire, hwmap::outcome_kill), 0);
    }
    EXPECT_EQ(broken([&] { referee_.audit(at_rest()); }), "lost-stop");
    EXPECT_EQ(broken([&] { referee_.record(record(sibling, hwmap::outcome_kill), 0); }), "nothing");
}

TEST_F(RefereeTest, SeesAChildFireInTheMessageOfItsParent) {
    const Fire child = child_of_the_message();
    market();
    send_all_before(child);
    EXPECT_EQ(broken([&] { referee_.record(record(child, hwmap::outcome_kill), 0); }), "wrong-link");
}

TEST_F(RefereeTest, WantsAChildInTheNextMessage) {
    const Fire child = child_of_the_message();
    market();
    for (const Fire& fire : rules_.fires(message_)) send(fire);
    market_again();
    EXPECT_EQ(broken([&] { referee_.audit(at_rest()); }), "lost-stop");
    send_all_before(child);
    EXPECT_EQ(broken([&] { send(child); }), "nothing");
}

TEST_F(RefereeTest, SeesATriggerInAnotherState) {
    const auto with = [&](auto edit) {
        Audit audit = at_rest();
        edit(audit);
        return broken([&] { referee_.audit(audit); });
    };
    EXPECT_EQ(with([](Audit&) {}), "nothing");
    EXPECT_EQ(with([](Audit& a) { a.live[0] ^= 1; }), "trigger-state");
    EXPECT_EQ(with([](Audit& a) { a.dormant[0] ^= 1; }), "trigger-state");
    EXPECT_EQ(with([](Audit& a) { a.live.back() ^= 1U << 31U; }), "trigger-state") << "no rule's";
}

TEST_F(RefereeTest, SeesARejectWithoutAReason) {
    market();
    EXPECT_EQ(broken([&] { referee_.record(fire(0, hwmap::outcome_clock), 0); }), "wrong-reject");
}

TEST_F(RefereeTest, SeesARecordWithoutAnOrder) {
    market();
    auto sent = fire(0, hwmap::outcome_sent);
    EXPECT_EQ(broken([&] { referee_.record(sent, 0); }), "record");
    sent.left = true;
    EXPECT_EQ(broken([&] { referee_.record(sent, 0); }), "two-orders");
}

TEST_F(RefereeTest, SeesAnOrderWithoutARecord) {
    EXPECT_TRUE(referee_.to_net(outgoing(kOurs, kTheirs, "8=FIX"), false, 2000, 0));
    EXPECT_EQ(broken([&] { referee_.audit(at_rest()); }), "record");
}

TEST_F(RefereeTest, SeesAWrongOrderFrame) {
    EXPECT_EQ(broken([&] { referee_.to_net(outgoing(kOurs + 1, kTheirs, "x"), false, 2000, 0); }),
              "order-seq");
    EXPECT_EQ(broken([&] { referee_.to_net(outgoing(kOurs, kTheirs + 1, "x"), false, 2000, 0); }),
              "order-ack");
    EXPECT_EQ(broken([&] { referee_.to_net(outgoing(kOurs, kTheirs, "x"), true, 2000, 0); }), "broken-frame");
    EXPECT_EQ(broken([&] { referee_.to_net(outgoing(kOurs, kTheirs, ""), false, 2000, 0); }), "cpu-frame");
}

TEST_F(RefereeTest, SeesAWrongOrderText) {
    market();
    auto sent = fire(0, hwmap::outcome_sent);
    sent.payload = fix_message({{35, "D"}, {34, "8"}});
    sent.left = true;
    sent.tcp_seq = kOurs;
    referee_.to_net(outgoing(kOurs, kTheirs, sent.payload), false, 2000, 0);
    EXPECT_EQ(broken([&] { referee_.record(sent, 0); }), "order-text");
}

TEST_F(RefereeTest, SeesAnOrderThatMustNotLeave) {
    referee_.lease(true);
    EXPECT_EQ(broken([&] { referee_.to_net(outgoing(kOurs, kTheirs, "x"), false, 2000, 0); }), "under-lease");
    referee_.lease(false);
    referee_.silencing();
    referee_.silenced(1000);
    EXPECT_EQ(broken([&] { referee_.to_net(outgoing(kOurs, kTheirs, "x"), false, 2000, 0); }), "not-silent");
}

TEST_F(RefereeTest, SeesAnOrderBehindTheEndOfTheSession) {
    const Bytes end = finished(
        Packet{.from = kRemote, .to = kLocal, .seq = kTheirs, .ack = kOurs, .flags = flag::fin | flag::ack}
            .frame());
    referee_.from_net({.bytes = end}, 2000, 2064, 0);
    EXPECT_EQ(broken([&] { referee_.to_net(outgoing(kOurs, kTheirs, "x"), false, 3000, 0); }), "not-silent");
}

TEST_F(RefereeTest, AllowsAnOrderBehindAnEndThatTheFabricCannotPlace) {
    Packet packet{.from = kRemote, .to = kLocal, .seq = kTheirs + 5, .ack = kOurs, .payload = "later"};
    referee_.from_net({.bytes = finished(packet.frame())}, 2000, 2064, 0);
    packet.seq = kTheirs;
    packet.payload = "first";
    referee_.from_net({.bytes = finished(packet.frame())}, 2100, 2164, 0);
    packet = {
        .from = kRemote, .to = kLocal, .seq = kTheirs + 10, .ack = kOurs, .flags = flag::fin | flag::ack};
    referee_.from_net({.bytes = finished(packet.frame())}, 2200, 2264, 0);
    EXPECT_TRUE(referee_.closed());
    EXPECT_EQ(broken([&] { referee_.to_net(outgoing(kOurs, kTheirs, "x"), false, 3000, 0); }), "nothing");
}

TEST_F(RefereeTest, SeesFramesOfTheCpuLostChangedOrMixed) {
    const Bytes first = outgoing(kOurs, kTheirs, ""), second = finished(Bytes(80, 5));
    referee_.from_cpu(first);
    referee_.from_cpu(second);
    EXPECT_EQ(broken([&] { referee_.to_net(second, false, 2000, 0); }), "cpu-frame");
    Bytes changed(first.begin(), first.end() - 4);
    changed[15] ^= 1;
    EXPECT_EQ(broken([&] { referee_.to_net(finished(changed), false, 2000, 0); }), "cpu-frame");
    EXPECT_FALSE(referee_.to_net(first, false, 2000, 0));
    EXPECT_EQ(broken([&] { referee_.audit(at_rest()); }), "cpu-frame");
    EXPECT_FALSE(referee_.to_net(second, false, 2000, 0));
    EXPECT_EQ(broken([&] { referee_.audit(at_rest()); }), "nothing");
}

TEST_F(RefereeTest, SeesAStaleAcknowledgementAndKnowsARewrittenOne) {
    referee_.to_net(outgoing(kOurs, kTheirs, "order"), false, 2000, 0);
    referee_.from_cpu(outgoing(kOurs, kTheirs, ""));
    EXPECT_EQ(broken([&] { referee_.to_net(outgoing(kOurs, kTheirs, ""), false, 3000, 0); }), "stale-ack");
    EXPECT_FALSE(referee_.to_net(outgoing(kOurs + 5, kTheirs, ""), false, 3000, 0));
}

TEST_F(RefereeTest, SeesDataOverUncommittedBytes) {
    referee_.to_net(outgoing(kOurs, kTheirs, "order"), false, 2000, 0);
    const Bytes data = outgoing(kOurs - 2, kTheirs, "data");
    referee_.from_cpu(data);
    EXPECT_EQ(broken([&] { referee_.to_net(data, false, 3000, 0); }), "guard");
}

TEST_F(RefereeTest, SeesFramesToTheCpuLostOrMadeUp) {
    const Bytes frame = finished(Bytes(70, 9));
    EXPECT_EQ(broken([&] { referee_.to_cpu(frame); }), "rx-frame");
    referee_.from_net({.bytes = frame}, 2000, 2074, 0);
    EXPECT_EQ(broken([&] { referee_.audit(at_rest()); }), "rx-frame");
}

TEST_F(RefereeTest, TakesAnAcknowledgementThatWasLoweredToWhatTheKernelKnows) {
    const auto acknowledging = [&](std::uint32_t ack) {
        return finished(Packet{.from = kRemote, .to = kLocal, .seq = kTheirs, .ack = ack}.frame());
    };
    const auto went = [&](std::uint32_t ack) {
        referee_.from_net({.bytes = acknowledging(kOurs + 5)}, 3000, 3064, 0);
        return broken([&] { referee_.to_cpu(acknowledging(ack)); });
    };
    EXPECT_EQ(went(kOurs + 6), "rx-frame") << "raised";
    EXPECT_EQ(went(kOurs + 4), "rx-frame") << "beyond what is committed";
    EXPECT_EQ(went(kOurs), "nothing");
    EXPECT_EQ(broken([&] { referee_.audit(at_rest()); }), "rx-frame") << "and nothing was counted";
    referee_.from_cpu(finished(
        Packet{.from = kLocal, .to = kRemote, .seq = kOurs, .ack = kTheirs, .flags = flag::ack | flag::fin}
            .frame()));
    EXPECT_EQ(went(kOurs + 2), "rx-frame") << "beyond the FIN of the kernel";
    EXPECT_EQ(went(kOurs + 1), "nothing") << "the kernel knows its own FIN";
}

TEST_F(RefereeTest, SeesAStateThatTheWireCannotExplain) {
    namespace bits = hwmap::status_bits;
    const auto with = [&](auto edit) {
        Audit audit = at_rest();
        edit(audit);
        return broken([&] { referee_.audit(audit); });
    };
    EXPECT_EQ(with([](Audit& a) { a.status |= 1U << bits::gap; }), "false-gap");
    EXPECT_EQ(with([](Audit& a) { a.status |= 1U << bits::session_lost; }), "false-close");
    EXPECT_EQ(with([](Audit& a) { a.status = 0; }), "false-disarm");
    EXPECT_EQ(with([](Audit& a) { ++a.rcv_nxt; }), "position");
    EXPECT_EQ(with([](Audit& a) { ++a.snd_nxt; }), "snd-nxt");
    EXPECT_EQ(with([](Audit& a) { ++a.peer_window; }), "peer-window");
}

// An old segment says nothing; whether it is old may be decided while the CPU's acknowledgement leaves.
TEST_F(RefereeTest, LeavesOpenWhetherASegmentIsOldWhileAnAcknowledgementLeaves) {
    const auto acknowledged = [&](std::uint64_t leaves, std::uint64_t comes, std::uint32_t step) {
        const Bytes frame = outgoing(referee_.wire_snd_nxt(), kTheirs + step * 100, "");
        referee_.from_cpu(frame);
        referee_.to_net(frame, false, leaves, 0);
        const Bytes old = finished(Packet{
            .from = kRemote, .to = kLocal, .seq = kTheirs + step * 100 - 1, .ack = referee_.wire_snd_nxt()}
                                       .frame());
        referee_.from_net({.bytes = old}, comes, comes + 64, 0);
        referee_.to_cpu(old);
        Audit audit = at_rest();
        audit.peer_ack = referee_.wire_snd_nxt();
        return broken([&] { referee_.audit(audit); });
    };
    referee_.to_net(outgoing(kOurs, kTheirs, "order"), false, 1000, 0);
    EXPECT_NE(acknowledged(2000, 2030, 1), "peer-window");
    EXPECT_EQ(acknowledged(3000, 3100, 2), "peer-window");
}

TEST_F(RefereeTest, SeesAHoleAndAnEndThatTheFabricMissed) {
    Packet packet{.from = kRemote, .to = kLocal, .seq = kTheirs + 10, .ack = kOurs, .payload = "later"};
    const Bytes ahead_of_time = finished(packet.frame());
    referee_.from_net({.bytes = ahead_of_time}, 2000, 2070, 0);
    referee_.to_cpu(ahead_of_time);
    EXPECT_EQ(broken([&] { referee_.audit(at_rest()); }), "missed-hole");
    packet = {.from = kRemote, .to = kLocal, .seq = kTheirs, .ack = kOurs, .flags = flag::rst};
    const Bytes reset = finished(packet.frame());
    referee_.from_net({.bytes = reset}, 3000, 3064, 0);
    referee_.to_cpu(reset);
    EXPECT_EQ(broken([&] { referee_.audit(at_rest()); }), "missed-close");
}

}  // namespace
}  // namespace fixaccel::hostile
