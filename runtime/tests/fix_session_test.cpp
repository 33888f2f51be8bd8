// SPDX-License-Identifier: Apache-2.0
// The engine behind fix_session.hpp against a venue made of strings.
#include "fixaccel/fix_session.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <thread>

#include "fix_text.hpp"
#include "fixaccel/fire.hpp"
#include "scratch_folder.hpp"

namespace fixaccel {
namespace {

using test::framed;
using test::message;
using Texts = std::vector<std::string>;

class MemoryStore final : public FixStore {
  public:
    void set(int seq_num, const std::string& message) override { messages[seq_num] = message; }
    void get(int first, int last, Texts& out) const override {
        for (auto it = messages.lower_bound(first); it != messages.end() && it->first <= last; ++it)
            out.push_back(it->second);
    }
    int next_sender() const override { return sender; }
    int next_target() const override { return target; }
    void set_next_sender(int seq_num) override { sender = seq_num; }
    void set_next_target(int seq_num) override { target = seq_num; }
    void reset() override {
        messages.clear();
        sender = target = 1;
    }
    bool begins_anew() const override { return anew; }

    // What draining a fire does.
    void fire() {
        messages[sender] = order(sender);
        ++sender;
    }
    static std::string order(int seq_num);

    std::map<int, std::string> messages;
    int sender = 1;
    int target = 1;
    bool anew = false;
};

std::string MemoryStore::order(int seq_num) {
    return message("D", seq_num,
                   "11=ORDER\x01"
                   "38=0000000002\x01"
                   "54=1\x01"
                   "55=A\x01",
                   true);
}

class Transport final : public FixTransport {
  public:
    explicit Transport(MemoryStore& store) : store_(store) {}
    bool before_send(const std::string& /*type*/) noexcept override {
        ++asked;
        for (; pending_fires > 0; --pending_fires) store_.fire();
        return grants;
    }
    void after_outer_call() noexcept override { ++ended; }
    bool may_resend_orders() noexcept override { return may_resend; }
    void before_reset() noexcept override { ++resets; }
    bool write(const std::string& text) noexcept override {
        sent.push_back(text);
        if (on_order && fix_field(text, 35) == "D") on_order();
        if (on_logon_sent && fix_field(text, 35) == "A") on_logon_sent(text);
        return true;
    }
    void disconnect() noexcept override { disconnected = true; }
    void on_logon() noexcept override {}
    void on_logout() noexcept override {}
    void on_message(const std::string& type, const std::string& /*text*/) noexcept override {
        received.push_back(type);
    }
    void on_event(const std::string& /*text*/) noexcept override {}

    int asked = 0;
    int ended = 0;
    int resets = 0;
    int pending_fires = 0;
    bool grants = true;
    bool may_resend = true;
    bool disconnected = false;
    std::function<void()> on_order;
    std::function<void(const std::string&)> on_logon_sent;
    Texts sent;
    Texts received;

  private:
    MemoryStore& store_;
};

class FixSessionTest : public ::testing::Test {
  protected:
    void log_on(ResendPolicy policy = ResendPolicy::resend, int heartbeat_s = 30) {
        const std::string file = (folder_.path() / "quickfix.cfg").string();
        std::ofstream(file) << "[DEFAULT]\nConnectionType=initiator\nStartTime=00:00:00\nEndTime=00:00:00\n"
                               "HeartBtInt="
                            << heartbeat_s
                            << "\nUseDataDictionary=N\n[SESSION]\nBeginString=FIX.4.4\n"
                               "SenderCompID=US\nTargetCompID=VENUE\nSocketConnectHost=127.0.0.1\n"
                               "SocketConnectPort=9878\n";
        session_ = std::make_unique<FixSession>(FixFile{file, "", false}, policy, store_, transport_);
        session_->connected();
        session_->tick();
        session_->receive(message("A", 1,
                                  std::string("98=0\x01"
                                              "108=") +
                                      std::to_string(heartbeat_s) + "\x01" +
                                      (store_.anew ? "141=Y\x01" : "")));
        ASSERT_TRUE(session_->logged_on());
        transport_.sent.clear();
    }

    // MsgType and MsgSeqNum of what was sent since, such as "D 4".
    Texts sent() const {
        Texts out;
        for (const std::string& text : transport_.sent)
            out.push_back(std::string(fix_field(text, 35)) + " " + std::string(fix_field(text, 34)) +
                          (fix_field(text, 43) == "Y" ? " dup" : ""));
        return out;
    }

    ScratchFolder folder_;
    MemoryStore store_;
    Transport transport_{store_};
    std::unique_ptr<FixSession> session_;
};

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

// Whoever reads slowly, the venue or the wire between, is not silent.
TEST_F(FixSessionTest, WhileItIsSentAgainWhatTheVenueAskedForTheVenueIsNotTakenForSilent) {
    log_on(ResendPolicy::resend, 1);
    store_.fire();
    transport_.on_order = [] { std::this_thread::sleep_for(std::chrono::milliseconds(3100)); };
    session_->receive(message("2", 2,
                              "7=1\x01"
                              "16=0\x01"));
    Texts again = sent();
    ASSERT_GE(again.size(), 2U);
    again.resize(2);  // a heartbeat may be due
    EXPECT_EQ(again, (Texts{"4 1 dup", "D 2 dup"}));
    EXPECT_FALSE(transport_.disconnected);
    session_->receive(message("1", 3, "112=PING\x01"));
    session_->tick();
    EXPECT_FALSE(transport_.disconnected);
    EXPECT_TRUE(session_->logged_on());
}

// A venue that is a FIX engine itself does not take messages that it knows for a sign of life.
TEST_F(FixSessionTest, BetweenMessagesThatAreSentAgainForLongTheVenueIsHeard) {
    log_on();
    for (int order = 0; order < 3; ++order) store_.fire();
    transport_.on_order = [] { std::this_thread::sleep_for(std::chrono::milliseconds(260)); };
    session_->receive(message("2", 2,
                              "7=1\x01"
                              "16=0\x01"));
    EXPECT_EQ(sent(), (Texts{"4 1 dup", "D 2 dup"}));
    session_->receive(message("1", 3, "112=PING\x01"));
    EXPECT_EQ(sent().back(), "0 5");
    transport_.sent.clear();
    session_->tick();
    EXPECT_EQ(sent(), Texts{"D 3 dup"});
    session_->tick();
    EXPECT_EQ(sent(), (Texts{"D 3 dup", "D 4 dup", "4 5 dup"})) << "the last one instead of the heartbeat";
}

TEST_F(FixSessionTest, WithoutTheLeaseNothingIsSentAndNoNumberIsUsed) {
    log_on();
    transport_.grants = false;
    session_->receive(message("1", 2, "112=PING\x01"));
    EXPECT_TRUE(transport_.sent.empty());
    EXPECT_EQ(store_.next_sender(), 2);
    EXPECT_EQ(store_.messages.count(2), 0U);
}

TEST_F(FixSessionTest, AResendRequestGetsTheFiredOrderWithItsOldNumber) {
    log_on();
    store_.fire();
    transport_.pending_fires = 1;  // drained before the engine looks how far the range reaches
    session_->receive(message("2", 2,
                              "7=1\x01"
                              "16=0\x01"));
    EXPECT_EQ(sent(), (Texts{"4 1 dup", "D 2 dup", "D 3 dup"}));
    EXPECT_NE(fix_field(transport_.sent[1], 122), "");
    EXPECT_EQ(fix_field(transport_.sent[1], 38), "0000000002");
    EXPECT_EQ(store_.next_sender(), 4) << "a resend uses no number";
}

TEST_F(FixSessionTest, AResendRequestThatNamesNoNumberIsRejected) {
    log_on();
    store_.fire();
    session_->receive(message("2", 2,
                              "7=1\x01"
                              "16=all\x01"));
    EXPECT_EQ(sent(), Texts{"3 3"});
    session_->receive(message("2", 3,
                              "7=1\x01"
                              "16=0\x01"));
    EXPECT_EQ(sent().back(), "4 3 dup") << "the session goes on";
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

TEST_F(FixSessionTest, GapFillPolicySendsNoOrderAgain) {
    log_on(ResendPolicy::gap_fill);
    store_.fire();
    session_->receive(message("2", 2,
                              "7=1\x01"
                              "16=0\x01"));
    EXPECT_EQ(sent(), Texts{"4 1 dup"});
    EXPECT_EQ(fix_field(transport_.sent[0], 36), "3");
}

TEST_F(FixSessionTest, OrdersThatMayNotLeaveWaitAndWhatIsAheadOfThemIsFilled) {
    log_on();
    session_->receive(message("1", 2, "112=PING\x01"));  // our number 2
    store_.fire();
    ASSERT_TRUE(session_->request_market_data({"R1", {"A"}, false, false, true}));
    store_.fire();
    transport_.sent.clear();
    transport_.may_resend = false;
    session_->receive(message("2", 3,
                              "7=1\x01"
                              "16=0\x01"));
    ASSERT_EQ(sent(), Texts{"4 1 dup"}) << "not even what is behind them, which has to come in its order";
    EXPECT_EQ(fix_field(transport_.sent[0], 36), "3");
    EXPECT_EQ(store_.next_target(), 4);
    session_->tick();
    session_->receive(message("1", 4, "112=PONG\x01"));
    EXPECT_EQ(sent(), (Texts{"4 1 dup", "0 6"})) << "other messages go on";
    transport_.sent.clear();
    session_->receive(message("2", 5,
                              "7=4\x01"
                              "16=4\x01"));
    EXPECT_EQ(sent(), Texts{"V 4 dup"}) << "no order is asked for";
    transport_.sent.clear();
    transport_.may_resend = true;
    session_->tick();
    EXPECT_EQ(sent(), (Texts{"D 3 dup", "V 4 dup", "D 5 dup", "4 6 dup"}));
    EXPECT_EQ(store_.next_target(), 6) << "the request that waited has been counted";
    transport_.sent.clear();
    session_->tick();
    EXPECT_TRUE(transport_.sent.empty()) << "once";
}

TEST_F(FixSessionTest, OneOrderAfterTheOtherIsJudged) {
    log_on();
    store_.fire();
    store_.fire();
    transport_.on_order = [this] { transport_.may_resend = false; };
    session_->receive(message("2", 2,
                              "7=2\x01"
                              "16=3\x01"));
    EXPECT_EQ(sent(), Texts{"D 2 dup"});
    transport_.may_resend = true;
    session_->tick();
    EXPECT_EQ(sent(), (Texts{"D 2 dup", "D 3 dup"}));
}

TEST_F(FixSessionTest, WhatWaitsEndsWithItsConnection) {
    log_on();
    store_.fire();
    transport_.may_resend = false;
    session_->receive(message("2", 2,
                              "7=2\x01"
                              "16=2\x01"));
    session_->disconnected();
    session_->connected();
    session_->tick();
    session_->receive(message("A", 3,
                              "98=0\x01"
                              "108=30\x01"));
    ASSERT_TRUE(session_->logged_on());
    transport_.sent.clear();
    transport_.may_resend = true;
    session_->tick();
    EXPECT_TRUE(transport_.sent.empty());
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

TEST_F(FixSessionTest, ASubscriptionIsSentAgainWithItsGroups) {
    log_on();
    ASSERT_TRUE(session_->request_market_data({"R1", {"A", "B"}, false, false, true}));
    const std::string first = transport_.sent.back();
    EXPECT_NE(first.find("146=2\x01"
                         "55=A\x01"
                         "55=B\x01"),
              std::string::npos);
    EXPECT_NE(first.find("267=3\x01"
                         "269=0\x01"
                         "269=1\x01"
                         "269=2\x01"),
              std::string::npos);
    transport_.sent.clear();
    session_->receive(message("2", 2,
                              "7=2\x01"
                              "16=0\x01"));
    ASSERT_EQ(sent(), Texts{"V 2 dup"});
    EXPECT_NE(transport_.sent[0].find("146=2\x01"
                                      "55=A\x01"
                                      "55=B\x01"),
              std::string::npos)
        << transport_.sent[0];
    EXPECT_NE(transport_.sent[0].find("267=3\x01"
                                      "269=0\x01"
                                      "269=1\x01"
                                      "269=2\x01"),
              std::string::npos);
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
