// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "bus/relay.hpp"
#include "config.hpp"
#include "fixaccel/version.hpp"
#include "log.hpp"

namespace {

constexpr auto kLastLines = std::chrono::seconds(1);

std::atomic<bool> stop = false;

void end(int /*signal*/) { stop = true; }

// Two relays of one ring would publish everything twice. Held until the process ends.
bool alone(const std::string& lock_file) {
    const int fd = ::open(lock_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0660);
    if (fd < 0) throw fixaccel::bus::RingError(lock_file + ": cannot be made: " + std::strerror(errno));
    return ::flock(fd, LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

int main(int argc, char** argv) {
    std::string config_file, journal;
    bool check = false;
    CLI::App app{
        "Publishes what a daemon shows in its ring and its journal on the message bus; see `fixaccel bus`."};
    app.set_version_flag("--version", fixaccel::version_line("fixaccel-relay", FIXACCEL_VERSION));
    app.add_option("--config", config_file, "The daemon's configuration file (TOML), with [bus]")->required();
    app.add_option("--journal", journal, "Journal folder, where it is not that of the file");
    app.add_flag("--check", check, "Check the configuration, say all that is wrong with it, and end");
    app.footer(
        "Exit status: 0 ended as asked, 1 the events cannot go on or another relay is there, 2 wrong "
        "configuration.");
    CLI11_PARSE(app, argc, argv);
    fixaccel::DaemonConfig config;
    std::vector<std::string> problems;
    fixaccel::read_config(config_file, config, problems);
    if (problems.empty() && !config.bus)
        problems.push_back(config_file + " has no [bus]: site, board, servers");
    if (config.bus) {
        fixaccel::check_bus(*config.bus, problems);
        if (config.bus->servers.empty()) problems.emplace_back("bus.servers must name the servers");
    }
    for (const std::string& problem : problems) std::fprintf(stderr, "%s\n", problem.c_str());
    if (!problems.empty()) return 2;
    if (check) {
        std::puts("the configuration is in order");
        return 0;
    }
    if (!journal.empty()) config.journal = journal;
    std::signal(SIGTERM, end);
    std::signal(SIGINT, end);
    std::signal(SIGPIPE, SIG_IGN);
    fixaccel::log_as(config.log_format, "fixaccel-relay");
    int status = 0;
    try {
        if (!alone(config.bus->ring().string() + ".relay"))
            throw fixaccel::bus::RingError(config.bus->ring().string() + " has a relay already");
        fixaccel::bus::Relay relay(*config.bus, config.journal);
        fixaccel::announce("ready");
        relay.run(stop);
    } catch (const std::exception& error) {
        fixaccel::log_line(std::string("error: ") + error.what(), {fixaccel::LogLevel::error, "ends"});
        status = 1;
    }
    fixaccel::flush_log(kLastLines);
    return status;
}
