// SPDX-License-Identifier: Apache-2.0
// What is asked for by hand: in the journal before it leaves, once at the venue, and known after a restart.
#include "fixaccel/seq.hpp"
#include "ledger_fixture.hpp"

namespace fixaccel {
namespace {

using What = HandRequest::What;

class ByHandLedgerTest : public LedgerTest {
  protected:
    void SetUp() override {
        LedgerTest::SetUp();
        ledger_->record_load(load_of({rule("a", "h")}));
    }

    HandRequest asked(What what, const std::string& order = {}, const std::string& price = "1100") {
        HandRequest request = ledger_->next_by_hand();
        request.what = what;
        request.by = "user 7";
        request.order = order;
        request.terms = {"MSFT", "buy", "5", "limit", price, "day", "ME"};
        if (what != What::cancel) request.counts_qty = order.empty() ? "5" : "0";
        return request;
    }

    static std::string message(const HandRequest& request) {
        const char* const types[] = {"D", "F", "G"};
        return "35=" + std::string(types[static_cast<int>(request.what)]) + "\x01" + "1=ME\x01" +
               "11=" + request.cl_ord_id + "\x01" + "38=5\x01" + "40=2\x01" + "41=" + request.order + "\x01" +
               "44=" + request.terms.price + "\x01" + "54=1\x01" + "55=MSFT\x01" + "59=0\x01";
    }

    // As it goes when nothing goes wrong; returns its ClOrdID.
    std::string send(const HandRequest& request) {
        ledger_->record_by_hand(request);
        const int number = ledger_->next_sender();
        ledger_->set(number, message(request));
        ledger_->set_next_sender(number + 1);
        EXPECT_EQ(ledger_->settle_by_hand("session"), number);
        return request.cl_ord_id;
    }

    void hear(const std::string& id, const std::string& order, const std::string& exec_type,
              const std::string& status) {
        ledger_->record_execution(
            "35=8\x01"
            "11=" +
            id +
            "\x01"
            "17=E" +
            std::to_string(++execs_) +
            "\x01"
            "14=0\x01"
            "39=" +
            status +
            "\x01"
            "41=" +
            order +
            "\x01"
            "150=" +
            exec_type +
            "\x01"
            "151=5\x01");
    }

    void refuse(const std::string& id, const std::string& order, const std::string& status,
                const std::string& reason) {
        ledger_->record_cancel_reject(
            "35=9\x01"
            "11=" +
            id +
            "\x01"
            "39=" +
            status +
            "\x01"
            "41=" +
            order +
            "\x01"
            "58=why\x01"
            "102=" +
            reason +
            "\x01"
            "434=1\x01");
    }

    std::string status(const std::string& id) { return ledger_->orders().at(id).status; }
    std::vector<std::string> resting() {
        std::vector<std::string> ids;
        for (const RestingOrder& order : ledger_->resting().all()) ids.push_back(order.cl_ord_id);
        return ids;
    }

    int execs_ = 0;
};

using Ids = std::vector<std::string>;

TEST_F(ByHandLedgerTest, AnOrderThatWasSentRestsCountsAndSaysWhoAsked) {
    const std::string id = send(asked(What::order));
    EXPECT_EQ(id.substr(0, kEpochChars), ledger_->load().epoch);
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(resting(), Ids{id});
        EXPECT_EQ(ledger_->sent_orders().orders, 1);
        EXPECT_EQ(ledger_->sent_orders().quantities.at("MSFT").bought, 5);
        const PlacedOrder& placed = ledger_->placed().at(id);
        EXPECT_EQ(placed.by, "user 7");
        EXPECT_EQ(placed.terms, (OrderTerms{"MSFT", "buy", "5", "limit", "1100", "day", "ME"}));
        EXPECT_NE(ledger_->next_by_hand().cl_ord_id, id);
        EXPECT_EQ(ledger_->next_sender(), 2);
        open();
    }
}

TEST_F(ByHandLedgerTest, ACrashOnTheWayToTheStoreSendsNothingAndUsesTheNumberUp) {
    const HandRequest request = asked(What::order);
    ledger_->record_by_hand(request);
    for (int restart = 0; restart < 2; ++restart) {
        open();
        EXPECT_TRUE(ledger_->placed().empty());
        EXPECT_TRUE(resting().empty());
        EXPECT_EQ(ledger_->sent_orders().orders, 0);
        EXPECT_NE(ledger_->next_by_hand().cl_ord_id, request.cl_ord_id);
    }
    int settled = 0;
    for (const auto& record : all_records(folder_.path()))
        if (record["type"] == "by_hand") {
            ++settled;
            EXPECT_EQ(record["outcome"], "rejected:interrupted");
            EXPECT_EQ(record["by"], "user 7");
        }
    EXPECT_EQ(settled, 1);
}

TEST_F(ByHandLedgerTest, ACrashBehindTheStoreIsAnOrderSent) {
    const HandRequest request = asked(What::order);
    ledger_->record_by_hand(request);
    ledger_->set(1, message(request));
    for (int restart = 0; restart < 2; ++restart) {
        open();
        EXPECT_EQ(resting(), Ids{request.cl_ord_id});
        EXPECT_EQ(ledger_->sent_orders().orders, 1);
        EXPECT_EQ(ledger_->next_sender(), 2);
        EXPECT_EQ(stored(1, 1), Ids{message(request)});
    }
}

TEST_F(ByHandLedgerTest, WhatWasRefusedLeavesTheNextNumberAsItIs) {
    const HandRequest request = asked(What::order);
    ledger_->record_refused(request, "kill");
    EXPECT_EQ(ledger_->next_by_hand().cl_ord_id, request.cl_ord_id);
    EXPECT_EQ(ledger_->sent_orders().orders, 0);
    EXPECT_EQ(all_records(folder_.path()).back()["outcome"], "rejected:kill");
}

TEST_F(ByHandLedgerTest, ACancelIsAskedUntilItIsAnswered) {
    const std::string id = send(asked(What::order));
    hear(id, "", "0", "0");
    const std::string request = send(asked(What::cancel, id));
    EXPECT_EQ(ledger_->sent_orders().orders, 1) << "it is no order";
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(ledger_->placed().at(id).asked, request);
        EXPECT_EQ(resting(), Ids{id});
        open();
    }
    hear(request, id, "6", "6");
    EXPECT_EQ(status(id), "pending cancel");
    EXPECT_EQ(ledger_->placed().at(id).asked, request) << "that is no answer yet";
    hear(request, id, "4", "4");
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(status(id), "canceled");
        EXPECT_EQ(ledger_->placed().at(id).asked, "");
        EXPECT_TRUE(resting().empty());
        open();
    }
}

TEST_F(ByHandLedgerTest, ACancelThatIsRefusedLeavesTheOrder) {
    const std::string id = send(asked(What::order));
    refuse(send(asked(What::cancel, id)), id, "8", "1");
    EXPECT_EQ(resting(), Ids{id}) << "that the venue knows no such name does not make it go";
    refuse(send(asked(What::cancel, id)), id, "1", "99");
    EXPECT_EQ(status(id), "partially filled");
    EXPECT_EQ(ledger_->orders().at(id).text, "why");
    EXPECT_EQ(ledger_->placed().at(id).asked, "");
    EXPECT_EQ(resting(), Ids{id});
    refuse(send(asked(What::cancel, id)), id, "2", "0");
    EXPECT_EQ(status(id), "filled");
    EXPECT_TRUE(resting().empty());
}

TEST_F(ByHandLedgerTest, BothRestUntilAReplacementIsAnswered) {
    const std::string id = send(asked(What::order));
    hear(id, "", "0", "0");
    const std::string next = send(asked(What::replace, id, "1101"));
    EXPECT_EQ(resting(), (Ids{id, next}));
    EXPECT_EQ(ledger_->sent_orders().orders, 2);
    EXPECT_EQ(ledger_->sent_orders().quantities.at("MSFT").bought, 5) << "it adds nothing";
    hear(next, id, "5", "0");
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(status(id), "replaced");
        EXPECT_EQ(status(next), "new");
        EXPECT_EQ(resting(), Ids{next});
        EXPECT_EQ(ledger_->placed().at(next).replaces, id);
        open();
    }
    hear(next, id, "F", "1");
    EXPECT_EQ(resting(), Ids{next}) << "the old name does not come back";
    EXPECT_EQ(status(id), "replaced");
}

TEST_F(ByHandLedgerTest, AReplacementThatIsRefusedHasNeverBeen) {
    const std::string id = send(asked(What::order));
    hear(id, "", "0", "0");
    const std::string next = send(asked(What::replace, id, "1101"));
    refuse(next, id, "0", "99");
    const std::string third = send(asked(What::replace, id, "1102"));
    ledger_->record_reject(
        "35=3\x01"
        "45=" +
        std::to_string(ledger_->next_sender() - 1) +
        "\x01"
        "58=no\x01");
    for (int restart = 0; restart < 2; ++restart) {
        EXPECT_EQ(status(next), "rejected");
        EXPECT_EQ(status(third), "rejected");
        EXPECT_EQ(status(id), "new");
        EXPECT_EQ(ledger_->placed().at(id).asked, "");
        EXPECT_EQ(resting(), Ids{id});
        open();
    }
}

TEST_F(ByHandLedgerTest, OrdersOfRulesAreKeptWithTheirTerms) {
    ledger_->record({fire(1, 0, 1)});
    const auto& [id, placed] = *ledger_->placed().begin();
    EXPECT_EQ(id, ledger_->fires()[0]["cl_ord_id"]);
    EXPECT_EQ(placed.rule, "a");
    EXPECT_EQ(placed.by, "");
    EXPECT_EQ(placed.terms.qty, "2");
    EXPECT_EQ(placed.terms.price, "1100");
}

}  // namespace
}  // namespace fixaccel
