// SPDX-License-Identifier: Apache-2.0
// What no key is wrong in by itself.
#include <grp.h>
#include <sys/un.h>

#include <map>

#include "card_clock.hpp"
#include "config.hpp"
#include "fixaccel/board.hpp"
#include "fixaccel/no_board.hpp"

namespace fixaccel {
namespace {

using std::chrono::nanoseconds;

void check_endpoint(const std::string& key, const std::string& endpoint, std::vector<std::string>& problems) {
    if (!endpoint.starts_with(kUnixScheme) || endpoint.size() == kUnixScheme.size())
        problems.push_back(key + " must be unix:PATH" + (key == "board" ? ", uio:DEVICE or none" : "") +
                           ", not '" + endpoint + "'");
    else if (endpoint.size() - kUnixScheme.size() >= sizeof(sockaddr_un{}.sun_path))
        problems.push_back(key + ": the path of a socket has at most " +
                           std::to_string(sizeof(sockaddr_un{}.sun_path) - 1) + " bytes: " + endpoint);
}

void check_group(const std::string& key, const std::string& group, std::vector<std::string>& problems) {
    if (!group.empty() && ::getgrnam(group.c_str()) == nullptr)
        problems.push_back(key + ": this machine has no group '" + group + "'; `addgroup " + group +
                           "` makes it");
}

void check_control(const DaemonConfig& config, std::vector<std::string>& problems) {
    std::map<std::string, std::string> taken{{config.board, "board"}};
    for (const auto& [role, door] : config.control) {
        const std::string key = role == Role::admin ? "control" : "control." + std::string(role_text(role));
        check_endpoint(key, door.endpoint, problems);
        check_group(key, door.group, problems);
        const auto [other, is_free] = taken.emplace(door.endpoint, key);
        if (!is_free)
            problems.push_back(other->second + " and " + key + " are the same socket: " + door.endpoint);
    }
    if (config.control_tls) check_tls(*config.control_tls, problems);
}

template <typename Unit>
std::string given(const char* key, nanoseconds value) {
    return std::string(key) + " = " + std::to_string(std::chrono::duration_cast<Unit>(value).count());
}

void check_times(const DaemonConfig& config, std::vector<std::string>& problems) {
    using std::chrono::microseconds;
    using std::chrono::milliseconds;
    const std::string watchdog = given<milliseconds>("watchdog_ms", config.limits.watchdog);
    // Waiting for the lease and holding it, the daemon does nothing else: half of it, and three quarters.
    if (config.limits.lease * 5 / 4 >= config.limits.watchdog)
        problems.push_back(
            given<milliseconds>("lease_ms", config.limits.lease) + " leaves nothing of " + watchdog +
            ": the lease may take five quarters of it, and the watchdog must not expire meanwhile");
    if (config.reconnect > config.reconnect_most)
        problems.push_back(given<milliseconds>("reconnect_ms", config.reconnect) + " is more than " +
                           given<milliseconds>("reconnect_most_ms", config.reconnect_most));
    if (config.poll * 4 >= config.limits.watchdog)
        problems.push_back(given<microseconds>("poll_us", config.poll) + " is too long for " + watchdog +
                           ": it is kicked four times in that time");
}

void check_paths(const DaemonConfig& config, std::vector<std::string>& problems) {
    std::error_code error;
    const auto is = [&](const std::filesystem::path& path) {
        return std::filesystem::status(path, error).type();
    };
    using std::filesystem::file_type;
    if (const file_type journal = is(config.journal);
        journal != file_type::not_found && journal != file_type::directory)
        problems.push_back("journal: " + config.journal.string() + " is not a folder");
    if (!config.bundle.empty() && is(config.bundle) != file_type::directory)
        problems.push_back("bundle: " + config.bundle.string() + " is not a folder");
    if (!config.kill_file.empty() && config.kill_file.parent_path() == config.journal &&
        config.kill_file.filename() == "kill")
        problems.push_back("kill_file: " + config.kill_file.string() + " is the journal's own");
    for (const auto& [key, file] :
         {std::pair("quickfix", &config.quickfix), std::pair("quickfix_market", &config.quickfix_market)}) {
        try {
            if (file->path.empty()) continue;
            read_fix_settings(*file);
            if (file == &config.quickfix) check_keeps_orders(*file);
        } catch (const FixConfigError& wrong) {
            problems.push_back(std::string(key) + ": " + wrong.what());
        }
    }
}

void check_keys(const DaemonConfig& config, std::vector<std::string>& problems) {
    if (config.bundle_keys.empty() && config.bundle_signatures)
        problems.emplace_back(
            "signatures of bundles are of no use without the keys: name them as bundles.keys");
    try {
        const BundleTrust trust = trust_of(config);
        std::map<std::string, std::string> known;
        for (const BundleKey& key : trust.keys)
            if (const auto [other, is_new] = known.emplace(key.bytes, key.name); !is_new)
                problems.push_back("bundles.keys: " + other->second + " and " + key.name +
                                   " are the same key");
        if (trust.needed > known.size())
            problems.push_back("bundles.signatures: " + std::to_string(trust.needed) +
                               " of a desk that has " + std::to_string(known.size()) + " keys");
    } catch (const SignatureError& error) {
        problems.push_back(std::string("bundles.keys: ") + error.what());
    }
}

}  // namespace

void check_stamps(const CpuSettings& cpu, std::vector<std::string>& problems) {
    if (cpu.stamps != Stamps::hardware) return;
    const std::string why = cpu.interface.empty() ? "the card is to be named, as cpu.interface: the "
                                                    "interface towards the venue, as `ip route get` says"
                                                  : unusable(cpu.interface, card_clock(cpu.interface));
    if (!why.empty()) problems.push_back(cpu.stamps_at + "'stamps' cannot be \"hardware\": " + why);
}

BundleTrust trust_of(const DaemonConfig& config) {
    BundleTrust trust;
    for (const std::filesystem::path& file : config.bundle_keys) trust.keys.push_back(read_bundle_key(file));
    trust.needed = trust.keys.empty() ? 0 : config.bundle_signatures.value_or(1);
    return trust;
}

void check_config(const DaemonConfig& config, std::vector<std::string>& problems) {
    const bool mapped = config.board.starts_with(kUioScheme) && config.board.size() > kUioScheme.size();
    if (config.board != kNoBoard && !mapped) check_endpoint("board", config.board, problems);
    check_control(config, problems);
    check_times(config, problems);
    check_paths(config, problems);
    check_keys(config, problems);
    if (config.bus) check_bus(*config.bus, problems);
}

}  // namespace fixaccel
