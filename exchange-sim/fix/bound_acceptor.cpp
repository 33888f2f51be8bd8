// SPDX-License-Identifier: Apache-2.0
#include "fix/bound_acceptor.hpp"

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

#include "fix/session_host.hpp"

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
                             FIX::SessionSettings& settings, FIX::LogFactory& logs, const std::string& host,
                             std::uint16_t port)
    : FIX::Acceptor(application, stores, settings, logs), sessions_(settings.getSessions()) {
    listener_ = listen_on(host, port);
    wake_ = ::eventfd(0, EFD_CLOEXEC);
    sockaddr_in bound{};
    socklen_t size = sizeof bound;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&bound), &size);
    port_ = ntohs(bound.sin_port);
}

BoundAcceptor::~BoundAcceptor() {
    ::close(listener_);
    ::close(wake_);
}

void BoundAcceptor::onStart() {
    pollfd wanted[2] = {{listener_, POLLIN, 0}, {wake_, POLLIN, 0}};
    while (!isStopped()) {
        if (::poll(wanted, 2, -1) < 0 && errno != EINTR) return;
        if (wanted[1].revents != 0) return;
        if (wanted[0].revents != 0) accept_one();
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

void BoundAcceptor::accept_one() {
    const int accepted = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
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
