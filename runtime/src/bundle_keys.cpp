// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/bundle_keys.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "fixaccel/read_file.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::size_t kMostKeyBytes = std::size_t{64} << 10;
constexpr std::size_t kMostSignatures = 64;
constexpr std::size_t kKeyBytes = 32, kSignatureBytes = 64;
// Before the manifest: a signature of anything else that such a key has signed is none of a bundle.
constexpr std::string_view kDomain = "fixaccel bundle 1\n";

struct Free {
    void operator()(BIO* bio) const { ::BIO_free(bio); }
    void operator()(EVP_PKEY* key) const { ::EVP_PKEY_free(key); }
    void operator()(EVP_MD_CTX* context) const { ::EVP_MD_CTX_free(context); }
};
template <typename Thing>
using Owned = std::unique_ptr<Thing, Free>;

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

bool verifies(const std::string& key, std::string_view signature, const std::string& signed_text) {
    const Owned<EVP_PKEY> loaded(
        ::EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_of(key), key.size()));
    const Owned<EVP_MD_CTX> context(::EVP_MD_CTX_new());
    return loaded && context &&
           ::EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, loaded.get()) == 1 &&
           ::EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(), bytes_of(signed_text),
                              signed_text.size()) == 1;
}

// Nothing for what is not so many bytes, two lower-case hex digits each.
std::optional<std::string> from_hex(const std::string& text, std::size_t bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    if (text.size() != 2 * bytes) return std::nullopt;
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += 2) {
        const std::size_t high = kDigits.find(text[at]), low = kDigits.find(text[at + 1]);
        if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
        out += static_cast<char>(high << 4U | low);
    }
    return out;
}

struct Signature {
    std::string key;
    std::string bytes;
};

// {"signatures": [{"key": HEX, "signature": HEX}, ...]}
std::vector<Signature> parse(const std::string& text) {
    const json file = json::parse(text, nullptr, false);
    const auto bad = [] {
        return SignatureError("its signatures.json is not understood: sign it anew with `fixaccel sign`");
    };
    if (!file.is_object() || !file.contains("signatures") || !file["signatures"].is_array() ||
        file["signatures"].size() > kMostSignatures)
        throw bad();
    std::vector<Signature> found;
    for (const json& entry : file["signatures"]) {
        if (!entry.is_object() || !entry.contains("key") || !entry["key"].is_string() ||
            !entry.contains("signature") || !entry["signature"].is_string())
            throw bad();
        const auto key = from_hex(entry["key"].get<std::string>(), kKeyBytes);
        const auto signature = from_hex(entry["signature"].get<std::string>(), kSignatureBytes);
        if (!key || !signature) throw bad();
        found.push_back({*key, *signature});
    }
    return found;
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text.append(text.empty() ? "" : ", ").append(name);
    return text;
}

}  // namespace

BundleKey read_bundle_key(const std::filesystem::path& file) {
    std::string text;
    try {
        text = read_file(file.string(), kMostKeyBytes);
    } catch (const FileError& error) {
        throw SignatureError(error.what());
    }
    const Owned<BIO> bio(::BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
    const Owned<EVP_PKEY> key(::PEM_read_bio_PUBKEY(bio.get(), nullptr, nullptr, nullptr));
    if (text.find("PRIVATE KEY") != std::string::npos)
        throw SignatureError(file.string() + " is a private key: the daemon is given the public one, " +
                             file.string() + ".pub");
    if (!key || ::EVP_PKEY_id(key.get()) != EVP_PKEY_ED25519)
        throw SignatureError(file.string() + " is no public Ed25519 key in PEM; `fixaccel keygen` makes one");
    std::array<unsigned char, kKeyBytes> raw{};
    std::size_t size = raw.size();
    if (::EVP_PKEY_get_raw_public_key(key.get(), raw.data(), &size) != 1 || size != raw.size())
        throw SignatureError(file.string() + " is no public Ed25519 key");
    return {file.extension() == ".pub" ? file.stem().string() : file.filename().string(),
            std::string(reinterpret_cast<const char*>(raw.data()), raw.size())};
}

std::vector<std::string> signers(const std::vector<BundleKey>& keys, std::size_t needed,
                                 std::string_view manifest, const std::optional<std::string>& signatures) {
    constexpr const char* kWayOut = "; `fixaccel sign BUNDLE --key FILE` signs it";
    if (!signatures) throw SignatureError(std::string("it is not signed") + kWayOut);
    const std::string signed_text = std::string(kDomain).append(manifest);
    const std::vector<Signature> found = parse(*signatures);
    std::vector<std::string> names;
    for (const BundleKey& key : keys) {
        bool has_signed = false;
        for (const Signature& each : found) {
            if (each.key != key.bytes) continue;
            if (!verifies(key.bytes, each.bytes, signed_text))
                throw SignatureError(
                    "the signature of " + key.name +
                    " is not of this manifest: the bundle was changed since, or the signature" + kWayOut);
            has_signed = true;
        }
        if (has_signed) names.push_back(key.name);
    }
    if (names.size() >= needed) return names;
    if (names.empty())
        throw SignatureError("none of its " + std::to_string(found.size()) +
                             " signatures is of a key of this desk" + kWayOut);
    throw SignatureError("it is signed by " + joined(names) + " alone, and " + std::to_string(needed) +
                         " of the desk have to" + kWayOut);
}

}  // namespace fixaccel
