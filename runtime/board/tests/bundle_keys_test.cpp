// SPDX-License-Identifier: Apache-2.0
// Whose signature a bundle needs. That Python signs what this verifies is shown in tests/e2e/test_signed.py.
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "bundle_fixture.hpp"

namespace fixaccel::test {
namespace {

std::string hex(const std::string& bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        text += kDigits[static_cast<unsigned char>(c) >> 4U];
        text += kDigits[static_cast<unsigned char>(c) & 0xFU];
    }
    return text;
}

// Somebody of the desk.
class Signer {
  public:
    explicit Signer(char seed) {
        const std::string secret(32, seed);
        key_ = ::EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr,
                                              reinterpret_cast<const unsigned char*>(secret.data()), 32);
        unsigned char raw[32];
        std::size_t size = sizeof raw;
        ::EVP_PKEY_get_raw_public_key(key_, raw, &size);
        bytes_.assign(reinterpret_cast<const char*>(raw), size);
    }
    Signer(const Signer&) = delete;
    Signer& operator=(const Signer&) = delete;
    ~Signer() { ::EVP_PKEY_free(key_); }

    BundleKey key(const std::string& name) const { return {name, bytes_}; }
    json sign(const std::string& manifest, const std::string& domain = "fixaccel bundle 1\n") const {
        const std::string text = domain + manifest;
        EVP_MD_CTX* const context = ::EVP_MD_CTX_new();
        unsigned char signature[64];
        std::size_t size = sizeof signature;
        EXPECT_EQ(::EVP_DigestSignInit(context, nullptr, nullptr, nullptr, key_), 1);
        EXPECT_EQ(::EVP_DigestSign(context, signature, &size,
                                   reinterpret_cast<const unsigned char*>(text.data()), text.size()),
                  1);
        ::EVP_MD_CTX_free(context);
        return {{"key", hex(bytes_)},
                {"signature", hex(std::string(reinterpret_cast<char*>(signature), size))}};
    }
    std::string pem(bool secret) const {
        BIO* const bio = ::BIO_new(BIO_s_mem());
        secret ? ::PEM_write_bio_PrivateKey(bio, key_, nullptr, nullptr, 0, nullptr, nullptr)
               : ::PEM_write_bio_PUBKEY(bio, key_);
        char* text = nullptr;
        const long size = ::BIO_get_mem_data(bio, &text);
        std::string out(text, static_cast<std::size_t>(size));
        ::BIO_free(bio);
        return out;
    }

  private:
    EVP_PKEY* key_;
    std::string bytes_;
};

class BundleKeysTest : public BundleTest {
  protected:
    std::string text() { return manifest.dump(); }
    void sign(const std::vector<json>& entries) {
        directory.write("signatures.json", json{{"signatures", entries}}.dump());
    }
    std::string refusal(std::size_t needed = 1) {
        try {
            signed_by_ =
                read_bundle(directory.path(), {{anna_.key("anna"), bert_.key("bert")}, needed}).signed_by;
            return "accepted";
        } catch (const BundleError& error) {
            return error.what();
        }
    }

    Signer anna_{'a'}, bert_{'b'}, mallory_{'m'};
    std::vector<std::string> signed_by_;
};

TEST_F(BundleKeysTest, OneOfTheDeskHasToSign) {
    EXPECT_REFUSED(refusal(), "it is not signed; `fixaccel sign BUNDLE --key FILE` signs it");
    sign({mallory_.sign(text())});
    EXPECT_REFUSED(refusal(), "none of its 1 signatures is of a key of this desk");
    sign({mallory_.sign(text()), bert_.sign(text())});
    EXPECT_EQ(refusal(), "accepted");
    EXPECT_EQ(signed_by_, std::vector<std::string>{"bert"});
    sign(std::vector<json>{});
    EXPECT_REFUSED(refusal(), "none of its 0 signatures");
}

TEST_F(BundleKeysTest, TwoOfTheDeskAreTwoPeople) {
    sign({anna_.sign(text()), anna_.sign(text())});
    EXPECT_REFUSED(refusal(2), "it is signed by anna alone, and 2 of the desk have to");
    sign({anna_.sign(text()), mallory_.sign(text())});
    EXPECT_REFUSED(refusal(2), "anna alone");
    sign({bert_.sign(text()), anna_.sign(text())});
    EXPECT_EQ(refusal(2), "accepted");
    EXPECT_EQ(signed_by_, (std::vector<std::string>{"anna", "bert"}));
}

TEST_F(BundleKeysTest, EveryFileIsLookedAtAhead) {
    const auto unread = [&](std::size_t needed) {
        BundleReader reader({{anna_.key("anna")}, needed});
        return reader.read(directory.path(), Looks::ahead).unread.files.size();
    };
    add_file("report.md", "a report");
    save();
    sign({anna_.sign(text())});
    EXPECT_EQ(unread(0), 1U) << "nobody has to have signed it";
    EXPECT_EQ(unread(1), 0U);
}

TEST_F(BundleKeysTest, ASignatureIsOfThisManifest) {
    sign({anna_.sign(text())});
    const std::string before = text();
    manifest["strategy"] = "another";
    save();
    EXPECT_REFUSED(refusal(), "the signature of anna is not of this manifest");
    sign({anna_.sign(text()), bert_.sign(before)});
    EXPECT_REFUSED(refusal(), "the signature of bert is not of this manifest");
    // The same bytes, signed for another purpose.
    sign({anna_.sign(text(), "")});
    EXPECT_REFUSED(refusal(), "the signature of anna");
    json forged = mallory_.sign(text());
    forged["key"] = anna_.sign(text())["key"];
    sign({forged});
    EXPECT_REFUSED(refusal(), "the signature of anna");
}

TEST_F(BundleKeysTest, AFileThatWasChangedIsRefusedThoughTheManifestIsSigned) {
    sign({anna_.sign(text())});
    EXPECT_EQ(refusal(), "accepted");
    directory.write(kRules, "others");
    EXPECT_REFUSED(refusal(), "the manifest says");
}

TEST_F(BundleKeysTest, SignaturesAreLookedAtBeforeTheManifestIs) {
    directory.write("manifest.json", "{");
    sign({mallory_.sign("{")});
    EXPECT_REFUSED(refusal(), "none of its 1 signatures");
}

TEST_F(BundleKeysTest, DamagedSignaturesAreRefused) {
    const json good = anna_.sign(text());
    for (const char* const key : {"key", "signature"}) {
        json entry = good;
        entry[key] = "00";
        sign({entry});
        EXPECT_REFUSED(refusal(), "signatures.json is not understood");
        entry[key] = std::string(good[key].get<std::string>().size(), 'G');
        sign({entry});
        EXPECT_REFUSED(refusal(), "signatures.json is not understood");
        entry.erase(key);
        sign({entry});
        EXPECT_REFUSED(refusal(), "signatures.json is not understood");
    }
    for (const char* const file : {"", "{", "[]", R"({"signatures": 3})", R"({"signatures": [3]})"}) {
        directory.write("signatures.json", file);
        EXPECT_REFUSED(refusal(), "signatures.json is not understood");
    }
    sign(std::vector<json>(65, good));
    EXPECT_REFUSED(refusal(), "signatures.json is not understood");
}

// They count where nobody has to sign, too.
TEST_F(BundleKeysTest, SettingsAreThoseOfTheManifest) {
    add_file("client/quickfix.cfg", "[SESSION]");
    save();
    EXPECT_EQ(read().client.at("client/quickfix.cfg"), "[SESSION]");
    directory.write("client/fixacceld.toml", "");
    EXPECT_REFUSED(BundleTest::refusal(), "the manifest does not name client/fixacceld.toml");
}

TEST_F(BundleKeysTest, KeysAreRead) {
    const auto wrong = [&](const std::string& name, const std::string& bytes) -> std::string {
        directory.write(name, bytes);
        try {
            return "accepted: " + read_bundle_key(directory.path() / name).name;
        } catch (const SignatureError& error) {
            return error.what();
        }
    };
    EXPECT_EQ(wrong("anna.pub", anna_.pem(false)), "accepted: anna");
    EXPECT_EQ(read_bundle_key(directory.path() / "anna.pub").bytes, anna_.key("").bytes);
    EXPECT_EQ(wrong("carl.pem", bert_.pem(false)), "accepted: carl.pem");
    EXPECT_REFUSED(wrong("anna", anna_.pem(true)), "is a private key: the daemon is given the public one");
    EXPECT_REFUSED(wrong("none.pub", "no key"), "is no public Ed25519 key in PEM");
    EXPECT_REFUSED(wrong("none.pub", ""), "is no public Ed25519 key in PEM");
    EXPECT_THROW(read_bundle_key(directory.path() / "missing"), SignatureError);
}

}  // namespace
}  // namespace fixaccel::test
