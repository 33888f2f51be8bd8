// SPDX-License-Identifier: Apache-2.0
// What a session must still know later: its sequence numbers, and the messages that a resend request may ask
// for. C++14, includes QuickFIX.
#pragma once

#include <quickfix/MessageStore.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "session/message.hpp"

namespace fixaccel {
namespace exchange {

// In files, so that the memory that it takes does not grow over a day: messages one behind the other, and an
// index with the place of each by its MsgSeqNum. In a folder they outlive the program, also where it is
// killed: what the kernel was told is there. Where requests are confirmed, the client's number in the file is
// that of the first one which is not. Without one the messages are in unnamed files below TMPDIR, the
// numbers in memory. Only messages that may be resent are kept: no session messages, no market data.
class SessionStore : public FIX::MessageStore {
  public:
    // Throws SessionHostError: the folder cannot be written, or another program has it.
    SessionStore(const std::string& folder, const std::string& session, bool confirmed = false);
    ~SessionStore() override;
    SessionStore(const SessionStore&) = delete;
    SessionStore& operator=(const SessionStore&) = delete;

    // The first message kept of those from `from` to `to`: its MsgSeqNum, 0 if there is none. A damaged one
    // counts as not kept.
    int find(int from, int to, std::string& bytes) const;
    // The engine would read all messages of a resend request into memory. It is told that there are none, and
    // `asked` what it wanted.
    void on_request(std::function<void(int begin, int end)> asked) { asked_ = std::move(asked); }
    // The engine asks whether its day is over by comparing the time of a call with that of the session's
    // creation: the two are always the same here, so that numbers go on over midnight.
    void call_begins(const FIX::UtcTimeStamp& now);

    // Of the client's numbers, which begin anew with each.
    std::uint32_t generation() const { return numbers_->generation; }
    // The request with that number has gone to whoever confirms it, in the order of their numbers.
    void handed_on(int number) {
        if (confirmed_) handed_on_ = number;
    }
    // That one and those before it are confirmed.
    void taken(const ReceivedAs& request);
    // The client's next, as the file has it while nothing has come.
    ReceivedAs expected() const {
        ReceivedAs next;
        next.generation = numbers_->generation;
        next.number = target_;
        return next;
    }
    // Up to that one all were, by the program before.
    void resume(const ReceivedAs& last);

    bool set(int number, const std::string& bytes) throw(FIX::IOException) override;
    void get(int begin, int end, std::vector<std::string>& messages) const throw(FIX::IOException) override;
    // These two are read by other threads too.
    int getNextSenderMsgSeqNum() const throw(FIX::IOException) override { return numbers_->sender; }
    int getNextTargetMsgSeqNum() const throw(FIX::IOException) override { return target_; }
    void setNextSenderMsgSeqNum(int number) throw(FIX::IOException) override { numbers_->sender = number; }
    void setNextTargetMsgSeqNum(int number) throw(FIX::IOException) override { expect(number); }
    void incrNextSenderMsgSeqNum() throw(FIX::IOException) override { ++numbers_->sender; }
    void incrNextTargetMsgSeqNum() throw(FIX::IOException) override { expect(target_ + 1); }
    FIX::UtcTimeStamp getCreationTime() const throw(FIX::IOException) override;
    void reset() throw(FIX::IOException) override;
    void refresh() throw(FIX::IOException) override {}

  private:
    // The file of numbers, mapped.
    struct Numbers {
        std::uint32_t version;
        std::atomic<int> sender;
        std::atomic<int> target;
        std::atomic<std::uint32_t> generation;
    };
    // One of the index; all 0: that number is not kept.
    struct Place {
        std::uint64_t offset;
        std::uint32_t size;
        std::uint32_t number;
    };

    void expect(int number);
    bool waits() const { return taken_ < handed_on_; }
    void open_numbers(const std::string& path);
    void open_messages();
    void close_all();
    const Place* places(int number) const;
    bool read(const Place& place, int number, std::string& bytes) const;

    const std::string folder_;
    const std::string session_;
    const bool confirmed_;
    std::atomic<int> target_{1};  // the client's next
    int handed_on_ = 0;           // its last request that is to be confirmed
    int taken_ = 0;               // the last one that was
    Numbers own_numbers_{};
    Numbers* numbers_ = &own_numbers_;
    int numbers_file_ = -1;
    int messages_ = -1;
    int index_ = -1;
    std::uint64_t end_ = 0;  // of the messages
    std::function<void(int, int)> asked_;
    // Some of the index, as it was read last.
    mutable std::vector<Place> read_;
    mutable int read_first_ = 0;
    mutable bool call_begins_ = false;
    FIX::UtcTimeStamp call_time_;
};

}  // namespace exchange
}  // namespace fixaccel
