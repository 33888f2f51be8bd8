// SPDX-License-Identifier: Apache-2.0
#include "books.hpp"

#include <algorithm>
#include <charconv>

#include "fixaccel/decimal.hpp"
#include "fixaccel/journal.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::size_t kMostLevels = 1000;

std::size_t number(std::string_view text) {
    std::size_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

json pair_of(const std::string& price, const std::string& size) { return json::array({price, size}); }

}  // namespace

void Books::see(const MarketText& message) {
    if (message.snapshot()) {
        if (message.symbol().empty()) return;
        // Looked at when somebody wants to know: many come between two looks.
        book_of(message.symbol()).snapshot = message.text();
        changed(message.symbol());
    } else if (message.update()) {
        for (const MarketEntry& entry : message.entries()) {
            if (entry.symbol.empty()) continue;
            Book& book = book_of(entry.symbol);
            read(book);
            apply(entry, true, book);
            changed(entry.symbol);
        }
    }
}

Books::Book& Books::book_of(std::string_view symbol) {
    const auto known = books_.find(symbol);
    return known != books_.end() ? known->second : books_[std::string(symbol)];
}

void Books::changed(std::string_view symbol) {
    if (changed_.find(symbol) == changed_.end()) changed_.emplace(symbol);
}

void Books::clear() {
    for (auto& [symbol, book] : books_) {
        book = {};
        changed_.insert(symbol);
    }
}

void Books::read(Book& book) {
    if (book.snapshot.empty()) return;
    book.bids.clear();
    book.asks.clear();
    kept_.read(book.snapshot);
    for (const MarketEntry& entry : kept_.entries()) apply(entry, false, book);
    book.snapshot.clear();  // its room is for the next one
}

void Books::apply(const MarketEntry& entry, bool update, Book& book) {
    const auto text = [](std::string_view value) { return bytes_to_text(plain_number(value)); };
    const bool deleted = update && entry.deleted();
    if (entry.type == "2") {
        if (!deleted) book.last = {text(entry.price.value_or("")), text(entry.size)};
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
    side[place - 1] = {text(entry.price.value_or("")), text(entry.size)};
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
        read(book);
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
