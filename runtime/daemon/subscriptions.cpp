// SPDX-License-Identifier: Apache-2.0
#include "subscriptions.hpp"

#include <algorithm>
#include <utility>

namespace fixaccel {
namespace {

bool contains(const std::vector<std::string>& symbols, const std::string& symbol) {
    return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
}

}  // namespace

Subscriptions::Change Subscriptions::change_to(const std::vector<std::string>& symbols, bool full_book,
                                               bool increments) {
    const auto wanted = [&](const std::string& symbol) { return contains(symbols, symbol); };
    return change(symbols, full_book, increments, [&](const MarketDataRequest& old) {
        return old.full_book == full_book && old.increments == increments &&
               std::all_of(old.symbols.begin(), old.symbols.end(), wanted);
    });
}

Subscriptions::Change Subscriptions::grow_to(const std::vector<std::string>& symbols, bool full_book,
                                             bool increments) {
    const auto wanted = [&](const std::string& symbol) { return contains(symbols, symbol); };
    return change(symbols, full_book, increments, [&](const MarketDataRequest& old) {
        return std::any_of(old.symbols.begin(), old.symbols.end(), wanted);
    });
}

Subscriptions::Change Subscriptions::change(const std::vector<std::string>& symbols, bool full_book,
                                            bool increments, const Goes& goes_on) {
    Change change;
    std::erase_if(all_, [&](const MarketDataRequest& old) {
        if (!goes_on(old)) {
            change.ended.push_back(old);
            return true;
        }
        change.kept.insert(change.kept.end(), old.symbols.begin(), old.symbols.end());
        return false;
    });
    begin(symbols, full_book, increments, change);
    return change;
}

void Subscriptions::begin(const std::vector<std::string>& symbols, bool full_book, bool increments,
                          Change& change) {
    std::vector<std::string> missing;
    for (const std::string& symbol : symbols)
        if (!contains(change.kept, symbol)) missing.push_back(symbol);
    if (missing.empty()) return;
    change.begun = all_.emplace_back(request(missing, full_book, increments));
}

MarketDataRequest Subscriptions::request(const std::vector<std::string>& symbols, bool full_book,
                                         bool increments) {
    return {"fixaccel-" + epoch_() + "-" + std::to_string(++requests_), symbols, full_book, increments, true};
}

MarketDataRequest Subscriptions::snapshot(const std::vector<std::string>& symbols) {
    const MarketDataRequest& like = all_.front();
    MarketDataRequest once = request(symbols, like.full_book, like.increments);
    once.updates = false;
    snapshot_ = once.id;
    snapshot_refused_ = false;
    return once;
}

Subscriptions::Change Subscriptions::begin_anew() {
    snapshot_refused_ = false;
    Change change;
    change.ended = std::exchange(all_, {});
    std::vector<std::string> symbols;
    for (const MarketDataRequest& old : change.ended)
        symbols.insert(symbols.end(), old.symbols.begin(), old.symbols.end());
    if (!change.ended.empty())
        begin(symbols, change.ended.front().full_book, change.ended.front().increments, change);
    return change;
}

void Subscriptions::clear() {
    all_.clear();
    snapshot_refused_ = false;
}

bool Subscriptions::refused(const std::string& id) {
    if (!id.empty() && id == snapshot_) snapshot_refused_ = true;
    return std::erase_if(all_, [&](const MarketDataRequest& request) { return request.id == id; }) != 0;
}

}  // namespace fixaccel
