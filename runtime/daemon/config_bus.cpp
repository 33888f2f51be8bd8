// SPDX-License-Identifier: Apache-2.0
#include "config_bus.hpp"

#include <algorithm>
#include <bit>

#include "bus/gen/bus.hpp"
#include "config_bus_table.hpp"

namespace fixaccel {
namespace {

constexpr std::int64_t kMostMib = 1024;
constexpr std::size_t kLongestName = 32;
constexpr std::size_t kMostServers = 16;

Setter bus_servers(std::vector<std::string>& out) {
    return [&out](const toml::node& node) {
        const char* const expected = R"(a list of servers in quotes, such as ["tls://nats-1:4222"])";
        if (!node.is_array() || node.as_array()->empty() || node.as_array()->size() > kMostServers ||
            !node.as_array()->is_homogeneous(toml::node_type::string))
            throw BadValue{expected};
        out.clear();
        for (const toml::node& each : *node.as_array()) {
            out.push_back(*each.value<std::string>());
            if (!out.back().starts_with("nats://") && !out.back().starts_with("tls://"))
                throw BadValue{expected};
        }
    };
}

Setter bus_name(std::string& out) {
    return [&out](const toml::node& node) {
        const auto value = node.value<std::string>();
        const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
        if (!node.is_string() || value->empty() || value->size() > kLongestName ||
            !std::ranges::all_of(*value, fits))
            throw BadValue{"1 to 32 of a to z, 0 to 9 and -"};
        out = *value;
    };
}

bool loopback(std::string_view server) {
    const std::string_view host = server.substr(server.find("//") + 2);
    return host.starts_with("127.") || host.starts_with("localhost:") || host.starts_with("[::1]");
}

}  // namespace

BusSettings::BusSettings() : refresh(std::chrono::milliseconds(bus::kRefreshMs)) {}

std::filesystem::path BusSettings::ring() const {
    if (!ring_file.empty()) return ring_file;
    return "/dev/shm/fixaccel-" + site + "-" + board + ".ring";
}

Setter bus_table(std::optional<BusSettings>& out, const std::filesystem::path& file,
                 std::vector<std::string>& problems) {
    return [&](const toml::node& node) {
        if (!node.is_table()) throw BadValue{"a table: site, board, servers"};
        BusSettings& bus = out ? *out : out.emplace();
        const std::filesystem::path base = file.parent_path();
        const Setter mib = [&](const toml::node& value) {
            bus.ring_mib = static_cast<std::uint64_t>(integer(value, 1, kMostMib));
            if (!std::has_single_bit(bus.ring_mib)) throw BadValue{"a power of two, from 1 to 1024"};
        };
        apply(
            *node.as_table(),
            {{"site", bus_name(bus.site)},
             {"board", bus_name(bus.board)},
             {"servers", bus_servers(bus.servers)},
             {"key_file", path(bus.key_file, base)},
             {"ca_file", path(bus.ca_file, base)},
             {"ring_file", path(bus.ring_file, base)},
             {"ring_mib", mib},
             {"refresh_ms", duration<std::chrono::milliseconds>(bus.refresh, std::chrono::minutes(1), 100)}},
            file, problems);
    };
}

void check_bus(const BusSettings& bus, std::vector<std::string>& problems) {
    if (bus.site.empty() || bus.board.empty())
        problems.emplace_back("bus.site and bus.board must be there: they are in the names of all subjects");
    const auto with_tls = [](const std::string& server) { return server.starts_with("tls://"); };
    if (std::ranges::any_of(bus.servers, with_tls) && bus.ca_file.empty())
        problems.emplace_back("bus.ca_file must name the CA of the servers, for they are asked by TLS");
    for (const std::string& server : bus.servers)
        if (!with_tls(server) && !loopback(server))
            problems.push_back("bus.servers: " + server +
                               " is asked without TLS and is not on this machine; write tls:// in its place");
}

}  // namespace fixaccel
