// SPDX-License-Identifier: Apache-2.0
// The board's socket, both ends. What a client sends: each request is answered in its form, or the connection
// is closed. What a board answers: words, or a BoardError.
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <map>
#include <utility>

#include "board_socket.hpp"
#include "fixaccel/board_protocol.hpp"
#include "register_server.hpp"
#include "scratch_folder.hpp"
#include "sums.hpp"

using namespace fixaccel;
namespace protocol = fixaccel::board_protocol;

namespace {

// Words as they were written; errors where asked for by the address.
class Words final : public Board {
  public:
    using Board::read;
    using Board::write;
    void read(std::uint32_t addr, std::span<std::uint32_t> words) override {
        check(addr, words.size());
        for (std::uint32_t& word : words) word = memory_[std::exchange(addr, addr + 4)];
    }
    void write(std::uint32_t addr, std::span<const std::uint32_t> words) override {
        check(addr, words.size());
        for (const std::uint32_t word : words) memory_[std::exchange(addr, addr + 4)] = word;
    }

  private:
    static void check(std::uint32_t addr, std::size_t count) {
        fuzz::require(addr % 4 == 0 && addr + std::uint64_t{4} * count <= protocol::kAddressSpace,
                      "no access is outside the board");
        if (addr == 64) throw BoardRefused("refused");
        if (addr == 128) throw BoardError("does not answer");
    }
    std::map<std::uint32_t, std::uint32_t> memory_;
};

int connected(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    fuzz::require(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0,
                  "it listens");
    return fd;
}

// What has come so far.
std::string received(int fd) {
    std::string bytes;
    std::array<char, 65536> chunk;
    for (ssize_t n = 0; (n = ::recv(fd, chunk.data(), chunk.size(), MSG_DONTWAIT)) > 0;)
        bytes.append(chunk.data(), static_cast<std::size_t>(n));
    return bytes;
}

// Answers one behind the other, each in its form, and nothing behind them.
void check_answers(std::string_view bytes, std::size_t requests) {
    std::size_t answers = 0;
    for (; !bytes.empty(); ++answers) {
        protocol::ResponseHeader header{};
        fuzz::require(bytes.size() >= sizeof header, "an answer is whole");
        std::memcpy(&header, bytes.data(), sizeof header);
        fuzz::require(header.status <= 5 && header.count <= protocol::kMaxWords,
                      "an answer is of the protocol");
        fuzz::require(header.status == 0 || header.count == 0, "words come with success only");
        const std::size_t size = sizeof header + header.count * protocol::kWordBytes;
        fuzz::require(bytes.size() >= size, "an answer has its words");
        bytes.remove_prefix(size);
    }
    fuzz::require(answers <= requests, "what was not asked for is not answered");
}

void serve(std::string_view bytes) {
    const ScratchFolder folder;
    const std::string path = (folder.path() / "s").string();
    const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
    {
        fixaccel::board::RegisterServer server(path, epoll);
        Words words;
        const int client = connected(path);
        std::string answers;
        const auto turn = [&] {
            epoll_event event{};
            while (::epoll_wait(epoll, &event, 1, 0) > 0) server.on_readable(event.data.fd);
            while (server.serve(words, 64)) answers += received(client);
            answers += received(client);
        };
        // In pieces, the first byte says how long.
        const std::size_t piece = bytes.empty() ? 1 : static_cast<unsigned char>(bytes[0]) + 1U;
        for (std::size_t at = 1; at < bytes.size(); at += piece) {
            const std::string_view some = bytes.substr(at, piece);
            if (::send(client, some.data(), some.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) break;
            turn();
        }
        check_answers(answers, bytes.size() / sizeof(protocol::RequestHeader));
        // Somebody else is served all the same.
        const int other = connected(path);
        const protocol::RequestHeader ask{static_cast<std::uint32_t>(protocol::Op::read), 0, 1};
        fuzz::require(::send(other, &ask, sizeof ask, MSG_NOSIGNAL) == sizeof ask, "another can ask");
        turn();
        fuzz::require(received(other).size() == sizeof(protocol::ResponseHeader) + 4, "and is answered");
        ::close(other);
        ::close(client);
    }
    ::close(epoll);
}

void ask(std::string_view bytes) {
    const ScratchFolder folder;
    const std::string path = (folder.path() / "s").string();
    const UnixListener listener(path, 1);
    SocketBoard board(path, std::chrono::milliseconds(1000));
    const int peer = ::accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC);
    fuzz::require(peer >= 0, "the client has connected");
    if (!bytes.empty()) ::send(peer, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    ::shutdown(peer, SHUT_WR);
    try {
        std::array<std::uint32_t, 4> words{};
        for (int i = 0; i < 8; ++i) {
            board.read(0, words);
            board.write(16, words);
        }
    } catch (const BoardError&) {
    }
    ::close(peer);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view bytes = fuzz::text_of(data, size);
    if (bytes.empty()) return 0;
    const bool server = bytes[0] == 's';
    bytes.remove_prefix(1);
    server ? serve(bytes) : ask(bytes);
    return 0;
}
