// SPDX-License-Identifier: Apache-2.0
// What is told of the times of orders.
#include <algorithm>
#include <limits>
#include <string>

#include "fixaccel/utc_clock.hpp"
#include "order_times.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::size_t kFirstStages = static_cast<std::size_t>(OrderStage::answer_wake);  // from T1 to T2

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

constexpr std::array<std::string_view, 3> kPathNames{"rule", "desk", "fabric"};
constexpr std::array<std::string_view, 4> kStampNames{"off", "app", "kernel", "hardware"};
constexpr std::array<std::string_view, 5> kByNames{"app", "kernel", "shared", "card", "fabric"};
// By OrderTimes::State: what nobody has been told of yet has no end.
constexpr std::array<std::string_view, 7> kStateNames{"",       "unanswered", "resent",  "rejected",
                                                      "untold", "unanswered", "answered"};
constexpr std::array<std::string_view, 3> kMoments{"t1", "t2", "t3"};

// Of a histogram for Prometheus: from eight cycles at 125 MHz to a second, in nanoseconds.
constexpr std::array<unsigned, 21> kBounds{6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                                           17, 18, 19, 20, 21, 22, 23, 24, 27, 30};

json figures_of(const LatencyHistogram& part, bool buckets) {
    json out{{"count", part.count()},         {"sum_ns", part.sum()},
             {"min_ns", part.least()},        {"p50_ns", part.percentile(50)},
             {"p99_ns", part.percentile(99)}, {"p999_ns", part.percentile(99.9)},
             {"max_ns", part.most()}};
    if (buckets) out["buckets"] = part.buckets();
    return out;
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

std::int64_t steady_ns(OrderTimes::Time time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

// Of UTC to the clock of the moments. Where we were held up between the two looks, we look again.
std::int64_t utc_ahead_ns() {
    constexpr int kTries = 3;
    constexpr std::int64_t kClose = 1000;
    std::int64_t best = 0, apart = std::numeric_limits<std::int64_t>::max();
    for (int tries = 0; tries < kTries && apart > kClose; ++tries) {
        const std::int64_t before = steady_ns(std::chrono::steady_clock::now()), utc = utc_ns(),
                           after = steady_ns(std::chrono::steady_clock::now());
        if (after - before >= apart) continue;
        apart = after - before;
        best = utc - before - apart / 2;
    }
    return best;
}

}  // namespace

json OrderTimes::described(const Order& order, std::int64_t utc_ahead_ns) {
    const bool done = order.state == State::done;
    const std::size_t end = done ? kStages : kFirstStages;
    json stages = json::object(), by = json::array();
    for (std::size_t stage = 0; stage < end; ++stage)
        if (has(order.path, stage)) stages[std::string(kPartNames[stage].name)] = order.stages[stage];
    for (std::size_t moment = 0; moment < (done ? 3U : 2U); ++moment)
        by.push_back(kByNames[static_cast<std::size_t>(order.by[moment])]);
    const std::int64_t t1 = steady_ns(order.t1) + utc_ahead_ns, t3 = steady_ns(order.t3) + utc_ahead_ns;
    json out{{"cl_ord_id", order.name()},
             {"number", order.number},
             {"path", kPathNames[static_cast<std::size_t>(order.path)]},
             {"state", kStateNames[static_cast<std::size_t>(order.state)]},
             {"t1_ns", t1},
             {"t2_ns", t1 + order.first_ns()},
             {"by", std::move(by)},
             {"stages", std::move(stages)}};
    if (!done) return out;
    out["t3_ns"] = t3;
    out["t4_ns"] = t3 + order.answer_ns;
    out["inner_ns"] = order.first_ns() + order.answer_ns;
    return out;
}

json OrderTimes::orders(std::uint64_t after, std::size_t most) const {
    json listed = json::array();
    const std::uint64_t oldest = next_ > kept_.size() ? next_ - kept_.size() : 0;
    const std::int64_t ahead = utc_ahead_ns();
    for (std::uint64_t at = std::max(after, oldest); at < next_ && listed.size() < most; ++at)
        listed.push_back(described(kept_[at % kept_.size()], ahead));
    return listed;
}

json OrderTimes::report(std::size_t worst, bool buckets) const {
    static_assert(kPartNames.size() == kParts && kByNames.size() == kStampers);
    json paths = json::object();
    for (std::size_t path = 0; on() && path < kPaths; ++path) {
        const Counts& counted = counts_[path];
        json parts = json::object(), stamps = json::object();
        for (std::size_t part = 0; part < kParts; ++part)
            parts[std::string(kPartNames[part].name)] = figures_of(parts_[path][part], buckets);
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
    const std::int64_t ahead = utc_ahead_ns();
    for (std::size_t i = 0; i < worst; ++i) listed.push_back(described(*slowest[i], ahead));
    return {{"ok", true},
            {"stamps", kStampNames[static_cast<std::size_t>(stamps_)]},
            {"since_ns", since_ns_},
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
