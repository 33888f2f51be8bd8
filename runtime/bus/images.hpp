// SPDX-License-Identifier: Apache-2.0
// What is known of each instrument, and the messages that tell it: market data as the daemon's own rules read
// them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "market_data.hpp"
#include "market_text.hpp"

namespace fixaccel::bus {

// One source of an instrument: bid, ask or last. Texts without padding; empty: unknown.
struct Quote {
    std::string price, size;
};

struct Image {
    std::string symbol;                           // as text
    std::array<Quote, kCarriedSources> top{};     // after the last message
    std::array<bool, kCarriedSources> carried{};  // by the last message
    bool snapshot = false;                        // it was one
    bool open = false;                            // there was a message since nothing was known
    std::int64_t ts_ns = 0;                       // of it, UTC
    std::uint64_t n = 0;                          // messages that were published
    std::uint64_t gaps = 0;                       // gaps among them
    std::int64_t said_ns = 0;                     // when it was published last
};

class Images {
  public:
    // Takes a message, and calls `changed` for each instrument that it is about.
    void see(std::string_view fix, std::int64_t ts_ns, const std::function<void(Image&)>& changed);
    // Nothing is known any more of any.
    void forget();

    std::map<std::string, Image, std::less<>>& all() { return images_; }
    std::size_t size() const { return images_.size(); }

  private:
    MarketText text_;
    std::map<std::string, Image, std::less<>> images_;
    std::map<std::string_view, MarketReader::Chosen> chosen_;  // scratch
};

enum class Telling {
    message,  // that came
    gap,      // messages are missing
    image,    // all that is known
    again     // the same once more, for whoever has just come
};

// The message about an image. `run`: of the relay.
std::string quote_json(const Image& image, std::uint64_t run, Telling telling);

}  // namespace fixaccel::bus
