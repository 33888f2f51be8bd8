// SPDX-License-Identifier: Apache-2.0
#include "matching/order_store.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace fixaccel::exchange {
namespace {

// As new, but for its texts.
void reset(Order& order, OrderId id, std::uint32_t slot) {
    order.id = id;
    order.instrument = nullptr;
    order.index = 0;
    order.owner = kNobody;
    order.price = order.trigger = 0;
    order.quantity = order.display = order.minimum = 0;
    order.cum_quantity = order.leaves_quantity = 0;
    order.notional = 0;
    order.in_engine = 0;
    order.slot = slot;
    order.side = Side::kBuy;
    order.type = OrderType::kLimit;
    order.tif = TimeInForce::kDay;
    order.status = OrderStatus::kNew;
    order.house = order.triggered = false;
}

}  // namespace

Order& OrderStore::place(OrderId id) {
    std::uint32_t slot = 0;
    if (!free_.empty()) {
        slot = free_.back();
        free_.pop_back();
    } else {
        slot = ++used_;
        if (slot / kChunk >= chunks_.size()) chunks_.emplace_back(kChunk * sizeof(Order));
        new (&in(slot)) Order();
    }
    const std::uint64_t page = id / kPage;
    if (pages_.empty()) first_page_ = page;
    while (first_page_ + pages_.size() <= page) pages_.emplace_back();
    auto& held = pages_[page - first_page_];
    if (!held) held = std::make_unique<Page>();
    held->slots[id % kPage] = slot;
    ++held->taken;
    ++size_;
    // The page before was kept for its next orders, should all it has be forgotten: there are no more now.
    if (id % kPage == 0 && page > first_page_) {
        auto& before = pages_[page - 1 - first_page_];
        if (before && before->taken == 0) before.reset();
        drop_empty();
    }
    Order& order = in(slot);
    reset(order, id, slot);
    return order;
}

void OrderStore::drop_empty() {
    while (!pages_.empty() && !pages_.front()) {
        pages_.pop_front();
        ++first_page_;
    }
}

Order& OrderStore::add() { return place(next_++); }

Order& OrderStore::restore(OrderId id) {
    next_ = id + 1;
    return place(id);
}

void OrderStore::set_next_id(OrderId id) { next_ = id; }

void OrderStore::undo(Order& order) {
    next_ = order.id;
    release(order.id);
}

Order* OrderStore::find(OrderId id) {
    const std::uint32_t slot = slot_of(id);
    return slot == 0 ? nullptr : &in(slot);
}

OrderStore::~OrderStore() {
    for (std::uint32_t slot = 1; slot <= used_; ++slot) in(slot).~Order();
}

void OrderStore::release(OrderId id) {
    auto& page = pages_[id / kPage - first_page_];
    const std::uint32_t slot = std::exchange(page->slots[id % kPage], 0);
    free_.push_back(slot);
    --size_;
    // The youngest page stays: its next orders are on their way.
    if (--page->taken == 0 && id / kPage != next_ / kPage) page.reset();
    drop_empty();
}

void OrderStore::forget(std::size_t kept) {
    const auto trim = [this](std::deque<OrderId>& finished, std::size_t bound) {
        while (finished.size() > bound) {
            release(finished.front());
            finished.pop_front();
        }
    };
    trim(finished_, kept);
    trim(finished_house_, std::min(kept, kKeptOfHouse));
}

}  // namespace fixaccel::exchange
