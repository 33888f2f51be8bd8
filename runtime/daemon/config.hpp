// SPDX-License-Identifier: Apache-2.0
// Configuration of fixacceld: built-in values, then the TOML file, then the command line.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "config_bus.hpp"
#include "fixaccel/bundle.hpp"
#include "fixaccel/fabric.hpp"
#include "fixaccel/fix_session.hpp"
#include "fixaccel/journal.hpp"
#include "fixaccel/own_core.hpp"
#include "log.hpp"
#include "roles.hpp"
#include "stamps.hpp"
#include "tls_context.hpp"

namespace fixaccel {

// The configuration is wrong; the text names all that is, a line each: file, place and what would be right.
class ConfigError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Whether it is armed again by itself after the session was lost: never, or once it is known what has become
// of everything that was sent.
enum class RearmAfterLoss { never, when_known };

// What it takes of the machine, and asks of it.
struct CpuSettings {
    CorePlan place{};
    std::chrono::nanoseconds busy_poll{0};            // for which a read waits at the card; 0: not at all
    Stamps stamps = Stamps::app;                      // of the times of orders
    std::string stamps_at{};                          // file, line and column that say so; empty: none does
    std::string interface {};                         // towards the venue, whose card stamps
    std::optional<std::chrono::microseconds> wake{};  // in which each core is awake while armed
    std::filesystem::path wake_device = "/dev/cpu_dma_latency";
    std::filesystem::path verdict = "/run/fixaccel-tune.json";  // of `fixaccel tune` on the machine
    bool require_verified = false;                              // of that verdict, to be armed
};

struct DaemonConfig {
    std::string board = "unix:/run/fixaccel/board.sock";
    ControlDoors control{
        {Role::admin, {"unix:/run/fixaccel/control.sock"}}};  // that of admin is always there
    std::optional<TlsSettings> control_tls;                   // over TCP, too
    std::filesystem::path journal = "/var/lib/fixaccel";
    std::uint64_t journal_segment = kSegmentBytes;  // behind so many bytes a new one begins
    FixFile quickfix{};         // FIX session settings; without a path: the bundle's client/quickfix.cfg
    FixFile quickfix_market{};  // likewise of a session for market data alone, client/quickfix-market.cfg
    std::vector<std::filesystem::path>
        bundle_keys;  // one of them has to have signed a bundle; none: nobody has to
    std::optional<std::size_t> bundle_signatures;  // so many of them have to
    std::filesystem::path bundle;                  // deployed at start; empty: wait for a deploy
    std::filesystem::path kill_file;               // whose appearance turns the kill switch on; empty: none
    LogFormat log_format = LogFormat::text;
    std::optional<BusSettings> bus;  // none: nobody looks on
    bool reconciled =
        false;  // the venue is asked for what is in doubt, and what another journal left is dropped

    CpuSettings cpu;
    FabricLimits limits;
    ResendPolicy resend = ResendPolicy::resend;
    std::optional<std::int32_t> day_roll;  // when the venue's day ends: second of the day in its zone
    std::uint32_t max_segment = 0;  // bytes of TCP payload in a frame of the session; 0: no limit of ours
    bool full_book = false;         // MarketDepth(264) 0, else top of book
    std::chrono::nanoseconds clock_max_error{0};  // of the machine's clock, to be armed; 0: whatever it is
    std::chrono::nanoseconds clock_step{std::chrono::seconds(2)};  // the system's clock was set: not followed
    std::chrono::nanoseconds poll{
        std::chrono::microseconds(500)};  // of the event ring while armed; 0: it never rests
    std::chrono::nanoseconds reconnect{std::chrono::seconds(2)};        // the first pause
    std::chrono::nanoseconds reconnect_most{std::chrono::seconds(60)};  // it doubles up to that
    RearmAfterLoss rearm = RearmAfterLoss::never;
    std::uint32_t rearms_per_minute = 3;
    bool stand_in = true;            // the runtime, for a fabric that sees nothing of the market
    bool back_after_logout = false;  // a Logout of the venue is a loss like any other
    std::chrono::nanoseconds snapshot_wait{
        std::chrono::seconds(2)};  // for a first snapshot of each instrument
    std::chrono::nanoseconds longest_change{std::chrono::hours(24)};  // of a limit, while it runs
};

// Overwrites `config` with what `file` says, as far as that is right; all else goes to `problems`, unknown
// keys too.
void read_config(const std::filesystem::path& file, DaemonConfig& config, std::vector<std::string>& problems);

// The same of its text.
void read_config(const std::filesystem::path& file, const std::string& text, DaemonConfig& config,
                 std::vector<std::string>& problems);

// Reads the keys. Throws SignatureError.
BundleTrust trust_of(const DaemonConfig& config);

// What of the whole contradicts itself, or names what is not there.
void check_config(const DaemonConfig& config, std::vector<std::string>& problems);

// What the card's stamps need and this machine does not have now, if they are asked for.
void check_stamps(const CpuSettings& cpu, std::vector<std::string>& problems);

}  // namespace fixaccel
