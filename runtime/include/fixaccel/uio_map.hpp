// SPDX-License-Identifier: Apache-2.0
// A device of the kernel's generic UIO driver: registers, mapped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace fixaccel {

// The mapping of a UIO device. Throws BoardError.
class UioMap {
  public:
    // `device` is `uio0`, or the name that its node in the device tree has, which stays where numbers change.
    // `root` is where /dev and /sys lie: a test has its own. At least `bytes` are wanted.
    UioMap(const std::string& root, const std::string& device, std::size_t bytes);
    ~UioMap();
    UioMap(const UioMap&) = delete;
    UioMap& operator=(const UioMap&) = delete;

    // 32-bit accesses, nothing else: what lies there are registers.
    volatile std::uint32_t* words() const { return words_; }
    std::size_t bytes() const { return bytes_; }
    std::uint32_t physical() const { return physical_; }
    int fd() const { return fd_; }

  private:
    int fd_ = -1;
    volatile std::uint32_t* words_ = nullptr;
    std::size_t bytes_ = 0;
    std::uint32_t physical_ = 0;
};

// The file of `device` in /dev. Throws BoardError if no device is called so, or several are.
std::string uio_file(const std::string& root, const std::string& device);

}  // namespace fixaccel
