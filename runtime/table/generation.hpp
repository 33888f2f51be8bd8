// SPDX-License-Identifier: Apache-2.0
// One loaded table: its columns, arranged for the path of a message, and the state of its parts.
#pragma once

#include <array>
#include <cstdint>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fixaccel/armed_on.hpp"
#include "fixaccel/schedules.hpp"
#include "fixaccel/table.hpp"
#include "lane.hpp"
#include "moments.hpp"
#include "price.hpp"
#include "table_columns.hpp"

namespace fixaccel {

enum class Form : std::uint8_t { threshold, decide, trail, at };
enum class Through : std::uint8_t { fire, reject, wait };

constexpr std::uint8_t kMid = 3;

// A trail in motion.
struct Trailing : TrailState {
    std::uint32_t row = 0;
    bool moved = false;  // since somebody asked
};

// Fired parts of one instrument by the time at which they are armed again, the next one on top.
struct Timer {
    std::int64_t due_ns;
    std::uint32_t row;
    bool operator<(const Timer& other) const { return due_ns > other.due_ns; }
};

// What an observation must be, besides, for a rule to heed it.
struct Terms {
    std::int32_t schedule;
    std::int32_t limits;  // row of rule_limits whose collar decides too; -1: none

    auto operator<=>(const Terms&) const = default;
};

struct Generation {
    // All parts are disarmed.
    explicit Generation(const TableColumns& columns_);
    Generation(const Generation&) = delete;
    Generation& operator=(const Generation&) = delete;

    std::size_t instrument_of(std::uint32_t row) const {
        return static_cast<std::size_t>(columns.part.instrument[row]);
    }
    Form form_of(std::uint32_t row) const { return static_cast<Form>(columns.part.form[row]); }
    Lane& lane(std::size_t instrument, std::size_t source) { return lanes[instrument * kSources + source]; }
    Lane& lane_of(std::uint32_t row) { return lane(instrument_of(row), columns.part.source[row]); }
    Chain& chain_of(std::uint32_t row) { return chains[place[row]]; }
    Resets& resets_of(std::uint32_t row);

    // Brings the bounds of a lane up to date with its chains.
    void refresh(Lane& lane);
    void refresh_all();

    // Brings a lane's trails_low and trails_high up to date, of that source; and takes them back, in the
    // lanes that a trail belongs to, when it is another one than it was.
    void bound_trails(Lane& lane, std::uint8_t source) const;
    void forget_bounds(std::uint32_t trail);

    // Number of a row's terms, -1: always. That of its schedule, where no rule has a collar of its own.
    std::int32_t terms_of(std::uint32_t row) const { return terms_of_rows[row]; }

    // Adds the rows that may be armed by a part, a number over the whole strategy.
    void children_of(std::int64_t part, ArmedOn on, std::vector<std::uint32_t>& rows) const;

    TableColumns columns;
    Schedules schedules;
    std::vector<UnitDivider> dividers;
    std::vector<TickTable> ticks;
    std::vector<Lane> lanes;
    std::vector<Chain> chains;
    std::vector<std::uint32_t> chain_rows;
    std::vector<std::int64_t> chain_thresholds;
    std::vector<Trailing> trailing;
    std::vector<std::priority_queue<Timer>> timers;  // by instrument
    Moments moments;
    std::vector<Terms> terms;                     // by number
    std::vector<std::int32_t> part_terms;         // by row; empty: as the schedules
    const std::int32_t* terms_of_rows = nullptr;  // either of the two
    std::vector<std::vector<PartRange>> cancels;  // as part.cancels numbers them
    std::unordered_map<std::int32_t, std::vector<std::uint32_t>> groups;

    std::vector<PartState> states;
    std::vector<std::uint32_t> fires;
    std::vector<std::int64_t> rearmed;  // re-armings so far
    std::vector<std::uint32_t> place;  // chain of a threshold, trailing of a trail, of a decision in its lane
    std::vector<std::uint32_t> rank;   // of a threshold in its chain

  private:
    struct Family {
        std::int64_t first, end, most_end;  // parts; most_end is the largest of this and all families before
        std::size_t set;
    };

    void build_terms();
    void build_instruments();
    void build_chains();
    void build_lists();
    void add_decision(std::uint32_t row, Lane& lane);
    void build_families();
    void build_cancels();

    std::array<std::vector<Family>, 3> families_;       // by what of a parent arms
    std::vector<std::vector<std::uint32_t>> children_;  // rows by set of parents
};

}  // namespace fixaccel
