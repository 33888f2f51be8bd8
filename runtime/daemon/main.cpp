// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "board_lock.hpp"
#include "bus/ring.hpp"
#include "daemon.hpp"
#include "fixaccel/board.hpp"
#include "fixaccel/journal.hpp"
#include "fixaccel/no_board.hpp"
#include "fixaccel/version.hpp"
#include "kill_guard.hpp"
#include "log.hpp"
#include "machine.hpp"

namespace {

constexpr auto kGuardPatience = std::chrono::seconds(1);  // with a board that hangs
constexpr auto kLastLines = std::chrono::seconds(1);

// Blocks the signals that end the daemon, which arrive through the descriptor instead, and SIGUSR1, which the
// guard of the kill switch reads.
int signal_descriptor() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigset_t blocked = set;
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGHUP, SIG_IGN);  // a terminal that closes ends no session
    // Meant for another program, or for the kill switch and a digit too high.
    for (const int other : {SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO}) std::signal(other, SIG_IGN);
    return ::signalfd(-1, &set, SFD_CLOEXEC);
}

struct Options {
    std::string config;
    std::string board;
    std::string control;
    std::string journal;
    std::optional<std::uint64_t> journal_segment;
    std::string bundle;
    bool reconciled = false;
    bool check = false;
};

fixaccel::DaemonConfig layered(const Options& options, const fixaccel::Bundle* bundle) {
    fixaccel::DaemonConfig config;
    std::vector<std::string> problems;
    if (bundle != nullptr)
        if (const auto own = bundle->client.find("client/fixacceld.toml"); own != bundle->client.end())
            fixaccel::read_config(bundle->path / own->first, own->second, config, problems);
    config.cpu = {};  // a bundle does not know the machine
    if (!options.config.empty()) fixaccel::read_config(options.config, config, problems);
    if (!options.board.empty()) config.board = options.board;
    if (!options.control.empty()) config.control[fixaccel::Role::admin].endpoint = options.control;
    if (!options.journal.empty()) config.journal = options.journal;
    if (options.journal_segment) config.journal_segment = *options.journal_segment;
    if (!options.bundle.empty()) config.bundle = options.bundle;
    config.reconciled = options.reconciled;
    fixaccel::check_config(config, problems);
    // They are read at the start alone: a certificate that expires meanwhile keeps no bundle out.
    if (bundle == nullptr && config.control_tls) fixaccel::check_tls_files(*config.control_tls, problems);
    if (problems.empty()) return config;
    std::string text;
    for (const std::string& problem : problems) text += (text.empty() ? "" : "\n") + problem;
    throw fixaccel::ConfigError(text);
}

// What was used once is not given back to be asked for again on the way of an order.
void keep_memory() {
    ::mallopt(M_TRIM_THRESHOLD, 512 << 20);
    ::mallopt(M_TOP_PAD, 8 << 20);
}

}  // namespace

int main(int argc, char** argv) {
    keep_memory();
    Options options;
    CLI::App app{
        "Owns the FIX session, the board and the journal. Commands come in over the control socket; see "
        "`fixaccel deploy`, `fixaccel status` and `fixaccel kill`."};
    app.set_version_flag("--version", fixaccel::version_line("fixacceld", FIXACCEL_VERSION));
    app.add_option("--config", options.config, "Configuration file (TOML)");
    auto* endpoint = app.add_option("--board", options.board, "Board endpoint, uio:DEVICE or unix:PATH");
    app.add_flag_callback(
           "--no-board", [&options] { options.board = fixaccel::kNoBoard; },
           "There is no board: the runtime evaluates all rules")
        ->excludes(endpoint);
    app.add_option("--control", options.control, "Control socket of role admin to listen at, unix:PATH");
    app.add_option("--journal", options.journal, "Journal folder");
    app.add_option("--journal-segment-bytes", options.journal_segment,
                   "Behind so many bytes a new file of the journal begins")
        ->check(CLI::Range(fixaccel::kLeastSegmentBytes, fixaccel::kMostSegmentBytes));
    app.add_option("--bundle", options.bundle, "Bundle to deploy at start");
    app.add_flag("--reconciled", options.reconciled,
                 "Ask the venue for rules in doubt since a board loss; drop fires of another journal");
    app.add_flag("--check", options.check, "Check the configuration, say all that is wrong with it, and end");
    app.footer("Exit status: 0 ended as asked, 1 failure while running, 2 wrong configuration.");
    CLI11_PARSE(app, argc, argv);

    const int signals = signal_descriptor();
    try {
        const fixaccel::DaemonConfig config = layered(options, nullptr);
        if (options.check) {
            std::puts("the configuration is in order");
            return 0;
        }
        fixaccel::log_as(config.log_format);
        fixaccel::Machine machine(config.cpu);
        std::optional<fixaccel::BoardLock> lock;
        if (config.board != fixaccel::kNoBoard) lock.emplace(config.board);
        fixaccel::KillSwitch kill(
            config.journal, [&config] { return fixaccel::open_board(config.board, kGuardPatience); },
            config.kill_file);
        kill.start();
        fixaccel::Journal journal(config.journal, config.journal_segment);
        for (const std::string& problem : journal.problems())
            fixaccel::log_line("journal: " + problem, {fixaccel::LogLevel::warning, "journal"});
        if (journal.torn())
            fixaccel::log_line(
                "journal: a torn end of " + std::to_string(journal.truncated_bytes()) + " bytes was cut off",
                {fixaccel::LogLevel::warning, "journal"});
        fixaccel::Ledger ledger(journal);
        if (kill.unspoken() && ledger.killed())
            kill.kill("the journal, whose file of the kill switch is gone");
        fixaccel::KillGuard guard(kill, config.control, config.control_tls ? &*config.control_tls : nullptr);
        if (!guard.tls_address().empty())
            fixaccel::log_line("control: with TLS at " + guard.tls_address(),
                               {.event = "listens", .fields = {{"address", guard.tls_address()}}});
        const std::unique_ptr<fixaccel::Board> board = fixaccel::open_board(config.board);
        std::optional<fixaccel::bus::RingWriter> ring;  // outlives the daemon, which writes to it
        if (config.bus) ring.emplace(config.bus->ring(), config.bus->ring_mib << 20);
        fixaccel::Daemon daemon(*board, ledger, guard, machine, [&options](const fixaccel::Bundle* bundle) {
            return layered(options, bundle);
        });
        if (ring) daemon.show(&*ring);
        daemon.run(signals);
    } catch (const fixaccel::ConfigError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        fixaccel::log_line(std::string("error: ") + error.what(), {fixaccel::LogLevel::error, "ends"});
        fixaccel::flush_log(kLastLines);
        return 1;
    }
    fixaccel::flush_log(kLastLines);
    return 0;
}
