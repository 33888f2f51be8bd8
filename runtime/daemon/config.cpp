// SPDX-License-Identifier: Apache-2.0
#include "config.hpp"

#include <toml++/toml.h>

#include <utility>

#include "config_bus_table.hpp"
#include "config_tls.hpp"
#include "config_values.hpp"
#include "fixaccel/read_file.hpp"

namespace fixaccel {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr std::int64_t kMostKeys = 64;
constexpr std::int64_t kMostWakeUs = 1'000'000;

}  // namespace

void read_config(const std::filesystem::path& file, DaemonConfig& config,
                 std::vector<std::string>& problems) {
    try {
        read_config(file, read_file(file.string(), kMostBytes), config, problems);
    } catch (const FileError& error) {
        problems.emplace_back(error.what());
    }
}

void read_config(const std::filesystem::path& file, const std::string& text_of_file, DaemonConfig& config,
                 std::vector<std::string>& problems) {
    toml::table table;
    try {
        table = toml::parse(text_of_file, file.string());
    } catch (const toml::parse_error& error) {
        return problems.push_back(at(file, error.source(), std::string(error.description())));
    }
    const auto section = [&](Setters setters) { return of_table(std::move(setters), file, problems); };
    using std::chrono::microseconds;
    using std::chrono::milliseconds;
    const Setter resend = word<ResendPolicy>(
        config.resend, {{"resend", ResendPolicy::resend}, {"gap-fill", ResendPolicy::gap_fill}});
    const Setter log_format =
        word<LogFormat>(config.log_format, {{"text", LogFormat::text}, {"json", LogFormat::json}});
    const Setter rearm = word<RearmAfterLoss>(
        config.rearm, {{"never", RearmAfterLoss::never}, {"when-known", RearmAfterLoss::when_known}});
    const Setter rearms = [&](const toml::node& node) {
        config.rearms_per_minute = static_cast<std::uint32_t>(integer(node, 1, 60));
    };
    const Setter max_unacked = [&](const toml::node& node) {
        config.limits.max_unacked = static_cast<std::uint32_t>(integer(node, 1, 1 << 30));
    };
    const Setter journal_segment = [&](const toml::node& node) {
        config.journal_segment =
            static_cast<std::uint64_t>(integer(node, kLeastSegmentBytes, kMostSegmentBytes));
    };
    const Setter max_segment = [&](const toml::node& node) {
        config.max_segment =
            static_cast<std::uint32_t>(integer(node, 88, 1460));  // 88: the least that Linux takes
    };
    const Setter after_logout = word<bool>(config.back_after_logout, {{"stay", false}, {"come-back", true}});
    const Setter signatures = [&](const toml::node& node) {
        config.bundle_signatures = static_cast<std::size_t>(integer(node, 1, kMostKeys));
    };
    const Setter core = [&](const toml::node& node) {
        config.cpu.place.core = static_cast<unsigned>(integer(node, 0, kMostCores - 1));
    };
    const Setter wake = [&](const toml::node& node) {
        config.cpu.wake = microseconds(integer(node, 0, kMostWakeUs));
    };
    const Setter require = word<bool>(config.cpu.require_verified, {{"verified", true}, {"nothing", false}});
    const Setter stamps = [&](const toml::node& node) {
        word<Stamps>(config.cpu.stamps, {{"off", Stamps::off},
                                         {"app", Stamps::app},
                                         {"kernel", Stamps::kernel},
                                         {"hardware", Stamps::hardware}})(node);
        config.cpu.stamps_at = at(file, node.source(), "");
    };
    // They are read when they are used.
    const auto settings = [&](FixFile& out) -> Setter {
        return [&](const toml::node& node) {
            std::filesystem::path named;
            path(named, file.parent_path())(node);
            out = {named.string(), "", false};
        };
    };
    const Setters root{
        {"board", text(config.board)},
        {"control", control(config.control, config.control_tls, file, problems)},
        {"journal", path(config.journal, file.parent_path())},
        {"journal_segment_bytes", journal_segment},
        {"bundle", path(config.bundle, file.parent_path())},
        {"log_format", log_format},
        {"kill_file", path(config.kill_file, file.parent_path())},
        {"bus", bus_table(config.bus, file, problems)},
        {"bundles",
         section({{"keys", paths(config.bundle_keys, file.parent_path())}, {"signatures", signatures}})},
        {"session",
         section({{"quickfix", settings(config.quickfix)},
                  {"quickfix_market", settings(config.quickfix_market)},
                  {"resend_orders", resend},
                  {"full_book", flag(config.full_book)},
                  {"max_segment_bytes", max_segment},
                  {"day_roll", time_of_day(config.day_roll)},
                  {"reconnect_ms", duration<milliseconds>(config.reconnect)},
                  {"reconnect_most_ms", duration<milliseconds>(config.reconnect_most, std::chrono::hours(1))},
                  {"rearm_after_loss", rearm},
                  {"rearms_per_minute", rearms},
                  {"after_logout", after_logout},
                  {"stand_in", flag(config.stand_in)},
                  {"snapshot_wait_ms", duration<milliseconds>(config.snapshot_wait)}})},
        {"cpu", section({{"core", core},
                         {"policy", policy(config.cpu.place.fifo)},
                         {"lock_memory", flag(config.cpu.place.lock_memory)},
                         {"busy_poll_us", duration<microseconds>(config.cpu.busy_poll, kFabricMost, 0)},
                         {"stamps", stamps},
                         {"interface", text(config.cpu.interface)},
                         {"wake_us", wake},
                         {"verdict", path(config.cpu.verdict, file.parent_path())},
                         {"require", require}})},
        {"limits", section({{"watchdog_ms", duration<milliseconds>(config.limits.watchdog)},
                            {"lease_ms", duration<milliseconds>(config.limits.lease)},
                            {"hold_ms", duration<milliseconds>(config.limits.hold)},
                            {"rx_gate_ms", duration<milliseconds>(config.limits.rx_gate)},
                            {"clock_max_age_ms", duration<milliseconds>(config.limits.clock_max_age)},
                            {"clock_max_error_us", duration<microseconds>(config.clock_max_error)},
                            {"longest_change_s", duration<std::chrono::seconds>(config.longest_change,
                                                                                std::chrono::hours(24 * 7))},
                            {"clock_step_ms", duration<milliseconds>(config.clock_step)},
                            {"max_unacked_bytes", max_unacked},
                            {"poll_us", duration<microseconds>(config.poll, kFabricMost, 0)}})},
    };
    apply(table, root, file, problems);
}

}  // namespace fixaccel
