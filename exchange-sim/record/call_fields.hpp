// SPDX-License-Identifier: Apache-2.0
// Fields of one line of the record.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "matching/instrument.hpp"
#include "record/call_lines.hpp"

namespace fixaccel::exchange {

class LineFields {
  public:
    explicit LineFields(const nlohmann::ordered_json& line) : line_(line) {}

    bool has(const char* name) const { return line_.contains(name); }
    // Empty where it is not there.
    std::string text(const char* name) const {
        if (!has(name)) return "";
        if (!line_[name].is_string()) wrong(name);
        return line_[name].get<std::string>();
    }
    std::int64_t number(const char* name, std::int64_t standard = 0) const {
        if (!has(name)) return standard;
        if (!line_[name].is_number_integer()) wrong(name);
        return line_[name].get<std::int64_t>();
    }
    // One of the words that `to_text` gives for a value.
    template <typename Word>
    Word word(const char* name, int count) const {
        const std::string written = text(name);
        for (int value = 0; value < count; ++value) {
            if (to_text(static_cast<Word>(value)) == written) return static_cast<Word>(value);
        }
        wrong(name);
    }
    Price price(const char* name, const Instrument& instrument) const {
        std::string why;
        const auto value = instrument.parse_price(text(name), why);
        if (!value) throw RecordLineError(why);
        return *value;
    }
    Quantity size(const char* name) const {
        const std::int64_t value = number(name);
        if (value <= 0 || value > Engine::kLargestQuantity) wrong(name);
        return value;
    }
    // Of one of the venue's, or of all.
    InstrumentIndex instrument(const char* name, const Exchange& exchange) const {
        const std::int64_t value = number(name, kAllInstruments);
        const auto count = static_cast<std::int64_t>(exchange.engine().instrument_count());
        if (value != kAllInstruments && (value < 0 || value >= count)) wrong(name);
        return static_cast<InstrumentIndex>(value);
    }
    const nlohmann::ordered_json& list(const char* name) const {
        if (!has(name) || !line_[name].is_array()) wrong(name);
        return line_[name];
    }

  private:
    [[noreturn]] static void wrong(const char* name) {
        throw RecordLineError("'" + std::string(name) + "' is missing or wrong");
    }

    const nlohmann::ordered_json& line_;
};

}  // namespace fixaccel::exchange
