// SPDX-License-Identifier: Apache-2.0
// The FIX session as the daemon sees it. Valid in C++14 and C++20; the engine behind it shows in no type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fixaccel/fix_store.hpp"
#include "fixaccel/market_header.hpp"

namespace fixaccel {

// The settings are not usable.
class FixConfigError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// What the engine asks of the transport. Called from within FixSession's functions, in the caller's thread.
// Nothing may be thrown: most of the engine's callbacks have exception specifications.
class FixTransport {
  public:
    FixTransport() = default;
    FixTransport(const FixTransport&) = delete;
    FixTransport& operator=(const FixTransport&) = delete;
    virtual ~FixTransport() = default;

    // A message of that MsgType(35) is about to be numbered and sent, or sent again. False: it must not be
    // sent. After it returned true the store's next_sender() is the number of a new message.
    virtual bool before_send(const std::string& type) noexcept = 0;
    // Whether a resend request gets orders now, and replacements. Else it is answered up to the first of
    // them, and tick() goes on with the rest once they may leave. A request to cancel does not wait by
    // itself.
    virtual bool may_resend_orders() noexcept = 0;
    // The store is about to get a message, and has it.
    virtual void storing() noexcept {}
    virtual void stored() noexcept {}
    // An order that was asked for again, by its ClOrdID(11), is not sent again: by policy it is gap-filled.
    virtual void on_passed_over(const std::string& /*order*/) noexcept {}
    // The outermost call into the engine has ended, whatever happened in it.
    virtual void after_outer_call() noexcept = 0;
    // Writes a whole message to the wire.
    virtual bool write(const std::string& message) noexcept = 0;
    // Both numbers are about to begin anew.
    virtual void before_reset() noexcept = 0;
    // The engine is done with the connection.
    virtual void disconnect() noexcept = 0;

    virtual void on_logon() noexcept = 0;
    virtual void on_logout() noexcept = 0;
    // An accepted message. `message` is empty for market data (35=W, X), which comes often and was seen by
    // the caller. Of a tag that occurs several times in the body only the first occurrence is there.
    virtual void on_message(const std::string& type, const std::string& message) noexcept = 0;
    virtual void on_event(const std::string& text) noexcept = 0;
};

// What to answer when a resend request covers an order.
enum class ResendPolicy { resend, gap_fill };

struct FixSettings {
    std::string begin_string;
    std::string sender_comp_id;
    std::string target_comp_id;
    std::string host;
    std::uint16_t port;
};

// The engine's settings: a file, or what was in it when somebody looked.
struct FixFile {
    std::string path;
    std::string text;
    bool is_read;  // `text` is what it says
};

// Of one that describes one initiator session. Throws FixConfigError.
FixSettings read_fix_settings(const FixFile& file);
// Of the session that orders leave on: whatever leaves is kept until the venue has it, or begins its numbers
// anew. Throws FixConfigError, with the place.
void check_keeps_orders(const FixFile& file);

// A setting, by its key in the file, that differs from what a bundle was compiled for.
struct FixDifference {
    std::string key;
    std::string ours;
    std::string of_bundle;
};
std::vector<FixDifference> differences(const FixSettings& ours, const FixSettings& of_bundle);
// FILE:LINE where it says `key`, or the file alone. Throws FixConfigError.
std::string place_of(const FixFile& file, const std::string& key);

struct MarketDataRequest {
    std::string id;  // 262
    std::vector<std::string> symbols;
    bool full_book;   // else the top of the book alone
    bool increments;  // updates as 35=X, else as 35=W
    bool updates;     // else a snapshot and nothing more
};

// Fields of a message's body: tag and value.
using FixFields = std::vector<std::pair<int, std::string>>;

// An order's fields as they stand in its message, without TransactTime(60), whose place is there.
struct OrderText {
    std::string body;
    std::size_t time_at = 0;
};

class FixSession {
  public:
    // `file` describes one initiator session. Throws FixConfigError.
    FixSession(const FixFile& file, ResendPolicy policy, FixStore& store, FixTransport& transport);
    FixSession(const FixSession&) = delete;
    FixSession& operator=(const FixSession&) = delete;
    ~FixSession();

    const FixSettings& settings() const;

    // The transport is up: the engine logs on at the next tick().
    void connected();
    // The transport is gone.
    void disconnected();
    // One whole FIX message. A broken one is reported by on_event and otherwise ignored. `header`: of who has
    // taken it apart already.
    void receive(const std::string& message, const MarketHeader& header);
    void receive(const std::string& message);
    // What the engine would have done behind it, for market data that it did not see itself: not ahead of an
    // order that comes of them.
    void look_at_timers();
    // Time has passed: logon, heartbeats, timeouts, orders that waited to be sent again. Call it a few times
    // a second.
    void tick();
    // Asks the peer for the end of the session; on_logout and disconnect follow.
    void logout(const std::string& reason);
    bool logged_on() const;

    // Sends MarketDataRequest(V) for types 0 bid, 1 offer, 2 trade.
    bool request_market_data(const MarketDataRequest& request);
    // Ends the subscription of an earlier request.
    bool end_market_data(const MarketDataRequest& request);

    // Sends NewOrderSingle(D), OrderCancelRequest(F) or OrderCancelReplaceRequest(G); TransactTime(60) is its
    // SendingTime. It is on its way once the store has it. Not from within a callback of the transport: that
    // would be no outer call.
    void send_order(const FixFields& body, const char* type = "D");
    // Sends NewOrderSingle(D) likewise, as the same fields would be sent; but without a message of the
    // engine's own, so that nothing takes memory once there was one as long. Not sent while the session is
    // not logged on.
    void send_order(const OrderText& order);
    // Sends OrderStatusRequest(H). False: not sent. Not from within a callback, either.
    bool ask_order_status(const FixFields& body);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fixaccel
