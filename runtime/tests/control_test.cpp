// SPDX-License-Identifier: Apache-2.0
#include "control.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "scratch_folder.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

class ControlTest : public ::testing::Test {
  protected:
    ControlTest()
        : endpoint_("unix:" + (folder_.path() / "s").string()),
          server_(endpoint_, [](const json& request) -> json {
              if (request["cmd"] == "fail") throw std::runtime_error("no");
              return {{"ok", true}, {"cmd", request["cmd"]}};
          }) {}

    int connect() const {
        const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strcpy(address.sun_path, endpoint_.c_str() + 5);
        EXPECT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        return fd;
    }

    void serve() {
        std::vector<pollfd> watched;
        for (const int fd : server_.fds()) watched.push_back({fd, POLLIN, 0});
        while (::poll(watched.data(), watched.size(), 0) > 0) {
            for (const pollfd& event : watched)
                if (event.revents != 0) server_.readable(event.fd);
            watched.clear();
            for (const int fd : server_.fds()) watched.push_back({fd, POLLIN, 0});
        }
    }

    // The answer to `text`; empty when the server hung up instead.
    std::string ask(int fd, const std::string& text) {
        for (std::size_t sent = 0; sent < text.size(); sent += 4096) {
            const std::string part = text.substr(sent, 4096);
            ::send(fd, part.data(), part.size(), MSG_NOSIGNAL);
            serve();
        }
        std::array<char, 4096> chunk{};
        const ssize_t n = ::recv(fd, chunk.data(), chunk.size(), MSG_DONTWAIT);
        return n > 0 ? std::string(chunk.data(), static_cast<std::size_t>(n)) : std::string();
    }

    ScratchFolder folder_;
    std::string endpoint_;
    ControlServer server_;
};

TEST_F(ControlTest, AnswersALine) {
    const int fd = connect();
    EXPECT_EQ(json::parse(ask(fd, "{\"cmd\":\"x\"}\n"))["cmd"], "x");
    EXPECT_EQ(ask(fd, "{\"cmd\":"), "");
    EXPECT_EQ(json::parse(ask(fd, "\"y\"}\n"))["cmd"], "y") << "a request may come in pieces";
    ::close(fd);
}

TEST_F(ControlTest, BadRequestsGetAnAnswer) {
    const int fd = connect();
    for (const std::string& bad :
         std::vector<std::string>{"", "{", "[]", "7", "{\"cmd\":3}", "{}", "\xff\xfe", "null"}) {
        const std::string reply = ask(fd, bad + "\n");
        ASSERT_FALSE(reply.empty()) << bad;
        EXPECT_EQ(json::parse(reply)["ok"], false) << bad;
    }
    EXPECT_EQ(json::parse(ask(fd, "{\"cmd\":\"fail\"}\n"))["error"], "no");
    ::close(fd);
}

TEST_F(ControlTest, AnEndlessLineIsCutOff) {
    const int fd = connect();
    EXPECT_NE(ask(fd, std::string(80 * 1024, 'x')).find("too long"), std::string::npos);
    ::close(fd);
    const int other = connect();
    EXPECT_EQ(json::parse(ask(other, "{\"cmd\":\"x\"}\n"))["ok"], true);
    ::close(other);
}

TEST_F(ControlTest, ASecondDaemonIsRefused) {
    EXPECT_THROW(ControlServer(endpoint_, [](const json&) { return json(); }), ControlError);
}

}  // namespace
}  // namespace fixaccel
