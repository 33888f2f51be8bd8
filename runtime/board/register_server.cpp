// SPDX-License-Identifier: Apache-2.0
#include "register_server.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <span>

namespace fixaccel::board {
namespace protocol = board_protocol;
namespace {

constexpr std::size_t kTurnWords = 16;  // of one client before the next has its turn
constexpr int kBacklog = 8;

void append(std::vector<std::byte>& to, std::span<const std::byte> bytes) {
    to.insert(to.end(), bytes.begin(), bytes.end());
}

void watch(int epoll, int fd) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    ::epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

}  // namespace

RegisterServer::RegisterServer(const std::string& path, int epoll)
    : epoll_(epoll), listener_(path, kBacklog) {
    watch(epoll_, listener_.fd());
}

RegisterServer::~RegisterServer() {
    for (const auto& [fd, client] : clients_) ::close(fd);
}

void RegisterServer::accept_clients() {
    while (true) {
        const int fd = ::accept4(listener_.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) return;
        clients_.emplace(fd, Client{});
        watch(epoll_, fd);
    }
}

void RegisterServer::on_readable(int fd) {
    if (fd == listener_.fd()) {
        accept_clients();
        return;
    }
    std::array<std::byte, 65536> buffer;
    const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
        drop(fd);
        return;
    }
    append(clients_.at(fd).in, std::span(buffer).first(static_cast<std::size_t>(got)));
}

void RegisterServer::drop(int fd) {
    clients_.erase(fd);
    ::close(fd);
}

// Takes the request at the head of the client's input, once it is there as a whole. False if there is none.
bool RegisterServer::next_request(Client& client) {
    protocol::RequestHeader header{};
    if (client.closing || client.in.size() < sizeof(header)) return false;
    std::memcpy(&header, client.in.data(), sizeof(header));
    const protocol::Status status = protocol::check(header);
    if (status == protocol::Status::bad_op || status == protocol::Status::bad_count) {
        answer(client, status);
        client.closing = true;
        return true;
    }
    const bool writes = header.op == static_cast<std::uint32_t>(protocol::Op::write);
    const std::size_t size = sizeof(header) + (writes ? header.count * protocol::kWordBytes : 0);
    if (client.in.size() < size) return false;
    if (status == protocol::Status::ok) {
        client.request = header;
        client.words.assign(header.count, 0);
        if (writes)
            std::memcpy(client.words.data(), client.in.data() + sizeof(header), size - sizeof(header));
        client.done = 0;
        client.active = true;
    } else {
        answer(client, status);
    }
    client.in.erase(client.in.begin(), client.in.begin() + static_cast<std::ptrdiff_t>(size));
    return true;
}

void RegisterServer::answer(Client& client, protocol::Status status) {
    const bool read =
        status == protocol::Status::ok && client.request.op == static_cast<std::uint32_t>(protocol::Op::read);
    const protocol::ResponseHeader header{static_cast<std::uint32_t>(status),
                                          static_cast<std::uint32_t>(read ? client.words.size() : 0)};
    append(client.out, std::as_bytes(std::span(&header, 1)));
    if (read) append(client.out, std::as_bytes(std::span(client.words)));
}

void RegisterServer::advance(Client& client, Board& board, std::size_t count) {
    const std::span<std::uint32_t> words = std::span(client.words).subspan(client.done, count);
    const auto addr = static_cast<std::uint32_t>(client.request.addr + client.done * protocol::kWordBytes);
    try {
        if (client.request.op == static_cast<std::uint32_t>(protocol::Op::read))
            board.read(addr, words);
        else
            board.write(addr, words);
    } catch (const BoardRefused&) {
        answer(client, protocol::Status::refused);
        client.active = false;
        return;
    } catch (const BoardError& error) {
        std::cerr << "fixaccel-vboard: " << error.what() << '\n';
        answer(client, protocol::Status::bus_error);
        client.active = false;
        return;
    }
    client.done += count;
    if (client.done < client.words.size()) return;
    answer(client, protocol::Status::ok);
    client.active = false;
}

bool RegisterServer::flush(int fd, Client& client) {
    while (!client.out.empty()) {
        const ssize_t sent = ::send(fd, client.out.data(), client.out.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return errno == EAGAIN;
        client.out.erase(client.out.begin(), client.out.begin() + sent);
    }
    return !client.closing;
}

bool RegisterServer::serve(Board& board, unsigned words) {
    std::size_t left = words;
    bool more = true;
    while (more && left > 0) {
        more = false;
        for (auto at = clients_.begin(); at != clients_.end() && left > 0;) {
            auto& [fd, client] = *at++;
            // A client that does not fetch its answers gets no further ones.
            while (client.out.empty() && !client.active && next_request(client)) more = true;
            if (client.active) {
                const std::size_t count = std::min({kTurnWords, left, client.words.size() - client.done});
                advance(client, board, count);
                left -= count;
                more = true;
            }
            if (!flush(fd, client)) drop(fd);
        }
    }
    return more;
}

}  // namespace fixaccel::board
