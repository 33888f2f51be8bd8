// SPDX-License-Identifier: Apache-2.0
// The kinds of trouble that a run may have, by name.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fixaccel::hostile {

enum class Kind : unsigned {
    foreign,
    runts,
    fcs,
    checksums,
    duplicates,
    overlap,
    loss,
    reorder,
    stray,
    flags,
    acks,
    options,
    ip_options,
    fragments,
    window,
    burst,
    fix_dup,
    fix_checksum,
    fix_garbage,
    fix_raw,
    fix_fields,
    fix_updates,
    fix_prices,
    fix_refused,
    stalls,
    noise,
    lease,
    kill,
    rearm,
    midnight,
    oversize,
    egress_loss,
    close,
    limits,
    two_flows,
    ahead,
    count
};

struct KindName {
    Kind kind;
    std::string_view name;
    std::string_view doc;
};

inline constexpr std::array kKindNames{
    KindName{Kind::foreign, "foreign", "frames of other protocols, flows and stations, all legal lengths"},
    KindName{Kind::runts, "runts",
             "frames shorter than 64 bytes, cut inside a header, with a right or wrong FCS"},
    KindName{Kind::fcs, "fcs", "bad FCS and PHY errors on segments of the session"},
    KindName{Kind::checksums, "checksums", "wrong IP and TCP checksums, impossible lengths and offsets"},
    KindName{Kind::duplicates, "duplicates", "old segments again, cut anew"},
    KindName{Kind::overlap, "overlap", "retransmissions that end in new data"},
    KindName{Kind::loss, "loss", "segments that never came, sent again later"},
    KindName{Kind::reorder, "reorder", "two segments in the wrong order"},
    KindName{Kind::stray, "stray", "data, FIN, RST and SYN at sequence numbers outside the window"},
    KindName{Kind::flags, "flags", "RST and SYN inside the window, segments without ACK"},
    KindName{Kind::acks, "acks", "acknowledgements of what was never sent or long ago"},
    KindName{Kind::options, "options", "TCP options"},
    KindName{Kind::ip_options, "ip-options", "IP options (the fabric may stop on them)"},
    KindName{Kind::fragments, "fragments", "IP fragments of the session's segments"},
    KindName{Kind::window, "window", "zero windows, updates, old windows again"},
    KindName{Kind::burst, "burst", "no gap at all between frames"},
    KindName{Kind::fix_dup, "fix-dup", "PossDupFlag=Y"},
    KindName{Kind::fix_checksum, "fix-checksum", "wrong CheckSum(10)"},
    KindName{Kind::fix_garbage, "fix-garbage", "wrong BodyLength(9), bytes that are no FIX"},
    KindName{Kind::fix_raw, "fix-raw", "data fields that hold SOH and prices behind it"},
    KindName{Kind::fix_fields, "fix-fields",
             "any order of fields, unknown tags, very long messages, many entries"},
    KindName{Kind::fix_updates, "fix-updates",
             "increments (35=X) of several instruments, deleted entries among them"},
    KindName{Kind::fix_prices, "fix-prices", "malformed, off-grid and far prices"},
    KindName{Kind::fix_refused, "fix-refused",
             "messages that QuickFIX refuses: wrong CompIDs, repeated tags"},
    KindName{Kind::stalls, "stalls", "the MAC stops taking bytes"},
    KindName{Kind::noise, "noise", "other frames of the CPU"},
    KindName{Kind::lease, "lease", "messages of the runtime under the lease"},
    KindName{Kind::kill, "kill", "kill switch and disarming at any moment"},
    KindName{Kind::rearm, "rearm", "tables loaded again and armed"},
    KindName{Kind::midnight, "midnight", "the clock runs over midnight"},
    KindName{Kind::oversize, "oversize", "frames up to 4,000 bytes"},
    KindName{Kind::egress_loss, "egress-loss",
             "orders that never come to the venue: the kernel sends them again"},
    KindName{Kind::close, "close", "FIN or RST of either side at the end"},
    KindName{Kind::limits, "limits", "limits that reject orders, in a share of the sessions"},
    KindName{Kind::two_flows, "two-flows",
             "market data on a connection of their own, in half of the sessions; both have trouble"},
    KindName{Kind::ahead, "ahead",
             "segments that come damaged first; in half of the sessions orders begin ahead of the verdict"},
};
static_assert(kKindNames.size() == static_cast<std::size_t>(Kind::count));

class Kinds {
  public:
    bool has(Kind kind) const { return ((bits_ >> static_cast<unsigned>(kind)) & 1U) != 0; }
    void add(Kind kind) { bits_ |= std::uint64_t{1} << static_cast<unsigned>(kind); }
    void remove(Kind kind) { bits_ &= ~(std::uint64_t{1} << static_cast<unsigned>(kind)); }
    bool empty() const { return bits_ == 0; }

    // Names with commas; `all` and `legal` are groups, a leading `-` takes away. Throws
    // std::invalid_argument.
    static Kinds parse(std::string_view text) {
        Kinds out;
        while (!text.empty()) {
            std::string_view name = text.substr(0, text.find(','));
            text.remove_prefix(std::min(text.size(), name.size() + 1));
            const bool away = name.starts_with('-');
            if (away) name.remove_prefix(1);
            bool known = name == "all" || name == "legal";
            for (const KindName& entry : kKindNames) {
                const bool legal = entry.kind == Kind::rearm || entry.kind == Kind::lease ||
                                   entry.kind == Kind::options || entry.kind == Kind::fix_fields ||
                                   entry.kind == Kind::fix_updates || entry.kind == Kind::noise ||
                                   entry.kind == Kind::limits || entry.kind == Kind::two_flows;
                if (name != entry.name && name != "all" && !(name == "legal" && legal)) continue;
                known = true;
                if (away)
                    out.remove(entry.kind);
                else
                    out.add(entry.kind);
            }
            if (!known) throw std::invalid_argument("no kind of trouble is called " + std::string(name));
        }
        return out;
    }

  private:
    std::uint64_t bits_ = 0;
};

}  // namespace fixaccel::hostile
