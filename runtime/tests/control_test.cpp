// SPDX-License-Identifier: Apache-2.0
#include "control.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <fstream>
#include <sstream>

#include "fixaccel/unix_listener.hpp"
#include "scratch_folder.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::size_t kMuch = 500'000;  // two such answers are more than is kept for one that asks on

class ControlTest : public ::testing::Test {
  protected:
    ControlTest()
        : endpoint_("unix:" + (folder_.path() / "s").string()),
          server_({{Role::admin, {endpoint_}}}, [this](const ControlRequest& request) -> std::optional<json> {
              if (request.body["cmd"] == "fail") throw std::runtime_error("no");
              if (request.body["cmd"] == "by") return json{{"by", request.by}};
              if (request.body["cmd"] == "much") return json{{"text", std::string(kMuch, 'x')}};
              if (request.body["cmd"] == "later") {
                  ticket_ = request.ticket;
                  return std::nullopt;
              }
              return json{{"ok", true}, {"cmd", request.body["cmd"]}};
          }) {
        server_.keep_unread(kMuch * 3 / 2);
    }

    int connect() const {
        const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strcpy(address.sun_path, endpoint_.c_str() + 5);
        EXPECT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        return fd;
    }

    void serve() {
        std::vector<pollfd> watched = server_.watched();
        while (::poll(watched.data(), watched.size(), 0) > 0) {
            for (const pollfd& event : watched)
                if (event.revents != 0) server_.ready(event.fd);
            watched = server_.watched();
        }
    }

    // The answer to `text`; empty when the server hung up instead.
    std::string ask(int fd, const std::string& text) {
        for (std::size_t sent = 0; sent < text.size(); sent += 4096) {
            const std::string part = text.substr(sent, 4096);
            ::send(fd, part.data(), part.size(), MSG_NOSIGNAL);
            serve();
        }
        return hear(fd);
    }

    static std::string hear(int fd) {
        std::array<char, 4096> chunk{};
        const ssize_t n = ::recv(fd, chunk.data(), chunk.size(), MSG_DONTWAIT);
        return n > 0 ? std::string(chunk.data(), static_cast<std::size_t>(n)) : std::string();
    }

    ScratchFolder folder_;
    std::string endpoint_;
    std::uint64_t ticket_ = 0;
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

TEST_F(ControlTest, WhoeverWatchesIsToldBehindItsAnswer) {
    const int fd = connect();
    const int other = connect();
    ask(other, "{\"cmd\":\"x\"}\n");
    EXPECT_EQ(ask(fd, "{\"cmd\":\"later\"}\n"), "");
    EXPECT_EQ(server_.watchers(), 0U);
    server_.watch(ticket_);
    server_.answer(ticket_, {{"ok", true}});
    server_.tell({{"event", "x"}});
    EXPECT_EQ(hear(fd), "{\"ok\":true}\n{\"event\":\"x\"}\n");
    EXPECT_EQ(hear(other), "");
    EXPECT_EQ(server_.watchers(), 1U);
    EXPECT_EQ(json::parse(ask(fd, "{\"cmd\":\"y\"}\n"))["cmd"], "y") << "it may still ask";
    ::close(fd);
    serve();
    EXPECT_EQ(server_.watchers(), 0U);
    ::close(other);
}

TEST_F(ControlTest, WhatAWatcherDoesNotReadIsDroppedAndSaid) {
    constexpr std::size_t kEvents = 4000;
    const int fd = connect();
    ask(fd, "{\"cmd\":\"later\"}\n");
    server_.watch(ticket_);
    server_.answer(ticket_, {{"ok", true}});
    const std::string padding(1000, 'x');
    for (std::size_t i = 0; i < kEvents; ++i) server_.tell({{"event", i}, {"text", padding}});
    constexpr std::size_t kLost = 3000;  // before it was their turn
    server_.lose(kLost);
    std::string heard;
    for (int rounds = 0; rounds < 2000; ++rounds) {
        serve();
        heard += hear(fd);
    }
    server_.tell({{"event", "last"}});
    for (int rounds = 0; rounds < 10; ++rounds) heard += hear(fd);
    std::istringstream lines(heard);
    std::size_t told = 0, dropped = 0;
    for (std::string line; std::getline(lines, line);) {
        const json event = json::parse(line);
        if (event.value("ok", false) || event["event"] == "last") continue;
        if (event["event"] == "dropped")
            dropped += event["events"].get<std::size_t>();
        else
            EXPECT_EQ(event["event"], told++) << "those that are told are the first, in order";
    }
    EXPECT_GT(dropped, 0U);
    EXPECT_EQ(told + dropped, kEvents + kLost);
    ::close(fd);
}

TEST_F(ControlTest, WhatIsLostIsSaidAtOnceWhereThereIsRoom) {
    const int fd = connect();
    ask(fd, "{\"cmd\":\"later\"}\n");
    server_.watch(ticket_);
    server_.answer(ticket_, {{"ok", true}});
    server_.lose(7);
    EXPECT_EQ(hear(fd), "{\"ok\":true}\n{\"event\":\"dropped\",\"events\":7}\n");
    ::close(fd);
}

TEST_F(ControlTest, AnAnswerThatComesLaterKeepsItsPlace) {
    const int fd = connect();
    EXPECT_EQ(ask(fd, "{\"cmd\":\"later\"}\n{\"cmd\":\"x\"}\n"), "");
    server_.answer(ticket_, {{"cmd", "y"}});
    EXPECT_EQ(hear(fd), "{\"cmd\":\"y\"}\n{\"cmd\":\"x\",\"ok\":true}\n");
    ::close(fd);
    serve();
    server_.answer(ticket_, {{"cmd", "z"}});  // for nobody
}

TEST_F(ControlTest, ALongAnswerIsSentAsItIsRead) {
    const int fd = connect();
    EXPECT_EQ(ask(fd, "{\"cmd\":\"later\"}\n"), "");
    const std::string text(3'000'000, 'x');
    server_.answer(ticket_, {{"text", text}});
    std::string heard;
    for (std::string more = hear(fd); !more.empty() || heard.size() < text.size(); more = hear(fd)) {
        heard += more;
        serve();
        ASSERT_LT(heard.size(), 2 * text.size());
    }
    EXPECT_EQ(json::parse(heard)["text"], text);
    ::close(fd);
}

TEST_F(ControlTest, AnAnswerOfAnyLengthIsWhole) {
    const int fd = connect();
    EXPECT_EQ(ask(fd, "{\"cmd\":\"later\"}\n"), "");
    const std::string text(2 * kMuch, 'x');
    server_.answer(ticket_, {{"text", text}});
    std::size_t heard = 0;
    std::string end;
    while (!end.ends_with('\n')) {
        serve();
        end = hear(fd);
        ASSERT_FALSE(end.empty()) << "after " << heard << " bytes";
        heard += end.size();
    }
    EXPECT_EQ(heard, text.size() + std::string("{\"text\":\"\"}\n").size());
    ::close(fd);
}

TEST_F(ControlTest, WhoAsksOnAndDoesNotReadIsDroppedAndNobodyElse) {
    const int fd = connect();
    const int other = connect();
    const std::string one = "{\"cmd\":\"much\"}\n";
    const std::string requests = one + one + one + one;
    ASSERT_EQ(::send(fd, requests.data(), requests.size(), 0), static_cast<ssize_t>(requests.size()));
    serve();
    EXPECT_EQ(json::parse(ask(other, "{\"cmd\":\"x\"}\n"))["ok"], true);
    std::size_t heard = 0;
    for (std::string part = hear(fd); !part.empty(); part = hear(fd)) heard += part.size();
    EXPECT_LT(heard, kMuch) << "hung up in the middle of the first";
    ::close(fd);
    ::close(other);
}

TEST_F(ControlTest, WhoAsksIsKnown) {
    const int fd = connect();
    EXPECT_EQ(json::parse(ask(fd, "{\"cmd\":\"by\"}\n"))["by"],
              UserNames().text(::getuid()) + ", process " + std::to_string(::getpid()));
    ::close(fd);
}

TEST_F(ControlTest, ThoseWhoSayNothingKeepNobodyOut) {
    const int waits = connect();
    EXPECT_EQ(ask(waits, "{\"cmd\":\"later\"}\n"), "");
    std::vector<int> idle;
    for (int i = 0; i < 200; ++i) {
        idle.push_back(connect());
        EXPECT_EQ(ask(idle.back(), i % 2 == 0 ? "" : "{\"cmd\":"), "");
        serve();
    }
    const int fd = connect();
    EXPECT_EQ(json::parse(ask(fd, "{\"cmd\":\"x\"}\n"))["ok"], true);
    server_.answer(ticket_, {{"cmd", "y"}});
    EXPECT_EQ(hear(waits), "{\"cmd\":\"y\"}\n") << "who waits for an answer is not silent";
    idle.insert(idle.end(), {fd, waits});
    for (const int each : idle) ::close(each);
}

TEST_F(ControlTest, ManyMayComeAtOnceAndWhatTheFirstHasSaidIsRead) {
    const std::string request = "{\"cmd\":\"x\"}\n";
    std::vector<int> clients{connect()};
    ASSERT_EQ(::send(clients[0], request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
    for (int i = 0; i < 100; ++i) clients.push_back(connect());
    serve();
    EXPECT_EQ(json::parse(hear(clients[0]))["ok"], true);
    for (const int each : clients) ::close(each);
}

TEST_F(ControlTest, ASecondDaemonIsRefused) {
    EXPECT_THROW(ControlServer({{Role::admin, {endpoint_}}}, [](const ControlRequest&) { return json(); }),
                 ListenError);
}

TEST_F(ControlTest, AFileThatStandsThereIsLeftAsItIs) {
    const std::filesystem::path file = folder_.path() / "precious";
    std::ofstream(file) << "kept";
    EXPECT_THROW(ControlServer({{Role::admin, {"unix:" + file.string()}}},
                               [](const ControlRequest&) { return json(); }),
                 ListenError);
    std::ifstream in(file);
    std::string text;
    std::getline(in, text);
    EXPECT_EQ(text, "kept");
}

}  // namespace
}  // namespace fixaccel
