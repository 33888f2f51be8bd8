// SPDX-License-Identifier: Apache-2.0
#include "bundle_files.hpp"

#include <algorithm>
#include <exception>
#include <future>
#include <nlohmann/json.hpp>
#include <utility>

#include "fixaccel/read_file.hpp"
#include "fixaccel/sha256.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

// Files named by the manifest lie inside the bundle, whatever the manifest says.
bool is_inside(const std::string& name) {
    const std::filesystem::path path(name);
    return !name.empty() && path.is_relative() &&
           std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
}

// What the runtime goes by. The others are for people and for synthesis.
bool is_used(std::string_view name) {
    return name.substr(0, name.find('/') + 1) == "client/" ||
           (name.starts_with("image/") && !name.ends_with(".mem"));
}

struct Named {
    BundleFile file;
    const json* entry = nullptr;
};

// Looks whether a file is what the manifest says of it.
class FileReader {
  public:
    FileReader(const std::filesystem::path& bundle, const KnownFiles& former, Looks looks)
        : bundle_(bundle), former_(former), looks_(looks) {}

    BundleFiles read(const std::vector<Named>& files) {
        for (const Named& each : files) read(each);
        return std::move(read_);
    }

  private:
    void read(const Named& named) {
        const BundleFile& file = named.file;
        if (!is_used(file.name)) return look_at_other(file);
        const auto known = former_.find(file.name);
        const KnownFile* const former = known == former_.end() ? nullptr : &known->second;
        // By its hash it is in memory: the file is asked about, but nothing depends on the answer.
        if (former != nullptr && former->sha256 == file.sha256 && former->content.size() == file.bytes &&
            (looks_ == Looks::ahead || is(file.name, former->content.text()))) {
            if (looks_ == Looks::ahead) read_.unread.push_back(file);
            read_.used.emplace(file.name, *former);
            return;
        }
        read_.used.emplace(file.name, checked(named, former));
    }

    void look_at_other(const BundleFile& file) {
        if (looks_ == Looks::ahead)
            read_.unread.push_back(file);
        else
            check_whole(file, read_bundle_file(bundle_, file.name, kMostBundleBytes));
    }

    KnownFile checked(const Named& named, const KnownFile* former) {
        const BundleFile& file = named.file;
        std::string content = read_bundle_file(bundle_, file.name, kMostBundleBytes);
        check_size(file, content);
        KnownFile made{.sha256 = file.sha256, .piece_bytes = 0, .pieces = {}, .content = {}};
        if (named.entry->contains("pieces")) {
            const json& pieces = named.entry->at("pieces");
            made.piece_bytes = pieces.at("bytes");
            made.pieces = pieces.at("sha256");
            if (made.piece_bytes == 0 ||
                made.pieces.size() != (file.bytes + made.piece_bytes - 1) / made.piece_bytes)
                refuse_bundle(bundle_, "the pieces of " + file.name + " are not all of it");
        }
        if (made.pieces.empty() || looks_ == Looks::all) check_whole(file, content);
        check_pieces(file, made, content, former);
        if (!made.pieces.empty() && looks_ == Looks::ahead) read_.unread.push_back(file);
        made.content = SharedText(std::move(content));
        return made;
    }

    void check_size(const BundleFile& file, std::string_view content) const {
        if (content.size() != file.bytes)
            refuse_bundle(bundle_, file.name + " has " + std::to_string(content.size()) +
                                       " bytes, the manifest says " + std::to_string(file.bytes));
    }

    void check_whole(const BundleFile& file, std::string_view content) {
        check_size(file, content);
        read_.hashed += content.size();
        if (sha256_hex(content) != file.sha256) differs(file);
    }

    // A piece that is, byte for byte, one of the same hash has that hash.
    void check_pieces(const BundleFile& file, const KnownFile& made, std::string_view content,
                      const KnownFile* former) {
        const bool alike = former != nullptr && former->piece_bytes == made.piece_bytes;
        for (std::size_t i = 0; i < made.pieces.size(); ++i) {
            const std::string_view piece = content.substr(i * made.piece_bytes, made.piece_bytes);
            if (alike && i < former->pieces.size() && former->pieces[i] == made.pieces[i] &&
                former->content.view().substr(i * made.piece_bytes, made.piece_bytes) == piece)
                continue;
            read_.hashed += piece.size();
            if (sha256_hex(piece) != made.pieces[i]) differs(file);
        }
    }

    [[noreturn]] void differs(const BundleFile& file) const {
        refuse_bundle(bundle_,
                      file.name + " differs from its SHA-256 in the manifest; compile the strategy again");
    }

    bool is(const std::string& name, const std::string& content) const {
        try {
            return file_is((bundle_ / name).string(), content);
        } catch (const FileError& error) {
            refuse_bundle(bundle_, std::string(error.what()) + "; compile the strategy again");
        }
    }

    const std::filesystem::path& bundle_;
    const KnownFiles& former_;
    Looks looks_;
    BundleFiles read_;
};

}  // namespace

void refuse_bundle(const std::filesystem::path& bundle, const std::string& what) {
    throw BundleError("bundle " + bundle.string() + ": " + what);
}

std::string read_bundle_file(const std::filesystem::path& bundle, const std::string& name,
                             std::size_t most_bytes) {
    try {
        return read_file((bundle / name).string(), most_bytes);
    } catch (const FileError& error) {
        refuse_bundle(bundle, std::string(error.what()) + "; compile the strategy again");
    }
}

BundleFiles read_files(const std::filesystem::path& bundle, const json& named, const KnownFiles& former,
                       Looks looks) {
    if (!named.is_object()) refuse_bundle(bundle, "the manifest's files are not named");
    std::vector<Named> used, others;
    std::size_t room = kMostBundleBytes;
    for (const auto& [name, entry] : named.items()) {
        if (!is_inside(name))
            refuse_bundle(bundle, "the manifest names '" + name + "', which is outside the bundle");
        const auto bytes = entry.at("bytes").get<std::size_t>();
        if (bytes > room)
            refuse_bundle(bundle, "its files have more bytes than the " + std::to_string(kMostBundleBytes) +
                                      " that they may have");
        room -= bytes;
        (is_used(name) ? used : others).push_back({{name, bytes, entry.at("sha256")}, &entry});
    }
    const auto read = [&](const std::vector<Named>& files) {
        return FileReader(bundle, former, looks).read(files);
    };
    auto beside = std::async(looks == Looks::all ? std::launch::async : std::launch::deferred, read, others);
    BundleFiles files;
    std::exception_ptr wrong;
    try {
        files = read(used);
    } catch (const BundleError&) {
        wrong = std::current_exception();
    }
    const BundleFiles looked_at = beside.get();
    if (wrong) std::rethrow_exception(wrong);
    files.unread.insert(files.unread.end(), looked_at.unread.begin(), looked_at.unread.end());
    files.hashed += looked_at.hashed;
    return files;
}

std::string check_unread(const UnreadFiles& unread, const std::stop_token& stop) {
    try {
        for (const BundleFile& file : unread.files) {
            if (stop.stop_requested()) return {};
            const std::string content = read_bundle_file(unread.bundle, file.name, kMostBundleBytes);
            if (sha256_hex(content) != file.sha256)
                refuse_bundle(unread.bundle, file.name + " differs from its SHA-256 in the manifest");
        }
    } catch (const BundleError& error) {
        // What is compiled into the same folder meanwhile is another bundle, and no damage to this one.
        try {
            const std::string manifest =
                read_file((unread.bundle / kBundleManifest).string(), kMostBundleBytes);
            if (sha256_hex(manifest) == unread.manifest_sha256) return error.what();
        } catch (const FileError&) {  // nor is one that has been removed
        }
    }
    return {};
}

}  // namespace fixaccel
