// SPDX-License-Identifier: Apache-2.0
#include "pcap.hpp"

#include <gtest/gtest.h>

#include "temp_dir.hpp"

namespace fixaccel::board {
namespace {

using test::TempDir;

std::string big_endian(std::initializer_list<std::uint32_t> words) {
    std::string bytes;
    for (const std::uint32_t word : words)
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(word >> shift);
    return bytes;
}

TEST(Pcap, ReadsWhatItWrote) {
    TempDir directory;
    const auto path = directory.path() / "a.pcap";
    PcapWriter writer(path);
    writer.write(1'700'000'000'123'456'789U, Frame{1, 2, 3});
    writer.write(5, Frame{});
    writer.flush();
    const auto frames = read_pcap(path);
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(frames[0].time_ns, 1'700'000'000'123'456'789U);
    EXPECT_EQ(frames[0].bytes, (Frame{1, 2, 3}));
    EXPECT_EQ(frames[1].time_ns, 5U);
}

TEST(Pcap, ReadsTheOtherByteOrderInMicroseconds) {
    TempDir directory;
    directory.write("a.pcap", big_endian({0xA1B2C3D4, 0x00020004, 0, 0, 65535, 1, 2, 7, 4, 4, 0xAABBCCDD}));
    const auto frames = read_pcap(directory.path() / "a.pcap");
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(frames[0].time_ns, 2'000'007'000U);
    EXPECT_EQ(frames[0].bytes, (Frame{0xAA, 0xBB, 0xCC, 0xDD}));
}

TEST(Pcap, FaultsAreErrors) {
    TempDir directory;
    const auto refused = [&](const std::string& bytes) {
        directory.write("a.pcap", bytes);
        EXPECT_THROW(read_pcap(directory.path() / "a.pcap"), PcapError);
    };
    refused("");
    refused(std::string(24, 'x'));
    const std::string header = big_endian({0xA1B2C3D4, 0x00020004, 0, 0, 65535, 1});
    refused(header + "cut");
    refused(header + big_endian({2, 7, 5, 5, 0xAABBCCDD}));
    refused(big_endian({0xA1B2C3D4, 0x00020004, 0, 0, 65535, 113}));  // not Ethernet
    EXPECT_THROW(read_pcap(directory.path() / "none"), PcapError);
    EXPECT_THROW(PcapWriter(directory.path() / "no" / "such" / "folder"), PcapError);
}

}  // namespace
}  // namespace fixaccel::board
