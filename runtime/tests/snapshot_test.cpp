// SPDX-License-Identifier: Apache-2.0
// A snapshot says all that the records before it come to, whatever they are.
#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <string>

#include "fixaccel/framer.hpp"
#include "ledger_fixture.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::uint32_t kRules = 6;

std::string fix(const std::vector<std::pair<int, std::string>>& fields) {
    std::string message;
    for (const auto& [tag, text] : fields) message += std::to_string(tag) + '=' + text + kSoh;
    return message;
}

// Does what a daemon may do, in any order.
class Dice {
  public:
    Dice(Ledger& ledger, unsigned seed) : ledger_(ledger), random_(seed) {
        ledger_.record_load(some_load(kGeneration));
    }

    void roll() {
        static const std::vector<void (Dice::*)()> kActions{
            &Dice::message,     &Dice::numbers, &Dice::fabric_fire, &Dice::fabric_fire, &Dice::watch,
            &Dice::watch,       &Dice::order,   &Dice::order,       &Dice::no_order,    &Dice::arming,
            &Dice::arming,      &Dice::loads,   &Dice::board,       &Dice::board,       &Dice::rearming,
            &Dice::trails,      &Dice::report,  &Dice::report,      &Dice::words,       &Dice::bookkeeping,
            &Dice::bookkeeping, &Dice::by_hand, &Dice::by_hand,     &Dice::answer,      &Dice::limit};
        (this->*kActions[below(kActions.size())])();
    }

  private:
    std::uint32_t below(std::size_t limit) {
        return std::uniform_int_distribution<std::uint32_t>(0,
                                                            static_cast<std::uint32_t>(limit) - 1)(random_);
    }
    bool heads() { return below(2) == 0; }

    void limit() {
        LimitChange change;
        change.limit = heads() ? "total_qty" : "total_orders";
        change.instrument = change.limit == "total_qty" ? "MSFT" : "";
        change.value = below(100);
        change.by = "user 7";
        change.reason = "r";
        change.until_ns = below(1000);
        change.bundle = "b";
        heads() ? ledger_.record_limit_set(change) : ledger_.record_limit_reverted(change.key(), "expired");
    }

    Load some_load(std::uint32_t generation) {
        Load load = load_of({});
        load.generation = generation;
        for (std::uint32_t i = 0; i < kRules; ++i)
            load.rules.push_back(rule("r" + std::to_string(i), "h" + std::to_string(below(4) == 0)));
        load.rules.edit(0).rule = "r";
        load.links = {{.senders = {{0, 1}}, .cancels = {{0, 2}}, .arms = {}},
                      {.senders = {{3, 3}}, .cancels = {}, .arms = {{4, 5}}},
                      {.senders = {{0, 2}},
                       .cancels = {},
                       .arms = {{4, 4}},
                       .on = heads() ? ArmedOn::first_fill : ArmedOn::filled,
                       .sizes = heads()},
                      {.senders = {{3, 5}}, .cancels = {}, .arms = {}, .ends = {{0, 2}}}};
        load.watches = {
            {.trigger = 10, .rule = 0, .role = WatchRole::reset, .fires = 3},
            {.trigger = 11, .rule = 1, .role = WatchRole::clear, .fires = 0},
            {.trigger = 12, .rule = 2, .role = WatchRole::through, .fires = 0},
            {.trigger = 13, .rule = 3, .role = WatchRole::after, .fires = 5, .after_ns = 7, .slot = 1}};
        return load;
    }
    std::uint32_t generation() {
        return ledger_.next_load() && heads() ? ledger_.next_load()->generation : ledger_.load().generation;
    }
    std::string some_order() { return orders_.empty() ? "none" : orders_[below(orders_.size())]; }

    std::string new_order(const std::string& cl_ord_id) {
        orders_.push_back(cl_ord_id);
        return fix({{35, "D"},
                    {11, cl_ord_id},
                    {38, "0000000002"},
                    {40, heads() ? "2" : "1"},
                    {44, "01100.00"},
                    {54, heads() ? "1" : "2"},
                    {55, "MSFT\xE9"},
                    {59, std::to_string(below(2))}});
    }

    void message() {
        ledger_.set(ledger_.next_sender(), fix({{35, heads() ? "0" : "A"}, {58, "\xFF"}}));
        if (heads()) ledger_.set_next_sender(ledger_.next_sender() + 1);
    }
    void numbers() {
        if (below(8) == 0) ledger_.set_next_sender(static_cast<int>(below(50)) + 1);
        ledger_.set_next_target(ledger_.next_target() + static_cast<int>(below(90)));
        ledger_.flush();
    }
    void fabric_fire() {
        Fire one = fire(++entry_, below(kRules), static_cast<std::uint32_t>(ledger_.next_sender()));
        one.generation = generation();
        one.fires = ++fires_;
        one.payload = new_order("F" + std::to_string(entry_));
        if (ledger_.dry() || heads()) {
            one.outcome = ledger_.dry() ? hwmap::outcome_dry : hwmap::outcome_kill;
            one.seq_num = 0;
            one.payload.clear();
        }
        Fire at_first = one;
        if (one.sent() && below(3) == 0) {  // its wire stands still
            at_first.left = false;
            at_first.payload.clear();
        }
        ledger_.record({at_first});
        if (below(4) == 0) ledger_.record({at_first});
        if (!at_first.left && heads()) ledger_.record_left(one);
    }
    void watch() {
        Fire one;
        one.entry = ++entry_;
        one.generation = generation();
        one.trigger = 10 + below(4);
        one.fires = 4;
        one.outcome = hwmap::outcome_watch;
        one.source = hwmap::source_last;
        one.time_ns = entry_;
        ledger_.record({one});
    }
    void order() {
        SoftwareFire one = software_fire(below(kRules), ++fires_);
        one.generation = ledger_.load().generation;
        one.cl_ord_id = "S" + std::to_string(fires_);
        if (ledger_.dry()) return ledger_.record_dry(one);
        ledger_.record_intent(one);
        if (heads()) ledger_.set(ledger_.next_sender(), new_order(one.cl_ord_id));
        if (heads()) ledger_.settle_intent("lease");
    }
    void by_hand() {
        HandRequest request = ledger_.next_by_hand();
        request.by = "somebody \xE9";
        request.terms = {"MSFT", heads() ? "buy" : "sell", "2", "limit", "1100", "day", "ME"};
        request.what = static_cast<HandRequest::What>(below(3));
        if (request.what != HandRequest::What::order) request.order = some_order();
        if (request.what != HandRequest::What::cancel) request.counts_qty = "2";
        if (below(4) == 0) return ledger_.record_refused(request, "kill");
        ledger_.record_by_hand(request);
        const bool cancels = request.what == HandRequest::What::cancel;
        const std::string message = cancels ? fix({{35, "F"}, {11, request.cl_ord_id}, {41, request.order}})
                                            : new_order(request.cl_ord_id);
        if (heads()) ledger_.set(ledger_.next_sender(), message);
        if (heads()) ledger_.settle_by_hand("lease");
    }
    void answer() {
        static const std::vector<std::string> kStatus{"0", "2", "6", "8"};
        const std::string request = some_order(), order = some_order();
        if (heads())
            return ledger_.record_cancel_reject(
                fix({{11, request}, {41, order}, {39, kStatus[below(kStatus.size())]}, {58, "no \xE9"}}));
        ledger_.record_execution(fix({{11, request},
                                      {41, order},
                                      {17, "C" + std::to_string(below(99))},
                                      {39, kStatus[below(kStatus.size())]},
                                      {150, heads() ? "5" : "4"}}));
    }
    void no_order() {
        SoftwareFire one = software_fire(below(kRules), fires_);
        one.generation = ledger_.load().generation;
        ledger_.record_rejected(one, "repeat");
    }
    void arming() {
        if (ledger_.armed())
            ledger_.record_disarmed("asked");
        else
            ledger_.record_armed(heads());
    }
    void loads() {
        if (ledger_.next_load())
            return heads() ? ledger_.record_flipped(3, 4) : ledger_.record_load_dropped("lost");
        const Load load = some_load(kGeneration + ++loads_);
        heads() ? ledger_.record_load(load, "other") : ledger_.record_next_load(load);
    }
    void board() {
        if (below(4) == 0) ledger_.record_board_lost();
        if (ledger_.in_doubt().empty()) return;
        if (heads()) return ledger_.record_counted(ledger_.next_sender() + 1);
        const std::string key = ledger_.in_doubt().begin()->first;
        if (heads()) return ledger_.record_found(key, fix({{55, "MSFT"}, {38, "2"}, {54, "2"}, {40, "2"}}));
        if (heads()) return ledger_.record_told({key}, heads(), "somebody");
        if (below(4) == 0) ledger_.record_uncountable();
        if (below(4) == 0) clear_doubts(ledger_);
    }
    void rearming() {
        if (heads()) return ledger_.record_rearmed({ledger_.load().rules[below(kRules)].key()});
        if (below(4) == 0) ledger_.record_rearmed();
    }
    void trails() {
        ledger_.record_trails(generation(),
                              {{below(kRules), {heads(), heads(), -int(below(9)), int(below(9))}}});
    }
    void report() {
        static const std::vector<std::string> kStatus{"0", "1", "2", "3", "4", "8"};
        static const std::vector<std::string> kTypes{"0", "F", "F", "4", "G", "H", "5"};
        std::vector<std::pair<int, std::string>> fields{{11, some_order()},
                                                        {37, "V"},
                                                        {17, "E" + std::to_string(below(9))},
                                                        {39, kStatus[below(kStatus.size())]},
                                                        {58, "text \xE9"},
                                                        {14, std::to_string(below(3))},
                                                        {32, std::to_string(below(2))},
                                                        {150, kTypes[below(kTypes.size())]}};
        if (heads()) fields.emplace_back(43, "Y");
        ledger_.record_execution(fix(fields));
        ledger_.record_reject(fix({{35, "3"}, {45, std::to_string(1 + below(30))}, {58, "no"}}));
    }
    void words() {
        if (heads()) return ledger_.record_asked(static_cast<Arming>(below(3)));
        ledger_.record_kill({heads(), below(5), "somebody", 5});
    }
    void bookkeeping() {
        if (heads()) return ledger_.record_session(heads() ? "logon" : "logout", "");
        if (heads()) return ledger_.record_note("note");
        if (heads()) ledger_.new_epoch();
        if (below(4) == 0) ledger_.reset();
        if (heads()) ledger_.record_day_roll();
    }

    Ledger& ledger_;
    std::mt19937 random_;
    std::vector<std::string> orders_;
    std::uint32_t entry_ = 0, fires_ = 0, loads_ = 0;
};

constexpr unsigned kSeeds = 16;
constexpr int kRolls = 60;

std::vector<json> random_records(unsigned seed) {
    const ScratchFolder folder;
    Journal journal(folder.path());
    Ledger ledger(journal);
    Dice dice(ledger, seed);
    for (int i = 0; i < kRolls; ++i) dice.roll();
    return all_records(folder.path());
}

TEST(Snapshot, IsWhatTheRecordsBeforeItComeTo) {
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
        SCOPED_TRACE(seed);
        expect_same_from_any_snapshot(random_records(seed));
        if (HasFatalFailure()) return;
    }
}

// Fields, and fields of the one that has many.
json parts_of(const LedgerState& state) {
    json parts = state.snapshot();
    const json effects = parts.at("effects");
    for (const auto& [name, value] : effects.items()) parts["effects." + name] = value;
    return parts;
}

// Else a field that is left out would not be missed.
TEST(Snapshot, EveryFieldOfItIsPutToTheTest) {
    const json top = parts_of(LedgerState());
    std::set<std::string> same;
    for (const auto& [name, value] : top.items()) same.insert(name);
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
        LedgerState state;
        for (const json& record : random_records(seed)) {
            state.replay(record);
            const json now = parts_of(state);
            std::erase_if(same, [&](const std::string& name) { return now.at(name) != top.at(name); });
        }
    }
    EXPECT_TRUE(same.empty()) << *same.begin();
}

// Every tenth order rests for ever, the others are filled.
TEST(Snapshot, OfALongHistoryIsNoLarger) {
    const ScratchFolder folder;
    Journal journal(folder.path());
    Ledger ledger(journal);
    ledger.record_load(load_of({rule("a", "h")}));
    std::uint32_t entry = 0;
    const auto orders = [&](std::size_t count) {
        std::vector<Fire> fires;
        for (std::size_t i = 0; i < count; ++i) {
            const std::string cl_ord_id = "F" + std::to_string(1'000'000 + ++entry);
            Fire& one = fires.emplace_back(fire(entry, 0, entry));
            one.payload =
                fix({{35, "D"}, {11, cl_ord_id}, {38, "2"}, {40, "2"}, {44, "1"}, {54, "1"}, {55, "MSFT"}});
        }
        ledger.record(fires);
        for (const Fire& one : fires)
            ledger.record_execution(
                fix({{11, one.cl_ord_id()}, {37, "V"}, {39, one.entry % 10 == 0 ? "0" : "2"}}));
        ledger.reset();  // the session's messages are kept as long as it may ask for them
        json snapshot = ledger.snapshot();
        EXPECT_EQ(LedgerState(snapshot), ledger);
        return snapshot;
    };
    orders(kOrdersKept * 2);
    const std::size_t size = orders(100).dump().size();
    const json later = orders(kOrdersKept);
    EXPECT_EQ(ledger.resting().all().size(), entry / 10);
    EXPECT_LT(later.dump().size(), size + kOrdersKept / 10 * 300) << "those that rest";
    EXPECT_EQ(ledger.fires().size(), kFiresKept);
    for (const RestingOrder& order : ledger.resting().all())
        EXPECT_EQ(ledger.orders().count(order.cl_ord_id), 1U) << "what rests is not over";
    EXPECT_LE(ledger.orders().size(), kOrdersKept + entry / 10);
}

TEST(Snapshot, OfAnotherVersionIsRefused) {
    json snapshot = LedgerState().snapshot();
    snapshot.erase("in_doubt");
    EXPECT_THROW(LedgerState{snapshot}, JournalError);
}

}  // namespace
}  // namespace fixaccel
