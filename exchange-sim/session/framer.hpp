// SPDX-License-Identifier: Apache-2.0
// FIX messages out of a stream of bytes, with a bound on what is held. Read as C++14 and as C++20.
#pragma once

#include <cstddef>
#include <string>

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

// A message is what BodyLength(9) and the CheckSum(10) behind it enclose; whether both are right is the
// engine's to judge. Bytes that can be no message are skipped, as FIX has it for garbled ones. A length that
// lies makes one of two messages, which the engine then refuses.
class Framer {
  public:
    explicit Framer(std::size_t longest) : longest_(longest) {}

    void append(const char* bytes, std::size_t size);
    // The next whole message; false: there is none yet.
    bool next(std::string& message);
    // What no message has been made of yet.
    std::size_t held() const { return buffer_.size() - begin_; }
    // What is held does, as far as it has come.
    bool begins_with(const std::string& text) const;
    // All that is held, taken out.
    std::string take_rest();
    // Bytes skipped so far.
    std::size_t skipped() const { return skipped_; }
    void clear();

  private:
    enum class Look { kMessage, kMore, kGarbled };
    Look look(std::size_t& size) const;
    void skip(std::size_t count);
    void skip_to_begin_string();

    const std::size_t longest_;
    std::string buffer_;
    std::size_t begin_ = 0;  // of what is held
    std::size_t skipped_ = 0;
};

}  // namespace exchange
}  // namespace fixaccel
