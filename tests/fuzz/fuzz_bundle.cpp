// SPDX-License-Identifier: Apache-2.0
// A bundle of which one file is any: it is taken and can be used, or refused with a BundleError or
// TableError.
//
// The first line of the input names the file, the rest is its content. Sizes and hashes in the manifest are
// made to fit, so that more than these is looked at.
#include <array>
#include <map>
#include <utility>

#include "fixaccel/bundle.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/ledger.hpp"
#include "fixaccel/loads.hpp"
#include "fixaccel/resting_table.hpp"
#include "fixaccel/sha256.hpp"
#include "fixaccel/windows.hpp"
#include "scratch_folder.hpp"
#include "software.hpp"
#include "sums.hpp"

using namespace fixaccel;
using nlohmann::json;

namespace {

constexpr const char* kManifest = "manifest.json";
using Files = std::map<std::string, std::string>;

Files files_of(const std::filesystem::path& folder) {
    Files files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files[std::filesystem::relative(entry.path(), folder).string()] = fuzz::read_text(entry.path());
    return files;
}

// The bundle that a run changes a file of, and puts it back.
struct Copy {
    Copy() : files(files_of(FUZZ_BUNDLE)) {
        for (const auto& [name, text] : files) {
            std::filesystem::create_directories((folder.path() / name).parent_path());
            fuzz::write_text(folder.path() / name, text);
        }
    }
    ScratchFolder folder;
    Files files;
};

void fit(json& manifest, const std::string& name, const std::string& text) {
    json* const entry = manifest.is_object() && manifest.contains("files") && manifest["files"].is_object() &&
                                manifest["files"].contains(name)
                            ? &manifest["files"][name]
                            : nullptr;
    if (entry == nullptr || !entry->is_object()) return;
    (*entry)["bytes"] = text.size();
    (*entry)["sha256"] = sha256_hex(text);
}

// A board as large as the bundle is for, of which nothing is kept.
class BlankBoard final : public Board {
  public:
    explicit BlankBoard(const Bundle& bundle) : bundle_(bundle) {}
    using Board::read;
    using Board::write;
    void read(std::uint32_t addr, std::span<std::uint32_t> words) override {
        for (std::uint32_t& word : words) {
            word = 0;
            for (const auto& [at, name] : kCapacities)
                if (addr == at) word = capacity(name);
            addr += 4;
        }
    }
    void write(std::uint32_t /*addr*/, std::span<const std::uint32_t> /*words*/) override {}

  private:
    static constexpr std::array<std::pair<std::uint32_t, const char*>, 5> kCapacities{
        {{hwmap::reg::cap_instruments, "instruments"},
         {hwmap::reg::cap_triggers, "triggers"},
         {hwmap::reg::cap_orders, "orders"},
         {hwmap::reg::cap_templates, "templates"},
         {hwmap::reg::cap_groups, "groups"}}};
    std::uint32_t capacity(const char* name) const {
        const auto found = bundle_.capacity.find(name);
        return found == bundle_.capacity.end() ? 0 : static_cast<std::uint32_t>(found->second);
    }
    const Bundle& bundle_;
};

class Port final : public OrderPort {
  public:
    bool armed() const override { return true; }
    std::string held_back() override { return "disarmed"; }
    std::chrono::steady_clock::time_point send_order(const OrderText& /*order*/) override { return {}; }
};

// The rules of one of its two tables see a market.
void run(const Bundle& bundle, Ledger& ledger, RulesOf of) {
    SoftwareRules rules(bundle, ledger, of);
    if (of == RulesOf::runtime) rules.links();
    rules.arm();
    Port port;
    std::int64_t now_ns = 1'800'000'000'000'000'000;
    for (const BundleInstrument& instrument : bundle.instruments)
        for (const char* price : {"1185", "1170", "1195.5", "0.01", "-3", "99999999"}) {
            const std::string message =
                fuzz::framed("35=W|55=" + instrument.symbol + "|268=3|269=0|270=" + price +
                             "|271=1|269=1|270=" + price + "|271=1|269=2|270=" + price + "|271=1");
            rules.process(MarketText(message), now_ns += 60'000'000'000, port);
        }
    rules.save();
}

// What the daemon does with it, as far as that takes no session.
void use(const Bundle& bundle, Board& board, const std::filesystem::path& folder) {
    Journal journal(folder);
    Ledger ledger(journal);
    static_cast<void>(Windows(bundle));
    static_cast<void>(RestingTable(bundle));
    const Load load = describe_load(bundle, 1, ledger.new_epoch());
    check_fits(board, bundle);
    load_bundle(board, bundle);
    ledger.record_load(load);
    trigger_states(bundle, load, ledger);
    if (!bundle.software.empty()) run(bundle, ledger, RulesOf::runtime);
    if (!bundle.standby.empty()) run(bundle, ledger, RulesOf::fabric);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static Copy copy;
    static const Bundle sound = read_bundle(copy.folder.path());
    const std::string_view input = fuzz::text_of(data, size);
    const std::size_t line = std::min(input.find('\n'), input.size());
    const std::string name(input.substr(0, line));
    if (copy.files.count(name) == 0) return 0;
    Files changed{{name, std::string(input.substr(std::min(line + 1, input.size())))}};
    json manifest = json::parse(name == kManifest ? changed[name] : copy.files[kManifest], nullptr, false);
    for (const auto& [other, text] : copy.files) fit(manifest, other, other == name ? changed[name] : text);
    if (!manifest.is_discarded())
        changed[kManifest] = manifest.dump(-1, ' ', false, json::error_handler_t::replace);
    for (const auto& [each, text] : changed) fuzz::write_text(copy.folder.path() / each, text);
    try {
        const Bundle bundle = read_bundle(copy.folder.path());
        BlankBoard board(sound);
        const ScratchFolder folder;
        use(bundle, board, folder.path());
    } catch (const BundleError&) {
    } catch (const TableError&) {
    }
    for (const auto& [each, text] : changed) fuzz::write_text(copy.folder.path() / each, copy.files[each]);
    return 0;
}
