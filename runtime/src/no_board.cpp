// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/no_board.hpp"

#include <utility>

#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {

namespace reg = hwmap::reg;

void NoBoard::read(std::uint32_t addr, std::span<std::uint32_t> words) {
    for (std::uint32_t& word : words) {
        const auto found = written_.find(addr == reg::status ? reg::kill : addr);
        const std::uint32_t value = found == written_.end() ? 0 : found->second;
        word = addr == reg::magic        ? hwmap::reg_reset::magic
               : addr == reg::hwmap_hash ? hwmap::kHwmapHash
               : addr == reg::status     ? value << hwmap::status_bits::kill
                                         : value;
        addr += sizeof word;
    }
}

void NoBoard::write(std::uint32_t addr, std::span<const std::uint32_t> words) {
    for (const std::uint32_t word : words) {
        written_[addr] = word;
        addr += sizeof word;
    }
}

Bundle all_in_runtime(Bundle bundle, PieceMemo<BundleRule, BundleRule>& before) {
    if (bundle.standby.empty())
        throw BundleError("bundle " + bundle.path.string() +
                          " has no table of all rules for the runtime: compile it anew");
    bundle.software = std::exchange(bundle.standby, {});
    bundle.rules = before.map(bundle.rules, [](BundleRule rule) {
        rule.trigger.reset();
        return rule;
    });
    for (BundleInstrument& instrument : bundle.instruments) instrument.index.reset();
    bundle.memories.clear();
    bundle.windows.clear();
    bundle.banked = true;  // the runtime has room for two loads
    return bundle;
}

}  // namespace fixaccel
