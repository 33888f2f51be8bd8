// SPDX-License-Identifier: Apache-2.0
// The files of a bundle, each looked at by the hash that its manifest has of it.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "fixaccel/bundle.hpp"
#include "fixaccel/shared_text.hpp"

namespace fixaccel {

inline constexpr std::size_t kMostBundleBytes = std::size_t{256}
                                                << 20;  // of the manifest, and of all its files together

inline constexpr const char* kBundleManifest = "manifest.json";

// One that has the hashes which are with it.
struct KnownFile {
    std::string sha256;
    std::size_t piece_bytes = 0;      // 0: it has no hashes of pieces
    std::vector<std::string> pieces;  // hashes of it, piece by piece
    SharedText content;
};
using KnownFiles = std::map<std::string, KnownFile>;

[[noreturn]] void refuse_bundle(const std::filesystem::path& bundle, const std::string& what);
std::string read_bundle_file(const std::filesystem::path& bundle, const std::string& name,
                             std::size_t most_bytes);

// What is read of a bundle.
struct BundleFiles {
    KnownFiles used;                 // that the runtime goes by
    std::vector<BundleFile> unread;  // what check_unread() is to look at
    std::size_t hashed = 0;          // bytes
};

// The files that `named`, of the manifest of `bundle`, names. Those of `former` that have the same hash are
// not hashed again, nor are pieces of others. Throws BundleError.
BundleFiles read_files(const std::filesystem::path& bundle, const nlohmann::json& named,
                       const KnownFiles& former, Looks looks);

}  // namespace fixaccel
