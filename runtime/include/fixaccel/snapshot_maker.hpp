// SPDX-License-Identifier: Apache-2.0
// Makes snapshots of a journal, on a thread of its own and out of its files: whoever writes the journal has
// nothing to copy and does not wait.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>

namespace fixaccel {

class SnapshotMaker {
  public:
    explicit SnapshotMaker(std::filesystem::path journal) : journal_(std::move(journal)) {}
    SnapshotMaker(const SnapshotMaker&) = delete;
    SnapshotMaker& operator=(const SnapshotMaker&) = delete;
    // Gives up the one in the making.
    ~SnapshotMaker();

    // Of all up to this record, which must be the last of its segment. Nothing if one is in the making: the
    // next one takes account of more.
    void make(std::uint64_t record);
    bool busy() const { return busy_.load(); }
    // Waits for the one in the making.
    void finish();
    // Why the last one did not come about; told once.
    std::string take_problem();

  private:
    void run(const std::stop_token& stop, std::uint64_t record) noexcept;

    std::filesystem::path journal_;
    std::jthread thread_;
    std::atomic<bool> busy_{false};
    std::string problem_;  // of that thread while it is busy
};

}  // namespace fixaccel
