// SPDX-License-Identifier: Apache-2.0
#include "config.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <utility>

#include "fixaccel/read_file.hpp"
#include "nearest.hpp"

namespace fixaccel {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

using Setter = std::function<void(const toml::node&)>;
using Setters = std::map<std::string, Setter, std::less<>>;

std::string at(const std::filesystem::path& file, const toml::source_region& place, const std::string& what) {
    std::ostringstream text;
    text << file.string() << ':' << place.begin.line << ':' << place.begin.column << ": " << what;
    return text.str();
}

// Thrown by setters, which do not know the file.
struct BadValue {
    std::string expected;
};

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

// The fabric keeps its limits as 32 bits of nanoseconds.
constexpr std::chrono::nanoseconds kFabricMost{std::numeric_limits<std::uint32_t>::max()};

template <typename Unit>
Setter duration(std::chrono::nanoseconds& out, std::chrono::nanoseconds most = kFabricMost) {
    return [&out, most](const toml::node& node) {
        out = Unit(integer(node, 1, std::chrono::duration_cast<Unit>(most).count()));
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

Setter time_of_day(std::optional<std::int32_t>& out) {
    return [&out](const toml::node& node) {
        const auto text = node.value<std::string>();
        const auto second = node.is_string() ? second_of_day(*text) : std::nullopt;
        if (!second) throw BadValue{R"(a time of day in quotes, such as "17:00")"};
        out = second;
    };
}

std::string unknown(std::string_view key, const Setters& setters) {
    std::string text = "unknown key '" + std::string(key) + "'";
    for (const auto& [known, setter] : setters)
        if (is_near(key, known)) return text.append("; did you mean '").append(known).append("'?");
    return text;
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

}  // namespace

void read_config(const std::filesystem::path& file, DaemonConfig& config,
                 std::vector<std::string>& problems) {
    toml::table table;
    try {
        table = toml::parse(read_file(file.string(), kMostBytes), file.string());
    } catch (const FileError& error) {
        problems.emplace_back(error.what());
        return;
    } catch (const toml::parse_error& error) {
        return problems.push_back(at(file, error.source(), std::string(error.description())));
    }
    const auto section = [&](Setters setters) -> Setter {
        return [setters = std::move(setters), &file, &problems](const toml::node& node) {
            if (!node.is_table()) throw BadValue{"a table"};
            apply(*node.as_table(), setters, file, problems);
        };
    };
    using std::chrono::microseconds;
    using std::chrono::milliseconds;
    const Setter resend = word<ResendPolicy>(
        config.resend, {{"resend", ResendPolicy::resend}, {"gap-fill", ResendPolicy::gap_fill}});
    const Setter rearm = word<RearmAfterLoss>(
        config.rearm, {{"never", RearmAfterLoss::never}, {"when-known", RearmAfterLoss::when_known}});
    const Setter rearms = [&](const toml::node& node) {
        config.rearms_per_minute = static_cast<std::uint32_t>(integer(node, 1, 60));
    };
    const Setter max_unacked = [&](const toml::node& node) {
        config.limits.max_unacked = static_cast<std::uint32_t>(integer(node, 1, 1 << 30));
    };
    const Setter journal_segment = [&](const toml::node& node) {
        config.journal_segment =
            static_cast<std::uint64_t>(integer(node, kLeastSegmentBytes, kMostSegmentBytes));
    };
    const Setter max_segment = [&](const toml::node& node) {
        config.max_segment =
            static_cast<std::uint32_t>(integer(node, 88, 1460));  // 88: the least that Linux takes
    };
    const Setter after_logout = word<bool>(config.back_after_logout, {{"stay", false}, {"come-back", true}});
    const Setters root{
        {"board", text(config.board)},
        {"control", text(config.control)},
        {"journal", path(config.journal, file.parent_path())},
        {"journal_segment_bytes", journal_segment},
        {"bundle", path(config.bundle, file.parent_path())},
        {"kill_file", path(config.kill_file, file.parent_path())},
        {"session",
         section({{"quickfix", path(config.quickfix, file.parent_path())},
                  {"resend_orders", resend},
                  {"full_book", flag(config.full_book)},
                  {"max_segment_bytes", max_segment},
                  {"day_roll", time_of_day(config.day_roll)},
                  {"reconnect_ms", duration<milliseconds>(config.reconnect)},
                  {"reconnect_most_ms", duration<milliseconds>(config.reconnect_most, std::chrono::hours(1))},
                  {"rearm_after_loss", rearm},
                  {"rearms_per_minute", rearms},
                  {"after_logout", after_logout},
                  {"stand_in", flag(config.stand_in)},
                  {"snapshot_wait_ms", duration<milliseconds>(config.snapshot_wait)}})},
        {"limits", section({{"watchdog_ms", duration<milliseconds>(config.limits.watchdog)},
                            {"lease_ms", duration<milliseconds>(config.limits.lease)},
                            {"hold_ms", duration<milliseconds>(config.limits.hold)},
                            {"rx_gate_ms", duration<milliseconds>(config.limits.rx_gate)},
                            {"clock_max_age_ms", duration<milliseconds>(config.limits.clock_max_age)},
                            {"clock_max_error_us", duration<microseconds>(config.clock_max_error)},
                            {"clock_step_ms", duration<milliseconds>(config.clock_step)},
                            {"max_unacked_bytes", max_unacked},
                            {"poll_us", duration<microseconds>(config.poll)}})},
    };
    apply(table, root, file, problems);
}

}  // namespace fixaccel
