// SPDX-License-Identifier: Apache-2.0
// A folder of a journal: a start takes it, or refuses with a JournalError; no record that is whole and has
// only whole ones before it in its file is lost; and what one start has taken the next one takes, to the same
// state.
//
// The input is files, each behind a line "@NAME". A line that begins with "~ " gets the sum that is right.
#include <map>

#include "fixaccel/ledger.hpp"
#include "scratch_folder.hpp"
#include "sums.hpp"

using namespace fixaccel;

namespace {

using Files = std::map<std::string, std::string>;

bool is_name(std::string_view name) {
    return !name.empty() && name.size() < 64 && name != "." && name != ".." &&
           name.find_first_of(std::string_view("/\0", 2)) == std::string_view::npos;
}

Files files_of(std::string_view input) {
    Files files;
    while (!input.empty()) {
        const std::size_t end = std::min(input.find("\n@"), input.size());
        std::string_view file = input.substr(0, end == input.size() ? end : end + 1);
        input.remove_prefix(file.size());
        if (!file.starts_with('@')) continue;
        const std::size_t line = std::min(file.find('\n'), file.size() - 1);
        const std::string_view name = file.substr(1, line - 1);
        if (is_name(name)) files[std::string(name)] = fuzz::with_sums(file.substr(line + 1));
    }
    return files;
}

// The records before the first one that is not whole.
std::string_view whole(std::string_view text) {
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
        const std::string_view line = text.substr(begin, end - begin);
        if (!fuzz::sum_fits(line)) break;
        if (!nlohmann::json::parse(line.substr(line.find(' ')), nullptr, false).is_object()) break;
    }
    return text.substr(0, begin);
}

// Its state after a start. Throws JournalError.
nlohmann::json start(const std::filesystem::path& folder) {
    Journal journal(folder, kLeastSegmentBytes);
    Ledger ledger(journal);
    ledger.flush();
    ledger.finish_snapshot();
    nlohmann::json state = ledger.snapshot();
    state.erase("records");  // each start is one
    return state;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ScratchFolder folder;
    const Files files = files_of(fuzz::text_of(data, size));
    for (const auto& [name, text] : files) fuzz::write_text(folder.path() / name, text);
    std::vector<JournalFile> segments = segments_in(folder.path());
    if (segments.empty() && files.count("journal.log") != 0)
        segments.push_back({1, folder.path() / "journal.log"});
    nlohmann::json state;
    try {
        state = start(folder.path());
    } catch (const JournalError& error) {
        fuzz::require(error.what()[0] != '\0', "a problem has a text");
        return 0;
    }
    for (const JournalFile& segment : segments) {
        const std::string_view before = whole(files.at(segment.path.filename().string()));
        if (before.empty()) continue;
        const std::string now = fuzz::read_text(segment_path(folder.path(), segment.record));
        fuzz::require(now.starts_with(before), "a whole record is where it was");
    }
    fuzz::require(start(folder.path()) == state, "the next start finds the same");
    return 0;
}
