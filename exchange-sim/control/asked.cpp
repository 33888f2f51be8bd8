// SPDX-License-Identifier: Apache-2.0
#include "control/asked.hpp"

#include <algorithm>

namespace fixaccel::exchange {

std::string listed(const std::vector<std::string>& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i != 0) out += i + 1 == words.size() ? " or " : ", ";
        out += words[i];
    }
    return out;
}

const nlohmann::json* Asked::find(const std::string& key) {
    known_.insert(key);
    const auto found = request_.find(key);
    return found == request_.end() || found->is_null() ? nullptr : &*found;
}

bool Asked::has(const std::string& key) { return find(key) != nullptr; }

std::string Asked::text(const std::string& key) {
    const nlohmann::json* const found = find(key);
    if (found == nullptr) throw RequestError("\"" + key + "\" is missing");
    if (!found->is_string()) throw RequestError("\"" + key + "\" must be a text in quotes");
    return found->get<std::string>();
}

std::string Asked::text(const std::string& key, const std::string& otherwise) {
    return has(key) ? text(key) : otherwise;
}

std::string Asked::decimal(const std::string& key) {
    const nlohmann::json* const found = find(key);
    if (found != nullptr && found->is_number_integer()) return found->dump();
    if (found != nullptr && !found->is_string())
        throw RequestError(R"(")" + key + R"(" must be a decimal in quotes, such as "410.05")");
    return text(key);
}

std::int64_t Asked::whole(const std::string& key, std::int64_t otherwise, std::int64_t least,
                          std::int64_t most) {
    const nlohmann::json* const found = find(key);
    if (found == nullptr) return otherwise;
    // One that is beyond 63 bits is a number of another kind.
    const bool fits = found->is_number_integer() && (!found->is_number_unsigned() ||
                                                     found->get<std::uint64_t>() <= std::uint64_t{INT64_MAX});
    if (!fits || found->get<std::int64_t>() < least || found->get<std::int64_t>() > most)
        throw RequestError("\"" + key + "\" must be a whole number from " + std::to_string(least) + " to " +
                           std::to_string(most));
    return found->get<std::int64_t>();
}

bool Asked::flag(const std::string& key) {
    const nlohmann::json* const found = find(key);
    if (found == nullptr) return false;
    if (!found->is_boolean()) throw RequestError("\"" + key + "\" must be true or false");
    return found->get<bool>();
}

std::vector<std::string> Asked::words(const std::string& key) {
    const nlohmann::json* const found = find(key);
    const auto is_text = [](const nlohmann::json& each) { return each.is_string(); };
    if (found == nullptr || !found->is_array() || !std::all_of(found->begin(), found->end(), is_text))
        throw RequestError("\"" + key + "\" must be a list of texts");
    return found->get<std::vector<std::string>>();
}

void Asked::end() {
    for (const auto& [key, value] : request_.items()) {
        if (known_.count(key) != 0) continue;
        known_.erase("id");
        known_.erase("do");
        throw RequestError(
            "unknown field \"" + key.substr(0, 40) + "\"",
            known_.empty() ? "the request takes none" : "it takes " + listed({known_.begin(), known_.end()}));
    }
}

}  // namespace fixaccel::exchange
