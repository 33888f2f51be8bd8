// SPDX-License-Identifier: Apache-2.0
// Orders that are laid out ahead are what the FIX engine would have sent, byte by byte but for the time.
#include "order_layout.hpp"

#include <algorithm>
#include <random>
#include <thread>

#include "fix_session_fixture.hpp"
#include "order_fields.hpp"

namespace fixaccel {
namespace {

using test::FixSessionTest;
using test::message;
using test::Texts;

struct Shape {
    OrderTerms terms;
    std::string unit;
    FixFields fixed;
};

FixFields fields_of(const Shape& shape, const std::string& cl_ord_id) {
    FixFields fields = order_fields(shape.terms, cl_ord_id, shape.unit);
    fields.insert(fields.end(), shape.fixed.begin(), shape.fixed.end());
    return fields;
}

OrderText text_of(const Shape& shape, const std::string& cl_ord_id) {
    OrderTerms any = shape.terms;
    any.qty = any.symbol = "?";
    if (!any.price.empty()) any.price = "1";
    const OrderLayout layout(order_fields(any, "", ""), shape.fixed);
    std::string price = shape.terms.price;
    if (!price.empty()) pad_decimals(price, shape.unit);
    OrderLayout::Values values;
    values[OrderLayout::cl_ord_id] = cl_ord_id;
    values[OrderLayout::qty] = shape.terms.qty;
    values[OrderLayout::type] = type_code(shape.terms.type);
    values[OrderLayout::price] = price;
    values[OrderLayout::side] = side_code(shape.terms.side);
    values[OrderLayout::symbol] = shape.terms.symbol;
    OrderText text;
    text.body = "of one before";
    layout.write(values, text);
    return text;
}

// A message without what goes by the time, and whether its CheckSum is right.
std::string timeless(std::string text) {
    const std::size_t end = text.rfind("10=");
    EXPECT_EQ(text.substr(end), test::check_sum(text.substr(0, end)));
    text.resize(end);
    EXPECT_EQ(fix_field(text, 52), fix_field(text, 60));
    for (const char* tag : {"\x01"
                            "52=",
                            "\x01"
                            "60="}) {
        const std::size_t at = text.find(tag) + 4;
        std::fill(text.begin() + static_cast<std::ptrdiff_t>(at),
                  text.begin() + static_cast<std::ptrdiff_t>(text.find('\x01', at)), '_');
    }
    return text;
}

class OrderLayoutTest : public FixSessionTest {
  protected:
    void same(const Shape& shape, int seq_num) {
        Texts texts, times;
        for (const bool laid_out : {false, true, false}) {
            store_.sender = seq_num;
            laid_out ? session_->send_order(text_of(shape, "K3F90000000A00000001"))
                     : session_->send_order(fields_of(shape, "K3F90000000A00000001"));
            ASSERT_EQ(store_.next_sender(), seq_num + 1);
            ASSERT_EQ(store_.messages[seq_num], transport_.sent.back());
            texts.push_back(timeless(transport_.sent.back()));
            times.emplace_back(fix_field(transport_.sent.back(), 52));
        }
        EXPECT_EQ(texts[0], texts[1]);
        EXPECT_TRUE(std::is_sorted(times.begin(), times.end()))
            << times[1] << " is not between " << times[0] << " and " << times[2];
    }

    std::mt19937 random_{20261126};
    std::size_t below(std::size_t limit) { return random_() % limit; }
    std::string one_of(const std::vector<std::string>& texts) { return texts[below(texts.size())]; }

    Shape shape() {
        Shape out;
        out.terms = {.symbol = one_of({"A", "MSFT", "CLZ6", "A-SYMBOL-OF-MANY-CHARACTERS"}),
                     .side = one_of({"buy", "sell"}),
                     .qty = one_of({"1", "100", "999999999", "9223372036854775807"}),
                     .type = one_of({"market", "limit"}),
                     .price = "",
                     .tif = one_of({"day", "gtc", "ioc", "fok"}),
                     .account = one_of({"", "ME", "AN-ACCOUNT-OF-MANY-CHARACTERS"})};
        out.unit = one_of({"1", "0.01", "0.25", "0.00000001"});
        if (out.terms.type == "limit") out.terms.price = one_of({"1", "0.5", "-0.25", "12345678901.25", "0"});
        // Some of the header's tags, too: the engine takes them for the body's.
        for (std::size_t i = below(5); i > 0; --i)
            out.fixed.emplace_back(std::vector<int>{2, 18, 21, 47, 50, 58, 60, 77, 100, 110, 111, 126, 204,
                                                    440, 528, 581, 5700, 9303}[below(18)],
                                   one_of({"Y", "0", "a text", "20261126-00:00:00"}));
        return out;
    }
};

TEST_F(OrderLayoutTest, IsSentAsTheEngineWouldSendIt) {
    for (const char* decimals : {"0", "3", "6", "9"}) {
        log_on(ResendPolicy::resend, 30, std::string("TimestampPrecision=") + decimals + "\n");
        for (int i = 0; i < 250; ++i)
            same(shape(), i % 5 == 0 ? 99'999'999 : 1 + static_cast<int>(below(12'000)));
        session_.reset();
        store_.reset();
    }
}

TEST_F(OrderLayoutTest, IsNumberedBehindTheFiresAndKept) {
    log_on();
    transport_.pending_fires = 1;
    const int ended = transport_.ended;
    session_->send_order(text_of(shape(), "X1"));
    ASSERT_EQ(sent(), Texts{"D 3"});
    EXPECT_EQ(transport_.ended, ended + 1);
    EXPECT_EQ(store_.messages[3], transport_.sent[0]);
    EXPECT_EQ(store_.next_sender(), 4);
}

TEST_F(OrderLayoutTest, HeldBackItUsesNoNumberAndIsNotKept) {
    log_on();
    transport_.grants = false;
    session_->send_order(text_of(shape(), "X1"));
    EXPECT_TRUE(transport_.sent.empty());
    EXPECT_EQ(store_.next_sender(), 2);
    EXPECT_EQ(store_.messages.count(2), 0U);
}

TEST_F(OrderLayoutTest, NothingIsKeptWhileTheSessionIsNotLoggedOn) {
    log_on();
    session_->disconnected();
    session_->send_order(text_of(shape(), "X1"));
    EXPECT_TRUE(transport_.sent.empty());
    EXPECT_EQ(store_.next_sender(), 2);
}

TEST_F(OrderLayoutTest, IsSentAgainAsItWas) {
    log_on();
    const Shape order = shape();
    session_->send_order(text_of(order, "X1"));
    const std::string first = transport_.sent.back();
    session_->receive(message("2", 2,
                              "7=2\x01"
                              "16=0\x01"));
    ASSERT_EQ(sent(), (Texts{"D 2", "D 2 dup"}));
    std::map<int, std::string> before = test::fields_of(first),
                               again = test::fields_of(transport_.sent.back());
    EXPECT_EQ(again[122], before[52]);
    for (const int tag : {9, 10, 43, 52, 122}) before.erase(tag), again.erase(tag);
    EXPECT_EQ(again, before);
    // The next one goes on behind.
    session_->send_order(text_of(order, "X2"));
    EXPECT_EQ(sent().back(), "D 3");
}

// Whoever has just sent an order need not say that he is alive.
TEST_F(OrderLayoutTest, CountsAsAMessageForTheHeartbeat) {
    using std::chrono::milliseconds;
    log_on(ResendPolicy::resend, 2);
    std::this_thread::sleep_for(milliseconds(1300));
    session_->send_order(text_of(shape(), "X1"));
    std::this_thread::sleep_for(milliseconds(900));
    session_->receive(message("0", 2, ""));
    session_->tick();
    EXPECT_EQ(sent(), Texts{"D 2"}) << "longer than a heartbeat since the Logon";
    std::this_thread::sleep_for(milliseconds(1200));
    session_->tick();
    EXPECT_EQ(sent(), (Texts{"D 2", "0 3"}));
}

}  // namespace
}  // namespace fixaccel
