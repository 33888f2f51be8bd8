// SPDX-License-Identifier: Apache-2.0
// Writes journals as the daemon does, for the fuzzers to begin with: make_journal FOLDER. In FOLDER/one is
// one segment, in FOLDER/many are segments and snapshots, with a kill word beside them.
#include <cstdio>

#include "fixaccel/kill_word.hpp"
#include "ledger_fixture.hpp"

namespace fixaccel {
namespace {

const std::string kReport =
    "35=8\x01"
    "37=V\x01"
    "11=00010000000000000001\x01"
    "17=E1\x01"
    "150=F\x01"
    "39=1\x01"
    "55=MSFT\x01"
    "54=2\x01"
    "38=2\x01"
    "14=1\x01"
    "151=1\x01"
    "6=1179.5\x01";

Load first_load() {
    Load load = load_of({rule("entry", "1"), rule("stop", "2"), rule("target", "3"), rule("trail", "4")});
    load.rules.edit(3).in_fabric = false;
    load.links.push_back({{{0, 0}}, {}, {{1, 2}}});
    load.links.push_back({{{1, 2}}, {{1, 2}}, {}});
    load.watches.push_back({.trigger = 7, .rule = 0, .role = WatchRole::reset, .fires = 32765});
    load.watches.push_back(
        {.trigger = 8, .rule = 1, .role = WatchRole::after, .fires = 32765, .after_ns = 500});
    return load;
}

Fire hit(std::uint32_t entry, std::uint32_t trigger) {
    Fire out;
    out.entry = entry;
    out.generation = kGeneration;
    out.trigger = trigger;
    out.outcome = hwmap::outcome_watch;
    out.source = hwmap::source_last;
    out.fires = 32766;
    out.time_ns = 1000 + entry;
    return out;
}

void trade(Ledger& ledger) {
    ledger.new_epoch();
    ledger.record_load(first_load());
    ledger.record_asked(Arming::armed);
    ledger.set(1,
               "35=A\x01"
               "34=1\x01");
    ledger.set_next_sender(2);
    ledger.record_session("logon", "");
    ledger.record_armed(false);
    ledger.record({fire(1, 0, 2)});
    ledger.record_execution(kReport);
    ledger.set_next_target(5);
    ledger.flush();
    ledger.record_trails(kGeneration, {{3, {true, true, 118500000000, 118400000000}}});
    ledger.record_intent(software_fire(3));
    ledger.set(3, message_of(software_fire(3)));
    ledger.set_next_sender(4);
    ledger.settle_intent("session");
    ledger.record({hit(2, 7)});
    Fire rejected = fire(3, 1, 0);
    rejected.outcome = hwmap::outcome_kill;
    rejected.payload.clear();
    ledger.record({rejected});
    ledger.record_rejected(software_fire(3, 2), "kill");
    ledger.record_note("a byte \xff of the venue's");
    ledger.record_reject(
        "35=3\x01"
        "45=2\x01"
        "58=no\x01");
}

void load_and_lose(Ledger& ledger) {
    ledger.record_next_load(next_of({rule("entry", "1"), rule("stop", "9")}));
    ledger.record_flipped(17, 40);
    ledger.record_next_load(load_of({rule("entry", "1")}));
    ledger.record_load_dropped("disarmed");
    ledger.record_disarmed("asked to disarm");
    ledger.record_armed(true);
    ledger.record_disarmed("the session is lost");
    ledger.record_kill({true, 1, "user 0, process 1", 5});
    ledger.record_kill({false, 1, "user 0, process 1", 6});
    ledger.record_armed(false);
    ledger.record_board_lost();
    ledger.record_counted(6);
    if (!ledger.in_doubt().empty()) ledger.record_found(ledger.in_doubt().begin()->first, kReport);
    ledger.record_uncountable();
    clear_doubts(ledger);
    ledger.record_rearmed({"entry|1"});
    ledger.record_rearmed();
    ledger.record_day_roll();
    ledger.set(1,
               "35=A\x01"
               "34=1\x01"
               "141=Y\x01");
    ledger.record_session("logout", "the day rolls");
}

void write_journal(const std::filesystem::path& folder, std::uint64_t segment_bytes) {
    Journal journal(folder, segment_bytes);
    Ledger ledger(journal);
    trade(ledger);
    ledger.flush();
    ledger.finish_snapshot();
    load_and_lose(ledger);
    ledger.flush();
    ledger.finish_snapshot();
}

}  // namespace
}  // namespace fixaccel

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    const std::filesystem::path folder(argv[1]);
    fixaccel::write_journal(folder / "one", fixaccel::kSegmentBytes);
    fixaccel::write_journal(folder / "many", 2048);
    fixaccel::write_kill_word(folder / "many", {true, 3, "user 0, process 1", 1'800'000'000'000'000'000});
    return 0;
}
