// SPDX-License-Identifier: Apache-2.0
// Plays a capture of the exchange's frames into the fabric and collects what it fires.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fixaccel/bundle.hpp"
#include "fixaccel/windows.hpp"
#include "gem_controller.hpp"
#include "pcap.hpp"
#include "ring_reader.hpp"
#include "sim_fills.hpp"
#include "verilated_core.hpp"

namespace fixaccel::board {

class SimError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The flow and the state in which it starts. What is left out is taken from the first frame with TCP payload:
// its addresses and ports, its seq, its ack, its time.
struct SimSession {
    std::optional<std::uint32_t> local_ip;  // the CPU's
    std::optional<std::uint32_t> remote_ip;
    std::optional<std::uint16_t> local_port;
    std::optional<std::uint16_t> remote_port;
    std::optional<std::uint32_t> isn_local;   // sequence number of the first payload byte to send
    std::optional<std::uint32_t> isn_remote;  // sequence number of the first payload byte to parse
    std::optional<std::uint64_t> clock_ns;    // UTC
    std::uint32_t next_seq_num = 1;           // MsgSeqNum
    std::string epoch = "0000";
    std::uint32_t generation = 1;
    unsigned settle = 512;  // cycles without any event after which a frame has had its effect
};

// A bundle that follows while armed.
struct SimLoadJob {
    std::string bundle;       // folder
    std::string journal;      // folder, empty
    std::uint64_t after = 0;  // frames that have been played before
    unsigned within = 0;      // cycles into the next frame in which the flip is asked for; 0: ahead of it
};

struct SimJob {
    std::string bundle;  // folder
    std::string in;      // capture to play
    std::string orders;  // capture to write, empty for none
    std::string ring;    // JSON lines to write, empty for none
    // Capture to write of both directions of the exchange's wire, with FCS and the times of the first bytes;
    // empty for none. With it the frames come at line rate, one right behind the other, and the clock runs.
    std::string wire;
    // JSON lines to write, empty for none: of the `gem-bram` interface, for each frame that fires when what
    // the figures count has happened, in cycles from frame ready on.
    std::string figures;
    SimSession session;
    std::optional<SimLoadJob> load;
    std::vector<SimExecution> executions;  // by the frames that have been played before, rising
    std::vector<std::uint64_t> bad_fcs;    // frames that come with a wrong FCS, rising
};

class RtlSim {
  public:
    // `gem`: behind the `gem-bram` interface; null: behind a wire.
    RtlSim(const std::string& trace, const GemTiming* gem);
    // Runs one job on a fresh fabric; returns its summary, a line of JSON. Throws SimError, BundleError,
    // PcapError or BoardError.
    std::string run(const SimJob& job);
    std::uint64_t cycles() const { return core_.cycles(); }

  private:
    struct Flow;
    struct Run;

    void clean(const Bundle& next);
    void set_up(const Bundle& bundle, const Flow& flow, const SimSession& session);
    void handshake(const Flow& flow);
    void arm(const Flow& flow);
    void set_clock(std::uint64_t time_ns);
    void open_windows();
    void follow_day(Run& run, std::uint64_t time_ns);
    void follow_roll(std::uint64_t time_ns);
    void plan_roll(std::uint64_t time_ns);
    void advance_clock(std::uint64_t time_ns);
    void play_each(Run& run, const std::vector<CapturedFrame>& frames);
    void play(Run& run, std::size_t number, const CapturedFrame& frame);
    // The same, with a load while it arrives or ahead of it.
    void play_loading(Run& run, std::size_t number, const CapturedFrame& frame);
    void push(const Run& run, std::size_t number, const CapturedFrame& frame);
    void play_at_line_rate(Run& run, const std::vector<CapturedFrame>& frames);
    void collect(Run& run);
    void measure(Run& run, std::uint64_t frame);
    void settle(Run* run, unsigned cycles);
    std::string summary(const Run& run, std::size_t frames, std::uint64_t first_cycle);

    VerilatedCore core_;
    std::uint64_t now_ns_ = 0;                         // what the fabric's clock says
    std::uint64_t pending_ns_ = 0;                     // still to be told to it
    bool running_ = false;                             // it counts cycles by itself
    std::vector<std::pair<Bundle, unsigned>> loaded_;  // what the tables hold, by bank
    Windows windows_;                                  // of time, of that bundle
    std::uint32_t open_ = 0;                           // those that are open
    Zone zone_;                                        // of the venue, if it matters
    std::optional<std::int32_t> day_roll_;             // of its day, by that
    std::uint64_t rolls_ns_ = 0;                       // when that comes next
};

}  // namespace fixaccel::board
