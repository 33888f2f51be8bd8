// SPDX-License-Identifier: Apache-2.0
// The bucket of `orders_per_second`: full at the start, refilled continuously.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "price.hpp"

namespace fixaccel {

class OrderBucket {
  public:
    // Another size from now on, below zero none. A new bucket is full; one that was there keeps what it
    // holds.
    void resize(std::int64_t rate, std::int64_t now_ns) {
        if (limited()) refill(now_ns);
        const Wide full = Wide{rate} * kOrder;
        credits_ = limited() ? std::min(credits_, full) : full;
        rate_ = rate;
        refilled_ns_ = now_ns;
    }

    bool limited() const { return rate_ >= 0; }

    // Whether an order may leave.
    bool has_order(std::int64_t now_ns) {
        if (!limited()) return true;
        refill(now_ns);
        return credits_ >= kOrder;
    }

    // An order has left, behind has_order().
    void count() {
        if (limited()) credits_ -= kOrder;
    }

    // So many orders left that nobody has asked for.
    void take(std::int64_t orders, std::int64_t now_ns) {
        if (!limited()) return;
        refill(now_ns);
        credits_ = std::max<Wide>(credits_ - Wide{orders} * kOrder, 0);
    }

    // When it is full again; none: it is, or there is none.
    std::optional<std::int64_t> full_ns() const {
        const Wide missing = Wide{rate_} * kOrder - credits_;
        if (!limited() || missing <= 0) return std::nullopt;
        if (rate_ == 0) return std::numeric_limits<std::int64_t>::max();
        return static_cast<std::int64_t>(refilled_ns_ + (missing + rate_ - 1) / rate_);
    }

    // An empty bucket takes as long to fill as an order costs.
    void set_full(std::optional<std::int64_t> moment_ns) {
        if (!limited()) return;
        credits_ = moment_ns ? Wide{0} : Wide{rate_} * kOrder;
        if (moment_ns) refilled_ns_ = static_cast<std::int64_t>(*moment_ns - kOrder);
    }

  private:
    // What one order costs; the bucket gains its rate each nanosecond.
    static constexpr Wide kOrder = 1'000'000'000;

    void refill(std::int64_t now_ns) {
        const Wide elapsed = std::max<Wide>(Wide{now_ns} - refilled_ns_, 0);
        credits_ = std::min(credits_ + elapsed * rate_, Wide{rate_} * kOrder);
        refilled_ns_ = std::max(now_ns, refilled_ns_);
    }

    std::int64_t rate_ = -1;
    Wide credits_ = 0;
    std::int64_t refilled_ns_ = 0;
};

}  // namespace fixaccel
