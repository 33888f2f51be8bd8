// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/sequencer.hpp"

#include <algorithm>
#include <optional>

namespace fixaccel {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

Fire Sequencer::await_left(std::uint32_t entry) {
    Fire fire = fabric_.read_fire(entry);
    if (!fire.sent() || fire.left) return fire;
    wait_until(
        [&] {
            fire = fabric_.read_fire(entry);
            return fire.left;
        },
        times_.leave);
    return fire;
}

void Sequencer::commit(const Fire& fire) {
    // What never was on the wire must not be committed: the kernel would send it itself later.
    if (!fire.left)
        throw CommitError("the order of ring record " + std::to_string(fire.entry) + " did not leave");
    if (const std::uint32_t next = stream_->snd_nxt(); next != fire.tcp_seq)
        throw CommitError("the fabric sent at TCP sequence number " + std::to_string(fire.tcp_seq) +
                          ", the kernel is at " + std::to_string(next));
    stream_->commit(fire.payload);
    fabric_.set_committed(fire.tcp_seq + static_cast<std::uint32_t>(fire.payload.size()));
}

std::uint32_t Sequencer::taken() {
    if (!tail_) tail_ = fabric_.ring_tail();
    return *tail_;
}

std::size_t Sequencer::drain() {
    taken();
    const std::uint32_t head = fabric_.ring_head();
    if (head == *tail_) return 0;
    std::vector<Fire> fires;
    std::optional<CommitError> parted;
    for (std::uint32_t entry = *tail_ + 1; entry != head + 1; ++entry) {
        Fire& fire = fires.emplace_back(await_left(entry));
        if (!fire.sent() || stream_ == nullptr || parted) continue;
        try {
            commit(fire);
            fire.committed = true;
        } catch (const CommitError& error) {
            // The fires behind it are recorded all the same: a resend request can then cover them.
            parted = error;
        }
    }
    sink_.record(fires);
    fabric_.set_ring_tail(head);
    tail_ = head;
    parted_ = parted_ || parted;
    if (parted) throw CommitError(*parted);
    return fires.size();
}

bool Sequencer::take() {
    if (!firing_ || held()) return true;
    fabric_.request_lease();
    // Fires come before the lease, and a full ring holds them: it is emptied meanwhile.
    const bool granted = wait_until(
        [this] {
            if (fabric_.status().lease_held()) return true;
            drain();
            return false;
        },
        times_.grant);
    if (!granted) return false;
    taken_at_ = steady_clock::now();
    drain();
    return true;
}

std::optional<std::uint32_t> Sequencer::agree(nanoseconds limit) {
    const auto end = steady_clock::now() + limit;
    if (stream_ == nullptr || !wait_until([this] { return stream_->unsent() == 0; }, limit))
        return std::nullopt;
    const std::uint32_t kernel = stream_->snd_nxt();
    const nanoseconds rest = std::max<nanoseconds>(end - steady_clock::now(), nanoseconds(0));
    if (!wait_until([&] { return fabric_.snd_nxt() == kernel; }, rest)) return std::nullopt;
    return kernel;
}

bool Sequencer::worn() const { return held() && steady_clock::now() - *taken_at_ >= times_.held / 2; }

bool Sequencer::give(std::uint32_t next_seq_num) {
    if (!held()) return true;
    const nanoseconds rest = times_.held - (steady_clock::now() - *taken_at_);
    const auto agreed = agree(rest);
    if (!agreed || !fabric_.release_lease(next_seq_num, *agreed)) return false;
    taken_at_.reset();
    return true;
}

void Sequencer::abandon() {
    firing_ = false;
    taken_at_.reset();
}

}  // namespace fixaccel
