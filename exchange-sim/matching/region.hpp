// SPDX-License-Identifier: Apache-2.0
// Memory that is reserved once and taken from the system as it is touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace fixaccel::exchange {

// `bytes` of zeros, in large pages where the system has them. Throws std::bad_alloc.
class Region {
  public:
    explicit Region(std::size_t bytes);
    ~Region();
    Region(Region&& other) noexcept
        : start_(std::exchange(other.start_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    Region& operator=(Region&& other) noexcept {
        std::swap(start_, other.start_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    Region(const Region&) = delete;

    void* start() const { return start_; }

  private:
    void* start_ = nullptr;
    std::size_t bytes_ = 0;
};

// Records by number, 1 to `capacity`; 0 is none. The one given back last is taken first, so that a steady
// flow stays in the same cache lines and touches no new memory.
template <typename Record>
class Slab {
    static_assert(std::is_trivially_copyable_v<Record>);

  public:
    explicit Slab(std::uint32_t capacity)
        : records_((capacity + std::size_t{1}) * sizeof(Record)),
          free_((capacity + std::size_t{1}) * sizeof(std::uint32_t)),
          capacity_(capacity) {}

    // 0 where all are taken. The record is as it was given back, zeros the first time.
    std::uint32_t take() {
        if (free_count_ > 0) return free()[--free_count_];
        return used_ < capacity_ ? ++used_ : 0;
    }
    void give_back(std::uint32_t number) { free()[free_count_++] = number; }

    Record& operator[](std::uint32_t number) { return static_cast<Record*>(records_.start())[number]; }
    const Record& operator[](std::uint32_t number) const {
        return static_cast<const Record*>(records_.start())[number];
    }
    // The highest number ever taken.
    std::uint32_t used() const { return used_; }
    std::uint32_t taken() const { return used_ - free_count_; }

  private:
    std::uint32_t* free() const { return static_cast<std::uint32_t*>(free_.start()); }

    Region records_;
    Region free_;
    std::uint32_t capacity_;
    std::uint32_t used_ = 0;
    std::uint32_t free_count_ = 0;
};

}  // namespace fixaccel::exchange
