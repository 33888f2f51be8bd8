// SPDX-License-Identifier: Apache-2.0
// The reference itself: what a kernel takes, what the rules fire, and that the referee sees each property
// break.
#include "referee.hpp"

#include <gtest/gtest.h>

#include "failure.hpp"
#include "fix_text.hpp"
#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel::hostile {
namespace {

const Endpoint kLocal{.ip = 0x0A000002, .port = 4000, .mac = {2, 0, 0, 0, 0, 2}};
const Endpoint kRemote{.ip = 0x0A000001, .port = 9878, .mac = {2, 0, 0, 0, 0, 1}};
constexpr std::uint32_t kOurs = 1000, kTheirs = 0xFFFF'FF00U;

MarketRules rules() { return {read_bundle(HOSTILE_BUNDLE), HOSTILE_INSTRUMENTS}; }

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
        const Instrument& instrument = rules_.instruments()[0];
        message_ = fix_message({{35, "W"},
                                {49, rules_.bundle().session.target_comp_id},
                                {56, rules_.bundle().session.sender_comp_id},
                                {34, "1"},
                                {55, instrument.symbol},
                                {268, "1"},
                                {269, "2"},
                                {270, decimal_text(instrument.middle - 30 * instrument.tick)}});
        referee_.resumed({kTheirs, 1}, 0, 0);
        referee_.audit(at_rest());
        referee_.arming(0);
        referee_.armed(0, 1);
    }

    Audit at_rest() const {
        return {.status = 1U << hwmap::status_bits::armed,
                .rcv_nxt = referee_.stream().read_to(),
                .snd_nxt = referee_.wire_snd_nxt(),
                .peer_ack = referee_.stream().kernel().snd_una,
                .peer_window = referee_.stream().kernel().snd_wnd};
    }
    Bytes incoming(const std::string& payload) const {
        return finished(
            Packet{.from = kRemote, .to = kLocal, .seq = kTheirs, .ack = kOurs, .payload = payload}.frame());
    }
    Bytes outgoing(std::uint32_t seq, std::uint32_t ack, const std::string& payload) const {
        return finished(
            Packet{.from = kLocal, .to = kRemote, .seq = seq, .ack = ack, .payload = payload}.frame());
    }
    void market() {
        const Bytes frame = incoming(message_);
        referee_.from_net({.bytes = frame}, kFirst, kFirst + frame.size(), 0);
        referee_.to_cpu(frame);
    }
    fixaccel::Fire fire(std::size_t index, std::uint32_t outcome) const {
        const Fire expected = rules_.fires(message_, {}).at(index);
        fixaccel::Fire out;
        out.entry = static_cast<std::uint32_t>(index + 1);
        out.generation = 1;
        out.rule = expected.rule;
        out.source = expected.source;
        out.observed = expected.observed;
        out.outcome = outcome;
        out.message_end_cycle = static_cast<std::uint32_t>(kFirst + 54 + message_.size() - 1);
        return out;
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

    static constexpr std::uint64_t kFirst = 1000;
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
