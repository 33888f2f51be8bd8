// SPDX-License-Identifier: Apache-2.0
#include "session/encoder.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "session/raw_message.hpp"

namespace fixaccel {
namespace exchange {
namespace {

constexpr std::size_t kTimeLength = 17;  // YYYYMMDD-HH:MM:SS

// Of the standard header, behind MsgType(35).
bool is_header(int tag) {
    static const int kTags[] = {tag::kMsgSeqNum,
                                tag::kPossDupFlag,
                                tag::kSenderCompId,
                                50,
                                tag::kSendingTime,
                                tag::kTargetCompId,
                                57,
                                tag::kPossResend,
                                115,
                                116,
                                tag::kOrigSendingTime,
                                128,
                                129,
                                142,
                                143,
                                144,
                                145,
                                369};
    return std::find(std::begin(kTags), std::end(kTags), tag) != std::end(kTags);
}

}  // namespace

Encoder::Encoder(const std::string& begin_string, const std::string& sender, const std::string& target)
    : begin_string_(begin_string), sender_(sender), target_(target) {}

const std::string& Encoder::sending_time() {
    using std::chrono::milliseconds;
    const auto now =
        std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch());
    const auto second = std::chrono::duration_cast<std::chrono::seconds>(now);
    if (second != time_second_) {
        const std::time_t time = second.count();
        std::tm utc{};
        gmtime_r(&time, &utc);
        char text[32];
        time_.assign(text, std::strftime(text, sizeof text, "%Y%m%d-%H:%M:%S", &utc));
        time_ += ".000";
        time_second_ = second;
    }
    const auto ms = static_cast<int>((now - second).count());
    time_[kTimeLength + 1] = static_cast<char>('0' + ms / 100);
    time_[kTimeLength + 2] = static_cast<char>('0' + ms / 10 % 10);
    time_[kTimeLength + 3] = static_cast<char>('0' + ms % 10);
    return time_;
}

void Encoder::begin(const std::string& type) {
    body_.clear();
    add(tag::kMsgType, type);
}

void Encoder::add(int tag, int number) { add(tag, std::to_string(number)); }

void Encoder::add(int tag, const std::string& text) {
    if (text.empty()) return;
    char digits[12];
    int at = sizeof digits;
    digits[--at] = '=';
    for (int rest = tag; rest > 0; rest /= 10) digits[--at] = static_cast<char>('0' + rest % 10);
    body_.append(digits + at, sizeof digits - static_cast<std::size_t>(at));
    const std::size_t start = body_.size();
    body_ += text;
    // A text with the end of a field in it would be several fields.
    std::replace(body_.begin() + static_cast<std::ptrdiff_t>(start), body_.end(), kSoh, ' ');
    body_ += kSoh;
}

const std::string& Encoder::finish() {
    bytes_.assign("8=").append(begin_string_).append(1, kSoh);
    bytes_.append("9=").append(std::to_string(body_.size())).append(1, kSoh);
    bytes_ += body_;
    const std::string sum = check_sum(bytes_.data(), bytes_.size());
    bytes_.append("10=").append(sum).append(1, kSoh);
    return bytes_;
}

const std::string& Encoder::message(const OutgoingMessage& message, int msg_seq_num) {
    begin(message.type);
    add(tag::kMsgSeqNum, msg_seq_num);
    add(tag::kSenderCompId, sender_);
    add(tag::kSendingTime, sending_time());
    add(tag::kTargetCompId, target_);
    sorted_.clear();
    for (const Field& field : message.fields) {
        // Of the header: it goes before the body.
        if (field.tag == tag::kPossResend) {
            add(field.tag, field.text);
            continue;
        }
        auto at = sorted_.end();
        while (at != sorted_.begin() && (*(at - 1))->tag > field.tag) --at;
        sorted_.insert(at, &field);
    }
    for (const Field* field : sorted_) add(field->tag, field->text);
    for (const EntryGroup& group : message.groups) {
        add(group.counter, static_cast<int>(group.entries.size()));
        for (const Fields& entry : group.entries)
            for (const Field& field : entry) add(field.tag, field.text);
    }
    return finish();
}

const std::string& Encoder::resent(const std::string& stored) {
    const IncomingMessage whole = split_message(stored, std::string());
    std::vector<Field> header;
    std::size_t next = 3;  // behind 8, 9 and 35
    std::string original;
    for (; next < whole.fields.size() && is_header(whole.fields[next].tag); ++next) {
        const Field& field = whole.fields[next];
        if (field.tag == tag::kSendingTime) original = field.text;
        if (field.tag != tag::kSendingTime && field.tag != tag::kPossDupFlag &&
            field.tag != tag::kOrigSendingTime)
            header.push_back(field);
    }
    header.push_back({tag::kPossDupFlag, "Y"});
    header.push_back({tag::kSendingTime, sending_time()});
    header.push_back({tag::kOrigSendingTime, original});
    std::sort(header.begin(), header.end(), [](const Field& a, const Field& b) { return a.tag < b.tag; });
    begin(whole.text(tag::kMsgType));
    for (const Field& field : header) add(field.tag, field.text);
    for (; next < whole.fields.size(); ++next)
        if (whole.fields[next].tag != tag::kCheckSum) add(whole.fields[next].tag, whole.fields[next].text);
    return finish();
}

const std::string& Encoder::gap_fill(int from, int next) {
    const std::string now = sending_time();
    begin("4");
    add(tag::kMsgSeqNum, from);
    add(tag::kPossDupFlag, "Y");
    add(tag::kSenderCompId, sender_);
    add(tag::kSendingTime, now);
    add(tag::kTargetCompId, target_);
    add(tag::kOrigSendingTime, now);
    add(tag::kNewSeqNo, next);
    add(tag::kGapFillFlag, "Y");
    return finish();
}

}  // namespace exchange
}  // namespace fixaccel
