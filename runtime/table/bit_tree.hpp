// SPDX-License-Identifier: Apache-2.0
// A set of small numbers as a tree of 64-bit words: changes and both ends in a step for each level.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace fixaccel {

class BitTree {
  public:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    explicit BitTree(std::uint32_t size) {
        do {
            size = (size + 63) / 64;
            starts_.push_back(static_cast<std::uint32_t>(words_.size()));
            words_.resize(words_.size() + size);
        } while (size > 1);
    }

    bool empty() const { return words_.back() == 0; }

    void insert(std::uint32_t number) {
        for (const std::uint32_t start : starts_) {
            std::uint64_t& word = words_[start + number / 64];
            const bool was_empty = word == 0;
            word |= std::uint64_t{1} << number % 64;
            if (!was_empty) return;
            number /= 64;
        }
    }

    void erase(std::uint32_t number) {
        for (const std::uint32_t start : starts_) {
            std::uint64_t& word = words_[start + number / 64];
            word &= ~(std::uint64_t{1} << number % 64);
            if (word != 0) return;
            number /= 64;
        }
    }

    std::uint32_t first() const {
        return end([](std::uint64_t word) { return std::countr_zero(word); });
    }
    std::uint32_t last() const {
        return end([](std::uint64_t word) { return 63 - std::countl_zero(word); });
    }

  private:
    template <typename Pick>
    std::uint32_t end(Pick pick) const {
        if (empty()) return kNone;
        std::uint32_t number = 0;
        for (std::size_t level = starts_.size(); level-- > 0;)
            number = number * 64 + static_cast<std::uint32_t>(pick(words_[starts_[level] + number]));
        return number;
    }

    std::vector<std::uint64_t> words_;   // level by level, the leaves first
    std::vector<std::uint32_t> starts_;  // of each level
};

}  // namespace fixaccel
