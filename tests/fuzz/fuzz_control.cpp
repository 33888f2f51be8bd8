// SPDX-License-Identifier: Apache-2.0
// The control socket of a whole daemon, with its threads, on a board in memory: whatever a client asks, each
// line gets one answer, an object that says whether it went well, and if not, why.
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>

#include "daemon.hpp"
#include "fake_board.hpp"
#include "fixaccel/sha256.hpp"
#include "kill_guard.hpp"
#include "scratch_folder.hpp"
#include "sums.hpp"

using namespace fixaccel;
using nlohmann::json;

namespace {

constexpr int kPatienceMs = 20'000;
constexpr std::size_t kMostLines = 32;

// One board for connections of several threads, with what arming and killing do to its status.
struct SharedBoard {
    explicit SharedBoard(const Bundle& bundle) {
        const auto capacity = [&bundle](const char* name) {
            return static_cast<std::uint32_t>(bundle.capacity.at(name));
        };
        board.memory[hwmap::reg::magic] = hwmap::reg_reset::magic;
        board.memory[hwmap::reg::hwmap_hash] = hwmap::kHwmapHash;
        board.memory[hwmap::reg::cap_instruments] = capacity("instruments");
        board.memory[hwmap::reg::cap_triggers] = capacity("triggers");
        board.memory[hwmap::reg::cap_orders] = capacity("orders");
        board.memory[hwmap::reg::cap_templates] = capacity("templates");
        board.memory[hwmap::reg::cap_groups] = capacity("groups");
        board.on_write = [this](std::uint32_t addr, std::uint32_t word) {
            if (addr == hwmap::reg::kill) board.set_status(hwmap::status_bits::kill, word != 0);
            if (addr != hwmap::reg::arm) return;
            board.set_status(hwmap::status_bits::armed, word != 0);
            board.set_status(hwmap::status_bits::dry, word == 2);
        };
    }
    std::mutex mutex;
    FakeBoard board;
};

class BoardConnection final : public Board {
  public:
    explicit BoardConnection(SharedBoard& shared) : shared_(shared) {}
    using Board::read;
    using Board::write;
    void read(std::uint32_t addr, std::span<std::uint32_t> words) override {
        const std::lock_guard lock(shared_.mutex);
        shared_.board.read(addr, words);
    }
    void write(std::uint32_t addr, std::span<const std::uint32_t> words) override {
        const std::lock_guard lock(shared_.mutex);
        shared_.board.write(addr, words);
    }

  private:
    SharedBoard& shared_;
};

// The daemon as main() puts it together, until it has been asked to shut down.
class Desk {
  public:
    Desk()
        : control_((folder_.path() / "c").string()),
          board_(read_bundle(FUZZ_BUNDLE)),
          connection_(board_),
          stop_(::eventfd(0, EFD_CLOEXEC)),
          thread_([this] { run(); }) {
        wait_until_it_listens();
    }
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;
    ~Desk() {
        constexpr std::string_view kEnd = "{\"cmd\": \"shutdown\"}\n";
        const int fd = client();
        if (connect(fd)) ::send(fd, kEnd.data(), kEnd.size(), MSG_NOSIGNAL);
        thread_.join();
        ::close(fd);
        ::close(stop_);
    }

    // False: nobody listens there.
    bool connect(int fd) const {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, control_.c_str(), control_.size() + 1);
        return ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    }
    static int client() { return ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }

  private:
    DaemonConfig config() const {
        DaemonConfig config;
        config.control[Role::admin].endpoint = "unix:" + control_;
        config.journal = folder_.path() / "journal";
        config.kill_file = folder_.path() / "kill-me";
        return config;
    }

    void run() {
        KillSwitch kill(
            config().journal, [this] { return std::make_unique<BoardConnection>(board_); },
            config().kill_file);
        kill.start();
        Journal journal(config().journal, kLeastSegmentBytes);
        Ledger ledger(journal);
        KillGuard guard(kill, config().control);
        Machine machine(config().cpu);
        Daemon daemon(connection_, ledger, guard, machine,
                      [this](const Bundle* /*bundle*/) { return config(); });
        daemon.run(stop_);
    }

    void wait_until_it_listens() const {
        for (int i = 0; i < kPatienceMs; ++i) {
            const int fd = client();
            const bool there = connect(fd);
            ::close(fd);
            if (there) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        fuzz::require(false, "the daemon listens");
    }

    ScratchFolder folder_;
    std::string control_;
    SharedBoard board_;
    BoardConnection connection_;
    int stop_;  // never readable
    std::thread thread_;
};

// As main() does, ahead of every thread. The log is not what is looked at.
void quiet() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    if (std::freopen("/dev/null", "w", stdout) == nullptr) std::abort();
}

// The next line, without its end.
std::string line_from(int fd, std::string& rest) {
    for (;;) {
        if (const std::size_t end = rest.find('\n'); end != std::string::npos) {
            const std::string line = rest.substr(0, end);
            rest.erase(0, end + 1);
            return line;
        }
        pollfd ready{fd, POLLIN, 0};
        fuzz::require(::poll(&ready, 1, kPatienceMs) == 1, "an answer comes");
        std::array<char, 65536> chunk;
        const ssize_t n = ::recv(fd, chunk.data(), chunk.size(), 0);
        fuzz::require(n > 0, "the daemon does not hang up");
        rest.append(chunk.data(), static_cast<std::size_t>(n));
    }
}

bool asks_to_end(const std::string& line) {
    const json request = json::parse(line, nullptr, false);
    return request.is_object() && request.contains("cmd") && request["cmd"] == "shutdown";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // What hashes is begun first, so that it ends behind the daemon, whose journal hashes to its end.
    static const std::string hashed = sha256_hex("");
    static std::once_flag once;
    std::call_once(once, quiet);
    static std::unique_ptr<Desk> desk;
    if (!desk) desk = std::make_unique<Desk>();
    const int client = Desk::client();
    fuzz::require(desk->connect(client), "the daemon listens");
    bool ends = false;
    std::string rest;
    std::string_view input = fuzz::text_of(data, size);
    for (std::size_t count = 0; !input.empty() && !ends && count < kMostLines; ++count) {
        const std::size_t end = std::min(input.find('\n'), input.size());
        const std::string line(input.substr(0, end));
        input.remove_prefix(std::min(end + 1, input.size()));
        const std::string request = line + '\n';
        fuzz::require(::send(client, request.data(), request.size(), MSG_NOSIGNAL) ==
                          static_cast<ssize_t>(request.size()),
                      "the daemon listens to the end");
        ends = asks_to_end(line);
        const json answer = json::parse(line_from(client, rest), nullptr, false);
        fuzz::require(answer.is_object() && answer.contains("ok") && answer["ok"].is_boolean(),
                      "an answer says whether it went well");
        fuzz::require(answer["ok"] == true || (answer.contains("error") && answer["error"].is_string()),
                      "and if not, why");
    }
    fuzz::require(rest.empty(), "a line has one answer");
    ::close(client);
    if (ends) desk.reset();
    return 0;
}
