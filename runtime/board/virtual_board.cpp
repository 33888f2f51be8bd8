// SPDX-License-Identifier: Apache-2.0
#include "virtual_board.hpp"

#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "fixaccel/gen/hwmap.hpp"
#include "gem_bus.hpp"

namespace fixaccel::board {
namespace {

// Window and controller by the addresses of the bus socket.
class BusBoard : public Board {
  public:
    explicit BusBoard(gem::GemBus& bus) : bus_(bus) {}
    using Board::read;
    using Board::write;
    void read(std::uint32_t addr, std::span<std::uint32_t> words) override {
        access([&](gem::Place place, std::uint32_t at) { bus_.read(place, at, words); }, addr);
    }
    void write(std::uint32_t addr, std::span<const std::uint32_t> words) override {
        access([&](gem::Place place, std::uint32_t at) { bus_.write(place, at, words); }, addr);
    }

  private:
    template <typename Access>
    static void access(Access access, std::uint32_t addr) {
        try {
            if (addr >= gem::kControllerAt)
                access(gem::Place::controller, addr - gem::kControllerAt);
            else
                access(gem::Place::window, addr - gem::kWindowAt);
        } catch (const gem::GemError& error) {
            throw BoardError(error.what());
        }
    }

    gem::GemBus& bus_;
};

constexpr int kIdleMs = 1;             // between two looks at the clock while nothing happens
constexpr unsigned kSliceCycles = 32;  // simulated between two looks at the sockets, tens of microseconds
constexpr unsigned kServeWords = 32;   // register words between two looks at the sockets
constexpr unsigned kBusWords = 512;    // of the bus, which moves 16 of them at a time
// Cycles behind the last byte, write or fire during which the fabric may still have work: it forgets the
// market in one for each instrument, and empties its queue of messages in no more than those that filled it.
constexpr std::uint64_t kLinger = 2048;
constexpr std::uint64_t kLongestLinger = 8192;
constexpr std::size_t kQueuedFrames = 64;  // the rest waits in the kernel
constexpr std::uint64_t kSecondNs = 1'000'000'000;

}  // namespace

EventLoop::EventLoop() : epoll_(::epoll_create1(EPOLL_CLOEXEC)), signals_(-1) {
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGUSR1);
    sigaddset(&stop, SIGUSR2);
    ::sigprocmask(SIG_BLOCK, &stop, nullptr);
    signals_ = ::signalfd(-1, &stop, SFD_NONBLOCK | SFD_CLOEXEC);
    if (epoll_ < 0 || signals_ < 0)
        throw std::runtime_error(std::string("no event loop: ") + std::strerror(errno));
    watch(signals_);
}

EventLoop::~EventLoop() {
    ::close(signals_);
    ::close(epoll_);
}

void EventLoop::watch(int fd) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) != 0)
        throw std::runtime_error(std::string("epoll: ") + std::strerror(errno));
}

VirtualBoard::VirtualBoard(const VirtualBoardOptions& options)
    : options_(options),
      net_(options.net),
      core_(options.trace, options.gem.empty() ? nullptr : &options_.timing),
      server_(options.socket, loop_.fd()),
      faults_(options.faults) {
    if (options.gem.empty())
        cpu_.emplace(options.cpu);
    else
        bus_.emplace(options.gem, loop_.fd());
    if (!options.pcap.empty()) pcap_.emplace(options.pcap);
    core_.set_elapsed([this] { return clock_.step(); });
    core_.stall_behind(options.stall_behind);
    loop_.watch(net_.fd());
    if (cpu_) loop_.watch(cpu_->fd());
}

void VirtualBoard::run() {
    bool busy = false;
    while (take_events(busy ? 0 : kIdleMs)) {
        // First the clock, then what has arrived: stamps and timers are those of now.
        catch_up();
        const bool requests = serve();
        if (!busy) rested_ = core_.cycles();
        const bool working = at_work();
        // A read alone, such as of a ring that is looked at all the time, gives the fabric nothing to do.
        core_.step(working ? kSliceCycles : 1);
        busy = working || requests;
        deliver();
        if (!busy && captured_) {
            pcap_->flush();
            captured_ = false;
        }
        every_second();
    }
    if (pcap_) pcap_->flush();
}

bool VirtualBoard::take_events(int timeout_ms) {
    std::array<epoll_event, 16> events;
    const int count = ::epoll_wait(loop_.fd(), events.data(), static_cast<int>(events.size()), timeout_ms);
    for (int i = 0; i < count; ++i) {
        const int fd = events[static_cast<std::size_t>(i)].data.fd;
        if (fd == loop_.signals() && !take_signal()) return false;
        if (fd == net_.fd()) {
            receive_net();
        } else if (cpu_ && fd == cpu_->fd()) {
            receive_cpu();
        } else if (server_.owns(fd)) {
            server_.on_readable(fd);
        } else if (bus_ && bus_->owns(fd)) {
            bus_->on_readable(fd);
        }
    }
    return true;
}

// True if there is more to do.
bool VirtualBoard::serve() {
    const bool more = server_.serve(core_, kServeWords);
    if (!bus_) return more;
    BusBoard board(core_.gem_bus());
    return bus_->serve(board, kBusWords) || more;
}

// False: it is to end.
bool VirtualBoard::take_signal() {
    signalfd_siginfo info{};
    if (::read(loop_.signals(), &info, sizeof info) != sizeof info) return true;
    if (info.ssi_signo != SIGUSR1 && info.ssi_signo != SIGUSR2) return false;
    core_.stall(info.ssi_signo == SIGUSR1);
    return true;
}

void VirtualBoard::receive_net() {
    while (core_.queued(Side::net) < kQueuedFrames) {
        const auto frame = net_.receive();
        if (!frame) return;
        capture(*frame);
        const Fate fate = faults_.from_exchange(*frame);
        if (fate != Fate::pass) ++faults_done_;
        if (fate != Fate::lost) core_.push(Side::net, *frame, fate == Fate::damaged);
    }
}

void VirtualBoard::receive_cpu() {
    while (core_.queued(Side::cpu) < kQueuedFrames) {
        const auto frame = cpu_->receive();
        if (!frame) return;
        faults_.from_cpu(*frame);
        core_.push(Side::cpu, *frame);
    }
}

void VirtualBoard::deliver() {
    if (bus_)
        for (auto& handed = core_.gem_handed(); !handed.empty(); handed.pop_front())
            faults_.from_cpu(handed.front());
    for (auto& sent = core_.sent(Side::net); !sent.empty(); sent.pop_front()) {
        const SentFrame& frame = sent.front();
        // A PHY or the other end's MAC would drop these.
        if (frame.aborted || !frame.fcs_good) {
            ++aborted_;
            continue;
        }
        if (faults_.to_exchange(frame.bytes) == Fate::lost) {
            ++faults_done_;
            continue;
        }
        capture(frame.bytes);
        net_.send(frame.bytes);
    }
    for (auto& sent = core_.sent(Side::cpu); !sent.empty(); sent.pop_front()) {
        if (sent.front().fcs_good && cpu_)
            cpu_->send(sent.front().bytes);
        else
            ++aborted_;
    }
}

bool VirtualBoard::at_work() {
    const std::uint64_t last = std::max(core_.last_activity(), fired_);
    const std::uint64_t linger = std::clamp(last - std::min(last, rested_), kLinger, kLongestLinger);
    if (!core_.quiet() || core_.cycles() - last < linger) return true;
    // A fire that sends nothing, rejected or in a dry run, moves no byte. Behind a rest nothing fires by
    // itself.
    if (last == looked_) return false;
    looked_ = last;
    const std::uint32_t head = core_.read(hwmap::reg::ring_head);
    if (head == ring_head_) return false;
    ring_head_ = head;
    fired_ = core_.cycles();
    return true;
}

void VirtualBoard::catch_up() {
    while (clock_.behind()) core_.step();
}

void VirtualBoard::capture(FrameView frame) {
    if (!pcap_) return;
    pcap_->write(utc_now_ns(), frame);
    captured_ = true;
}

void VirtualBoard::every_second() {
    if (!options_.stats) return;
    const std::uint64_t now = monotonic_now_ns();
    if (now < next_report_ns_) return;
    next_report_ns_ = now + kSecondNs;
    std::cout << stats() << std::endl;
}

std::string VirtualBoard::stats() const {
    const std::uint64_t rate = core_.cycles() * kSecondNs / std::max<std::uint64_t>(cpu_time_ns(), 1);
    std::ostringstream text;
    text << "net in " << net_.received() << " out " << net_.sent();
    if (cpu_) text << ", cpu in " << cpu_->received() << " out " << cpu_->sent();
    text << ", orders " << faults_.orders() << ", lost " << net_.lost() + (cpu_ ? cpu_->lost() : 0)
         << ", aborted " << aborted_ << ", faults " << faults_done_ << ", cycles " << core_.cycles()
         << ", cycles per CPU second " << rate;
    return text.str();
}

}  // namespace fixaccel::board
