// SPDX-License-Identifier: Apache-2.0
// Makes inputs out of others: bytes that flip, and words, numbers and lines that change places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fixaccel::fuzz {

// The same numbers from the same seed, on every machine.
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    // From 0 to `bound` - 1.
    std::size_t below(std::size_t bound) { return bound == 0 ? 0 : next() % bound; }

  private:
    std::uint64_t state_;
};

using Inputs = std::vector<std::string>;

class Mutator {
  public:
    // Words are taken from `seeds`. Nothing gets longer than `most` bytes.
    Mutator(const Inputs& seeds, std::size_t most);

    // One to a few changes of `input`; what comes in from elsewhere is of `others`.
    std::string change(std::string input, const Inputs& others, Draw& draw) const;

  private:
    void change_once(std::string& input, const Inputs& others, Draw& draw) const;
    void change_bytes(std::string& input, Draw& draw) const;
    void change_part(std::string& input, const Inputs& others, Draw& draw) const;
    void change_word(std::string& input, Draw& draw) const;
    void change_lines(std::string& input, Draw& draw) const;

    std::vector<std::string> words_;
    std::size_t most_;
};

}  // namespace fixaccel::fuzz
