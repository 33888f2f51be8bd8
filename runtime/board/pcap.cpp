// SPDX-License-Identifier: Apache-2.0
#include "pcap.hpp"

#include <cstring>
#include <iterator>

namespace fixaccel::board {
namespace {

constexpr std::uint32_t kMagicNs = 0xA1B23C4D;
constexpr std::uint32_t kMagicUs = 0xA1B2C3D4;
constexpr std::uint32_t kLinkEthernet = 1;
constexpr std::uint32_t kLinkFcs = 0x24000000;  // of the link type: its frames end with an FCS of 4 bytes
constexpr std::uint32_t kSnapLength = 65535;
constexpr std::uint64_t kNsPerSecond = 1'000'000'000;

struct FileHeader {
    std::uint32_t magic = kMagicNs;
    std::uint16_t major = 2;
    std::uint16_t minor = 4;
    std::uint32_t zone = 0;
    std::uint32_t accuracy = 0;
    std::uint32_t snap_length = kSnapLength;
    std::uint32_t link_type = kLinkEthernet;
};
static_assert(sizeof(FileHeader) == 24);

struct PacketHeader {
    std::uint32_t seconds;
    std::uint32_t fraction;
    std::uint32_t captured;
    std::uint32_t length;
};
static_assert(sizeof(PacketHeader) == 16);

template <typename Header>
void write_header(std::ofstream& file, const Header& header) {
    file.write(reinterpret_cast<const char*>(&header), sizeof(header));
}

}  // namespace

std::vector<CapturedFrame> read_pcap(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw PcapError(path.string() + ": cannot be read");
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    FileHeader header;
    if (bytes.size() < sizeof(header)) throw PcapError(path.string() + ": not a pcap file");
    std::memcpy(&header, bytes.data(), sizeof(header));
    const bool swapped =
        header.magic == __builtin_bswap32(kMagicNs) || header.magic == __builtin_bswap32(kMagicUs);
    const auto number = [swapped](std::uint32_t value) { return swapped ? __builtin_bswap32(value) : value; };
    const std::uint32_t magic = number(header.magic);
    if (magic != kMagicNs && magic != kMagicUs)
        throw PcapError(path.string() + ": not a classic pcap file; convert it with `editcap -F nsecpcap`");
    if (number(header.link_type) != kLinkEthernet)
        throw PcapError(path.string() + ": link type is not Ethernet");
    const std::uint64_t unit = magic == kMagicNs ? 1 : 1000;

    std::vector<CapturedFrame> frames;
    for (std::size_t at = sizeof(header); at < bytes.size();) {
        PacketHeader packet{};
        const std::string place = path.string() + ": frame " + std::to_string(frames.size() + 1);
        if (bytes.size() - at < sizeof(packet)) throw PcapError(place + ": its header is cut off");
        std::memcpy(&packet, bytes.data() + at, sizeof(packet));
        at += sizeof(packet);
        const std::size_t captured = number(packet.captured);
        if (captured > bytes.size() - at) throw PcapError(place + ": it is cut off");
        frames.push_back({.time_ns = number(packet.seconds) * kNsPerSecond + number(packet.fraction) * unit,
                          .bytes = Frame(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                                         bytes.begin() + static_cast<std::ptrdiff_t>(at + captured))});
        at += captured;
    }
    return frames;
}

PcapWriter::PcapWriter(const std::filesystem::path& path, Fcs fcs)
    : path_(path), file_(path, std::ios::binary) {
    FileHeader header;
    if (fcs == Fcs::present) header.link_type |= kLinkFcs;
    write_header(file_, header);
    flush();
}

void PcapWriter::write(std::uint64_t time_ns, FrameView frame) {
    const auto length = static_cast<std::uint32_t>(frame.size());
    write_header(file_, PacketHeader{.seconds = static_cast<std::uint32_t>(time_ns / kNsPerSecond),
                                     .fraction = static_cast<std::uint32_t>(time_ns % kNsPerSecond),
                                     .captured = length,
                                     .length = length});
    file_.write(reinterpret_cast<const char*>(frame.data()), static_cast<std::streamsize>(frame.size()));
}

void PcapWriter::flush() {
    if (!file_.flush()) throw PcapError(path_.string() + ": cannot be written");
}

}  // namespace fixaccel::board
