// SPDX-License-Identifier: Apache-2.0
// What happens to clients' sessions.
#include <algorithm>

#include "scenario/fault_words.hpp"
#include "scenario/step_reader.hpp"

namespace fixaccel::exchange {

ResendStep StepReader::resend(const YAML::Node& node) {
    ResendStep step;
    const KeySpec& spec = step_spec("resend");
    MapReader map(source_, node, spec.name, spec.names());
    if (!map.valid()) return step;
    step.client = client(map.require("client"));
    step.begin = source_.whole(map.require("begin"), "begin", 1).value_or(1);
    step.end = source_.whole(map.require("end"), "end", 0).value_or(0);
    if (step.end != 0 && step.end < step.begin) {
        source_.problem(map.find("end"), "the range ends before it begins", "0 means: everything up to now");
    }
    return step;
}

FaultStep StepReader::fault(const YAML::Node& node) {
    FaultStep step;
    const KeySpec& spec = step_spec("fault");
    MapReader map(source_, node, spec.name, spec.names());
    if (!map.valid()) return step;
    step.client = client(map.require("client"));
    const std::string kind = one_of(map, spec, node, "fault needs one kind");
    const auto& words = fault_words();
    const auto word =
        std::find_if(words.begin(), words.end(), [&](const FaultWord& next) { return next.name == kind; });
    if (word == words.end()) return step;
    step.fault.kind = word->kind;
    read_fault(spec.key(kind), map.find(kind), step.fault);
    if (map.has("types")) step.fault.types = types(map.find("types"));
    if (map.has("count")) step.fault.count = count(map.find("count"), spec.key("count"));
    if (map.has("seed"))
        step.fault.seed = static_cast<std::uint64_t>(whole(map.find("seed"), spec.key("seed")));
    const auto only = [&](const char* key, bool allowed, const std::string& kinds) {
        if (!allowed && map.has(key))
            source_.problem(map.find(key), std::string(key) + " says nothing about " + kind,
                            "it goes with " + kinds);
    };
    only("types", word->hits_messages, "what hits messages, such as delay and drop");
    only("count", kind == "delay" || kind == "hold", "delay and hold; others have the number as their value");
    only("seed", kind == "garble", "garble");
    return step;
}

void StepReader::read_fault(const KeySpec& spec, const YAML::Node& node, Fault& fault) {
    switch (spec.form) {
        case Form::kDuration:
            fault.time = source_.duration(node, spec.name).value_or(fault.time);
            return;
        case Form::kLasting:
            fault.time = lasting(node, spec.name);
            return;
        case Form::kCount:
            fault.count = count(node, spec);
            return;
        case Form::kWhole:
            fault.count = static_cast<unsigned>(whole(node, spec));
            return;
        case Form::kMap: {
            MapReader range(source_, node, spec.name, spec.names());
            if (!range.valid()) return;
            if (const YAML::Node begin = range.require("begin"); begin.IsDefined())
                fault.begin = static_cast<int>(whole(begin, spec.key("begin")));
            if (range.has("end")) fault.end = static_cast<int>(whole(range.find("end"), spec.key("end")));
            if (fault.end != 0 && fault.end < fault.begin)
                source_.problem(range.find("end"), "the range ends before it begins",
                                "0 means: everything up to now");
            return;
        }
        default:
            is_true(node, spec.name);
    }
}

std::string StepReader::types(const YAML::Node& node) {
    const std::string help = "write MsgTypes as [8, W]";
    if (!node.IsSequence() || node.size() == 0) {
        source_.problem(node, "types must be a list of MsgTypes", help);
        return "";
    }
    std::string result;
    for (const YAML::Node& child : node) {
        const auto text = source_.text(child, "a type");
        if (!text) continue;
        const bool letters = std::all_of(text->begin(), text->end(), [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        });
        if (text->empty() || text->size() > 2 || !letters)
            source_.problem(child, "'" + *text + "' is not a MsgType", help);
        result += (result.empty() ? "" : " ") + *text;
    }
    return result;
}

}  // namespace fixaccel::exchange
