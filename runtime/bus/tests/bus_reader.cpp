// SPDX-License-Identifier: Apache-2.0
// A reader in C++, for the tests of the bus: prints what it gets, an object a line, until it is killed.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "bus/reader.hpp"

namespace {

using fixaccel::bus::Link;
using nlohmann::json;

// With a connection that comes back, as a user would write it.
template <typename Reader, typename Take>
[[noreturn]] void read(const fixaccel::bus::LinkSettings& settings, Reader& reader, const Take& take) {
    while (true) {
        try {
            Link link(settings);
            reader.attach(link);
            while (true)
                if (auto got = reader.next(std::chrono::milliseconds(500))) take(*got);
        } catch (const fixaccel::bus::LinkError& error) {
            std::fprintf(stderr, "%s\n", error.what());
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 8) {
        std::fprintf(stderr, "usage: %s URL KEY-FILE PRINCIPAL SITE BOARD live|events AFTER\n", argv[0]);
        return 2;
    }
    const fixaccel::bus::LinkSettings settings{{argv[1]}, argv[2], "", argv[3]};
    try {
        if (std::string(argv[6]) == "live") {
            fixaccel::bus::LiveReader reader(argv[4], argv[5]);
            read(settings, reader, [](const fixaccel::bus::QuoteSeen& quote) {
                std::cout << json{{"symbol", quote.symbol},
                                  {"kind", quote.kind},
                                  {"n", quote.n},
                                  {"top", quote.top},
                                  {"missed", quote.missed ? json(*quote.missed) : json()},
                                  {"stale", quote.stale}}
                          << std::endl;
            });
        }
        fixaccel::bus::EventReader reader(argv[4], argv[5], argv[3], std::stoull(argv[7]));
        read(settings, reader, [&reader](const fixaccel::bus::EventSeen& event) {
            std::cout << json{{"n", event.n}, {"record", event.record}, {"data", event.data}} << std::endl;
            reader.ack(event.n);
        });
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
