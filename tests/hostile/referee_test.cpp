// SPDX-License-Identifier: Apache-2.0
// The referee sees each property break.
#include "referee_fixture.hpp"

namespace fixaccel::hostile {
namespace {

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

TEST_F(RefereeTest, LetsABadFrameSpendItsFirstRule) {
    const Fire first = rules_.fires(message_).at(0);
    referee_.ahead_of_verdict(true);
    bad_market();
    give_up(first);
    referee_.record(record(first, hwmap::outcome_frame), 0);
    EXPECT_EQ(referee_.states().state(first.rule), RuleStates::State::fired);
    EXPECT_EQ(broken([&] { referee_.audit(at_rest()); }), "nothing");
    EXPECT_EQ(referee_.spoiled(), 1U);
}

TEST_F(RefereeTest, SeesARuleThatABadFrameMustNotSpend) {
    referee_.ahead_of_verdict(true);
    market();
    EXPECT_EQ(broken([&] { referee_.record(fire(0, hwmap::outcome_frame), 0); }), "wrong-fire");
}

TEST_F(RefereeTest, SeesASecondRuleThatABadFrameSpends) {
    referee_.ahead_of_verdict(true);
    bad_market();
    EXPECT_EQ(broken([&] { referee_.record(fire(1, hwmap::outcome_frame), 0); }), "wrong-order");
    first_ += 10'000;
    bad_market();
    referee_.record(fire(0, hwmap::outcome_frame), 0);
    EXPECT_EQ(broken([&] { referee_.record(fire(1, hwmap::outcome_frame), 0); }), "wrong-fire");
}

TEST_F(RefereeTest, SeesABadFrameThatSpendsNothing) {
    const Fire first = rules_.fires(message_).at(0);
    referee_.ahead_of_verdict(true);
    bad_market();
    give_up(first);
    EXPECT_EQ(broken([&] { referee_.audit(at_rest()); }), "aborted");
    first_ += 10'000;
    market();
    EXPECT_EQ(broken([&] { send(first); }), "aborted") << "sent again, it fires";
}

TEST_F(RefereeTest, SeesAnOrderThatIsGivenUpAndRight) {
    const Bytes order = outgoing(kOurs, kTheirs, order_of(rules_.fires(message_).at(0)));
    EXPECT_EQ(broken([&] { referee_.to_net(order, true, first_, 0); }), "broken-frame")
        << "behind the verdict";
    referee_.ahead_of_verdict(true);
    EXPECT_EQ(broken([&] { referee_.to_net(order, true, first_, 0); }), "broken-frame");
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
