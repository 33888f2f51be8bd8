// SPDX-License-Identifier: Apache-2.0
#include "comeback.hpp"

#include <gtest/gtest.h>

#include "ledger_fixture.hpp"

namespace fixaccel {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Comeback::Time kStart{seconds(1000)};

TEST(Comeback, PausesGrowUpToTheirBoundAndBeginAnew) {
    DaemonConfig config;
    config.reconnect = milliseconds(200);
    config.reconnect_most = seconds(1);
    Comeback comeback;
    for (const int expected : {200, 400, 800, 1000, 1000}) {
        comeback.pause(kStart, config);
        EXPECT_EQ(comeback.wait(kStart), milliseconds(expected));
        EXPECT_FALSE(comeback.due(kStart));
        EXPECT_TRUE(comeback.due(kStart + milliseconds(expected)));
        comeback.try_now();
    }
    for (int i = 0; i < 100; ++i) comeback.try_now();
    comeback.pause(kStart, config);
    EXPECT_EQ(comeback.wait(kStart), seconds(1));
    comeback.logged_on();
    comeback.pause(kStart, config);
    EXPECT_EQ(comeback.wait(kStart), milliseconds(200));
    EXPECT_EQ(comeback.wait(kStart + seconds(5)), seconds(0));
}

TEST(Comeback, ArmsOnceThereIsASession) {
    Comeback comeback;
    comeback.logged_on();
    EXPECT_FALSE(comeback.due_to_arm()) << "it was not armed";
    comeback.was_armed(true, false);
    EXPECT_FALSE(comeback.due_to_arm()) << "there is no session";
    comeback.logged_on();
    EXPECT_TRUE(comeback.due_to_arm());
    EXPECT_TRUE(comeback.dry());
    comeback.gone();
    EXPECT_FALSE(comeback.due_to_arm()) << "it is lost again";
    comeback.logged_on();
    EXPECT_TRUE(comeback.due_to_arm());
    comeback.armed();
    EXPECT_FALSE(comeback.due_to_arm());
    comeback.was_armed(false, true);
    EXPECT_TRUE(comeback.due_to_arm()) << "it only stands still";
}

TEST(Comeback, WhoeverElseSpeaksIsHeard) {
    Comeback comeback;
    comeback.was_armed(false, true);
    comeback.await("this");
    comeback.overrule();
    EXPECT_FALSE(comeback.due_to_arm());
    EXPECT_EQ(comeback.awaited(), "");
    comeback.was_armed(false, true);
    comeback.refuse("that");
    EXPECT_FALSE(comeback.due_to_arm());
    EXPECT_EQ(comeback.refused(), "that");
    comeback.was_armed(false, true);
    EXPECT_EQ(comeback.refused(), "");
}

TEST(Comeback, SoOftenInAMinute) {
    Comeback comeback;
    EXPECT_TRUE(comeback.once_more(kStart, 2));
    EXPECT_TRUE(comeback.once_more(kStart + seconds(30), 2));
    EXPECT_FALSE(comeback.once_more(kStart + seconds(59), 2));
    EXPECT_TRUE(comeback.once_more(kStart + seconds(60), 2)) << "the first is a minute ago";
    EXPECT_FALSE(comeback.once_more(kStart + seconds(61), 2));
    comeback.overrule();
    EXPECT_TRUE(comeback.once_more(kStart + seconds(61), 2)) << "the operator has armed it since";
}

TEST_F(LedgerTest, WhatHasLeftUnseenIsUnreported) {
    ledger_->record_load(load_of({rule("a", "h"), rule("b", "h")}));
    EXPECT_EQ(first_unreported(*ledger_, 0), "");
    Fire given_up = fire(1, 0, 1);  // on a wire that stood still: it may have left since
    given_up.left = false;
    given_up.payload.clear();
    ledger_->record({given_up});
    EXPECT_EQ(first_unreported(*ledger_, 0), "with MsgSeqNum 1");
    ledger_->record({fire(2, 1, 2)});
    EXPECT_EQ(first_unreported(*ledger_, 0), fire(2, 1, 2).cl_ord_id());
}

}  // namespace
}  // namespace fixaccel
