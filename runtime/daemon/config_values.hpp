// SPDX-License-Identifier: Apache-2.0
// What the values of a settings file have to be, and what is said of one that is not.
#pragma once

#include <toml++/toml.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "roles.hpp"

namespace fixaccel {

using Setter = std::function<void(const toml::node&)>;
using Setters = std::map<std::string, Setter, std::less<>>;

// Thrown by setters, which do not know the file.
struct BadValue {
    std::string expected;
};

std::string at(const std::filesystem::path& file, const toml::source_region& place, const std::string& what);
// Gives each value of the table to the setter of its key. What is wrong goes to `problems`.
void apply(const toml::table& table, const Setters& setters, const std::filesystem::path& file,
           std::vector<std::string>& problems);
Setter of_table(Setters setters, const std::filesystem::path& file, std::vector<std::string>& problems);

Setter text(std::string& out);
Setter path(std::filesystem::path& out, const std::filesystem::path& base);
Setter paths(std::vector<std::filesystem::path>& out, const std::filesystem::path& base);
Setter flag(bool& out);
// Of scheduling: the priority of "fifo:N", 0 for "other".
Setter policy(int& out);
Setter time_of_day(std::optional<std::int32_t>& out);
std::int64_t integer(const toml::node& node, std::int64_t low, std::int64_t high);
// A socket for all, or one for each role; and what else `tls` reads.
Setter control_doors(ControlDoors& out, Setter tls, const std::filesystem::path& file,
                     std::vector<std::string>& problems);

// The fabric keeps its limits as 32 bits of nanoseconds.
constexpr std::chrono::nanoseconds kFabricMost{std::numeric_limits<std::uint32_t>::max()};

template <typename Unit>
Setter duration(std::chrono::nanoseconds& out, std::chrono::nanoseconds most = kFabricMost,
                std::int64_t least = 1) {
    return [&out, most, least](const toml::node& node) {
        out = Unit(integer(node, least, std::chrono::duration_cast<Unit>(most).count()));
    };
}

// One of the words, by what it stands for.
template <typename Value>
Setter word(Value& out, std::map<std::string, Value> words) {
    return [&out, words = std::move(words)](const toml::node& node) {
        const auto found = words.find(node.value_or(std::string()));
        if (found != words.end()) {
            out = found->second;
            return;
        }
        std::string expected;
        for (const auto& [text, value] : words)
            expected.append(expected.empty() ? "\"" : " or \"").append(text).append("\"");
        throw BadValue{expected};
    };
}

}  // namespace fixaccel
