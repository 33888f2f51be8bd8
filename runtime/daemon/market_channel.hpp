// SPDX-License-Identifier: Apache-2.0
// A session for market data alone, beside the one that orders leave on. The fabric sends nothing on it, so it
// takes no lease; nothing on it is worth sending again, so its numbers begin anew with each logon.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine.hpp"
#include "fix_channel.hpp"

namespace fixaccel {

// Numbers and messages for as long as a connection stands.
class PassingStore : public FixStore {
  public:
    // Another connection: the next Logon says that all begins anew.
    void begin();
    void known() { anew_ = false; }

    void set(int seq_num, const std::string& message) override;
    void get(int first, int last, std::vector<std::string>& messages) const override;
    int next_sender() const override { return next_sender_; }
    int next_target() const override { return next_target_; }
    void set_next_sender(int seq_num) override { next_sender_ = seq_num; }
    void set_next_target(int seq_num) override { next_target_ = seq_num; }
    void reset() override;
    bool begins_anew() const override { return anew_; }

  private:
    std::map<int, std::string> sent_;  // by MsgSeqNum, the last few
    int next_sender_ = 1;
    int next_target_ = 1;
    bool anew_ = true;
};

class MarketChannel final : private PassingStore, public FixChannel {
  public:
    // `orders`: the session that they leave on, which ends for whatever is amiss with them. Throws
    // FixConfigError.
    MarketChannel(const FixFile& settings, const DaemonConfig& config, Engine& engine, FixChannel& orders,
                  OrderTimes& times)
        : FixChannel("market data session", settings, config, static_cast<PassingStore&>(*this), times),
          engine_(engine),
          orders_(orders) {
        engine_.count_by(this);
    }
    ~MarketChannel() override { engine_.count_by(nullptr); }

    void end(const std::exception& error) override;
    using FixChannel::end;

    bool before_send(const std::string& type) noexcept override;
    void after_outer_call() noexcept override {}
    bool may_resend_orders() noexcept override { return true; }
    void on_logon() noexcept override;

  private:
    void begins(const Flow& flow) override;
    void established(Connection& connection) override;
    void closing(Connection& /*connection*/) override {}
    void numbers_begin_anew() override;
    void heard(const std::string& type, const std::string& message) override;

    Engine& engine_;
    FixChannel& orders_;
};

}  // namespace fixaccel
