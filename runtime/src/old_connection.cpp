// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/old_connection.hpp"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

namespace fixaccel {
namespace {

constexpr int kAnswerMs = 200;  // the kernel answers within the call

struct Request {
    nlmsghdr header;
    inet_diag_req_v2 which;
};

Request request_for(const Flow& flow) {
    Request request{};
    request.header.nlmsg_len = sizeof request;
    request.header.nlmsg_type = SOCK_DESTROY;
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
    request.which.sdiag_family = AF_INET;
    request.which.sdiag_protocol = IPPROTO_TCP;
    request.which.idiag_states = ~0U;
    request.which.id.idiag_sport = htons(flow.local_port);
    request.which.id.idiag_dport = htons(flow.remote_port);
    request.which.id.idiag_src[0] = htonl(flow.local_ip);
    request.which.id.idiag_dst[0] = htonl(flow.remote_ip);
    request.which.id.idiag_cookie[0] = request.which.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    return request;
}

// The error of the kernel's answer, 0 for none; no value: there was no answer.
std::optional<int> error_of_answer(int fd) {
    pollfd answer{fd, POLLIN, 0};
    if (::poll(&answer, 1, kAnswerMs) <= 0) return std::nullopt;
    std::array<char, 4096> bytes{};
    const ssize_t size = ::recv(fd, bytes.data(), bytes.size(), 0);
    constexpr std::size_t kLeast = NLMSG_HDRLEN + sizeof(nlmsgerr::error);
    if (size < static_cast<ssize_t>(kLeast)) return std::nullopt;
    nlmsghdr header{};
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.nlmsg_type != NLMSG_ERROR) return std::nullopt;
    int error = 0;
    std::memcpy(&error, bytes.data() + NLMSG_HDRLEN, sizeof error);
    return -error;
}

}  // namespace

OldConnection end_old_connection(const Flow& flow) {
    const int fd = ::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (fd < 0) return OldConnection::kept;
    const Request request = request_for(flow);
    const bool asked = ::send(fd, &request, sizeof request, 0) == static_cast<ssize_t>(sizeof request);
    const std::optional<int> error = asked ? error_of_answer(fd) : std::nullopt;
    ::close(fd);
    if (!error) return OldConnection::kept;
    if (*error == 0) return OldConnection::ended;
    return *error == ENOENT ? OldConnection::none : OldConnection::kept;
}

}  // namespace fixaccel
