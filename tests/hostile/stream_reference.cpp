// SPDX-License-Identifier: Apache-2.0
#include "stream_reference.hpp"

#include <utility>

#include "fix_text.hpp"

namespace fixaccel::hostile {
namespace {

// Segments between a boundary's way over the wire and the runtime's word on it, many times over.
constexpr std::size_t kRemembered = 512;

}  // namespace

Fate StreamReference::frame(const RawFrame& frame, std::uint64_t first, std::uint64_t last,
                            const std::function<void(Arrival)>& taken) {
    if (frame.phy_error) return Fate::ignored;
    const auto segment = delivered(frame.bytes, remote_, local_);
    if (!segment) return Fate::ignored;
    const Fate fate = kernel_.take(*segment);
    const bool kept = fate == Fate::in_order || fate == Fate::overlap || fate == Fate::ahead;
    if (kept && !segment->payload.empty()) passed_.push_back({*segment, first, last});
    if (passed_.size() > kRemembered) passed_.pop_front();
    constexpr unsigned kPlainIp = 0x45;  // without options
    switch (fate) {
        case Fate::in_order:
        case Fate::overlap:
        case Fate::finished:
            // "Only in-order segments count": whether the new end of an old segment does is the fabric's
            // choice, and so is whether it reads behind IP options.
            if (fate == Fate::overlap || frame.bytes[14] != kPlainIp) doubt();
            if (state_ != State::lost && !segment->payload.empty()) feed(*segment, first, last, taken);
            break;
        case Fate::ahead:
            if (!segment->payload.empty()) state_ = State::lost;  // a FIN alone leaves no hole
            break;
        case Fate::ignored:
        case Fate::ack_only:
        case Fate::reset:
            break;
    }
    return fate;
}

std::vector<Arrival> StreamReference::spoiled(const RawFrame& frame, std::uint64_t first,
                                              std::uint64_t last) const {
    std::vector<Arrival> out;
    const auto segment = claimed(frame.bytes, remote_, local_);
    if (state_ == State::lost || !segment || segment->payload.empty()) return out;
    StreamReference trial(*this);
    trial.feed(*segment, first, last, [&](Arrival arrival) { out.push_back(std::move(arrival)); });
    return out;
}

void StreamReference::feed(const Segment& segment, std::uint64_t first, std::uint64_t last,
                           const std::function<void(Arrival)>& taken) {
    const std::int32_t skip = ahead(segment.seq, read_to_);
    if (skip < 0 || static_cast<std::size_t>(skip) > segment.payload.size()) {
        state_ = State::lost;
        return;
    }
    for (std::size_t i = static_cast<std::size_t>(skip); i < segment.payload.size(); ++i) {
        if (pending_.empty()) begun_ = first + segment.payload_at + i;
        pending_ += segment.payload[i];
        ++read_to_;
        // Framing changes at the end of a field only.
        if (segment.payload[i] != kSoh && pending_.size() > 2) continue;
        const Framed framed = frame_message(pending_);
        if (framed.what == Framed::What::more) continue;
        if (framed.what == Framed::What::broken) {
            state_ = State::lost;
            return;
        }
        Arrival arrival{.text = std::exchange(pending_, {}),
                        .begin = begun_,
                        .end = first + segment.payload_at + i,
                        .frame_first = first,
                        .frame_last = last,
                        .certain = state_ == State::following};
        if (framed.sum_right) taken(std::move(arrival));
        if (state_ == State::lost) return;
    }
}

void StreamReference::resume(std::uint32_t seq, State state, const std::function<void(Arrival)>& taken) {
    read_to_ = seq;
    pending_.clear();
    state_ = state;
    for (const Passed& passed : passed_) {
        const bool next =
            ahead(passed.segment.seq, read_to_) >= 0 && ahead(read_to_, passed.segment.end()) > 0;
        if (next && state_ != State::lost) feed(passed.segment, passed.first, passed.last, taken);
    }
}

void StreamReference::settle(bool in_step) {
    if (state_ == State::doubtful) state_ = in_step ? State::following : State::lost;
}

}  // namespace fixaccel::hostile
