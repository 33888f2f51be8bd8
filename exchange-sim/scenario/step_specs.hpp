// SPDX-License-Identifier: Apache-2.0
// The words of the scenario language with what they mean: what the reader takes, what editors complete with
// (the JSON Schema) and what the reference says are made from these.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fixaccel::exchange {

// How a value is written.
enum class Form {
    kText,
    kTrue,
    kInstrument,
    kClient,
    kPrice,
    kSize,
    kWhole,
    kCount,  // a number, or `all`
    kDuration,
    kLasting,  // a duration, or `true`: until it is cleared
    kTimeOfDay,
    kRate,    // such as 5000/s
    kSpeed,   // 1x, 10x or max
    kWord,    // one of `words`
    kTypes,   // a list of MsgType
    kPrices,  // a map from instruments to prices
    kNames,   // a map from symbols to symbols
    kMap,     // of `keys`
    kSteps,
    kBranches  // a list of lists of steps
};

// A key, or a step, which is a key too.
struct KeySpec {
    std::string name;
    Form form = Form::kText;
    std::string doc;
    bool required = false;
    std::vector<std::string> words = {};   // of kWord
    std::vector<KeySpec> keys = {};        // of kMap
    std::vector<std::string> one_of = {};  // of kMap: exactly one of these is there
    std::int64_t least = 0;                // of kWhole and kCount
    std::int64_t most = 1'000'000'000;

    const KeySpec& key(const std::string& wanted) const;
    std::vector<std::string> names() const;
};

// All steps, in the order in which they are told of.
const std::vector<KeySpec>& step_specs();
const KeySpec& step_spec(const std::string& name);
std::vector<std::string> step_names();
// Of the file itself.
const KeySpec& file_spec();

// The JSON Schema (2020-12) of a scenario file.
nlohmann::ordered_json scenario_schema();

}  // namespace fixaccel::exchange
