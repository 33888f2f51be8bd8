// SPDX-License-Identifier: Apache-2.0
// What the rules of a bundle mean for a market-data message: a small interpreter of its own, from
// semantics.md.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fix_text.hpp"
#include "fixaccel/bundle.hpp"
#include "known_values.hpp"
#include "rule_states.hpp"

namespace fixaccel::hostile {

// Nothing if it is no decimal, or too big to be a price.
std::optional<Scaled> decimal(std::string_view text);
// Decimal text of a multiple of 10^-8, without trailing zeros.
std::string decimal_text(Scaled value);

struct Instrument {
    std::string symbol{};
    Scaled tick = 0, middle = 0, low = 0, high = 0;
};

struct Fire {
    std::uint32_t rule = 0;
    std::uint32_t source = 0;
    std::int64_t observed = 0;                 // price units; doubled for mid
    bool certain = true;                       // otherwise what the fabric knows of the market is open
    bool may_pass = true, may_breach = false;  // the collar
    bool operator==(const Fire& other) const {
        return rule == other.rule && source == other.source && observed == other.observed;
    }
};

class MarketRules {
  public:
    // `tables`: the folder that make_strategy.py writes.
    MarketRules(const Bundle& bundle, const std::filesystem::path& tables);

    // What the FIX engine makes of a message whose number should be `number`.
    enum class Judgement {
        taken,        // and counted
        passed_over,  // PossDupFlag=Y, and a number that has been
        refused       // number, CompIDs, version or form; or it is of the session itself: Logon, Logout,
                      // SequenceReset
    };
    Judgement judge(std::string_view message, std::uint32_t number) const;

    // Rules that the message satisfies, whatever their state, in the order of evaluation: by instrument, for
    // each is a message of its own. None on a message that is no market data of ours, that QuickFIX would
    // refuse, or that has PossDupFlag=Y. `known` is what the messages before it have said, and then what it
    // says too; `taken`: the fabric has it for sure.
    std::vector<std::vector<Fire>> satisfied(std::string_view message, KnownValues& known,
                                             bool taken = true) const;
    // The same as the first message of all.
    std::vector<std::vector<Fire>> satisfied(std::string_view message) const;
    KnownValues nothing_known() const { return KnownValues(instruments_.size()); }
    // Fires of the message, as the first of all but in these states, if every order is sent; the states are
    // those behind it then.
    std::vector<Fire> fires(std::string_view message, RuleStates& states) const;
    // The same as the first message of all.
    std::vector<Fire> fires(std::string_view message) const;

    // What fired, with the order that it sends: of a decision that of the interval that it landed in.
    BundleRule rule_of(const Fire& fire) const;

    // As a load leaves them.
    RuleStates fresh() const { return RuleStates(links_); }
    const RuleLinks& links() const { return links_; }

    // Those that are quoted all the time.
    std::span<const Instrument> instruments() const {
        return std::span(instruments_).first(instruments_.size() - 1);
    }
    // A thousand stops of it stand a tick below its middle.
    const Instrument& burst() const { return instruments_.back(); }
    const Bundle& bundle() const { return bundle_; }

  private:
    struct Threshold {
        std::uint32_t rule = 0;
        Scaled at = 0;
        bool confirmed = false;  // by the observation just before
    };
    struct Interval {
        Scaled low = 0, high = 0;
        BundleOrder order{};
    };
    struct Decision {
        std::uint32_t rule = 0;
        std::vector<Interval> intervals{};
    };
    // The one in which twice a price lands.
    static const Interval* landing(const Decision& decision, Scaled doubled);
    // By the name of their rule.
    static std::map<std::string, std::vector<Interval>> read_decisions(const std::filesystem::path& file);
    // By direction; each in firing order.
    using Chains = std::array<std::vector<Threshold>, 2>;

    struct Quote {
        const Instrument* instrument = nullptr;
        std::size_t index = 0;
        KnownValues::Quote says{};
    };
    // What the message says of each instrument, in the order in which it names them.
    std::vector<Quote> read(std::string_view message) const;
    std::vector<Quote> read_snapshot(const Fields& fields) const;
    std::vector<Quote> read_update(const Fields& fields) const;
    // Nothing for a symbol that is none of ours.
    std::optional<Quote> quote_of(std::string_view symbol) const;
    std::optional<Scaled> observation(const Instrument& instrument, std::string_view text) const;
    // Appends what twice a price satisfies; `observed` as a fire tells it, `before` what was perhaps observed
    // before it.
    void add_fires(std::vector<Fire>& fires, const Quote& quote, std::uint32_t source, Scaled doubled,
                   Scaled observed, bool certain, const KnownValues::Values& before) const;
    // What the collar makes of fires at twice a price, for each of these references; none is left that no
    // reference makes eligible.
    void judge_collar(std::vector<Fire>& fires, std::size_t from, Scaled doubled,
                      const KnownValues::Values& references) const;

    Bundle bundle_;
    RuleLinks links_;
    std::optional<Scaled> collar_{};  // basis points
    std::vector<Instrument> instruments_{};
    std::vector<std::array<Chains, 4>> chains_{};                    // by instrument, source
    std::vector<std::array<std::vector<Decision>, 4>> decisions_{};  // likewise, as declared
};

}  // namespace fixaccel::hostile
