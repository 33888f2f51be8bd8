// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/uio_map.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "fixaccel/board.hpp"

namespace fixaccel {
namespace {

namespace fs = std::filesystem;

constexpr const char* kClass = "/sys/class/uio/";

// A number of this machine's address space, as /sys/class/uio has it: 0x...
std::size_t number_in(const std::string& file) {
    std::ifstream in(file);
    std::string text;
    if (!(in >> text)) throw BoardError(file + " cannot be read: is the device bound to generic-uio?");
    try {
        return std::stoul(text, nullptr, 0);
    } catch (const std::exception&) {
        throw BoardError(file + ": '" + text + "' is no number");
    }
}

// The device of that name or number. Throws BoardError.
std::string uio_device(const std::string& root, const std::string& device) {
    std::error_code none;
    if (device.empty() || fs::exists(root + kClass + device, none)) return device;
    std::vector<std::string> found;
    std::string others;
    for (const auto& entry : fs::directory_iterator(root + kClass, none)) {
        std::ifstream in(entry.path() / "name");
        std::string name;
        in >> name;
        if (name == device) found.push_back(entry.path().filename());
        others += (others.empty() ? "" : ", ") + entry.path().filename().string() + " (" + name + ")";
    }
    if (found.size() == 1) return found.front();
    if (!found.empty()) {
        std::sort(found.begin(), found.end());
        throw BoardError("several UIO devices are called " + device + ", such as " + found[0] + " and " +
                         found[1] + ": use the number of the one that is meant");
    }
    throw BoardError("no UIO device " + device + ": is the device bound to generic-uio? Those bound are " +
                     (others.empty() ? "none" : others));
}

}  // namespace

std::string uio_file(const std::string& root, const std::string& device) {
    return root + "/dev/" + uio_device(root, device);
}

UioMap::UioMap(const std::string& root, const std::string& device, std::size_t bytes) {
    const std::string path = uio_file(root, device);
    const std::string about = root + kClass + fs::path(path).filename().string() + "/maps/map0/";
    const std::size_t physical = number_in(about + "addr");
    bytes_ = number_in(about + "size");
    if (bytes_ < bytes)
        throw BoardError(device + " maps " + std::to_string(bytes_) + " bytes, " + std::to_string(bytes) +
                         " are needed: look at `reg` in the device tree overlay");
    physical_ = static_cast<std::uint32_t>(physical);
    fd_ = ::open(path.c_str(), O_RDWR | O_SYNC | O_CLOEXEC);
    if (fd_ < 0) throw BoardError(path + ": " + std::strerror(errno));
    void* mapped = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (mapped == MAP_FAILED) {
        const std::string why = std::strerror(errno);
        ::close(fd_);
        throw BoardError(path + " cannot be mapped: " + why);
    }
    words_ = static_cast<volatile std::uint32_t*>(mapped);
}

UioMap::~UioMap() {
    ::munmap(const_cast<std::uint32_t*>(words_), bytes_);
    ::close(fd_);
}

}  // namespace fixaccel
