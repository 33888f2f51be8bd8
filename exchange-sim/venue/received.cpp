// SPDX-License-Identifier: Apache-2.0
#include "venue/received.hpp"

#include <algorithm>

#include "matching/bytes.hpp"

namespace fixaccel::exchange {

void Received::renew(std::uint32_t generation) {
    if (generation == generation_) return;
    generation_ = generation;
    up_to_ = 0;
    ahead_.clear();
}

bool Received::begin(const ReceivedAs& request) {
    if (ahead_.empty() || request.generation != generation_) return true;
    const bool again = std::binary_search(ahead_.begin(), ahead_.end(), request.number);
    // Sessions hand requests on in the order of their numbers: there are no holes behind the last of these.
    if (request.number >= ahead_.back()) {
        up_to_ = ahead_.back();
        ahead_.clear();
    }
    return !again;
}

void Received::done(const ReceivedAs& request) {
    renew(request.generation);
    if (ahead_.empty())
        up_to_ = std::max(up_to_, request.number);
    else
        found(request);
}

void Received::settled(const ReceivedAs& request) {
    renew(request.generation);
    up_to_ = std::max(up_to_, request.number);
}

void Received::found(const ReceivedAs& request) {
    renew(request.generation);
    const auto at = std::lower_bound(ahead_.begin(), ahead_.end(), request.number);
    if (request.number > up_to_ && (at == ahead_.end() || *at != request.number))
        ahead_.insert(at, request.number);
}

void Received::resume(int next) {
    up_to_ = std::max(up_to_, next - 1);
    auto first = ahead_.begin();
    for (; first != ahead_.end() && *first <= up_to_ + 1; ++first) up_to_ = std::max(up_to_, *first);
    ahead_.erase(ahead_.begin(), first);
}

std::string bytes_of(const ReceivedByClient& all) {
    std::string bytes;
    for (const auto& [client, received] : all) {
        put_text(bytes, client);
        put_values(bytes, received.generation(), received.up_to(), received.ahead().size());
        for (const int number : received.ahead()) put_number(bytes, static_cast<std::uint64_t>(number));
    }
    return bytes;
}

bool read_received(std::string_view bytes, ReceivedByClient& all) {
    ByteReader in(bytes);
    while (in.good() && !in.empty()) {
        Received& received = all[std::string(in.text())];
        ReceivedAs as;
        in.values(as.generation, as.number);
        received.settled(as);
        for (std::uint64_t left = in.number(); left > 0 && in.good(); --left) {
            as.number = static_cast<int>(in.number());
            received.found(as);
        }
    }
    return in.good();
}

}  // namespace fixaccel::exchange
