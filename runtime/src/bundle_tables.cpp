// SPDX-License-Identifier: Apache-2.0
#include "bundle_tables.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {
namespace {

class Tables {
  public:
    explicit Tables(const Bundle& bundle) : bundle_(bundle) {}

    std::uint32_t records(const hwmap::Window& window) const { return memory(window).records; }

    // Calls visitor(number, record) for each.
    template <typename Record, typename Visitor>
    void each(const hwmap::Window& window, Visitor visitor) const {
        const BundleMemory& in = memory(window);
        Record record;
        for (std::uint32_t number = 0; number < in.records; ++number) {
            const auto begin =
                in.words.begin() + static_cast<std::ptrdiff_t>(std::size_t{number} * Record::kStride);
            std::copy_n(begin, Record::kStride, record.words.begin());
            visitor(number, record);
        }
    }

    // Refuses record `number` of `window` unless the bundle has a record `named` of `of`.
    void check(const hwmap::Window& window, std::uint32_t number, const hwmap::Window& of,
               std::uint64_t named) const {
        if (named < records(of)) return;
        throw BundleError("bundle " + bundle_.path.string() + ": record " + std::to_string(number) +
                          " of memory " + memory(window).name + " names record " + std::to_string(named) +
                          " of memory " + memory(of).name + ", which has " + std::to_string(records(of)));
    }

  private:
    const BundleMemory& memory(const hwmap::Window& window) const {
        return *std::find_if(bundle_.memories.begin(), bundle_.memories.end(),
                             [&](const BundleMemory& each) { return each.base == window.base; });
    }

    const Bundle& bundle_;
};

}  // namespace

void check_tables(const Bundle& bundle) {
    namespace memory = hwmap::memory;
    const Tables tables(bundle);
    tables.each<hwmap::directory_record>(memory::directory, [&](std::uint32_t slot, const auto& record) {
        if (record.valid() != 0)
            tables.check(memory::directory, slot, memory::instrument, record.instrument());
    });
    tables.each<hwmap::chain_record>(memory::chain, [&](std::uint32_t chain, const auto& record) {
        if (record.valid() != 0) tables.check(memory::chain, chain, memory::trigger, record.last());
    });
    tables.each<hwmap::trigger_record>(memory::trigger, [&](std::uint32_t trigger, const auto& record) {
        tables.check(memory::trigger, trigger, memory::order, record.order());
    });
    tables.each<hwmap::order_record>(memory::order, [&](std::uint32_t order, const auto& record) {
        tables.check(memory::order, order, memory::template_shape, record.template_index());
    });
}

}  // namespace fixaccel
