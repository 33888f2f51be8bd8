// SPDX-License-Identifier: Apache-2.0
#include "config.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "scratch_folder.hpp"

namespace fixaccel {
namespace {

class ConfigTest : public ::testing::Test {
  protected:
    DaemonConfig read(const std::string& text) {
        std::ofstream(file()) << text;
        DaemonConfig config;
        problems_.clear();
        read_config(file(), config, problems_);
        return config;
    }

    std::string refusal(const std::string& text) {
        read(text);
        return problems_.empty() ? "accepted" : problems_.front();
    }

    static std::string& admin(DaemonConfig& config) { return config.control[Role::admin].endpoint; }
    std::filesystem::path file() const { return folder_.path() / "fixacceld.toml"; }
    ScratchFolder folder_;
    std::vector<std::string> problems_;
};

TEST_F(ConfigTest, ReadsEverySection) {
    const DaemonConfig config = read(
        "board = 'unix:b'\njournal = 'j'\njournal_segment_bytes = 65536\n[session]\nresend_orders = "
        "'gap-fill'\n"
        "max_segment_bytes = 536\n[limits]\nlease_ms = 200\nhold_ms = 20\n"
        "poll_us = 250\nmax_unacked_bytes = 1000\n");
    EXPECT_EQ(config.board, "unix:b");
    EXPECT_FALSE(config.day_roll);
    EXPECT_EQ(read("[session]\nday_roll = '17:00'\n").day_roll, 17 * 3600);
    EXPECT_EQ(read("[session]\nday_roll = '23:59:59'\n").day_roll, 24 * 3600 - 1);
    EXPECT_EQ(config.journal, folder_.path() / "j") << "paths are relative to the file";
    EXPECT_EQ(config.journal_segment, 65536U);
    EXPECT_NE(refusal("journal_segment_bytes = 100\n").find("a whole number from 4096 to"),
              std::string::npos);
    EXPECT_EQ(config.resend, ResendPolicy::gap_fill);
    EXPECT_EQ(config.max_segment, 536U);
    EXPECT_EQ(config.limits.lease, std::chrono::milliseconds(200));
    EXPECT_EQ(config.limits.hold, std::chrono::milliseconds(20));
    EXPECT_EQ(config.poll, std::chrono::microseconds(250));
    EXPECT_EQ(read("[limits]\npoll_us = 0\n").poll, std::chrono::microseconds(0)) << "it never rests";
    EXPECT_EQ(config.limits.max_unacked, 1000U);
}

TEST_F(ConfigTest, TellsTheBus) {
    EXPECT_FALSE(read("").bus);
    const std::string names = "[bus]\nsite = 'tokyo'\nboard = 'b1'\n";
    const DaemonConfig config = read(names +
                                     "servers = ['tls://n:4222']\nring_mib = 4\nkey_file = 'k'\n"
                                     "ca_file = 'ca.crt'\nrefresh_ms = 1000\n");
    ASSERT_TRUE(config.bus);
    EXPECT_EQ(config.bus->ring(), "/dev/shm/fixaccel-tokyo-b1.ring");
    EXPECT_EQ(config.bus->ring_mib, 4U);
    EXPECT_EQ(config.bus->key_file, folder_.path() / "k");
    EXPECT_EQ(config.bus->refresh, std::chrono::seconds(1));
    EXPECT_NE(refusal("[bus]\nsite = 'Tokyo'\n").find("a to z"), std::string::npos);
    EXPECT_NE(refusal("[bus]\nring_mib = 3\n").find("a power of two"), std::string::npos);
    EXPECT_NE(refusal("[bus]\nservers = ['n:4222']\n").find("tls://nats-1:4222"), std::string::npos);
    const auto contradiction = [](const DaemonConfig& of) {
        std::vector<std::string> problems;
        check_bus(*of.bus, problems);
        return problems.empty() ? "none" : problems.front();
    };
    EXPECT_EQ(contradiction(config), "none");
    EXPECT_NE(contradiction(read("[bus]\nsite = 'tokyo'\n")).find("bus.board"), std::string::npos);
    EXPECT_NE(contradiction(read(names + "servers = ['tls://n:4222']\n")).find("ca_file"), std::string::npos);
    EXPECT_NE(contradiction(read(names + "servers = ['nats://n:4222']\n")).find("without TLS"),
              std::string::npos);
    EXPECT_EQ(contradiction(read(names + "servers = ['nats://127.0.0.1:4222']\n")), "none");
}

TEST_F(ConfigTest, ComesBackAsItSays) {
    const DaemonConfig built_in = read("");
    EXPECT_EQ(built_in.rearm, RearmAfterLoss::never);
    EXPECT_FALSE(built_in.back_after_logout);
    const DaemonConfig config = read(
        "[session]\nrearm_after_loss = 'when-known'\nrearms_per_minute = 1\nafter_logout = 'come-back'\n"
        "reconnect_ms = 100\nreconnect_most_ms = 3600000\n[limits]\nclock_step_ms = 500\n"
        "clock_max_error_us = 250\n");
    EXPECT_TRUE(problems_.empty());
    EXPECT_EQ(config.rearm, RearmAfterLoss::when_known);
    EXPECT_EQ(config.rearms_per_minute, 1U);
    EXPECT_TRUE(config.back_after_logout);
    EXPECT_EQ(config.reconnect_most, std::chrono::hours(1));
    EXPECT_EQ(config.clock_step, std::chrono::milliseconds(500));
    EXPECT_EQ(config.clock_max_error, std::chrono::microseconds(250));
    EXPECT_NE(refusal("[session]\nrearm_after_loss = 'always'\n").find(R"("never" or "when-known")"),
              std::string::npos);
    EXPECT_NE(refusal("[session]\nafter_logout = true\n").find(R"("come-back" or "stay")"),
              std::string::npos);
    for (const char* const wrong :
         {"rearms_per_minute = 0", "rearms_per_minute = 61", "reconnect_most_ms = 3600001"})
        EXPECT_NE(refusal(std::string("[session]\n") + wrong + "\n"), "accepted");
    DaemonConfig pauses = read("[session]\nreconnect_ms = 2000\nreconnect_most_ms = 1999\n");
    check_config(pauses, problems_);
    EXPECT_EQ(problems_.size(), 1U);
}

TEST_F(ConfigTest, OfTheMachine) {
    const CpuSettings built_in = read("").cpu;
    EXPECT_FALSE(built_in.place.core);
    EXPECT_EQ(built_in.place.fifo, 0);
    EXPECT_FALSE(built_in.require_verified);
    EXPECT_FALSE(built_in.wake);
    EXPECT_EQ(built_in.stamps, Stamps::app);
    const CpuSettings cpu = read(
                                "[cpu]\ncore = 3\npolicy = 'fifo:50'\nlock_memory = true\nbusy_poll_us = "
                                "50\nwake_us = 0\nrequire = 'verified'\n"
                                "verdict = 'seen.json'\n")
                                .cpu;
    EXPECT_TRUE(problems_.empty());
    EXPECT_EQ(cpu.place.core, 3U);
    EXPECT_EQ(cpu.place.fifo, 50);
    EXPECT_TRUE(cpu.place.lock_memory);
    EXPECT_EQ(cpu.busy_poll, std::chrono::microseconds(50));
    EXPECT_TRUE(cpu.require_verified);
    EXPECT_EQ(cpu.wake, std::chrono::microseconds(0));
    EXPECT_EQ(cpu.verdict, folder_.path() / "seen.json");
    EXPECT_EQ(read("[cpu]\npolicy = 'other'\n").cpu.place.fifo, 0);
    EXPECT_EQ(read("[cpu]\nstamps = 'off'\n").cpu.stamps, Stamps::off);
    EXPECT_EQ(read("[cpu]\nstamps = 'kernel'\n").cpu.stamps, Stamps::kernel);
    EXPECT_EQ(read("[cpu]\nstamps = 'hardware'\ninterface = 'eth7'\n").cpu.interface, "eth7");
    for (const char* const wrong :
         {"core = -1", "core = 1024", "core = '1'", "policy = 'fifo'", "policy = 'fifo:0'",
          "policy = 'fifo:100'", "policy = 'fifo:5x'", "policy = 5", "policy = 'fi'", "require = 'all'",
          "lock_memory = 1", "busy_poll_us = -1", "wake_us = -1", "wake_us = 1000001", "stamps = 'card'"})
        EXPECT_NE(refusal(std::string("[cpu]\n") + wrong + "\n"), "accepted") << wrong;
}

TEST_F(ConfigTest, NamesAllThatIsWrong) {
    const DaemonConfig config =
        read("bord = 'x'\njournal = 3\n[limits]\nlease_ms = 0\npoll_us = 7\n[sesion]\n");
    EXPECT_EQ(problems_.size(), 4U);
    EXPECT_EQ(config.poll, std::chrono::microseconds(7))
        << "what is right is taken, for the checks of the whole";
    EXPECT_NE(refusal("bord = 'x'\n").find("did you mean 'board'?"), std::string::npos);
    EXPECT_EQ(refusal("nothing_like_it = 'x'\n").find("did you mean"), std::string::npos);
}

TEST_F(ConfigTest, ContradictionsOfTheWhole) {
    const auto wrong = [this](auto change) {
        DaemonConfig config;
        config.journal = folder_.path();
        change(config);
        problems_.clear();
        check_config(config, problems_);
        return problems_.size() == 1 ? problems_.front() : std::to_string(problems_.size());
    };
    EXPECT_EQ(wrong([](DaemonConfig&) {}), "0");
    EXPECT_NE(
        wrong([](DaemonConfig& c) { c.limits.lease = c.limits.watchdog; }).find("lease_ms = 2000 leaves"),
        std::string::npos);
    EXPECT_NE(wrong([](DaemonConfig& c) { c.poll = c.limits.watchdog / 4; }).find("poll_us = 500000"),
              std::string::npos);
    EXPECT_NE(wrong([](DaemonConfig& c) { c.board = "uio:"; }).find("uio:DEVICE or none, not 'uio:'"),
              std::string::npos);
    EXPECT_EQ(wrong([](DaemonConfig& c) { c.board = "uio:registers"; }), "0");
    EXPECT_NE(wrong([](DaemonConfig& c) { c.board = "tcp:1"; }).find("board must be unix:PATH"),
              std::string::npos);
    EXPECT_NE(wrong([](DaemonConfig& c) { admin(c) = "unix:" + std::string(108, 'x'); }).find("at most 107"),
              std::string::npos);
    EXPECT_NE(wrong([](DaemonConfig& c) { admin(c) = c.board; }).find("the same socket"), std::string::npos);
    EXPECT_NE(wrong([](DaemonConfig& c) {
                  c.control[Role::view].endpoint = admin(c);
              }).find("control.view and control are the same socket"),
              std::string::npos);
    EXPECT_NE(
        wrong([](DaemonConfig& c) { c.control[Role::risk] = {}; }).find("control.risk must be unix:PATH"),
        std::string::npos);
    EXPECT_NE(wrong([](DaemonConfig& c) {
                  c.control[Role::risk] = {"unix:r", 0660, "no-such-group"};
              }).find("this machine has no group 'no-such-group'"),
              std::string::npos);
    EXPECT_NE(wrong([&](DaemonConfig& c) { c.bundle = folder_.path() / "none"; }).find("is not a folder"),
              std::string::npos);
    EXPECT_NE(
        wrong([&](DaemonConfig& c) { c.kill_file = folder_.path() / "kill"; }).find("the journal's own"),
        std::string::npos);
    std::ofstream(file()) << "no settings";
    EXPECT_NE(wrong([&](DaemonConfig& c) { c.journal = file(); }).find("is not a folder"), std::string::npos);
    EXPECT_NE(wrong([&](DaemonConfig& c) { c.quickfix.path = file(); }).find("quickfix: "),
              std::string::npos);
}

TEST_F(ConfigTest, HasASocketForEachRole) {
    DaemonConfig config = read("control = 'unix:c'\n");
    EXPECT_EQ(admin(config), "unix:c");
    config = read("[control]\nview = {socket = 'unix:v', mode = '0666', group = 'root'}\ntrade = 'unix:t'\n");
    EXPECT_TRUE(problems_.empty()) << problems_.front();
    EXPECT_EQ(admin(config), "unix:/run/fixaccel/control.sock") << "which is always there";
    EXPECT_EQ(config.control[Role::view].endpoint, "unix:v");
    EXPECT_EQ(config.control[Role::view].mode, 0666U);
    EXPECT_EQ(config.control[Role::view].group, "root");
    EXPECT_EQ(config.control[Role::trade].endpoint, "unix:t");
    EXPECT_EQ(config.control[Role::trade].mode, 0660U);
    EXPECT_NE(refusal("[control]\nviev = 'unix:v'\n").find("did you mean 'view'?"), std::string::npos);
    EXPECT_NE(refusal("[control]\nview = {mode = '0660', sokcet = 'x'}\n").find("did you mean 'socket'?"),
              std::string::npos);
    for (const char* const mode : {"'0666'", "'660'", "'0060'", "'0770'", "'066x'", "''", "0o660"})
        EXPECT_NE(refusal(std::string("[control.trade]\nsocket = 'unix:t'\nmode = ") + mode + "\n")
                      .find(R"(a file's mode such as "0600")"),
                  std::string::npos)
            << mode;
    EXPECT_NE(refusal("control = 3\n").find("a socket, unix:PATH"), std::string::npos);
    EXPECT_NE(refusal("[control]\nrisk = 3\n").find("a socket, unix:PATH"), std::string::npos);
}

TEST_F(ConfigTest, KnowsTheKeysOfTheDesk) {
    // Of the key whose secret is 32 zeros, and one more.
    constexpr const char* kKey =
        "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAO2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik=\n"
        "-----END PUBLIC KEY-----\n";
    const auto wrong = [this](const std::string& text) {
        DaemonConfig config = read(text);
        config.journal = folder_.path();
        check_config(config, problems_);
        return problems_.empty() ? "accepted" : problems_.front();
    };
    for (const char* const name : {"anna.pub", "twin.pub"}) std::ofstream(folder_.path() / name) << kKey;
    std::ofstream(folder_.path() / "none.pub") << "no key";
    EXPECT_EQ(trust_of(read("")).needed, 0U);
    EXPECT_EQ(wrong("[bundles]\nkeys = ['anna.pub']\n"), "accepted");
    const BundleTrust trust = trust_of(read("[bundles]\nkeys = ['anna.pub']\n"));
    EXPECT_EQ(trust.needed, 1U);
    ASSERT_EQ(trust.keys.size(), 1U);
    EXPECT_EQ(trust.keys[0].name, "anna");
    EXPECT_EQ(wrong("[bundles]\nkeys = ['anna.pub', 'twin.pub']\n"),
              "bundles.keys: anna and twin are the same key");
    EXPECT_EQ(wrong("[bundles]\nkeys = ['anna.pub']\nsignatures = 2\n"),
              "bundles.signatures: 2 of a desk that has 1 keys");
    EXPECT_NE(wrong("[bundles]\nsignatures = 1\n").find("of no use without the keys"), std::string::npos);
    EXPECT_NE(wrong("[bundles]\nkeys = ['none.pub']\n").find("is no public Ed25519 key"), std::string::npos);
    EXPECT_NE(wrong("[bundles]\nkeys = ['gone.pub']\n").find("cannot be read"), std::string::npos);
    for (const char* const bad : {"keys = []", "keys = 'anna.pub'", "keys = [1]", "keys = ['a', 1]"})
        EXPECT_NE(wrong(std::string("[bundles]\n") + bad + "\n").find("must be a list of paths"),
                  std::string::npos)
            << bad;
    EXPECT_NE(wrong("[bundles]\nsignatures = 0\n").find("from 1 to 64"), std::string::npos);
}

TEST_F(ConfigTest, NamesThePlaceOfAMistake) {
    EXPECT_NE(refusal("[limits]\nlease_ms = 'long'\n").find("fixacceld.toml:2:"), std::string::npos);
    EXPECT_NE(refusal("bord = 'x'\n").find("unknown key 'bord'"), std::string::npos);
    EXPECT_NE(refusal("[limits]\nlease_ms = 0\n").find("from 1 to 4294"), std::string::npos);
    EXPECT_NE(refusal("[session]\nresend_orders = 'maybe'\n").find("\"gap-fill\""), std::string::npos);
    EXPECT_NE(refusal("[session]\nmax_segment_bytes = 20\n").find("from 88 to 1460"), std::string::npos);
    EXPECT_NE(refusal("[session]\nday_roll = '24:00'\n").find("a time of day"), std::string::npos);
    EXPECT_NE(refusal("[session]\nday_roll = '17:00:5'\n").find("a time of day"), std::string::npos);
    EXPECT_NE(refusal("[session]\nday_roll = '-0:00'\n").find("a time of day"), std::string::npos);
    EXPECT_NE(refusal("[session]\nday_roll = '17.00'\n").find("a time of day"), std::string::npos);
    EXPECT_NE(refusal("[session]\nday_roll = 1700\n").find("a time of day"), std::string::npos);
    EXPECT_NE(refusal("limits = 3\n").find("must be a table"), std::string::npos);
    EXPECT_NE(refusal("board = \n").find("fixacceld.toml:1:"), std::string::npos);
    EXPECT_NE(refusal("[limits]\nmax_unacked_bytes = 1.5\n").find("whole number"), std::string::npos);
}

}  // namespace
}  // namespace fixaccel
