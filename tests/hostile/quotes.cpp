// SPDX-License-Identifier: Apache-2.0
#include "quotes.hpp"

#include <algorithm>
#include <cstdlib>

namespace fixaccel::hostile {
namespace {

constexpr int kReach = 34;  // ticks; the thresholds lie within 30
constexpr int kFar = 45;

const std::string kTime = "20260102-03:04:05.678";

}  // namespace

Quotes::Quotes(Random& random, const MarketRules& rules, Kinds kinds)
    : random_(random), rules_(rules), kinds_(kinds), ticks_(rules.instruments().size()) {}

Fields Quotes::header(const std::string& type) {
    const BundleSession& session = rules_.bundle().session;
    return {{35, type},
            {49, session.target_comp_id},
            {56, session.sender_comp_id},
            {34, std::to_string(seq_num_++)},
            {52, kTime}};
}

std::string Quotes::price(std::size_t instrument, int offset) {
    const Instrument& i = rules_.instruments()[instrument];
    const Scaled value = i.middle + offset * i.tick;
    std::string text = decimal_text(value);
    if (kinds_.has(Kind::fix_prices) && random_.per_mille(150)) {
        const std::vector<std::string> bad{text + "x",
                                           "",
                                           "-",
                                           ".",
                                           text + "e1",
                                           "+" + text,
                                           "1.2.3",
                                           "99999999999",
                                           text + " ",
                                           decimal_text(value + i.tick / 2),
                                           decimal_text(i.high + i.tick),
                                           decimal_text(i.low - i.tick),
                                           "--1",
                                           "1-",
                                           "0x10",
                                           "NaN"};
        return random_.pick(bad);
    }
    if (kinds_.has(Kind::fix_fields) && random_.per_mille(200)) {
        if (text.find('.') == std::string::npos) text += '.';
        text += std::string(1 + random_.below(2), '0');
        const std::size_t sign = text.starts_with('-') ? 1 : 0;
        if (random_.coin()) text.insert(sign, std::string(1 + random_.below(2), '0'));
    }
    return text;
}

// Bids below offers, some levels of each, trades, and entries of types that are no source.
void Quotes::add_entries(Fields& body, std::size_t instrument, int jump) {
    int& at = ticks_[instrument];
    at = std::clamp(at + random_.between(-3, 3) + jump, -kReach, kReach);
    if (jump == 0 && random_.per_mille(20)) at = random_.between(-kReach, kReach);
    const bool fancy = kinds_.has(Kind::fix_fields);
    const unsigned levels = fancy && random_.per_mille(100) ? 1 + random_.below(40) : 1 + random_.below(2);
    Fields out;
    unsigned count = 0;
    const auto entry = [&](const std::string& type, const std::string& text) {
        ++count;
        out.push_back({269, type});
        out.push_back({270, text});
        if (random_.coin()) out.push_back({271, std::to_string(1 + random_.below(500))});
        if (fancy && random_.per_mille(100)) out.push_back({5000 + random_.below(4000), "270=1"});
        if (fancy && random_.per_mille(50)) out.push_back({58, std::string(1 + random_.below(120), 'T')});
    };
    const unsigned shape = random_.below(8);
    for (unsigned level = 0; level < levels; ++level) {
        const int depth = static_cast<int>(level);
        if ((shape & 1U) != 0 || shape == 0) entry("0", price(instrument, at - 1 - depth));
        if ((shape & 2U) != 0) entry("1", price(instrument, at + 1 + depth));
    }
    if ((shape & 4U) != 0) entry("2", price(instrument, at + random_.between(-1, 1)));
    if (fancy && random_.per_mille(200))
        entry(std::string(1, "4578AB"[random_.below(6)]), price(instrument, kFar));
    body.push_back({268, std::to_string(count)});
    body.insert(body.end(), out.begin(), out.end());
}

std::string Quotes::quote(Fields head, int jump) {
    const std::size_t instrument = random_.below(static_cast<std::uint32_t>(rules_.instruments().size()));
    std::string symbol = rules_.instruments()[instrument].symbol;
    const bool fancy = kinds_.has(Kind::fix_fields);
    if (jump == 0 && random_.per_mille(60)) {
        const std::vector<std::string> others{"OTHER", symbol + "1",
                                              symbol.substr(0, symbol.size() - 1) + "#",
                                              symbol + "LONGERTHANTWELVE", "x"};
        symbol = random_.pick(others);
    }
    if (fancy && random_.coin()) head.push_back({115, "ON=BEHALF"});
    if (kinds_.has(Kind::fix_raw) && random_.per_mille(300)) {
        // The FIX engine has no dictionary: fields behind its SOH are fields.
        const std::string data = std::string("x\x01") + "55=" + symbol + "\x01" + "268=1\x01" + "269=2\x01" +
                                 "270=" + price(instrument, random_.between(-3, 3));
        head.push_back({90, std::to_string(data.size())});
        head.push_back({91, data});
    }
    Fields body;
    add_entries(body, instrument, jump);
    const Field name{55, symbol};
    Fields all = std::move(head);
    if (fancy && random_.per_mille(300)) all.push_back({262, "request"});
    const bool late = fancy && random_.per_mille(200);
    if (!late) all.push_back(name);
    all.insert(all.end(), body.begin(), body.end());
    if (late) all.push_back(name);
    if (fancy && random_.per_mille(100)) all.push_back({9999, std::string(1 + random_.below(300), 'z')});
    return fix_message(all);
}

// An increment: entries of some instruments, fields behind MDUpdateAction(279) in any order, a symbol that is
// that of the entry before now and then left out.
std::string Quotes::update() {
    Fields all = header("X");
    if (random_.coin()) all.push_back({262, "request"});
    const unsigned count = 1 + random_.below(6);
    all.push_back({268, std::to_string(count)});
    std::size_t instrument = 0;
    for (unsigned i = 0; i < count; ++i) {
        const bool same = i != 0 && random_.coin();
        if (!same) instrument = random_.below(static_cast<std::uint32_t>(rules_.instruments().size()));
        int& at = ticks_[instrument];
        at = std::clamp(at + random_.between(-3, 3), -kReach, kReach);
        const unsigned type = random_.below(8);
        Fields entry{{269, std::string(1, "01240122"[type])},
                     {270, price(instrument, at + (type == 0   ? -1
                                                   : type == 1 ? 1
                                                               : 0))}};
        if (!same || random_.coin())
            entry.push_back({55, random_.per_mille(40) ? "OTHER" : rules_.instruments()[instrument].symbol});
        if (random_.coin()) entry.push_back({271, std::to_string(1 + random_.below(500))});
        if (random_.per_mille(200)) entry.push_back({290, std::to_string(1 + random_.below(3))});
        for (std::size_t n = entry.size(); n > 1; --n)
            std::swap(entry[n - 1], entry[random_.below(static_cast<std::uint32_t>(n))]);
        all.push_back({279, std::string(1, "0012"[random_.below(4)])});
        all.insert(all.end(), entry.begin(), entry.end());
    }
    return fix_message(all);
}

std::string Quotes::tempting() {
    const std::uint32_t number = seq_num_;
    std::vector<int> kept = ticks_;
    std::string out = quote(header("W"), random_.coin() ? 2 * kReach : -2 * kReach);
    ticks_ = std::move(kept);
    seq_num_ = number;
    return out;
}

std::string Quotes::refused() {
    Fields head = header("W");
    switch (random_.below(3)) {
        case 0:
            --seq_num_;
            head[1].value = "STRANGER";
            return quote(head, 2 * kReach);
        case 1:
            --seq_num_;
            head[2].value = "STRANGER";
            return quote(head, -2 * kReach);
        default:
            head.push_back({55, rules_.instruments()[0].symbol});
            return quote(head, 2 * kReach);
    }
}

std::string Quotes::garbage() {
    std::string message = tempting();
    switch (random_.below(4)) {
        case 0:
            return std::string(1 + random_.below(40), 'g');
        case 1:
            return message.substr(1 + random_.below(20));
        case 2: {
            const std::size_t at = message.find(
                                       "\x01"
                                       "9=") +
                                   3;
            message[at] = static_cast<char>('0' + (message[at] - '0' + 1) % 10);
            return message;
        }
        default:
            return message.substr(0, message.size() - 1 - random_.below(30));
    }
}

std::string Quotes::next() {
    if (kinds_.has(Kind::fix_refused) && random_.per_mille(30)) return refused();
    if (kinds_.has(Kind::fix_checksum) && random_.per_mille(40)) {
        // Sent well afterwards, under the same number.
        std::string message = tempting();
        const std::size_t digit = message.size() - 2 - random_.below(3);
        message[digit] = static_cast<char>('0' + (message[digit] - '0' + 1 + random_.below(9)) % 10);
        return message;
    }
    // Behind the first message: what is sent again has been sent before.
    if (kinds_.has(Kind::fix_dup) && seq_num_ > 1 && random_.per_mille(40)) {
        Fields head = header("W");
        --seq_num_;
        head[3].value = std::to_string(std::max<std::uint32_t>(1, seq_num_ - std::min(seq_num_, 5U)));
        head.insert(head.begin() + 4, {43, "Y"});
        head.push_back({122, kTime});
        return quote(head, random_.coin() ? 2 * kReach : -2 * kReach);
    }
    if (kinds_.has(Kind::fix_updates) && random_.per_mille(250)) return update();
    const std::uint32_t what = random_.below(100);
    if (what < 82) return quote(header("W"), 0);
    if (what < 90) return fix_message(header("0"));
    Fields report = header(what < 96 ? "8" : "h");
    report.push_back({55, rules_.instruments()[0].symbol});
    report.push_back({44, "1"});
    report.push_back({58, "270=1"});
    return fix_message(report);
}

std::string Quotes::snapshot(const std::string& symbol,
                             const std::vector<std::pair<char, std::string>>& entries) {
    Fields all = header("W");
    all.push_back({55, symbol});
    all.push_back({268, std::to_string(entries.size())});
    for (const auto& [type, text] : entries) {
        all.push_back({269, std::string(1, type)});
        all.push_back({270, text});
    }
    return fix_message(all);
}

}  // namespace fixaccel::hostile
