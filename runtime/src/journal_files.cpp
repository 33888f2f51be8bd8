// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/journal_files.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "fixaccel/crc32.hpp"
#include "fixaccel/read_file.hpp"
#include "fixaccel/sha256.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::size_t kCrcChars = 8;
constexpr std::size_t kUsualLine = 1024;
constexpr std::string_view kSegment = "journal-";
constexpr std::string_view kSegmentEnd = ".log";
constexpr std::string_view kSnapshot = "snapshot-";
constexpr const char* kNewSnapshot = "snapshot.new";
constexpr std::size_t kNumberChars = 12;  // so that names sort
constexpr int kFormat = 7;                // of the state in a snapshot; one of another format is not used
constexpr std::size_t kSnapshotsKept = 2;

std::array<char, kCrcChars> crc_text(std::string_view text) {
    std::array<char, kCrcChars> hex;
    std::uint32_t rest = crc32(text);
    for (auto digit = hex.rbegin(); digit != hex.rend(); ++digit, rest >>= 4)
        *digit = "0123456789abcdef"[rest & 0xF];
    return hex;
}

std::string name_of(std::string_view before, std::uint64_t number, std::string_view behind) {
    std::string digits = std::to_string(number);
    if (digits.size() < kNumberChars) digits.insert(0, kNumberChars - digits.size(), '0');
    return std::string(before) + digits + std::string(behind);
}

std::vector<JournalFile> files_in(const std::filesystem::path& dir, std::string_view before,
                                  std::string_view behind) {
    std::vector<JournalFile> files;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(dir, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(before) || !name.ends_with(behind)) continue;
        JournalFile file{0, entry->path()};
        std::from_chars(name.data() + before.size(), name.data() + name.size(), file.record);
        if (name_of(before, file.record, behind) == name) files.push_back(std::move(file));
    }
    if (error) throw JournalError("cannot list " + dir.string() + ": " + error.message());
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.record < b.record; });
    return files;
}

std::string content_of(const std::filesystem::path& file) {
    try {
        return read_file(file.string(), std::numeric_limits<std::size_t>::max() / 2);
    } catch (const FileError& error) {
        throw JournalError(error.what());
    }
}

// The state of a snapshot that is whole.
std::optional<json> state_of(const JournalFile& file) {
    std::string text;
    try {
        text = content_of(file.path);
    } catch (const JournalError&) {
        return std::nullopt;
    }
    if (!text.ends_with('\n')) return std::nullopt;
    std::optional<Record> record = parse_journal_line(std::string_view(text).substr(0, text.size() - 1));
    // Compared as JSON: of another version they may be of any kind.
    if (!record || record->value("format", json()) != kFormat ||
        record->value("record", json()) != file.record || !record->contains("state"))
        return std::nullopt;
    return (*record)["state"].take_json();  // megabytes
}

constexpr std::string_view kAfter = R"({"after":")";
constexpr std::size_t kHashChars = 64;

// SHA-256 of the line before it, as that line has it; empty if it names none.
std::string_view hash_before(std::string_view line) {
    line.remove_prefix(kCrcChars + 1);
    return line.starts_with(kAfter) ? line.substr(kAfter.size(), kHashChars) : std::string_view();
}

// Reads segments one behind the other.
class Reader {
  public:
    Reader(JournalContent& out, std::uint64_t last) : out_(out), last_(last) {}

    void read(const JournalFile& segment) {
        if (segment.record < out_.next)
            throw JournalError(segment.path.string() +
                               " begins with a record that the segment before it has too; "
                               "restore the journal's folder from a copy");
        const std::string text = content_of(segment.path);
        out_.bytes += text.size();
        std::uint64_t number = segment.record;
        std::size_t line = 0;
        for (std::size_t start = 0; start < text.size() && number <= last_;) {
            const std::size_t end = std::min(text.find('\n', start), text.size());
            ++line;
            auto record = end == text.size()
                              ? std::nullopt
                              : parse_journal_line(std::string_view(text).substr(start, end - start));
            if (record) {
                take(segment, number++, std::move(*record));  // which says more of a record that is missing
                follow(segment, line, std::string_view(text).substr(start, end - start));
            } else {
                note_torn(segment, start, line);
            }
            start = end + 1;
        }
        // Nothing in it, and it does not follow on: what was before it is gone.
        if (text.empty() && segment.record != out_.next) note_torn(segment, 0, 0);
        if (out_.torn) out_.torn_bytes += text.size() - (out_.torn->path == segment.path ? out_.whole : 0);
    }

  private:
    // What was taken out, put in or moved has its own sum right; the chain tells. Older daemons wrote none.
    void follow(const JournalFile& segment, std::size_t number, std::string_view line) {
        const std::string_view after = hash_before(line);
        if (!out_.last_hash.empty() && (chained_ || !after.empty()) && after != out_.last_hash)
            throw JournalError(segment.path.string() + ":" + std::to_string(number) +
                               ": the record is not behind the one that stands before it: something was "
                               "taken out, put in or changed, which `fixaccel audit verify` tells; restore "
                               "the file from a copy");
        chained_ = chained_ || !after.empty();
        out_.last_hash = sha256_hex(line);
    }

    void note_torn(const JournalFile& segment, std::uint64_t whole, std::size_t line) {
        if (out_.torn) return;
        out_.torn = segment;
        out_.whole = whole;
        line_ = line;
    }

    void take(const JournalFile& segment, std::uint64_t number, Record record) {
        // A crash tears the end only: a whole record behind a broken one means damage that must not be
        // papered over.
        if (out_.torn)
            throw JournalError(out_.torn->path.string() + ":" + std::to_string(line_) +
                               ": the record is damaged and others follow it; restore the file from a copy");
        if (number != out_.next)
            throw JournalError("records " + std::to_string(out_.next) + " to " + std::to_string(number - 1) +
                               " are missing before " + segment.path.string() +
                               "; restore the journal's folder from a copy");
        ++out_.next;
        if (number > out_.snapshot_record) out_.records.push_back(std::move(record));
    }

    JournalContent& out_;
    std::uint64_t last_;
    std::size_t line_ = 0;
    bool chained_ = false;
};

// The first segment that has to be read; the snapshot is chosen with it.
std::vector<JournalFile>::const_iterator begin_with(const std::vector<JournalFile>& segments,
                                                    const std::filesystem::path& dir, std::uint64_t last,
                                                    JournalContent& out) {
    std::vector<JournalFile> snapshots = snapshots_in(dir);
    std::reverse(snapshots.begin(), snapshots.end());
    for (const JournalFile& file : snapshots) {
        if (file.record > last) continue;
        std::optional<json> state = state_of(file);
        if (!state) {
            out.problems.push_back(
                file.path.string() +
                " is damaged or of another version; the records before it are read instead");
            continue;
        }
        out.snapshot = std::move(*state);
        out.snapshot_record = file.record;
        break;
    }
    const auto behind = std::upper_bound(
        segments.begin(), segments.end(), out.snapshot_record + 1,
        [](std::uint64_t number, const JournalFile& segment) { return number < segment.record; });
    if (behind != segments.begin()) return behind - 1;
    if (segments.empty() && snapshots.empty()) return segments.end();
    std::string text;
    for (const std::string& problem : out.problems) text += problem + "; ";
    throw JournalError(text + "the records from " + std::to_string(out.snapshot_record + 1) +
                       " on are missing in " + dir.string() + "; restore the folder from a copy");
}

}  // namespace

std::filesystem::path segment_path(const std::filesystem::path& dir, std::uint64_t first) {
    return dir / name_of(kSegment, first, kSegmentEnd);
}

std::vector<JournalFile> segments_in(const std::filesystem::path& dir) {
    return files_in(dir, kSegment, kSegmentEnd);
}

std::vector<JournalFile> snapshots_in(const std::filesystem::path& dir) {
    return files_in(dir, kSnapshot, {});
}

std::string journal_line(const Record& record, std::string_view after) {
    std::string fields, line;
    fields.reserve(kUsualLine);
    line.reserve(kUsualLine);
    record.write_fields(fields);
    append_journal_line(line, fields, after);
    return line;
}

void append_journal_line(std::string& out, std::string_view fields, std::string_view after) {
    const std::size_t start = out.size();
    out.append(kCrcChars + 1, ' ').append("{");
    if (!after.empty()) out.append(kAfter.substr(1)).append(after).append(fields.empty() ? "\"" : "\",");
    out.append(fields).append("}");
    const auto crc = crc_text(std::string_view(out).substr(start + kCrcChars + 1));
    std::copy(crc.begin(), crc.end(), out.begin() + static_cast<std::ptrdiff_t>(start));
    out += '\n';
}

std::string last_line_hash(const std::filesystem::path& dir) {
    std::vector<JournalFile> segments = segments_in(dir);
    std::reverse(segments.begin(), segments.end());
    for (const JournalFile& segment : segments) {
        const std::string text = content_of(segment.path);
        if (text.empty()) continue;  // just begun
        const std::string_view lines = std::string_view(text).substr(0, text.size() - 1);
        const std::size_t end = lines.rfind('\n');
        return sha256_hex(end == std::string_view::npos ? lines : lines.substr(end + 1));
    }
    return {};
}

std::optional<Record> parse_journal_line(std::string_view line) {
    if (line.size() < kCrcChars + 2 || line[kCrcChars] != ' ') return std::nullopt;
    const std::string_view text = line.substr(kCrcChars + 1);
    if (const auto crc = crc_text(text);
        line.substr(0, kCrcChars) != std::string_view(crc.data(), crc.size()))
        return std::nullopt;
    std::optional<Record> record = Record::parse(text);
    if (record) record->erase("after");
    return record;
}

JournalContent read_journal(const std::filesystem::path& dir, std::uint64_t last) {
    JournalContent out;
    const std::vector<JournalFile> segments = segments_in(dir);
    auto segment = begin_with(segments, dir, last, out);
    if (segment != segments.end()) out.next = segment->record;
    Reader reader(out, last);
    for (; segment != segments.end() && segment->record <= last; ++segment) reader.read(*segment);
    if (out.next <= out.snapshot_record)
        throw JournalError("the journal ends with record " + std::to_string(out.next - 1) +
                           ", but a snapshot is of record " + std::to_string(out.snapshot_record) +
                           "; restore the folder " + dir.string() + " from a copy");
    return out;
}

void write_snapshot(const std::filesystem::path& dir, std::uint64_t record, const json& state) {
    const std::string line =
        journal_line({{"type", "snapshot"}, {"format", kFormat}, {"record", record}, {"state", state}});
    write_durably(dir, kNewSnapshot, name_of(kSnapshot, record, {}), line);
    const std::vector<JournalFile> all = snapshots_in(dir);
    std::error_code ignored;
    for (std::size_t i = 0; i + kSnapshotsKept < all.size(); ++i)
        std::filesystem::remove(all[i].path, ignored);
}

}  // namespace fixaccel
