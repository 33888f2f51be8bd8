// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/board.hpp"

#include <iomanip>
#include <sstream>

#include "board_mapped.hpp"
#include "board_socket.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/no_board.hpp"

namespace fixaccel {
namespace {

constexpr std::uint32_t kMagic = hwmap::reg_reset::magic;

std::string hex(std::uint32_t value) {
    std::ostringstream text;
    text << "0x" << std::hex << std::setw(8) << std::setfill('0') << value;
    return text.str();
}

}  // namespace

std::uint32_t Board::read(std::uint32_t addr) {
    std::uint32_t word = 0;
    read(addr, std::span(&word, 1));
    return word;
}

void Board::write(std::uint32_t addr, std::uint32_t value) { write(addr, std::span(&value, 1)); }

std::unique_ptr<Board> open_board(std::string_view endpoint, std::chrono::milliseconds answers) {
    if (endpoint.starts_with(kUnixScheme))
        return std::make_unique<SocketBoard>(std::string(endpoint.substr(kUnixScheme.size())), answers);
    if (endpoint.starts_with(kUioScheme))
        return std::make_unique<UioBoard>("", std::string(endpoint.substr(kUioScheme.size())));
    if (endpoint == kNoBoard) return std::make_unique<NoBoard>();
    throw BoardError("board endpoint '" + std::string(endpoint) +
                     "' is not understood: use uio:DEVICE, unix:PATH, or none");
}

void check_hwmap(Board& board) {
    const std::uint32_t magic = board.read(hwmap::reg::magic);
    if (magic != kMagic)
        throw BoardError("not a fixaccel board: its magic register reads " + hex(magic) + ", expected " +
                         hex(kMagic));
    const std::uint32_t hash = board.read(hwmap::reg::hwmap_hash);
    if (hash != hwmap::kHwmapHash)
        throw BoardError("hwmap mismatch: the board has " + hex(hash) + ", this program " +
                         hex(hwmap::kHwmapHash) +
                         "; rebuild the older of the two from the same rtl/hwmap/fixaccel.yaml");
}

}  // namespace fixaccel
