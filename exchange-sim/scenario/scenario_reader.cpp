// SPDX-License-Identifier: Apache-2.0
#include "scenario/scenario_reader.hpp"

#include <filesystem>
#include <utility>

#include "scenario/step_reader.hpp"

namespace fixaccel::exchange {

Scenario read_scenario(YamlSource& source, const std::string& file, const Exchange& exchange,
                       const std::vector<std::string>& clients) {
    Scenario scenario{file, {}};
    StepReader reader(source, std::filesystem::path(file).parent_path(), exchange, clients);
    const KeySpec& spec = file_spec();
    MapReader map(source, source.root(), spec.name, spec.names());
    if (!map.valid()) source.problems().raise();
    const KeySpec& version = spec.keys.front();
    source.word(map.require(version.name), "'" + version.name + "'", version.words);
    if (map.has("timeout")) {
        if (const auto timeout = source.duration(map.find("timeout"), "timeout"))
            reader.set_timeout(*timeout);
    }
    scenario.steps = reader.steps(map.require("steps"), "'steps'");
    source.problems().raise();
    return scenario;
}

}  // namespace fixaccel::exchange
