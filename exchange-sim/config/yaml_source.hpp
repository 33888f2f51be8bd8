// SPDX-License-Identifier: Apache-2.0
// YAML as text and places: no value is ever guessed to be a number, a date or a truth.
#pragma once

#include <yaml-cpp/yaml.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/problems.hpp"

namespace fixaccel::exchange {

class YamlSource {
  public:
    // Reads and parses a file; throws InputError if it cannot be read or is not YAML.
    static YamlSource open(const std::string& path);
    // The same from a text; `name` stands in the messages.
    YamlSource(const std::string& name, const std::string& text);

    const YAML::Node& root() const { return root_; }
    // A path as this file means it: from its own folder on.
    std::string beside(const std::string& path) const;
    Problems& problems() { return problems_; }

    void problem(const YAML::Node& at, const std::string& message, const std::string& help);

    // The text of a scalar; a problem and nothing if the node is a list or a map.
    std::optional<std::string> text(const YAML::Node& node, const std::string& what);
    // `200ms`, `30s`, `1m`; also us, ns, h.
    std::optional<std::chrono::nanoseconds> duration(const YAML::Node& node, const std::string& what);
    // A whole number from `least` up.
    std::optional<std::int64_t> whole(const YAML::Node& node, const std::string& what, std::int64_t least);
    // `true` or `false`.
    std::optional<bool> flag(const YAML::Node& node, const std::string& what);
    // One of the given words, as its index.
    std::optional<std::size_t> word(const YAML::Node& node, const std::string& what,
                                    const std::vector<std::string>& words);

  private:
    std::string name_;
    Problems problems_;
    YAML::Node root_;
};

// The keys of one map, checked: a key twice is a problem, and so is an unknown one where the keys are closed.
class MapReader {
  public:
    MapReader(YamlSource& source, const YAML::Node& node, std::string what, std::vector<std::string> keys,
              bool closed = true);

    bool valid() const { return valid_; }
    bool has(const std::string& key) const;
    // An undefined node if the key is not there.
    YAML::Node find(const std::string& key) const;
    // As find; a missing key is a problem.
    YAML::Node require(const std::string& key);
    std::optional<std::string> require_text(const std::string& key);

  private:
    YamlSource& source_;
    YAML::Node node_;
    std::string what_;
    std::vector<std::string> keys_;
    bool valid_ = true;
};

}  // namespace fixaccel::exchange
