// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/tally.hpp"

#include "ledger_fixture.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

TEST(Histogram, CountsWhatIsAtOrBelowEachBound) {
    Histogram histogram({1, 10, 100});
    for (const double value : {0.5, 1.0, 1.5, 10.0, 99.0, 101.0}) histogram.observe(value);
    const json report = histogram.report();
    EXPECT_EQ(report["counts"], (json{2, 4, 5}));
    EXPECT_EQ(report["count"], 6);
    EXPECT_DOUBLE_EQ(report["sum"].get<double>(), 213.0);
}

class TallyTest : public LedgerTest {};

TEST_F(TallyTest, CountsWhatThisProcessHasRecorded) {
    ledger_->record_load(load_of({rule("a", "h"), rule("b", "h")}));
    ledger_->record({fire(1, 0, 1)});
    ledger_->record_intent(software_fire(1));
    ledger_->settle_intent("lease");
    ledger_->record_session("logon", "");
    const json report = ledger_->tally().report();
    EXPECT_EQ(report["records"]["load"], 1);
    EXPECT_EQ(report["fires"], json::parse(R"([{"where": "fabric", "outcome": "sent", "count": 1},
                                               {"where": "runtime", "outcome": "rejected:lease", "count": 1}])"));
    EXPECT_EQ(report["fabric_cycles"]["count"], 1);
    EXPECT_EQ(report["fabric_cycles"]["counts"][0], 1) << "frame end at 100, first byte at 104";
    EXPECT_EQ(report["runtime_ns"]["count"], 0) << "it was not sent";
    ledger_->record_intent(software_fire(1));
    ledger_->set(ledger_->next_sender(), message_of(software_fire(1)));
    ledger_->settle_intent("lease", std::chrono::microseconds(15));
    const json timed = ledger_->tally().report()["runtime_ns"];
    EXPECT_EQ(timed["count"], 1);
    EXPECT_EQ(timed["sum"], 15000);
    EXPECT_EQ(report["sessions"]["logon"], 1);
    open();
    EXPECT_EQ(ledger_->tally().report()["fires"], json::array()) << "what was replayed was another process's";
}

}  // namespace
}  // namespace fixaccel
