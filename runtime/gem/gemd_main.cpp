// SPDX-License-Identifier: Apache-2.0
// fixaccel-gemd: the processing system's Ethernet controller for the fabric and, behind it, for the kernel.
#include <CLI/CLI.hpp>
#include <iostream>

#include "fixaccel/version.hpp"
#include "gemd.hpp"

namespace {

constexpr const char* kFooter = R"(Examples:
  fixaccel-gemd --bus uio:uio0,uio1 --tap fix0 --user fixaccel
  fixaccel-gemd --bus unix:gem.sock --tap cl0

It prints `ready` once frames pass, and a line of statistics when SIGTERM or SIGINT ends it. It needs CAP_NET_ADMIN to make
the interface and the right to open its devices; it gives up every privilege before the first frame. At the end the
controller's registers are as they were, with receiving and sending off: `macb` can be bound to it again.)";

int run(const fixaccel::gem::GemdOptions& options) {
    fixaccel::gem::Gemd gemd(options);
    std::cout << "ready" << std::endl;
    gemd.run();
    std::cout << gemd.stats() << std::endl;
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    fixaccel::gem::GemdOptions options;
    auto poll_us = static_cast<std::uint64_t>(options.poll.count());
    CLI::App app{
        "Driver of the Zynq's Ethernet controller in user space, with a TAP interface for the kernel."};
    app.name("fixaccel-gemd");
    app.set_version_flag("--version", fixaccel::version_line("fixaccel-gemd", FIXACCEL_VERSION));
    app.footer(kFooter);
    app.add_option("--bus", options.bus, "uio:WINDOW,CONTROLLER, or unix:PATH of a virtual board")
        ->required()
        ->type_name("BUS");
    app.add_option("--tap", options.tap, "Interface to make")->required()->type_name("NAME");
    app.add_option("--mac", options.mac, "Its MAC address")->type_name("MAC");
    app.add_option("--user", options.user, "Who it becomes once its devices are open")->type_name("NAME");
    app.add_option("--poll-us", poll_us, "Microseconds between two looks where no interrupt comes")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    options.poll = std::chrono::microseconds(poll_us);
    try {
        return run(options);
    } catch (const std::exception& error) {
        std::cerr << "fixaccel-gemd: " << error.what() << '\n';
        return 1;
    }
}
