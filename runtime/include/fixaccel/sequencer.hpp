// SPDX-License-Identifier: Apache-2.0
// One sequencer for two senders: drains the fabric's fires into kernel and store, and holds the egress lease.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fixaccel/commit.hpp"
#include "fixaccel/fabric.hpp"
#include "fixaccel/fire.hpp"

namespace fixaccel {

// Takes fires into journal and FIX store.
class FireSink {
  public:
    FireSink() = default;
    FireSink(const FireSink&) = delete;
    FireSink& operator=(const FireSink&) = delete;
    virtual ~FireSink() = default;
    // Durable on return. After a crash the same fire may come again.
    virtual void record(const std::vector<Fire>& fires) = 0;
};

// The lease is needed only while the fabric may fire by itself: `set_firing` says so.
class Sequencer {
  public:
    struct Times {
        std::chrono::nanoseconds grant{std::chrono::milliseconds(500)};  // from request to grant
        std::chrono::nanoseconds held{std::chrono::milliseconds(750)};   // within FabricLimits::lease
        std::chrono::nanoseconds leave{std::chrono::milliseconds(500)};  // an order in the ring to have left
    };

    Sequencer(Fabric& fabric, FireSink& sink, Times times) : fabric_(fabric), sink_(sink), times_(times) {}

    void set_times(Times times) { times_ = times; }
    // The connection that fires belong to, or none (then they are recorded but not committed).
    void attach(KernelStream* stream) {
        stream_ = stream;
        parted_ = false;
    }
    // A fire of this connection could not be committed.
    bool parted() const { return parted_; }
    void set_firing(bool on) { firing_ = on; }
    bool firing() const { return firing_; }

    // Takes every fire off the ring: kernel and COMMITTED register first (the RX gate waits for that), then
    // the sink, then the ring's tail. Returns how many. Throws CommitError, after all fires were recorded,
    // when kernel and fabric have parted; BoardError.
    std::size_t drain();
    // The last ring record that was taken.
    std::uint32_t taken();

    // Takes the lease and drains; true at once if it is held or not needed. False: not granted in time.
    bool take();
    // Half of the time for which it may be held is over.
    bool worn() const;
    bool held() const { return taken_at_.has_value(); }
    // Returns the lease with the next MsgSeqNum, once everything written has left and fabric and kernel
    // agree. False: that did not come about in time; the caller must disarm. Nothing to do: true.
    bool give(std::uint32_t next_seq_num);
    // The kernel holds bytes back that were written to the connection.
    bool unsent() { return stream_ != nullptr && stream_->unsent() != 0; }
    // After a disarm: the lease has no meaning any more.
    void abandon();

    // Waits until fabric and kernel agree on the next byte to send; nothing if they do not in time.
    std::optional<std::uint32_t> agree(std::chrono::nanoseconds limit);

  private:
    void commit(const Fire& fire);
    Fire await_left(std::uint32_t entry);

    Fabric& fabric_;
    FireSink& sink_;
    Times times_;
    KernelStream* stream_ = nullptr;
    bool parted_ = false;
    std::optional<std::uint32_t> tail_;  // of the ring; nobody else moves it
    bool firing_ = false;
    std::optional<std::chrono::steady_clock::time_point> taken_at_;
};

}  // namespace fixaccel
