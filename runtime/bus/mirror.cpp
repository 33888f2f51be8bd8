// SPDX-License-Identifier: Apache-2.0
#include "bus/mirror.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "bus/gen/bus.hpp"

namespace fixaccel::bus {
namespace {

using nlohmann::json;

constexpr std::size_t kReadAhead = 1024;
constexpr std::size_t kInFlight = 256;
constexpr auto kAnswer = std::chrono::milliseconds(5000);
constexpr auto kSettle = std::chrono::milliseconds(100);
constexpr char kSoh = '\x01';

std::uint64_t number_in(const std::string& text) {
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

// Raw FIX, in whatever field: it is the one text that has SOH in it.
bool without_fix(json& value) {
    if (value.is_string()) return value.get_ref<const std::string&>().find(kSoh) == std::string::npos;
    if (!value.is_structured()) return true;
    for (auto each = value.begin(); each != value.end();)
        without_fix(*each) ? void(++each) : void(each = value.erase(each));
    return true;
}

}  // namespace

std::string_view kind_of(std::string_view type) {
    const auto* const found =
        std::ranges::find(kEventKinds, type, [](const auto& pair) { return pair.first; });
    return found == kEventKinds.end() ? std::string_view() : found->second;
}

std::string event_json(const Record& record, std::string_view kind, std::uint64_t n, std::uint64_t number) {
    json data = record.as_json();
    without_fix(data);
    json out{{"v", kVersion}, {"n", n}, {"record", number}, {"kind", kind}, {"data", json::object()}};
    for (const char* key : {"type", "time_ns"})
        if (const auto found = data.find(key); found != data.end()) {
            out[key] = *found;
            data.erase(found);
        }
    out["data"] = std::move(data);
    return out.dump(-1, ' ', true, json::error_handler_t::replace);
}

Mirror::Mirror(std::filesystem::path journal, Subjects subjects)
    : journal_(std::move(journal)), subjects_(std::move(subjects)) {}

bool Mirror::attach(Link& link, std::string& problem) {
    if (id_.empty()) id_ = journal_id(journal_);
    if (id_.empty()) {
        problem = "the journal " + journal_.string() + " has no record yet";
        return false;
    }
    const std::string& stream = subjects_.events_stream;
    const LinkMessage answer = link.request("$JS.API.STREAM.INFO." + stream, "");
    const json info = json::parse(answer.data, nullptr, false);
    if (answer.status != 0 || info.is_discarded() || info.contains("error")) {
        problem = "the servers have no stream " + stream + ": `fixaccel bus apply` makes it";
        if (!info.is_discarded() && info.contains("error") && info["error"].value("code", 0) != 404)
            problem = stream + ": " + info["error"].value("description", "");
        return false;
    }
    const std::uint64_t last = info.at("state").at("last_seq");
    std::uint64_t record = 0;
    if (last != 0) {
        const LinkMessage event = link.request("$JS.API.DIRECT.GET." + stream, json{{"seq", last}}.dump());
        if (event.status != 0)
            throw MirrorError("the last event of " + stream + ", " + std::to_string(last) +
                              ", cannot be read, so nobody knows which record it was: make the stream anew");
        const std::string journal = event.header(kHeaderJournal);
        if (journal != id_)
            throw MirrorError(
                stream + " mirrors another journal, " + journal + ", and this one is " + id_ +
                ": keep the old stream under another name, then `fixaccel bus apply` makes a new one");
        record = number_in(event.header(kHeaderRecord));
        if (number_in(event.header(kHeaderEvent)) != last || record == 0)
            throw MirrorError(
                "event " + std::to_string(last) + " of " + stream +
                " does not say that it is that event: something else has written to the stream");
    }
    if (attempted_ != 0 && last > attempted_)
        throw MirrorError("another relay publishes events of this board: " + stream + " has " +
                          std::to_string(last) + ", and this one sent no more than " +
                          std::to_string(attempted_) + "; end one of the two");
    events_ = last;
    record_ = record;
    // What was read ahead is read again: it may be known by another number.
    pending_.clear();
    tail_.emplace(journal_, record + 1);
    unsettled_since_.reset();
    return true;
}

void Mirror::read_ahead() {
    std::uint64_t n = events_;
    for (const Pending& each : pending_) n += each.kind.empty() ? 0 : 1;
    while (pending_.size() < kReadAhead) {
        const std::uint64_t number = tail_->next();
        const std::optional<Record> record = tail_->read();
        if (!record) return;
        Pending& next = pending_.emplace_back();
        next.number = number;
        next.kind = kind_of(record->at("type").text());
        if (!next.kind.empty()) next.data = event_json(*record, next.kind, ++n, number);
    }
}

// What the daemon writes without making it durable at once waits for its next sync, which may be long in
// coming. The daemon is not to wait for a disk because of us: the sync is done here.
void Mirror::settle(std::uint64_t durable, std::chrono::steady_clock::time_point now) {
    if (pending_.empty() || pending_.back().number <= std::max(durable, settled_)) {
        unsettled_since_.reset();
        return;
    }
    if (!unsettled_since_) unsettled_since_ = now;
    if (now - *unsettled_since_ < kSettle) return;
    tail_->sync();
    ++syncs_;
    settled_ = pending_.back().number;
    unsettled_since_.reset();
}

bool Mirror::publish(Link& link, std::uint64_t durable, std::chrono::steady_clock::time_point now) {
    read_ahead();
    settle(durable, now);
    const std::uint64_t end = std::max(durable, settled_);
    bool any = false;
    while (!pending_.empty() && pending_.front().number <= end) {
        std::size_t count = 0;
        for (const Pending& each : pending_) {
            if (each.number > end || count == kInFlight) break;
            ++count;
        }
        send(link, count);
        any = true;
    }
    return any;
}

// The first `count` of those that wait; returns when the server has them all.
void Mirror::send(Link& link, std::size_t count) {
    const std::string inbox = link.inbox();
    Subscription answers = link.subscribe(inbox);
    std::uint64_t sent = events_;
    for (std::size_t i = 0; i < count; ++i) {
        const Pending& each = pending_[i];
        if (each.kind.empty()) continue;
        ++sent;
        attempted_ = std::max(attempted_, sent);
        link.publish(subjects_.events(each.kind), each.data, inbox,
                     {{kHeaderEvent, std::to_string(sent)},
                      {kHeaderJournal, id_},
                      {kHeaderRecord, std::to_string(each.number)},
                      {kHeaderExpected, std::to_string(sent - 1)}});
    }
    while (events_ < sent) {
        const auto answer = answers.next(kAnswer);
        if (!answer) throw LinkError("event " + std::to_string(events_ + 1) + " was not acknowledged");
        const json ack = json::parse(answer->data, nullptr, false);
        // In order, as they were sent. Whatever else is said, the stream itself says how far it has come.
        if (answer->status != 0 || ack.is_discarded() || ack.contains("error") ||
            ack.value("seq", std::uint64_t{0}) != events_ + 1)
            throw LinkError("event " + std::to_string(events_ + 1) + " was not stored: " +
                            (answer->status != 0 ? std::to_string(answer->status) : answer->data));
        ++events_;
    }
    record_ = pending_[count - 1].number;
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(count));
}

}  // namespace fixaccel::bus
