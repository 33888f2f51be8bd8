// SPDX-License-Identifier: Apache-2.0
// fixaccel-vboard: the fabric between two network interfaces.
#include <CLI/CLI.hpp>
#include <iostream>

#include "fixaccel/version.hpp"
#include "virtual_board.hpp"

namespace {

constexpr const char* kFooter = R"(Examples:
  fixaccel-vboard --net phy0 --cpu mac0 --socket board.sock
  fixaccel-vboard --net phy0 --cpu mac0 --socket board.sock --pcap-net wire.pcap
  fixaccel-vboard --net phy0 --cpu mac0 --socket board.sock --drop-order 2
  fixaccel-vboard --net phy0 --gem gem.sock --socket board.sock

It prints `ready` once it serves, and a line of statistics when SIGTERM or SIGINT ends it. For tests, SIGUSR1 stalls the
wire towards the exchange between two frames, and SIGUSR2 lets it go on. With --gem frames pass a model of the Zynq's
Ethernet controller, and those of the CPU are fixaccel-gemd's, which finds both at that socket. Both interfaces need their
peers' offloads off: ethtool -K PEER tx off tso off gso off gro off.)";

int run(const fixaccel::board::VirtualBoardOptions& options) {
    fixaccel::board::VirtualBoard board(options);
    std::cout << "ready" << std::endl;
    board.run();
    std::cout << board.stats() << std::endl;
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    fixaccel::board::VirtualBoardOptions options;
    CLI::App app{"Virtual board: the Verilated fabric as a bump in the wire between two interfaces."};
    app.name("fixaccel-vboard");
    app.set_version_flag("--version", fixaccel::version_line("fixaccel-vboard", FIXACCEL_VERSION));
    app.footer(kFooter);
    app.add_option("--net", options.net, "Interface towards the exchange")->required()->type_name("IFACE");
    auto* ends = app.add_option_group("CPU", "Where the CPU's frames come from");
    ends->add_option("--cpu", options.cpu, "Interface towards the CPU")->type_name("IFACE");
    auto* gem = ends->add_option("--gem", options.gem,
                                 "Unix socket to serve the controller and the fabric's window at")
                    ->type_name("PATH");
    ends->require_option(1);
    app.add_option("--socket", options.socket, "Unix socket to serve registers at")
        ->required()
        ->type_name("PATH");
    app.add_option("--pcap-net", options.pcap, "Capture the exchange's side, nanosecond pcap")
        ->type_name("FILE");
    app.add_option("--trace", options.trace, "Write waveforms, VCD (needs a build with FIXACCEL_TRACE)")
        ->type_name("FILE");
    app.add_flag("--stats", options.stats, "Print the statistics every second");
    app.add_option("--gem-seed", options.timing.seed, "What the controller's DMA does at random")
        ->capture_default_str();
    const char* group = "Faults for tests, each once, counted from 1";
    app.add_option("--drop-order", options.faults.drop_order,
                   "Lose the N-th order frame of the fabric on the wire")
        ->group(group)
        ->type_name("N");
    app.add_option("--drop-net", options.faults.drop_net,
                   "Lose the N-th frame with TCP payload from the exchange")
        ->group(group)
        ->type_name("N");
    app.add_option("--under-run", options.timing.under_run,
                   "With --gem: cut the N-th frame off for want of data")
        ->group(group)
        ->type_name("N");
    app.add_option("--bus-error", options.timing.bus_error,
                   "With --gem: cut the N-th frame off by an error of the bus")
        ->group(group)
        ->type_name("N");
    app.add_option("--corrupt-net", options.faults.corrupt_net,
                   "Damage the FCS of the N-th frame with TCP payload from the exchange")
        ->group(group)
        ->type_name("N");
    app.add_option("--corrupt-holding", options.faults.corrupt_holding,
                   "Damage the FCS of the first frame from the exchange whose TCP payload holds this text")
        ->group(group)
        ->type_name("TEXT");
    app.add_option("--stall-behind", options.stall_behind,
                   "With --cpu: stall the wire towards the exchange in the middle of a frame, behind the "
                   "first such text in one, until SIGUSR2")
        ->group(group)
        ->excludes(gem)
        ->type_name("TEXT");
    CLI11_PARSE(app, argc, argv);
    try {
        return run(options);
    } catch (const std::exception& error) {
        std::cerr << "fixaccel-vboard: " << error.what() << '\n';
        return 1;
    }
}
