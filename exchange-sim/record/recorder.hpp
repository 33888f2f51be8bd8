// SPDX-License-Identifier: Apache-2.0
// The venue's own record: one JSON object a line, on disk before the next thing happens.
#pragma once

#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

namespace fixaccel::exchange {

class Recorder {
  public:
    // Starts a new file, none for an empty path; throws std::runtime_error if it cannot be written.
    explicit Recorder(const std::string& path);

    // Whether anything is written: where not, a line need not be made.
    bool enabled() const { return enabled_; }
    // Writes {"time_ns": now, "event": event, ...fields} in the order of the fields. Safe from any thread.
    void write(const std::string& event, const nlohmann::ordered_json& fields);

  private:
    const bool enabled_;
    std::mutex mutex_;
    std::ofstream file_;
};

}  // namespace fixaccel::exchange
