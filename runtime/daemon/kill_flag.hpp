// SPDX-License-Identifier: Apache-2.0
// The kill switch as every thread sees it: the send paths look at it last.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "fixaccel/kill_word.hpp"

namespace fixaccel {

class KillFlag {
  public:
    bool on() const noexcept { return on_.load(); }
    // So often has it been turned on: on and off again between two looks shows here.
    std::uint64_t kills() const noexcept { return kills_.load(); }
    KillWord word() const {
        const std::lock_guard lock(mutex_);
        return word_;
    }

    // At once; the word follows when the board has been told.
    void raise(std::uint64_t kills) noexcept {
        on_.store(true);
        kills_.store(kills);
    }
    void set(const KillWord& word) {
        kills_.store(word.kills);
        on_.store(word.on);
        const std::lock_guard lock(mutex_);
        word_ = word;
        said_.push_back(word);
    }
    // What has been said since the last time, for the journal.
    std::vector<KillWord> take_said() {
        const std::lock_guard lock(mutex_);
        return std::exchange(said_, {});
    }

  private:
    std::atomic<bool> on_{false};
    std::atomic<std::uint64_t> kills_{0};
    mutable std::mutex mutex_;
    KillWord word_;
    std::vector<KillWord> said_;
};

}  // namespace fixaccel
