// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/sha256.hpp"

#include <openssl/sha.h>

#include <array>

namespace fixaccel {

// OpenSSL would rather have EVP called, which takes memory for each digest: records of the journal are hashed
// on the way of an order.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

std::string sha256_hex(std::string_view bytes) {
    std::string text;
    sha256_hex(bytes, text);
    return text;
}

void sha256_hex(std::string_view bytes, std::string& text) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256_CTX context;
    ::SHA256_Init(&context);
    ::SHA256_Update(&context, bytes.data(), bytes.size());
    ::SHA256_Final(digest.data(), &context);
    text.clear();
    text.reserve(2 * digest.size());
    for (const unsigned char byte : digest) {
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 0xFU];
    }
}

#pragma GCC diagnostic pop

}  // namespace fixaccel
