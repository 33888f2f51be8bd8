// SPDX-License-Identifier: Apache-2.0
// A bundle in a folder of its own, to be changed and read.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fixaccel/bundle.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/sha256.hpp"
#include "temp_dir.hpp"

namespace fixaccel::test {

using nlohmann::json;

// The columns of four rules: one that the fabric runs, two rows of a table on mid, a decision.
struct RuleColumns {
    std::map<std::string, std::vector<std::int64_t>> values{{"hash", {10, 0xABC, 20, 0, 30, 0, 40, 0}},
                                                            {"threshold", {118000, 235001, -50, 0}},
                                                            {"qty", {2, 10, 20, 0}},
                                                            {"price", {110000, 0, -5, 0}},
                                                            {"envelope", {0, 1, 1, -1}},
                                                            {"trigger", {0, -1, -1, -1}},
                                                            {"order", {0, -1, -1, -1}},
                                                            {"template", {0, -1, -1, -1}},
                                                            {"placement", {0, 1, 1, 9}},
                                                            {"source", {2, 3, 3, 0}},
                                                            {"direction", {0, 1, 0, 255}},
                                                            {"side", {1, 0, 0, 255}},
                                                            {"type", {1, 0, 1, 255}}};
    std::map<std::string, std::string> types{{"hash", "U64"},  {"threshold", "I64"}, {"qty", "I64"},
                                             {"price", "I64"}, {"envelope", "I32"},  {"trigger", "I32"},
                                             {"order", "I32"}, {"template", "I32"},  {"placement", "U8"},
                                             {"source", "U8"}, {"direction", "U8"},  {"side", "U8"},
                                             {"type", "U8"}};

    [[nodiscard]] std::string file() const {
        json header = {{"__metadata__", {{"note", "skipped"}}}};
        std::string data;
        for (const auto& [name, column] : values) {
            const std::string& type = types.at(name);
            const std::size_t width = type == "U8" ? 1 : type == "I32" ? 4 : 8;
            const std::size_t begin = data.size();
            for (const std::int64_t value : column)
                for (std::size_t i = 0; i < width; ++i)
                    data += static_cast<char>((static_cast<std::uint64_t>(value) >> (8 * i)) & 0xFFU);
            json shape = {column.size()};
            if (name == "hash") shape = {column.size() / 2, 2};
            header[name] = {{"dtype", type}, {"shape", shape}, {"data_offsets", {begin, data.size()}}};
        }
        return framed(header.dump(), data);
    }
    static std::string framed(const std::string& header, const std::string& data) {
        std::string length;
        for (std::size_t i = 0; i < 8; ++i) length += static_cast<char>((header.size() >> (8 * i)) & 0xFFU);
        return length + header + data;
    }
};

// The smallest whole bundle: one record in every memory, each word telling its memory, without links and
// watches.
class BundleTest : public ::testing::Test {
  protected:
    BundleTest() {
        manifest =
            json{{"fixaccel", "0.1.0"},
                 {"bundle", 3},
                 {"hwmap", std::string(hwmap::kHwmapDigest)},
                 {"strategy", "test"},
                 {"venue",
                  {{"name", "simulator"},
                   {"session",
                    {{"begin_string", "FIX.4.4"},
                     {"sender_comp_id", "CLIENT1"},
                     {"target_comp_id", "SIMULATOR"},
                     {"connect_host", "10.77.0.1"},
                     {"connect_port", 9878},
                     {"heartbeat_s", 30}}},
                   {"market_data", "snapshot"}}},
                 {"board", {{"name", "pynq-z1"}, {"capacity", {{"instruments", 8}, {"triggers", 64}}}}},
                 {"used", {{"instruments", 1}}},
                 {"hash_seed", 0x9E3779B1},
                 {"banked", false},
                 {"collar", 0x1234567'89ABCDEF},
                 {"commit", {{"mode", "message"}, {"ahead", 190}}},
                 {"limits",
                  {{"orders_per_second", 7},
                   {"total_orders", nullptr},
                   {"unlimited_orders", false},
                   {"self_trade", false}}},
                 {"windows", json::array()},
                 {"instruments", {{{"symbol", "MSFT"}, {"index", 0}, {"unit", "0.01"}}}},
                 {"rules", {{"file", kRules}, {"count", 4}}},
                 {"placement", {{"fabric", 1}, {"runtime", 3}}},
                 {"blocks", {{"file", kBlocks}}},
                 {"envelopes", {{{"tif", "day"}}, {{"tif", "ioc"}, {"account", "DESK"}}}},
                 {"inputs", json::object()},
                 {"files", json::object()},
                 {"memories", json::object()}};
        std::uint32_t mark = 0;
        for (const auto& memory : hwmap::memories) {
            if (!memory.writable) continue;
            std::string bytes;
            if (memory.name == "rearm") {  // of a watch
                add_memory(std::string(memory.name), 0, bytes);
                continue;
            }
            for (std::uint32_t i = 0; i < memory.window.stride_bytes; i += 4)
                bytes += std::string{char(mark += 2), 0, 0, 0};
            // The one template.
            if (memory.name == "order")
                std::fill_n(bytes.begin() + kTemplateIndex, sizeof(std::uint32_t), '\0');
            add_memory(std::string(memory.name), 1, bytes);
        }
        blocks = {block("stop", "threshold", 0, 1), block("grid", "threshold", 1, 2),
                  block("fair", "decide", 3, 1)};
        blocks[1]["many"] = true;
        blocks[1]["names"] = {{"1", "own"}};
        add_file(kRules, columns.file());
        save();
    }

    static json block(const char* id, const char* form, int first, int count) {
        return {{"id", id},       {"rule", id},     {"instrument", "MSFT"}, {"form", form},
                {"first", first}, {"count", count}, {"many", false}};
    }
    std::string refusal_with_columns() {
        add_file(kRules, columns.file());
        return refusal();
    }

    void add_file(const std::string& name, const std::string& bytes) {
        directory.write(name, bytes);
        manifest["files"][name] = {{"sha256", sha256_hex(bytes)}, {"bytes", bytes.size()}};
    }
    void add_memory(const std::string& name, int records, const std::string& bytes) {
        add_file("image/" + name + ".bin", bytes);
        manifest["memories"][name] = {{"file", "image/" + name + ".bin"}, {"records", records}};
    }
    void save() {
        add_file(kBlocks, blocks.dump());
        directory.write("manifest.json", manifest.dump());
    }
    Bundle read() { return read_bundle(directory.path()); }
    std::string refusal() {
        save();
        try {
            read();
        } catch (const BundleError& error) {
            return error.what();
        }
        return "accepted";
    }

    static constexpr int kTemplateIndex = 16;  // byte of an order's record
    static constexpr const char* kRules = "image/rules.safetensors";
    static constexpr const char* kBlocks = "image/blocks.json";
    TempDir directory;
    json manifest;
    json blocks;
    RuleColumns columns;
};

#define EXPECT_REFUSED(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

}  // namespace fixaccel::test
