// SPDX-License-Identifier: Apache-2.0
// The FIX session on its connection, with the egress lease around everything that it sends.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "by_hand.hpp"
#include "connection.hpp"
#include "engine.hpp"
#include "fixaccel/boundaries.hpp"
#include "fixaccel/fix_session.hpp"
#include "fixaccel/framer.hpp"
#include "fixaccel/ledger.hpp"
#include "reconciliation.hpp"
#include "subscriptions.hpp"

namespace fixaccel {

class SessionLink final : public FixTransport, private OrderPort {
    // The way of orders of the fabric's rules, where the runtime stands in for it.
    class StandIn final : public OrderPort {
      public:
        explicit StandIn(SessionLink& link) : link_(link) {}
        bool armed() const override { return link_.armed() && link_.engine_.blind(); }
        bool admits(const LoadedRule& rule) override;
        std::string held_back() override { return link_.held_back(); }
        void send_order(const FixFields& body) override { link_.send_order(body); }

      private:
        SessionLink& link_;
    };

  public:
    // `settings`: those of QuickFIX. Throws FixConfigError.
    SessionLink(const FixFile& settings, const DaemonConfig& config, Engine& engine, Ledger& ledger);
    ~SessionLink() override;

    const FixSettings& settings() const { return fix_.settings(); }

    // Opens the connection and gives the fabric its flow. Throws ConnectionError.
    void connect();
    // The socket to watch, -1 if there is none.
    int fd() const { return connection_ ? connection_->fd() : -1; }
    bool connecting() const { return connection_ != nullptr && !connection_->established(); }
    void writable();
    // Reads what has come and hands whole messages to the FIX engine, as many as a turn has time for.
    void readable();
    // It had no time for all.
    bool more() const { return more_; }
    // Call a few times a second.
    void tick();
    void logout(const std::string& reason);
    // Ends the connection. The board must be disarmed.
    void close();

    bool connected() const { return connection_ != nullptr && connection_->established(); }
    bool logged_on() const { return connected() && fix_.logged_on(); }
    // Why the connection has to be closed; empty while it is fine, or there is none.
    const std::string& ended() const { return ended_; }
    // It has to because kernel and fabric disagree on what was sent.
    bool parted() const { return parted_; }
    // Both sides have said Logout: there is nothing to come back to.
    bool logged_out() const { return logged_out_; }

    // Both numbers have begun anew in mid-session since the last call.
    bool take_reset() { return std::exchange(reset_, false); }

    // Market data of just these, and a first snapshot of each: nothing is known any more of what was.
    void subscribe(const std::vector<std::string>& symbols);
    // Goes on with these: asks for those that were not subscribed to, and ends what nobody asks for any more.
    void follow(const std::vector<std::string>& symbols);
    // Symbols that were asked for and had no snapshot yet.
    const std::set<std::string>& awaited() const { return awaited_; }
    // The venue's refusal of the subscription, empty if there is none.
    const std::string& subscription_refused() const { return subscription_refused_; }

    // It hears what the venue says of orders from now on; null: nobody does.
    void compare(Reconciliation* reconciliation) { reconciliation_ = reconciliation; }
    void ask_order_status(const FixFields& body) { fix_.ask_order_status(body); }

    // It gets the market data that the FIX engine has taken; null: nobody does.
    void tell(ByHand* by_hand) { by_hand_ = by_hand; }
    // Takes what the fabric has sent until now. False: the connection has to be closed.
    bool catch_up();
    // Hands what is asked for by hand to the FIX engine; the FIX store tells whether it took it. Orders and
    // replacements are judged once more, with the lease held: behind all that the fabric has sent. Returns
    // why it was held back, as `name: text`; empty if nobody did.
    std::string send_by_hand(HandRequest::What what, const FixFields& body,
                             const std::function<std::string()>& judge);

    // What was written to the connection is on its way.
    bool flows() const { return connected() && connection_->stream().unsent() == 0; }
    // Nothing that the venue has sent is missing: what it was asked to send again has come.
    bool complete() const { return static_cast<std::uint32_t>(ledger_.next_target()) > highest_; }

    // Where the messages that the FIX engine has read have ended; the newest is the beginning of the next.
    const Boundaries& boundaries();
    bool timestamps() const { return connection_->timestamps(); }

    bool before_send(const std::string& type) noexcept override;
    void after_outer_call() noexcept override;
    bool may_resend_orders() noexcept override;
    void before_reset() noexcept override;
    bool write(const std::string& message) noexcept override;
    void disconnect() noexcept override;
    void on_logon() noexcept override;
    void on_logout() noexcept override;
    void on_message(const std::string& type, const std::string& message) noexcept override;
    void on_event(const std::string& text) noexcept override;

  private:
    bool armed() const override { return ended_.empty() && engine_.armed(); }
    std::string held_back() override;
    void send_order(const FixFields& body) override;

    void evaluate(SoftwareRules& rules, const std::string& message);
    void follow(SoftwareRules& standby, const std::string& message);
    bool in_order(const std::string& message) const;
    void carry_out(const Subscriptions::Change& change);
    bool increments() const;
    void end(const std::string& reason);
    void end(const std::exception& error);
    void note_snapshot(const std::string& message);
    std::uint32_t read_seq() const;
    void note_boundary();
    void give_lease();

    const DaemonConfig& config_;
    Engine& engine_;
    Ledger& ledger_;
    FixSession fix_;
    std::unique_ptr<Connection> connection_;
    Reconciliation* reconciliation_ = nullptr;
    FixFramer framer_;
    Boundaries boundaries_;
    std::uint32_t highest_ = 0;    // MsgSeqNum that was seen on this connection
    Subscriptions subscriptions_;  // of this connection
    std::set<std::string> awaited_;
    std::string subscription_refused_;
    std::string ended_;
    bool parted_ = false;
    bool logged_out_ = false;
    std::string peer_text_;  // Text(58) of the peer's Logout
    bool more_ = false;
    std::size_t leased_bytes_ = 0;  // written since the lease was taken
    int quotes_taken_ = 0;          // market-data messages that the FIX engine accepted in the outer call
    bool reset_ = false;
    bool ordering_ = false;  // the outer call is for an order of the runtime
    ByHand* by_hand_ = nullptr;
    std::function<std::string(bool granted)> last_look_;  // the outer call is for what is asked by hand
    std::string held_back_by_hand_;
    StandIn stand_in_{*this};
};

}  // namespace fixaccel
