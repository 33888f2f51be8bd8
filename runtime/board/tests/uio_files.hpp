// SPDX-License-Identifier: Apache-2.0
// Files that stand in for UIO devices: /dev and /sys below a folder.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace fixaccel::test {

class UioFiles {
  public:
    UioFiles() = default;
    ~UioFiles() { std::filesystem::remove_all(root); }
    UioFiles(const UioFiles&) = delete;
    UioFiles& operator=(const UioFiles&) = delete;

    // A device of zeros; `name` is that of its node in the device tree.
    void add(const std::string& device, const std::string& addr, std::size_t bytes,
             const std::string& name = "registers") const {
        const std::filesystem::path about = root / "sys/class/uio" / device;
        std::filesystem::create_directories(about / "maps/map0");
        std::filesystem::create_directories(root / "dev");
        std::ofstream(about / "name") << name << '\n';
        std::ofstream(about / "maps/map0/addr") << addr << '\n';
        std::ofstream(about / "maps/map0/size") << "0x" << std::hex << bytes << '\n';
        std::ofstream(root / "dev" / device);
        std::filesystem::resize_file(root / "dev" / device, bytes);
    }

    const std::filesystem::path root =
        std::filesystem::temp_directory_path() / ("fixaccel-uio-" + std::to_string(::getpid()));
};

}  // namespace fixaccel::test
