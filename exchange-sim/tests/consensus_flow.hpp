// SPDX-License-Identifier: Apache-2.0
// The order flow of a public benchmark of matching engines, from the rules that it publishes
// (github.com/flash1-dev/matching-engine-benchmark, docs/METHODOLOGY.md): one stock, whose middle price walks
// at random; orders beside it, most of which are modified or canceled soon; every order decided by the seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fixaccel::exchange::consensus {

struct Scenario {
    std::string name;
    double volatility;   // of a year
    double swing;        // how far the middle price is to walk, as a share
    std::string sha256;  // of all reports for a million orders of seed 23, on which three engines agree
};
const std::vector<Scenario>& scenarios();

struct Message {
    enum class Kind : std::uint8_t { kNew, kCancel, kModify };
    std::int64_t time = 0;  // microseconds
    Kind kind = Kind::kNew;
    bool sells = false;
    bool immediate = false;  // or cancel
    std::uint32_t quantity = 0;
    std::uint32_t order = 0;  // from 1 on
    std::int64_t price = 0;   // ticks
};

std::vector<Message> flow(const Scenario& scenario, std::size_t orders, std::uint32_t seed);

}  // namespace fixaccel::exchange::consensus
