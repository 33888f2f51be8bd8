// SPDX-License-Identifier: Apache-2.0
// A core, and a priority, for the thread that trades; all others keep off them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace fixaccel {

constexpr unsigned kMostCores = 1024;  // of a cpu_set_t
constexpr int kMostPriority = 99;      // of SCHED_FIFO

struct CorePlan {
    std::optional<unsigned> core{};  // none: wherever the kernel likes
    int fifo = 0;                    // priority of SCHED_FIFO; 0: the ordinary policy
    bool lock_memory = false;        // nothing of it is ever put out, and all of it is there at once
};

// Made before the process has other threads: what is started from then on keeps off the core.
class OwnCore {
  public:
    explicit OwnCore(const CorePlan& plan);
    // The calling thread is the one that trades.
    void take();
    // What the system has not granted, with what it takes, a line each.
    const std::vector<std::string>& problems() const { return problems_; }

  private:
    CorePlan plan_;
    std::vector<std::string> problems_;
};

// Of a thread that the one that trades has started: it has another name, at most 15 bytes, and neither the
// core nor the priority.
void leave_own_core(const char* name);

}  // namespace fixaccel
