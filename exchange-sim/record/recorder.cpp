// SPDX-License-Identifier: Apache-2.0
#include "record/recorder.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>

namespace fixaccel::exchange {

Recorder::Recorder(const std::string& path) : enabled_(!path.empty()) {
    if (!enabled_) return;
    file_.open(path, std::ios::trunc);
    if (!file_) throw std::runtime_error("cannot write the record " + path + ": " + std::strerror(errno));
}

void Recorder::write(const std::string& event, const nlohmann::ordered_json& fields) {
    using Clock = std::chrono::system_clock;
    if (!enabled_) return;
    const std::lock_guard lock(mutex_);
    nlohmann::ordered_json line;
    line["time_ns"] =
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
    line["event"] = event;
    line.update(fields);
    // A client may send any bytes as text: they are replaced, never thrown over.
    file_ << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n' << std::flush;
}

}  // namespace fixaccel::exchange
