// SPDX-License-Identifier: Apache-2.0
#include "scenario/step_reader.hpp"

#include <utility>

namespace fixaccel::exchange {
namespace {

constexpr int kDeepest = 8;
constexpr std::size_t kMostBranches = 16;

}  // namespace

std::vector<Step> StepReader::steps(const YAML::Node& node, const std::string& what) {
    std::vector<Step> result;
    if (!node.IsDefined()) return result;
    if (!node.IsSequence()) {
        source_.problem(node, what + " must be a list", "begin each step with a dash");
        return result;
    }
    if (depth_ == kDeepest) {
        source_.problem(node, "steps lie deeper than " + std::to_string(kDeepest) + " levels",
                        "write them one after another");
        return result;
    }
    ++depth_;
    for (const YAML::Node& child : node) {
        if (auto next = step(child)) result.push_back(std::move(*next));
    }
    --depth_;
    return result;
}

std::optional<Step> StepReader::step(const YAML::Node& node) {
    const auto name = step_name(node);
    if (!name) return std::nullopt;
    return Step{node.Mark().line + 1, *name, action(*name, node.begin()->second)};
}

Action StepReader::action(const std::string& name, const YAML::Node& node) {
    if (name == "quote") return BatchStep{{quote(node)}};
    if (name == "trade") return BatchStep{{trade(node)}};
    if (name == "batch") return batch(node);
    if (name == "order") return order(node);
    if (name == "phase") return phase(node);
    if (name == "wait_for") return wait_for(node);
    if (name == "resend") return resend(node);
    if (name == "fault") return fault(node);
    if (name == "flow") return flow(node);
    if (name == "ticks") return ticks(node);
    if (name == "repeat") return repeat(node);
    if (name == "parallel") return parallel(node);
    if (name == "at") return at(node);
    if (name == "wait") return WaitStep{source_.duration(node, name).value_or(std::chrono::nanoseconds(0))};
    if (name == "after") return UntilStep{source_.duration(node, name), std::nullopt};
    if (name == "logout") return LogoutStep{client(node)};
    if (name == "say") return SayStep{source_.text(node, name).value_or("")};
    if (name == "test_request") {
        MapReader map(source_, node, "the step", step_spec(name).names());
        return TestRequestStep{client(map.require("client"))};
    }
    CancelAllStep cancel;
    instrument(node, cancel.symbol);
    return cancel;
}

RepeatStep StepReader::repeat(const YAML::Node& node) {
    RepeatStep step;
    const KeySpec& spec = step_spec("repeat");
    MapReader map(source_, node, spec.name, spec.names());
    if (!map.valid()) return step;
    const std::string how = one_of(map, spec, node, "repeat needs one bound");
    if (how == "times") step.times = whole(map.find(how), spec.key(how));
    if (how == "for") step.duration = source_.duration(map.find(how), how).value_or(step.duration);
    step.steps = steps(map.require("steps"), "'steps'");
    return step;
}

ParallelStep StepReader::parallel(const YAML::Node& node) {
    ParallelStep step;
    if (!node.IsSequence() || node.size() == 0 || node.size() > kMostBranches) {
        source_.problem(
            node, "parallel must be a list of 1 to " + std::to_string(kMostBranches) + " lists of steps",
            "write it as parallel: [[{wait: 1s}], [{say: hello}]]");
        return step;
    }
    for (const YAML::Node& branch : node) step.branches.push_back(steps(branch, "a branch of parallel"));
    return step;
}

WaitForStep StepReader::wait_for(const YAML::Node& node) {
    WaitForStep step;
    step.timeout = timeout_;
    const KeySpec& spec = step_spec("wait_for");
    MapReader map(source_, node, spec.name, spec.names());
    if (!map.valid()) return step;
    one_of(map, spec, node, "wait_for needs one condition");
    if (map.has("orders"))
        step.orders = static_cast<std::size_t>(whole(map.find("orders"), spec.key("orders")));
    for (const auto& [key, target] : {std::pair{"logon", &step.logon}, std::pair{"logout", &step.logout},
                                      std::pair{"subscribed", &step.subscribed}}) {
        if (map.has(key)) *target = client(map.find(key));
    }
    if (map.has("file")) step.file = source_.text(map.find("file"), "file").value_or("");
    if (map.has("timeout"))
        step.timeout = source_.duration(map.find("timeout"), "timeout").value_or(timeout_);
    return step;
}

UntilStep StepReader::at(const YAML::Node& node) {
    UntilStep step;
    const auto written = source_.text(node, "at");
    if (!written) return step;
    const std::string& text = *written;
    const auto two = [&](std::size_t place) {
        const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
        return is_digit(text[place]) && is_digit(text[place + 1]) ? std::stoi(text.substr(place, 2)) : 99;
    };
    if (text.size() == 8 && text[2] == ':' && text[5] == ':' && two(0) < 24 && two(3) < 60 && two(6) < 60) {
        step.time_of_day = std::chrono::seconds(two(0) * 3600 + two(3) * 60 + two(6));
    } else {
        source_.problem(node, "at '" + text + "' is not a time of the day", "write it as 14:30:00, UTC");
    }
    return step;
}

}  // namespace fixaccel::exchange
