// SPDX-License-Identifier: Apache-2.0
// From the folder that the compiler wrote to a Bundle, trusting no byte that the manifest's hashes do not
// cover.
#include <algorithm>
#include <cstring>
#include <exception>
#include <future>
#include <nlohmann/json.hpp>
#include <utility>

#include "bundle_rules.hpp"
#include "bundle_tables.hpp"
#include "fixaccel/bundle.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/links.hpp"
#include "fixaccel/read_file.hpp"
#include "fixaccel/sha256.hpp"
#include "fixaccel/windows.hpp"
#include "safetensors.hpp"

namespace fixaccel {
namespace bundle_contents {

struct File {
    std::string sha256;
    SharedText content;
};
using Files = std::map<std::string, File>;

// What is read of a bundle, and kept until the next one is.
struct Contents {
    Files files;
    std::shared_ptr<const MadeRules> rules;
};

}  // namespace bundle_contents

namespace {

using bundle_contents::Contents;
using bundle_contents::Files;
using nlohmann::json;

constexpr int kBundleVersion = 3;
constexpr std::string_view kManifest = "manifest.json";
constexpr std::size_t kMostBytes = std::size_t{256} << 20;  // of the manifest, and of all its files together
constexpr std::string_view kSignatures = "signatures.json";
constexpr std::size_t kMostSignatureBytes = std::size_t{64} << 10;
constexpr std::int64_t kSecondsOfDay = 24 * 60 * 60;
constexpr const char* kSoftwareTable = "image/software.safetensors";
constexpr const char* kStandbyTable = "image/standby.safetensors";

[[noreturn]] void refuse(const std::filesystem::path& bundle, const std::string& what) {
    throw BundleError("bundle " + bundle.string() + ": " + what);
}

std::string read_file(const std::filesystem::path& bundle, const std::string& name, std::size_t most_bytes) {
    try {
        return fixaccel::read_file((bundle / name).string(), most_bytes);
    } catch (const FileError& error) {
        refuse(bundle, std::string(error.what()) + "; compile the strategy again");
    }
}

// Files named by the manifest lie inside the bundle, whatever the manifest says.
bool is_inside(const std::string& name) {
    const std::filesystem::path path(name);
    return !name.empty() && path.is_relative() &&
           std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
}

// Before anything of the manifest is believed.
std::vector<std::string> check_signatures(const std::filesystem::path& bundle, const std::string& manifest,
                                          const BundleTrust& trust) {
    if (trust.needed == 0) return {};
    std::optional<std::string> signatures;
    if (std::filesystem::exists(bundle / kSignatures))
        signatures = read_file(bundle, std::string(kSignatures), kMostSignatureBytes);
    try {
        return signers(trust.keys, trust.needed, manifest, signatures);
    } catch (const SignatureError& error) {
        refuse(bundle, error.what());
    }
}

// What the runtime goes by. The others are for people and for synthesis: they are looked at beside, and kept
// so that the next time they are compared, which takes less than a hash.
bool is_used(std::string_view name) {
    return name.substr(0, name.find('/') + 1) == "client/" ||
           (name.starts_with("image/") && !name.ends_with(".mem"));
}

// Reads what the manifest names, and looks whether it is that.
class FileReader {
  public:
    FileReader(const std::filesystem::path& bundle, const Files& former) : bundle_(bundle), former_(former) {}

    // All of them.
    Files read(const json& named) const {
        if (!named.is_object()) refuse(bundle_, "the manifest's files are not named");
        Names used, others;
        std::size_t room = kMostBytes;
        for (const auto& [name, entry] : named.items()) {
            if (!is_inside(name))
                refuse(bundle_, "the manifest names '" + name + "', which is outside the bundle");
            const auto bytes = entry.at("bytes").get<std::size_t>();
            if (bytes > room)
                refuse(bundle_, "its files have more bytes than the " + std::to_string(kMostBytes) +
                                    " that they may have");
            room -= bytes;
            (is_used(name) ? used : others)
                .push_back({name, bytes, entry.at("sha256").get_ref<const std::string&>()});
        }
        Files files, files_beside;
        auto beside = std::async(std::launch::async, [&] {
            for (const Named& each : others) files_beside[each.name] = {each.sha256, content_of(each)};
        });
        std::exception_ptr wrong;
        try {
            for (const Named& each : used) files[each.name] = {each.sha256, content_of(each)};
        } catch (const BundleError&) {
            wrong = std::current_exception();
        }
        beside.get();
        if (wrong) std::rethrow_exception(wrong);
        files.merge(files_beside);
        return files;
    }

  private:
    struct Named {
        const std::string& name;
        std::size_t bytes;
        const std::string& sha256;
    };
    using Names = std::vector<Named>;

    SharedText content_of(const Named& file) const {
        if (const auto known = former_.find(file.name); known != former_.end() &&
                                                        known->second.sha256 == file.sha256 &&
                                                        is(file.name, *known->second.content))
            return known->second.content;
        auto content = std::make_shared<const std::string>(read_file(bundle_, file.name, kMostBytes));
        if (content->size() != file.bytes)
            refuse(bundle_, file.name + " has " + std::to_string(content->size()) +
                                " bytes, the manifest says " + std::to_string(file.bytes));
        if (sha256_hex(*content) != file.sha256)
            refuse(bundle_,
                   file.name + " differs from its SHA-256 in the manifest; compile the strategy again");
        return content;
    }

    bool is(const std::string& name, const std::string& content) const {
        try {
            return file_is((bundle_ / name).string(), content);
        } catch (const FileError& error) {
            refuse(bundle_, std::string(error.what()) + "; compile the strategy again");
        }
    }

    const std::filesystem::path& bundle_;
    const Files& former_;
};

// One that the manifest names elsewhere, too.
SharedText content_of(const std::filesystem::path& bundle, const Files& files, const std::string& name,
                      const std::string& what) {
    const auto file = files.find(name);
    if (file == files.end()) refuse(bundle, what + " has no hash in the manifest");
    return file->second.content;
}

// Whoever runs the bundle goes by these, and by nothing that lies in their place and that no hash covers.
std::map<std::string, std::string> read_client(const std::filesystem::path& bundle, const Files& files) {
    std::map<std::string, std::string> client;
    for (const char* const name :
         {"client/fixacceld.toml", "client/quickfix.cfg", "client/quickfix-market.cfg"}) {
        if (const auto file = files.find(name); file != files.end())
            client.emplace(name, *file->second.content);
        else if (std::error_code none; std::filesystem::exists(bundle / name, none))
            refuse(bundle, std::string("the manifest does not name ") + name +
                               ", so nothing says that it is as it was made: compile the strategy again");
    }
    return client;
}

BundleMemory read_memory(const std::filesystem::path& bundle, const hwmap::Memory& memory, const json& entry,
                         const Files& files) {
    const std::string name(memory.name);
    const auto file = entry.at("file").get<std::string>();
    const SharedText bytes = content_of(bundle, files, file, "memory " + name + ": " + file);
    BundleMemory result{
        .name = name, .base = memory.window.base, .records = entry.at("records"), .words = {}};
    const std::size_t size = std::size_t{result.records} * memory.window.stride_bytes;
    if (result.records > memory.window.room || bytes->size() != size)
        refuse(bundle, "memory " + name + ": " + std::to_string(result.records) +
                           " records do not match the " + std::to_string(bytes->size()) + " bytes of " +
                           file);
    result.words.resize(size / sizeof(std::uint32_t));
    if (size != 0) std::memcpy(result.words.data(), bytes->data(), size);
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

Bundle read_manifest(const std::filesystem::path& path, const json& manifest, Contents& kept) {
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
    bundle.capacity = manifest.at("board").at("capacity");
    bundle.used = manifest.at("used");
    bundle.hash_seed = manifest.at("hash_seed");
    bundle.limits = read_limits(path, manifest.at("limits"));
    bundle.collar = manifest.at("collar");
    bundle.commit = read_commit(path, manifest.at("commit"));
    bundle.banked = manifest.at("banked");
    for (const json& entry : manifest.at("instruments")) bundle.instruments.push_back(read_instrument(entry));

    Files files = FileReader(path, kept.files).read(manifest.at("files"));
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
        bundle.software = *table->second.content;
    if (const auto standby = files.find(kStandbyTable); standby != files.end())
        bundle.standby = *standby->second.content;
    bundle.windows = read_windows(manifest.at("windows"));
    if (!bundle.software.empty() || !bundle.windows.empty() || bundle.limits.self_trade) {
        const Tensors tensors = parse_safetensors(bundle.software);
        bundle.zone = read_zone(path, tensors);
        if (!bundle.software.empty()) bundle.day_roll = read_day_roll(path, tensors);
    }
    check_windows(bundle);
    kept = {std::move(files), std::move(rules)};
    return bundle;
}

}  // namespace

struct BundleReader::Read : bundle_contents::Contents {};

BundleReader::BundleReader(BundleTrust trust) : trust_(std::move(trust)), last_(std::make_unique<Read>()) {}
BundleReader::~BundleReader() = default;

Bundle read_bundle(const std::filesystem::path& path, const BundleTrust& trust) {
    return BundleReader(trust).read(path);
}

Bundle BundleReader::read(const std::filesystem::path& path) {
    const std::string text = read_file(path, std::string(kManifest), kMostBytes);
    std::vector<std::string> signed_by = check_signatures(path, text, trust_);
    try {
        Bundle bundle = read_manifest(path, json::parse(text), *last_);
        bundle.signed_by = std::move(signed_by);
        bundle.manifest_sha256 = sha256_hex(text);
        return bundle;
    } catch (const json::exception& error) {
        refuse(path, std::string(kManifest) + " or what it names is not understood: " + error.what());
    } catch (const SafetensorsError& error) {
        refuse(path, std::string("the file of its rules is damaged: ") + error.what());
    }
}

}  // namespace fixaccel
