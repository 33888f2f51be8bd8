// SPDX-License-Identifier: Apache-2.0
#include "log.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <ctime>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string_view>
#include <thread>
#include <utility>

#include "fixaccel/own_core.hpp"
#include "fixaccel/utc_clock.hpp"

namespace fixaccel {
namespace {

constexpr std::size_t kMostLines = 1000;
constexpr std::int64_t kNsPerS = 1'000'000'000;
constexpr std::int64_t kNsPerUs = 1000, kUsPerS = kNsPerS / kNsPerUs;

std::atomic<LogFormat> format_of_log{LogFormat::text};
std::atomic<const char*> program_of_log = "fixacceld";

// By the daemon's clock, as in the journal: 2026-03-02T14:31:07.123456Z.
std::string time_text() {
    const std::int64_t now = utc_ns();
    const auto second = static_cast<std::time_t>(now / kNsPerS);
    std::tm parts{};
    ::gmtime_r(&second, &parts);
    std::array<char, 32> date{};
    std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    // A digit ahead of them keeps the zeros.
    const std::string micros = std::to_string(kUsPerS + now % kNsPerS / kNsPerUs).substr(1);
    return std::string(date.data()) + "." + micros + "Z";
}

std::string as_json(const std::string& text, const LogEvent& about) {
    constexpr std::array<const char*, 3> kLevels{"info", "warning", "error"};
    nlohmann::ordered_json line{{"time", time_text()},
                                {"level", kLevels.at(static_cast<std::size_t>(about.level))},
                                {"event", about.event},
                                {"text", text}};
    for (const auto& [name, value] : about.fields) line[name] = value;
    return line.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string line_of(const std::string& text, const LogEvent& about) {
    if (format_of_log.load() == LogFormat::json) return as_json(text, about);
    return std::string(program_of_log.load()) + ": " + printable(text) + "\n";
}

std::string lost_line(std::uint64_t lines) {
    const std::string count = std::to_string(lines);
    return line_of(count + " lines were lost here: nobody read them",
                   {LogLevel::warning, "lines-lost", {{"lines", count}}});
}

void write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return;  // nobody reads any more
        text.remove_prefix(static_cast<std::size_t>(n));
    }
}

class Writer {
  public:
    Writer() {
        std::thread([this] {
            leave_own_core("log");
            write();
        }).detach();
    }

    void put(int fd, const std::string& line) {
        const std::lock_guard lock(mutex_);
        if (lines_.size() >= kMostLines) {
            ++lost_;
            return;
        }
        if (const auto lost = std::exchange(lost_, 0); lost != 0)
            lines_.emplace_back(STDERR_FILENO, lost_line(lost));
        lines_.emplace_back(fd, line);
        changed_.notify_all();
    }

    void flush(std::chrono::milliseconds limit) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, limit, [this] { return lines_.empty(); });
    }

  private:
    [[noreturn]] void write() {
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [this] { return !lines_.empty(); });
            const auto [fd, text] = lines_.front();
            lock.unlock();
            write_all(fd, text);
            lock.lock();
            lines_.pop_front();
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::pair<int, std::string>> lines_;  // the first is being written
    std::uint64_t lost_ = 0;
};

// Never destroyed: its thread may be held up by a pipe when the program ends.
Writer& writer() {
    static auto* const one = new Writer;
    return *one;
}

}  // namespace

std::string printable(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '|');
    return text;
}

void log_as(LogFormat format, const char* program) {
    format_of_log.store(format);
    program_of_log.store(program);
}

void log_line(const std::string& text, const LogEvent& event) {
    writer().put(STDERR_FILENO, line_of(text, event));
}

void announce(const std::string& text) {
    const bool json = format_of_log.load() == LogFormat::json;
    writer().put(STDOUT_FILENO, json ? as_json(text, {LogLevel::info, text, {}}) : text + "\n");
}

void flush_log(std::chrono::milliseconds limit) { writer().flush(limit); }

}  // namespace fixaccel
