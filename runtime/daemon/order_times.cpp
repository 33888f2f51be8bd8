// SPDX-License-Identifier: Apache-2.0
#include "order_times.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "fixaccel/utc_clock.hpp"

namespace fixaccel {
namespace {

constexpr std::size_t kOut = static_cast<std::size_t>(OrderStage::answer_wake);  // stages from T1 to T2

// So many of the fabric's cycles.
std::int64_t ns_of(std::uint32_t cycles, std::uint64_t clock_hz) {
    constexpr std::uint64_t kSecond = 1'000'000'000;
    return static_cast<std::int64_t>((cycles * kSecond + clock_hz / 2) / clock_hz);
}

}  // namespace

OrderTimes::OrderTimes(Stamps stamps, std::size_t kept) : stamps_(stamps), since_ns_(utc_ns()) {
    if (!on()) return;
    kept_.resize(kept);
    heads_.assign(2 * kept, kNone);
    for (auto& parts : parts_) parts.resize(kParts);
}

void OrderTimes::message(const Arrival& arrival) noexcept {
    if (!on()) return;
    Order& order = message_.emplace();
    order.t1 = order.last = arrival.at;
    order.by[0] = arrival.by;
    order.mark(OrderStage::wake, arrival.read);
    order.mark(OrderStage::parse, std::chrono::steady_clock::now());
}

void OrderTimes::decided() noexcept {
    if (!on()) return;
    in_hand_ = message_.has_value();
    written_ = false;
    if (!message_) {
        ++counts(OrderPath::rule).orders;
        return;
    }
    order_ = *message_;
    mark(OrderStage::decide);
}

void OrderTimes::requested(Time received, Time handed) noexcept {
    if (!on()) return;
    in_hand_ = true;
    written_ = false;
    order_ = {};
    order_.path = OrderPath::desk;
    order_.t1 = order_.last = received;
    order_.mark(OrderStage::parse, handed);
    mark(OrderStage::wake);
}

void OrderTimes::mark(OrderStage stage) noexcept {
    if (in_hand_) order_.mark(stage, std::chrono::steady_clock::now());
}

void OrderTimes::left(std::string_view cl_ord_id) noexcept {
    if (!in_hand_ || cl_ord_id.empty() || cl_ord_id.size() > order_.id.size()) return;
    mark(OrderStage::send);
    order_.t2 = order_.last;
    order_.id_size = static_cast<std::uint8_t>(cl_ord_id.size());
    std::copy(cl_ord_id.begin(), cl_ord_id.end(), order_.id.begin());
    written_ = true;
}

void OrderTimes::settle(std::uint32_t bytes) noexcept {
    if (!std::exchange(in_hand_, false) || !written_) return;
    keep(order_, bytes);
    if (!by_kernel()) no_more_departs();
}

void OrderTimes::fired(std::string_view cl_ord_id, std::int64_t utc_ns,
                       const std::optional<FabricCycles>& cycles, std::uint64_t clock_hz) noexcept {
    if (!on()) return;
    if (!cycles || clock_hz == 0 || cl_ord_id.empty() || cl_ord_id.size() > order_.id.size()) {
        ++counts(OrderPath::fabric).orders;
        return;
    }
    Order order;  // another may be in hand
    order.path = OrderPath::fabric;
    order.by[0] = order.by[1] = StampBy::fabric;
    const std::uint32_t begun = cycles->t1();
    const std::int64_t decided = ns_of(cycles->first_byte - begun, clock_hz);
    const std::int64_t first = ns_of(cycles->last_byte - begun, clock_hz);
    order.stages[static_cast<std::size_t>(OrderStage::decide)] = decided;
    order.stages[static_cast<std::size_t>(OrderStage::send)] = first - decided;
    const std::int64_t ahead = ns_of(cycles->frame_end - begun, clock_hz);
    order.t1 =
        std::chrono::steady_clock::now() - std::chrono::nanoseconds(fixaccel::utc_ns() - utc_ns + ahead);
    order.t2 = order.last = order.t1 + std::chrono::nanoseconds(first);
    order.id_size = static_cast<std::uint8_t>(cl_ord_id.size());
    std::copy(cl_ord_id.begin(), cl_ord_id.end(), order.id.begin());
    keep(order, 0);
    // The kernel has no part in it.
    gone(kept_[(next_ - 1) % kept_.size()]);
}

void OrderTimes::keep(const Order& sent, std::uint32_t bytes) noexcept {
    const auto slot = static_cast<std::uint32_t>(next_ % kept_.size());
    forget(slot);
    ++next_;
    std::uint32_t& head = heads_[hash(sent.name())];
    Order& order = kept_[slot] = sent;
    order.state = State::sent;
    order.next = std::exchange(head, slot);
    order.leaving = true;
    order.bytes = bytes;
    order.number = next_;
    ++counts(order.path).orders;
}

// The kernel says it of the last byte of what goes in one piece, and of pieces in their order.
void OrderTimes::departed(std::uint32_t bytes, Stamp left) noexcept {
    while (awaits_departures()) {
        Order& order = kept_[oldest_ % kept_.size()];
        if (static_cast<std::int32_t>(bytes - order.bytes) < 0) return;
        std::int64_t& send = order.stages[static_cast<std::size_t>(OrderStage::send)];
        const std::int64_t later = (left.at - order.t2).count();
        // What cannot be is not believed.
        if (send + later >= 0) {
            send += later;
            order.t2 = left.at;
            order.by[1] = left.by;
        }
        gone(order);
    }
}

void OrderTimes::no_more_departs() noexcept {
    while (awaits_departures()) gone(kept_[oldest_ % kept_.size()]);
}

// Whether the kernel has said when or not: it is T2.
void OrderTimes::gone(Order& order) noexcept {
    if (!std::exchange(order.leaving, false)) return;
    while (awaits_departures() && !kept_[oldest_ % kept_.size()].leaving) ++oldest_;
    Counts& counted = counts(order.path);
    ++counted.timed;
    for (std::size_t moment = 0; moment < 2; ++moment)
        ++counted.by[moment][static_cast<std::size_t>(order.by[moment])];
    record(order, 0, kOut);
    of(order.path)[kFirst].record(order.first_ns());
}

void OrderTimes::resent(std::string_view cl_ord_id) noexcept {
    Order* const order = find(cl_ord_id);
    if (order == nullptr || order->state != State::sent) return;
    order->state = State::resent;
    ++counts(order->path).resent;
}

void OrderTimes::answered(std::string_view cl_ord_id, const Arrival& arrival, bool rejected) noexcept {
    answering_ = find(cl_ord_id);
    if (answering_ == nullptr) return;
    Order& order = *answering_;
    gone(order);
    if (order.state != State::sent) {
        answering_ = nullptr;
        return;
    }
    order.rejected = rejected;
    order.t3 = order.last = arrival.at;
    order.by[2] = arrival.by;
    order.mark(OrderStage::answer_wake, arrival.read);
    order.mark(OrderStage::answer_parse, std::chrono::steady_clock::now());
}

bool OrderTimes::watched() noexcept {
    if (answering_ == nullptr || answering_->path != OrderPath::desk) return false;
    return answering_->waited_for = true;
}

void OrderTimes::journalled() noexcept {
    if (answering_ == nullptr) return;
    Order& order = *std::exchange(answering_, nullptr);
    order.mark(OrderStage::answer_journal, std::chrono::steady_clock::now());
    if (order.rejected) {
        order.state = State::rejected;
        ++counts(order.path).rejected;
    } else if (order.path != OrderPath::desk) {
        complete(order);
    } else if (order.waited_for) {
        order.state = State::told_of;
    } else {
        order.state = State::untold;
        ++counts(order.path).untold;
    }
}

std::uint64_t OrderTimes::ticket(std::string_view cl_ord_id) noexcept {
    const Order* const order = find(cl_ord_id);
    if (order == nullptr || order->state != State::told_of) return 0;
    return order->number;
}

void OrderTimes::told(std::uint64_t ticket, Time at) noexcept {
    if (ticket == 0 || !on()) return;
    Order& order = kept_[(ticket - 1) % kept_.size()];
    // Told twice, or no longer kept.
    if (order.number != ticket || order.state != State::told_of) return;
    order.mark(OrderStage::answer_out, at);
    complete(order);
}

void OrderTimes::complete(Order& order) noexcept {
    order.state = State::done;
    order.answer_ns = (order.last - order.t3).count();
    Counts& counted = counts(order.path);
    ++counted.answered;
    ++counted.by[2][static_cast<std::size_t>(order.by[2])];
    record(order, kOut, kStages);
    std::vector<LatencyHistogram>& parts = of(order.path);
    parts[kSecond].record(order.answer_ns);
    parts[kInner].record(order.first_ns() + order.answer_ns);
}

// Nobody is written to but by hand, and the fabric counts from the frame on.
bool OrderTimes::has(OrderPath path, std::size_t stage) {
    const auto is = static_cast<OrderStage>(stage);
    if (is == OrderStage::answer_out) return path == OrderPath::desk;
    return path != OrderPath::fabric || stage >= kOut || is == OrderStage::decide || is == OrderStage::send;
}

void OrderTimes::record(const Order& order, std::size_t first_stage, std::size_t end) noexcept {
    std::vector<LatencyHistogram>& parts = of(order.path);
    for (std::size_t stage = first_stage; stage < end; ++stage)
        if (has(order.path, stage)) parts[stage].record(order.stages[stage]);
}

std::size_t OrderTimes::hash(std::string_view cl_ord_id) const noexcept {
    return std::hash<std::string_view>{}(cl_ord_id) & (heads_.size() - 1);
}

OrderTimes::Order* OrderTimes::find(std::string_view cl_ord_id) noexcept {
    if (!on()) return nullptr;
    std::uint32_t slot = heads_[hash(cl_ord_id)];
    while (slot != kNone && kept_[slot].name() != cl_ord_id) slot = kept_[slot].next;
    return slot == kNone ? nullptr : &kept_[slot];
}

// Another order takes its place.
void OrderTimes::forget(std::uint32_t slot) noexcept {
    Order& order = kept_[slot];
    if (order.state == State::none) return;
    gone(order);
    std::uint32_t* at = &heads_[hash(order.name())];
    while (*at != slot) at = &kept_[*at].next;
    *at = order.next;
}

}  // namespace fixaccel
