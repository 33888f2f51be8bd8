// SPDX-License-Identifier: Apache-2.0
// A record and an event file: whatever they say, they are replayed, or what is wrong is said of them.
#include <sstream>

#include "record/replay.hpp"
#include "sums.hpp"

using namespace fixaccel;
using namespace fixaccel::exchange;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::istringstream record{std::string(fuzz::text_of(data, size))};
    std::ostringstream events;
    try {
        const ReplayResult result = Replay(record, "r.jsonl", std::nullopt, &events).run();
        fuzz::require(result.differences.size() <= result.difference_count, "differences are counted");
        fuzz::require(
            !result.as_json().dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).empty(),
            "a result has a text");
    } catch (const ReplayError& error) {
        fuzz::require(std::string(error.what()).starts_with("r.jsonl:"), "a problem has a place");
    }
    return 0;
}
