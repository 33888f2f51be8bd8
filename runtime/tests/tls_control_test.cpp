// SPDX-License-Identifier: Apache-2.0
// The guard's thread with TLS, and clients of all kinds.
#include "tls_control.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include <csignal>
#include <fstream>
#include <vector>

#include "await_request.hpp"
#include "control_client.hpp"
#include "kill_fixture.hpp"
#include "kill_guard.hpp"
#include "tls_scratch.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

class TlsControlTest : public KillTest {
  protected:
    TlsControlTest() : ca_(folder_.path()) {
        std::signal(SIGPIPE, SIG_IGN);
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        pthread_sigmask(SIG_BLOCK, &set, nullptr);
        ca_.issue("daemon", {"DNS:localhost,IP:127.0.0.1", "serverAuth"});
        ca_.issue("anna", {"email:anna@desk.example"});
        ca_.issue("vera", {"URI:spiffe://desk.example/vera"});
        ca_.issue("bert", {"email:bert@desk.example"});
    }

    TlsSettings settings() const {
        return {"127.0.0.1:0",
                stem("daemon").string() + ".crt",
                stem("daemon").string() + ".key",
                stem("ca").string() + ".crt",
                {{"email:anna@desk.example", Role::trade}, {"URI:spiffe://desk.example/vera", Role::view}}};
    }

    void begin(const TlsSettings& tls) {
        kill_ = make();
        kill_->start();
        guard_ = std::make_unique<KillGuard>(
            *kill_, ControlDoors{{Role::admin, {"unix:" + (folder_.path() / "s").string()}}}, &tls);
    }

    std::filesystem::path stem(const std::string& name) const { return folder_.path() / name; }

    std::unique_ptr<TlsClient> connect(const std::string& name) const {
        return std::make_unique<TlsClient>(guard_->tls_address(), name.empty() ? "" : stem(name));
    }

    ControlRequest await_request() const { return fixaccel::await_request(*guard_); }

    // Nobody came through, and the daemon goes on.
    void expect_served() {
        EXPECT_FALSE(guard_->flag().on());
        EXPECT_TRUE(guard_->take_requests().empty());
        EXPECT_EQ(connect("anna")->ask("kill"), (json{{"ok", true}}));
        EXPECT_TRUE(guard_->flag().on());
    }

    static bool is_gone(int fd) {
        std::array<char, 4096> chunk{};
        ssize_t n = 0;
        while ((n = ::recv(fd, chunk.data(), chunk.size(), 0)) > 0) {
        }
        return n == 0 || errno == ECONNRESET;
    }

    std::vector<std::string> problems(const TlsSettings& tls) const {
        std::vector<std::string> found;
        check_tls(tls, found);
        check_tls_files(tls, found);
        return found;
    }

    ScratchCa ca_;
    std::unique_ptr<KillSwitch> kill_;
    std::unique_ptr<KillGuard> guard_;
};

TEST_F(TlsControlTest, ACertificateHasARole) {
    begin(settings());
    const auto sees = connect("vera"), trades = connect("anna");
    sees->say("{\"cmd\":\"kill\"}\n");
    ControlRequest request = await_request();
    EXPECT_EQ(request.role, Role::view);
    EXPECT_NE(request.refused.find("this certificate has role view"), std::string::npos) << request.refused;
    guard_->answer(request.ticket, {{"ok", false}, {"error", request.refused}});
    EXPECT_EQ(sees->hear()["ok"], false);
    EXPECT_FALSE(guard_->flag().on());
    EXPECT_EQ(trades->ask("kill"), (json{{"ok", true}}));
    EXPECT_TRUE(guard_->flag().on());
    EXPECT_TRUE(board_killed());
    sees->say("{\"cmd\":\"status\",\"short\":true}\n");
    const std::string by = sees->hear()["kill"]["by"].get<std::string>();
    EXPECT_EQ(by.find("email:anna@desk.example (certificate "), 0U) << by;
    EXPECT_NE(by.find("), 127.0.0.1:"), std::string::npos) << by;
}

TEST_F(TlsControlTest, ACertificateMayBeListedByItsHash) {
    TlsSettings tls = settings();
    tls.clients = {{normal_identity("sha256:" + ca_.sha256), Role::trade}};
    begin(tls);
    EXPECT_EQ(connect("bert")->ask("kill"), (json{{"ok", true}}));
    const auto anna = connect("anna");
    EXPECT_EQ(await_request().by.find("email:anna@desk.example"), 0U);
}

TEST_F(TlsControlTest, WhoIsNotListedIsRefusedAndTheOtherThreadHearsOfIt) {
    TlsSettings tls = settings();
    ca_.issue("both", {"email:anna@desk.example,URI:spiffe://desk.example/vera"});
    begin(tls);
    for (const auto& [name, why] : std::map<std::string, std::string>{
             {"bert", "gives no role to this certificate: email:bert@desk.example, sha256:"},
             {"both", "gives several roles to this certificate"}}) {
        const auto client = connect(name);
        client->say("{\"cmd\":\"kill\"}\n");
        const ControlRequest request = await_request();
        EXPECT_EQ(request.body, (json{{"cmd", "connect"}}));
        EXPECT_EQ(request.role, Role::none);
        EXPECT_NE(request.refused.find(why), std::string::npos) << request.refused;
        EXPECT_NE(request.by.find("@desk.example (certificate "), std::string::npos) << request.by;
        guard_->answer(request.ticket, {{"ok", false}, {"error", request.refused}});
        EXPECT_EQ(client->hear()["error"], request.refused);
        EXPECT_TRUE(client->hear().is_discarded()) << "that is the last word";
    }
    expect_served();
}

TEST_F(TlsControlTest, ACertificateThatDoesNotCountIsRefused) {
    ScratchCa other(folder_.path(), "other");
    other.issue("stranger", {"email:anna@desk.example"});
    ca_.issue("old", {"email:anna@desk.example", "clientAuth", -7200, -3600});
    ca_.issue("young", {"email:anna@desk.example", "clientAuth", 3600, 7200});
    ca_.issue("server", {"email:anna@desk.example", "serverAuth"});
    begin(settings());
    for (const char* const name : {"stranger", "old", "young", "server", ""}) {
        const auto client = connect(name);
        pollfd told{client->fd(), POLLIN, 0};
        EXPECT_EQ(::poll(&told, 1, 10'000), 1);
        for (int i = 0; i < 2; ++i) {
            EXPECT_TRUE(client->say("{\"cmd\":\"kill\"}\n"))
                << "what is said first is not lost with the connection";
            ::usleep(20'000);
        }
        EXPECT_TRUE(client->hear().is_discarded()) << name;
        EXPECT_GT(ERR_GET_REASON(::ERR_peek_last_error()), SSL_AD_REASON_OFFSET) << name << " is told why";
        ::ERR_clear_error();
        EXPECT_TRUE(is_gone(client->fd())) << name;
    }
    expect_served();
}

TEST_F(TlsControlTest, WhatIsNotTls13IsRefused) {
    begin(settings());
    const int plain = connect_tcp(guard_->tls_address());
    say(plain, "{\"cmd\":\"kill\"}\n");
    EXPECT_TRUE(is_gone(plain));
    ::close(plain);
    EXPECT_FALSE(TlsClient(guard_->tls_address(), stem("anna"), TLS1_2_VERSION).shaken());
    expect_served();
}

TEST_F(TlsControlTest, HalfAHandshakeKeepsNobodyWaitingAndHasItsTime) {
    TlsSettings tls = settings();
    tls.handshake = std::chrono::milliseconds(300);
    begin(tls);
    const std::string hello("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11);
    std::vector<int> halves;
    for (int i = 0; i < 150; ++i) {
        halves.push_back(connect_tcp(guard_->tls_address()));
        if (i % 2 == 0) say(halves.back(), hello);
    }
    const auto client = connect("anna");
    for (const int fd : halves) say(fd, "x");
    EXPECT_EQ(client->ask("kill"), (json{{"ok", true}}));
    for (const int fd : halves) {
        ASSERT_TRUE(is_gone(fd));
        ::close(fd);
    }
}

TEST_F(TlsControlTest, HandshakesOfOneMachineKeepOutNobodyOfAnother) {
    begin(settings());
    const int first = connect_tcp(guard_->tls_address());
    std::vector<int> others;
    for (int i = 0; i < 200; ++i) others.push_back(connect_tcp(guard_->tls_address(), "127.0.0.2"));
    EXPECT_TRUE(is_gone(others.front()));
    EXPECT_EQ(TlsClient(first, stem("anna")).ask("kill"), (json{{"ok", true}}));
    for (const int fd : others) ::close(fd);
}

TEST_F(TlsControlTest, ThoseWhoSayNothingTakeNoRoomOfAnotherRole) {
    begin(settings());
    std::vector<std::unique_ptr<TlsClient>> idle;
    for (int i = 0; i < 70; ++i) idle.push_back(connect("vera"));
    EXPECT_EQ(connect("anna")->ask("kill"), (json{{"ok", true}}));
    idle.back()->say("{\"cmd\":\"status\",\"short\":true}\n");
    EXPECT_EQ(idle.back()->hear()["ok"], true);
    EXPECT_TRUE(is_gone(idle.front()->fd())) << "of 64 the one that has been silent longest has to go";
}

TEST_F(TlsControlTest, RubbishInTheMiddleEndsThatConnectionAlone) {
    begin(settings());
    const auto client = connect("anna"), other = connect("vera");
    say(client->fd(), "{\"cmd\":\"kill\"}\n");
    EXPECT_TRUE(is_gone(client->fd()));
    other->say("{\"cmd\":\"status\",\"short\":true}\n");
    EXPECT_EQ(other->hear()["kill"]["on"], false);
    expect_served();
}

TEST_F(TlsControlTest, ALongAnswerAndAStreamComeWhole) {
    begin(settings());
    const auto client = connect("vera"), slow = connect("vera");
    slow->say("{\"cmd\":\"status\"}\n");
    const ControlRequest other = await_request();
    const std::string text(20'000'000, 'x');
    guard_->answer(other.ticket, {{"ok", true}, {"text", text}});
    client->say("{\"cmd\":\"watch\"}\n");
    const ControlRequest request = await_request();
    guard_->answer(request.ticket, {{"ok", true}});
    EXPECT_EQ(client->hear()["ok"], true);
    for (int i = 0; i < 2000 && !guard_->watched(); ++i) ::usleep(10'000);
    ASSERT_TRUE(guard_->watched());
    constexpr int kEvents = 2000;
    for (int i = 0; i < kEvents; ++i) guard_->publish({{"event", i}, {"text", std::string(300, 'y')}});
    EXPECT_EQ(connect("anna")->ask("kill")["ok"], true) << "while one does not read, and one is told much";
    for (int i = 0; i < kEvents; ++i) ASSERT_EQ(client->hear()["event"], i);
    EXPECT_EQ(slow->hear()["text"], text);
}

TEST_F(TlsControlTest, WhatAWatcherDoesNotReadIsDroppedAndSaid) {
    begin(settings());
    const auto client = connect("vera");
    client->say("{\"cmd\":\"watch\"}\n");
    guard_->answer(await_request().ticket, {{"ok", true}});
    EXPECT_EQ(client->hear()["ok"], true);
    for (int i = 0; i < 2000 && !guard_->watched(); ++i) ::usleep(10'000);
    constexpr std::uint64_t kEvents = 30'000;
    for (std::uint64_t i = 0; i < kEvents; ++i) {
        guard_->publish({{"event", "x"}, {"text", std::string(500, 'x')}});
        if (i % 1000 == 0) ::usleep(5000);
    }
    EXPECT_EQ(connect("anna")->ask("kill")["ok"], true);
    std::uint64_t told = 0, dropped = 0;
    while (told + dropped < kEvents) {
        const json event = client->hear();
        ASSERT_FALSE(event.is_discarded()) << told << " were told, " << dropped << " dropped";
        if (event["event"] == "dropped") dropped += event["events"].get<std::uint64_t>();
        if (event["event"] == "x") ++told;
    }
    EXPECT_EQ(told + dropped, kEvents);
    EXPECT_GT(dropped, 0U);
}

TEST_F(TlsControlTest, WhoAsksForNewKeysOnAndOnKeepsNobodyWaiting) {
    begin(settings());
    const auto client = connect("vera");
    for (int i = 0; i < 2000; ++i) {
        ::SSL_key_update(client->tls(), SSL_KEY_UPDATE_NOT_REQUESTED);
        ::SSL_do_handshake(client->tls());
    }
    expect_served();
    client->say("{\"cmd\":\"status\",\"short\":true}\n");
    EXPECT_EQ(client->hear()["kill"]["on"], true) << "and is served in the end";
}

TEST_F(TlsControlTest, FilesThatCannotBeUsedAreSaidWithTheWayOut) {
    ScratchCa other(folder_.path(), "other");
    ca_.issue("old", {"DNS:localhost", "serverAuth", -7200, -3600});
    ca_.issue("nameless", {"email:x@y", "serverAuth"});
    std::ofstream(stem("rubbish.crt")) << "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    EXPECT_TRUE(problems(settings()).empty());
    const auto expect = [&](const char* key, auto change, const std::string& text) {
        TlsSettings tls = settings();
        change(tls);
        const auto found = problems(tls);
        ASSERT_FALSE(found.empty()) << text;
        EXPECT_EQ(found.front().find(std::string("control.tls.") + key), 0U) << found.front();
        EXPECT_NE(found.front().find(text), std::string::npos) << found.front();
    };
    const auto file = [this](const char* name) { return stem(name).string(); };
    using Settings = TlsSettings;
    expect(
        "listen", [](Settings& s) { s.listen = "localhost:1"; }, "ADDRESS:PORT");
    expect(
        "listen", [](Settings& s) { s.listen.clear(); }, "is missing");
    expect(
        "clients", [](Settings& s) { s.clients.clear(); }, "is missing");
    expect(
        "clients",
        [](Settings& s) {
            s.clients = {{"anna", Role::view}};
        },
        "'anna' must be email:");
    expect(
        "clients",
        [](Settings& s) {
            s.clients = {{"sha256:12", Role::view}};
        },
        "64 digits");
    expect(
        "certificate", [&](Settings& s) { s.certificate = file("none"); }, "No such file");
    expect(
        "certificate", [&](Settings& s) { s.certificate = file("rubbish.crt"); }, "no certificate in PEM");
    expect(
        "certificate", [&](Settings& s) { s.certificate = file("anna.crt"); }, "without serverAuth");
    expect(
        "certificate", [&](Settings& s) { s.certificate = file("old.crt"); }, "has expired on");
    expect(
        "certificate", [&](Settings& s) { s.certificate = file("nameless.crt"); }, "names no host");
    expect(
        "key", [&](Settings& s) { s.key = file("anna.key"); }, "is not the key of");
    expect(
        "key", [&](Settings& s) { s.key = file("anna.crt"); }, "may be read by others");
    expect(
        "client_ca", [&](Settings& s) { s.client_ca = file("anna.crt"); }, "no CA's");
    expect(
        "client_ca", [&](Settings& s) { s.client_ca = file("none"); }, "No such file");
    std::filesystem::permissions(file("daemon.key"), std::filesystem::perms(0640));
    expect(
        "key", [](Settings&) {}, "chmod 0600");
    TlsSettings wrong = settings();
    EXPECT_THROW(TlsControl{wrong}, ControlError);
}

TEST_F(TlsControlTest, AKeyWithAPassphraseIsRefused) {
    const OfTest<EVP_PKEY> key(::EVP_EC_gen("P-256"));
    const OfTest<FILE> out(std::fopen(stem("locked.key").c_str(), "w"));
    std::string word = "word";
    ::PEM_write_PrivateKey(out.get(), key.get(), ::EVP_aes_128_cbc(),
                           reinterpret_cast<unsigned char*>(word.data()), static_cast<int>(word.size()),
                           nullptr, nullptr);
    std::fflush(out.get());
    std::filesystem::permissions(stem("locked.key"), std::filesystem::perms(0600));
    TlsSettings tls = settings();
    tls.key = stem("locked.key");
    const auto found = problems(tls);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NE(found.front().find("has a passphrase"), std::string::npos) << found.front();
}

TEST(TlsIdentity, IsWrittenInOneWay) {
    EXPECT_EQ(normal_identity("sha256:AB:CD:0F"), "sha256:abcd0f");
    EXPECT_EQ(normal_identity("email:Anna@Desk.example"), "email:Anna@Desk.example");
}

TEST(TcpAddress, IsInNumbers) {
    for (const char* const right : {"127.0.0.1:0", "0.0.0.0:7443", "[::]:7443", "[::1]:65535"}) {
        ASSERT_TRUE(tcp_address(right)) << right;
        EXPECT_EQ(text_of(*tcp_address(right)), right);
    }
    for (const char* const wrong : {"", ":", "7443", "127.0.0.1", "localhost:7443", "::1:7443", "[::1]",
                                    "1.2.3.4:65536", "1.2.3.4:-1", "1.2.3.4:1x", "[1.2.3.4]:1", "1.2.3:4"})
        EXPECT_FALSE(tcp_address(wrong)) << wrong;
}

}  // namespace
}  // namespace fixaccel
