// SPDX-License-Identifier: Apache-2.0
#include "scenario/step_specs.hpp"

namespace fixaccel::exchange {
namespace {

using Json = nlohmann::ordered_json;

Json pattern(const char* text) { return {{"type", "string"}, {"pattern", text}}; }
Json words(const std::vector<std::string>& allowed) {
    // Editors read `1` and `true` as they are read nowhere here: as no text.
    if (allowed == std::vector<std::string>{"1"}) return {{"const", 1}};
    return {{"enum", allowed}};
}

constexpr const char* kDuration = "^[0-9]{1,6}(ns|us|ms|s|m|h)$";

Json schema_of(const KeySpec& spec);

Json map_schema(const KeySpec& spec) {
    Json result = {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
    Json required = Json::array();
    for (const KeySpec& key : spec.keys) {
        result["properties"][key.name] = schema_of(key);
        if (key.required) required.push_back(key.name);
    }
    if (!required.empty()) result["required"] = required;
    for (const std::string& name : spec.one_of)
        result["oneOf"].push_back({{"required", Json::array({name})}});
    return result;
}

Json whole_schema(const KeySpec& spec) {
    return {{"type", "integer"}, {"minimum", spec.least}, {"maximum", spec.most}};
}

Json steps_schema() { return {{"type", "array"}, {"items", {{"$ref", "#/$defs/step"}}}}; }

Json value_schema(const KeySpec& spec) {
    switch (spec.form) {
        case Form::kText:
        case Form::kInstrument:
        case Form::kClient:
            return {{"type", {"string", "number", "boolean"}}};
        case Form::kTrue:
            return {{"const", true}};
        case Form::kPrice:
        case Form::kSize:
            return {{"type", {"number", "string"}}};
        case Form::kWhole:
            return whole_schema(spec);
        case Form::kCount:
            return {{"anyOf", {whole_schema(spec), {{"const", "all"}}}}};
        case Form::kDuration:
            return pattern(kDuration);
        case Form::kLasting:
            return {{"anyOf", {pattern(kDuration), {{"const", true}}}}};
        case Form::kTimeOfDay:
            return pattern("^[0-2][0-9]:[0-5][0-9]:[0-5][0-9]$");
        case Form::kRate:
            return pattern("^[0-9]{1,7}/s$");
        case Form::kSpeed:
            return pattern("^([0-9]+([.][0-9]+)?x|max)$");
        case Form::kWord:
            return words(spec.words);
        case Form::kTypes:
            return {{"type", "array"}, {"items", {{"type", {"string", "integer"}}}}, {"minItems", 1}};
        case Form::kPrices:
            return {{"type", "object"}, {"additionalProperties", {{"type", {"number", "string"}}}}};
        case Form::kNames:
            return {{"type", "object"}, {"additionalProperties", {{"type", {"string", "integer"}}}}};
        case Form::kMap:
            return map_schema(spec);
        case Form::kSteps:
            return steps_schema();
        case Form::kBranches:
            return {{"type", "array"}, {"items", steps_schema()}};
    }
    return {};
}

Json schema_of(const KeySpec& spec) {
    Json result = {{"description", spec.doc}};
    result.update(value_schema(spec));
    return result;
}

}  // namespace

Json scenario_schema() {
    Json result = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                   {"title", "fixaccel scenario"}};
    result.update(map_schema(file_spec()));
    Json step = {
        {"type", "object"}, {"additionalProperties", false}, {"minProperties", 1}, {"maxProperties", 1}};
    for (const KeySpec& spec : step_specs()) step["properties"][spec.name] = schema_of(spec);
    result["$defs"]["step"] = step;
    return result;
}

}  // namespace fixaccel::exchange
