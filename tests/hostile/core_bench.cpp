// SPDX-License-Identifier: Apache-2.0
#include "core_bench.hpp"

#include <verilated.h>

#include <utility>

#include "Vfixaccel_core.h"
#include "failure.hpp"

namespace fixaccel::hostile {
namespace {

constexpr unsigned kResetCycles = 8;
constexpr unsigned kBusTimeout = 100'000;  // cycles; a busy memory may make the bus wait

// A frame on its way into the core.
struct Entering {
    std::optional<RawFrame> frame{};
    std::size_t at = 0;
    unsigned wait = 0;
    std::uint64_t first = 0;

    bool valid() const { return frame && wait == 0; }
    std::uint8_t data() const { return valid() ? frame->bytes[at] : std::uint8_t{0}; }
    bool last() const { return valid() && at + 1 == frame->bytes.size(); }
};

// A frame on its way out of it.
struct Leaving {
    Bytes bytes{};
    std::uint64_t first = 0;
};

}  // namespace

struct CoreBench::Impl {
    Impl() {
        context.randReset(2);
        context.randSeed(1);
        context.fatalOnError(false);  // a failed assertion becomes an exception
        core = std::make_unique<Vfixaccel_core>(&context);
        // Every input has a value: those that nobody drives would keep the random one of the model's start.
        core->net_fault = 0;
        core->s_axil_bready = core->s_axil_rready = 1;
        core->s_axil_wstrb = 0xF;
        core->s_axil_awaddr = core->s_axil_araddr = core->s_axil_wdata = 0;
    }

    static void refill(Entering& side, std::optional<RawFrame> next) {
        if (!next) return;
        side.wait = next->gap;
        side.at = 0;
        side.frame = std::move(next);
    }

    void step() {
        if (!in_reset) {
            if (!net.frame) refill(net, surroundings->next_from_net());
            if (!cpu.frame) refill(cpu, surroundings->next_from_cpu());
        }
        core->elapsed_ns = surroundings->elapsed_ns();
        core->net_rx_valid = net.valid();
        core->net_rx_data = net.data();
        core->net_rx_last = net.last();
        core->net_rx_err = net.last() && net.frame->phy_error;
        core->cpu_tx_valid = cpu.valid();
        core->cpu_tx_data = cpu.data();
        core->cpu_tx_last = cpu.last();
        core->net_tx_ready = surroundings->net_ready();
        core->cpu_rx_ready = surroundings->cpu_ready();
        core->clk = 0;
        core->eval();
        const bool cpu_taken = cpu.valid() && core->cpu_tx_ready != 0;
        const bool net_out = !in_reset && core->net_tx_valid != 0 && core->net_tx_ready != 0;
        const bool cpu_out = !in_reset && core->cpu_rx_valid != 0 && core->cpu_rx_ready != 0;
        const std::uint8_t net_byte = core->net_tx_data, cpu_byte = core->cpu_rx_data;
        const bool net_last = core->net_tx_last != 0, net_error = core->net_tx_err != 0;
        const bool cpu_last = core->cpu_rx_last != 0;
        sample_bus();
        core->clk = 1;
        core->eval();
        ++cycle;
        if (context.gotError() || context.gotFinish())
            throw Failure("assertion", "an assertion of the RTL failed");
        if (net.frame)
            advance(net, net.valid(), [this](const RawFrame& frame) {
                surroundings->entered_from_net(frame, net.first, cycle);
            });
        if (cpu.frame)
            advance(cpu, cpu_taken, [this](const RawFrame& frame) { surroundings->entered_from_cpu(frame); });
        if (net_out && take(net_tx, net_byte, net_last))
            surroundings->left_to_net(std::exchange(net_tx.bytes, {}), net_error, net_tx.first, cycle);
        if (cpu_out && take(cpu_rx, cpu_byte, cpu_last))
            surroundings->left_to_cpu(std::exchange(cpu_rx.bytes, {}));
    }

    template <typename Entered>
    void advance(Entering& side, bool taken, Entered entered) {
        if (side.wait > 0) {
            --side.wait;
            return;
        }
        if (!taken) return;
        if (side.at == 0) side.first = cycle;
        if (++side.at < side.frame->bytes.size()) return;
        const RawFrame frame = std::move(*side.frame);
        side.frame.reset();
        entered(frame);
    }

    bool take(Leaving& side, std::uint8_t byte, bool last) const {
        if (side.bytes.empty()) side.first = cycle;
        side.bytes.push_back(byte);
        return last;
    }

    void sample_bus() {
        aw = core->s_axil_awvalid != 0 && core->s_axil_awready != 0;
        w = core->s_axil_wvalid != 0 && core->s_axil_wready != 0;
        ar = core->s_axil_arvalid != 0 && core->s_axil_arready != 0;
        b = core->s_axil_bvalid != 0;
        r = core->s_axil_rvalid != 0;
        rdata = core->s_axil_rdata;
        response = b ? core->s_axil_bresp : core->s_axil_rresp;
    }

    void run_bus(const bool& done) {
        for (unsigned i = 0; i < kBusTimeout; ++i) {
            step();
            if (aw) core->s_axil_awvalid = 0;
            if (w) core->s_axil_wvalid = 0;
            if (ar) core->s_axil_arvalid = 0;
            if (!done) continue;
            if (response != 0) throw BoardError("the fabric refused a register access");
            return;
        }
        throw BoardError("the fabric does not answer on its register port");
    }

    VerilatedContext context{};
    Surroundings* surroundings = nullptr;
    std::unique_ptr<Vfixaccel_core> core{};
    Entering net{}, cpu{};
    Leaving net_tx{}, cpu_rx{};
    std::uint64_t cycle = 0;
    bool in_reset = false;
    bool aw = false, w = false, b = false, ar = false, r = false;
    std::uint32_t rdata = 0, response = 0;
};

CoreBench::CoreBench() : impl_(std::make_unique<Impl>()) {}
CoreBench::~CoreBench() { impl_->core->final(); }

void CoreBench::attach(Surroundings& surroundings) { impl_->surroundings = &surroundings; }

void CoreBench::reset() {
    Impl& i = *impl_;
    i.net = i.cpu = {};
    i.net_tx = i.cpu_rx = {};
    i.core->s_axil_awvalid = i.core->s_axil_wvalid = i.core->s_axil_arvalid = 0;
    i.in_reset = true;
    i.core->rst = 1;
    for (unsigned n = 0; n < kResetCycles; ++n) i.step();
    i.core->rst = 0;
    i.step();
    i.in_reset = false;
}

void CoreBench::step() { impl_->step(); }
std::uint64_t CoreBench::cycle() const { return impl_->cycle; }
bool CoreBench::busy() const {
    return impl_->net.frame || impl_->cpu.frame || !impl_->net_tx.bytes.empty() ||
           !impl_->cpu_rx.bytes.empty();
}

void CoreBench::read(std::uint32_t addr, std::span<std::uint32_t> words) {
    for (std::uint32_t& word : words) {
        impl_->core->s_axil_araddr = addr;
        impl_->core->s_axil_arvalid = 1;
        impl_->run_bus(impl_->r);
        word = impl_->rdata;
        addr += 4;
    }
}

void CoreBench::write(std::uint32_t addr, std::span<const std::uint32_t> words) {
    for (const std::uint32_t word : words) {
        impl_->core->s_axil_awaddr = addr;
        impl_->core->s_axil_awvalid = 1;
        impl_->core->s_axil_wdata = word;
        impl_->core->s_axil_wvalid = 1;
        impl_->run_bus(impl_->b);
        addr += 4;
    }
}

}  // namespace fixaccel::hostile
