// SPDX-License-Identifier: Apache-2.0
// What `fixaccel compile` wrote: read with every hash checked, and loaded into a board.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "fixaccel/board.hpp"
#include "fixaccel/bundle_keys.hpp"
#include "fixaccel/limit_values.hpp"
#include "fixaccel/schedules.hpp"
#include "fixaccel/shared_list.hpp"
#include "fixaccel/shared_text.hpp"

namespace fixaccel {

// A bundle that is damaged, of another version, or too big for the board.
class BundleError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct BundleInstrument {
    std::string symbol;
    std::optional<std::uint32_t> index;  // in the fabric's tables, if it has rules there
    std::string unit;                    // price unit, a decimal such as "0.01"
};

struct BundleOrder {
    std::string side;   // buy, sell
    std::string qty;    // decimal text, or `filled`: what its parents have filled
    std::string type;   // limit, market
    std::string price;  // decimal text, empty for market and where it follows a trail
    std::string tif;    // day, ioc, fok, gtc
    std::string account;

    bool operator==(const BundleOrder&) const = default;
};

struct BundleRule {
    std::string id;
    std::uint32_t index = 0;               // rule index, the one in ring records and ClOrdIDs
    std::string instrument;                // symbol
    std::string form;                      // threshold, decide, trail, at
    std::string source;                    // bid, ask, last, mid; empty for a time
    std::string direction;                 // <= or >=, empty for what is no threshold
    std::string threshold;                 // decimal text, likewise
    BundleOrder order;                     // empty for a decision: each of its intervals has one
    std::optional<std::uint32_t> trigger;  // index in the trigger table; none: the fabric does not run it
    std::string hash;                      // semantic hash: equal for rules of equal meaning
    std::string rule{};                    // the rule as written that it is a part of
    std::string at{};                      // when it fires, by the venue's clock; empty for what is no time

    bool operator==(const BundleRule&) const = default;
};
using BundleRules = SharedList<BundleRule>;

struct BundleSession {
    std::string begin_string;
    std::string sender_comp_id;
    std::string target_comp_id;
    std::string connect_host;
    std::uint16_t connect_port = 0;
    std::uint32_t heartbeat_s = 0;
};

// Those of the strategy's limits that the fabric keeps in registers, and one that it needs to be told of.
struct BundleLimits {
    std::optional<std::uint64_t> orders_per_second;
    std::optional<std::uint64_t> total_orders;
    // No order record has a bound, no quantity is limited, and orders may meet our own.
    bool unlimited_orders = false;
    bool self_trade = false;  // they may not

    friend bool operator==(const BundleLimits& left, const BundleLimits& right) {
        return left.orders_per_second == right.orders_per_second && left.total_orders == right.total_orders &&
               left.unlimited_orders == right.unlimited_orders;
    }
};

// When an order may begin to leave, as the venue file has it.
struct BundleCommit {
    std::string mode = "frame";  // or message
    std::uint32_t ahead = 0;     // of the register commit_ahead
};

// What the bundle came with of that which hold_limits() changes.
struct OwnLimits {
    BundleLimits limits;
    std::uint64_t collar = 0;
    LimitValues quantities;  // of the fabric's instruments
};

// One table of the fabric: consecutive words from the start of the window at byte address `base`.
struct BundleMemory {
    std::string name;
    std::uint32_t base = 0;
    std::uint32_t records = 0;
    std::vector<std::uint32_t> words;
};

// As the manifest names it.
struct BundleFile {
    std::string name;
    std::size_t bytes = 0;
    std::string sha256;
};

// Files that nobody has looked at yet, see Looks::ahead.
struct UnreadFiles {
    std::filesystem::path bundle;
    std::string manifest_sha256;
    std::vector<BundleFile> files;
};

struct Bundle {
    std::filesystem::path path;
    std::string version;   // of the compiler
    std::string hwmap;     // SHA-256 of the hwmap, 64 hex digits
    std::string strategy;  // name
    std::string venue;     // name
    std::string market_data;
    BundleSession session;
    std::optional<BundleSession> market_session;    // for market data alone, where they have one of their own
    std::string board;                              // name of the board it was compiled for
    std::uint64_t clock_hz = 0;                     // of that board's fabric; 0: its compiler did not say
    std::map<std::string, std::uint64_t> capacity;  // of that board
    std::map<std::string, std::uint64_t> used;      // capacity that the tables take
    std::uint32_t hash_seed = 0;
    bool banked = false;       // it fits one of two banks, and its directory is made for one
    std::uint64_t collar = 0;  // of the registers collar_hi and collar_lo
    BundleCommit commit;
    BundleLimits limits;
    std::vector<BundleMemory> memories;           // in the order of their addresses
    std::vector<std::vector<DayWindow>> windows;  // of time, that chains name from 1 on
    Zone zone;                                    // of these, of `self_trade` and of the venue's day
    std::optional<std::int32_t> day_roll{};       // second of the local day: what limits count begins anew
    std::vector<BundleInstrument> instruments;
    std::vector<std::uint32_t> retired;  // numbers that the fabric still knows former instruments by
    BundleRules rules;                   // by index
    SharedText software;                 // the file of the runtime's rules, empty if there is none
    SharedText standby;                  // the same of all rules, for when the fabric sees nothing
    std::string manifest_sha256;         // names the bundle as a whole
    std::vector<std::string> signed_by;  // of the desk's keys, where they were asked for
    // Settings for whoever runs it, by name: the files of `client`, as the manifest has them.
    std::map<std::string, std::string> client{};
    // What it came with, where other values of limits hold for a time.
    std::optional<OwnLimits> own_limits{};
    UnreadFiles unread{};
};

// Whose signatures a bundle needs; nobody's where `needed` is 0.
struct BundleTrust {
    std::vector<BundleKey> keys;
    std::size_t needed = 0;
};

// What of a bundle is looked at before anything is done with it. `ahead`: all that the runtime goes by, by
// its hash; of what it has in memory by that hash, and of what is for people and for synthesis,
// check_unread() looks at the file behind. `all`: every byte, as always where bundles have to be signed.
enum class Looks : std::uint8_t { all, ahead };

// Reads one bundle after another: what one has in common with the one before it is neither hashed nor made
// anew. Rules that are as they were are shared with it.
class BundleReader {
  public:
    explicit BundleReader(BundleTrust trust = {});
    BundleReader(const BundleReader&) = delete;
    BundleReader& operator=(const BundleReader&) = delete;
    ~BundleReader();

    // Reads the folder `path`. Throws BundleError if it is not signed as trusted, if a file is missing or
    // differs from its hash in the manifest, if the manifest is not understood, or if it was made for another
    // hwmap.
    Bundle read(const std::filesystem::path& path, Looks looks = Looks::all);
    // Bytes that were hashed so far, the manifest's aside.
    std::size_t hashed() const;

  private:
    struct Read;  // what was

    BundleTrust trust_;
    std::unique_ptr<Read> last_;
};

// What is wrong with these; empty: nothing, another bundle lies there by now, or it was asked to stop.
std::string check_unread(const UnreadFiles& unread, const std::stop_token& stop = {});

// The only one that is read.
Bundle read_bundle(const std::filesystem::path& path, const BundleTrust& trust = {});

// What the next one returns, with nothing changed.
bool keeps_numbers(const Bundle& former, const Bundle& bundle);
// Gives instruments of `bundle` the numbers in the fabric's tables that their symbols have in `former`, and
// the others numbers that are new: the fabric keeps what it knows of an instrument under its number. False,
// and nothing is changed: it has no such numbers left.
bool keep_numbers(const Bundle& former, Bundle& bundle);
// Likewise.
bool keeps_windows(const Bundle& former, const Bundle& bundle);
// Gives them the numbers that they have there, and the bundle all that `former` has. False, and nothing is
// changed: it has one that `former` has not.
bool keep_windows(const Bundle& former, Bundle& bundle);

// Why tables are not changed while an order leaves: its bytes come from them.
inline constexpr const char* kOrderOnTheWire =
    "an order stands on the wire to the venue, and what it is made of cannot be changed before it has left";

// Throws BundleError if the bundle does not fit the board.
void check_fits(Board& board, const Bundle& bundle);

// Makes the tables those of `bundle` and sets hash seed and collar; nothing of a former bundle can fire any
// more, and nothing is known of the market. Two banks, and the lower one this bundle, if it is `banked`.
// Every trigger is live, dormant or neither afterwards, as the image says; fire counts that it does not
// preset are not touched: what all are to be for the new rules is the caller's to decide. No order may leave
// until write_limits() has said how many. The board must be disarmed. Throws BundleError if the bundle does
// not fit the board, BoardError if the board is armed or refuses.
void load_bundle(Board& board, const Bundle& bundle);

// The writes of load_bundle onto tables that are known to be zero, or were unloaded. Same requirements.
void write_tables(Board& board, const Bundle& bundle);

// Consecutive words from a byte address on.
struct TableWrite {
    std::uint32_t address = 0;
    std::vector<std::uint32_t> words;
};

// The writes that make a bank, whatever it held, that of `bundle`, but for the state of its triggers (see
// Fabric::set_triggers): allowed while the other one is evaluated. None longer than `most_words`. Throws
// BundleError if the bundle is not for one bank of this board.
std::vector<TableWrite> bank_writes(Board& board, const Bundle& bundle, unsigned bank,
                                    std::size_t most_words);

// Zeroes what a load wrote into a bank, and the fire counts of the bundle's triggers. Throws BoardError if
// the board is armed.
void unload_bundle(Board& board, const Bundle& bundle, unsigned bank = 0);

// Zeroes every writable table of the board, fire counts included. Throws BoardError if the board is armed.
void clear_tables(Board& board);

}  // namespace fixaccel
