// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/record.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::size_t kMostFields = 28;  // of most records

bool before(const Record::Field& field, std::string_view key) { return field.key < key; }

template <typename Number>
void write_number(Number number, std::string& out) {
    std::array<char, 24> digits;
    out.append(digits.data(), std::to_chars(digits.begin(), digits.end(), number).ptr);
}

void write_json(const json& value, std::string& out) { out += value.dump(-1, ' ', true); }

// Printed as it is.
bool is_plain(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= ' ' && byte < 0x7F && c != '"' && c != '\\';
}

void write_escape(unsigned byte, std::string& out) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    out.append("\\u00").append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 0xF]);
}

void write_text(std::string_view text, std::string& out) {
    const std::size_t start = out.size();
    out += '"';
    for (auto run = text.begin(); run != text.end();) {
        const auto end = std::find_if_not(run, text.end(), is_plain);
        out.append(run, end);
        if (end == text.end()) break;
        // A byte of a FIX message: its SOH, or one that bytes_to_text() has made two of.
        const auto byte = static_cast<unsigned char>(*end);
        const bool two = (byte == 0xC2 || byte == 0xC3) && end + 1 != text.end() && (end[1] & 0xC0) == 0x80;
        if (byte != 0x01 && !two) {
            out.resize(start);
            return write_json(text, out);
        }
        write_escape(two ? (byte & 0x03U) << 6 | (static_cast<unsigned char>(end[1]) & 0x3FU) : byte, out);
        run = end + (two ? 2 : 1);
    }
    out += '"';
}

// Takes an object's text apart. What stands side by side in it goes into `fields` at once; what has parts of
// its own is built as JSON.
class FieldReader : public nlohmann::json_sax<json> {
  public:
    explicit FieldReader(std::vector<Record::Field>& fields) : fields_(fields) {}

    bool null() override { return take(json()); }
    bool boolean(bool value) override { return take(value); }
    bool number_integer(std::int64_t value) override { return take(value); }
    bool number_unsigned(std::uint64_t value) override { return take(value); }
    bool number_float(double value, const std::string& /*text*/) override { return take(value); }
    bool string(std::string& value) override { return take(std::move(value)); }
    bool binary(json::binary_t& /*value*/) override { return false; }
    bool start_object(std::size_t /*size*/) override {
        if (!std::exchange(begun_, true)) return true;
        return begin(json::object());
    }
    bool end_object() override { return end(); }
    bool start_array(std::size_t /*size*/) override { return begun_ && begin(json::array()); }
    bool end_array() override { return end(); }
    bool key(std::string& key) override {
        (open_.empty() ? key_ : keys_.back()) = std::move(key);
        return true;
    }
    bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                     const json::exception& /*error*/) override {
        return false;
    }

  private:
    // A value is whole.
    template <typename Value>
    bool take(Value&& value) {
        if (!begun_) return false;
        if (open_.empty())
            fields_.emplace_back(key_, std::forward<Value>(value));
        else
            enter(json(std::forward<Value>(value)));
        return true;
    }
    void enter(json value) {
        if (open_.back().is_array())
            open_.back().push_back(std::move(value));
        else
            open_.back()[keys_.back()] = std::move(value);
    }
    bool begin(json value) {
        open_.push_back(std::move(value));
        keys_.emplace_back();
        return true;
    }
    bool end() {
        if (open_.empty()) return true;  // of the record itself
        json value = std::move(open_.back());
        open_.pop_back();
        keys_.pop_back();
        return take(std::move(value));
    }

    std::vector<Record::Field>& fields_;
    bool begun_ = false;
    std::string key_;
    std::vector<json> open_;         // what has parts and is not whole, one in the other
    std::vector<std::string> keys_;  // in these
};

}  // namespace

RecordValue::RecordValue(json value) {
    switch (value.type()) {
        case json::value_t::null:
        case json::value_t::discarded:
            break;
        case json::value_t::boolean:
            held_ = value.get<bool>();
            break;
        case json::value_t::number_integer:
            *this = RecordValue(value.get<std::int64_t>());
            break;
        case json::value_t::number_unsigned:
            held_ = value.get<std::uint64_t>();
            break;
        case json::value_t::number_float:
            held_ = value.get<double>();
            break;
        case json::value_t::string:
            held_ = std::move(value.get_ref<std::string&>());
            break;
        case json::value_t::object:
        case json::value_t::array:
        case json::value_t::binary:
            held_ = std::move(value);
            break;
    }
}

const std::string& RecordValue::text() const {
    const std::string* const held = std::get_if<std::string>(&held_);
    if (held == nullptr) refuse("a text");
    return *held;
}

const json& RecordValue::parts() const {
    const json* const held = std::get_if<json>(&held_);
    if (held == nullptr) refuse("a list");
    return *held;
}

void RecordValue::refuse(const char* expected) const {
    std::string text;
    write(text);
    throw JournalError("a journal record is not understood: " + text + " is not " + expected);
}

void RecordValue::write(std::string& out) const {
    if (const auto* const text = std::get_if<std::string>(&held_))
        write_text(*text, out);
    else if (const auto* const natural = std::get_if<std::uint64_t>(&held_))
        write_number(*natural, out);
    else if (const auto* const negative = std::get_if<std::int64_t>(&held_))
        write_number(*negative, out);
    else
        write_json(as_json(), out);
}

json RecordValue::as_json() const {
    return std::visit(
        [](const auto& held) -> json {
            if constexpr (std::same_as<std::decay_t<decltype(held)>, std::monostate>)
                return nullptr;
            else
                return held;
        },
        held_);
}

json RecordValue::take_json() {
    auto* const held = std::get_if<json>(&held_);
    return held != nullptr ? std::exchange(*held, nullptr) : as_json();
}

Record::Record(std::initializer_list<Field> fields) {
    fields_.reserve(std::max(fields.size(), kMostFields));
    fields_.assign(fields);
    std::sort(fields_.begin(), fields_.end(), [](const Field& a, const Field& b) { return a.key < b.key; });
}

Record::Record(json object) {
    if (!object.is_object()) throw JournalError("a journal record is not understood: it is no object");
    fields_.reserve(object.size());
    for (auto& [key, value] : object.items()) fields_.emplace_back(key, std::move(value));
}

std::optional<Record> Record::parse(std::string_view text) {
    Record record;
    record.fields_.reserve(kMostFields);
    FieldReader reader(record.fields_);
    if (!json::sax_parse(text, &reader)) return std::nullopt;
    // The last one of a key counts.
    std::vector<Field>& fields = record.fields_;
    std::stable_sort(fields.begin(), fields.end(),
                     [](const Field& a, const Field& b) { return a.key < b.key; });
    const auto same = [](const Field& a, const Field& b) { return a.key == b.key; };
    fields.erase(fields.begin(), std::unique(fields.rbegin(), fields.rend(), same).base());
    return record;
}

const RecordValue* Record::find(std::string_view key) const {
    const auto found = std::lower_bound(fields_.begin(), fields_.end(), key, before);
    return found != fields_.end() && found->key == key ? &found->value : nullptr;
}

const RecordValue& Record::at(std::string_view key) const {
    const RecordValue* const found = find(key);
    if (found == nullptr)
        throw JournalError("a journal record is not understood: it has no " + std::string(key));
    return *found;
}

std::vector<Record::Field>::iterator Record::place(std::string_view key) {
    return std::lower_bound(fields_.begin(), fields_.end(), key, before);
}

RecordValue& Record::operator[](std::string_view key) {
    auto found = place(key);
    if (found == fields_.end() || found->key != key) found = fields_.emplace(found, key, RecordValue());
    return found->value;
}

void Record::erase(std::string_view key) {
    const auto found = place(key);
    if (found != fields_.end() && found->key == key) fields_.erase(found);
}

void Record::write_fields(std::string& out) const {
    for (const Field& field : fields_) {
        if (&field != fields_.data()) out += ',';
        write_text(field.key, out);
        out += ':';
        field.value.write(out);
    }
}

json Record::as_json() const {
    json out = json::object();
    for (const Field& field : fields_) out[field.key] = field.value.as_json();
    return out;
}

void FieldWriter::begin(std::string_view key) {
    if (any_) out_ += ',';
    any_ = true;
    write_text(key, out_);
    out_ += ':';
}

void FieldWriter::operator()(std::string_view key, std::string_view text) {
    begin(key);
    write_text(text, out_);
}

void FieldWriter::write(std::string_view key, std::int64_t number) {
    begin(key);
    write_number(number, out_);
}

}  // namespace fixaccel
