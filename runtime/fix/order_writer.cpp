// SPDX-License-Identifier: Apache-2.0
#include "order_writer.hpp"

#include <array>

#include "fixaccel/digits.hpp"

namespace fixaccel {
namespace {

constexpr char kEnd = '\x01';             // of a field
constexpr std::size_t kUsualOrder = 512;  // bytes

std::string field(const char* tag, const std::string& value) { return std::string(tag) + value + kEnd; }

// As FIX::UtcTimeStampConvertor writes it.
void write_time(const FIX::UtcTimeStamp& time, int decimals, std::string& out) {
    int year, month, day, hour, minute, second, fraction;
    time.getYMD(year, month, day);
    time.getHMS(hour, minute, second, fraction, decimals);
    std::array<char, 64> text;
    char* at = text.data();
    const auto put = [&at](int count, int number) {
        at = put_digits(at, count, static_cast<unsigned>(number));
    };
    put(4, year), put(2, month), put(2, day);
    *at++ = '-', put(2, hour);
    *at++ = ':', put(2, minute);
    *at++ = ':', put(2, second);
    if (decimals != 0) *at++ = '.', put(decimals, fraction);
    out.assign(text.data(), at);
}

}  // namespace

OrderWriter::OrderWriter(const FIX::SessionID& session)
    : begin_(field("8=", session.getBeginString().getValue()) + "9="),
      sender_(field("49=", session.getSenderCompID().getValue())),
      target_(field("56=", session.getTargetCompID().getValue())) {
    for (std::string* const text : {&time_, &body_, &text_}) text->reserve(kUsualOrder);
}

void OrderWriter::add_number(const char* tag, int number) {
    append_number(body_.append(tag), static_cast<unsigned>(number));
    body_.push_back(kEnd);
}

// The header's fields as the engine sorts them: BodyLength and MsgType first, then by tag.
const std::string& OrderWriter::write(const OrderText& order, int seq_num, const FIX::UtcTimeStamp& now,
                                      int decimals) {
    write_time(now, decimals, time_);
    body_.assign("35=D\x01");
    add_number("34=", seq_num);
    body_.append(sender_).append("52=").append(time_).push_back(kEnd);
    body_.append(target_).append(order.body, 0, order.time_at);
    body_.append("60=").append(time_).push_back(kEnd);
    body_.append(order.body, order.time_at, std::string::npos);
    append_number(text_.assign(begin_), static_cast<unsigned>(body_.size()));
    text_.append(1, kEnd).append(body_);
    append_trailer(text_);
    return text_;
}

}  // namespace fixaccel
