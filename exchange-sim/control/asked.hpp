// SPDX-License-Identifier: Apache-2.0
// The fields of a request, each asked for once; what is wrong with them is said with the way out.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fixaccel::exchange {

// A request is not done; what() says why.
class RequestError : public std::runtime_error {
  public:
    explicit RequestError(const std::string& error, std::string help = "")
        : std::runtime_error(error), help_(std::move(help)) {}
    const std::string& help() const { return help_; }

  private:
    std::string help_;
};

// `one, two or three`, for the user.
std::string listed(const std::vector<std::string>& words);

// All of them throw RequestError.
class Asked {
  public:
    // `request` outlives it, and is an object.
    explicit Asked(const nlohmann::json& request) : request_(request) {}

    bool has(const std::string& key);
    std::string text(const std::string& key);
    std::string text(const std::string& key, const std::string& otherwise);
    // A decimal is a text, or a whole number: a binary fraction would not be what was written.
    std::string decimal(const std::string& key);
    std::int64_t whole(const std::string& key, std::int64_t otherwise, std::int64_t least, std::int64_t most);
    bool flag(const std::string& key);
    std::vector<std::string> words(const std::string& key);
    // Behind the last of them: no other field is there.
    void end();

  private:
    const nlohmann::json* find(const std::string& key);

    const nlohmann::json& request_;
    std::set<std::string> known_{"id", "do"};
};

// The value whose word is `word`, of those whose words are `to_text`.
template <typename Value>
Value value_of(const std::string& key, const std::string& word, std::initializer_list<Value> values) {
    std::vector<std::string> words;
    for (const Value value : values) {
        if (to_text(value) == word) return value;
        words.emplace_back(to_text(value));
    }
    throw RequestError("\"" + key + "\" is '" + word.substr(0, 40) + "'", "it is " + listed(words));
}

}  // namespace fixaccel::exchange
