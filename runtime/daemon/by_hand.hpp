// SPDX-License-Identifier: Apache-2.0
// Orders by hand: what is asked for on the control socket, as the messages that it means.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "books.hpp"
#include "fixaccel/bundle.hpp"
#include "fixaccel/fix_session.hpp"
#include "fixaccel/ledger.hpp"
#include "fixaccel/placed_order.hpp"

namespace fixaccel {

class HandGate;

// An order that is over: nothing can be asked about it any more.
bool is_over(const std::string& status, const std::string& tif);

// Body of OrderCancelRequest(F).
FixFields cancel_fields(const HandRequest& request, const Ledger& ledger);

class ByHand {
  public:
    explicit ByHand(const Ledger& ledger);
    ~ByHand();

    // What orders have to pass under that bundle. Throws BundleError, TableError.
    static std::shared_ptr<HandGate> gate_of(const Bundle& bundle);
    // It holds from now on, or from next_loaded() on.
    void load(std::shared_ptr<HandGate> gate);
    void load_next(std::shared_ptr<HandGate> gate);
    void next_loaded();

    // Market data that the FIX engine has taken.
    void see(const MarketText& message);
    void forget_market();
    // Call often: orders that have left count by when.
    void follow();

    // What `command` (order, cancel, replace) asks for. Throws Refused with what is wrong with it.
    HandRequest request(const std::string& command, const nlohmann::json& body, const std::string& by) const;
    // The limit that it breaks, and why; empty if it passes.
    std::string judge(const HandRequest& request);
    FixFields message(const HandRequest& request) const;
    bool limits_quantity(const std::string& symbol) const;
    // Those of the bundle and what of them is used, a list; empty while nothing is loaded.
    nlohmann::json limits() const;
    // Limits that hold as values: those that the loaded bundle came with, and others in their place.
    LimitValues own_limits() const;
    void change_limits(const LimitValues& changes);

    // All that are kept, oldest first; `open`: but for those that are over.
    nlohmann::json orders(bool open) const;
    // One of them; null if it is not kept.
    nlohmann::json order_state(const std::string& cl_ord_id) const;
    // Whatever the venue has told of, for people to look at.
    Books& books() { return books_; }
    bool has_instrument(const std::string& symbol) const;
    // Throws Refused if one of them is no instrument of the venue.
    void check_instruments(const std::vector<std::string>& symbols) const;

  private:
    HandRequest order(const nlohmann::json& body) const;
    HandRequest about(const nlohmann::json& body) const;
    void change(const nlohmann::json& body, HandRequest& request) const;
    const HandGate& gate() const;

    const Ledger& ledger_;
    std::shared_ptr<HandGate> gate_;
    std::shared_ptr<HandGate> next_;
    Books books_;
};

}  // namespace fixaccel
