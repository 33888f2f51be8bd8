// SPDX-License-Identifier: Apache-2.0
// Classic pcap files of Ethernet frames.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "ethernet.hpp"

namespace fixaccel::board {

class PcapError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct CapturedFrame {
    std::uint64_t time_ns = 0;  // since the epoch
    Frame bytes;
};

// All frames of a capture without FCS, of either byte order and either time resolution. Throws PcapError.
std::vector<CapturedFrame> read_pcap(const std::filesystem::path& path);

// Whether the frames of a capture end with their FCS.
enum class Fcs { absent, present };

// Writes a capture with nanosecond times.
class PcapWriter {
  public:
    // Throws PcapError.
    explicit PcapWriter(const std::filesystem::path& path, Fcs fcs = Fcs::absent);
    void write(std::uint64_t time_ns, FrameView frame);
    // Lets others read what was written so far. Throws PcapError if the file did not take it.
    void flush();

  private:
    std::filesystem::path path_;
    std::ofstream file_;
};

}  // namespace fixaccel::board
