// SPDX-License-Identifier: Apache-2.0
// What others bring about must not fill log or journal: so much of it a second, and the rest is counted.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace fixaccel {

class PerSecond {
  public:
    explicit PerSecond(unsigned most) : most_(most) {}

    // How many were one too many before this one. Nothing: this is one, too.
    std::optional<std::uint64_t> take() {
        const auto now = std::chrono::steady_clock::now();
        if (now - since_ > std::chrono::seconds(1)) {
            since_ = now;
            taken_ = 0;
        }
        if (taken_ >= most_) {
            ++left_out_;
            return std::nullopt;
        }
        ++taken_;
        return std::exchange(left_out_, 0);
    }

  private:
    unsigned most_;
    std::chrono::steady_clock::time_point since_{};
    unsigned taken_ = 0;  // since then
    std::uint64_t left_out_ = 0;
};

}  // namespace fixaccel
