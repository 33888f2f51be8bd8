// SPDX-License-Identifier: Apache-2.0
#include "packet_socket.hpp"

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

namespace fixaccel::board {
namespace {

constexpr std::size_t kBuffer = 65536;    // longer than any frame, offloaded ones included
constexpr int kSocketBuffer = 4U << 20U;  // bytes; the simulation is slower than the interface

[[noreturn]] void fail(const std::string& interface, const std::string& what) {
    throw PacketError("interface " + interface + ": " + what + ": " + std::strerror(errno));
}

void set(int fd, int level, int option, const auto& value, const std::string& interface, const char* what) {
    if (::setsockopt(fd, level, option, &value, sizeof(value)) != 0) fail(interface, what);
}

}  // namespace

PacketSocket::PacketSocket(const std::string& interface) : interface_(interface), buffer_(kBuffer) {
    const unsigned index = ::if_nametoindex(interface.c_str());
    if (index == 0) throw PacketError("interface " + interface + " does not exist in this network namespace");
    // Protocol 0 at first: nothing of other interfaces arrives before the socket is bound.
    fd_ = ::socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd_ < 0 && errno == EPERM)
        throw PacketError("interface " + interface +
                          ": no permission for packet sockets; run as root or inside `unshare -Urn`");
    if (fd_ < 0) fail(interface, "no packet socket");
    const int one = 1;
    set(fd_, SOL_PACKET, PACKET_IGNORE_OUTGOING, one, interface, "PACKET_IGNORE_OUTGOING");
    set(fd_, SOL_PACKET, PACKET_AUXDATA, one, interface, "PACKET_AUXDATA");
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &kSocketBuffer, sizeof(kSocketBuffer));
    ::setsockopt(fd_, SOL_SOCKET, SO_SNDBUF, &kSocketBuffer, sizeof(kSocketBuffer));
    packet_mreq promiscuous{};
    promiscuous.mr_ifindex = static_cast<int>(index);
    promiscuous.mr_type = PACKET_MR_PROMISC;
    set(fd_, SOL_PACKET, PACKET_ADD_MEMBERSHIP, promiscuous, interface, "promiscuous mode");
    sockaddr_ll address{};
    address.sll_family = AF_PACKET;
    address.sll_protocol = htons(ETH_P_ALL);
    address.sll_ifindex = static_cast<int>(index);
    if (::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
        fail(interface, "bind");
}

PacketSocket::~PacketSocket() {
    if (fd_ >= 0) ::close(fd_);
}

std::optional<Frame> PacketSocket::receive() {
    while (true) {
        sockaddr_ll from{};
        iovec data{.iov_base = buffer_.data(), .iov_len = buffer_.size()};
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(tpacket_auxdata))];
        msghdr message{};
        message.msg_name = &from;
        message.msg_namelen = sizeof(from);
        message.msg_iov = &data;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof(control);
        const ssize_t length = ::recvmsg(fd_, &message, 0);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0 && (errno == EAGAIN || errno == ENETDOWN)) return {};
        if (length < 0) fail(interface_, "receive");
        if (from.sll_pkttype == PACKET_OUTGOING) continue;
        tpacket_auxdata auxiliary{};
        for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c))
            if (c->cmsg_level == SOL_PACKET && c->cmsg_type == PACKET_AUXDATA)
                std::memcpy(&auxiliary, CMSG_DATA(c), sizeof(auxiliary));
        if ((auxiliary.tp_status & TP_STATUS_CSUMNOTREADY) != 0 && refuse("has no checksum yet")) continue;
        if (static_cast<std::size_t>(length) > kMaxFrame && refuse("is longer than a wire carries")) continue;
        ++received_;
        return Frame(buffer_.begin(), buffer_.begin() + length);
    }
}

bool PacketSocket::refuse(const char* why) {
    ++lost_;
    if (!told_)
        std::cerr << "fixaccel-vboard: interface " << interface_ << ": a frame " << why
                  << "; switch offloads off at the other end: ethtool -K IFACE tx off tso off gso off\n";
    told_ = true;
    return true;
}

void PacketSocket::send(FrameView frame) {
    ssize_t sent = -1;
    do {
        sent = ::send(fd_, frame.data(), frame.size(), 0);
    } while (sent < 0 && errno == EINTR);
    ++(sent < 0 ? lost_ : sent_);
}

}  // namespace fixaccel::board
