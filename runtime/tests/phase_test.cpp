// SPDX-License-Identifier: Apache-2.0
#include "phase.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace fixaccel {
namespace {

std::set<Phase> within_reach(Phase from) {
    std::set<Phase> reached{from};
    for (std::size_t before = 0; before != reached.size();) {
        before = reached.size();
        for (const Phase each : std::set<Phase>(reached))
            for (const Phase next : kPhases)
                if (may_follow(each, next)) reached.insert(next);
    }
    return reached;
}

std::set<Phase> before(Phase to) {
    std::set<Phase> out;
    for (const Phase each : kPhases)
        if (may_follow(each, to)) out.insert(each);
    return out;
}

TEST(Phase, HasANameEach) {
    std::set<std::string> names;
    for (const Phase phase : kPhases) names.insert(phase_text(phase));
    EXPECT_EQ(names.size(), kPhases.size());
    EXPECT_EQ(names.count("unknown"), 0U);
}

TEST(Phase, NothingIsArmedBeforeTheMarketIsKnown) {
    EXPECT_EQ(before(Phase::armed), std::set<Phase>{Phase::ready});
    EXPECT_EQ(before(Phase::ready), (std::set<Phase>{Phase::subscribing, Phase::armed}));
    EXPECT_EQ(before(Phase::subscribing), (std::set<Phase>{Phase::logging_on, Phase::reconciling}));
}

TEST(Phase, FromAnywhereTheSessionCanBeLeftAndComeBack) {
    for (const Phase phase : kPhases) {
        EXPECT_EQ(within_reach(phase).count(Phase::logged_out), 1U) << phase_text(phase);
        EXPECT_EQ(within_reach(phase).count(Phase::armed), 1U) << phase_text(phase);
    }
    EXPECT_EQ(before(Phase::idle), std::set<Phase>{}) << "but not to where nothing was ever deployed";
}

TEST(Phase, WhoeverIsArmedCanLoseTheSession) {
    for (const Phase phase : kPhases)
        if (is_logged_on(phase)) {
            EXPECT_TRUE(may_follow(phase, Phase::lost)) << phase_text(phase);
            EXPECT_TRUE(may_follow(phase, Phase::logging_out)) << phase_text(phase);
        }
}

}  // namespace
}  // namespace fixaccel
