// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/sha256.hpp"

#include <openssl/evp.h>

#include <array>
#include <memory>
#include <new>

namespace fixaccel {
namespace {

struct FreeDigest {
    void operator()(EVP_MD* algorithm) const { ::EVP_MD_free(algorithm); }
    void operator()(EVP_MD_CTX* context) const { ::EVP_MD_CTX_free(context); }
};

// To look the algorithm up takes as long as to hash a record of the journal: once in a process, and one
// context a thread.
EVP_MD_CTX* fresh_context() {
    static const std::unique_ptr<EVP_MD, FreeDigest> kSha256(::EVP_MD_fetch(nullptr, "SHA256", nullptr));
    thread_local const std::unique_ptr<EVP_MD_CTX, FreeDigest> context(::EVP_MD_CTX_new());
    if (!kSha256 || !context || ::EVP_DigestInit_ex2(context.get(), kSha256.get(), nullptr) != 1)
        throw std::bad_alloc();
    return context.get();
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_MD_CTX* const context = fresh_context();
    if (::EVP_DigestUpdate(context, bytes.data(), bytes.size()) != 1 ||
        ::EVP_DigestFinal_ex(context, digest.data(), &size) != 1)
        throw std::bad_alloc();
    std::string text;
    text.reserve(2 * std::size_t{size});
    for (unsigned i = 0; i < size; ++i) {
        text += kDigits[digest[i] >> 4U];
        text += kDigits[digest[i] & 0xFU];
    }
    return text;
}

}  // namespace fixaccel
