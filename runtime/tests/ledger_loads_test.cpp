// SPDX-License-Identifier: Apache-2.0
// Loads, and what links do to their rules.
#include "ledger_fixture.hpp"
#include "lists.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr TrailState kTrail{.active = true, .has_extreme = true, .extreme = 125000, .stop = 124000};

TEST_F(LedgerTest, TrailsGoOnOverRestartsAndLoadsOfTheSameRule) {
    const LoadedRule a = rule("a", "h"), b = rule("b", "h");
    ledger_->record_load(load_of({a, b}));
    ledger_->record_armed(false);
    ledger_->record_trails(kGeneration, {{0, {.active = true}}, {1, kTrail}});
    ledger_->record_trails(kGeneration, {{0, kTrail}});
    open();
    EXPECT_EQ(ledger_->trail(a), kTrail);
    ledger_->record_next_load(next_of({rule("c", "h"), a}));
    ledger_->record_flipped(1, 1);
    ledger_->record_trails(kGeneration, {{1, kTrail}});  // the old rules have the last word of their messages
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(ledger_->trail(a), kTrail);
        EXPECT_EQ(ledger_->trail(b), std::nullopt) << "it is gone";
        EXPECT_EQ(ledger_->trail(rule("a", "other")), std::nullopt) << "a changed rule starts afresh";
        open();
    }
    ledger_->record_load(load_of({b}));
    ledger_->record_load(load_of({a, b}));
    EXPECT_EQ(ledger_->trail(a), std::nullopt) << "it was gone";
}

// The last line of the journal.
json last_line(const Journal& journal) {
    std::ifstream in(segment_path(journal.folder(), journal.segment_first()));
    std::string line, last;
    while (std::getline(in, line)) last = line;
    return json::parse(last.substr(last.find('{')));
}

TEST_F(LedgerTest, ALoadNamesWhatItKeepsOfTheOneBefore) {
    std::vector<LoadedRule> rules;
    for (int i = 0; i < 100; ++i) rules.push_back(rule("r" + std::to_string(i), "h"));
    Load first = load_of(rules);
    first.links.push_back({.senders = {{0, 1}}, .cancels = {{0, 1}}, .arms = {}});
    first.watches.push_back({.trigger = 100, .rule = 0, .role = WatchRole::reset, .fires = 1});
    ledger_->record_load(first);
    EXPECT_EQ(last_line(*journal_).at("rules").size(), 100U);
    EXPECT_FALSE(last_line(*journal_).contains("kept"));

    // One changes, one is gone, one is new, two have changed places, and one has come from another
    // instrument.
    Load next = first;
    next.generation = kGeneration + 1;
    rules[5].threshold = "1170";
    rules.erase(rules.begin() + 20);
    rules.insert(rules.begin() + 40, rule("new", "h"));
    std::swap(rules[60], rules[61]);
    rules[70].instrument = "AAPL";
    next.rules = list_of(rules);
    ledger_->record_next_load(next);
    const json record = last_line(*journal_);
    EXPECT_EQ(record.at("rules").size(), 3U) << record;
    EXPECT_EQ(record.at("kept_of"), kGeneration);
    EXPECT_FALSE(record.contains("links")) << "they are the same";
    EXPECT_EQ(*ledger_->next_load(), next);
    open();
    EXPECT_EQ(*ledger_->next_load(), next);
    ledger_->record_flipped(1, 1);
    EXPECT_EQ(ledger_->load(), next);

    // Other links, no watches, and all of its rules are there.
    Load last = next;
    last.generation = kGeneration + 2;
    last.links[0].cancels = {{0, 0}};
    last.watches.clear();
    ledger_->record_load(last);
    EXPECT_TRUE(last_line(*journal_).at("rules").empty());
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(ledger_->load(), last);
        open();
    }
    ledger_->record_load(load_of({}));
    EXPECT_EQ(ledger_->load(), load_of({}));
}

TEST_F(LedgerTest, ATrailThatHasFiredBeginsAnew) {
    const LoadedRule a = rule("a", "h"), b = rule("b", "h"), c = rule("c", "h");
    Load load = load_of({a, b, c});
    load.links.push_back({.senders = {{0, 0}}, .cancels = {{1, 1}}, .arms = {}});
    ledger_->record_load(load);
    ledger_->record_trails(kGeneration, {{0, kTrail}, {1, kTrail}, {2, kTrail}});
    ledger_->record_intent(software_fire(0));
    ledger_->set(1, message_of(software_fire(0)));
    ledger_->settle_intent("lease");
    ledger_->record_rearmed();
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(ledger_->trail(a), std::nullopt);
        EXPECT_EQ(ledger_->trail(b), std::nullopt) << "it was cancelled";
        EXPECT_EQ(ledger_->trail(c), kTrail) << "it has been armed all along";
        open();
    }
}

TEST_F(LedgerTest, ADryRunMovesNoTrail) {
    const LoadedRule a = rule("a", "h");
    ledger_->record_load(load_of({a}));
    ledger_->record_trails(kGeneration, {{0, kTrail}});
    ledger_->record_armed(true);
    TrailState further = kTrail;
    further.extreme += 100;
    ledger_->record_trails(kGeneration, {{0, further}});
    EXPECT_EQ(ledger_->trail(a), further);
    ledger_->record_disarmed("test");
    EXPECT_EQ(ledger_->trail(a), kTrail);
}

// The runtime's rule 0 sends its order.
void send_order(Ledger& ledger) {
    const SoftwareFire order = software_fire(0);
    ledger.record_intent(order);
    ledger.set(ledger.next_sender(), message_of(order));
    ASSERT_TRUE(ledger.settle_intent("session"));
}

TEST_F(LedgerTest, AnOrderConcernsTheRulesThatWereLoadedThen) {
    const LoadedRule a = rule("a", "h"), b = rule("b", "h"), c = rule("c", "h"), d = rule("d", "h");
    Load load = load_of({a, b, c});
    load.links = {{.senders = {{0, 1}}, .cancels = {{0, 1}}, .arms = {}},
                  {.senders = {{0, 0}}, .cancels = {}, .arms = {{2, 2}}}};
    ledger_->record_load(load);
    send_order(*ledger_);
    load.rules = {a, b, c, d};
    load.links = {{.senders = {{0, 1}}, .cancels = {{0, 1}, {3, 3}}, .arms = {}}};
    ledger_->record_load(load);
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_TRUE(ledger_->cancelled(ledger_->load().rules.at(1)));
        EXPECT_TRUE(ledger_->armed_by_order(ledger_->load().rules.at(2)))
            << "of the links that were loaded then";
        EXPECT_FALSE(ledger_->cancelled(ledger_->load().rules.at(3))) << "loaded later";
        open();
    }
    ledger_->record_load(load_of({c}));
    EXPECT_TRUE(ledger_->armed_by_order(ledger_->load().rules.at(0)))
        << "whatever becomes of the rule whose order it was";
    ledger_->record_load(load_of({a, b, c}));
    EXPECT_FALSE(ledger_->cancelled(ledger_->load().rules.at(1))) << "was gone in between";
    EXPECT_TRUE(ledger_->armed_by_order(ledger_->load().rules.at(2))) << "was not";
    ledger_->record_rearmed();
    EXPECT_FALSE(ledger_->armed_by_order(ledger_->load().rules.at(2)));
}

TEST_F(LedgerTest, WhatIsCancelledIsNotArmed) {
    for (const bool arms_first : {true, false}) {
        Load load = load_of({rule("a", "h"), rule("b", "h"), rule("c", "h")});
        const Links arms{.senders = {{0, 0}}, .cancels = {}, .arms = {{2, 2}}};
        const Links cancels{.senders = {{1, 1}}, .cancels = {{1, 2}}, .arms = {}};
        load.links = {arms, cancels};
        ledger_->record_load(load);
        const auto entry = static_cast<std::uint32_t>(ledger_->fires().size());
        ledger_->record({fire(entry + 1, arms_first ? 0 : 1, entry + 1)});
        EXPECT_EQ(ledger_->armed_by_order(ledger_->load().rules.at(2)), arms_first);
        ledger_->record({fire(entry + 2, arms_first ? 1 : 0, entry + 2)});
        EXPECT_TRUE(ledger_->cancelled(ledger_->load().rules.at(2)));
        EXPECT_FALSE(ledger_->armed_by_order(ledger_->load().rules.at(2)));
        ledger_->record_rearmed();
    }
}

// A load while armed: until it has come about, both generations may have fired.
TEST_F(LedgerTest, FiresBelongToTheirGeneration) {
    ledger_->record_load(load_of({rule("a", "1"), rule("b", "1")}));
    ledger_->record_next_load(next_of({rule("c", "1"), rule("a", "1")}));
    ledger_->record({fire(1, 0, 1)});
    EXPECT_EQ(ledger_->load().generation, kGeneration) << "the old one's fire says nothing of the new one";
    Fire second = fire(2, 0, 2);
    ++second.generation;
    ledger_->record({second});
    for (const bool again : {false, true}) {
        if (again) open();
        EXPECT_EQ(ledger_->load().generation, kGeneration + 1);
        EXPECT_FALSE(ledger_->next_load());
        EXPECT_EQ(ledger_->fires().at(0)["rule"], "a");
        EXPECT_EQ(ledger_->fires().at(1)["rule"], "c");
        EXPECT_TRUE(ledger_->fired(ledger_->load().rules[0]));
        EXPECT_TRUE(ledger_->fired(ledger_->load().rules[1])) << "it is the same rule";
    }
}

TEST_F(LedgerTest, ALoadThatWasDroppedWasNone) {
    ledger_->record_load(load_of({rule("a", "1")}));
    ledger_->record_next_load(next_of({rule("b", "1")}));
    EXPECT_EQ(ledger_->next_load()->epoch, "0002");
    EXPECT_NE(ledger_->load_of(kGeneration + 1), nullptr);
    ledger_->record_load_dropped("test");
    open();
    EXPECT_EQ(ledger_->load().rules.at(0).id, "a");
    EXPECT_FALSE(ledger_->next_load());
    EXPECT_EQ(ledger_->load_of(kGeneration + 1), nullptr);
    EXPECT_TRUE(ledger_->knows_generation(kGeneration + 1)) << "its fires are not another journal's";
}

// The runtime reads its messages later than the fabric: a rule of the load before has its effects on the
// rules of now that mean the same.
TEST_F(LedgerTest, TheLoadBeforeStillHasItsSay) {
    Load before = load_of({rule("entry", "1"), rule("stop", "1"), rule("target", "1")});
    before.links.push_back({{{0, 0}}, {}, {{1, 1}}});
    before.links.push_back({{{1, 2}}, {{1, 2}}, {}});
    ledger_->record_load(before);
    ledger_->record_next_load(next_of({rule("target", "1"), rule("stop", "2")}));
    ledger_->record_flipped(9, 100);
    for (const std::uint32_t index : {0U, 1U}) {
        SoftwareFire order = software_fire(index);
        ledger_->record_intent(order);
        ledger_->set(ledger_->next_sender(), message_of(order));
        EXPECT_TRUE(ledger_->settle_intent("lease"));
    }
    for (const bool again : {false, true}) {
        if (again) open();
        EXPECT_EQ(ledger_->fires().at(1)["rule"], "stop");
        EXPECT_TRUE(ledger_->cancelled(ledger_->load().rules[0]));
        EXPECT_FALSE(ledger_->cancelled(ledger_->load().rules[1])) << "another stop";
        EXPECT_FALSE(ledger_->armed_by_order(ledger_->load().rules[1]));
    }
}

}  // namespace
}  // namespace fixaccel
