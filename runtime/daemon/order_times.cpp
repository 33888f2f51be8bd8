// SPDX-License-Identifier: Apache-2.0
#include "order_times.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include "fixaccel/utc_clock.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::size_t kOut = static_cast<std::size_t>(OrderStage::answer_wake);  // stages from T1 to T2

struct Part {
    std::string_view name;
    std::string_view from;
    std::string_view what;
};

// The stages, and what they add up to. The page docs/reference/latency.md is made of these lines.
constexpr std::array kPartNames{
    Part{"wake", "T1", "until the bytes, or the request, are in the hands of the thread that trades"},
    Part{"parse", "T1",
         "until they are understood: framing, the FIX session, the request; of a message also those "
         "ahead of it in the same read"},
    Part{"decide", "T1", "rules, limits and the text of the order; of a message also the orders ahead of it"},
    Part{"journal", "T1", "the order in journal and FIX store, durable"},
    Part{"lease", "T1", "the fabric holds its own orders back"},
    Part{"engine", "T1", "the FIX engine: header, number, checksum"},
    Part{"send", "T1", "the system's call to send, as far as the driver"},
    Part{"answer_wake", "T3", "until the bytes of the answer are read"},
    Part{"answer_parse", "T3", "until the answer is understood"},
    Part{"answer_journal", "T3",
         "the answer in the journal, and what it changes; what watchers hear is noted"},
    Part{"answer_out", "T3", "until the answer is written to whoever watches; of orders by hand alone"},
    Part{"inner", "T1", "T1 to T2 and T3 to T4 together: what is spent here and not at the venue"},
    Part{"t1_t2", "T1", "T1 to T2: from the reason to the order"},
    Part{"t3_t4", "T3", "T3 to T4: from the answer to whoever waits for it"},
};

constexpr std::array<std::string_view, 2> kPathNames{"rule", "desk"};
constexpr std::array<std::string_view, 3> kStampNames{"off", "app", "kernel"};
constexpr std::array<std::string_view, 3> kByNames{"app", "kernel", "shared"};
constexpr std::array<std::string_view, 3> kMoments{"t1", "t2", "t3"};

// Of a histogram for Prometheus: from a microsecond to a second, in nanoseconds.
constexpr std::array<unsigned, 17> kBounds{10, 11, 12, 13, 14, 15, 16, 17, 18,
                                           19, 20, 21, 22, 23, 24, 27, 30};

json figures_of(const LatencyHistogram& part) {
    return {{"count", part.count()},         {"sum_ns", part.sum()},
            {"min_ns", part.least()},        {"p50_ns", part.percentile(50)},
            {"p99_ns", part.percentile(99)}, {"p999_ns", part.percentile(99.9)},
            {"max_ns", part.most()}};
}

json histogram_of(const LatencyHistogram& part) {
    json bounds = json::array(), counts = json::array();
    for (const unsigned power : kBounds) {
        bounds.push_back((std::int64_t{1} << power) - 1);
        counts.push_back(part.below(power));
    }
    return {{"bounds", std::move(bounds)},
            {"counts", std::move(counts)},
            {"count", part.count()},
            {"sum", part.sum()}};
}

}  // namespace

OrderTimes::OrderTimes(Stamps stamps, std::size_t kept) : stamps_(stamps) {
    static_assert(kPartNames.size() == kParts);
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
    const auto slot = static_cast<std::uint32_t>(next_ % kept_.size());
    forget(slot);
    ++next_;
    std::uint32_t& head = heads_[hash(order_.name())];
    Order& order = kept_[slot] = order_;
    order.state = State::sent;
    order.next = std::exchange(head, slot);
    order.leaving = true;
    order.bytes = bytes;
    order.number = next_;
    ++counts(order.path).orders;
    if (!by_kernel()) no_more_departs();
}

// The kernel says it of the last byte of what goes in one piece, and of pieces in their order.
void OrderTimes::departed(std::uint32_t bytes, Time at) noexcept {
    while (awaits_departures()) {
        Order& order = kept_[oldest_ % kept_.size()];
        if (static_cast<std::int32_t>(bytes - order.bytes) < 0) return;
        std::int64_t& send = order.stages[static_cast<std::size_t>(OrderStage::send)];
        const std::int64_t later = (at - order.t2).count();
        // What cannot be is not believed.
        if (send + later >= 0) {
            send += later;
            order.t2 = at;
            order.by[1] = StampBy::kernel;
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
    std::vector<LatencyHistogram>& parts = of(order.path);
    for (std::size_t stage = 0; stage < kOut; ++stage) parts[stage].record(order.stages[stage]);
    parts[kFirst].record(order.first_ns());
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
    } else if (order.path == OrderPath::rule) {
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
    std::vector<LatencyHistogram>& parts = of(order.path);
    const std::size_t end = order.path == OrderPath::desk ? kStages : kStages - 1;
    for (std::size_t stage = kOut; stage < end; ++stage) parts[stage].record(order.stages[stage]);
    parts[kSecond].record(order.answer_ns);
    parts[kInner].record(order.first_ns() + order.answer_ns);
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

json OrderTimes::described(const Order& order) const {
    json stages = json::object();
    const std::size_t end = order.path == OrderPath::desk ? kStages : kStages - 1;
    for (std::size_t stage = 0; stage < end; ++stage)
        stages[std::string(kPartNames[stage].name)] = order.stages[stage];
    const auto utc = utc_ns() - (std::chrono::steady_clock::now() - order.t1).count();
    return {
        {"cl_ord_id", order.name()},
        {"path", kPathNames[static_cast<std::size_t>(order.path)]},
        {"t1_ns", utc},
        {"t2_ns", utc + order.first_ns()},
        {"t3_ns", utc + (order.t3 - order.t1).count()},
        {"t4_ns", utc + (order.t3 - order.t1).count() + order.answer_ns},
        {"inner_ns", order.first_ns() + order.answer_ns},
        {"by",
         {kByNames[static_cast<std::size_t>(order.by[0])], kByNames[static_cast<std::size_t>(order.by[1])],
          kByNames[static_cast<std::size_t>(order.by[2])]}},
        {"stages", std::move(stages)}};
}

json OrderTimes::report(std::size_t worst) const {
    json paths = json::object();
    for (std::size_t path = 0; on() && path < kPaths; ++path) {
        const Counts& counted = counts_[path];
        json parts = json::object(), stamps = json::object();
        for (std::size_t part = 0; part < kParts; ++part)
            parts[std::string(kPartNames[part].name)] = figures_of(parts_[path][part]);
        for (std::size_t moment = 0; moment < kStamped; ++moment)
            for (std::size_t by = 0; by < kByNames.size(); ++by)
                stamps[std::string(kMoments[moment])][std::string(kByNames[by])] = counted.by[moment][by];
        paths[std::string(kPathNames[path])] = {
            {"orders", counted.orders},
            {"without_t1", counted.orders - counted.timed},
            {"answered", counted.answered},
            {"rejected", counted.rejected},
            {"resent", counted.resent},
            {"untold", counted.untold},
            {"unanswered",
             counted.timed - counted.answered - counted.rejected - counted.resent - counted.untold},
            {"stamps", std::move(stamps)},
            {"parts", std::move(parts)}};
    }
    std::vector<const Order*> slowest;
    for (const Order& order : kept_)
        if (worst != 0 && order.state == State::done) slowest.push_back(&order);
    worst = std::min(worst, slowest.size());
    std::partial_sort(slowest.begin(), slowest.begin() + static_cast<std::ptrdiff_t>(worst), slowest.end(),
                      [](const Order* one, const Order* other) {
                          return one->first_ns() + one->answer_ns > other->first_ns() + other->answer_ns;
                      });
    json listed = json::array();
    for (std::size_t i = 0; i < worst; ++i) listed.push_back(described(*slowest[i]));
    return {{"ok", true},
            {"stamps", kStampNames[static_cast<std::size_t>(stamps_)]},
            {"paths", std::move(paths)},
            {"worst", std::move(listed)}};
}

json OrderTimes::histograms() const {
    json out = json::object();
    for (std::size_t path = 0; on() && path < kPaths; ++path)
        for (std::size_t part = 0; part < kParts; ++part)
            out[std::string(kPathNames[path])][std::string(kPartNames[part].name)] =
                histogram_of(parts_[path][part]);
    return out;
}

}  // namespace fixaccel
