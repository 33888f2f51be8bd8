// SPDX-License-Identifier: Apache-2.0
#include "books.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "fixaccel/fire.hpp"
#include "fixaccel/journal.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr char kSoh = '\x01';
constexpr unsigned kMsgType = 35, kSymbol = 55;
constexpr std::size_t kMostLevels = 1000;

std::size_t number(std::string_view text) {
    std::size_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

json pair_of(const std::string& price, const std::string& size) { return json::array({price, size}); }

}  // namespace

struct Books::Entry {
    std::string_view symbol{}, type{}, action{}, price{}, size{}, position{};
};

namespace {

// Calls take(entry) for each entry of the message's group.
template <typename Entry, typename Take>
void each_entry(std::string_view message, bool update, Take take) {
    Entry entry;
    bool begun = false;
    while (!message.empty()) {
        const std::size_t end = std::min(message.find(kSoh), message.size());
        const std::string_view field = message.substr(0, end);
        message.remove_prefix(std::min(end + 1, message.size()));
        const std::size_t equals = std::min(field.find('='), field.size());
        const std::string_view tag = field.substr(0, equals);
        const std::string_view value = field.substr(std::min(equals + 1, field.size()));
        if (tag == (update ? "279" : "269")) {
            if (begun) take(entry);
            // What an entry leaves out of its instrument is as in the one before it.
            entry = {.symbol = entry.symbol};
            begun = true;
        }
        if (tag == "55") entry.symbol = value;
        if (tag == "269") entry.type = value;
        if (tag == "279") entry.action = value;
        if (tag == "270") entry.price = value;
        if (tag == "271") entry.size = value;
        if (tag == "290") entry.position = value;
        if (tag == "10" && begun) take(entry);
        if (tag == "10") return;
    }
    if (begun) take(entry);
}

}  // namespace

void Books::see(std::string_view message) {
    const std::string_view type = fix_field(message, kMsgType);
    if (type == "W") {
        const std::string_view symbol = fix_field(message, kSymbol);
        if (symbol.empty()) return;
        // Looked at when somebody wants to know: many come between two looks.
        books_[std::string(symbol)].snapshot = message;
        changed_.emplace(symbol);
    } else if (type == "X") {
        each_entry<Entry>(message, true, [this](const Entry& entry) {
            if (entry.symbol.empty()) return;
            Book& book = books_[std::string(entry.symbol)];
            if (!book.snapshot.empty()) read(std::exchange(book.snapshot, {}), book);
            apply(entry, true, book);
            changed_.emplace(entry.symbol);
        });
    }
}

void Books::clear() {
    for (auto& [symbol, book] : books_) {
        book = {};
        changed_.insert(symbol);
    }
}

void Books::read(std::string_view message, Book& book) {
    const Level last = book.last;
    book = {};
    book.last = last;
    each_entry<Entry>(message, false, [&](const Entry& entry) { apply(entry, false, book); });
}

void Books::apply(const Entry& entry, bool update, Book& book) {
    const auto text = [](std::string_view value) { return bytes_to_text(plain_number(value)); };
    const bool deleted = update && entry.action == "2";
    if (entry.type == "2") {
        if (!deleted) book.last = {text(entry.price), text(entry.size)};
        return;
    }
    if (entry.type != "0" && entry.type != "1") return;
    std::vector<Level>& side = entry.type == "0" ? book.bids : book.asks;
    // Without positions they come in order, and an update is of the best.
    std::size_t place = number(entry.position);
    if (place == 0) place = update ? 1 : side.size() + 1;
    if (place > std::min(side.size() + 1, kMostLevels)) return;
    if (deleted) {
        if (place <= side.size()) side.erase(side.begin() + static_cast<std::ptrdiff_t>(place - 1));
        return;
    }
    if (place > side.size()) side.emplace_back();
    side[place - 1] = {text(entry.price), text(entry.size)};
}

json Books::take(bool all) {
    json found = json::array();
    const auto levels = [](const std::vector<Level>& side) {
        json list = json::array();
        for (const Level& level : side) list.push_back(pair_of(level.price, level.size));
        return list;
    };
    for (auto& [symbol, book] : books_) {
        if (!all && changed_.count(symbol) == 0) continue;
        if (!book.snapshot.empty()) read(std::exchange(book.snapshot, {}), book);
        found.push_back(
            {{"instrument", bytes_to_text(symbol)},
             {"bids", levels(book.bids)},
             {"asks", levels(book.asks)},
             {"last", book.last.price.empty() ? json() : pair_of(book.last.price, book.last.size)}});
    }
    changed_.clear();
    return found;
}

}  // namespace fixaccel
