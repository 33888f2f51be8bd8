// SPDX-License-Identifier: Apache-2.0
// A board of plain memory, for tests of what talks to boards.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "fixaccel/board.hpp"
#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel::test {

class FakeBoard : public Board {
  public:
    explicit FakeBoard(const hwmap::Capacity& capacity = {8, 64, 16, 4, 2}) {
        words[hwmap::reg::magic] = hwmap::reg_reset::magic;
        words[hwmap::reg::hwmap_hash] = hwmap::kHwmapHash;
        words[hwmap::reg::cap_instruments] = capacity.instruments;
        words[hwmap::reg::cap_triggers] = capacity.triggers;
        words[hwmap::reg::cap_orders] = capacity.orders;
        words[hwmap::reg::cap_templates] = capacity.templates;
        words[hwmap::reg::cap_groups] = capacity.groups;
    }

    using Board::read;
    using Board::write;
    void read(std::uint32_t addr, std::span<std::uint32_t> out) override {
        for (auto& word : out) {
            if (addr == broken_at) throw BoardError("broken");
            word = words[addr];
            addr += 4;
        }
    }
    void write(std::uint32_t addr, std::span<const std::uint32_t> in) override {
        for (const auto word : in) {
            if (addr == broken_at) throw BoardError("broken");
            if (locked && addr >= hwmap::tables_base) throw BoardRefused("locked");
            words[addr] = word;
            writes.emplace_back(addr, word);
            addr += 4;
        }
    }

    std::map<std::uint32_t, std::uint32_t> words;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> writes;  // in their order
    std::uint32_t broken_at = 0xFFFFFFFF;
    bool locked = false;  // tables are not written
};

}  // namespace fixaccel::test
