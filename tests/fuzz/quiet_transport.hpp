// SPDX-License-Identifier: Apache-2.0
// A store in memory and a transport that takes everything.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fixaccel/fix_session.hpp"

namespace fixaccel::fuzz {

class MemoryStore final : public FixStore {
  public:
    void set(int seq_num, const std::string& message) override { messages_[seq_num] = message; }
    void get(int first, int last, std::vector<std::string>& out) const override {
        for (auto at = messages_.lower_bound(first); at != messages_.end() && at->first <= last; ++at)
            out.push_back(at->second);
    }
    int next_sender() const override { return sender_; }
    int next_target() const override { return target_; }
    void set_next_sender(int seq_num) override { sender_ = seq_num; }
    void set_next_target(int seq_num) override { target_ = seq_num; }
    void reset() override {
        messages_.clear();
        sender_ = target_ = 1;
    }
    bool begins_anew() const override { return false; }

  private:
    std::map<int, std::string> messages_;
    int sender_ = 1;
    int target_ = 1;
};

class QuietTransport : public FixTransport {
  public:
    bool before_send(const std::string& /*type*/) noexcept override { return true; }
    bool may_resend_orders() noexcept override { return true; }
    void after_outer_call() noexcept override {}
    bool write(const std::string& /*message*/) noexcept override { return true; }
    void before_reset() noexcept override {}
    void disconnect() noexcept override {}
    void on_logon() noexcept override {}
    void on_logout() noexcept override {}
    void on_message(const std::string& /*type*/, const std::string& /*message*/) noexcept override {}
    void on_event(const std::string& /*text*/) noexcept override {}
};

}  // namespace fixaccel::fuzz
