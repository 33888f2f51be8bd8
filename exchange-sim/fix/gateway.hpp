// SPDX-License-Identifier: Apache-2.0
// Between the FIX sessions and the exchange: one message at a time goes in, its reports go out, then market
// data.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "fix/client_registry.hpp"
#include "matching/book_update.hpp"
#include "record/recorder.hpp"
#include "session/session_host.hpp"

namespace fixaccel::exchange {

class Gateway : public SessionEvents {
  public:
    // `market_client`: the one client whose session is for market data alone, which then come on no other;
    // empty: they come on every session.
    Gateway(Exchange& exchange, Recorder& recorder, UpdateType update_type, std::string market_client = "")
        : exchange_(exchange),
          recorder_(recorder),
          update_type_(update_type),
          market_client_(std::move(market_client)) {}

    // The sessions to send on; before the first of them starts.
    void attach(SessionHost& host) { host_ = &host; }

    ClientRegistry& clients() { return clients_; }

    // Runs a house action on the exchange, reports its executions and publishes each changed book once.
    void act(const std::function<std::vector<Execution>(Exchange&)>& action);
    // Sends a session message, such as a resend request, to one client.
    void send_session_message(const std::string& client, const OutgoingMessage& message);
    void log_out(const std::string& client, const std::string& reason);

    void on_logon(const std::string& client) override;
    void on_logout(const std::string& client, SequenceNumbers numbers) override;
    bool on_application(IncomingMessage message) override;
    void on_session_message(Direction direction, const IncomingMessage& message) override;
    void on_possible_duplicate(const IncomingMessage& message) override;
    void on_notice(const std::string& client, const std::string& text) override;

  private:
    bool on_order(const IncomingMessage& message);
    bool on_cancel(const IncomingMessage& message);
    bool on_replace(const IncomingMessage& message);
    // What came of a request to cancel or to replace.
    void answer(const IncomingMessage& message, const CancelTicket& ticket, const CancelOutcome& outcome);
    bool on_status_request(const IncomingMessage& message);
    bool on_market_data_request(const IncomingMessage& message);
    // Answers a message that lacks a field; true.
    bool refuse_missing(const IncomingMessage& message, int missing);
    void refuse_market_data(const IncomingMessage& message, const std::string& reason,
                            const std::string& text);

    void report(const std::vector<Execution>& executions);
    // Tells the subscribers what has changed since the last call.
    void publish();
    std::vector<BookUpdate> take_updates(const std::vector<Subscription>& subscriptions);
    void send_snapshot(const Subscription& subscription, const std::string& symbol);
    void send_market_data(const std::string& client, const OutgoingMessage& message);

    Exchange& exchange_;
    Recorder& recorder_;
    const UpdateType update_type_;
    const std::string market_client_;
    SessionHost* host_ = nullptr;
    ClientRegistry clients_;
    // Held while a message or a house action is processed, reports included. Taken before any lock of a
    // session.
    std::mutex mutex_;
    // Symbol -> the book that the subscribers know; of increments alone, and only what somebody has
    // subscribed to.
    std::map<std::string, MarketSnapshot> published_;
};

}  // namespace fixaccel::exchange
