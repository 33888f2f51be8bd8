// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "fix_session_fixture.hpp"

namespace fixaccel {
namespace {

using test::FixSessionTest;
using test::framed;
using test::message;
using test::Texts;

TEST_F(FixSessionTest, ANewMessageIsNumberedBehindTheFiresDrainedForIt) {
    log_on();
    transport_.pending_fires = 2;
    session_->receive(message("1", 2, "112=PING\x01"));
    EXPECT_EQ(sent(), Texts{"0 4"}) << "numbers 2 and 3 belong to the fires";
    EXPECT_EQ(store_.next_sender(), 5);
    EXPECT_EQ(fix_field(store_.messages[4], 35), "0");
    EXPECT_EQ(fix_field(store_.messages[2], 35), "D");
}

TEST_F(FixSessionTest, MostCallsSendNothingAndAskForNothing) {
    log_on();
    const int asked = transport_.asked;
    session_->receive(message("W", 2,
                              "55=A\x01"
                              "268=0\x01"));
    session_->tick();
    EXPECT_EQ(transport_.asked, asked);
    EXPECT_TRUE(transport_.sent.empty());
}

TEST_F(FixSessionTest, EveryOuterCallEnds) {
    log_on();
    const int ended = transport_.ended;
    session_->receive("no FIX at all");
    session_->receive(message("1", 2, "112=PING\x01"));
    session_->tick();
    EXPECT_EQ(transport_.ended, ended + 3);
}

TEST_F(FixSessionTest, WithoutTheLeaseNothingIsSentAndNoNumberIsUsed) {
    log_on();
    transport_.grants = false;
    session_->receive(message("1", 2, "112=PING\x01"));
    EXPECT_TRUE(transport_.sent.empty());
    EXPECT_EQ(store_.next_sender(), 2);
    EXPECT_EQ(store_.messages.count(2), 0U);
}

TEST_F(FixSessionTest, ANumberThatTheEngineCannotCountToIsNoSmallOne) {
    log_on();
    session_->receive(message("4", 2, "36=4294967300\x01"));
    session_->receive(message("1", 2,
                              "112=A\x01"
                              "34=4294967298\x01"));
    EXPECT_EQ(store_.next_target(), 2);
    session_->receive(message("4", 2,
                              "123=Y\x01"
                              "36=000000000004\x01"));
    EXPECT_EQ(store_.next_target(), 4) << "zeros ahead of a number do not count";
}

TEST_F(FixSessionTest, AnOrderIsNumberedBehindTheFiresAndKept) {
    log_on();
    transport_.pending_fires = 1;
    const int ended = transport_.ended;
    session_->send_order({{11, "X1"}, {38, "5"}, {55, "A"}});
    ASSERT_EQ(sent(), Texts{"D 3"});
    EXPECT_EQ(transport_.ended, ended + 1);
    EXPECT_EQ(fix_field(store_.messages[3], 11), "X1");
    EXPECT_EQ(fix_field(transport_.sent[0], 60), fix_field(transport_.sent[0], 52));
    EXPECT_EQ(fix_field(transport_.sent[0], 60).size(), 21U) << "milliseconds";
    EXPECT_EQ(store_.next_sender(), 4);
}

TEST_F(FixSessionTest, AnOrderThatIsHeldBackUsesNoNumberAndIsNotKept) {
    log_on();
    transport_.grants = false;
    session_->send_order({{11, "X1"}});
    EXPECT_TRUE(transport_.sent.empty());
    EXPECT_EQ(store_.next_sender(), 2);
    EXPECT_EQ(store_.messages.count(2), 0U);
}

TEST_F(FixSessionTest, ASubscriptionSaysHowItWantsItsUpdatesAndEndsUnderItsName) {
    log_on();
    ASSERT_TRUE(session_->request_market_data({"R1", {"A"}, false, false, true}));
    ASSERT_TRUE(session_->request_market_data({"R2", {"A"}, true, true, true}));
    ASSERT_TRUE(session_->end_market_data({"R2", {"A"}, true, true, true}));
    const auto fields = [this](std::size_t from_last) {
        const std::string& request = transport_.sent.at(transport_.sent.size() - from_last);
        std::string all;
        for (const int tag : {262, 263, 264, 265}) all += std::string(fix_field(request, tag)) + " ";
        return all;
    };
    EXPECT_EQ(fields(3), "R1 1 1 0 ");
    EXPECT_EQ(fields(2), "R2 1 0 1 ");
    EXPECT_EQ(fields(1), "R2 2 0 1 ");
}

TEST_F(FixSessionTest, RepeatingGroupsPassWithoutADictionary) {
    log_on();
    const std::string entry =
        "269=0\x01"
        "270=1\x01"
        "271=5\x01";
    session_->receive(message("W", 2,
                              "55=A\x01"
                              "268=2\x01" +
                                  entry + entry));
    EXPECT_TRUE(transport_.sent.empty()) << "no Reject";
    EXPECT_EQ(store_.next_target(), 3);
    EXPECT_EQ(transport_.received.back(), "W");
    const std::string update =
        "279=1\x01"
        "269=0\x01"
        "55=A\x01"
        "270=1\x01";
    session_->receive(message("X", 3, "268=2\x01" + update + update));
    EXPECT_TRUE(transport_.sent.empty()) << "no Reject";
    EXPECT_EQ(store_.next_target(), 4);
    EXPECT_EQ(transport_.received.back(), "X");
}

TEST_F(FixSessionTest, AWrongCheckSumIsNotMendedOnTheWay) {
    log_on();
    std::string bad = message("W", 2,
                              "55=A\x01"
                              "269=0\x01"
                              "269=1\x01");
    bad[bad.size() - 2] = bad[bad.size() - 2] == '0' ? '1' : '0';
    session_->receive(bad);
    EXPECT_EQ(store_.next_target(), 2);
}

TEST_F(FixSessionTest, SettingsMustDescribeOneInitiator) {
    const std::string file = (folder_.path() / "bad.cfg").string();
    std::ofstream(file) << "[DEFAULT]\nConnectionType=initiator\n";
    EXPECT_THROW(FixSession({file, "", false}, ResendPolicy::resend, store_, transport_), FixConfigError);
    EXPECT_THROW(FixSession({file + ".none", "", false}, ResendPolicy::resend, store_, transport_),
                 FixConfigError);
}

// The address sanitizer tells.
TEST_F(FixSessionTest, SettingsThatTheEngineRefusesLeaveNothingBehind) {
    const std::string file = (folder_.path() / "bad.cfg").string();
    std::ofstream(file)
        << "[DEFAULT]\nConnectionType=initiator\nHeartBtInt=x\nUseDataDictionary=N\n[SESSION]\n"
           "BeginString=FIX.4.4\nSenderCompID=US\nTargetCompID=VENUE\n"
           "SocketConnectHost=127.0.0.1\nSocketConnectPort=9878\n";
    EXPECT_THROW(FixSession({file, "", false}, ResendPolicy::resend, store_, transport_), FixConfigError);
}

TEST_F(FixSessionTest, TheEngineKeepsNoHoursOfItsOwn) {
    const std::string file = (folder_.path() / "hours.cfg").string();
    const auto refused = [&](const std::string& line) {
        std::ofstream(file) << "[DEFAULT]\nConnectionType=initiator\nHeartBtInt=30\nUseDataDictionary=N\n"
                            << line
                            << "\n[SESSION]\nBeginString=FIX.4.4\nSenderCompID=US\nTargetCompID=VENUE\n"
                               "SocketConnectHost=127.0.0.1\nSocketConnectPort=9878\n";
        try {
            FixSession({file, "", false}, ResendPolicy::resend, store_, transport_);
            return std::string();
        } catch (const FixConfigError& error) {
            return std::string(error.what());
        }
    };
    EXPECT_EQ(refused(""), "") << "they need not be given at all";
    EXPECT_EQ(refused("StartTime=00:00:00\nEndTime=00:00:00"), "");
    for (const char* line : {"StartTime=08:00:00", "EndTime=18:00:00", "StartDay=sun", "LogonTime=08:00:00"})
        EXPECT_NE(refused(line).find("day_roll"), std::string::npos) << line;
}

TEST_F(FixSessionTest, SettingsByWhichOrdersAreForgottenAreRefusedWithTheirPlace) {
    const auto refused = [](const std::string& common, const std::string& own) {
        const std::string text = "[DEFAULT]\nConnectionType=initiator\nHeartBtInt=30\nUseDataDictionary=N\n" +
                                 common +
                                 "\n[SESSION]\nBeginString=FIX.4.4\nSenderCompID=US\nTargetCompID=VENUE\n"
                                 "SocketConnectHost=127.0.0.1\nSocketConnectPort=9878\n" +
                                 own + "\n";
        try {
            check_keeps_orders({"q.cfg", text, true});
            return std::string("accepted");
        } catch (const FixConfigError& error) {
            return std::string(error.what()).substr(0, std::string(error.what()).find(", and must"));
        }
    };
    EXPECT_EQ(refused("", ""), "accepted") << "they need not be given";
    EXPECT_EQ(refused("PersistMessages=N", "PersistMessages=Y"), "accepted")
        << "the session's own goes before";
    EXPECT_EQ(refused("ResetOnLogon=N", "ResetOnLogout=N\nResetOnDisconnect=N"), "accepted");
    EXPECT_EQ(refused("PersistMessages=N", ""), "q.cfg:5: PersistMessages is N");
    EXPECT_EQ(refused("", " resetOnLogon = Y"), "q.cfg:12: ResetOnLogon is Y");
    EXPECT_EQ(refused("ResetOnLogout=N", "ResetOnLogout=Y"), "q.cfg:12: ResetOnLogout is Y");
    EXPECT_EQ(refused("", "#ResetOnDisconnect=N\nResetOnDisconnect=Y"), "q.cfg:13: ResetOnDisconnect is Y");
    EXPECT_NE(refused("", "ResetOnLogon=perhaps").find("q.cfg:12: ResetOnLogon cannot be read"),
              std::string::npos);
}

TEST_F(FixSessionTest, ALogonThatBeginsTheNumbersAnewSaysSo) {
    store_.sender = 7;
    store_.target = 9;
    store_.anew = true;
    std::string logon;
    transport_.on_logon_sent = [&](const std::string& text) { logon = text; };
    log_on();
    EXPECT_EQ(fix_field(logon, 141), "Y");
    EXPECT_EQ(fix_field(logon, 34), "1");
    EXPECT_EQ(store_.sender, 2);
    EXPECT_EQ(store_.target, 2);
}

// What the parser of the fabric refuses (tests/cocotb/parse/tb_messages.py), as the engine sees it.
struct Judged {
    bool taken;
    std::string body;  // `|` for SOH, `@` for the time
};

TEST_F(FixSessionTest, WhatTheFabricRefusesIsNotTakenAndWhatItFiresOnIs) {
    const std::string head = "35=W|49=VENUE|56=US|34=2|52=@|";
    const std::vector<Judged> cases{
        {true, head + "55=A|268=2|269=0|270=1|269=0|270=2|"},
        {true, head + "269=0|270=1|55=A|"},
        {true, head + "55=A|269=0|270=1|55=A|"},
        {true, head + "43=N|55=A|"},
        {true, head + "90=2|91=x|269=0|270=1|55=A|"},
        {true, "35=W|49=VENUE|56=US|52=@|34=02|55=A|"},
        {false, head + "58=|55=A|"},
        {false, head + "55=|269=0|270=1|"},
        {false, head + "55=A|269=0|270=1|43=Y|"},
        {false, head + "55=A|57=x|"},
        {false, head + "55=A|93=1|89=a|58=x|"},
        {false, head + "55=A|354=9|355=a|b|269=0|"},
        {false, head + "55=A|58=a|10=000|269=0|"},
        {false, head + "55=A|9=5|"},
        {false, head + "55=A|x|"},
        {false, head + "55=A|5a=5|"},
        {false, "35=W|34=2|49=VENUE|56=US|55=A|"},
        {false, "35=W|34=2|49=VENUE|56=US|52=|55=A|"},
        {false, "35=W|49=VENUE|56=US|52=@|34=2x|55=A|"},
        {false, "35=W|49=VENUE|56=US|52=@|34=3|55=A|"},
        {false, "35=W|49=VENUE|56=US|52=@|34=1|55=A|"},
        {false, "34=2|35=W|49=VENUE|56=US|52=@|55=A|"},
        {false, "35=W|49=VENUE|56=US|55=A|34=2|52=@|"},
        {false, "35=W|49=VENUX|56=US|34=2|52=@|55=A|"},
        {false, "35=W|49=VENUE|56=UX|34=2|52=@|55=A|"},
        {false, "35=W|49=VENUE|56=US|34=1|43=Y|122=@|52=@|55=A|"},
    };
    const std::string now(fix_field(message("W", 2, ""), 52));
    for (const Judged& one : cases) {
        std::string body = one.body;
        for (std::size_t at = 0; (at = body.find('@')) != std::string::npos;) body.replace(at, 1, now);
        std::replace(body.begin(), body.end(), '|', '\x01');
        store_.messages.clear();
        store_.sender = store_.target = 1;
        log_on();
        transport_.received.clear();
        session_->receive(framed(body));
        EXPECT_EQ(transport_.received, one.taken ? Texts{"W"} : Texts{}) << one.body;
        session_.reset();
    }
}

}  // namespace
}  // namespace fixaccel
