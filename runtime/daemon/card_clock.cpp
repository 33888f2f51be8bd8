// SPDX-License-Identifier: Apache-2.0
#include "card_clock.hpp"

#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/net_tstamp.h>
#include <linux/ptp_clock.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

namespace fixaccel {
namespace {

using std::chrono::nanoseconds;

// What phc2sys keeps is closer by far; a clock that nobody keeps is within it by luck alone.
constexpr nanoseconds kBound = std::chrono::microseconds(10);
constexpr auto kOldest = std::chrono::seconds(10);

std::int64_t nanoseconds_of(const timespec& time) { return time.tv_sec * 1'000'000'000LL + time.tv_nsec; }
std::int64_t nanoseconds_of(const ptp_clock_time& time) { return time.sec * 1'000'000'000LL + time.nsec; }

// Closed at the end.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    int get() const { return fd_; }

  private:
    int fd_;
};

ifreq request(const std::string& interface, void* data) {
    ifreq asked{};
    interface.copy(asked.ifr_name, sizeof asked.ifr_name - 1);
    asked.ifr_data = static_cast<char*>(data);
    return asked;
}

// Each look at it lies between two at the system's clock: the one counts for which these are the closest.
void look_at(CardClock& clock) {
    const std::string device = "/dev/ptp" + std::to_string(clock.number);
    const Descriptor ptp(::open(device.c_str(), O_RDONLY | O_CLOEXEC));
    ptp_sys_offset seen{};
    seen.n_samples = PTP_MAX_SAMPLES;
    if (ptp.get() < 0 || ::ioctl(ptp.get(), PTP_SYS_OFFSET, &seen) != 0) {
        clock.why = device + ": " + std::strerror(errno);
        return;
    }
    std::int64_t closest = std::numeric_limits<std::int64_t>::max();
    for (unsigned i = 0; i < seen.n_samples; ++i) {
        const ptp_clock_time* const at = &seen.ts[2 * i];
        const std::int64_t between = nanoseconds_of(at[2]) - nanoseconds_of(at[0]);
        if (between < 0 || between >= closest) continue;
        closest = between;
        clock.apart = nanoseconds(nanoseconds_of(at[1]) - nanoseconds_of(at[0]) - between / 2);
    }
    if (!clock.apart) clock.why = device + ": the system's clock was set meanwhile";
}

}  // namespace

CardClock card_clock(const std::string& interface) {
    CardClock clock;
    if (interface.size() >= IFNAMSIZ || ::if_nametoindex(interface.c_str()) == 0) return clock;
    clock.there = true;
    const Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ethtool_ts_info info{};
    info.cmd = ETHTOOL_GET_TS_INFO;
    info.phc_index = -1;
    ifreq asked = request(interface, &info);
    if (::ioctl(socket.get(), SIOCETHTOOL, &asked) != 0) return clock;
    constexpr unsigned kAll =
        SOF_TIMESTAMPING_TX_HARDWARE | SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
    clock.stamps = (info.so_timestamping & kAll) == kAll;
    clock.number = info.phc_index;
    hwtstamp_config set{};
    asked = request(interface, &set);
    if (::ioctl(socket.get(), SIOCGHWTSTAMP, &asked) == 0) {
        clock.sends = set.tx_type == HWTSTAMP_TX_ON;
        clock.receives = set.rx_filter == HWTSTAMP_FILTER_ALL;
    }
    if (clock.number >= 0) look_at(clock);
    return clock;
}

std::string unusable(const std::string& interface, const CardClock& clock) {
    const std::string kernel = "; stamps = \"kernel\" needs none";
    if (!clock.there) return "there is no interface " + interface + ": see `ip link`";
    if (clock.number < 0)
        return interface + " has no clock of its own (PHC): see `ethtool -T " + interface + "`" + kernel;
    if (!clock.stamps)
        return interface + " does not stamp both what it sends and what it receives: see `ethtool -T " +
               interface + "`" + kernel;
    if (!clock.sends || !clock.receives)
        return interface + " has not been told to stamp all that it sends and receives: `hwstamp_ctl -i " +
               interface + " -t 1 -r 1`, of linuxptp" + kernel;
    if (!clock.apart)
        return "the clock of " + interface + " cannot be read: " + clock.why +
               ": the daemon's user has to be able to open it" + kernel;
    if (*clock.apart > kBound || *clock.apart < -kBound)
        return "the clock of " + interface + " is " + std::to_string(clock.apart->count()) +
               " ns from the system's, at most " + std::to_string(kBound.count()) +
               " are allowed: nobody keeps it there; `phc2sys -s CLOCK_REALTIME -c " + interface +
               " -O 0` does, of linuxptp" + kernel;
    return {};
}

std::optional<Stamp> chosen_stamp(const std::array<timespec, 3>& times, bool card, std::int64_t ahead_ns,
                                  std::chrono::steady_clock::time_point now) {
    constexpr std::size_t kKernel = 0, kCard = 2;
    const auto stamp = [&](std::size_t which, StampBy by) -> std::optional<Stamp> {
        if (times[which].tv_sec == 0) return std::nullopt;
        const std::chrono::steady_clock::time_point at{nanoseconds(nanoseconds_of(times[which]) - ahead_ns)};
        if (at > now || at < now - kOldest) return std::nullopt;
        return Stamp{at, by};
    };
    const std::optional<Stamp> kernel = stamp(kKernel, StampBy::kernel);
    if (!card) return kernel;
    // The card has it before the kernel does.
    const std::optional<Stamp> own = stamp(kCard, StampBy::card);
    return own && (!kernel || own->at <= kernel->at + kBound) ? own : kernel;
}

}  // namespace fixaccel
