// SPDX-License-Identifier: Apache-2.0
// Cuts a TCP byte stream into FIX messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fixaccel {

inline constexpr char kSoh = '\x01';  // ends a field

class FixFramer {
  public:
    void feed(std::string_view bytes) { buffer_.append(bytes); }
    // What is read next goes behind these.
    std::string& bytes() { return buffer_; }
    // The next whole message, in `message`; false if more bytes are needed. Bytes that start no message are
    // skipped and counted.
    bool next(std::string& message);
    // Bytes behind the last whole message: how far the stream is into the next one.
    std::size_t pending() const { return buffer_.size() - start_; }
    std::uint64_t skipped() const { return skipped_; }
    void clear();

  private:
    enum class Verdict { whole, more, broken };
    Verdict measure(std::string_view bytes, std::size_t& length) const;
    void skip(std::size_t bytes);
    void compact();

    std::string buffer_;
    std::size_t start_ = 0;
    std::uint64_t skipped_ = 0;
};

}  // namespace fixaccel
