// SPDX-License-Identifier: Apache-2.0
// What the fabric knows of the market, from semantics.md: bid, ask and last of each instrument, and the
// newest observation of each. Where it is open whether the fabric has taken a message, or lost the stream,
// there are several possibilities.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace fixaccel::hostile {

// A decimal as a multiple of 10^-8.
using Scaled = std::int64_t;

class KnownValues {
  public:
    using Values = std::set<std::optional<Scaled>>;  // nothing: unknown
    using Quote =
        std::array<std::optional<std::optional<Scaled>>, 3>;  // by source: what a message says, if anything

    explicit KnownValues(std::size_t instruments) : values_(instruments), newest_(instruments) {
        for (auto* const all : {&values_, &newest_})
            for (auto& sources : *all) sources.fill({std::nullopt});
    }
    // `taken`: for sure.
    void note(std::size_t instrument, const Quote& quote, bool taken) {
        for (std::size_t source = 0; source < quote.size(); ++source) {
            if (!quote[source]) continue;
            add(values_.at(instrument).at(source), *quote[source], taken);
            if (*quote[source]) add(newest_.at(instrument).at(source), *quote[source], taken);
        }
    }
    // All may be unknown from here on: a gap, or a load.
    void perhaps_forgotten() {
        for (auto* const all : {&values_, &newest_})
            for (auto& sources : *all)
                for (Values& values : sources) values.insert(std::nullopt);
    }
    // Possible observations just before the next one; nothing: there is none.
    const std::array<Values, 3>& newest(std::size_t instrument) const { return newest_.at(instrument); }
    // Possible sums of bid and ask behind a message that says `quote`; nothing: a side is unknown, or they
    // are crossed.
    Values sums(std::size_t instrument, const Quote& quote) const {
        const auto behind = [&](std::size_t source) {
            return quote[source] ? Values{*quote[source]} : values_.at(instrument).at(source);
        };
        Values out;
        for (const auto& bid : behind(0))
            for (const auto& ask : behind(1))
                out.insert(bid && ask && *bid <= *ask ? std::optional(*bid + *ask) : std::nullopt);
        return out;
    }

    // Possible references of the collar, doubled: the last, else the mid; nothing: there is none.
    Values references(std::size_t instrument) const {
        Values out;
        for (const auto& last : values_.at(instrument)[2])
            if (last)
                out.insert(2 * *last);
            else
                out.merge(sums(instrument, {}));
        return out;
    }

  private:
    static void add(Values& values, const std::optional<Scaled>& value, bool for_sure) {
        if (for_sure) values.clear();
        values.insert(value);
    }
    std::vector<std::array<Values, 3>> values_, newest_;  // by instrument, source
};

}  // namespace fixaccel::hostile
