// SPDX-License-Identifier: Apache-2.0
// A stand-in for the board behind the same interface: registers and windows as plain memory, the lease and
// nothing else of the fabric's behaviour. The fabric itself is tested as RTL and in the end-to-end runs.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "fixaccel/board.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/seq.hpp"

namespace fixaccel {

class FakeBoard final : public Board {
  public:
    using Board::read;
    using Board::write;

    void read(std::uint32_t addr, std::span<std::uint32_t> words) override {
        for (std::uint32_t& word : words) {
            word = memory[addr];
            if (addr == hwmap::reg::status && on_status_read) on_status_read();
            addr += 4;
        }
    }

    void write(std::uint32_t addr, std::span<const std::uint32_t> words) override {
        for (const std::uint32_t word : words) {
            write_word(addr, word);
            addr += 4;
        }
    }

    void set_status(unsigned bit, bool on) {
        std::uint32_t& status = memory[hwmap::reg::status];
        status = on ? status | (1U << bit) : status & ~(1U << bit);
    }

    bool has_status(unsigned bit) { return ((memory[hwmap::reg::status] >> bit) & 1U) != 0; }

    // A fire that has left, as the fabric would record it.
    void add_fire(std::uint32_t seq_num, const std::string& payload, bool left = true) {
        const std::uint32_t entry = ++memory[hwmap::reg::ring_head];
        const std::uint32_t index = (entry - 1) % hwmap::ring_entries;
        hwmap::ring_record record;
        record.set_entry(entry);
        record.set_msg_seq_num(to_bcd(seq_num, 8));
        record.set_tcp_seq(memory[hwmap::reg::snd_nxt]);
        record.set_length(payload.size());
        record.set_sent_at(sent_at_);
        put(hwmap::memory::ring, index, record.words);
        hwmap::ring_sent_record sent;
        sent.set_entry(left ? entry : 0);
        put(hwmap::memory::ring_sent, index, sent.words);
        std::vector<std::uint32_t> words((payload.size() + 3) / 4);
        for (std::size_t i = 0; i < payload.size(); ++i)
            words[i / 4] |= static_cast<std::uint32_t>(static_cast<unsigned char>(payload[i]))
                            << (8 * (i % 4));
        for (const std::uint32_t word : words) {
            put(hwmap::memory::sent, sent_at_, std::array{word});
            sent_at_ = (sent_at_ + 1) % (hwmap::sent_bytes / 4);
        }
        memory[hwmap::reg::snd_nxt] += static_cast<std::uint32_t>(payload.size());
    }

    // Its last byte is on the wire.
    void has_left(std::uint32_t entry) {
        hwmap::ring_sent_record sent;
        sent.set_entry(entry);
        put(hwmap::memory::ring_sent, (entry - 1) % hwmap::ring_entries, sent.words);
    }

    void add_rejected(std::uint32_t outcome) {
        const std::uint32_t entry = ++memory[hwmap::reg::ring_head];
        hwmap::ring_record record;
        record.set_entry(entry);
        record.set_outcome(outcome);
        put(hwmap::memory::ring, (entry - 1) % hwmap::ring_entries, record.words);
    }

    std::map<std::uint32_t, std::uint32_t> memory;
    bool grants = true;
    std::function<void()> on_status_read;
    std::function<void(std::uint32_t addr, std::uint32_t word)> on_write;
    std::vector<std::string>* trace = nullptr;

  private:
    std::uint32_t sent_at_ = 0;

    template <typename Words>
    void put(const hwmap::Window& window, std::uint32_t index, const Words& words) {
        std::uint32_t addr = window.base + index * window.stride_bytes;
        for (const std::uint32_t word : words) {
            memory[addr] = word;
            addr += 4;
        }
    }

    void write_word(std::uint32_t addr, std::uint32_t word) {
        memory[addr] = word;
        if (on_write) on_write(addr, word);
        using hwmap::status_bits::lease_held;
        if (addr == hwmap::reg::lease_request && word == 1 && grants) set_status(lease_held, true);
        if (addr == hwmap::reg::lease_release &&
            memory[hwmap::reg::lease_snd_nxt] == memory[hwmap::reg::snd_nxt])
            set_status(lease_held, false);
        if (trace == nullptr) return;
        if (addr == hwmap::reg::committed) trace->push_back("committed " + std::to_string(word));
        if (addr == hwmap::reg::ring_tail) trace->push_back("tail " + std::to_string(word));
    }
};

}  // namespace fixaccel
