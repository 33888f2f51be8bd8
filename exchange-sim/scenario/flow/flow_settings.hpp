// SPDX-License-Identifier: Apache-2.0
// What a random flow is made of. Distances count ticks, sizes count lots.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "matching/types.hpp"

namespace fixaccel::exchange {

// Quotes both sides around a reference that drifts, further from the side that its inventory has enough of.
struct MakerSettings {
    int weight = 30;      // of a hundred turns, or of the sum of all weights
    int spread = 2;       // between the best bid and the best ask
    int levels = 3;       // a side
    Quantity size = 10;   // of each level
    int drift = 20;       // of a hundred turns, those in which the reference moves by a tick
    Quantity skew = 100;  // lots held that move its quotes by a tick; 0: none do
};

// Orders without a view: near the market, through it, and taken back.
struct NoiseSettings {
    int weight = 60;
    int limit = 50;  // weights of what it does
    int market = 15;
    int cancel = 35;
    Quantity size = 5;  // at most
    int depth = 8;      // the farthest that it rests behind the best price of its side
    int resting = 40;   // orders in one book at most
};

// Buys what has risen, sells what has fallen.
struct MomentumSettings {
    int weight = 10;
    int window = 20;    // turns that it looks back on
    int threshold = 3;  // moves of the last price that it follows
    Quantity size = 3;
};

struct FlowInstrument {
    std::string symbol;
    Price price = 0;  // that it begins at
};

struct FlowSettings {
    std::uint64_t seed = 1;
    std::int64_t rate = 1000;  // turns a second of the flow's own time
    std::vector<FlowInstrument> instruments;
    std::optional<MakerSettings> maker;
    std::optional<NoiseSettings> noise;
    std::optional<MomentumSettings> momentum;
};

}  // namespace fixaccel::exchange
