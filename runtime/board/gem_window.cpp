// SPDX-License-Identifier: Apache-2.0
#include "gem_window.hpp"

#include "Vgem_port.h"

namespace fixaccel::board {
namespace {

constexpr unsigned kWordSize = 2;  // AxSIZE of four bytes
constexpr unsigned kIncr = 1;      // AxBURST
constexpr unsigned kAllBytes = 0xF;

}  // namespace

void GemWindow::Channel::next() {
    if (burst != nullptr || queue.empty()) return;
    burst = queue.front();
    queue.pop_front();
    addressed = false;
    beat = 0;
    wait = burst->wait;
    burst->when.clear();
}

void GemWindow::drive(Vgem_port& port) {
    write_.next();
    read_.next();
    const GemBurst* out = write_.burst;
    const bool ready = out != nullptr && write_.wait == 0;
    port.s_axi_awvalid = ready && !write_.addressed;
    port.s_axi_wvalid = ready && write_.addressed && write_.beat < out->words.size();
    if (port.s_axi_awvalid != 0) {
        port.s_axi_awaddr = out->addr;
        port.s_axi_awlen = static_cast<std::uint8_t>(out->words.size() - 1);
    }
    if (port.s_axi_wvalid != 0) {
        port.s_axi_wdata = out->words[write_.beat];
        port.s_axi_wlast = write_.beat + 1 == out->words.size();
    }
    port.s_axi_bready = 1;
    const GemBurst* in = read_.burst;
    port.s_axi_arvalid = in != nullptr && read_.wait == 0 && !read_.addressed;
    if (port.s_axi_arvalid != 0) {
        port.s_axi_araddr = in->addr;
        port.s_axi_arlen = static_cast<std::uint8_t>(in->words.size() - 1);
    }
    port.s_axi_rready = in != nullptr && read_.addressed && read_.wait == 0;
    port.s_axi_awsize = port.s_axi_arsize = kWordSize;
    port.s_axi_awburst = port.s_axi_arburst = kIncr;
    port.s_axi_wstrb = kAllBytes;
    port.s_axi_awid = port.s_axi_arid = 0;
}

void GemWindow::sample(const Vgem_port& port, std::uint64_t cycle) {
    if (write_.wait > 0) {
        --write_.wait;
    } else if (port.s_axi_awvalid != 0 && port.s_axi_awready != 0) {
        write_.addressed = true;
    } else if (port.s_axi_wvalid != 0 && port.s_axi_wready != 0) {
        ++write_.beat;
        write_.wait = write_.burst->gap;
        write_.burst->last_beat = cycle;
    }
    if (write_.burst != nullptr && port.s_axi_bvalid != 0) {
        write_.burst->refused = port.s_axi_bresp != 0;
        write_.burst->done = true;
        write_.burst = nullptr;
        write_.wait = 0;
    }
    if (read_.wait > 0) {
        --read_.wait;
    } else if (port.s_axi_arvalid != 0 && port.s_axi_arready != 0) {
        read_.addressed = true;
    } else if (port.s_axi_rvalid != 0 && port.s_axi_rready != 0) {
        GemBurst& burst = *read_.burst;
        burst.words[read_.beat++] = port.s_axi_rdata;
        burst.when.push_back(cycle);
        burst.last_beat = cycle;
        burst.refused = burst.refused || port.s_axi_rresp != 0;
        read_.wait = burst.gap;
        if (port.s_axi_rlast != 0) {
            burst.done = true;
            read_.burst = nullptr;
            read_.wait = 0;
        }
    }
}

void GemWindow::reset() {
    write_ = {};
    read_ = {};
}

}  // namespace fixaccel::board
