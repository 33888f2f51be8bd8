// SPDX-License-Identifier: Apache-2.0
#include "tests/raw_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <stdexcept>
#include <utility>

#include "session/raw_message.hpp"

namespace fixaccel::exchange {

using Clock = std::chrono::steady_clock;

std::string utc_text(int seconds) {
    const std::time_t time = std::time(nullptr) + seconds;
    std::tm utc{};
    gmtime_r(&time, &utc);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y%m%d-%H:%M:%S", &utc)};
}

std::string framed(const std::string& fields, const std::string& begin_string) {
    std::string body = fields;
    std::replace(body.begin(), body.end(), '|', kSoh);
    if (body.back() != kSoh) body += kSoh;
    const std::string bytes = "8=" + begin_string + kSoh + "9=" + std::to_string(body.size()) + kSoh + body;
    return bytes + "10=" + check_sum(bytes.data(), bytes.size()) + kSoh;
}

std::string shown(const std::string& bytes) {
    std::string text = bytes;
    std::replace(text.begin(), text.end(), kSoh, '|');
    return text;
}

RawClient::RawClient(std::uint16_t port, const std::string& client, const std::string& venue)
    : client_(client), venue_(venue), socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (socket_ < 0 || ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        throw std::runtime_error("cannot connect to port " + std::to_string(port));
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

RawClient::~RawClient() {
    if (socket_ >= 0) ::close(socket_);
}

RawClient::RawClient(RawClient&& other) noexcept
    : next_number(other.next_number),
      client_(other.client_),
      venue_(other.venue_),
      socket_(std::exchange(other.socket_, -1)),
      framer_(std::move(other.framer_)) {}

void RawClient::send(const std::string& type, const std::string& fields) {
    send_as(std::to_string(next_number++), type, fields);
}

void RawClient::send_as(const std::string& number, const std::string& type, const std::string& fields) {
    const auto has = [&](const std::string& name) {
        return ("|" + fields).find("|" + name + "=") != std::string::npos;
    };
    std::string text = "35=" + type + "|34=" + number + "|";
    if (!has("49")) text += "49=" + client_ + "|";
    if (!has("52")) text += "52=" + utc_text() + "|";
    if (!has("56")) text += "56=" + venue_ + "|";
    send_bytes(framed(text + fields));
}

bool RawClient::send_bytes(const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t sent = ::send(socket_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
        if (sent < 0) return false;
        at += static_cast<std::size_t>(sent);
    }
    return true;
}

void RawClient::log_on(const std::string& fields) { send("A", fields); }

bool RawClient::receive(Clock::time_point deadline) {
    std::array<char, 65536> chunk;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd wanted{socket_, POLLIN, 0};
    if (closed_ || ::poll(&wanted, 1, static_cast<int>(std::max<long>(left.count(), 0))) <= 0) return false;
    const ssize_t got = ::recv(socket_, chunk.data(), chunk.size(), 0);
    if (got <= 0) {
        closed_ = true;
        was_reset_ = got < 0 && errno == ECONNRESET;
        return false;
    }
    received += static_cast<std::size_t>(got);
    framer_.append(chunk.data(), static_cast<std::size_t>(got));
    return true;
}

std::optional<IncomingMessage> RawClient::next(std::chrono::milliseconds patience) {
    const auto deadline = Clock::now() + patience;
    while (!framer_.next(bytes_))
        if (!receive(deadline)) return std::nullopt;
    return split_message(bytes_, client_);
}

std::optional<IncomingMessage> RawClient::next(const std::string& type) {
    while (auto message = next())
        if (message->text(tag::kMsgType) == type) return message;
    return std::nullopt;
}

bool RawClient::closed(std::chrono::milliseconds patience) {
    const auto deadline = Clock::now() + patience;
    while (receive(deadline)) {
    }
    return closed_;
}

void RawClient::shrink_window() {
    const int small = 32768;
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
}

}  // namespace fixaccel::exchange
