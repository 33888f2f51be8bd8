// SPDX-License-Identifier: Apache-2.0
#include "bus/relay.hpp"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <thread>

#include "bus/gen/bus.hpp"
#include "fixaccel/utc_clock.hpp"
#include "log.hpp"

namespace fixaccel::bus {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr std::int64_t kMs = 1'000'000;
constexpr milliseconds kNap{20};
constexpr std::int64_t kTryNs = 500 * kMs;
constexpr std::int64_t kLookNs = 200 * kMs;
constexpr int kAtOnce = 256;  // messages of the ring between two looks at the clock

// Memory, one message a subject: the newest image of each.
std::string newest_of_each(const std::string& stream, const json& subjects) {
    return json{{"name", stream},        {"subjects", subjects}, {"storage", "memory"},
                {"retention", "limits"}, {"discard", "old"},     {"max_msgs_per_subject", 1},
                {"allow_direct", true},  {"num_replicas", 1}}
        .dump();
}

}  // namespace

Relay::Relay(const BusSettings& settings, const std::filesystem::path& journal)
    : settings_(settings),
      link_settings_{settings.servers, settings.key_file, settings.ca_file, "relay-" + settings.board},
      subjects_(settings.site, settings.board),
      run_(static_cast<std::uint64_t>(utc_ns() / kMs)),
      mirror_(journal, subjects_) {}

void Relay::say(std::string& last, const std::string& text) {
    if (text == last) return;
    last = text;
    log_line(text, {.event = "relay"});
}

void Relay::run(const std::atomic<bool>& stop) {
    std::exception_ptr ended;
    std::atomic<bool> over = false;
    std::thread events([&] {
        try {
            mirror(stop);
        } catch (...) {
            ended = std::current_exception();
        }
        over = true;
    });
    while (!stop && !over) {
        const std::int64_t now_ns = utc_ns();
        if (!ring_) open_ring();
        if (now_ns >= next_look_ns_) look_at_daemon(now_ns);
        if (!behind()) connect();
        for (int i = 0; ring_ && i < kAtOnce && ring_->next(record_); ++i) take(record_);
        if (ring_) look_for_losses(now_ns);
        repeat(now_ns);
        if (now_ns >= next_beat_ns_) beat(now_ns);
        if (!ring_) {
            std::this_thread::sleep_for(kNap);
            continue;
        }
        const std::uint64_t durable = ring_->state().observed.durable;
        {
            const std::lock_guard guard(mutex_);
            durable_ = durable;
        }
        durable_moved_.notify_one();
        ring_->wait(durable, kNap);
    }
    events.join();
    if (link_ && link_->stands()) try {
            link_->flush();
        } catch (
            const LinkError&) {  // what was not sent is not there: it was told as a number that is missing
        }
    if (ended) std::rethrow_exception(ended);
}

void Relay::open_ring() {
    try {
        ring_.emplace(settings_.ring());
        // What is in there already makes images, and is no news any more; but for a daemon that has begun
        // anew.
        if (!daemon_) old_until_ = ring_->state().records;
        ring_lost_ = 0;
        said_.clear();
        log_line("reads " + settings_.ring().string(), {.event = "relay"});
    } catch (const RingError& error) {
        say(said_, error.what());
    }
}

void Relay::look_at_daemon(std::int64_t now_ns) {
    next_look_ns_ = now_ns + kLookNs;
    if (!ring_) return;
    if (ring_->replaced()) {
        // What is left of the old one first.
        while (ring_->next(record_)) take(record_);
        lost_before_ += ring_->lost();
        ring_.reset();
        lose_all(now_ns);
        open_ring();
        if (!ring_) return;
    }
    const bool there = now_ns - ring_->state().beat_ns < kSilentMs * kMs;
    const auto known = [](const auto& entry) { return entry.second.open; };
    // What a daemon that is gone has left is not what the market is.
    if (!there && !behind() && std::ranges::any_of(images_.all(), known)) lose_all(now_ns);
    daemon_ = there;
}

void Relay::take(const RingRecord& record) {
    look_for_losses(record.time_ns);  // what is missing was before this one
    if (record.kind == RecordKind::unknown) return lose_all(record.time_ns);
    if (record.kind != RecordKind::quotes) return;
    images_.see(record.bytes, record.time_ns, [&](Image& image) { tell(image, Telling::message, utc_ns()); });
}

void Relay::look_for_losses(std::int64_t now_ns) {
    if (ring_->lost() == ring_lost_) return;
    ring_lost_ = ring_->lost();
    lose_all(now_ns);
}

// Messages are missing: what is known is old, of all.
void Relay::lose_all(std::int64_t now_ns) {
    images_.forget();
    for (auto& [symbol, image] : images_.all()) {
        image.ts_ns = now_ns;
        ++image.gaps;
        tell(image, Telling::gap, now_ns);
    }
}

void Relay::connect() {
    if (link_ && link_->stands()) return;
    if (link_) {
        log_line("the connection to the servers is lost", {LogLevel::warning, "relay"});
        link_.reset();
    }
    if (coming_.valid()) {
        if (coming_.wait_for(milliseconds(0)) != std::future_status::ready) return;
        try {
            link_ = coming_.get();
            ++connects_;
            said_.clear();
            log_line("connected", {.event = "relay"});
            look_at_daemon(utc_ns());
            greet();
        } catch (const LinkError& error) {
            link_.reset();
            say(said_, error.what());
        }
        return;
    }
    const std::int64_t now_ns = utc_ns();
    if (now_ns < next_try_ns_ || settings_.servers.empty()) return;
    next_try_ns_ = now_ns + kTryNs;
    // Aside, for it may take seconds, and the ring goes on. The streams with the newest of each are in
    // memory: a server that was started anew has none.
    coming_ = std::async(std::launch::async, [this] {
        auto link = std::make_unique<Link>(link_settings_);
        for (const auto& [stream, subjects] :
             {std::pair{subjects_.quotes_stream, json::array({subjects_.of(kQuotes) + ".>"})},
              std::pair{subjects_.status_stream,
                        json::array({subjects_.of(kStatus), subjects_.of(kHeartbeat)})}}) {
            const LinkMessage answer =
                link->request("$JS.API.STREAM.CREATE." + stream, newest_of_each(stream, subjects));
            const json made = json::parse(answer.data, nullptr, false);
            if (answer.status != 0 || made.is_discarded() || made.contains("error"))
                throw LinkError("stream " + stream + " cannot be made: " +
                                (answer.data.empty() ? std::to_string(answer.status) : answer.data));
        }
        return link;
    });
}

// What was missed is told before the newest image of each, and nothing older is ever said.
void Relay::greet() {
    const std::int64_t now_ns = utc_ns();
    for (auto& [symbol, image] : images_.all()) {
        ++image.gaps;
        tell(image, Telling::gap, now_ns);
        if (image.open) tell(image, Telling::image, now_ns);
    }
    next_beat_ns_ = 0;
}

void Relay::tell(Image& image, Telling telling, std::int64_t now_ns) {
    if (!link_ || !link_->stands() || behind()) return;
    if (telling != Telling::again) ++image.n;
    publish(subjects_.quotes(image.symbol), quote_json(image, run_, telling));
    image.said_ns = now_ns;
    telling == Telling::again ? ++repeats_ : ++published_;
}

void Relay::repeat(std::int64_t now_ns) {
    if (!link_) return;
    for (auto& [symbol, image] : images_.all())
        if (now_ns - image.said_ns >= settings_.refresh.count()) tell(image, Telling::again, now_ns);
}

void Relay::beat(std::int64_t now_ns) {
    next_beat_ns_ = now_ns + kHeartbeatMs * kMs;
    if (!link_) return;
    const RingState state = ring_ ? ring_->state() : RingState();
    const std::uint64_t record = event_record_;
    publish(subjects_.of(kHeartbeat),
            json{{"v", kVersion},
                 {"run", run_},
                 {"ts_ns", now_ns},
                 {"daemon", daemon_},
                 {"instruments", images_.size()},
                 {"published", published_},
                 {"repeated", repeats_},
                 {"ring_records", state.records},
                 {"ring_lost", lost_before_ + ring_lost_},
                 {"connects", connects_},
                 {"events", events_.load()},
                 {"record", record},
                 {"durable", state.observed.durable},
                 {"lag", state.observed.durable > record ? state.observed.durable - record : 0}}
                .dump());
    if (ring_)
        publish(subjects_.of(kStatus), json{{"v", kVersion},
                                            {"run", run_},
                                            {"ts_ns", state.beat_ns},
                                            {"daemon", daemon_},
                                            {"phase", state.phase.data()},
                                            {"armed", state.observed.armed},
                                            {"dry", state.observed.dry},
                                            {"killed", state.observed.killed},
                                            {"connected", state.observed.connected},
                                            {"fires", state.observed.fires},
                                            {"reports", state.observed.reports},
                                            {"quotes", state.quotes}}
                                           .dump());
}

void Relay::publish(const std::string& subject, const std::string& text) {
    try {
        link_->publish(subject, text);
    } catch (const LinkError& error) {
        say(said_, error.what());
        link_.reset();
    }
}

void Relay::mirror(const std::atomic<bool>& stop) {
    while (!stop) {
        try {
            Link link(link_settings_);
            mirror_connected(link, stop);
        } catch (const LinkError& error) {
            say(mirror_said_, std::string("events: ") + error.what());
        }
        for (std::int64_t slept = 0; !stop && slept < kTryNs; slept += kNap.count() * kMs)
            std::this_thread::sleep_for(kNap);
    }
}

void Relay::mirror_connected(Link& link, const std::atomic<bool>& stop) {
    std::string problem;
    if (!mirror_.attach(link, problem)) return say(mirror_said_, "events: " + problem);
    say(mirror_said_, "events: behind " + std::to_string(mirror_.events()));
    std::uint64_t durable = 0;
    bool more = true;
    while (!stop) {
        {
            std::unique_lock guard(mutex_);
            if (!more) durable_moved_.wait_for(guard, kNap, [&] { return durable_ != durable; });
            durable = durable_;
        }
        more = mirror_.publish(link, durable, std::chrono::steady_clock::now());
        events_ = mirror_.events();
        event_record_ = mirror_.record();
        if (!link.stands()) throw LinkError("the connection to the servers is lost");
    }
}

}  // namespace fixaccel::bus
