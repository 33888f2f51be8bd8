// SPDX-License-Identifier: Apache-2.0
#include "session/faults.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "session/raw_message.hpp"

namespace fixaccel {
namespace exchange {
namespace {

constexpr std::chrono::seconds kEarlyAlone(1);
const char* const kHeartbeat = "0";

bool applies(const Fault& fault, const std::string& type) {
    if (fault.types.empty()) return !is_session_type(type);
    return (" " + fault.types + " ").find(" " + type + " ") != std::string::npos;
}

Faults::Time after(Faults::Time now, std::chrono::nanoseconds time) {
    return now + std::chrono::duration_cast<Faults::Clock::duration>(time);
}

}  // namespace

void Faults::set(const Fault& fault, Time now) {
    if (fault.kind == Fault::Kind::kClear) {
        active_.clear();
        return;
    }
    const bool ends = fault.kind == Fault::Kind::kNoHeartbeats && fault.time.count() > 0;
    active_[fault.kind] = {fault, ends ? after(now, fault.time) : Time::max()};
}

const Fault* Faults::hit(Fault::Kind kind, const std::string& type) {
    const auto found = active_.find(kind);
    if (found == active_.end() || !applies(found->second.fault, type)) return nullptr;
    last_hit_ = found->second.fault;
    unsigned& count = found->second.fault.count;
    // 0 is for ever; one that was the last ends it.
    if (count == 1)
        active_.erase(found);
    else if (count > 1)
        --count;
    return &last_hit_;
}

bool Faults::postpone(Post& post, Time now, std::vector<Post>& then) {
    const std::string& type = post.message.type;
    if (hit(Fault::Kind::kHold, type) != nullptr) {
        held_.push_back(std::move(post));
        return true;
    }
    if (const Fault* delay = hit(Fault::Kind::kDelay, type)) {
        const Time due = after(now, delay->time);
        delayed_.push_back({delayed_.empty() ? due : std::max(due, delayed_.back().due), std::move(post)});
        return true;
    }
    if (!early_.empty()) {
        then.push_back(std::move(early_.front()));
        early_.clear();
        return false;
    }
    if (const Fault* early = hit(Fault::Kind::kEarly, type)) {
        early_leaves_ =
            after(now, early->time.count() > 0 ? early->time : std::chrono::nanoseconds(kEarlyAlone));
        early_.push_back(std::move(post));
        return true;
    }
    return false;
}

void Faults::due(Time now, std::vector<Post>& leaving) {
    for (; !delayed_.empty() && delayed_.front().due <= now; delayed_.pop_front())
        leaving.push_back(std::move(delayed_.front().post));
    if (!early_.empty() && early_leaves_ <= now) {
        leaving.push_back(std::move(early_.front()));
        early_.clear();
    }
}

void Faults::release(std::vector<Post>& leaving) {
    std::move(early_.begin(), early_.end(), std::back_inserter(leaving));
    std::move(held_.begin(), held_.end(), std::back_inserter(leaving));
    for (Delayed& each : delayed_) leaving.push_back(std::move(each.post));
    early_.clear();
    held_.clear();
    delayed_.clear();
}

Faults::Time Faults::next_due() const {
    Time next = Time::max();
    if (!delayed_.empty()) next = std::min(next, delayed_.front().due);
    if (!early_.empty()) next = std::min(next, early_leaves_);
    return next;
}

Faults::OnWire Faults::on_wire(std::string& bytes, Time now) {
    OnWire result;
    if (active_.empty()) return result;
    const std::string type = field_text(bytes, tag::kMsgType);
    const auto silent = active_.find(Fault::Kind::kNoHeartbeats);
    if (silent != active_.end() && silent->second.ends <= now) active_.erase(silent);
    if (type == kHeartbeat && active_.count(Fault::Kind::kNoHeartbeats) != 0) result.copies = 0;
    if (hit(Fault::Kind::kDrop, type) != nullptr) result.copies = 0;
    if (result.copies == 0) return result;
    if (hit(Fault::Kind::kDuplicate, type) != nullptr) result.copies = 2;
    if (const Fault* fault = hit(Fault::Kind::kGarble, type)) garble(bytes, fault->seed);
    result.split = hit(Fault::Kind::kSplit, type) != nullptr;
    return result;
}

// Of the body, so that it can still be told where the message ends; another digit of a value where it can be.
void Faults::garble(std::string& bytes, std::uint64_t seed) {
    const std::size_t begin = bytes.find(std::string(1, kSoh) + "35=");
    const std::size_t end = bytes.rfind(std::string(1, kSoh) + "10=");
    if (begin == std::string::npos || end == std::string::npos || begin + 1 >= end) return;
    std::uint64_t mixed = (seed + ++garbled_) * 0x9E3779B97F4A7C15ULL;
    mixed ^= mixed >> 29;
    std::size_t at = begin + 1 + mixed % (end - begin - 1);
    while (at > begin + 1 && bytes[at] == kSoh) --at;
    bytes[at] = bytes[at] == '~' ? '!' : static_cast<char>(bytes[at] + 1);
}

}  // namespace exchange
}  // namespace fixaccel
