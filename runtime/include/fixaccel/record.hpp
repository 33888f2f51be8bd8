// SPDX-License-Identifier: Apache-2.0
// A record of the journal: a JSON object. Its fields are in one piece of memory, for records are made,
// written and read on the way of an order.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "fixaccel/durable_file.hpp"

namespace fixaccel {

class Record;
class RecordValue;

// Not of what they could be made of.
template <typename Part>
requires std::same_as<Part, Record> || std::same_as<Part, RecordValue>
void to_json(nlohmann::json& out, const Part& part) { out = part.as_json(); }

// A scalar, or as JSON whatever has parts. Equal values are held alike, however they came to be.
class RecordValue {
  public:
    RecordValue() = default;
    template <std::same_as<bool> Bool>
    RecordValue(Bool value) : held_(value) {}
    template <std::integral Integer>
    requires(!std::same_as<Integer, bool>) RecordValue(Integer value) {
        if constexpr (std::is_signed_v<Integer>) {
            if (value < 0) {
                held_ = std::int64_t{value};
                return;
            }
        }
        held_ = static_cast<std::uint64_t>(value);
    }
    RecordValue(double value) : held_(value) {}
    RecordValue(std::string text) : held_(std::move(text)) {}
    RecordValue(std::string_view text) : held_(std::string(text)) {}
    RecordValue(const char* text) : held_(std::string(text)) {}
    RecordValue(nlohmann::json value);
    // What JSON can be made of.
    template <typename Parts>
    requires(!std::is_convertible_v<const Parts&, std::string_view> && !std::is_arithmetic_v<Parts> &&
             !std::same_as<Parts, RecordValue> && std::is_constructible_v<nlohmann::json, const Parts&>)
        RecordValue(const Parts& parts)
        : RecordValue(nlohmann::json(parts)) {}

    bool is_integer() const {
        return std::holds_alternative<std::uint64_t>(held_) || std::holds_alternative<std::int64_t>(held_);
    }
    // Throws JournalError unless it is one.
    const std::string& text() const;
    const nlohmann::json& parts() const;
    // Numbers are converted as JSON's are. Throws JournalError.
    template <typename Type>
    Type get() const;

    // Appends it as JSON in ASCII.
    void write(std::string& out) const;

    nlohmann::json as_json() const;
    // Likewise, and nothing is left of it.
    nlohmann::json take_json();

    bool operator==(const RecordValue&) const = default;
    template <typename Text>
    requires std::is_convertible_v<const Text&, std::string_view>
    bool operator==(const Text& text) const {
        const std::string* const held = std::get_if<std::string>(&held_);
        return held != nullptr && *held == std::string_view(text);
    }

  private:
    [[noreturn]] void refuse(const char* expected) const;

    // Arrays and objects are JSON, nothing else is.
    std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, nlohmann::json>
        held_;
};

template <typename Type>
Type RecordValue::get() const {
    if constexpr (std::same_as<Type, bool>) {
        if (const bool* const held = std::get_if<bool>(&held_)) return *held;
        refuse("true or false");
    } else if constexpr (std::is_arithmetic_v<Type>) {
        if (const auto* const held = std::get_if<std::uint64_t>(&held_)) return static_cast<Type>(*held);
        if (const auto* const held = std::get_if<std::int64_t>(&held_)) return static_cast<Type>(*held);
        if (const auto* const held = std::get_if<double>(&held_)) return static_cast<Type>(*held);
        refuse("a number");
    } else if constexpr (std::same_as<Type, std::string>) {
        return text();
    } else if constexpr (std::same_as<Type, nlohmann::json>) {
        return as_json();
    } else {
        return parts().get<Type>();
    }
}

class Record {
  public:
    struct Field {
        Field(std::string_view key_in, RecordValue value_in) : key(key_in), value(std::move(value_in)) {}
        std::string key;
        RecordValue value;
        bool operator==(const Field&) const = default;
    };

    Record() = default;
    // No key twice.
    Record(std::initializer_list<Field> fields);
    // Throws JournalError unless it is an object.
    Record(nlohmann::json object);
    // Of its text as JSON; none if that is not an object.
    static std::optional<Record> parse(std::string_view text);

    bool contains(std::string_view key) const { return find(key) != nullptr; }
    // Null: there is none.
    const RecordValue* find(std::string_view key) const;
    // Throws JournalError if there is none.
    const RecordValue& at(std::string_view key) const;
    const RecordValue& operator[](std::string_view key) const { return at(key); }
    RecordValue& operator[](std::string_view key);
    template <typename Type>
    Type value(std::string_view key, const Type& otherwise) const {
        const RecordValue* const found = find(key);
        return found == nullptr ? otherwise : found->get<Type>();
    }
    std::string value(std::string_view key, const char* otherwise) const {
        return value(key, std::string(otherwise));
    }
    void erase(std::string_view key);

    bool empty() const { return fields_.empty(); }
    // Rising by key.
    const std::vector<Field>& fields() const { return fields_; }
    nlohmann::json as_json() const;
    // Appends its fields as JSON in ASCII, without the braces around them.
    void write_fields(std::string& out) const;

    bool operator==(const Record&) const = default;

  private:
    std::vector<Field>::iterator place(std::string_view key);

    std::vector<Field> fields_;
};

inline void from_json(const nlohmann::json& in, Record& record) { record = Record(in); }

// The text of a record that nobody has made, as Record::write_fields() appends it; its keys rise. What is
// written again and again takes no memory: the room of `out` is kept.
class FieldWriter {
  public:
    explicit FieldWriter(std::string& out) : out_(out) {}

    void operator()(std::string_view key, std::string_view text);
    void operator()(std::string_view key, const char* text) { (*this)(key, std::string_view(text)); }
    void operator()(std::string_view key, const std::string& text) { (*this)(key, std::string_view(text)); }
    template <std::same_as<bool> Bool>
    void operator()(std::string_view key, Bool value) {
        begin(key), out_.append(value ? "true" : "false");
    }
    template <std::integral Integer>
    requires(!std::same_as<Integer, bool>) void operator()(std::string_view key, Integer value) {
        write(key, std::int64_t{value});
    }

    // What has parts, as JSON.
    void json(std::string_view key, std::string_view text) { begin(key), out_.append(text); }

  private:
    void begin(std::string_view key);
    void write(std::string_view key, std::int64_t number);

    std::string& out_;
    bool any_ = false;
};

}  // namespace fixaccel
