// SPDX-License-Identifier: Apache-2.0
// A board that may be lost and come back, as the kill switch meets it.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fake_board.hpp"
#include "kill_switch.hpp"
#include "scratch_folder.hpp"

namespace fixaccel {

class KillTest : public ::testing::Test {
  protected:
    KillTest() { power_on(); }

    // One connection, which is of no more use once it has failed.
    class Connection final : public Board {
      public:
        explicit Connection(KillTest& test) : test_(test), board_(test.board_) {
            if (!board_) throw BoardError("no board");
        }
        using Board::read;
        using Board::write;
        void read(std::uint32_t addr, std::span<std::uint32_t> words) override { use().read(addr, words); }
        void write(std::uint32_t addr, std::span<const std::uint32_t> words) override {
            FakeBoard& board = use();
            test_.done_.push_back((addr == hwmap::reg::kill ? "kill " : "arm ") + std::to_string(words[0]));
            board.write(addr, words);
        }

      private:
        FakeBoard& use() const {
            if (board_ != test_.board_) throw BoardError("gone");
            return *board_;
        }
        KillTest& test_;
        std::shared_ptr<FakeBoard> board_;
    };

    void power_on() {
        board_ = std::make_shared<FakeBoard>();
        board_->memory[hwmap::reg::magic] = hwmap::reg_reset::magic;
        board_->memory[hwmap::reg::hwmap_hash] = hwmap::kHwmapHash;
        board_->on_write = [this](std::uint32_t addr, std::uint32_t word) {
            if (addr == hwmap::reg::kill) board_->set_status(hwmap::status_bits::kill, word != 0);
        };
    }

    std::unique_ptr<KillSwitch> make(const std::filesystem::path& file = {}) {
        return std::make_unique<KillSwitch>(
            folder_.path() / "journal", [this] { return std::make_unique<Connection>(*this); }, file);
    }

    bool board_killed() { return board_->has_status(hwmap::status_bits::kill); }

    ScratchFolder folder_;
    std::shared_ptr<FakeBoard> board_;
    std::vector<std::string> done_;  // registers written
};

}  // namespace fixaccel
