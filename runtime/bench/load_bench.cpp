// SPDX-License-Identifier: Apache-2.0
// What a load costs of a processor's time, stage by stage: two bundles in turn, on a board in memory that
// takes words at once, or without one. Usage: fixaccel-load-bench (board|none) FIRST SECOND LOADS
#include <array>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "by_hand.hpp"
#include "engine.hpp"
#include "fixaccel/no_board.hpp"
#include "fixaccel/seq.hpp"
#include "hand_gate.hpp"

namespace fixaccel {
namespace {

constexpr std::size_t kPage = 1024;  // words

// Registers and tables as plain memory; it arms and flips when it is told to.
class MemoryBoard final : public Board {
  public:
    using Board::read;
    using Board::write;

    explicit MemoryBoard(const Bundle& bundle) {
        at(hwmap::reg::magic) = hwmap::reg_reset::magic;
        at(hwmap::reg::hwmap_hash) = hwmap::kHwmapHash;
        for (const auto& [name, reg] : {std::pair{"instruments", hwmap::reg::cap_instruments},
                                        {"triggers", hwmap::reg::cap_triggers},
                                        {"orders", hwmap::reg::cap_orders},
                                        {"templates", hwmap::reg::cap_templates},
                                        {"groups", hwmap::reg::cap_groups}})
            at(reg) = static_cast<std::uint32_t>(bundle.capacity.at(name));
    }

    void read(std::uint32_t addr, std::span<std::uint32_t> words) override {
        for (std::uint32_t& word : words) {
            word = at(addr);
            addr += sizeof word;
        }
    }

    void write(std::uint32_t addr, std::span<const std::uint32_t> words) override {
        for (const std::uint32_t word : words) {
            at(addr) = word;
            act(addr, word);
            addr += sizeof word;
        }
    }

  private:
    std::uint32_t& at(std::uint32_t addr) {
        const std::uint32_t word = addr / sizeof(std::uint32_t);
        return pages_[word / kPage][word % kPage];
    }
    void set_status(unsigned bit, bool on) {
        std::uint32_t& status = at(hwmap::reg::status);
        status = on ? status | 1U << bit : status & ~(1U << bit);
    }
    bool has_status(unsigned bit) { return (at(hwmap::reg::status) >> bit & 1U) != 0; }

    void act(std::uint32_t addr, std::uint32_t word) {
        namespace bits = hwmap::status_bits;
        if (addr == hwmap::reg::arm) set_status(bits::armed, word != 0);
        if (addr == hwmap::reg::banked) {
            set_status(bits::banked, word != 0);
            set_status(bits::bank, false);
        }
        if (addr == hwmap::reg::flip) {
            at(hwmap::reg::flip_seq_num) = to_bcd(1, 8);
            set_status(bits::bank, !has_status(bits::bank));
        }
    }

    std::unordered_map<std::uint32_t, std::array<std::uint32_t, kPage>> pages_;
};

class QuietStream final : public KernelStream {
  public:
    std::uint32_t unsent() override { return 0; }
    std::uint32_t snd_nxt() override { return 0; }
    std::uint32_t rcv_nxt() override { return 0; }
    void commit(std::string_view /*bytes*/) override {}
};

// Milliseconds of all threads of this process.
double cpu_ms() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

class Stages {
  public:
    template <typename Work>
    auto time(const std::string& stage, Work work) {
        const double before = cpu_ms();
        if constexpr (std::is_void_v<decltype(work())>) {
            work();
            taken_[stage] += cpu_ms() - before;
        } else {
            auto made = work();
            taken_[stage] += cpu_ms() - before;
            return made;
        }
    }
    void note(const std::string& what, double value) { taken_[what] += value; }
    void next() {
        for (const auto& [stage, ms] : taken_) samples_[stage].push_back(ms);
        taken_.clear();
    }
    nlohmann::json samples() const { return samples_; }

  private:
    std::map<std::string, double> taken_;
    std::map<std::string, std::vector<double>> samples_;
};

std::unique_ptr<Board> board_for(const std::string& kind, const Bundle& bundle) {
    if (kind == "board") return std::make_unique<MemoryBoard>(bundle);
    return std::make_unique<NoBoard>();
}

void run(const std::string& kind, const std::array<std::filesystem::path, 2>& bundles, int loads) {
    std::string folder = "/dev/shm/fixaccel-load-bench-XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no folder in /dev/shm");
    {
        const DaemonConfig config;
        const KillFlag kill;
        Journal journal(folder);
        Ledger ledger(journal);
        const std::unique_ptr<Board> board = board_for(kind, read_bundle(bundles[0]));
        Engine engine(*board, ledger, config, kill);
        QuietStream stream;
        engine.attach(&stream);
        BundleReader reader;
        engine.load(engine.loadable(reader.read(bundles[0])), "");
        engine.arm(Boundaries(), false);
        Stages stages;
        for (int load = 1; load <= loads; ++load) {
            Bundle bundle = stages.time("1 read", [&] {
                return reader.read(bundles[static_cast<std::size_t>(load) % 2], Looks::ahead);
            });
            auto gate = stages.time("2 gate", [&] { return ByHand::gate_of(bundle); });
            Loadable next = stages.time("3 ready", [&] { return engine.loadable(std::move(bundle)); });
            const std::string why = stages.time("4 check", [&] { return engine.not_hot(next); });
            if (why.empty()) {
                stages.time("5 begin", [&] { engine.begin_hot_load(std::move(next)); });
                stages.time("6 write", [&] {
                    while (engine.loading()) engine.advance_load();
                });
                // The runtime comes to the first message of the new rules.
                ledger.set_next_target(ledger.next_target() + 1);
                stages.time("7 take over", [&] { engine.advance_load(); });
            } else {
                stages.time("8 disarmed", [&] {
                    engine.load(std::move(next), why);
                    engine.arm(Boundaries(), false);
                });
            }
            stages.note("words", static_cast<double>(engine.load_report().words));
            stages.next();
        }
        engine.disarm("the end");
        std::cout << stages.samples() << '\n';
    }
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace fixaccel

int main(int argc, char** argv) {
    if (argc != 5) {
        std::cerr << "usage: fixaccel-load-bench (board|none) FIRST SECOND LOADS\n";
        return 2;
    }
    try {
        fixaccel::run(argv[1], {argv[2], argv[3]}, std::stoi(argv[4]));
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    return 0;
}
