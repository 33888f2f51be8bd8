// SPDX-License-Identifier: Apache-2.0
#include "gemd.hpp"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <iostream>
#include <sstream>

#include "privileges.hpp"

namespace fixaccel::gem {
namespace {

constexpr unsigned kFramesAtOnce = 32;  // of a direction, before the other one and signals are looked at
constexpr auto kFaultLook = std::chrono::milliseconds(50);
constexpr int kNoInterruptMs = 100;  // the longest rest where interrupts come: faults are looked at

int stop_signals() {
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigaddset(&stop, SIGINT);
    sigprocmask(SIG_BLOCK, &stop, nullptr);
    return ::signalfd(-1, &stop, SFD_NONBLOCK | SFD_CLOEXEC);
}

}  // namespace

Gemd::Gemd(const GemdOptions& options)
    : options_(options),
      signals_(stop_signals()),
      bus_(open_bus(options.bus)),
      driver_(*bus_),
      tap_(options.tap, options.mac) {
    drop_privileges(options.user);
    driver_.start();
    const Link link = driver_.link();
    if (!link.up)
        std::cerr << "fixaccel-gemd: the PHY has no link; set up for 1 Gb/s\n";
    else if (link.mbit_s != 1000 || !link.full_duplex)
        std::cerr << "fixaccel-gemd: the link is " << link.mbit_s
                  << " Mb/s; the clock of the controller must be set for that, see the documentation\n";
}

void Gemd::run() {
    bool busy = true;
    while (wait(busy)) {
        const bool out = from_kernel();
        busy = to_kernel() || out;
        look_at_faults();
    }
    driver_.stop();
}

// False: it is to end.
bool Gemd::wait(bool busy) {
    std::array<pollfd, 3> fds{{{.fd = signals_, .events = POLLIN, .revents = 0},
                               // What cannot be handed over stays in the kernel.
                               {.fd = waiting_ ? -1 : tap_.fd(), .events = POLLIN, .revents = 0},
                               {.fd = bus_->interrupt_fd(), .events = POLLIN, .revents = 0}}};
    const bool interrupts = bus_->interrupt_fd() >= 0;
    const auto rest = busy || waiting_ ? std::chrono::microseconds(0)
                      : interrupts     ? std::chrono::microseconds(std::chrono::milliseconds(kNoInterruptMs))
                                       : options_.poll;
    // Only ahead of a rest: while frames come, the mailboxes are looked at anyway.
    if (interrupts && rest.count() != 0) bus_->enable_interrupt();
    const auto ns = static_cast<long>(std::chrono::nanoseconds(rest).count());  // below a second
    const timespec time{.tv_sec = 0, .tv_nsec = ns};
    ::ppoll(fds.data(), fds.size(), &time, nullptr);
    if (interrupts && fds[2].revents != 0) bus_->take_interrupt();
    return fds[0].revents == 0;
}

bool Gemd::to_kernel() {
    for (unsigned i = 0; i < kFramesAtOnce; ++i) {
        const auto frame = driver_.receive();
        if (!frame) return i != 0;
        tap_.send(*frame);
    }
    return true;
}

bool Gemd::from_kernel() {
    for (unsigned i = 0; i < kFramesAtOnce; ++i) {
        if (!waiting_) waiting_ = tap_.receive();
        if (!waiting_ || !driver_.send(*waiting_)) return i != 0;
        waiting_.reset();
    }
    return true;
}

// A port that has failed has disarmed the fabric. It is emptied and starts anew, so that the session's
// software path goes on; arming is somebody else's decision.
void Gemd::look_at_faults() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_look_) return;
    next_look_ = now + kFaultLook;
    const std::string fault = driver_.fault();
    if (fault.empty()) return;
    ++faults_;
    std::cerr << "fixaccel-gemd: the port has failed and the fabric is disarmed: " << fault
              << "; it is started anew" << std::endl;
    driver_.restart();
}

std::string Gemd::stats() const {
    const Counts& counts = driver_.counts();
    std::ostringstream text;
    text << "to the kernel " << counts.received << ", from it " << counts.sent << ", bad " << counts.bad
         << ", oversized " << counts.oversized << ", lost " << tap_.lost() << ", faults " << faults_;
    return text.str();
}

}  // namespace fixaccel::gem
