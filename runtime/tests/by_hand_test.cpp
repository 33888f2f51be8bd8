// SPDX-License-Identifier: Apache-2.0
// What is asked for on the control socket, as the messages that it means.
#include "by_hand.hpp"

#include <gtest/gtest.h>

#include <map>

#include "engine.hpp"
#include "hand_gate.hpp"
#include "ledger_fixture.hpp"
#include "table_builder.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;
using What = HandRequest::What;
using Fields = std::map<int, std::string>;

class ByHandTest : public LedgerTest {
  protected:
    void SetUp() override {
        LedgerTest::SetUp();
        ledger_->record_load(load_of({rule("a", "h")}));
        by_hand_.emplace(*ledger_);
        test::TableBuilder builder;
        builder.by_hand(R"({"account": "ME", "fields": {"58": "hello"}, "lots": [1], "order_qty": null,
                            "limit_collar": null})");
        Bundle bundle;
        const std::vector<std::byte> file = builder.file();
        bundle.software = SharedText(std::string(reinterpret_cast<const char*>(file.data()), file.size()));
        by_hand_->load(ByHand::gate_of(bundle));
    }

    HandRequest ask(const std::string& command, const json& body) {
        return by_hand_->request(command, body, "user 7");
    }

    std::string refusal(const std::string& command, const json& body) {
        try {
            ask(command, body);
        } catch (const Refused& refused) {
            return refused.what();
        }
        return "";
    }

    Fields fields(const HandRequest& request) {
        const FixFields body = by_hand_->message(request);
        Fields found(body.begin(), body.end());
        EXPECT_EQ(found.size(), body.size()) << "a tag twice";
        return found;
    }

    std::string send(const HandRequest& request) {
        std::string message = "35=" +
                              std::string(request.what == What::order    ? "D"
                                          : request.what == What::cancel ? "F"
                                                                         : "G") +
                              "\x01";
        for (const auto& [tag, value] : fields(request))
            message += std::to_string(tag) + "=" + value + "\x01";
        ledger_->record_by_hand(request);
        ledger_->set(ledger_->next_sender(), message);
        ledger_->set_next_sender(ledger_->next_sender() + 1);
        EXPECT_NE(ledger_->settle_by_hand(""), 0);
        return request.cl_ord_id;
    }

    void hear(const std::string& id, const std::string& status, const std::string& filled) {
        ledger_->record_execution(
            "35=8\x01"
            "6=10\x01"
            "11=" +
            id +
            "\x01"
            "14=" +
            filled +
            "\x01"
            "17=" +
            std::to_string(++execs_) +
            "\x01"
            "37=V1\x01"
            "39=" +
            status +
            "\x01"
            "150=F\x01"
            "151=1\x01");
    }

    const json kOrder{{"instrument", "MSFT"}, {"side", "buy"}, {"qty", 5}, {"price", "10.50"}};
    std::optional<ByHand> by_hand_;
    int execs_ = 0;
};

TEST_F(ByHandTest, AnOrderHasTheFieldsOfATemplate) {
    const HandRequest request = ask("order", kOrder);
    EXPECT_EQ(request.by, "user 7");
    EXPECT_EQ(fields(request), (Fields{{1, "ME"},
                                       {11, request.cl_ord_id},
                                       {21, "1"},
                                       {38, "5"},
                                       {40, "2"},
                                       {44, "10.50"},
                                       {54, "1"},
                                       {55, "MSFT"},
                                       {58, "hello"},
                                       {59, "0"}}));
    json market = kOrder;
    market.erase("price");
    market["side"] = "sell";
    market["tif"] = "ioc";
    market["account"] = "YOU";
    const HandRequest other = ask("order", market);
    EXPECT_EQ(fields(other), (Fields{{1, "YOU"},
                                     {11, other.cl_ord_id},
                                     {21, "1"},
                                     {38, "5"},
                                     {40, "1"},
                                     {54, "2"},
                                     {55, "MSFT"},
                                     {58, "hello"},
                                     {59, "3"}}));
}

TEST_F(ByHandTest, ARequestNamesTheOrderThatItIsAbout) {
    const std::string id = send(ask("order", kOrder));
    hear(id, "1", "2");
    const HandRequest cancel = ask("cancel", {{"order", id}});
    EXPECT_EQ(
        fields(cancel),
        (Fields{
            {1, "ME"}, {11, cancel.cl_ord_id}, {37, "V1"}, {38, "5"}, {41, id}, {54, "1"}, {55, "MSFT"}}));
    EXPECT_EQ(cancel.counts_qty, "");
    const HandRequest replace = ask("replace", {{"order", id}, {"qty", "7"}, {"price", "11"}});
    EXPECT_EQ(fields(replace), (Fields{{1, "ME"},
                                       {11, replace.cl_ord_id},
                                       {21, "1"},
                                       {37, "V1"},
                                       {38, "7"},
                                       {40, "2"},
                                       {41, id},
                                       {44, "11.00"},
                                       {54, "1"},
                                       {55, "MSFT"},
                                       {58, "hello"},
                                       {59, "0"}}));
    EXPECT_EQ(replace.counts_qty, "2");
    EXPECT_EQ(ask("replace", {{"order", id}, {"qty", "4"}}).counts_qty, "0");
}

TEST_F(ByHandTest, WhatCannotBeMeantIsRefused) {
    EXPECT_NE(refusal("order", {{"instrument", "MSTF"}}).find("did you mean MSFT?"), std::string::npos);
    json order = kOrder;
    order["price"] = 10.5;
    EXPECT_EQ(refusal("order", order), "\"price\" must be text") << "a binary fraction is no price";
    order = kOrder;
    order["account"] =
        "ME\x01"
        "44=1";
    EXPECT_NE(refusal("order", order).find("no message may have"), std::string::npos);
    EXPECT_EQ(refusal("cancel", {{"order", "X"}}), "no order X is known; `fixaccel orders` lists them");
    const std::string id = send(ask("order", kOrder));
    EXPECT_EQ(refusal("replace", {{"order", id}}), "nothing is to be changed: give a quantity or a price");
    EXPECT_EQ(refusal("replace", {{"order", id}, {"price", "10.5"}}),
              "nothing is to be changed: give a quantity or a price");
    hear(id, "1", "2");
    EXPECT_EQ(refusal("replace", {{"order", id}, {"qty", "2"}}),
              "2 of the order are filled already: the quantity counts these, too");
    const std::string request = send(ask("cancel", {{"order", id}}));
    EXPECT_NE(refusal("cancel", {{"order", id}}).find("has not answered"), std::string::npos);
    EXPECT_NE(refusal("replace", {{"order", id}, {"qty", "9"}}).find(request), std::string::npos);
    EXPECT_EQ(refusal("cancel", {{"order", id}, {"again", true}}), "");
    hear(id, "2", "5");
    EXPECT_EQ(refusal("cancel", {{"order", id}, {"again", true}}), "the order " + id + " is filled");
    EXPECT_NE(refusal("cancel", {{"order", request}}).find("is known"), std::string::npos)
        << "a request is none";
}

TEST_F(ByHandTest, OrdersAreListedWithWhatTheVenueSays) {
    ledger_->record({fire(1, 0, static_cast<std::uint32_t>(ledger_->next_sender()))});
    const std::string id = send(ask("order", kOrder));
    json orders = by_hand_->orders(true)["orders"];
    ASSERT_EQ(orders.size(), 2U);
    EXPECT_EQ(orders[0]["rule"], "a");
    EXPECT_EQ(orders[1]["cl_ord_id"], id);
    EXPECT_EQ(orders[1]["status"], "sent");
    hear(id, "2", "5");
    EXPECT_EQ(by_hand_->orders(true)["orders"].size(), 1U);
    orders = by_hand_->orders(false)["orders"];
    EXPECT_EQ(orders[1]["status"], "filled");
    EXPECT_EQ(orders[1]["cum_qty"], "5");
    EXPECT_EQ(orders[1]["leaves_qty"], "0");
    EXPECT_EQ(orders[1]["by"], "user 7");
}

TEST_F(ByHandTest, TheEndOfTheDayEndsWhatIsOfThatDay) {
    const std::string day = send(ask("order", kOrder));
    json lasting = kOrder;
    lasting["tif"] = "gtc";
    const std::string gtc = send(ask("order", lasting));
    ledger_->record_day_roll();
    const json open = by_hand_->orders(true)["orders"];
    ASSERT_EQ(open.size(), 1U);
    EXPECT_EQ(open[0]["cl_ord_id"], gtc);
    EXPECT_EQ(refusal("cancel", {{"order", day}}), "the order " + day + " is done for day");
}

TEST_F(ByHandTest, WithoutABundleThereIsNothingToGoBy) {
    by_hand_.emplace(*ledger_);
    EXPECT_NE(refusal("order", kOrder).find("deploy a bundle first"), std::string::npos);
    EXPECT_NE(refusal("cancel", {{"order", "X"}}).find("deploy a bundle first"), std::string::npos);
}

}  // namespace
}  // namespace fixaccel
