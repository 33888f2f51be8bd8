// SPDX-License-Identifier: Apache-2.0
// The flow of orders that the matching engine is measured with. The same seed gives the same messages.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "matching/engine.hpp"

namespace fixaccel::exchange {

// Orders over `instruments`, each as likely as any other. After `resting` of them of 100 rest, and of a
// hundred messages 42 add another, 42 cancel one that rests, any as likely, 10 replace one (half of them
// lessen it, half move it by a few ticks) and 6 take what is best on the other side (two thirds immediate or
// cancel, a third day). Orders lie 1 to some 40 ticks from the middle, nearer ones more often; of a hundred
// one lies up to 4,000 away. The middle of each instrument walks by a tick now and then.
class Flow {
  public:
    Flow(std::uint32_t instruments, std::uint32_t resting, std::uint64_t seed)
        : random_(seed), target_(resting), middles_(instruments, 20'000) {}

    // The next message for an engine that has seen those before. Tell it with seen() what came of it.
    Message next() {
        if (alive_.size() < target_) return add(false);
        const auto dice = below(100);
        // What trades away comes back, so the number of resting orders stays.
        if (dice < 42 - (alive_.size() > target_ ? 6 : 0)) return add(false);
        if (dice < 84) return cancel();
        if (dice < 94) return replace();
        return add(true);
    }

    void seen(std::span<const Event> events) {
        for (const Event& event : events) {
            if (event.kind == EventKind::kAccepted) {
                born(event.reference, event.order);
            } else if (event.kind == EventKind::kCanceled) {
                died(event.reference);
            } else if (event.kind == EventKind::kTrade) {
                if (event.leaves == 0) died(event.reference);
                if (event.other_leaves == 0) died(event.other_reference);
            }
        }
    }

  private:
    struct Known {
        OrderId order = 0;
        std::uint32_t at = 0;  // in alive_
        InstrumentIndex instrument = 0;
        Side side = Side::kBuy;
        Terms terms;
    };

    std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

    Price distance() {
        if (below(100) == 0) return 40 + static_cast<Price>(below(4'000));
        return 1 + static_cast<Price>(std::min(below(40), below(40)));
    }

    Message add(bool takes) {
        Message message;
        message.instrument = static_cast<InstrumentIndex>(below(middles_.size()));
        message.side = below(2) == 0 ? Side::kBuy : Side::kSell;
        message.owner = static_cast<Owner>(1 + below(64));
        message.reference = known_.size();
        Price& middle = middles_[message.instrument];
        if (below(50) == 0) middle += static_cast<Price>(below(3)) - 1;
        const Price away = takes ? -3 : distance();
        message.terms.price = message.side == Side::kBuy ? middle - away : middle + away;
        message.terms.quantity = 1 + static_cast<Quantity>(below(100));
        if (takes && below(3) != 0) message.terms.tif = TimeInForce::kImmediateOrCancel;
        known_.push_back({0, 0, message.instrument, message.side, message.terms});
        return message;
    }

    Message named(MessageKind kind) {
        const std::uint64_t reference = alive_[below(alive_.size())];
        Message message;
        message.kind = kind;
        message.reference = reference;
        message.order = known_[reference].order;
        message.instrument = known_[reference].instrument;
        return message;
    }

    Message cancel() { return named(MessageKind::kCancel); }

    Message replace() {
        Message message = named(MessageKind::kReplace);
        Terms& terms = known_[message.reference].terms;
        if (below(2) == 0) {
            terms.quantity = std::max<Quantity>(1, terms.quantity - 1);
        } else {
            terms.price += static_cast<Price>(below(5)) - 2;
        }
        message.terms = terms;
        return message;
    }

    void born(std::uint64_t reference, OrderId order) {
        known_[reference].order = order;
        known_[reference].at = static_cast<std::uint32_t>(alive_.size());
        alive_.push_back(reference);
    }

    void died(std::uint64_t reference) {
        const std::uint32_t at = known_[reference].at;
        if (at >= alive_.size() || alive_[at] != reference) return;
        known_[alive_.back()].at = at;
        alive_[at] = alive_.back();
        alive_.pop_back();
    }

    std::mt19937_64 random_;
    std::size_t target_;
    std::vector<Price> middles_;
    std::vector<Known> known_;          // by reference
    std::vector<std::uint64_t> alive_;  // references of what rests
};

}  // namespace fixaccel::exchange
