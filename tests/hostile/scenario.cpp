// SPDX-License-Identifier: Apache-2.0
#include "scenario.hpp"

#include <iostream>
#include <vector>

#include "expected_failures.hpp"
#include "stage.hpp"

namespace fixaccel::hostile {
namespace {

std::vector<Scenario> scenarios() {
    std::vector<Scenario> out;
    for (const auto& part : {frame_scenarios(), tcp_scenarios(), fix_scenarios(), order_scenarios()})
        out.insert(out.end(), part.begin(), part.end());
    return out;
}

// Empty if it passed.
std::string play(const Scenario& scenario, const std::filesystem::path& captures, const MarketRules& rules) {
    CoreBench bench;
    Episode episode(bench, rules, 1, {});
    try {
        episode.start_quiet();
        Stage stage(episode);
        scenario.play(stage);
        return {};
    } catch (const std::exception& error) {
        episode.write_capture(captures / (std::string(scenario.name) + ".pcap"));
        return error.what();
    }
}

}  // namespace

int list_scenarios() {
    for (const Scenario& scenario : scenarios()) {
        const ExpectedFailure* const known = expected_failure(scenario.name);
        std::cout << scenario.name << ": " << scenario.shows;
        if (known != nullptr) std::cout << " (fails: " << known->reason << ')';
        std::cout << '\n';
    }
    return 0;
}

int run_scenarios(const std::string& name, const std::filesystem::path& captures, const MarketRules& rules) {
    unsigned passed = 0, failed = 0;
    for (const Scenario& scenario : scenarios()) {
        if (name != "all" && name != scenario.name) continue;
        const std::string fault = play(scenario, captures, rules);
        const ExpectedFailure* const known = expected_failure(scenario.name);
        const bool right =
            known == nullptr ? fault.empty() : fault.starts_with(std::string(known->property) + ':');
        ++(right ? passed : failed);
        if (fault.empty() && known != nullptr)
            std::cout << "FAILED " << scenario.name
                      << ": it passes now, take it off the list of expected failures (" << known->reason
                      << ")\n";
        else if (!fault.empty())
            std::cout << (right ? "expected " : "FAILED ") << scenario.name << ": " << fault << '\n';
    }
    std::cout << passed << " passed, " << failed << " failed" << std::endl;
    if (passed + failed == 0) {
        std::cerr << "no scenario is called " << name << '\n';
        return 2;
    }
    return failed == 0 ? 0 : 1;
}

}  // namespace fixaccel::hostile
