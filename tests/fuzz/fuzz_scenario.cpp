// SPDX-License-Identifier: Apache-2.0
// A scenario: whatever it says, it is taken, or what is wrong is said of it, with its place and a way out.
#include <filesystem>

#include "matching/decimal.hpp"
#include "scenario/scenario_reader.hpp"
#include "sums.hpp"

using namespace fixaccel;
using namespace fixaccel::exchange;

namespace {

Exchange& venue() {
    static Exchange exchange(
        {Instrument({"MSFT", {{0, parse_decimal("0.01").value()}}, 10, 0, parse_decimal("10000").value()}),
         Instrument({"7203",
                     {{0, parse_decimal("0.1").value()},
                      {parse_decimal("1000").value(), parse_decimal("0.5").value()}},
                     100,
                     0,
                     parse_decimal("100000").value()})},
        1024);
    return exchange;
}

void check(const std::vector<Step>& steps, int depth) {
    fuzz::require(depth < 10, "steps have a depth");
    for (const Step& step : steps) {
        fuzz::require(step.line > 0 && !step.name.empty(), "a step has a place and a name");
        if (const auto* repeat = std::get_if<RepeatStep>(&step.action)) {
            fuzz::require(!repeat->times || *repeat->times > 0, "something is repeated");
            check(repeat->steps, depth + 1);
        } else if (const auto* parallel = std::get_if<ParallelStep>(&step.action)) {
            for (const auto& branch : parallel->branches) check(branch, depth + 1);
        } else if (const auto* flow = std::get_if<FlowStep>(&step.action)) {
            fuzz::require(flow->settings.rate > 0 && !flow->settings.instruments.empty(), "a flow has turns");
        } else if (const auto* fault = std::get_if<FaultStep>(&step.action)) {
            fuzz::require(fault->client == "CLIENT1", "a fault has a client");
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // Recorded ticks are looked for in a folder where none are.
    const std::string name = "/nowhere/fuzz.yaml";
    try {
        YamlSource source(name, std::string(fuzz::text_of(data, size)));
        check(read_scenario(source, name, venue(), {"CLIENT1"}).steps, 0);
    } catch (const InputError& error) {
        const std::string text = error.what();
        fuzz::require(text.starts_with(name) && text.find(": error: ") != std::string::npos,
                      "a problem has a place and a text");
    }
    return 0;
}
