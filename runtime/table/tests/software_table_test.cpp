// SPDX-License-Identifier: Apache-2.0
// A file from anywhere is read with suspicion: refused with a reason, or harmless to run.
#include <gtest/gtest.h>

#include <random>

#include "fixaccel/as_index.hpp"
#include "table_builder.hpp"

namespace fixaccel {
namespace {

using test::Recorder;
using test::TableBuilder;
using test::trade;
using test::Values;

// A part of each form, with all that hangs on them.
TableBuilder everything() {
    return TableBuilder()
        .set("zone.start_s", {0, 1'000'000})
        .set("zone.offset_s", {0, 3600})
        .set("part.index", {0, 1, 2, 3})
        .set("part.hash", {1, 0, 2, 0, 3, 0, 4, 0})
        .set("part.form", {0, 1, 2, 0})
        .set("part.source", {2, 3, 2, 2})
        .set("part.threshold", {300, 0, 0, 100})
        .set("part.confirm", {2, 0, 0, 1})
        .set("part.through", {1, 0, 0, 2})
        .set("part.schedule", {0, -1, 0, -1})
        .set("part.group", {-1, 0, 0, -1})
        .set("part.parents", {-1, -1, -1, 0})
        .set("part.rearm", {0, 1, -1, -1})
        .set("part.decision", {-1, 0, -1, -1})
        .set("part.trail", {-1, -1, 0, -1})
        .set("part.order", {0, -1, 1, 0})
        .set("part.name_first", {0, 1, 0, 0})
        .set("part.name_count", {1, 2, 0, 0})
        .set("order.side", {1, 1, 0})
        .set("order.type", {1, 1, 0})
        .set("order.qty", {5, 6, 7})
        .set("order.price", {90, 0, 0})
        .set("schedule.first", {0})
        .set("schedule.count", {1})
        .set("window.start", {0})
        .set("window.end", {1439})
        .set("parents.first", {0})
        .set("parents.count", {1})
        .set("parent.first", {0})
        .set("parent.count", {3})
        .set("rearm.times", {1, 2})
        .set("rearm.after_ns", {-1, 1000})
        .set("rearm.source", {2, 0})
        .set("rearm.direction", {1, 0})
        .set("rearm.threshold", {310, 0})
        .set("decision.first", {0})
        .set("decision.count", {2})
        .set("interval.low", {500, 600})
        .set("interval.high", {550, 650})
        .set("interval.order", {2, 0})
        .set("trail.kind", {2})
        .set("trail.value", {50'000})
        .set("trail.relative", {1})
        .set("trail.ticks", {-3})
        .set("trail.waits", {1})
        .set("trail.source", {0})
        .set("trail.direction", {1})
        .set("trail.threshold", {200})
        .set("part.rule", {0, 0, 0, 0})
        .set("rule.name_first", {0})
        .set("rule.name_count", {3})
        .set("order.rests", {1, 0, 1})
        .set("name.text", {'a', 'b', 'c'});
}

std::vector<TableFire> run(const SoftwareTable& table) {
    TableInterpreter interpreter(table.columns());
    Recorder sink;
    std::mt19937 random(7);
    for (std::int64_t step = 0; step < 40; ++step) {
        MarketMessage message = trade(static_cast<std::int64_t>(random() % 400), step * 1'000'000);
        message.instrument = table.columns().instruments() == 0 ? kAllInstruments : 0;
        if (message.instrument == kAllInstruments) message.kind = MarketKind::gap;
        for (const std::size_t side : {0, 1}) {
            message.state[side] = PriceState::value;
            message.price[side] = static_cast<std::int64_t>(random() % 400) * 1'000'000;
        }
        interpreter.process(message, sink);
    }
    return sink.fires;
}

TEST(SoftwareTable, ReadsNamesSymbolsAndMetadata) {
    const SoftwareTable table = everything().table();
    EXPECT_EQ(table.symbol(0), "MSFT");
    EXPECT_EQ(table.name(0), "a");
    EXPECT_EQ(table.name(1), "bc");
    EXPECT_EQ(table.name(2), "");
    EXPECT_EQ(table.metadata("envelopes"), "[]");
    EXPECT_EQ(table.metadata("none"), "");
    EXPECT_FALSE(run(table).empty());
}

std::string refusal(const TableBuilder& builder) {
    try {
        builder.table();
    } catch (const TableError& error) {
        return error.what();
    }
    return "taken";
}

TEST(SoftwareTable, RefusesWhatPointsNowhere) {
    const std::vector<std::pair<std::string, Values>> wrongs = {
        {"part.index", {0, 1, 1, 3}},
        {"part.instrument", {0, 0, 0, 1}},
        {"part.form", {0, 1, 3, 0}},
        {"part.source", {2, 3, 2, 4}},
        {"part.direction", {0, 0, 0, 2}},
        {"part.confirm", {2, 0, 0, 3}},
        {"part.confirm", {0, 0, 0, 1}},
        {"part.through", {1, 0, 0, 3}},
        {"part.schedule", {1, -1, 0, -1}},
        {"part.group", {-2, 0, 0, -1}},
        {"part.parents", {-1, -1, -1, 1}},
        {"part.rearm", {2, 1, -1, -1}},
        {"part.decision", {-1, 1, -1, -1}},
        {"part.decision", {0, 0, -1, -1}},
        {"part.trail", {-1, -1, 1, -1}},
        {"part.trail", {-1, -1, -1, -1}},
        {"part.order", {0, -1, 3, 0}},
        {"part.order", {-1, -1, 1, 0}},
        {"part.name_first", {0, 2, 0, 0}},
        {"part.name_count", {1, 2, -1, 0}},
        {"order.side", {1, 2, 0}},
        {"order.type", {1, 2, 0}},
        {"order.qty", {5, 0, 7}},
        {"schedule.first", {1}},
        {"schedule.count", {0}},
        {"window.start", {1441}},
        {"parents.first", {-1}},
        {"parent.count", {0}},
        {"rearm.times", {1, -1}},
        {"rearm.after_ns", {-2, 0}},
        {"rearm.source", {4, 0}},
        {"decision.count", {3}},
        {"interval.low", {500, 550}},
        {"interval.high", {499, 650}},
        {"interval.order", {3, 0}},
        {"trail.kind", {3}},
        {"trail.value", {0}},
        {"trail.source", {4}},
        {"instrument.unit", {0}},
        {"instrument.tick_count", {0}},
        {"instrument.tick_first", {1}},
        {"tick.size", {0}},
        {"instrument.price_max", {-10'001}},
        {"limits.collar", {-2}},
        {"limits.self_trade", {2}},
        {"limits.repeat_ns", {-2}},
        {"part.rule", {0, 0, 1, 0}},
        {"rule.name_count", {0}},
        {"rule.name_first", {3}},
        {"order.rests", {1, 2, 0}},
        {"zone.offset_s", {0, 90'000}},
        {"zone.start_s", {0, 0}},
    };
    for (const auto& [name, values] : wrongs)
        EXPECT_EQ(refusal(everything().set(name, values)).find(name.substr(0, name.find('.'))), 0U)
            << name << ": " << refusal(everything().set(name, values));
}

TEST(SoftwareTable, RefusesColumnsThatDoNotFitTogether) {
    EXPECT_NE(refusal(everything().set("part.form", {0, 1})).find("its table"), std::string::npos);
    EXPECT_NE(refusal(everything().set("limits.collar", {})), "taken");
    EXPECT_NE(refusal(everything().set("zone.start_s", {}).set("zone.offset_s", {})).find("zone"),
              std::string::npos);
    EXPECT_NE(refusal(TableBuilder().set("limits.self_trade", {1})).find("zone"), std::string::npos);
    EXPECT_EQ(refusal(everything().set("part.rule", {0, 0, -1, 0})), "taken");
    EXPECT_NE(
        refusal(everything().set("part.rule", {0, 0, -1, 0}).set("limits.repeat_ns", {0})).find("part.rule"),
        std::string::npos);
}

TEST(SoftwareTable, RefusesEveryFileThatIsCutOff) {
    const std::vector<std::byte> whole = everything().file();
    for (std::size_t length = 0; length < whole.size() - 8; length += 7)
        EXPECT_THROW(
            SoftwareTable::parse({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)}),
            TableError);
}

// Under the sanitizers this is where a number that is not checked shows.
TEST(SoftwareTable, DamagedFilesAreRefusedOrHarmless) {
    const std::vector<std::byte> whole = everything().file();
    std::uint64_t header = 0;
    std::memcpy(&header, whole.data(), sizeof(header));
    const std::size_t data = sizeof(header) + as_index(header);
    std::mt19937 random(3);
    int taken = 0;
    for (int round = 0; round < 1'500; ++round) {
        std::vector<std::byte> damaged = whole;
        const int faults = 1 + static_cast<int>(random() % 3);
        for (int fault = 0; fault < faults; ++fault) {
            const std::byte values[] = {std::byte{0}, std::byte{0xFF}, std::byte{0x7F}, std::byte{0x80},
                                        static_cast<std::byte>(random())};
            // Most of the file is header; numbers are what is to be damaged most.
            const std::size_t first = random() % 4 == 0 ? 0 : data;
            damaged[first + random() % (damaged.size() - first)] = values[random() % 5];
        }
        try {
            run(SoftwareTable::parse(std::move(damaged)));
            ++taken;
        } catch (const TableError&) {
        }
    }
    EXPECT_GT(taken, 200) << "the rest of the fields was never run";
}

}  // namespace
}  // namespace fixaccel
