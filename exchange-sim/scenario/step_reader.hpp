// SPDX-License-Identifier: Apache-2.0
// Turns the nodes of one scenario into steps; every fault goes to the source's problems.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/yaml_source.hpp"
#include "scenario/scenario.hpp"
#include "scenario/step_specs.hpp"

namespace fixaccel::exchange {

class StepReader {
  public:
    // `folder`: where files that the scenario names are looked for.
    StepReader(YamlSource& source, std::filesystem::path folder, const Exchange& exchange,
               const std::vector<std::string>& clients)
        : source_(source), folder_(std::move(folder)), exchange_(exchange), clients_(clients) {}

    void set_timeout(std::chrono::nanoseconds timeout) { timeout_ = timeout; }
    // `what` stands in the messages.
    std::vector<Step> steps(const YAML::Node& node, const std::string& what);

  private:
    // step_reader.cpp: what is made of other steps, and waiting.
    std::optional<Step> step(const YAML::Node& node);
    Action action(const std::string& name, const YAML::Node& node);
    RepeatStep repeat(const YAML::Node& node);
    ParallelStep parallel(const YAML::Node& node);
    WaitForStep wait_for(const YAML::Node& node);
    UntilStep at(const YAML::Node& node);

    // step_reader_house.cpp
    QuoteStep quote(const YAML::Node& node);
    TradeStep trade(const YAML::Node& node);
    BatchStep batch(const YAML::Node& node);
    OrderStep order(const YAML::Node& node);
    PhaseStep phase(const YAML::Node& node);
    std::optional<Quote> quote_side(MapReader& map, const Instrument* instrument, const std::string& side);

    // step_reader_session.cpp
    ResendStep resend(const YAML::Node& node);
    FaultStep fault(const YAML::Node& node);
    void read_fault(const KeySpec& spec, const YAML::Node& node, Fault& fault);
    std::string types(const YAML::Node& node);

    // step_reader_market.cpp
    FlowStep flow(const YAML::Node& node);
    std::vector<FlowInstrument> flow_instruments(const YAML::Node& node);
    void participants(const YAML::Node& node, FlowSettings& settings);
    TicksStep ticks(const YAML::Node& node);
    void check_ticks(const YAML::Node& node, const TicksStep& step);

    // step_reader_values.cpp
    // The single key of a step; nothing if there is none or more.
    std::optional<std::string> step_name(const YAML::Node& node);
    // The one key of `spec.one_of` that is there; a problem and an empty text otherwise.
    std::string one_of(const MapReader& map, const KeySpec& spec, const YAML::Node& node,
                       const std::string& message);
    const Instrument* instrument(const YAML::Node& node, std::string& symbol);
    std::string client(const YAML::Node& node);
    Price price(const YAML::Node& node, const Instrument* instrument, const std::string& what);
    Quantity size(const YAML::Node& node, const Instrument* instrument, const std::string& what);
    // Within the bounds of the key; the least one where something is wrong.
    std::int64_t whole(const YAML::Node& node, const KeySpec& key);
    // A number, or 0 for `all`.
    unsigned count(const YAML::Node& node, const KeySpec& key);
    bool is_true(const YAML::Node& node, const std::string& what);
    // A duration, or none for `true`.
    std::chrono::nanoseconds lasting(const YAML::Node& node, const std::string& what);
    template <typename Number>
    void setting(MapReader& map, const KeySpec& spec, const char* name, Number& value) {
        if (map.has(name)) value = static_cast<Number>(whole(map.find(name), spec.key(name)));
    }

    YamlSource& source_;
    const std::filesystem::path folder_;
    const Exchange& exchange_;
    const std::vector<std::string>& clients_;
    std::chrono::nanoseconds timeout_ = std::chrono::seconds(10);
    int depth_ = 0;  // of steps within steps
};

}  // namespace fixaccel::exchange
