// SPDX-License-Identifier: Apache-2.0
#include "bus/reader.hpp"

#include <algorithm>
#include <charconv>

#include "bus/gen/bus.hpp"

namespace fixaccel::bus {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kPatience{5000};  // for an answer
constexpr milliseconds kAskEvery{1000};
constexpr int kBatch = 1000;

std::uint64_t number_of(const std::string& text) {
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::uint64_t event_of(const LinkMessage& message) { return number_of(message.header(kHeaderEvent)); }

// All answers to a request for messages of a stream, behind `sequence`.
std::vector<LinkMessage> stored_behind(Link& link, const std::string& stream, const std::string& subject,
                                       std::uint64_t sequence) {
    const std::string inbox = link.inbox();
    Subscription answers = link.subscribe(inbox);
    link.publish("$JS.API.DIRECT.GET." + stream,
                 json{{"seq", sequence + 1}, {"batch", kBatch}, {"next_by_subj", subject}}.dump(), inbox);
    std::vector<LinkMessage> found;
    while (true) {
        auto answer = answers.next(kPatience);
        if (!answer) throw LinkError("no answer of stream " + stream);
        // 204: these are all, 404: there are none, 503: there is no such stream yet.
        if (answer->status != 0) return found;
        found.push_back(std::move(*answer));
    }
}

}  // namespace

std::optional<QuoteSeen> QuoteOrder::take(const json& message) {
    QuoteSeen quote{.symbol = message.at("symbol"),
                    .kind = message.at("kind"),
                    .run = message.at("run"),
                    .n = message.at("n"),
                    .ts_ns = message.at("ts_ns"),
                    .msg = message.at("msg"),
                    .top = message.at("top")};
    const std::uint64_t gaps = message.at("gaps");
    quote.stale = quote.top.value("state", "") != "open";
    const auto known = known_.find(quote.symbol);
    if (known != known_.end()) {
        const QuoteSeen& before = known->second.quote;
        const auto place = std::pair(quote.run, quote.n), was = std::pair(before.run, before.n);
        const bool holds = place == was && before.stale;  // said again
        if (!holds && place <= was) return std::nullopt;
        if (!holds) {
            // Another relay, or one that has said itself that it missed some of the daemon.
            if (quote.run != before.run || gaps != known->second.gaps)
                quote.missed.reset();
            else
                quote.missed = quote.n - before.n - 1;
        }
    }
    known_[quote.symbol] = {quote, gaps};
    return quote;
}

std::vector<QuoteSeen> QuoteOrder::doubt() {
    std::vector<QuoteSeen> found;
    for (auto& [symbol, known] : known_) {
        if (known.quote.stale) continue;
        known.quote.stale = true;
        known.quote.missed.reset();
        found.push_back(known.quote);
    }
    return found;
}

void LiveReader::attach(Link& link) {
    if (attached_) doubt();
    messages_.reset();
    heartbeats_.reset();
    messages_.emplace(link.subscribe(subjects_.of(kQuotes) + ".>"));
    heartbeats_.emplace(link.subscribe(subjects_.of(kHeartbeat)));
    heard_ = steady_clock::now();
    attached_ = true;
    for (const LinkMessage& image :
         stored_behind(link, subjects_.quotes_stream, subjects_.of(kQuotes) + ".>", 0))
        take(image);
}

void LiveReader::take(const LinkMessage& message) {
    if (auto quote = order_.take(json::parse(message.data))) ready_.push_back(std::move(*quote));
}

void LiveReader::doubt() {
    for (QuoteSeen& quote : order_.doubt()) ready_.push_back(std::move(quote));
}

std::optional<QuoteSeen> LiveReader::next(milliseconds most) {
    const auto end = steady_clock::now() + most;
    while (ready_.empty()) {
        if (steady_clock::now() - heard_ > milliseconds(kSilentMs)) doubt();
        if (!ready_.empty()) break;
        const auto left = std::chrono::duration_cast<milliseconds>(end - steady_clock::now());
        if (left.count() <= 0 || !messages_) return std::nullopt;
        const auto message = messages_->next(std::min(left, milliseconds(200)));
        while (heartbeats_->next(milliseconds(0))) heard_ = steady_clock::now();
        if (message) take(*message);
    }
    QuoteSeen quote = std::move(ready_.front());
    ready_.pop_front();
    return quote;
}

void EventReader::attach(Link& link) {
    stored_.reset();
    link_ = &link;
    inbox_ = link.inbox();
    stored_.emplace(link.subscribe(inbox_));
    replies_.clear();
    ask();
    read_on();
}

// A server that was started anew knows nothing of who has asked.
void EventReader::ask() {
    next_ask_ = steady_clock::now() + kAskEvery;
    const auto expires = std::chrono::duration_cast<std::chrono::nanoseconds>(kAskEvery).count();
    link_->publish("$JS.API.CONSUMER.MSG.NEXT." + subjects_.events_stream + "." + principal_,
                   json{{"batch", kBatch}, {"expires", expires}}.dump(), inbox_);
}

void EventReader::offer(const LinkMessage& message) {
    const std::uint64_t n = event_of(message);
    if (n > position_) held_.emplace(n, message.data);
}

void EventReader::read_on() {
    const auto found = stored_behind(*link_, subjects_.events_stream, subjects_.events("*"), position_);
    for (const LinkMessage& message : found) offer(message);
    if (found.empty() || event_of(found.front()) == position_ + 1) return;
    throw ReaderError("events " + std::to_string(position_ + 1) + " to " +
                      std::to_string(event_of(found.front()) - 1) + " are not in " + subjects_.events_stream +
                      " any more");
}

std::optional<EventSeen> EventReader::next(milliseconds most) {
    const auto end = steady_clock::now() + most;
    auto found = held_.end();
    while ((found = held_.find(position_ + 1)) == held_.end()) {
        const auto left = std::chrono::duration_cast<milliseconds>(end - steady_clock::now());
        if (left.count() <= 0 || link_ == nullptr) return std::nullopt;
        if (steady_clock::now() >= next_ask_) {
            ask();
            read_on();
            continue;
        }
        const auto message = stored_->next(std::min(left, milliseconds(200)));
        if (!message || message->status != 0 || message->reply.empty()) continue;
        if (event_of(*message) <= done_) {
            link_->publish(message->reply, "+ACK");
            continue;
        }
        replies_[event_of(*message)] = message->reply;
        offer(*message);
        if (!held_.empty() && held_.begin()->first > position_ + 1) read_on();
    }
    const json body = json::parse(found->second, nullptr, false);
    if (body.is_discarded() || body.value("v", 0) != kVersion ||
        body.value("n", std::uint64_t{0}) != found->first)
        throw ReaderError("event " + std::to_string(found->first) + " is not understood");
    ++position_;
    held_.erase(found);
    return EventSeen{.n = body.at("n"),
                     .record = body.at("record"),
                     .kind = body.at("kind"),
                     .type = body.at("type"),
                     .time_ns = body.at("time_ns"),
                     .data = body.at("data")};
}

void EventReader::ack(std::uint64_t n) {
    done_ = std::max(done_, n);
    const auto reply = replies_.find(n);
    if (reply == replies_.end()) return;
    if (link_ != nullptr) link_->publish(reply->second, "+ACK");
    replies_.erase(reply);
}

}  // namespace fixaccel::bus
