// SPDX-License-Identifier: Apache-2.0
// From the folder that the compiler wrote to a Bundle, trusting no byte that the manifest's hashes do not
// cover.
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "bundle_files.hpp"
#include "bundle_rules.hpp"
#include "bundle_tables.hpp"
#include "fixaccel/bundle.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/links.hpp"
#include "fixaccel/sha256.hpp"
#include "fixaccel/windows.hpp"
#include "safetensors.hpp"

namespace fixaccel {
namespace bundle_contents {

// What is read of a bundle, and kept until the next one is.
struct Contents {
    KnownFiles files;
    std::shared_ptr<const MadeRules> rules;
    std::size_t hashed = 0;  // bytes, in all
};

}  // namespace bundle_contents

namespace {

using bundle_contents::Contents;
using nlohmann::json;

constexpr int kBundleVersion = 3;
constexpr std::string_view kSignatures = "signatures.json";
constexpr std::size_t kMostSignatureBytes = std::size_t{64} << 10;
constexpr std::int64_t kSecondsOfDay = 24 * 60 * 60;
constexpr const char* kSoftwareTable = "image/software.safetensors";
constexpr const char* kStandbyTable = "image/standby.safetensors";

[[noreturn]] void refuse(const std::filesystem::path& bundle, const std::string& what) {
    refuse_bundle(bundle, what);
}

// Before anything of the manifest is believed.
std::vector<std::string> check_signatures(const std::filesystem::path& bundle, const std::string& manifest,
                                          const BundleTrust& trust) {
    if (trust.needed == 0) return {};
    std::optional<std::string> signatures;
    if (std::filesystem::exists(bundle / kSignatures))
        signatures = read_bundle_file(bundle, std::string(kSignatures), kMostSignatureBytes);
    try {
        return signers(trust.keys, trust.needed, manifest, signatures);
    } catch (const SignatureError& error) {
        refuse(bundle, error.what());
    }
}

// One that the manifest names elsewhere, too.
SharedText content_of(const std::filesystem::path& bundle, const KnownFiles& files, const std::string& name,
                      const std::string& what) {
    const auto file = files.find(name);
    if (file == files.end()) refuse(bundle, what + " has no hash in the manifest");
    return file->second.content;
}

// Whoever runs the bundle goes by these, and by nothing that lies in their place and that no hash covers.
std::map<std::string, std::string> read_client(const std::filesystem::path& bundle, const KnownFiles& files) {
    std::map<std::string, std::string> client;
    for (const char* const name :
         {"client/fixacceld.toml", "client/quickfix.cfg", "client/quickfix-market.cfg"}) {
        if (const auto file = files.find(name); file != files.end())
            client.emplace(name, file->second.content.text());
        else if (std::error_code none; std::filesystem::exists(bundle / name, none))
            refuse(bundle, std::string("the manifest does not name ") + name +
                               ", so nothing says that it is as it was made: compile the strategy again");
    }
    return client;
}

BundleMemory read_memory(const std::filesystem::path& bundle, const hwmap::Memory& memory, const json& entry,
                         const KnownFiles& files) {
    const std::string name(memory.name);
    const auto file = entry.at("file").get<std::string>();
    const SharedText bytes = content_of(bundle, files, file, "memory " + name + ": " + file);
    BundleMemory result{
        .name = name, .base = memory.window.base, .records = entry.at("records"), .words = {}};
    const std::size_t size = std::size_t{result.records} * memory.window.stride_bytes;
    if (result.records > memory.window.room || bytes.size() != size)
        refuse(bundle, "memory " + name + ": " + std::to_string(result.records) +
                           " records do not match the " + std::to_string(bytes.size()) + " bytes of " + file);
    result.words.resize(size / sizeof(std::uint32_t));
    if (size != 0) std::memcpy(result.words.data(), bytes.view().data(), size);
    return result;
}

BundleInstrument read_instrument(const json& entry) {
    BundleInstrument instrument{.symbol = entry.at("symbol"), .index = {}, .unit = entry.at("unit")};
    if (entry.contains("index")) instrument.index = entry.at("index");
    return instrument;
}

std::vector<std::vector<DayWindow>> read_windows(const json& entries) {
    std::vector<std::vector<DayWindow>> windows;
    for (const json& entry : entries) {
        auto& some = windows.emplace_back();
        for (const json& window : entry) some.push_back({.start = window.at(0), .end = window.at(1)});
    }
    return windows;
}

// The zone that the runtime's rules are timed in is that of the fabric's, and of the venue's day.
Zone read_zone(const std::filesystem::path& path, const Tensors& tensors) {
    const auto start = tensors.find("zone.start_s");
    const auto offset = tensors.find("zone.offset_s");
    if (start == tensors.end() || offset == tensors.end() || start->second.dtype != "I64" ||
        offset->second.dtype != "I32" || start->second.shape.size() != 1 ||
        start->second.shape != offset->second.shape)
        refuse(path, std::string(kSoftwareTable) + " has no time zone");
    Zone zone;
    for (std::size_t row = 0; row < start->second.shape[0]; ++row) {
        zone.start_s.push_back(start->second.at<std::int64_t>(row));
        zone.offset_s.push_back(offset->second.at<std::int32_t>(row));
    }
    return zone;
}

std::optional<std::int32_t> read_day_roll(const std::filesystem::path& path, const Tensors& tensors) {
    const auto found = tensors.find("limits.day_roll");
    if (found == tensors.end() || found->second.dtype != "I64" || found->second.shape.size() != 1 ||
        found->second.shape[0] != 1)
        refuse(path,
               std::string(kSoftwareTable) + " does not say when the day rolls; compile the strategy again");
    const auto second = found->second.at<std::int64_t>(0);
    if (second < 0) return std::nullopt;
    if (second >= kSecondsOfDay) refuse(path, "its day rolls at second " + std::to_string(second));
    return static_cast<std::int32_t>(second);
}

std::optional<std::uint64_t> read_limit(const json& entry) {
    if (entry.is_null()) return std::nullopt;
    return entry.get<std::uint64_t>();
}

BundleLimits read_limits(const std::filesystem::path& path, const json& entry) {
    BundleLimits limits{.orders_per_second = read_limit(entry.at("orders_per_second")),
                        .total_orders = read_limit(entry.at("total_orders")),
                        .unlimited_orders = entry.at("unlimited_orders").get<bool>(),
                        .self_trade = entry.at("self_trade").get<bool>()};
    if (limits.orders_per_second &&
        (*limits.orders_per_second == 0 || *limits.orders_per_second > hwmap::bucket_rate_most))
        refuse(path, "a rate of " + std::to_string(*limits.orders_per_second) + " orders a second");
    return limits;
}

BundleCommit read_commit(const std::filesystem::path& path, const json& entry) {
    BundleCommit commit{.mode = entry.at("mode"), .ahead = entry.at("ahead")};
    if (commit.mode != "frame" && commit.mode != "message") refuse(path, "it commits by " + commit.mode);
    // An order ends with the longest message: what is further ahead is whole before any verdict.
    if (commit.ahead > hwmap::message_bytes + hwmap::commit_beyond ||
        (commit.mode == "frame" && commit.ahead != 0))
        refuse(path, "an order of it may begin " + std::to_string(commit.ahead) + " bytes ahead");
    return commit;
}

BundleSession read_session(const json& entry) {
    return {.begin_string = entry.at("begin_string"),
            .sender_comp_id = entry.at("sender_comp_id"),
            .target_comp_id = entry.at("target_comp_id"),
            .connect_host = entry.at("connect_host"),
            .connect_port = entry.at("connect_port"),
            .heartbeat_s = entry.at("heartbeat_s")};
}

Bundle read_manifest(const std::filesystem::path& path, const json& manifest, Contents& kept, Looks looks) {
    if (manifest.at("bundle") != kBundleVersion)
        refuse(path, "bundle version " + manifest.at("bundle").dump() + ", this program reads version " +
                         std::to_string(kBundleVersion));
    Bundle bundle;
    bundle.path = path;
    bundle.hwmap = manifest.at("hwmap");
    // Before anything else that could look like a defect but is only another layout.
    if (bundle.hwmap != hwmap::kHwmapDigest)
        refuse(path, "hwmap mismatch: it was compiled for " + bundle.hwmap + ", this program has " +
                         std::string(hwmap::kHwmapDigest) +
                         "; compile the strategy with the matching compiler");
    bundle.version = manifest.at("fixaccel");
    bundle.strategy = manifest.at("strategy");
    const json& venue = manifest.at("venue");
    bundle.venue = venue.at("name");
    bundle.market_data = venue.at("market_data");
    // Its rules would be armed and never see a price.
    if (bundle.market_data == "feed")
        refuse(path, "its prices come by a feed, which this version of the runtime does not receive");
    bundle.session = read_session(venue.at("session"));
    if (venue.contains("market_session")) bundle.market_session = read_session(venue.at("market_session"));
    bundle.board = manifest.at("board").at("name");
    bundle.clock_hz = manifest.at("board").value("clock_hz", std::uint64_t{0});
    bundle.capacity = manifest.at("board").at("capacity");
    bundle.used = manifest.at("used");
    bundle.hash_seed = manifest.at("hash_seed");
    bundle.limits = read_limits(path, manifest.at("limits"));
    bundle.collar = manifest.at("collar");
    bundle.commit = read_commit(path, manifest.at("commit"));
    bundle.banked = manifest.at("banked");
    for (const json& entry : manifest.at("instruments")) bundle.instruments.push_back(read_instrument(entry));

    BundleFiles read = read_files(path, manifest.at("files"), kept.files, looks);
    const KnownFiles& files = read.used;
    const json& memories = manifest.at("memories");
    for (const hwmap::Memory& memory : hwmap::memories)
        if (memory.writable)
            bundle.memories.push_back(
                read_memory(path, memory, memories.at(std::string(memory.name)), files));
    if (memories.size() != bundle.memories.size())
        refuse(path, "the manifest names a memory that no board has");
    bundle.client = read_client(path, files);
    const auto named = [&](const char* what) { return manifest.at(what).at("file").get<std::string>(); };
    const SharedText blocks = content_of(path, files, named("blocks"), "the file of its blocks");
    const SharedText rows = content_of(path, files, named("rules"), "the file of its rules");
    auto rules = read_rules(bundle, manifest, blocks, rows, kept.rules.get());
    bundle.rules = rules->rules;
    check_tables(bundle);
    check_links(bundle);
    if (const auto table = files.find(kSoftwareTable); table != files.end())
        bundle.software = table->second.content;
    if (const auto standby = files.find(kStandbyTable); standby != files.end())
        bundle.standby = standby->second.content;
    bundle.windows = read_windows(manifest.at("windows"));
    if (!bundle.software.empty() || !bundle.windows.empty() || bundle.limits.self_trade) {
        const Tensors tensors = parse_safetensors(bundle.software.view());
        bundle.zone = read_zone(path, tensors);
        if (!bundle.software.empty()) bundle.day_roll = read_day_roll(path, tensors);
    }
    check_windows(bundle);
    bundle.unread = {path, {}, std::move(read.unread)};
    kept = {std::move(read.used), std::move(rules), kept.hashed + read.hashed};
    return bundle;
}

}  // namespace

struct BundleReader::Read : bundle_contents::Contents {};

BundleReader::BundleReader(BundleTrust trust) : trust_(std::move(trust)), last_(std::make_unique<Read>()) {}
BundleReader::~BundleReader() = default;

Bundle read_bundle(const std::filesystem::path& path, const BundleTrust& trust) {
    return BundleReader(trust).read(path);
}

std::size_t BundleReader::hashed() const { return last_->hashed; }

Bundle BundleReader::read(const std::filesystem::path& path, Looks looks) {
    const std::string text = read_bundle_file(path, kBundleManifest, kMostBundleBytes);
    std::vector<std::string> signed_by = check_signatures(path, text, trust_);
    // Where it has to be signed, it is not loaded before every file of it, those for people too, is what was
    // signed.
    if (trust_.needed > 0) looks = Looks::all;
    try {
        Bundle bundle = read_manifest(path, json::parse(text), *last_, looks);
        bundle.signed_by = std::move(signed_by);
        bundle.manifest_sha256 = bundle.unread.manifest_sha256 = sha256_hex(text);
        return bundle;
    } catch (const json::exception& error) {
        refuse(path, std::string(kBundleManifest) + " or what it names is not understood: " + error.what());
    } catch (const SafetensorsError& error) {
        refuse(path, std::string("the file of its rules is damaged: ") + error.what());
    }
}

}  // namespace fixaccel
