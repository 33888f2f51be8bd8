// SPDX-License-Identifier: Apache-2.0
// What the daemon prints. Nobody waits for whoever reads it: a thread of its own writes, from a bounded
// queue.
#pragma once

#include <chrono>
#include <string>

namespace fixaccel {

// One line on standard error, from any thread. Where the queue is full the line is lost, and how many were is
// said once there is room again.
void log_line(const std::string& text);
// One line on standard output, for whoever started the daemon, in order with those.
void announce(const std::string& text);
// Waits until all is written, at most for `limit`.
void flush_log(std::chrono::milliseconds limit);

}  // namespace fixaccel
