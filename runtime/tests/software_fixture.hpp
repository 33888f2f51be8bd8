// SPDX-License-Identifier: Apache-2.0
// Rules of the runtime with a ledger of their own, and a FIX engine that keeps what it is given.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fix_text.hpp"
#include "lists.hpp"
#include "scratch_folder.hpp"
#include "software.hpp"
#include "table_builder.hpp"

namespace fixaccel {

using test::TableBuilder;

constexpr std::int64_t kNow = 1000;

// A FIX engine that keeps what it is given, or does not.
class Port final : public OrderPort {
  public:
    explicit Port(Ledger& ledger) : ledger_(ledger) {}
    bool armed() const override { return is_armed; }
    std::string held_back() override { return reason; }
    std::chrono::steady_clock::time_point send_order(const OrderText& order) override {
        if (takes_effect) {
            ledger_.take_effect();
            EXPECT_TRUE(ledger_.spent(ledger_.load().rules[0])) << "the intent comes first";
        }
        orders.push_back(test::fields_of(order.body));
        if (disarms) is_armed = false;
        if (!takes) return {};
        const int seq = ledger_.next_sender();
        ledger_.set(seq, order.body);
        ledger_.set_next_sender(seq + 1);
        return sent_at;
    }

    void cancels_due() override { to_cancel.push_back(ledger_.cancels_to_send()); }

    std::string reason;
    std::vector<std::vector<std::pair<std::string, std::string>>> to_cancel;
    bool is_armed = true;
    bool takes = true;
    bool disarms = false;
    bool takes_effect = true;  // between the two records something asks for the ledger's state
    std::chrono::steady_clock::time_point sent_at{};
    std::vector<std::map<int, std::string>> orders;

  private:
    Ledger& ledger_;
};

class SoftwareTest : public ::testing::Test {
  protected:
    void SetUp() override {
        builder_.stops({300, 200})
            .set("order.envelope", {0, 0})
            .envelopes(R"([{"tif": "ioc", "account": "ME", "fields": {"58": "hello"}}])");
        restart();
    }

    // A daemon starts with this journal.
    void restart() {
        rules_.reset();
        ledger_.reset();
        journal_.reset();
        journal_ = std::make_unique<Journal>(folder_.path());
        ledger_ = std::make_unique<Ledger>(*journal_);
        port_ = std::make_unique<Port>(*ledger_);
        load(bundle());
        rules_->arm();
    }

    // With an empty journal.
    void start_anew() {
        rules_.reset();
        ledger_.reset();
        journal_.reset();
        for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
            std::filesystem::remove_all(entry);
        now_ns_ = kNow;
        restart();
    }

    void load(const Bundle& bundle) {
        rules_ = std::make_unique<SoftwareRules>(bundle, *ledger_);
        Load load{1, ledger_->new_epoch(), "b", "/bundle", "strategy", {}, rules_->links()};
        for (const BundleRule& rule : bundle.rules)
            load.rules.push_back(
                {rule.id, rule.hash, rule.instrument, "last", "<=", "3", "0.01", "", "", "", "", "stop"});
        ledger_->record_load(load);
    }

    Bundle bundle() const {
        Bundle bundle;
        const std::vector<std::byte> file = builder_.file();
        bundle.software = SharedText(std::string(reinterpret_cast<const char*>(file.data()), file.size()));
        for (const std::uint32_t index : {0U, 1U}) {
            BundleRule& rule = add_rule(bundle);
            rule.id = "stop-" + std::to_string(index);
            rule.index = index;
            rule.instrument = "MSFT";
            rule.hash = std::string(31, '0') + std::to_string(index + 1);
        }
        return bundle;
    }

    bool see(const std::string& price) {
        return rules_->process(MarketText("35=W\x01"
                                          "55=MSFT\x01"
                                          "269=2\x01"
                                          "270=" +
                                          price + "\x01"),
                               now_ns_, *port_, read_at_);
    }

    std::string outcome(std::size_t fire) const { return ledger_->fires().at(fire)["outcome"].text(); }

    std::int64_t now_ns_ = kNow;
    std::optional<std::chrono::steady_clock::time_point> read_at_;
    ScratchFolder folder_;
    TableBuilder builder_;
    std::unique_ptr<Journal> journal_;
    std::unique_ptr<Ledger> ledger_;
    std::unique_ptr<Port> port_;
    std::unique_ptr<SoftwareRules> rules_;
};

}  // namespace fixaccel
