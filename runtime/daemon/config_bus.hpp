// SPDX-License-Identifier: Apache-2.0
// The settings of the message bus: [bus], which daemon and relay read alike.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fixaccel {

struct BusSettings {
    std::string site;
    std::string board;
    std::vector<std::string> servers;  // nats://HOST:PORT or tls://HOST:PORT
    std::filesystem::path key_file;    // the relay's seed; empty: the servers ask for none
    std::filesystem::path ca_file;     // whose servers are trusted; needed with tls://
    std::filesystem::path ring_file;   // empty: by site and board, see ring()
    std::uint64_t ring_mib = 16;
    std::chrono::nanoseconds refresh{};  // every instrument is said again within

    BusSettings();
    std::filesystem::path ring() const;
};

// What of it contradicts itself, or is missing.
void check_bus(const BusSettings& bus, std::vector<std::string>& problems);

}  // namespace fixaccel
