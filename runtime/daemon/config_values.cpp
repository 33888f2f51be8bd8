// SPDX-License-Identifier: Apache-2.0
#include "config_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <utility>

#include "fixaccel/own_core.hpp"
#include "nearest.hpp"

namespace fixaccel {
namespace {

// Of HH:MM or HH:MM:SS.
std::optional<std::int32_t> second_of_day(const std::string& text) {
    constexpr std::array<std::int32_t, 3> kMost{23, 59, 59};
    if (text.size() != 5 && text.size() != 8) return std::nullopt;
    std::int32_t seconds = 0;
    for (std::size_t part = 0; part < kMost.size(); ++part) {
        std::int32_t value = 0;
        const char* const at = text.data() + 3 * part;
        if (3 * part < text.size()) {
            const auto [end, error] = std::from_chars(at, at + 2, value);
            const bool ends = 3 * part + 2 == text.size() || *end == ':';
            if (error != std::errc() || end != at + 2 || *at == '-' || value > kMost[part] || !ends)
                return std::nullopt;
        }
        seconds = seconds * 60 + value;
    }
    return seconds;
}

std::string unknown(std::string_view key, const Setters& setters) {
    std::string text = "unknown key '" + std::string(key) + "'";
    for (const auto& [known, setter] : setters)
        if (is_near(key, known)) return text.append("; did you mean '").append(known).append("'?");
    return text;
}

// Octal digits as `chmod` takes them. All may ask to see, but no more.
std::optional<unsigned> file_mode(const std::string& text, bool for_all) {
    unsigned mode = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mode, 8);
    const unsigned most = for_all ? 0666 : 0660;
    const bool whole = error == std::errc() && end == text.data() + text.size() && text.size() == 4;
    if (!whole || (mode & ~most) != 0 || (mode & 0600) != 0600) return std::nullopt;
    return mode;
}

}  // namespace

std::string at(const std::filesystem::path& file, const toml::source_region& place, const std::string& what) {
    std::ostringstream text;
    text << file.string() << ':' << place.begin.line << ':' << place.begin.column << ": " << what;
    return text.str();
}

Setter text(std::string& out) {
    return [&out](const toml::node& node) {
        const auto value = node.value<std::string>();
        if (!value || !node.is_string()) throw BadValue{"a string"};
        out = *value;
    };
}

Setter path(std::filesystem::path& out, const std::filesystem::path& base) {
    return [&out, base](const toml::node& node) {
        if (!node.is_string()) throw BadValue{"a path in quotes"};
        out = base / std::filesystem::path(*node.value<std::string>());
    };
}

Setter paths(std::vector<std::filesystem::path>& out, const std::filesystem::path& base) {
    return [&out, base](const toml::node& node) {
        if (!node.is_array() || node.as_array()->empty() ||
            !node.as_array()->is_homogeneous(toml::node_type::string))
            throw BadValue{"a list of paths in quotes"};
        out.clear();
        for (const toml::node& each : *node.as_array())
            out.push_back(base / std::filesystem::path(*each.value<std::string>()));
    };
}

Setter flag(bool& out) {
    return [&out](const toml::node& node) {
        const auto value = node.value_exact<bool>();
        if (!value) throw BadValue{"true or false"};
        out = *value;
    };
}

std::int64_t integer(const toml::node& node, std::int64_t low, std::int64_t high) {
    const auto value = node.value<std::int64_t>();
    if (!node.is_integer() || *value < low || *value > high)
        throw BadValue{"a whole number from " + std::to_string(low) + " to " + std::to_string(high)};
    return *value;
}

Setter time_of_day(std::optional<std::int32_t>& out) {
    return [&out](const toml::node& node) {
        const auto text = node.value<std::string>();
        const auto second = node.is_string() ? second_of_day(*text) : std::nullopt;
        if (!second) throw BadValue{R"(a time of day in quotes, such as "17:00")"};
        out = second;
    };
}

void apply(const toml::table& table, const Setters& setters, const std::filesystem::path& file,
           std::vector<std::string>& problems) {
    for (const auto& [key, node] : table) {
        const auto setter = setters.find(key.str());
        if (setter == setters.end()) {
            problems.push_back(at(file, key.source(), unknown(key.str(), setters)));
            continue;
        }
        try {
            setter->second(node);
        } catch (const BadValue& bad) {
            problems.push_back(
                at(file, node.source(), "'" + std::string(key.str()) + "' must be " + bad.expected));
        }
    }
}

Setter of_table(Setters setters, const std::filesystem::path& file, std::vector<std::string>& problems) {
    return [setters = std::move(setters), &file, &problems](const toml::node& node) {
        if (!node.is_table()) throw BadValue{"a table"};
        apply(*node.as_table(), setters, file, problems);
    };
}

Setter policy(int& out) {
    return [&out](const toml::node& node) {
        constexpr std::string_view kFifo = "fifo:";
        const std::string value = node.value_or(std::string());
        out = 0;
        if (value == "other") return;
        const auto [end, error] = std::from_chars(value.data() + std::min(kFifo.size(), value.size()),
                                                  value.data() + value.size(), out);
        const bool whole = error == std::errc() && end == value.data() + value.size();
        if (value.starts_with(kFifo) && whole && out >= 1 && out <= kMostPriority) return;
        out = 0;
        throw BadValue{R"("other", or "fifo:N" with a priority from 1 to )" + std::to_string(kMostPriority)};
    };
}

Setter control_doors(ControlDoors& out, Setter tls, const std::filesystem::path& file,
                     std::vector<std::string>& problems) {
    const auto door = [&](Role role) -> Setter {
        return [&, role](const toml::node& node) {
            ControlDoor& of_role = out[role];
            const Setter mode = [&, role](const toml::node& value) {
                const auto bits = file_mode(value.value_or(std::string()), role == Role::view);
                if (!bits)
                    throw BadValue{role == Role::view ? R"(a file's mode such as "0660", at most "0666")"
                                                      : R"(a file's mode such as "0600", at most "0660")"};
                of_role.mode = *bits;
            };
            if (node.is_string()) return text(of_role.endpoint)(node);
            if (!node.is_table()) throw BadValue{R"(a socket, unix:PATH, or {socket, mode, group})"};
            apply(*node.as_table(),
                  {{"socket", text(of_role.endpoint)}, {"mode", mode}, {"group", text(of_role.group)}}, file,
                  problems);
        };
    };
    return [&, door, tls = std::move(tls)](const toml::node& node) {
        if (node.is_string()) return text(out[Role::admin].endpoint)(node);
        if (!node.is_table()) throw BadValue{"a socket, unix:PATH, or a table of one for each role"};
        apply(*node.as_table(),
              {{"view", door(Role::view)},
               {"trade", door(Role::trade)},
               {"risk", door(Role::risk)},
               {"admin", door(Role::admin)},
               {"tls", tls}},
              file, problems);
    };
}

}  // namespace fixaccel
