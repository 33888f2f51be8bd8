// SPDX-License-Identifier: Apache-2.0
#include "record/recorder.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace fixaccel::exchange {

Recorder::Recorder(const std::string& path) : enabled_(!path.empty()) {
    if (!enabled_) return;
    file_.open(path, std::ios::trunc);
    if (!file_) throw std::runtime_error("cannot write the record " + path + ": " + std::strerror(errno));
    writer_ = std::thread([this] { run(); });
}

Recorder::~Recorder() {
    if (!enabled_) return;
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
    }
    filled_.notify_one();
    writer_.join();
}

void Recorder::write(const std::string& event, nlohmann::ordered_json fields) {
    using Clock = std::chrono::system_clock;
    if (!enabled_) return;
    std::unique_lock lock(mutex_);
    written_.wait(lock, [this] { return waiting_.size() < kBound; });
    const auto now = Clock::now().time_since_epoch();
    waiting_.push_back(
        {std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(), event, std::move(fields)});
    const bool first = waiting_.size() == 1;
    lock.unlock();
    if (first) filled_.notify_one();
}

void Recorder::flush() {
    std::unique_lock lock(mutex_);
    written_.wait(lock, [this] { return !enabled_ || (waiting_.empty() && !busy_); });
}

void Recorder::run() {
    std::vector<Line> lines;
    std::unique_lock lock(mutex_);
    for (;;) {
        filled_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        lines.swap(waiting_);
        busy_ = true;
        lock.unlock();
        written_.notify_all();
        for (Line& line : lines) {
            nlohmann::ordered_json whole;
            whole["time_ns"] = line.time_ns;
            whole["event"] = line.event;
            whole.update(line.fields);
            // A client may send any bytes as text: they are replaced, never thrown over.
            file_ << whole.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
        }
        file_ << std::flush;
        lines.clear();
        lock.lock();
        busy_ = false;
        written_.notify_all();
    }
}

}  // namespace fixaccel::exchange
