// SPDX-License-Identifier: Apache-2.0
#include "ring_watch.hpp"

#include <algorithm>

namespace fixaccel {
namespace {

using std::chrono::nanoseconds;

// Nothing is on its way that a look would find.
bool is_quiet(FabricStatus status) {
    using namespace hwmap::status_bits;
    return status.armed() && status.synced() && !status.order_busy() && !status.has(lease_requested) &&
           !status.lease_held() && !status.flip_asked();
}

}  // namespace

nanoseconds RingWatch::rest(Time now, FabricStatus status, const DaemonConfig& config) const {
    if (config.poll == nanoseconds(0) || now < awake_until_ || !is_quiet(status)) return config.poll;
    const FabricLimits& limits = config.limits;
    // A part of what else would be over: a quarter of watchdog and clock are waited for in any case.
    const nanoseconds least = std::min({limits.watchdog, limits.clock_max_age, limits.rx_gate, limits.hold});
    return std::max(config.poll, std::min(kRest, least / 8));
}

}  // namespace fixaccel
