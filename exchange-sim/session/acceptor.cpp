// SPDX-License-Identifier: Apache-2.0
#include "session/acceptor.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "session/link.hpp"
#include "session/raw_message.hpp"
#include "session/session_host.hpp"

namespace fixaccel {
namespace exchange {
namespace {

// How long nobody is accepted once the process has no descriptor left: it comes back when somebody leaves.
constexpr std::chrono::milliseconds kPause(100);
// Accepted in a row before sockets are looked at again.
constexpr int kAcceptedAtOnce = 64;
constexpr rlim_t kWantedDescriptors = 8192;
const std::string kFirstBytes = "8=FIX";

int listen_on(const std::string& host, std::uint16_t port) {
    const std::string place = host + ":" + std::to_string(port);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    if (inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) {
        throw SessionHostError("'" + host + "' is not an IPv4 address to listen on");
    }
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int on = 1;
    if (listener < 0 || ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        ::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listener, SOMAXCONN) != 0) {
        const std::string why = std::strerror(errno);
        if (listener >= 0) ::close(listener);
        throw SessionHostError("cannot listen on " + place + ": " + why);
    }
    return listener;
}

// 64 sessions and as many strangers need more than the usual 1024.
void raise_descriptor_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    const rlim_t wanted = std::min(limit.rlim_max, kWantedDescriptors);
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = wanted;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

int open_spare() { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); }

bool watch(int epoll, int descriptor) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = descriptor;
    return ::epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

}  // namespace

Acceptor::Acceptor(const std::vector<Place>& places, const SessionBounds& bounds, Take take, Notice notice)
    : bounds_(bounds), take_(std::move(take)), notice_(std::move(notice)) {
    raise_descriptor_limit();
    try {
        for (const Place& place : places) listeners_.push_back(listen_on(place.host, place.port));
        wake_ = ::eventfd(0, EFD_CLOEXEC);
        epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
        spare_ = open_spare();
        bool watched = wake_ >= 0 && epoll_ >= 0 && watch(epoll_, wake_);
        for (const int listener : listeners_) watched = watched && watch(epoll_, listener);
        if (!watched)
            throw SessionHostError(std::string("cannot wait for connections: ") + std::strerror(errno));
    } catch (const SessionHostError&) {
        close_all();
        throw;
    }
}

Acceptor::~Acceptor() {
    stop();
    close_all();
}

void Acceptor::close_all() {
    for (const int listener : listeners_) ::close(listener);
    for (const int descriptor : {wake_, epoll_, spare_})
        if (descriptor >= 0) ::close(descriptor);
}

std::uint16_t Acceptor::port(std::size_t place) const {
    sockaddr_in bound{};
    socklen_t size = sizeof bound;
    ::getsockname(listeners_.at(place), reinterpret_cast<sockaddr*>(&bound), &size);
    return ntohs(bound.sin_port);
}

void Acceptor::start() {
    thread_ = std::thread([this] { run(); });
}

void Acceptor::stop() {
    if (!thread_.joinable()) return;
    const std::uint64_t one = 1;
    if (::write(wake_, &one, sizeof one) < 0) return;
    thread_.join();
}

int Acceptor::timeout_ms() const {
    Clock::time_point next = Clock::time_point::max();
    if (!guests_.empty()) next = guests_.front().leaves;
    if (paused_) next = std::min(next, pause_ends_);
    if (next == Clock::time_point::max()) return -1;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(next - Clock::now());
    return static_cast<int>(std::max<long>(left.count() + 1, 0));
}

void Acceptor::run() {
    epoll_event events[kAcceptedAtOnce];
    while (true) {
        const int count = ::epoll_wait(epoll_, events, kAcceptedAtOnce, timeout_ms());
        if (count < 0 && errno != EINTR) return;
        for (int i = 0; i < count; ++i) {
            const int descriptor = events[i].data.fd;
            if (descriptor == wake_) {
                while (!guests_.empty()) close(guests_.begin(), "");
                return;
            }
            const auto guest = by_socket_.find(descriptor);
            if (guest != by_socket_.end())
                read(guest->second);
            else if (std::find(listeners_.begin(), listeners_.end(), descriptor) != listeners_.end())
                accept_all(descriptor);
        }
        const Clock::time_point now = Clock::now();
        while (!guests_.empty() && guests_.front().leaves <= now)
            close(guests_.begin(), "no Logon came in time");
        if (paused_ && pause_ends_ <= now) listen_again(true);
    }
}

void Acceptor::accept_all(int listener) {
    for (int i = 0; i < kAcceptedAtOnce; ++i) {
        const int socket = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (socket < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
                out_of_descriptors();
            return;
        }
        if (guests_.size() >= bounds_.sockets_before_logon) crowd_out();
        prepare_socket(socket, bounds_.stalled_peer);
        guests_.push_back({socket, peer_of(socket), Clock::now() + bounds_.logon_timeout,
                           Framer(bounds_.bytes_before_logon)});
        by_socket_[socket] = std::prev(guests_.end());
        if (!watch(epoll_, socket)) close(std::prev(guests_.end()), "it cannot be waited for");
    }
}

// Said once a second, however many come.
void Acceptor::crowd_out() {
    const bool quiet = Clock::now() < crowded_until_;
    if (!quiet) crowded_until_ = Clock::now() + std::chrono::seconds(1);
    close(guests_.begin(), quiet ? "" : "too many connections without a Logon: the oldest goes");
}

// A connection that cannot be accepted keeps the listener readable: without a pause the thread would spin.
// The oldest stranger's descriptor is given up first, then the spare one, so that somebody is told rather
// than left to wait.
void Acceptor::out_of_descriptors() {
    if (!guests_.empty()) {
        close(guests_.begin(), "no descriptors are left: the oldest connection without a Logon goes");
        return;
    }
    if (Clock::now() >= crowded_until_) notice_("no descriptors are left: connections are refused");
    crowded_until_ = Clock::now() + std::chrono::seconds(1);
    if (spare_ >= 0) {
        ::close(spare_);
        for (const int listener : listeners_) {
            const int socket = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
            if (socket >= 0) ::close(socket);
        }
        spare_ = open_spare();
    }
    listen_again(false);
}

void Acceptor::listen_again(bool on) {
    for (const int listener : listeners_) {
        epoll_event event{};
        event.events = on ? static_cast<std::uint32_t>(EPOLLIN) : 0U;
        event.data.fd = listener;
        ::epoll_ctl(epoll_, EPOLL_CTL_MOD, listener, &event);
    }
    paused_ = !on;
    pause_ends_ = Clock::now() + kPause;
}

void Acceptor::read(Guests::iterator guest) {
    char bytes[1024];
    while (true) {
        const ssize_t got = ::recv(guest->socket, bytes, sizeof bytes, 0);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (got <= 0) return close(guest, "");
        guest->framer.append(bytes, static_cast<std::size_t>(got));
        const std::size_t seen = guest->framer.held();
        if (!guest->framer.begins_with(kFirstBytes))
            return close(guest, "its first bytes are no FIX message");
        Newcomer newcomer;
        if (guest->framer.next(newcomer.logon)) {
            newcomer.socket = guest->socket;
            newcomer.bytes = newcomer.logon + guest->framer.take_rest();
            newcomer.peer = guest->peer;
            ::epoll_ctl(epoll_, EPOLL_CTL_DEL, guest->socket, nullptr);
            const std::string why = take_(newcomer);
            if (!why.empty()) return close(guest, why);
            by_socket_.erase(guest->socket);
            guests_.erase(guest);
            return;
        }
        if (guest->framer.skipped() > 0) return close(guest, "its first message is garbled");
        if (seen > bounds_.bytes_before_logon) return close(guest, "too many bytes without a Logon");
    }
}

void Acceptor::close(Guests::iterator guest, const std::string& why) {
    if (!why.empty()) notice_("connection from " + guest->peer + " closed: " + why);
    by_socket_.erase(guest->socket);
    ::close(guest->socket);
    guests_.erase(guest);
}

}  // namespace exchange
}  // namespace fixaccel
