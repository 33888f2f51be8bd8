// SPDX-License-Identifier: Apache-2.0
#include "venue/gateway.hpp"

#include <algorithm>
#include <chrono>
#include <future>

namespace fixaccel::exchange {
namespace {

using Steady = std::chrono::steady_clock;

// The longest that the engine thread sleeps.
constexpr std::chrono::seconds kNap(1);
// How many requests ahead of one its ClOrdIDs are looked for, and the order that it names.
constexpr std::size_t kFar = 8;
constexpr std::size_t kNear = 4;
// Between two looks at what has been sent meanwhile.
constexpr std::chrono::milliseconds kMarkPace(5);
// Between two tellings of the time where a halt may end, and where only its day matters.
constexpr std::int64_t kFinePace = 1'000'000;
constexpr std::int64_t kCoarsePace = 1'000'000'000;

std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

VenueOptions options_of(UpdateType update_type, std::string market_client) {
    VenueOptions options;
    options.update_type = update_type;
    options.market_client = std::move(market_client);
    return options;
}

}  // namespace

Gateway::Gateway(Exchange& exchange, Recorder& recorder, VenueOptions options)
    : exchange_(exchange),
      recorder_(recorder),
      options_(std::move(options)),
      feed_(exchange, options_.update_type, options_.conflate,
            {[this](const std::string& to, OutgoingMessage message) {
                 return send_market_data(to, std::move(message));
             },
             [this](const std::string& to) { return host_ == nullptr || host_->behind(to); }}),
      observers_(std::make_shared<const Observers>()),
      queue_(options_.queue),
      engine_([this] { run(); }) {}

Gateway::Gateway(Exchange& exchange, Recorder& recorder, UpdateType update_type, std::string market_client)
    : Gateway(exchange, recorder, options_of(update_type, std::move(market_client))) {}

Gateway::~Gateway() { stop(); }

void Gateway::stop() {
    queue_.close();
    if (engine_.joinable()) engine_.join();
    if (journal_) save_marks();
}

void Gateway::recover(const std::string& identity) {
    if (options_.store.empty()) return;
    on_engine([&] {
        journal_ = std::make_unique<Journal>(options_.store, identity, options_.journal_bytes, options_.sync);
        journal_->recover(exchange_, {[this](const ExchangeCall& call, const CallResult& result,
                                             const Journal::Request* of) { collect(call, result, of); },
                                      [this](const std::string& name, std::uint64_t exec_id) {
                                          Client& to = client(name);
                                          while (!to.unsent.empty() && to.unsent.front().first <= exec_id)
                                              to.unsent.pop_front();
                                      }});
        last_time_ = exchange_.engine().clock().now;
        exchange_.take_phases();
        exchange_.take_printed();
    });
}

void Gateway::attach(SessionHost& host) {
    on_engine([&] {
        host_ = &host;
        shared_host_ = &host;
        send_unsent();
    });
}

void Gateway::detach() {
    on_engine([&] {
        host_ = nullptr;
        shared_host_ = nullptr;
    });
}

void Gateway::follow(Timetable timetable) {
    on_engine([&] {
        exchange_.keep_time();
        const std::int64_t now = now_ns();
        const std::time_t seconds = now / 1'000'000'000;
        const auto closed = timetable.last_close(seconds);
        // The venue slept over the end of a day.
        if (closed && last_time_ > 0 && last_time_ / 1'000'000'000 < *closed) end_day();
        timetable_ = std::move(timetable);
        change_phase(timetable_->at(seconds));
        next_phase_ = timetable_->next(seconds);
        report(exchange_.set_time(now));
        last_time_ = now;
    });
}

// Runs on the engine thread and waits for it. After stop(), or on the engine thread itself, at once.
void Gateway::on_engine(Work work) {
    if (std::this_thread::get_id() == engine_.get_id()) return work();
    std::promise<void> done;
    const bool queued = queue_.push(Work([&] {
        try {
            work();
            done.set_value();
        } catch (...) {
            done.set_exception(std::current_exception());
        }
    }));
    if (!queued) {
        work();
        if (journal_) release();
        return;
    }
    done.get_future().get();
}

void Gateway::run() {
    std::vector<Request> batch;
    while (queue_.take(batch, deadline())) {
        for (std::size_t at = 0; at < batch.size(); ++at) {
            Request& request = batch[at];
            if (failed_) {
                if (auto* work = std::get_if<Work>(&request)) (*work)();
                continue;
            }
            attempt([&] {
                if (at + kFar < batch.size()) expect(batch[at + kFar], false);
                if (at + kNear < batch.size()) expect(batch[at + kNear], true);
                feed_time();
                take(request);
                publish();
            });
        }
        batch.clear();
        attempt([&] {
            tick();
            if (journal_) tidy();
        });
    }
}

// Nothing, once something has failed.
void Gateway::attempt(const std::function<void()>& work) {
    if (failed_) return;
    try {
        work();
    } catch (const std::exception& error) {
        failed_ = true;
        recorder_.write("notice", {{"client", ""}, {"text", error.what()}});
        if (tell_failure_) tell_failure_(error.what());
    }
}

// What a request will touch is on its way from memory while those before it are worked on.
void Gateway::expect(const Request& request, bool near) const {
    const auto* message = std::get_if<IncomingMessage>(&request);
    if (message == nullptr) return;
    for (const int name : {tag::kOrigClOrdId, tag::kClOrdId}) {
        const std::string* id = message->find(name);
        if (id == nullptr) continue;
        if (!near) exchange_.prefetch_id(message->client, *id);
        if (near && name == tag::kOrigClOrdId) exchange_.prefetch_order(message->client, *id);
    }
}

void Gateway::take(Request& request) {
    if (const auto* message = std::get_if<IncomingMessage>(&request)) {
        take_request(*message);
    } else if (const auto* on = std::get_if<LoggedOn>(&request)) {
        take_session(*on);
    } else if (const auto* out = std::get_if<LoggedOut>(&request)) {
        take_session(*out);
    } else if (const auto* drained = std::get_if<Drained>(&request)) {
        feed_.drained(drained->client);
    } else if (auto* work = std::get_if<Work>(&request)) {
        (*work)();
    }
}

void Gateway::take_request(const IncomingMessage& message) {
    if (!journal_) return take_message(message);
    // What the program before had done comes again where something before it had left no trace.
    if (journal_->begin_request(message.client, message.as)) take_message(message);
    journal_->end_request();
    Client& from = client(message.client);
    if (from.taken.number == 0) taken_.push_back(&from);
    from.taken = message.as;
}

Steady::time_point Gateway::deadline() const {
    const auto now = Steady::now();
    auto until = now + kNap;
    if (const auto tick = feed_.next_tick()) until = std::min(until, *tick);
    if (journal_ && (unsent() || journal_->pending())) until = std::min(until, now + kMarkPace);
    const auto sooner = [&](std::int64_t time_ns) {
        const auto left = std::chrono::nanoseconds(std::max<std::int64_t>(0, time_ns - now_ns()));
        until = std::min(until, now + left);
    };
    if (const auto end = exchange_.engine().next_halt_end()) sooner(*end);
    if (next_phase_ != 0) sooner(static_cast<std::int64_t>(next_phase_) * 1'000'000'000);
    return until;
}

void Gateway::feed_time() {
    if (!exchange_.timed()) return;
    const std::int64_t now = now_ns();
    if (now - last_time_ < (exchange_.halts() ? kFinePace : kCoarsePace)) return;
    last_time_ = now;
    report(exchange_.set_time(now));
}

void Gateway::tick() {
    feed_time();
    if (next_phase_ != 0 && now_ns() / 1'000'000'000 >= next_phase_) {
        const std::time_t now = now_ns() / 1'000'000'000;
        const Phase phase = timetable_->at(now);
        next_phase_ = timetable_->next(now);
        change_phase(phase);
        if (phase == Phase::kClosed) end_day();
    }
    publish();
    feed_.tick(Steady::now());
}

// Some report has not got its MsgSeqNum.
bool Gateway::unsent() const {
    return std::any_of(known_.begin(), known_.end(), [](const auto& entry) {
        return entry.second->reports.up_to() < entry.second->reports.posted();
    });
}

void Gateway::change_phase(Phase phase) {
    Message message;
    message.kind = MessageKind::kPhase;
    message.instrument = kAllInstruments;
    message.phase = phase;
    report(exchange_.say(message));
}

void Gateway::end_day() {
    Message message;
    message.kind = MessageKind::kEndOfDay;
    report(exchange_.say(message));
    exchange_.forget_finished();
    if (journal_) journal_->flush();
}

Gateway::Client& Gateway::client(const std::string& name) {
    auto& held = known_[name];
    if (held) return *held;
    held = std::make_unique<Client>();
    Client& made = *held;
    made.name = name;
    for (const auto& [copy, originals] : options_.drop_copy) {
        if (copy != name &&
            (originals.empty() || std::find(originals.begin(), originals.end(), name) != originals.end()))
            made.copies.push_back(&client(copy));
    }
    return made;
}

void Gateway::act(const std::function<std::vector<Execution>(Exchange&)>& action) {
    on_engine([&] {
        report(action(exchange_));
        publish();
    });
}

void Gateway::send_session_message(const std::string& client, const OutgoingMessage& message) {
    on_engine([&] { post(client, message); });
}

void Gateway::log_out(const std::string& client, const std::string& reason) {
    on_engine([&] {
        if (host_ != nullptr) host_->logout(client, reason);
    });
}

void Gateway::fault(const std::string& client, const Fault& fault) {
    on_engine([&] {
        if (host_ != nullptr) host_->fault(client, fault);
    });
}

SessionStats Gateway::session_stats(const std::string& client) {
    SessionHost* host = shared_host_;
    return host == nullptr ? SessionStats() : host->stats(client);
}

FeedStats Gateway::feed_stats(const std::string& client) {
    FeedStats stats;
    on_engine([&] { stats = feed_.stats(client); });
    return stats;
}

void Gateway::observe(std::shared_ptr<Observer> observer) {
    const std::lock_guard lock(observers_mutex_);
    auto more = std::make_shared<Observers>(*observers_);
    more->push_back(std::move(observer));
    observers_ = std::move(more);
    observed_ = true;
}

std::shared_ptr<const Gateway::Observers> Gateway::observers() const {
    const std::lock_guard lock(observers_mutex_);
    return observers_;
}

}  // namespace fixaccel::exchange
