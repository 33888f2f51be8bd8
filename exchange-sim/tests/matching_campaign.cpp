// SPDX-License-Identifier: Apache-2.0
// A campaign of random messages for the matching engine, for `make soak`.
//
// Usage: exchange-sim-matching-campaign SEED [RUNS] [MESSAGES]
// Plays RUNS runs of MESSAGES messages from the seed on to the engine and to the plain one. Exit status 1
// with the fewest messages of a run that differs.
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include "tests/random_venue.hpp"

int main(int argc, char** argv) {
    using namespace fixaccel::exchange;
    const auto argument = [&](int at, std::uint64_t otherwise) {
        return argc > at ? std::strtoull(argv[at], nullptr, 10) : otherwise;
    };
    const std::uint64_t runs = argument(2, 20'000);
    const std::uint64_t count = argument(3, 400);
    const std::uint64_t first = argument(1, 1) * runs;
    std::map<std::string, std::uint64_t> seen;
    for (std::uint64_t seed = first; seed < first + runs; ++seed) {
        const auto messages = random_messages(seed, count);
        if (!difference(messages, &seen).empty()) {
            std::cout << "seed " << seed << ", the fewest messages:\n" << shrunk(messages) << "\n";
            return 1;
        }
    }
    // How often each thing happened: what never does is not tested.
    for (const auto& [what, times] : seen) std::cout << times << " " << what << "\n";
    std::cout << runs << " runs of " << count << " messages agreed\n";
    return 0;
}
