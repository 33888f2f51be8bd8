// SPDX-License-Identifier: Apache-2.0
// The session that orders leave on, with the egress lease around everything that is sent on it.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "by_hand.hpp"
#include "engine.hpp"
#include "fix_channel.hpp"
#include "fixaccel/ledger.hpp"
#include "reconciliation.hpp"
#include "software.hpp"

namespace fixaccel {

class OrderChannel final : public FixChannel, private OrderPort {
    // The way of orders of the fabric's rules, where the runtime stands in for it.
    class StandIn final : public OrderPort {
      public:
        explicit StandIn(OrderChannel& channel) : channel_(channel) {}
        bool armed() const override { return channel_.armed() && channel_.engine_.blind(); }
        bool admits(const LoadedRule& rule) override;
        std::string held_back() override { return channel_.held_back(); }
        void decided() override { channel_.decided(); }
        void journalled() override { channel_.journalled(); }
        std::chrono::steady_clock::time_point send_order(const OrderText& order) override {
            return channel_.send_order(order);
        }
        void cancels_due() override { channel_.send_due_cancels(); }

      private:
        OrderChannel& channel_;
    };

  public:
    // Throws FixConfigError.
    OrderChannel(const FixFile& settings, const DaemonConfig& config, Engine& engine, Ledger& ledger,
                 OrderTimes& times);
    ~OrderChannel() override;

    OrderPort& port() { return *this; }
    OrderPort& stand_in_port() { return stand_in_; }

    // It hears what the venue says of orders from now on; null: nobody does.
    void compare(Reconciliation* reconciliation) { reconciliation_ = reconciliation; }
    // Takes what the fabric has sent until now. False: the connection has to be closed.
    bool catch_up();
    // Hands what is asked for by hand to the FIX engine; the FIX store tells whether it took it. Orders and
    // replacements are judged once more, with the lease held: behind all that the fabric has sent. Returns
    // why it was held back, as `name: text`; empty if nobody did.
    std::string send_by_hand(HandRequest::What what, const FixFields& body,
                             const std::function<std::string()>& judge);

    // Asks the venue to cancel what rests of orders that others have put an end to, each once; what could not
    // be sent is tried at the next call.
    void send_due_cancels();
    // What the venue has reported makes no sense, and the board is disarmed for it; empty since the last
    // call.
    std::string take_contradiction() { return std::exchange(contradiction_, {}); }

    bool before_send(const std::string& type) noexcept override;
    void storing() noexcept override { times_.mark(OrderStage::engine); }
    void stored() noexcept override { times_.mark(OrderStage::journal); }
    void on_passed_over(const std::string& order) noexcept override;
    void after_outer_call() noexcept override;
    bool may_resend_orders() noexcept override;

  private:
    bool armed() const override { return ended().empty() && engine_.armed(); }
    std::string held_back() override;
    void decided() override { times_.decided(); }
    void journalled() override { times_.mark(OrderStage::journal); }
    std::chrono::steady_clock::time_point send_order(const OrderText& order) override;
    void cancels_due() override { send_due_cancels(); }

    void begins(const Flow& flow) override;
    void established(Connection& connection) override;
    void closing(Connection& connection) override;
    void writing(std::size_t bytes) override { leased_bytes_ += bytes; }
    void numbers_begin_anew() override;
    void heard(const std::string& type, const std::string& message) override;
    void give_lease();
    void note_passed_over();
    void take_report(const std::string& report);
    void take_reject(const std::string& reject);

    Engine& engine_;
    Ledger& ledger_;
    Reconciliation* reconciliation_ = nullptr;
    std::size_t leased_bytes_ = 0;                        // written since the lease was taken
    bool ordering_ = false;                               // the outer call is for an order of the runtime
    std::function<std::string(bool granted)> last_look_;  // the outer call is for what is asked by hand
    std::string held_back_by_hand_;
    std::string contradiction_;  // of the venue's reports
    std::vector<std::string>
        passed_over_;  // in the outer call: orders of which the venue has reported nothing
    StandIn stand_in_{*this};
};

}  // namespace fixaccel
