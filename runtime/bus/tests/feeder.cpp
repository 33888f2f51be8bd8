// SPDX-License-Identifier: Apache-2.0
// Stands in for a daemon in the tests of the bus: writes a ring and a journal as it is told, a line a time.
//
//   quotes FIX      a message with market data, | for SOH
//   many N FIX      the same N times, the last digit of it counting
//   unknown         nothing is known of the market
//   record JSON     of the journal, durable at once
//   later JSON      the same, durable with the next one that is
//
// Each line is answered by the number of the last record of the journal and of the ring.
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "bus/ring.hpp"
#include "fixaccel/journal.hpp"
#include "fixaccel/utc_clock.hpp"

namespace {

constexpr int kBeatMs = 20;
constexpr std::uint64_t kSegment = 16384;  // small: files turn over

std::string wire(std::string text) {
    for (char& c : text) c = c == '|' ? '\x01' : c;
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    using fixaccel::Journal;
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s RING RING-BYTES JOURNAL\n", argv[0]);
        return 2;
    }
    try {
        Journal journal(argv[3], kSegment);
        fixaccel::bus::RingWriter ring(argv[1], std::stoull(argv[2]));
        std::uint64_t fires = 0, reports = 0;
        const auto turn = [&] {
            ring.turn({.phase = "armed",
                       .durable = journal.durable_record(),
                       .fires = fires,
                       .reports = reports,
                       .armed = true,
                       .connected = true},
                      fixaccel::utc_ns(), false);
        };
        const auto record = [&](const std::string& text, Journal::Sync sync) {
            fixaccel::Record made(nlohmann::json::parse(text));
            fires += made.at("type") == "fire" ? 1 : 0;
            reports += made.at("type") == "execution" ? 1 : 0;
            made["time_ns"] = fixaccel::utc_ns();
            journal.append(made, sync);
            if (journal.full()) journal.begin_segment();
        };
        turn();
        std::string input;
        while (true) {
            pollfd in{STDIN_FILENO, POLLIN, 0};
            if (::poll(&in, 1, kBeatMs) <= 0) {
                turn();
                continue;
            }
            std::array<char, 65536> piece{};
            const ssize_t count = ::read(STDIN_FILENO, piece.data(), piece.size());
            if (count <= 0) return 0;
            input.append(piece.data(), static_cast<std::size_t>(count));
            for (std::size_t end = 0; (end = input.find('\n')) != std::string::npos;
                 input.erase(0, end + 1)) {
                const std::string line = input.substr(0, end);
                const std::size_t space = std::min(line.find(' '), line.size());
                const std::string word = line.substr(0, space);
                const std::string rest = space < line.size() ? line.substr(space + 1) : "";
                if (word == "quotes") ring.quotes(wire(rest), fixaccel::utc_ns());
                if (word == "many") {
                    const std::size_t behind = rest.find(' ');
                    std::string message = wire(rest.substr(behind + 1));
                    for (std::uint64_t i = 0; i < std::stoull(rest); ++i) {
                        message.back() = static_cast<char>('0' + i % 10);
                        ring.quotes(message, fixaccel::utc_ns());
                    }
                }
                if (word == "unknown") ring.market_unknown(fixaccel::utc_ns());
                if (word == "record") record(rest, Journal::Sync::now);
                if (word == "later") record(rest, Journal::Sync::later);
                turn();
                std::cout << journal.last_record() << ' ' << ring.records() << std::endl;
            }
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
