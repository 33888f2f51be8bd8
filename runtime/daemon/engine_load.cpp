// SPDX-License-Identifier: Apache-2.0
// From a bundle to the rules that run: disarmed, or into the other bank while armed.
#include <algorithm>
#include <random>
#include <set>
#include <utility>

#include "engine.hpp"
#include "fixaccel/loads.hpp"
#include "fixaccel/no_board.hpp"

namespace fixaccel {
namespace {

using std::chrono::steady_clock;

constexpr auto kOrderPasses =
    std::chrono::milliseconds(100);  // it takes microseconds on a wire that does not stall

// Random, so that a board loaded through another journal is not taken for one of ours. Never 0, the power-on
// value.
std::uint32_t new_generation() {
    std::random_device source;
    std::uint32_t generation = 0;
    while (generation == 0) generation = source();
    return generation;
}

// Rules by LoadedRule::key() that the fabric runs, or the runtime; but for those that `other` has as well, at
// the same place.
std::set<std::string> keys(const Bundle& bundle, bool fabric, const Bundle& other) {
    std::set<std::string> found;
    for (std::size_t piece = 0; piece < bundle.rules.pieces(); ++piece)
        if (!bundle.rules.shares_piece(other.rules, piece))
            for (const BundleRule& rule : *bundle.rules.piece(piece))
                if (rule.trigger.has_value() == fabric) found.insert(rule.id + '|' + rule.hash);
    return found;
}

// A rule of the fabric that `next` has and `former` has not, with `if_already_through`. Empty: there is none.
std::string first_judged(const Bundle& former, const Bundle& next) {
    const std::vector<Watch> watches = fabric_watches(next);
    if (watches.empty()) return {};
    const std::set<std::string> there = keys(former, true, next);
    for (const Watch& watch : watches) {
        const BundleRule& rule = next.rules[watch.rule];
        const bool shared = next.rules.shares_piece(former.rules, watch.rule / BundleRules::kPiece);
        if (watch.role == WatchRole::clear && !shared && there.count(rule.id + '|' + rule.hash) == 0)
            return rule.id;
    }
    return {};
}

// Whose fills arm rules of the fabric is in no memory of it: the table of all rules says so.
void add_fills(const Bundle& bundle, Loadable& made) {
    const auto by_fills = [](const Watch& watch) { return watch.role == WatchRole::fills; };
    if (std::none_of(made.load.watches.begin(), made.load.watches.end(), by_fills)) return;
    if (!made.standby)
        throw BundleError(
            "bundle " + bundle.path.string() +
            " has rules in the fabric that fills arm, and no table of all rules: compile it anew");
    for (Links& links : by_fills_in_fabric(made.standby->links(), bundle))
        made.load.links.push_back(std::move(links));
}

}  // namespace

std::unique_ptr<SoftwareRules> Engine::software_of(const Bundle& bundle) {
    const auto of_runtime = [](const BundleRule& rule) { return !rule.trigger; };
    if (std::none_of(bundle.rules.begin(), bundle.rules.end(), of_runtime)) return nullptr;
    return std::make_unique<SoftwareRules>(bundle, ledger_, RulesOf::runtime, &software_check_);
}

std::unique_ptr<SoftwareRules> Engine::standby_of(const Bundle& bundle) {
    const auto of_fabric = [](const BundleRule& rule) { return rule.trigger.has_value(); };
    if (bundle.standby.empty() || std::none_of(bundle.rules.begin(), bundle.rules.end(), of_fabric))
        return nullptr;
    return std::make_unique<SoftwareRules>(bundle, ledger_, RulesOf::fabric, &standby_check_);
}

Loadable Engine::loadable(Bundle bundle) {
    if (!has_board()) bundle = all_in_runtime(std::move(bundle), moved_rules_);
    static_cast<void>(Windows(bundle));
    static_cast<void>(RestingTable(bundle));
    Loadable made{.bundle = Bundle{},  // named, as in Daemon::prepare()
                  .load = describe_load(bundle, described_rules_),
                  .software = software_of(bundle),
                  .standby = standby_of(bundle)};
    if (made.software)
        for (Links& links : made.software->links()) made.load.links.push_back(std::move(links));
    add_fills(bundle, made);
    // What the tables were made of.
    bundle.software = {};
    bundle.standby = {};
    made.bundle = std::move(bundle);
    return made;
}

// A new epoch: fire counts of changed rules start again, their ClOrdIDs must not.
void Engine::name_anew(Load& load) {
    load.generation = new_generation();
    load.epoch = ledger_.new_epoch();
}

void Engine::check_fits(const Bundle& bundle) const {
    if (!has_board()) return;
    fixaccel::check_fits(board_, bundle);
    // Its bytes come from the tables while it leaves: of the bank that was evaluated then, which may be the
    // one that is to be written now.
    const auto left = [this] { return !FabricStatus{board_.read(hwmap::reg::status)}.order_busy(); };
    if (!wait_until(left, kOrderPasses))
        throw Refused(std::string(kOrderOnTheWire) + ": deploy again when it has" +
                      (armed_ ? "" : "; nothing is armed"));
}

// What is known of them is of no use if the board has lost its memory, or was loaded by others.
TableCache& Engine::tables() {
    if (lost_memory()) tables_.forget();
    return tables_;
}

void Engine::load(Loadable next, const std::string& reason) {
    disarm("another bundle is loaded");
    load_began_ = steady_clock::now();
    take_limits();
    const std::size_t before = tables_.written();
    if (has_board()) load_bundle(tables(), next.bundle);
    name_anew(next.load);
    ledger_.record_load(next.load, reason);
    fabric_.set_epoch(next.load.epoch);
    fabric_.set_generation(next.load.generation);
    bundle_ = std::move(next.bundle);
    software_ = std::move(next.software);
    standby_ = std::move(next.standby);
    windows_ = Windows(*bundle_);
    resting_ = RestingTable(*bundle_);
    rearms_ = RearmTable(*bundle_);
    restore_board();
    report_ = {};
    report_.reason = reason;
    report_.words = tables_.written() - before;
    report_.generation = next.load.generation;
    report_.took = steady_clock::now() - load_began_;
}

std::string Engine::not_hot(const Loadable& next) const {
    const Bundle& bundle = next.bundle;
    if (!armed_ || !bundle_) return "the board is not armed";
    if (stand_in_.silent)
        return "the fabric does not see the market just now, and the runtime stands in for it";
    if (dry()) return "a dry run is on, and its end would take back what fires";
    if (!bundle_->banked) return "what is loaded takes more than half of the board";
    if (!bundle.banked) return "it takes more than half of the board";
    // A rule has one state, in one of the two.
    const auto in_both = [](const std::set<std::string>& one, const std::set<std::string>& other) {
        return std::find_if(one.begin(), one.end(), [&](const auto& key) { return other.count(key) != 0; });
    };
    for (const bool fabric : {false, true}) {
        const std::set<std::string> there = keys(*bundle_, fabric, bundle);
        const auto moved = in_both(there, keys(bundle, !fabric, *bundle_));
        if (moved != there.end())
            return "rule " + moved->substr(0, moved->find('|')) + " moves from the " +
                   (fabric ? "fabric to the runtime" : "runtime to the fabric");
    }
    if (const auto judged = first_judged(*bundle_, bundle); !judged.empty())
        return "rule " + judged +
               " is new or changed, and its `if_already_through` needs the value known then";
    // The fabric is told ahead which windows open when, for both.
    if (!keeps_windows(*bundle_, bundle)) return "it has a window of time that nothing loaded has";
    // What the fabric knows of the market is measured against one collar, and its counters count down.
    if (bundle.collar != bundle_->collar) return "it has another collar";
    if (bundle.commit.mode != bundle_->commit.mode)
        return "its venue has `commit: " + bundle.commit.mode + "`";
    if (!(bundle.limits == bundle_->limits))
        return "it has other limits on orders per second or in total, or is the first that has any";
    if (!keeps_numbers(*bundle_, bundle))
        return "the board has no numbers left for its new instruments: it still knows others by them";
    if (next.software) {
        if (!software_) return "the runtime had no rules and has not followed the market";
        if (const auto unknown = next.software->unknown_to(*software_); !unknown.empty())
            return "the runtime has not followed " + unknown.front();
    }
    return {};
}

void Engine::begin_hot_load(Loadable next) {
    if (hot_ || next_software_from_) throw Refused("a load is under way; wait until it has come about");
    load_began_ = steady_clock::now();
    check_fits(next.bundle);  // before the journal has an epoch for it
    if (!keeps_numbers(*bundle_, next.bundle) || !keeps_windows(*bundle_, next.bundle))
        throw Refused("it cannot be loaded while armed: " + not_hot(next));
    keep_numbers(*bundle_, next.bundle);
    keep_windows(*bundle_, next.bundle);
    name_anew(next.load);
    const std::uint32_t generation = next.load.generation;
    if (!has_board()) return load_here(std::move(next));
    hot_ = std::make_unique<HotLoad>(tables(), fabric_, std::move(next));
    report_ = {};
    report_.how = "hot";
    report_.state = "writing";
    report_.written = 0;
    report_.generation = generation;
}

// Between two messages, for nobody else reads them.
void Engine::load_here(Loadable next) {
    const std::uint32_t first = next_number();
    ledger_.record_next_load(next.load);
    ledger_.record_flipped(first, 0);
    fabric_.set_generation(next.load.generation);
    next_generation_ = next.load.generation;
    next_software_ = std::move(next.software);
    next_software_from_ = first;
    software_for(first);
    bundle_ = std::move(next.bundle);
    report_ = {};
    report_.how = "hot";
    report_.generation = next.load.generation;
    report_.first_seq_num = first;
    report_.took = steady_clock::now() - load_began_;
}

// What has fired so far, in the other bank.
void Engine::take_account() {
    take_fires();
    // Refused, something has fired meanwhile, and the fabric asks for another account.
    hot_->tell_resting(ledger_.resting());
    hot_->tell_rearms(ledger_);
    hot_->set_states(fixaccel::trigger_states(hot_->bundle(), hot_->load(), ledger_), ledger_.sent_orders(),
                     sequencer_.taken());
}

void Engine::advance_load() {
    if (!hot_) {
        if (next_software_from_ && next_number() >= *next_software_from_) software_for(*next_software_from_);
        return;
    }
    if (hot_->asked()) return follow_flip(fabric_.status());
    const std::size_t before = tables_.written();
    const bool more = hot_->write_some();
    report_.words += tables_.written() - before;
    report_.written = hot_->written();
    if (more) return;
    // In the journal before the fabric: after a crash the board says which of the two it is.
    if (!ledger_.next_load()) ledger_.record_next_load(hot_->load());
    report_.state = "flipping";
    take_account();
    if (hot_ && hot_->ask()) follow_flip(fabric_.status());
}

void Engine::follow_flip(const FabricStatus& status) {
    if (!hot_->asked()) return;
    const bool done = status.bank() == hot_->bank();
    if ((done || status.flip_begun()) && !next_software_from_) {
        report_.first_seq_num = fabric_.flip_seq_num();
        next_software_from_ = report_.first_seq_num;
        next_software_ = std::move(hot_->software());
        next_standby_ = std::move(hot_->standby());
        next_generation_ = hot_->load().generation;
    }
    if (done) return finish_load();
    if (status.flip_waits()) take_account();
}

void Engine::finish_load() {
    report_.hold_cycles = fabric_.flip_cycles();
    report_.state = "loaded";
    report_.took = steady_clock::now() - load_began_;
    ledger_.record_flipped(report_.first_seq_num, report_.hold_cycles);
    resting_ = std::move(hot_->resting());
    rearms_ = std::move(hot_->rearms());
    bundle_ = std::move(std::exchange(hot_, nullptr)->bundle());
    fabric_.set_commit_ahead(bundle_->commit.ahead);
    // Disarmed while messages waited, the fabric has the new bank, of which nobody took account of the last
    // fires.
    triggers_stale_ = !fabric_.status().armed();
}

// The board was disarmed, and the last fires have been taken.
void Engine::end_load() {
    if (hot_ && hot_->asked()) follow_flip(fabric_.status());
    if (hot_) {
        ledger_.record_load_dropped("disarmed");
        report_.state = "dropped";
        hot_.reset();
    }
    if (next_software_from_) software_for(*next_software_from_);
}

SoftwareRules* Engine::software_for(std::uint32_t seq_num) {
    if (!evaluating_ && next_software_from_ && seq_num >= *next_software_from_) {
        next_software_from_.reset();
        std::unique_ptr<SoftwareRules> former = std::exchange(software_, std::move(next_software_));
        if (software_ && former) software_->take_over(*former, next_generation_);
        former = std::exchange(standby_, std::move(next_standby_));
        if (standby_ && former) standby_->take_over(*former, next_generation_);
        stand_in_.counted.reset();
    }
    return software_.get();
}

// A daemon that ended in a hot load: the board tells which of the two it has.
void Engine::settle_next_load() {
    const auto& next = ledger_.next_load();
    if (!next) return;
    const std::uint32_t generation = fabric_.generation();
    if (generation == next->generation)
        ledger_.record_flipped(fabric_.flip_seq_num(), fabric_.flip_cycles());
    else if (generation == ledger_.load().generation)
        ledger_.record_load_dropped("the former daemon ended before it");
}

// The journal decides, not what the board still holds.
std::vector<TriggerState> Engine::trigger_states() const {
    return fixaccel::trigger_states(*bundle_, ledger_.load(), ledger_);
}

}  // namespace fixaccel
