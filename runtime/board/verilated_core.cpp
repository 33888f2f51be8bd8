// SPDX-License-Identifier: Apache-2.0
#include "verilated_core.hpp"

#include <verilated.h>
#if VM_TRACE_VCD
#include <verilated_vcd_c.h>
#endif

#include <algorithm>
#include <sstream>
#include <utility>

#include "Vfixaccel_core.h"
#include "driver.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/gen/zynq_gem.hpp"
#include "gem_side.hpp"
#include "streams.hpp"

namespace fixaccel::board {
namespace {

constexpr unsigned kResetCycles = 8;
constexpr unsigned kBusTimeoutCycles = 1000;  // the slave answers within a handful
constexpr std::uint32_t kAllBytes = 0xF;
constexpr unsigned kLookCycles = 64;         // between two looks at the mailboxes
constexpr std::size_t kBurstWords = 16;      // most of one access by the CPU
constexpr unsigned kBurstTimeout = 100'000;  // cycles; a read may wait for the longest frame to be written
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
    explicit Impl(const std::string& trace_file, const GemTiming* timing = nullptr) {
        context.randReset(2);
        context.randSeed(kSeed);
        core = std::make_unique<Vfixaccel_core>(&context);
        // Every input has a value: those that nobody drives would keep the random one of the model's start.
        core->net_rx_err = 0;
        core->s_axil_bready = 1;
        core->s_axil_rready = 1;
        core->s_axil_wstrb = kAllBytes;
        core->cpu_rx_ready = 1;
        core->net_fault = 0;
        if (timing != nullptr) port = std::make_unique<GemSide>(context, *timing);
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
        if (port) port->set_reset(true);
        for (unsigned i = 0; i < kResetCycles; ++i) step();
        core->rst = 0;
        if (port) port->set_reset(false);
        step();
    }

    // One clock cycle: drive, settle, look at what the edge will see, edge.
    void step() {
        core->elapsed_ns = elapsed ? elapsed() : kCycleNs;
        if (port)
            port->drive(*core);
        else
            drive();
        core->clk = 0;
        core->eval();
        dump(false);
        if (!port)
            sample();
        else if (port->settle(*core, cycle))
            last_activity = cycle;
        sample_bus();
        core->clk = 1;
        core->eval();
        if (port) port->edge();
        dump(true);
        ++cycle;
    }

    void drive() {
        core->net_rx_valid = net_source.valid();
        core->net_rx_data = net_source.data();
        core->net_rx_last = net_source.last();
        core->cpu_tx_valid = cpu_source.valid();
        core->cpu_tx_data = cpu_source.data();
        core->cpu_tx_last = cpu_source.last();
        core->net_tx_ready = net_sink.ready();
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
    }

    void sample_bus() {
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

    // Mailboxes are looked at now and then, as a program would.
    void look_at_mailboxes() {
        if (!driver || cycle < next_look) return;
        while (!to_send.empty() && driver->send(to_send.front())) {
            to_send.pop_front();
            last_activity = cycle;
        }
        while (auto frame = driver->receive()) {
            SentFrame sent;
            sent.bytes = std::move(*frame);
            sent.first_cycle = sent.last_cycle = cycle;
            received.push_back(std::move(sent));
            last_activity = cycle;
        }
        next_look = cycle + kLookCycles;
    }

    VerilatedContext context;
    std::unique_ptr<Vfixaccel_core> core;
    std::unique_ptr<GemSide> port;  // none: the `wire` interface
    std::unique_ptr<gem::GemBus> gem_bus;
    std::unique_ptr<gem::GemDriver> driver;
    std::deque<Frame> to_send;       // for the driver
    std::deque<SentFrame> received;  // by it
    std::uint64_t next_look = 0;
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

// The CPU's way through the model: bursts as an interconnect makes them of single accesses, so that frames
// take less time to simulate; the controller's registers answer at once.
class VerilatedCore::CpuBus : public gem::GemBus {
  public:
    explicit CpuBus(Impl& impl) : impl_(impl) {}
    using gem::GemBus::read;
    using gem::GemBus::write;
    void read(gem::Place place, std::uint32_t addr, std::span<std::uint32_t> words) override {
        if (place == gem::Place::controller) {
            for (std::uint32_t& word : words) word = impl_.port->controller().read(step(addr));
            return;
        }
        for (std::size_t at = 0; at < words.size(); at += kBurstWords) {
            const auto part = words.subspan(at, std::min(kBurstWords, words.size() - at));
            GemBurst burst{.addr = next(addr, part.size()), .words = {part.begin(), part.end()}, .when = {}};
            finish(burst);
            std::copy(burst.words.begin(), burst.words.end(), part.begin());
        }
    }
    void write(gem::Place place, std::uint32_t addr, std::span<const std::uint32_t> words) override {
        if (place == gem::Place::controller) {
            for (const std::uint32_t word : words) impl_.port->controller().write(step(addr), word);
            return;
        }
        for (std::size_t at = 0; at < words.size(); at += kBurstWords) {
            const auto part = words.subspan(at, std::min(kBurstWords, words.size() - at));
            GemBurst burst{.write = true,
                           .addr = next(addr, part.size()),
                           .words = {part.begin(), part.end()},
                           .when = {}};
            finish(burst);
            impl_.last_activity = impl_.cycle;  // a frame that is handed over has yet to leave
        }
    }
    std::uint32_t window_base() const override { return gem::kModelWindowBase; }
    std::uint32_t controller_base() const override { return zynq_gem::base_gem0; }

  private:
    static std::uint32_t next(std::uint32_t& addr, std::size_t words) {
        const std::uint32_t now = addr;
        addr += static_cast<std::uint32_t>(words * sizeof(std::uint32_t));
        return now;
    }
    // An access of a register takes a cycle, so that what is waited for comes.
    std::uint32_t step(std::uint32_t& addr) {
        impl_.step();
        return next(addr, 1);
    }
    void finish(GemBurst& burst) {
        impl_.port->access(burst);
        for (unsigned i = 0; i < kBurstTimeout && !burst.done; ++i) impl_.step();
        if (!burst.done) {
            impl_.port->forget();
            throw gem::GemError("the window does not answer at " + hex(burst.addr));
        }
        if (burst.refused) throw gem::GemError("the window refuses an access at " + hex(burst.addr));
    }

    Impl& impl_;
};

VerilatedCore::VerilatedCore(const std::string& trace) : impl_(std::make_unique<Impl>(trace)) {}
VerilatedCore::VerilatedCore(const std::string& trace, const GemTiming* timing)
    : impl_(std::make_unique<Impl>(trace, timing)) {
    if (timing != nullptr) impl_->gem_bus = std::make_unique<CpuBus>(*impl_);
}
VerilatedCore::~VerilatedCore() = default;

gem::GemBus& VerilatedCore::gem_bus() { return *impl_->gem_bus; }

void VerilatedCore::drive_mailboxes() {
    impl_->driver = std::make_unique<gem::GemDriver>(*impl_->gem_bus);
    impl_->driver->start();
}

bool VerilatedCore::has_gem() const { return impl_->port != nullptr; }

const GemMoments& VerilatedCore::gem_moments() const { return impl_->port->controller().moments(); }
std::deque<Frame>& VerilatedCore::gem_handed() { return impl_->port->handed(); }
const GemFigures& VerilatedCore::gem_figures() const { return impl_->port->figures(); }

void VerilatedCore::set_elapsed(Elapsed elapsed) { impl_->elapsed = std::move(elapsed); }
void VerilatedCore::reset() {
    impl_->reset();
    impl_->to_send.clear();
    impl_->received.clear();
    if (impl_->driver) drive_mailboxes();
}

void VerilatedCore::step(unsigned cycles) {
    for (unsigned i = 0; i < cycles; ++i) {
        impl_->step();
        impl_->look_at_mailboxes();
    }
}

void VerilatedCore::push(Side side, FrameView frame, bool bad_fcs) {
    if (impl_->port && side == Side::cpu) {
        impl_->to_send.emplace_back(frame.begin(), frame.end());
        return;
    }
    Frame bytes = with_fcs(frame);
    if (bad_fcs) bytes.back() ^= 0xFFU;
    if (impl_->port)
        impl_->port->controller().arrive(std::move(bytes));
    else
        (side == Side::net ? impl_->net_source : impl_->cpu_source).push(std::move(bytes));
}

std::size_t VerilatedCore::queued(Side side) const {
    if (impl_->port) return side == Side::net ? impl_->port->controller().arriving() : impl_->to_send.size();
    return (side == Side::net ? impl_->net_source : impl_->cpu_source).queued();
}

std::deque<SentFrame>& VerilatedCore::sent(Side side) {
    if (impl_->port) return side == Side::net ? impl_->port->controller().left() : impl_->received;
    return (side == Side::net ? impl_->net_sink : impl_->cpu_sink).frames();
}

void VerilatedCore::stall(bool on) {
    if (impl_->port) impl_->port->controller().stall(on);
    impl_->net_sink.block(on);
    impl_->last_activity = impl_->cycle;
}

void VerilatedCore::stall_behind(const std::string& text) { impl_->net_sink.hold_behind(text); }

bool VerilatedCore::quiet() const {
    if (queued(Side::net) != 0 || queued(Side::cpu) != 0) return false;
    // What is between the window and the core moves on all the time.
    if (impl_->port)
        return !impl_->port->controller().leaving() &&
               impl_->cycle - impl_->last_activity >= std::uint64_t{2} * kLookCycles;
    return (!impl_->net_sink.inside() || impl_->net_sink.held()) && !impl_->cpu_sink.inside();
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
