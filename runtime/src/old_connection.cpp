// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/old_connection.hpp"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
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

Request request_for(const Flow& flow, std::uint16_t type, std::uint16_t flags) {
    Request request{};
    request.header.nlmsg_len = sizeof request;
    request.header.nlmsg_type = type;
    request.header.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | flags);
    request.which.sdiag_family = AF_INET;
    request.which.sdiag_protocol = IPPROTO_TCP;
    request.which.id.idiag_sport = htons(flow.local_port);
    request.which.id.idiag_dport = htons(flow.remote_port);
    request.which.id.idiag_src[0] = htonl(flow.local_ip);
    request.which.id.idiag_dst[0] = htonl(flow.remote_ip);
    request.which.id.idiag_cookie[0] = request.which.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    return request;
}

// What the kernel answers: an error, 0 for none, or the socket that was asked for.
struct Answer {
    int error = 0;
    std::optional<inet_diag_msg> socket{};
};

// Nothing: there was no answer.
std::optional<Answer> asked(int fd, const Request& request) {
    if (::send(fd, &request, sizeof request, 0) != static_cast<ssize_t>(sizeof request)) return std::nullopt;
    pollfd answer{fd, POLLIN, 0};
    if (::poll(&answer, 1, kAnswerMs) <= 0) return std::nullopt;
    std::array<char, 4096> bytes{};
    const ssize_t size = ::recv(fd, bytes.data(), bytes.size(), 0);
    if (size < static_cast<ssize_t>(NLMSG_HDRLEN + sizeof(nlmsgerr::error))) return std::nullopt;
    nlmsghdr header{};
    std::memcpy(&header, bytes.data(), sizeof header);
    Answer found;
    if (header.nlmsg_type == NLMSG_ERROR) {
        std::memcpy(&found.error, bytes.data() + NLMSG_HDRLEN, sizeof found.error);
        found.error = -found.error;
        return found;
    }
    if (header.nlmsg_type != SOCK_DIAG_BY_FAMILY ||
        size < static_cast<ssize_t>(NLMSG_HDRLEN + sizeof(inet_diag_msg)))
        return std::nullopt;
    std::memcpy(&found.socket.emplace(), bytes.data() + NLMSG_HDRLEN, sizeof(inet_diag_msg));
    return found;
}

// Where there is no connection the kernel takes a listener on the local port in its place: that is somebody
// else's, and so is a socket that has come since, which has another cookie.
OldConnection end(int fd, const Flow& flow) {
    const std::optional<Answer> found = asked(fd, request_for(flow, SOCK_DIAG_BY_FAMILY, 0));
    if (!found) return OldConnection::kept;
    if (found->error == ENOENT) return OldConnection::none;
    if (!found->socket) return OldConnection::kept;
    if (found->socket->idiag_state == TCP_LISTEN || found->socket->id.idiag_dport != htons(flow.remote_port))
        return OldConnection::none;
    Request request = request_for(flow, SOCK_DESTROY, NLM_F_ACK);
    std::copy_n(found->socket->id.idiag_cookie, 2, request.which.id.idiag_cookie);
    const std::optional<Answer> ended = asked(fd, request);
    if (!ended) return OldConnection::kept;
    if (ended->error == 0) return OldConnection::ended;
    return ended->error == ENOENT || ended->error == ESTALE ? OldConnection::none : OldConnection::kept;
}

}  // namespace

OldConnection end_old_connection(const Flow& flow) {
    const int fd = ::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (fd < 0) return OldConnection::kept;
    const OldConnection what = end(fd, flow);
    ::close(fd);
    return what;
}

}  // namespace fixaccel
