// SPDX-License-Identifier: Apache-2.0
#include "sim_fills.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <system_error>
#include <utility>

#include "fixaccel/fire.hpp"
#include "fixaccel/loads.hpp"
#include "fixaccel/table_links.hpp"

namespace fixaccel::board {
namespace {

constexpr unsigned kOrderQty = 38;

std::filesystem::path scratch_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "fixaccel-rtlsim-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        throw std::system_error(errno, std::generic_category(), "no folder for a journal: " + name);
    return name;
}

}  // namespace

SimFills::SimFills(Board& board, const Bundle& bundle, std::uint32_t generation, const std::string& epoch,
                   std::vector<SimExecution> executions)
    : board_(board),
      fabric_(board),
      folder_(scratch_folder()),
      journal_(std::make_unique<Journal>(folder_)),
      ledger_(std::make_unique<Ledger>(*journal_)),
      load_(describe_load(bundle, generation, epoch)),
      told_(bundle),
      resting_table_(bundle),
      executions_(std::move(executions)) {
    for (Links& links : by_fills_in_fabric(table_links(SoftwareTable::parse(bundle.standby)), bundle))
        load_.links.push_back(std::move(links));
    ledger_->record_load(load_);
    tell();
}

SimFills::~SimFills() {
    ledger_.reset();
    journal_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

void SimFills::fired(std::uint32_t entry) {
    const fixaccel::Fire fire = fabric_.read_fire(entry);
    ledger_->record({fire});
    if (fire.sent()) {
        resting_.sent(fire.payload);
        orders_[fire.rule].push_back({.cl_ord_id = fire.cl_ord_id(),
                                      .qty = std::stoll(std::string(fix_field(fire.payload, kOrderQty)))});
    }
    tell();
}

// A report is no message of the market, and what is played so that the fabric arms by it is none either.
void SimFills::come_to(std::uint64_t frames) {
    if (held_ && frames >= held_until_) hold(false);
    for (; executed_ < executions_.size() && executions_[executed_].after <= frames; ++executed_) {
        const SimExecution& execution = executions_[executed_];
        if (execution.until > frames) {
            held_until_ = std::max(held_until_, execution.until);
            hold(true);
        }
        execute(execution);
    }
}

// A fill that is taken back may be of an order that is done.
SimFills::Order* SimFills::of(const SimExecution& execution) {
    std::vector<Order>& orders = orders_[execution.rule];
    const auto open = std::ranges::find_if(orders, [](const Order& order) { return !order.done; });
    if (open != orders.end()) return &*open;
    return execution.qty < 0 && !orders.empty() ? &orders.back() : nullptr;
}

void SimFills::execute(const SimExecution& execution) {
    Order* const order = of(execution);
    if (order == nullptr) return;
    const std::int64_t before = order->filled;
    order->filled = std::max<std::int64_t>(before + execution.qty, 0);
    const char* const filled = order->filled == 0 ? "0" : order->filled < order->qty ? "1" : "2";
    if (execution.kind == "reject")
        report(*order, "8", "8", 0);
    else if (execution.kind == "done")
        report(*order, "4", "4", 0);
    else if (execution.qty < 0)
        report(*order, "H", order->done ? "4" : filled, before - order->filled);
    else
        report(*order, "F", filled, execution.qty);
    order->done = order->done || execution.kind != "fill" || order->filled >= order->qty;
    tell();
}

// What is not said here the ledger does not go by.
void SimFills::report(const Order& order, const std::string& type, const std::string& status,
                      std::int64_t last) {
    const std::string text =
        "35=8\x01"
        "17=E" +
        std::to_string(++reports_) +
        "\x01"
        "11=" +
        order.cl_ord_id +
        "\x01"
        "150=" +
        type +
        "\x01"
        "39=" +
        status +
        "\x01"
        "32=" +
        std::to_string(last) +
        "\x01"
        "14=" +
        std::to_string(order.filled) + "\x01";
    if (const std::string wrong = ledger_->record_execution(text); !wrong.empty()) throw BoardError(wrong);
    resting_.report(order.cl_ord_id, order_status_text(status));
    if (!resting_table_.follow(board_, resting_, 0))
        throw BoardError("the fabric does not take what rests behind a report");
}

void SimFills::hold(bool held) {
    held_ = held;
    told_.forget_times();
    tell();
}

void SimFills::tell() {
    told_.follow(
        board_,
        [&](const Watch& watch) {
            Told told = ledger_->told(load_.rules.at(watch.rule), watch);
            if (held_ && watch.role == WatchRole::after) told.due_ns.reset();
            return told;
        },
        0);
}

}  // namespace fixaccel::board
