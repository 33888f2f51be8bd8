// SPDX-License-Identifier: Apache-2.0
// The loop of fixaccel-gemd: frames between the fabric's mailboxes and a TAP interface, until a signal ends
// it.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "driver.hpp"
#include "tap.hpp"

namespace fixaccel::gem {

struct GemdOptions {
    std::string bus;   // see open_bus
    std::string tap;   // name of the interface
    std::string user;  // who it becomes once all is open; empty: who it is
    std::optional<std::string> mac;
    std::chrono::microseconds poll{200};  // between two looks, where no interrupt comes
};

class Gemd {
  public:
    // Opens all, starts the controller, gives up what it needs no longer. Throws GemError.
    explicit Gemd(const GemdOptions& options);
    // Until SIGTERM or SIGINT; then the controller is given back.
    void run();
    // One line: frames of both directions, what was dropped.
    std::string stats() const;

  private:
    bool wait(bool busy);
    bool to_kernel();
    bool from_kernel();
    void look_at_faults();

    GemdOptions options_;
    int signals_;
    std::unique_ptr<GemBus> bus_;
    GemDriver driver_;
    Tap tap_;
    std::optional<Frame> waiting_;  // of the kernel, while no mailbox is free
    std::chrono::steady_clock::time_point next_look_{};
    std::uint64_t faults_ = 0;
};

}  // namespace fixaccel::gem
