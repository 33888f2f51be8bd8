// SPDX-License-Identifier: Apache-2.0
// FIX on a socket with as little work as there can be: what a load is made of, so that the venue is measured
// and not its client.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fixaccel/digits.hpp"

namespace fixaccel::exchange {

inline std::int64_t clock_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

inline std::string utc_text() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y%m%d-%H:%M:%S.000", &utc)};
}

// A whole message; `body` begins with 35= and ends with the separator.
inline std::string framed(const std::string& body) {
    std::string out =
        "8=FIX.4.4\x01"
        "9=" +
        std::to_string(body.size()) + "\x01" + body;
    append_trailer(out);
    return out;
}

inline std::string header(const char* type, std::uint64_t number, const std::string& client,
                          const std::string& venue, const std::string& time) {
    return std::string("35=") + type +
           "\x01"
           "34=" +
           std::to_string(number) +
           "\x01"
           "49=" +
           client +
           "\x01"
           "52=" +
           time +
           "\x01"
           "56=" +
           venue + "\x01";
}

// One connection, not blocking.
class Wire {
  public:
    Wire(std::uint16_t port, std::string client, std::string venue)
        : client_(std::move(client)), venue_(std::move(venue)) {
        socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
            throw std::runtime_error("cannot connect");
        const int on = 1;
        ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        ::fcntl(socket_, F_SETFL, O_NONBLOCK);
    }
    ~Wire() {
        if (socket_ >= 0) ::close(socket_);
    }
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

    int socket() const { return socket_; }
    const std::string& client() const { return client_; }
    const std::string& venue() const { return venue_; }
    std::uint64_t next_number() { return number_++; }

    void log_on() {
        send(framed(header("A", next_number(), client_, venue_, utc_text()) + "98=0\x01"
                                                                              "108=60\x01"
                                                                              "141=Y\x01"));
    }
    void log_out() { send(framed(header("5", next_number(), client_, venue_, utc_text()))); }

    void send(std::string_view bytes) {
        out_.append(bytes);
        flush();
    }
    void flush() {
        while (!out_.empty()) {
            const ssize_t count = ::send(socket_, out_.data(), out_.size(), MSG_NOSIGNAL);
            if (count <= 0) return;
            out_.erase(0, static_cast<std::size_t>(count));
        }
    }
    bool wants_out() const { return !out_.empty(); }

    // Hands each whole message that has come to `take`, from its MsgType on. False: the venue has gone.
    template <typename Take>
    bool read(Take&& take) {
        for (;;) {
            char chunk[1 << 16];
            const ssize_t count = ::recv(socket_, chunk, sizeof chunk, 0);
            if (count == 0) return false;
            if (count < 0) break;
            in_.append(chunk, static_cast<std::size_t>(count));
        }
        std::size_t at = 0;
        for (;;) {
            const std::string_view left = std::string_view(in_).substr(at);
            const std::size_t length_at = 12;  // behind 8=FIX.4.4|9=
            if (left.size() < length_at + 2) break;
            const std::size_t end = left.find('\x01', length_at);
            if (end == std::string_view::npos) break;
            std::size_t length = 0;
            for (std::size_t digit = length_at; digit < end; ++digit)
                length = length * 10 + static_cast<std::size_t>(left[digit] - '0');
            const std::size_t whole = end + 1 + length + 7;
            if (left.size() < whole) break;
            const std::string_view message = left.substr(end + 1, length);
            if (message.starts_with("35=1\x01")) answer(message);
            take(message);
            at += whole;
        }
        in_.erase(0, at);
        return true;
    }

  private:
    void answer(std::string_view message) {
        const std::size_t at = message.find(
            "\x01"
            "112=");
        const std::string id(message.substr(at + 5, message.find('\x01', at + 5) - at - 5));
        send(framed(header("0", next_number(), client_, venue_, utc_text()) + "112=" + id + "\x01"));
    }

    const std::string client_;
    const std::string venue_;
    int socket_ = -1;
    std::uint64_t number_ = 1;
    std::string out_;
    std::string in_;
};

// The text of a field in a message that read() gave; `tag` with its separators, such as "\x01" "11=".
inline std::string_view field(std::string_view message, std::string_view tag) {
    const std::size_t at = message.find(tag);
    if (at == std::string_view::npos) return {};
    const std::size_t start = at + tag.size();
    return message.substr(start, message.find('\x01', start) - start);
}

}  // namespace fixaccel::exchange
