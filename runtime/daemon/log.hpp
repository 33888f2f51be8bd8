// SPDX-License-Identifier: Apache-2.0
// What the daemon prints. Nobody waits for whoever reads it: a thread of its own writes, from a bounded
// queue.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fixaccel {

// Lines for a reader, or a JSON object a line.
enum class LogFormat : std::uint8_t { text, json };

enum class LogLevel : std::uint8_t { info, warning, error };

// What a line is about, for a program that reads the log: shown as JSON alone, for the text says it, too.
struct LogEvent {
    LogLevel level = LogLevel::info;
    std::string event = "note";
    std::vector<std::pair<std::string, std::string>> fields{};
};

// From now on; before anything was said. `program`: what a line of text begins with.
void log_as(LogFormat format, const char* program = "fixacceld");

// One line on standard error, from any thread. Where the queue is full the line is lost, and how many were is
// said once there is room again.
void log_line(const std::string& text, const LogEvent& event = {});
// One line on standard output, for whoever started the daemon, in order with those. As JSON it is its own
// event.
void announce(const std::string& text);
// FIX text may hold anything: SOH and other control characters must not reach a terminal.
std::string printable(std::string text);
// Waits until all is written, at most for `limit`.
void flush_log(std::chrono::milliseconds limit);

}  // namespace fixaccel
