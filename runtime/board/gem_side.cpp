// SPDX-License-Identifier: Apache-2.0
#include "gem_side.hpp"

#include <utility>

#include "Vfixaccel_core.h"
#include "Vgem_port.h"
#include "fixaccel/gen/zynq_gem.hpp"

namespace fixaccel::board {
namespace {

constexpr std::uint8_t kOkay = 0, kSlaveError = 2;

}  // namespace

GemSide::GemSide(VerilatedContext& context, const GemTiming& timing)
    : port_(std::make_unique<Vgem_port>(&context, "port")),
      controller_(window_, timing),
      start_wait_(timing.start_wait) {
    port_->rst = 1;
    port_->m_axi_awready = port_->m_axi_wready = port_->m_axi_bvalid = port_->m_axi_bresp = 0;
    port_->clk = 0;
    port_->eval();
}

GemSide::~GemSide() { port_->final(); }

void GemSide::drive(Vfixaccel_core& core) const {
    core.net_rx_valid = port_->net_rx_valid;
    core.net_rx_data = port_->net_rx_data;
    core.net_rx_last = port_->net_rx_last;
    core.net_rx_err = port_->net_rx_err;
    core.net_tx_ready = port_->net_tx_ready;
    core.net_fault = port_->net_fault;
    core.cpu_tx_valid = port_->cpu_tx_valid;
    core.cpu_tx_data = port_->cpu_tx_data;
    core.cpu_tx_last = port_->cpu_tx_last;
    core.cpu_rx_ready = port_->cpu_rx_ready;
}

bool GemSide::settle(const Vfixaccel_core& core, std::uint64_t cycle) {
    port_->net_tx_valid = core.net_tx_valid;
    port_->net_tx_data = core.net_tx_data;
    port_->net_tx_last = core.net_tx_last;
    port_->net_tx_length = core.net_tx_length;
    port_->cpu_tx_ready = core.cpu_tx_ready;
    port_->cpu_tx_started = core.cpu_tx_started;
    port_->cpu_tx_stopped = core.cpu_tx_stopped;
    port_->cpu_rx_valid = core.cpu_rx_valid;
    port_->cpu_rx_data = core.cpu_rx_data;
    port_->cpu_rx_last = core.cpu_rx_last;
    window_.drive(*port_);
    port_->clk = 0;
    port_->eval();
    window_.sample(*port_, cycle);
    now_ = cycle;
    measure(cycle);
    if (port_->cpu_tx_valid != 0 && port_->cpu_tx_ready != 0) collect_cpu_byte();
    answer_start();
    const bool moved = controller_.step(cycle);
    return moved || port_->net_rx_valid != 0 || port_->cpu_tx_valid != 0 ||
           (port_->net_tx_valid != 0 && port_->net_tx_ready != 0) ||
           (port_->cpu_rx_valid != 0 && port_->cpu_rx_ready != 0);
}

// A byte that is taken completes a word in the next cycle, which is in the memory in the one after that.
void GemSide::measure(std::uint64_t cycle) {
    constexpr unsigned kWordBytes = 4, kStored = 2;
    if (port_->cpu_tx_started != 0) cpu_comes_ = true;
    if (port_->net_tx_valid == 0 || port_->net_tx_ready == 0) return;
    if (bytes_ == 0) {
        of_cpu_ = cpu_comes_;
        cpu_comes_ = false;
        awaits_start_ = !of_cpu_;
        if (!of_cpu_) figures_.first_byte = cycle;
    }
    ++bytes_;
    if (!of_cpu_ && bytes_ == kWordBytes) figures_.first_word = cycle + kStored;
    if (port_->net_tx_last == 0) return;
    if (!of_cpu_) figures_.whole = cycle + kStored;
    bytes_ = 0;
}

void GemSide::collect_cpu_byte() {
    constexpr std::size_t kRemembered = 64;
    handing_.push_back(port_->cpu_tx_data);
    if (port_->cpu_tx_last == 0) return;
    strip_fcs(handing_);
    handed_.push_back(std::exchange(handing_, {}));
    if (handed_.size() > kRemembered) handed_.pop_front();
}

// The write of net_ctrl takes its time through the processing system; then the controller has it.
void GemSide::answer_start() {
    switch (start_) {
        case Start::idle:
            if (port_->m_axi_awvalid == 0 || port_->m_axi_wvalid == 0) break;
            if (starting_ == 0 && awaits_start_) figures_.start_issued = now_;
            awaits_start_ = false;
            if (++starting_ > start_wait_) start_ = Start::take;
            break;
        case Start::take: {  // its pins were taken in this cycle
            starting_ = 0;
            const std::uint32_t addr = port_->m_axi_awaddr - zynq_gem::base_gem0;
            const bool there = addr < 1U << zynq_gem::address_bits;
            if (there) controller_.write(addr, port_->m_axi_wdata);
            response_ = there ? kOkay : kSlaveError;
            start_ = Start::answer;
            break;
        }
        case Start::answer:
            if (port_->m_axi_bready != 0) start_ = Start::idle;
            break;
    }
}

void GemSide::edge() {
    port_->clk = 1;
    port_->eval();
    port_->m_axi_awready = port_->m_axi_wready = start_ == Start::take;
    port_->m_axi_bvalid = start_ == Start::answer;
    port_->m_axi_bresp = response_;
}

void GemSide::set_reset(bool on) {
    port_->rst = on;
    if (!on) return;
    window_.reset();
    controller_.reset();
    starting_ = 0;
    start_ = Start::idle;
    port_->m_axi_awready = port_->m_axi_wready = port_->m_axi_bvalid = 0;
}

}  // namespace fixaccel::board
