// SPDX-License-Identifier: Apache-2.0
#include "config/yaml_source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "matching/decimal.hpp"

namespace fixaccel::exchange {
namespace {

constexpr std::size_t kLargestFile = 1 << 20;

std::string join(const std::vector<std::string>& words) {
    std::string result;
    for (const std::string& word : words) result += (result.empty() ? "" : ", ") + word;
    return result;
}

}  // namespace

YamlSource YamlSource::open(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    // Reading a folder fails only here, not at open; of an empty file there is nothing to take.
    const bool empty = file.is_open() && file.peek() == std::ifstream::traits_type::eof() && !file.bad();
    if (file && !empty) text << file.rdbuf();
    if (!empty && (!file || text.fail())) {
        const std::string why = file.is_open() ? "not a readable file" : std::strerror(errno);
        throw InputError(path + ": error: cannot read this file: " + why +
                         "\n  help: give the path of a YAML file\n");
    }
    return YamlSource(path, text.str());
}

YamlSource::YamlSource(const std::string& name, const std::string& text)
    : name_(name), problems_(name, text) {
    if (text.size() > kLargestFile) {
        problems_.add(0, 0, "the file is larger than 1 MiB", "split it");
        problems_.raise();
    }
    try {
        root_.reset(YAML::Load(text));
    } catch (const YAML::Exception& error) {
        problems_.add(error.mark.line + 1, error.mark.column + 1, "not YAML: " + error.msg,
                      "check the indentation and quote texts that hold ': ', '#', '[' or '{'");
    }
    problems_.raise();
}

std::string YamlSource::beside(const std::string& path) const {
    return (std::filesystem::path(name_).parent_path() / path).string();
}

std::optional<bool> YamlSource::flag(const YAML::Node& node, const std::string& what) {
    const auto value = word(node, what, {"false", "true"});
    return value ? std::optional(*value == 1) : std::nullopt;
}

void YamlSource::problem(const YAML::Node& at, const std::string& message, const std::string& help) {
    const YAML::Mark mark = at.IsDefined() ? at.Mark() : root_.Mark();
    problems_.add(std::max(mark.line, 0) + 1, std::max(mark.column, 0) + 1, message, help);
}

std::optional<std::string> YamlSource::text(const YAML::Node& node, const std::string& what) {
    if (!node.IsDefined()) return std::nullopt;
    if (node.IsScalar()) return node.Scalar();
    problem(node, what + " must be a single value", node.IsNull() ? "write a value after the colon" : "");
    return std::nullopt;
}

std::optional<std::chrono::nanoseconds> YamlSource::duration(const YAML::Node& node,
                                                             const std::string& what) {
    const auto written = text(node, what);
    if (!written) return std::nullopt;
    static const std::vector<std::pair<std::string, std::int64_t>> units = {{"ns", 1},
                                                                            {"us", 1'000},
                                                                            {"ms", 1'000'000},
                                                                            {"s", 1'000'000'000},
                                                                            {"m", 60'000'000'000},
                                                                            {"h", 3'600'000'000'000}};
    const std::size_t digits = written->find_first_not_of("0123456789");
    for (const auto& [unit, factor] : units) {
        if (digits == 0 || digits == std::string::npos || digits > 6 || written->substr(digits) != unit)
            continue;
        return std::chrono::nanoseconds(std::stoll(written->substr(0, digits)) * factor);
    }
    problem(node, what + " '" + *written + "' is not a duration",
            "write a whole number and a unit, such as 200ms or 30s");
    return std::nullopt;
}

std::optional<std::int64_t> YamlSource::whole(const YAML::Node& node, const std::string& what,
                                              std::int64_t least) {
    const auto written = text(node, what);
    if (!written) return std::nullopt;
    const auto value = parse_whole(*written);
    if (value && *value >= least) return value;
    problem(node, what + " '" + *written + "' is not a whole number",
            "write a number from " + std::to_string(least));
    return std::nullopt;
}

std::optional<std::size_t> YamlSource::word(const YAML::Node& node, const std::string& what,
                                            const std::vector<std::string>& words) {
    const auto written = text(node, what);
    if (!written) return std::nullopt;
    const auto found = std::find(words.begin(), words.end(), *written);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    problem(node, what + " '" + *written + "' is unknown", "write one of: " + join(words));
    return std::nullopt;
}

MapReader::MapReader(YamlSource& source, const YAML::Node& node, std::string what,
                     std::vector<std::string> keys, bool closed)
    : source_(source), node_(node), what_(std::move(what)), keys_(std::move(keys)) {
    if (!node.IsDefined() || !node.IsMap()) {
        source.problem(node, what_ + " must be a map of keys and values", "its keys are: " + join(keys_));
        valid_ = false;
        return;
    }
    std::set<std::string> seen;
    for (const auto& entry : node) {
        const auto key = source.text(entry.first, "a key of " + what_);
        if (!key) continue;
        if (!seen.insert(*key).second) {
            source.problem(entry.first, "key '" + *key + "' appears twice in " + what_, "remove one of them");
        }
        if (!closed || std::find(keys_.begin(), keys_.end(), *key) != keys_.end()) continue;
        const std::string near = nearest(*key, keys_);
        source.problem(entry.first, "unknown key '" + *key + "' in " + what_,
                       near.empty() ? "its keys are: " + join(keys_) : "did you mean '" + near + "'?");
    }
}

YAML::Node MapReader::find(const std::string& key) const {
    if (valid_) {
        for (const auto& entry : node_) {
            if (entry.first.IsScalar() && entry.first.Scalar() == key) return entry.second;
        }
    }
    return YAML::Node(YAML::NodeType::Undefined);
}

bool MapReader::has(const std::string& key) const { return find(key).IsDefined(); }

YAML::Node MapReader::require(const std::string& key) {
    const YAML::Node found = find(key);
    if (valid_ && !found.IsDefined()) {
        source_.problem(node_, what_ + " needs the key '" + key + "'", "its keys are: " + join(keys_));
    }
    return found;
}

std::optional<std::string> MapReader::require_text(const std::string& key) {
    return source_.text(require(key), "'" + key + "'");
}

}  // namespace fixaccel::exchange
