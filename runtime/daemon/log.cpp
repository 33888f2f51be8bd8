// SPDX-License-Identifier: Apache-2.0
#include "log.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

namespace fixaccel {
namespace {

constexpr std::size_t kMostLines = 1000;

// FIX text may hold anything: SOH and other control characters must not reach a terminal.
std::string printable(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '|');
    return text;
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
        std::thread([this] { write(); }).detach();
    }

    void put(int fd, const std::string& line) {
        const std::lock_guard lock(mutex_);
        if (lines_.size() >= kMostLines) {
            ++lost_;
            return;
        }
        if (const auto lost = std::exchange(lost_, 0); lost != 0)
            lines_.emplace_back(STDERR_FILENO, "fixacceld: " + std::to_string(lost) +
                                                   " lines were lost here: nobody read them\n");
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

void log_line(const std::string& text) {
    writer().put(STDERR_FILENO, "fixacceld: " + printable(text) + "\n");
}

void announce(const std::string& text) { writer().put(STDOUT_FILENO, text + "\n"); }

void flush_log(std::chrono::milliseconds limit) { writer().flush(limit); }

}  // namespace fixaccel
