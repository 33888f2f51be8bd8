// SPDX-License-Identifier: Apache-2.0
// One session around the core: venue, kernel, runtime and referee, from the handshake to the last audit.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>

#include "core_bench.hpp"
#include "cpu_side.hpp"
#include "failure.hpp"
#include "fixaccel/bundle.hpp"
#include "fixaccel/fabric.hpp"
#include "kinds.hpp"
#include "market_rules.hpp"
#include "random.hpp"
#include "referee.hpp"
#include "venue.hpp"

namespace fixaccel::hostile {

class Episode final : public Surroundings {
  public:
    struct Counts {
        std::uint64_t frames = 0, cycles = 0, candidates = 0, orders = 0, audits = 0, resyncs = 0,
                      cancelled = 0, newly_armed = 0, limited = 0, two_flows = 0, aborted = 0, spoiled = 0;
    };

    Episode(CoreBench& bench, const MarketRules& rules, std::uint64_t seed, Kinds kinds);

    // Tables, registers, handshake; then armed.
    void start();
    // The same, quiet: nothing comes off the wire but what is said or injected.
    void start_quiet();
    // Random traffic until the venue has sent `frames`, then an audit. Throws Failure.
    void run(std::uint64_t frames);

    // ---- what runs are made of; scenarios use them one by one
    void idle(std::uint64_t cycles);
    // Takes the fires off the ring, into kernel and referee.
    // At most so many records.
    void drain(std::uint32_t most = ~0U);
    // Lets everything come to rest, then compares all state with the reference.
    void audit();
    void resync();
    // The runtime's way on a stream that goes on: it has read so far, and the fabric may have found the
    // stream.
    bool confirm(const Boundaries& read);
    void arm();
    void disarm();
    void kill(bool on);
    // The same rules as at the start, none of them spent.
    void reload();
    // A message of the runtime, under the lease.
    void heartbeat();
    void set_clock(std::uint64_t utc_ns);
    // From now on orders begin with so many bytes of their frame to come; 0: behind the verdict.
    void begin_ahead(std::uint32_t bytes);
    void set_quiet(bool quiet);
    // The line takes no byte until told otherwise.
    void hold_line(bool hold) { line_held_ = hold; }
    void step_time(std::uint64_t ns) { extra_ns_ += ns; }

    Fabric& fabric() { return fabric_; }
    Board& board() { return bench_; }
    Venue& venue() { return venue_; }
    CpuSide& cpu() { return cpu_; }
    // The application's end of the connection that market data come on.
    CpuSide& reader() { return reader_ ? *reader_ : cpu_; }
    Referee& referee() { return referee_; }
    const MarketRules& rules() const { return rules_; }
    std::uint64_t now_ns() const { return now_ns_; }
    std::uint64_t cycle() const { return bench_.cycle(); }
    Counts counts() const;
    // Status and the counters that are not zero, for a report of a failure.
    std::string registers_text();
    // The last frames on either side of the core, as a capture.
    void write_capture(const std::filesystem::path& file) const;

    std::optional<RawFrame> next_from_net() override;
    std::optional<RawFrame> next_from_cpu() override;
    void entered_from_net(const RawFrame& frame, std::uint64_t first, std::uint64_t last) override;
    void entered_from_cpu(const RawFrame& frame) override;
    void left_to_net(Bytes bytes, bool aborted, std::uint64_t first, std::uint64_t last) override;
    void left_to_cpu(Bytes bytes) override;
    bool net_ready() override;
    bool cpu_ready() override { return true; }
    std::uint32_t elapsed_ns() override;

  private:
    struct Seen {
        std::uint64_t time_ns;
        Bytes bytes;
    };

    void load(const Bundle& bundle);
    void limit();
    void check_limits();
    void registers();
    // Tables, registers, handshake: all is quiet behind it.
    void prepare();
    void handshake();
    void greet(Venue& venue, CpuSide& cpu, const Referee::Session& session);
    // A message of the runtime on the market flow, which needs no lease.
    void market_heartbeat();
    std::uint64_t venue_frames() const { return venue_.frames() + (desk_ ? desk_->frames() : 0); }
    void status();
    void act();
    bool settled();
    std::string unrest() const;
    std::vector<std::uint32_t> trigger_bits(const hwmap::Window& memory);
    void close();
    void remember(const Bytes& bytes);

    CoreBench& bench_;
    const MarketRules& rules_;
    Random random_;
    Kinds kinds_;
    Referee::Session session_;                  // orders leave there
    std::optional<Referee::Session> market_{};  // market data come from there, if not from the session
    Referee referee_;
    Venue venue_;                      // says the market data
    std::optional<Venue> desk_{};      // takes the orders, where that is another connection
    CpuSide cpu_;                      // of the session
    std::optional<CpuSide> reader_{};  // of the market flow
    Fabric fabric_;
    bool judged_ = false;                  // false until the session stands
    std::optional<std::uint32_t> rate_{};  // orders a second
    bool limited_ = false;                 // limits are loaded
    std::uint32_t ahead_ = 0;              // bytes that may be to come of a frame when an order begins
    bool line_held_ = false;
    bool quiet_ = false;
    std::uint64_t line_ready_at_ = 0;
    std::uint64_t last_move_ = 0;
    std::uint64_t now_ns_ = 0;
    std::uint64_t extra_ns_ = 0;
    std::uint64_t start_cycle_ = 0;
    std::uint32_t cycle_offset_ = 0;
    std::uint32_t tail_ = 0;
    std::uint32_t generation_ = 0;
    Counts counts_{};
    std::deque<Seen> seen_{};
};

}  // namespace fixaccel::hostile
