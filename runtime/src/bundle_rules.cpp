// SPDX-License-Identifier: Apache-2.0
#include "bundle_rules.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "fixaccel/decimal.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "safetensors.hpp"

namespace fixaccel {
namespace rule_parts {

// What all parts of one written rule at one instrument share.
struct Block {
    std::string id;
    std::string rule;
    std::string form;
    std::string instrument;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    bool many = false;
    bool follows = false;                        // a trail whose limit price is as far from its stop
    std::map<std::uint32_t, std::string> names;  // rows from 0 that have their own
    std::string at{};                            // of `at`; empty in bundles of older compilers, too

    [[nodiscard]] std::string name(std::uint32_t row) const {
        const auto own = names.find(row);
        if (own != names.end()) return own->second;
        return many ? id + '[' + std::to_string(row + 1) + ']' : id;
    }
};

struct Numbered {  // what a rule's terms are numbers in
    std::map<std::string, PriceUnit> units;
    std::map<std::string, std::uint32_t> records;
    std::vector<BundleOrder> envelopes;  // tif and account

    bool operator==(const Numbered&) const = default;
};

}  // namespace rule_parts

namespace {

using nlohmann::json;
using rule_parts::Block;
using rule_parts::Numbered;

// In the order of their codes.
constexpr std::array<std::string_view, 4> kSources{"bid", "ask", "last", "mid"};
constexpr std::array<std::string_view, 2> kDirections{"<=", ">="};
constexpr std::array<std::string_view, 2> kSides{"buy", "sell"};
constexpr std::array<std::string_view, 2> kTypes{"market", "limit"};
constexpr std::array<std::string_view, 4> kForms{"threshold", "decide", "trail", "at"};
constexpr std::uint8_t kNoCode = 255;
constexpr std::uint8_t kFabric = 0;  // every other placement is a reason to run in the runtime
constexpr std::string_view kMid = "mid";
constexpr std::string_view kThreshold = "threshold";
constexpr std::string_view kDecide = "decide";
constexpr std::string_view kAt = "at";
constexpr const char* kFilled = "filled";  // a quantity of zero
constexpr std::string_view kLimit = "limit";
constexpr std::size_t kHashWords = 2;

struct ColumnForm {
    std::string_view name;
    std::string_view dtype;
    std::size_t width;
};
constexpr std::array<ColumnForm, 13> kColumns{{{"hash", "U64", kHashWords},
                                               {"threshold", "I64", 1},
                                               {"qty", "I64", 1},
                                               {"price", "I64", 1},
                                               {"envelope", "I32", 1},
                                               {"trigger", "I32", 1},
                                               {"order", "I32", 1},
                                               {"template", "I32", 1},
                                               {"placement", "U8", 1},
                                               {"source", "U8", 1},
                                               {"direction", "U8", 1},
                                               {"side", "U8", 1},
                                               {"type", "U8", 1}}};

[[noreturn]] void refuse(const Bundle& bundle, const std::string& what) {
    throw BundleError("bundle " + bundle.path.string() + ": " + what);
}

// Decimal text of `units`; `half`: of half units. Empty if that is no price.
std::string decimal_text(std::int64_t units, PriceUnit unit, bool half) {
    constexpr std::int64_t kTenHalves = 5;
    std::int64_t value = 0;
    if (__builtin_mul_overflow(units, static_cast<std::int64_t>(unit.mantissa), &value) ||
        (half && __builtin_mul_overflow(value, kTenHalves, &value)) || value == INT64_MIN)
        return {};
    std::string text;
    write_price(text, units, unit, half);
    return text;
}

std::string hex(std::uint64_t high, std::uint64_t low) {
    std::string text;
    for (const std::uint64_t word : {high, low})
        for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[(word >> shift) & 0xFU];
    return text;
}

BundleOrder read_envelope(const json& entry) {
    BundleOrder order;
    order.tif = entry.at("tif");
    order.account = entry.value("account", "");
    return order;
}

}  // namespace

struct MadeRules::Source {
    SharedText blocks_text;
    SharedText file;
    Tensors tensors;  // in it
    std::size_t rows = 0;
    rule_parts::Numbered numbered;
    std::shared_ptr<const std::vector<rule_parts::Block>> blocks;
};

MadeRules::~MadeRules() = default;

namespace {

class Reader {
  public:
    Reader(const Bundle& bundle, const json& manifest, SharedText blocks, SharedText file)
        : bundle_(bundle), source_(std::make_unique<MadeRules::Source>()) {
        source_->blocks_text = std::move(blocks);
        source_->file = std::move(file);
        source_->tensors = parse_safetensors(source_->file.view());
        source_->rows = manifest.at("rules").at("count");
        check_columns();
        Numbered& numbered = source_->numbered;
        for (const BundleInstrument& instrument : bundle.instruments) {
            const auto unit = parse_price_unit(instrument.unit);
            if (!unit) refuse(bundle, "the price unit of " + instrument.symbol + " is no decimal number");
            numbered.units.emplace(instrument.symbol, *unit);
        }
        for (const json& entry : manifest.at("envelopes")) numbered.envelopes.push_back(read_envelope(entry));
        for (const BundleMemory& memory : bundle.memories) numbered.records[memory.name] = memory.records;
    }

    std::shared_ptr<const MadeRules> read(const json& placement, const MadeRules* former) {
        const MadeRules::Source* const before = former == nullptr ? nullptr : former->source.get();
        const bool same_blocks = before != nullptr && before->rows == source_->rows &&
                                 before->numbered == source_->numbered &&
                                 before->blocks_text == source_->blocks_text;
        source_->blocks = same_blocks ? before->blocks : read_blocks();
        auto made = std::make_shared<MadeRules>();
        std::vector<ColumnPair> columns;
        if (same_blocks && source_->rows != 0) columns = columns_of_both(*before);
        std::size_t block = 0;
        for (std::size_t first = 0; first < source_->rows; first += BundleRules::kPiece) {
            const std::size_t count = std::min(BundleRules::kPiece, source_->rows - first);
            if (same_blocks && same_rows(columns, first, count)) {
                made->rules.push_piece(former->rules.piece(first / BundleRules::kPiece));
                continue;
            }
            for (std::size_t at = first; at < first + count; ++at) {
                block = block_of(at, block);
                made->rules.push_back(rule((*source_->blocks)[block], at));
            }
        }
        check_placement(placement);
        made->source = std::move(source_);
        return made;
    }

  private:
    std::shared_ptr<const std::vector<Block>> read_blocks() const {
        auto blocks = std::make_shared<std::vector<Block>>();
        std::size_t rules = 0;
        for (const json& entry : json::parse(source_->blocks_text.view())) {
            const Block& block = blocks->emplace_back(read_block(entry, rules));
            if (source_->numbered.units.count(block.instrument) == 0)
                refuse(bundle_,
                       "rule " + block.id + " is for " + block.instrument + ", which is no instrument");
            rules += block.count;
        }
        if (rules != source_->rows) refuse(bundle_, "its blocks do not have all of its rules");
        return blocks;
    }

    // The block of a rule, which is that of the one before or the next one, or anywhere behind it.
    std::size_t block_of(std::size_t at, std::size_t from) const {
        const std::vector<Block>& blocks = *source_->blocks;
        const auto ends_behind = [&](std::size_t block) {
            return at < blocks[block].first + blocks[block].count;
        };
        if (ends_behind(from)) return from;
        if (ends_behind(from + 1)) return from + 1;
        const auto found =
            std::upper_bound(blocks.begin(), blocks.end(), at,
                             [](std::size_t number, const Block& block) { return number < block.first; });
        return static_cast<std::size_t>(found - blocks.begin()) - 1;
    }

    // One in both files.
    struct ColumnPair {
        std::string_view now, before;
        std::size_t row = 0;  // bytes
    };

    std::vector<ColumnPair> columns_of_both(const MadeRules::Source& before) const {
        std::vector<ColumnPair> columns;
        for (const ColumnForm& form : kColumns) {
            const std::string name(form.name);
            const std::string_view now = source_->tensors.at(name).bytes;
            columns.push_back({now, before.tensors.at(name).bytes, now.size() / source_->rows});
        }
        return columns;
    }

    static bool same_rows(const std::vector<ColumnPair>& columns, std::size_t first, std::size_t count) {
        return std::ranges::all_of(columns, [&](const ColumnPair& column) {
            const auto rows = [&](std::string_view bytes) {
                return bytes.substr(first * column.row, count * column.row);
            };
            return rows(column.now) == rows(column.before);
        });
    }

    void check_placement(const json& placement) const {
        const std::string_view column = source_->tensors.at("placement").bytes;
        const auto fabric =
            static_cast<std::size_t>(std::count(column.begin(), column.end(), static_cast<char>(kFabric)));
        if (placement.at("fabric") != fabric || placement.at("runtime") != source_->rows - fabric)
            refuse(bundle_, "the manifest's placement is not that of its rules");
    }

    void check_columns() const {
        for (const ColumnForm& form : kColumns) {
            const auto found = source_->tensors.find(std::string(form.name));
            std::vector<std::uint64_t> shape{source_->rows};
            if (form.width != 1) shape.push_back(form.width);
            if (found == source_->tensors.end() || found->second.dtype != form.dtype ||
                found->second.shape != shape)
                refuse(bundle_, "the rules have no column " + std::string(form.name) + " of " +
                                    std::to_string(source_->rows) + " rows");
        }
        if (source_->tensors.size() != kColumns.size())
            refuse(bundle_, "the rules have a column that is not known");
    }

    Block read_block(const json& entry, std::size_t expected) const {
        Block block{.id = entry.at("id"),
                    .rule = entry.at("rule"),
                    .form = entry.at("form"),
                    .instrument = entry.at("instrument"),
                    .first = entry.at("first"),
                    .count = entry.at("count"),
                    .many = entry.at("many"),
                    .follows = entry.contains("ticks"),
                    .names = {},
                    .at = entry.value("at", "")};
        if (block.first != expected || block.count > source_->rows - expected || block.count == 0 ||
            (!block.many && block.count != 1))
            refuse(bundle_, "rule " + block.id + " is out of order");
        if (std::find(kForms.begin(), kForms.end(), block.form) == kForms.end())
            refuse(bundle_, "rule " + block.id + " is of no known form: " + block.form);
        if (entry.contains("names"))
            for (const auto& [row, name] : entry.at("names").items()) {
                std::uint32_t number = 0;
                const auto [end, error] = std::from_chars(row.data(), row.data() + row.size(), number);
                if (error != std::errc() || end != row.data() + row.size() || number >= block.count)
                    refuse(bundle_, "rule " + block.id + " names a row that it has not: " + row);
                block.names.emplace(number, name.get<std::string>());
            }
        return block;
    }

    BundleRule rule(const Block& block, std::size_t at) {
        const PriceUnit unit = source_->numbered.units.at(block.instrument);
        index_ = static_cast<std::uint32_t>(at);
        id_ = block.name(index_ - block.first);
        BundleRule rule{.id = id_,
                        .index = index_,
                        .instrument = block.instrument,
                        .form = block.form,
                        .source = code("source", kSources),
                        .direction = {},
                        .threshold = {},
                        .order = BundleOrder{},
                        .trigger = trigger(),
                        .hash = hex(value<std::uint64_t>("hash", kHashWords * index_ + 1),
                                    value<std::uint64_t>("hash", kHashWords * index_)),
                        .rule = block.rule,
                        .at = block.at};
        if (block.form == kThreshold) {
            rule.direction = code("direction", kDirections);
            rule.threshold = price("threshold", unit, rule.source == kMid);
        } else if (value<std::uint8_t>("direction", index_) != kNoCode ||
                   (rule.trigger && block.form != kDecide)) {
            wrong("direction");
        }
        if (block.form != kDecide) rule.order = order(unit, block.follows);
        if (block.form == kAt) rule.source.clear();
        // The fabric's orders are prepared, quantity and all.
        if (rule.trigger && rule.order.qty == kFilled) wrong("qty");
        return rule;
    }

    BundleOrder order(PriceUnit unit, bool follows) const {
        const auto envelope = value<std::int32_t>("envelope", index_);
        const auto qty = value<std::int64_t>("qty", index_);
        if (envelope < 0 || static_cast<std::size_t>(envelope) >= source_->numbered.envelopes.size())
            wrong("envelope");
        if (qty < 0) wrong("qty");
        BundleOrder order = source_->numbered.envelopes[static_cast<std::size_t>(envelope)];
        order.side = code("side", kSides);
        order.type = code("type", kTypes);
        order.qty = qty == 0 ? kFilled : std::to_string(qty);
        if (order.type == kLimit && !follows) order.price = price("price", unit, false);
        return order;
    }

    // In the fabric a rule has a trigger, an order and a template that are there; in the runtime it has none.
    std::optional<std::uint32_t> trigger() const {
        const bool fabric = value<std::uint8_t>("placement", index_) == kFabric;
        for (const auto& [column, memory, stride] : {std::tuple{"trigger", "trigger", 1U},
                                                     {"order", "order", 1U},
                                                     {"template", "template_shape", 1U}}) {
            const auto number = value<std::int32_t>(column, index_);
            const bool there = number >= 0 && static_cast<std::uint64_t>(number) * stride <
                                                  source_->numbered.records.at(memory);
            if (fabric ? !there : number != -1) wrong(column);
        }
        if (!fabric) return {};
        return static_cast<std::uint32_t>(value<std::int32_t>("trigger", index_));
    }

    template <typename Value>
    [[nodiscard]] Value value(const char* column, std::size_t at) const {
        return source_->tensors.at(column).template at<Value>(at);
    }

    template <std::size_t Count>
    [[nodiscard]] std::string code(const char* column,
                                   const std::array<std::string_view, Count>& names) const {
        const auto number = value<std::uint8_t>(column, index_);
        if (number >= Count) wrong(column);
        return std::string(names[number]);
    }

    [[nodiscard]] std::string price(const char* column, PriceUnit unit, bool half) const {
        std::string text = decimal_text(value<std::int64_t>(column, index_), unit, half);
        if (text.empty()) wrong(column);
        return text;
    }

    [[noreturn]] void wrong(const std::string& column) const {
        refuse(bundle_, "the " + column + " of rule " + id_ + " is none");
    }

    const Bundle& bundle_;
    std::unique_ptr<MadeRules::Source> source_;
    std::uint32_t index_ = 0;  // the rule that is being read
    std::string id_;
};

}  // namespace

std::shared_ptr<const MadeRules> read_rules(const Bundle& bundle, const json& manifest, SharedText blocks,
                                            SharedText file, const MadeRules* former) {
    return Reader(bundle, manifest, std::move(blocks), std::move(file))
        .read(manifest.at("placement"), former);
}

}  // namespace fixaccel
