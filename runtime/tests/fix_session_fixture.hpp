// SPDX-License-Identifier: Apache-2.0
// The engine behind fix_session.hpp against a venue made of strings.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fix_text.hpp"
#include "fixaccel/fire.hpp"
#include "fixaccel/fix_session.hpp"
#include "scratch_folder.hpp"

namespace fixaccel::test {

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
    static std::string order(int seq_num) {
        return message("D", seq_num,
                       "11=ORDER\x01"
                       "38=0000000002\x01"
                       "54=1\x01"
                       "55=A\x01",
                       true);
    }

    std::map<int, std::string> messages;
    int sender = 1;
    int target = 1;
    bool anew = false;
};

class Transport final : public FixTransport {
  public:
    explicit Transport(MemoryStore& store) : store_(store) {}
    bool before_send(const std::string& /*type*/) noexcept override {
        ++asked;
        for (; pending_fires > 0; --pending_fires) store_.fire();
        return grants;
    }
    void on_passed_over(const std::string& order) noexcept override { passed_over.push_back(order); }
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
    Texts passed_over;

  private:
    MemoryStore& store_;
};

class FixSessionTest : public ::testing::Test {
  protected:
    // `more`: settings of the session.
    void log_on(ResendPolicy policy = ResendPolicy::resend, int heartbeat_s = 30,
                const std::string& more = "") {
        const std::string file = (folder_.path() / "quickfix.cfg").string();
        std::ofstream(file) << "[DEFAULT]\nConnectionType=initiator\nStartTime=00:00:00\nEndTime=00:00:00\n"
                               "HeartBtInt="
                            << heartbeat_s
                            << "\nUseDataDictionary=N\n[SESSION]\nBeginString=FIX.4.4\n"
                               "SenderCompID=US\nTargetCompID=VENUE\nSocketConnectHost=127.0.0.1\n"
                               "SocketConnectPort=9878\n"
                            << more;
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

}  // namespace fixaccel::test
