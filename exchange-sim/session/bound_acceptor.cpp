// SPDX-License-Identifier: Apache-2.0
#include "session/bound_acceptor.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <quickfix/Session.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "session/session_host.hpp"

namespace fixaccel {
namespace exchange {
namespace {

// QuickFIX waits with select(), which ends at FD_SETSIZE.
constexpr int kFirstDescriptor = 64;
constexpr int kLastDescriptor = FD_SETSIZE - 64;
// A client that takes nothing for so long is cut off: sends to it block the venue.
constexpr unsigned kStalledPeerMs = 30000;

int listen_on(const std::string& host, std::uint16_t port) {
    const std::string place = host + ":" + std::to_string(port);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    if (inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) {
        throw SessionHostError("'" + host + "' is not an IPv4 address to listen on");
    }
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
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

}  // namespace

BoundAcceptor::BoundAcceptor(FIX::Application& application, FIX::MessageStoreFactory& stores,
                             FIX::SessionSettings& settings, FIX::LogFactory& logs,
                             const std::vector<Place>& places)
    : FIX::Acceptor(application, stores, settings, logs), sessions_(settings.getSessions()) {
    try {
        for (const Place& place : places) listeners_.push_back(listen_on(place.host, place.port));
    } catch (const SessionHostError&) {
        close_all();
        throw;
    }
    wake_ = ::eventfd(0, EFD_CLOEXEC);
}

BoundAcceptor::~BoundAcceptor() {
    close_all();
    ::close(wake_);
}

void BoundAcceptor::close_all() {
    for (const int listener : listeners_) ::close(listener);
}

std::uint16_t BoundAcceptor::port(std::size_t place) const {
    sockaddr_in bound{};
    socklen_t size = sizeof bound;
    ::getsockname(listeners_.at(place), reinterpret_cast<sockaddr*>(&bound), &size);
    return ntohs(bound.sin_port);
}

void BoundAcceptor::onStart() {
    std::vector<pollfd> wanted{{wake_, POLLIN, 0}};
    for (const int listener : listeners_) wanted.push_back({listener, POLLIN, 0});
    while (!isStopped()) {
        if (::poll(wanted.data(), wanted.size(), -1) < 0 && errno != EINTR) return;
        if (wanted[0].revents != 0) return;
        for (std::size_t i = 1; i < wanted.size(); ++i)
            if (wanted[i].revents != 0) accept_one(wanted[i].fd);
    }
}

// QuickFIX closes a connection's socket and looks at it once more afterwards. A number that comes round only
// after many connections cannot be a newer client's by then.
int BoundAcceptor::unused_descriptor(int socket) {
    const int lowest = kFirstDescriptor + next_descriptor_;
    next_descriptor_ = (next_descriptor_ + 1) % (kLastDescriptor - kFirstDescriptor);
    const int moved = ::fcntl(socket, F_DUPFD_CLOEXEC, lowest);
    if (moved < 0) return socket;
    ::close(socket);
    return moved;
}

void BoundAcceptor::accept_one(int listener) {
    const int accepted = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (accepted < 0) return;
    const int socket = unused_descriptor(accepted);
    const int on = 1;
    const unsigned stalled = kStalledPeerMs;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &stalled, sizeof stalled);
    reap(false);
    std::lock_guard<std::mutex> lock(mutex_);
    if (isStopped() || socket >= kLastDescriptor) {
        ::close(socket);
        return;
    }
    connections_.emplace_back();
    Connection& connection = connections_.back();
    connection.socket = socket;
    connection.thread = std::thread([this, &connection] { serve(connection); });
}

void BoundAcceptor::serve(Connection& connection) {
    {
        FIX::ThreadedSocketConnection wire(connection.socket, sessions_, getLog());
        try {
            while (wire.read()) {
            }
        } catch (const std::exception& error) {
            // One client's broken connection must not take the venue down.
            getLog()->onEvent(std::string("connection dropped: ") + error.what());
            if (wire.getSession() != nullptr) wire.getSession()->disconnect();
        }
    }
    connection.finished = true;
}

void BoundAcceptor::reap(bool all) {
    std::list<Connection> done;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        for (auto next = connections_.begin(); next != connections_.end();) {
            const auto current = next++;
            if (all || current->finished) done.splice(done.end(), connections_, current);
        }
    }
    for (Connection& connection : done) connection.thread.join();
}

void BoundAcceptor::onStop() {
    const std::uint64_t one = 1;
    if (::write(wake_, &one, sizeof one) < 0) return;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        for (Connection& connection : connections_) {
            if (!connection.finished) ::shutdown(connection.socket, SHUT_RDWR);
        }
    }
    reap(true);
}

}  // namespace exchange
}  // namespace fixaccel
