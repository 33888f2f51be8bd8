// SPDX-License-Identifier: Apache-2.0
// The Verilated fabric as a bump in a real wire, in real time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gem_controller.hpp"
#include "packet_socket.hpp"
#include "pcap.hpp"
#include "register_server.hpp"
#include "verilated_core.hpp"
#include "wall_clock.hpp"
#include "wire_faults.hpp"

namespace fixaccel::board {

struct VirtualBoardOptions {
    std::string net;     // interface towards the exchange
    std::string cpu;     // interface towards the CPU; empty with `gem`
    std::string gem;     // path of the bus socket of the `gem-bram` interface; empty: the `wire` interface
    GemTiming timing;    // of its controller
    std::string socket;  // path of the register socket
    std::string pcap;    // capture of the exchange's side, empty for none
    std::string trace;   // VCD file, empty for none
    bool stats = false;  // a line each second
    FaultPlan faults;
    std::string
        stall_behind;  // text in a frame at which the wire towards the exchange stalls, empty for none
};

// An epoll instance that also tells of SIGTERM, SIGINT, SIGUSR1 and SIGUSR2, which the process no longer
// receives otherwise.
class EventLoop {
  public:
    EventLoop();
    ~EventLoop();
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;
    int fd() const { return epoll_; }
    int signals() const { return signals_; }
    void watch(int fd) const;

  private:
    int epoll_;
    int signals_;
};

class VirtualBoard {
  public:
    // Throws PacketError, ListenError, PcapError or BoardError.
    explicit VirtualBoard(const VirtualBoardOptions& options);
    // Serves until SIGTERM or SIGINT. SIGUSR1 stalls the wire towards the exchange, SIGUSR2 lets it go on.
    void run();
    // One line: frames, orders, losses, cycles, simulated cycles per second of CPU time.
    std::string stats() const;

  private:
    bool take_events(int timeout_ms);
    bool take_signal();
    void receive_net();
    void receive_cpu();
    void deliver();
    bool serve();
    // Cycles may change more than clocks: without that only time goes on, and the board rests between two
    // looks.
    bool at_work();
    void catch_up();
    void capture(FrameView frame);
    void every_second();

    VirtualBoardOptions options_;
    EventLoop loop_;
    PacketSocket net_;
    std::optional<PacketSocket> cpu_;
    std::optional<PcapWriter> pcap_;
    VerilatedCore core_;
    RegisterServer server_;
    std::optional<RegisterServer> bus_;  // of the `gem-bram` interface
    WireFaults faults_;
    WallClock clock_;
    bool captured_ = false;             // something is not flushed yet
    std::uint64_t rested_ = 0;          // cycle up to which there was nothing to do
    std::uint32_t ring_head_ = 0;       // as at_work() has seen it last
    std::uint64_t fired_ = 0;           // cycle in which it had moved
    std::uint64_t looked_ = 0;          // last activity at that look
    std::uint64_t aborted_ = 0;         // frames that left with err or a wrong FCS
    std::uint64_t faults_done_ = 0;     // frames lost or damaged on demand
    std::uint64_t next_report_ns_ = 0;  // for options_.stats
};

}  // namespace fixaccel::board
