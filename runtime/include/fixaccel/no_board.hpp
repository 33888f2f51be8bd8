// SPDX-License-Identifier: Apache-2.0
// In the place of a board where there is none: nothing sees the market or sends but the runtime.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "fixaccel/board.hpp"
#include "fixaccel/bundle.hpp"

namespace fixaccel {

// As an endpoint of a board.
inline constexpr std::string_view kNoBoard = "none";

// Registers keep what is written to them. The status never says anything but that it is killed.
class NoBoard final : public Board {
  public:
    using Board::read;
    using Board::write;
    void read(std::uint32_t addr, std::span<std::uint32_t> words) override;
    void write(std::uint32_t addr, std::span<const std::uint32_t> words) override;
    bool is_there() const override { return false; }

  private:
    std::map<std::uint32_t, std::uint32_t> written_;  // by address
};

// The bundle as if all of its rules had been placed in the runtime. Throws BundleError if it has no table of
// them. `before`: what was made of the rules of the bundle before it.
Bundle all_in_runtime(Bundle bundle, PieceMemo<BundleRule, BundleRule>& before);

}  // namespace fixaccel
