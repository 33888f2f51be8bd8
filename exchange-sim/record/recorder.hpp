// SPDX-License-Identifier: Apache-2.0
// The venue's own record: one JSON object a line, in the order of the calls. A thread of its own writes them,
// so that nobody waits for the disk; it writes at once where there is something to write.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

namespace fixaccel::exchange {

class Recorder {
  public:
    // Lines that wait for the disk at a time. Who writes more waits: a record with holes is none.
    static constexpr std::size_t kBound = 200'000;

    // Starts a new file, none for an empty path; throws std::runtime_error if it cannot be written.
    explicit Recorder(const std::string& path);
    // Writes what is left.
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    // Whether anything is written: where not, a line need not be made.
    bool enabled() const { return enabled_; }
    // Writes {"time_ns": now, "event": event, ...fields} in the order of the fields. Safe from any thread.
    void write(const std::string& event, nlohmann::ordered_json fields);
    // Waits until all lines so far are in the file.
    void flush();

  private:
    struct Line {
        std::int64_t time_ns = 0;
        std::string event;
        nlohmann::ordered_json fields;
    };
    void run();

    const bool enabled_;
    std::ofstream file_;
    std::mutex mutex_;
    std::condition_variable filled_;
    std::condition_variable written_;
    std::vector<Line> waiting_;
    bool busy_ = false;
    bool closed_ = false;
    std::thread writer_;
};

}  // namespace fixaccel::exchange
