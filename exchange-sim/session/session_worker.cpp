// SPDX-License-Identifier: Apache-2.0
#include "session/session_worker.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace fixaccel {
namespace exchange {
namespace {

constexpr std::size_t kChunk = 1 << 16;
constexpr std::chrono::seconds kTick(1);
// For the client's answer to a Logout when the venue stops.
constexpr std::chrono::seconds kLogoutPatience(5);
// For a Logout to leave before its connection is closed.
constexpr std::chrono::milliseconds kLastWords(1000);
constexpr std::chrono::milliseconds kLongestWait(1000);

// Of an old connection, when its client has another.
constexpr int kReadsBeforeRefusal = 64;
const char* const kTooSlow = "the client reads too slowly: its outbox is full";

using Clock = Faults::Clock;

int poll_time(Faults::Time now, Faults::Time until) {
    if (until <= now) return 0;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - now) + std::chrono::milliseconds(1);
    return static_cast<int>(std::min(left, kLongestWait).count());
}

}  // namespace

SessionWorker::SessionWorker(const SessionConfig& config, const std::string& comp_id,
                             const std::string& client, const FIX::DataDictionaryProvider& dictionaries,
                             SessionEvents& events)
    : config_(config),
      comp_id_(comp_id),
      client_(client),
      events_(events),
      outbox_(config.bounds),
      framer_(config.bounds.message_bytes),
      engine_(config, comp_id, client, dictionaries, events, *this),
      chunk_(kChunk) {}

SessionWorker::~SessionWorker() {
    begin_stop();
    join();
}

void SessionWorker::start() {
    thread_ = std::thread([this] { run(); });
}

void SessionWorker::begin_stop() {
    Command stop;
    stop.kind = Command::Kind::kStop;
    if (thread_.joinable()) outbox_.command(std::move(stop));
}

void SessionWorker::join() {
    if (thread_.joinable()) thread_.join();
}

void SessionWorker::run() {
    next_tick_ = Clock::now() + kTick;
    while (true) {
        outbox_.take(items_);
        for (Outbox::Item& item : items_) handle(item);
        if (std::exchange(readable_, false) && link_.is_open()) read_socket();
        if (faults_.next_due() <= Clock::now()) {
            leaving_.clear();
            faults_.due(Clock::now(), leaving_);
            number(leaving_);
        }
        tidy();
        const Time now = Clock::now();
        if (now >= next_tick_) {
            next_tick_ = now + kTick;
            engine_.tick();
            tidy();
        }
        if (stopping_ && (!link_.is_open() || now >= stop_deadline_)) break;
        wait(now);
    }
    if (link_.is_open()) drop("the client did not answer the Logout");
    // What was posted until now is kept for the next run.
    outbox_.take(items_);
    for (Outbox::Item& item : items_) handle(item);
    tidy();
}

// For the socket, the outbox or the clock.
void SessionWorker::wait(Time now) {
    Time until = std::min(next_tick_, faults_.next_due());
    pollfd wanted[] = {{outbox_.descriptor(), POLLIN, 0}, {link_.socket(), 0, 0}};
    if (link_.is_open()) {
        const bool closed = window_opens_ > now;
        wanted[1].events = static_cast<short>((closed ? 0 : POLLIN) | (link_.pending() > 0 ? POLLOUT : 0));
        if (closed) until = std::min(until, window_opens_);
    }
    const nfds_t count = link_.is_open() ? 2 : 1;
    if (::poll(wanted, count, poll_time(now, until)) <= 0) return;
    if (wanted[0].revents != 0) outbox_.acknowledge();
    // What was posted before the client's bytes came goes first.
    readable_ = count == 2 && (wanted[1].revents & (POLLIN | POLLHUP | POLLERR)) != 0;
}

void SessionWorker::read_socket() {
    const long got = link_.read(chunk_.data(), chunk_.size());
    if (got < 0) {
        if (broken_.empty()) broken_ = "the client closed the connection";
        return;
    }
    framer_.append(chunk_.data(), static_cast<std::size_t>(got));
    process_frames();
}

void SessionWorker::process_frames() {
    const std::size_t skipped = framer_.skipped();
    while (link_.is_open() && broken_.empty() && framer_.next(frame_)) {
        ++messages_in_;
        engine_.receive(frame_);
        if (link_.is_open() && !engine_.logged_on()) {
            drop("the first message is no Logon that the venue accepts");
            return;
        }
    }
    if (framer_.skipped() != skipped)
        events_.on_notice(client_,
                          std::to_string(framer_.skipped() - skipped) + " bytes were no FIX message");
}

void SessionWorker::handle(Outbox::Item& item) {
    if (item.command) {
        handle(*item.command);
        return;
    }
    if (item.taken.number != 0) {
        taken_ = item.taken;
        ++untold_;
        tell_taken();
        return;
    }
    submit(item.post);
    if (outbox_.done()) events_.on_drained(client_);
    if (link_.pending() > kChunk && !link_.flush()) broken_ = "the connection is lost";
}

// Not while a fault keeps what it was answered with.
void SessionWorker::tell_taken() {
    if (untold_ == 0 || faults_.keeps()) return;
    engine_.taken(taken_);
    outbox_.told(std::exchange(untold_, 0));
}

void SessionWorker::submit(Post& post) {
    if (!faults_.any() || !link_.is_open()) {
        number(post);
        return;
    }
    leaving_.clear();
    if (!faults_.postpone(post, Clock::now(), leaving_)) number(post);
    number(leaving_);
}

void SessionWorker::number(std::vector<Post>& posts) {
    for (Post& each : posts) number(each);
}

void SessionWorker::number(Post& post) {
    // The client may have gone since it was taken.
    if (post.urgency == Urgency::kMarketData && !engine_.logged_on()) {
        outbox_.drop();
        return;
    }
    const int number = engine_.send(post.message);
    if (post.sent && number != 0) post.sent(number);
}

void SessionWorker::handle(Command& command) {
    using Kind = Command::Kind;
    switch (command.kind) {
        case Kind::kAdopt:
            adopt(command);
            break;
        case Kind::kLogout:
            if (engine_.logged_on()) engine_.logout(command.text);
            break;
        case Kind::kDisconnect:
        case Kind::kReset:
            reset_ = command.kind == Kind::kReset;
            drop("the venue closed the connection");
            outbox_.urgent_done();
            break;
        case Kind::kFault:
            apply(command.fault);
            break;
        case Kind::kStop:
            outbox_.urgent_done();
            stopping_ = true;
            stop_deadline_ = Clock::now() + kLogoutPatience;
            if (engine_.logged_on())
                engine_.logout("");
            else
                drop("the venue stops");
            break;
    }
}

void SessionWorker::adopt(const Command& command) {
    // A client that comes back at once may be here before its old connection's end is seen.
    for (int reads = 0; link_.is_open() && broken_.empty() && reads < kReadsBeforeRefusal; ++reads)
        read_socket();
    tidy();
    if (link_.is_open() || stopping_) {
        ::close(command.socket);
        events_.on_notice(client_, "a second connection from " + command.peer + " was refused");
        return;
    }
    link_.open(command.socket);
    ++connects_;
    {
        std::lock_guard<std::mutex> lock(peer_mutex_);
        peer_ = command.peer;
    }
    framer_.clear();
    framer_.append(command.text.data(), command.text.size());
    engine_.connect();
    process_frames();
}

void SessionWorker::apply(const Fault& fault) {
    using Kind = Fault::Kind;
    const Time now = Clock::now();
    switch (fault.kind) {
        case Kind::kSequenceJump:
            engine_.jump(static_cast<int>(fault.count));
            break;
        case Kind::kWindowClose:
            window_opens_ = fault.time.count() == 0
                                ? Time::max()
                                : now + std::chrono::duration_cast<Clock::duration>(fault.time);
            break;
        case Kind::kTestRequests:
            for (unsigned i = 1; i <= fault.count; ++i)
                engine_.send({"1", {{tag::kTestReqId, "FAULT-" + std::to_string(i)}}, {}});
            break;
        case Kind::kResendRequest:
            engine_.send({"2",
                          {{tag::kBeginSeqNo, std::to_string(fault.begin)},
                           {tag::kEndSeqNo, std::to_string(fault.end)}},
                          {}});
            break;
        case Kind::kReset:
            reset_ = true;
            drop("the venue reset the connection");
            break;
        case Kind::kDisconnect:
            drop("the venue closed the connection");
            break;
        case Kind::kClear:
            window_opens_ = Time::min();
            faults_.set(fault, now);
            leaving_.clear();
            faults_.release(leaving_);
            number(leaving_);
            break;
        default:
            faults_.set(fault, now);
    }
}

bool SessionWorker::write(const std::string& bytes) {
    if (!link_.is_open() || !broken_.empty()) return false;
    ++messages_out_;
    events_.on_wire(Direction::kOut, client_, bytes);
    if (!faults_.any()) {
        link_.append(bytes);
    } else {
        std::string changed = bytes;
        const Faults::OnWire fate = faults_.on_wire(changed, Clock::now());
        for (int copy = 0; copy < fate.copies; ++copy) {
            if (!fate.split)
                link_.append(changed);
            else if (!link_.flush_split(changed))
                broken_ = "the connection is lost";
        }
    }
    return link_.pending() <= config_.bounds.out_bytes || make_room();
}

bool SessionWorker::make_room() {
    while (broken_.empty()) {
        if (!link_.flush()) broken_ = "the connection is lost";
        if (link_.pending() <= config_.bounds.out_bytes / 2) break;
        const Time now = Clock::now();
        const Time stalled = link_.progress() + config_.bounds.stalled_peer;
        if (outbox_.overflowed())
            broken_ = kTooSlow;
        else if (outbox_.urgent())
            broken_ = "the venue closed the connection to a client that did not read";
        else if (now >= stalled)
            broken_ = "the client has read nothing for too long";
        if (!broken_.empty()) break;
        pollfd wanted[] = {{outbox_.descriptor(), POLLIN, 0}, {link_.socket(), POLLOUT, 0}};
        if (::poll(wanted, 2, poll_time(now, stalled)) > 0 && wanted[0].revents != 0) outbox_.acknowledge();
    }
    return broken_.empty();
}

// QuickFIX ends the connection: the Logout, if there is one, has been written.
void SessionWorker::close() {
    if (!link_.is_open()) return;
    outbox_.set_online(false);
    if (reset_)
        link_.reset();
    else if (broken_.empty())
        link_.close_gently(kLastWords);
    else
        link_.close();
    reset_ = false;
    broken_.clear();
    ++disconnects_;
    leaving_.clear();
    window_opens_ = Time::min();
    std::lock_guard<std::mutex> lock(peer_mutex_);
    peer_.clear();
}

void SessionWorker::logged_on(bool on) { outbox_.set_online(on); }

void SessionWorker::drop(const std::string& why) {
    if (!link_.is_open()) return;
    events_.on_notice(client_, "connection ended: " + why);
    engine_.drop();
    close();
}

// Ends what has broken, sends what is pending.
void SessionWorker::tidy() {
    if (link_.is_open() && broken_.empty()) {
        if (!link_.flush()) broken_ = "the connection is lost";
        if (link_.pending() > 0 && Clock::now() >= link_.progress() + config_.bounds.stalled_peer)
            broken_ = "the client has read nothing for too long";
        if (outbox_.overflowed()) broken_ = kTooSlow;
    }
    if (!broken_.empty()) drop(std::string(broken_));
    if (!link_.is_open() && faults_.any()) {
        std::vector<Post> kept;
        faults_.release(kept);
        number(kept);
    }
    tell_taken();
}

SessionStats SessionWorker::stats() const {
    SessionStats result;
    result.logged_on = outbox_.online();
    result.next_sender = engine_.next_sender();
    result.next_target = engine_.next_target();
    result.bytes_in = link_.bytes_in();
    result.bytes_out = link_.bytes_out();
    result.messages_in = messages_in_;
    result.messages_out = messages_out_;
    result.outbox = outbox_.size();
    result.outbox_high = outbox_.high();
    result.dropped = outbox_.dropped();
    result.connects = connects_;
    result.disconnects = disconnects_;
    result.resends = engine_.resends();
    std::lock_guard<std::mutex> lock(peer_mutex_);
    result.peer = peer_;
    return result;
}

}  // namespace exchange
}  // namespace fixaccel
