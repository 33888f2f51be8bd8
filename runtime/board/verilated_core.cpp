// SPDX-License-Identifier: Apache-2.0
#include "verilated_core.hpp"

#include <verilated.h>
#if VM_TRACE_VCD
#include <verilated_vcd_c.h>
#endif

#include <sstream>
#include <utility>

#include "Vfixaccel_core.h"
#include "fixaccel/gen/hwmap.hpp"
#include "streams.hpp"

namespace fixaccel::board {
namespace {

constexpr unsigned kResetCycles = 8;
constexpr unsigned kBusTimeoutCycles = 1000;  // the slave answers within a handful
constexpr std::uint32_t kAllBytes = 0xF;
constexpr int kSeed = 1;  // of values that the RTL leaves undefined, fixed so that runs repeat

// Handshakes of the register port as they stood just before the clock's edge.
struct BusSample {
    bool aw = false, w = false, b = false, ar = false, r = false;
    std::uint32_t data = 0;
    std::uint32_t response = 0;
};

std::string hex(std::uint32_t value) {
    std::ostringstream text;
    text << "0x" << std::hex << value;
    return text.str();
}

}  // namespace

struct VerilatedCore::Impl {
    explicit Impl(const std::string& trace_file) {
        context.randReset(2);
        context.randSeed(kSeed);
        core = std::make_unique<Vfixaccel_core>(&context);
        // Every input has a value: those that nobody drives would keep the random one of the model's start.
        core->net_rx_err = 0;
        core->s_axil_bready = 1;
        core->s_axil_rready = 1;
        core->s_axil_wstrb = kAllBytes;
        core->cpu_rx_ready = 1;
        open_trace(trace_file);
        reset();
    }
    ~Impl() {
#if VM_TRACE_VCD
        if (trace) trace->close();
#endif
        core->final();
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void open_trace(const std::string& file) {
        if (file.empty()) return;
#if VM_TRACE_VCD
        context.traceEverOn(true);
        trace = std::make_unique<VerilatedVcdC>();
        core->trace(trace.get(), 99);
        trace->open(file.c_str());
        if (!trace->isOpen()) throw BoardError("trace file " + file + " cannot be written");
#else
        throw BoardError("no trace: this program was built without it; configure with -DFIXACCEL_TRACE=ON");
#endif
    }

    void dump([[maybe_unused]] bool high) {
#if VM_TRACE_VCD
        if (trace) trace->dump(cycle * kCycleNs + (high ? kCycleNs / 2 : 0));
#endif
    }

    void reset() {
        net_source = FrameSource(kInterFrameCycles);
        cpu_source = FrameSource(0);
        net_sink = FrameSink(kInterFrameCycles);
        cpu_sink = FrameSink(0);
        core->s_axil_awvalid = core->s_axil_wvalid = core->s_axil_arvalid = 0;
        core->rst = 1;
        for (unsigned i = 0; i < kResetCycles; ++i) step();
        core->rst = 0;
        step();
    }

    // One clock cycle: drive, settle, look at what the edge will see, edge.
    void step() {
        core->elapsed_ns = elapsed ? elapsed() : kCycleNs;
        core->net_rx_valid = net_source.valid();
        core->net_rx_data = net_source.data();
        core->net_rx_last = net_source.last();
        core->cpu_tx_valid = cpu_source.valid();
        core->cpu_tx_data = cpu_source.data();
        core->cpu_tx_last = cpu_source.last();
        core->net_tx_ready = net_sink.ready();
        core->clk = 0;
        core->eval();
        dump(false);
        sample();
        core->clk = 1;
        core->eval();
        dump(true);
        ++cycle;
    }

    void sample() {
        if (net_source.valid()) {
            net_source.taken();
            last_activity = cycle;
        } else {
            net_source.rest();
        }
        if (cpu_source.valid() && core->cpu_tx_ready != 0) {
            cpu_source.taken();
            last_activity = cycle;
        }
        if (core->net_tx_valid != 0 && net_sink.ready()) {
            net_sink.take(core->net_tx_data, core->net_tx_last != 0, core->net_tx_err != 0, cycle);
            last_activity = cycle;
        } else {
            net_sink.rest();
        }
        if (core->cpu_rx_valid != 0) {
            cpu_sink.take(core->cpu_rx_data, core->cpu_rx_last != 0, false, cycle);
            last_activity = cycle;
        }
        bus.aw = core->s_axil_awvalid != 0 && core->s_axil_awready != 0;
        bus.w = core->s_axil_wvalid != 0 && core->s_axil_wready != 0;
        bus.b = core->s_axil_bvalid != 0;
        bus.ar = core->s_axil_arvalid != 0 && core->s_axil_arready != 0;
        bus.r = core->s_axil_rvalid != 0;
        bus.data = core->s_axil_rdata;
        bus.response = bus.b ? core->s_axil_bresp : core->s_axil_rresp;
    }

    // Steps until `done` and drops each valid once it was taken.
    template <typename Done>
    void run_bus(std::uint32_t addr, Done done) {
        for (unsigned i = 0; i < kBusTimeoutCycles; ++i) {
            step();
            if (bus.aw) core->s_axil_awvalid = 0;
            if (bus.w) core->s_axil_wvalid = 0;
            if (bus.ar) core->s_axil_arvalid = 0;
            if (!done()) continue;
            if (bus.response != 0)
                throw BoardRefused(
                    "the fabric answered the access at " + hex(addr) + " with SLVERR" +
                    (addr >= hwmap::tables_base ? ", its tables are locked while it is armed" : ""));
            return;
        }
        core->s_axil_awvalid = core->s_axil_wvalid = core->s_axil_arvalid = 0;
        throw BoardError("the fabric does not answer at " + hex(addr));
    }

    std::uint32_t read(std::uint32_t addr) {
        core->s_axil_araddr = addr;
        core->s_axil_arvalid = 1;
        run_bus(addr, [this] { return bus.r; });
        return bus.data;
    }

    void write(std::uint32_t addr, std::uint32_t value) {
        core->s_axil_awaddr = addr;
        core->s_axil_awvalid = 1;
        core->s_axil_wdata = value;
        core->s_axil_wvalid = 1;
        run_bus(addr, [this] { return bus.b; });
        if (addr != hwmap::reg::watchdog_kick) last_activity = cycle;  // nothing comes of a kick
    }

    VerilatedContext context;
    std::unique_ptr<Vfixaccel_core> core;
#if VM_TRACE_VCD
    std::unique_ptr<VerilatedVcdC> trace;
#endif
    Elapsed elapsed;
    FrameSource net_source{kInterFrameCycles};
    FrameSource cpu_source{0};
    FrameSink net_sink{kInterFrameCycles};
    FrameSink cpu_sink{0};
    BusSample bus;
    std::uint64_t cycle = 0;
    std::uint64_t last_activity = 0;
};

VerilatedCore::VerilatedCore(const std::string& trace) : impl_(std::make_unique<Impl>(trace)) {}
VerilatedCore::~VerilatedCore() = default;

void VerilatedCore::set_elapsed(Elapsed elapsed) { impl_->elapsed = std::move(elapsed); }
void VerilatedCore::reset() { impl_->reset(); }

void VerilatedCore::step(unsigned cycles) {
    for (unsigned i = 0; i < cycles; ++i) impl_->step();
}

void VerilatedCore::push(Side side, FrameView frame, bool bad_fcs) {
    Frame bytes = with_fcs(frame);
    if (bad_fcs) bytes.back() ^= 0xFFU;
    (side == Side::net ? impl_->net_source : impl_->cpu_source).push(std::move(bytes));
}

std::size_t VerilatedCore::queued(Side side) const {
    return (side == Side::net ? impl_->net_source : impl_->cpu_source).queued();
}

std::deque<SentFrame>& VerilatedCore::sent(Side side) {
    return (side == Side::net ? impl_->net_sink : impl_->cpu_sink).frames();
}

void VerilatedCore::stall(bool on) {
    impl_->net_sink.block(on);
    impl_->last_activity = impl_->cycle;
}

bool VerilatedCore::quiet() const {
    return queued(Side::net) == 0 && queued(Side::cpu) == 0 && !impl_->net_sink.inside() &&
           !impl_->cpu_sink.inside();
}

std::uint64_t VerilatedCore::last_activity() const { return impl_->last_activity; }
std::uint64_t VerilatedCore::cycles() const { return impl_->cycle; }

void VerilatedCore::read(std::uint32_t addr, std::span<std::uint32_t> words) {
    for (std::uint32_t& word : words) {
        word = impl_->read(addr);
        addr += sizeof(word);
    }
}

void VerilatedCore::write(std::uint32_t addr, std::span<const std::uint32_t> words) {
    for (const std::uint32_t word : words) {
        impl_->write(addr, word);
        addr += sizeof(word);
    }
}

}  // namespace fixaccel::board
