// SPDX-License-Identifier: Apache-2.0
// The keys of the desk: whose signature a bundle has to have.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fixaccel {

// A key that is none, or a bundle that the desk has not signed; the text says which and what to do.
class SignatureError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// An Ed25519 key that verifies.
struct BundleKey {
    std::string name;  // of its file, without folder and `.pub`
    std::string bytes;
};

// Of a file in PEM, as `fixaccel keygen` and `openssl pkey -pubout` write it. Throws SignatureError.
BundleKey read_bundle_key(const std::filesystem::path& file);

// Who of `keys` has signed this manifest, each once, in the order of `keys`. `signatures`: the text of the
// file of signatures, nothing if there is none. Throws SignatureError unless `needed` of them have, or if one
// of theirs is not of this manifest.
std::vector<std::string> signers(const std::vector<BundleKey>& keys, std::size_t needed,
                                 std::string_view manifest, const std::optional<std::string>& signatures);

}  // namespace fixaccel
