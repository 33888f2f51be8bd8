// SPDX-License-Identifier: Apache-2.0
// Makes snapshots of a journal, on a thread of its own and out of its files: whoever writes the journal has
// nothing to copy and does not wait.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "fixaccel/idle_thread.hpp"

namespace fixaccel {

class SnapshotMaker {
  public:
    explicit SnapshotMaker(std::filesystem::path journal) : journal_(std::move(journal)) {}

    // Of all up to this record, which must be the last of its segment; behind the one in the making, and in
    // place of one that waits for that. Its end gives up the one in the making.
    void make(std::uint64_t record);
    // Waits for all of them.
    void finish() const { thread_.finish(); }
    // Why one did not come about; told once.
    std::string take_problem();

  private:
    void run(const std::stop_token& stop, std::uint64_t record) noexcept;

    std::filesystem::path journal_;
    std::string problem_;  // of the thread while it is busy
    IdleThread thread_;    // last: it uses the others
};

}  // namespace fixaccel
