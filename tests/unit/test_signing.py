# SPDX-License-Identifier: Apache-2.0
"""Keys, signatures and what they cover; that the daemon agrees is shown in tests/e2e/test_signed.py."""

import json
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from fixaccel.cli.main import cli
from fixaccel.signing import SIGNATURES, SigningError, check, make_key, public_key, sign, signers


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    folder = tmp_path / "bundle"
    (folder / "image").mkdir(parents=True)
    (folder / "image" / "a.bin").write_bytes(b"words")
    manifest(folder, "image/a.bin")
    return folder


def manifest(folder: Path, *names: str) -> None:
    files = {name: {"sha256": sha256((folder / name).read_bytes()).hexdigest()} for name in names}
    (folder / "manifest.json").write_text(json.dumps({"files": files}))


@pytest.fixture
def anna(tmp_path: Path) -> Path:
    make_key(tmp_path / "anna")
    return tmp_path / "anna"


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    make_key(tmp_path / "bert")
    return tmp_path / "bert"


def public(file: Path) -> str:
    return public_key(Path(f"{file}.pub")).bytes.hex()


def run(*words: object, typed: str | None = None) -> tuple[int, str]:
    result = CliRunner().invoke(cli, [str(word) for word in words], input=typed)
    return result.exit_code, result.output


def test_two_sign_one_after_the_other(bundle, anna, bert):
    assert run("verify", bundle) == (0, "the bundle is as it was compiled, and nobody has signed it\n")
    assert run("sign", bundle, "--key", anna) == (0, "signed, 1 signature now\n")
    assert run("sign", bundle, "--key", anna) == (0, "signed, 1 signature now\n"), "the same key counts once"
    code, text = run("verify", bundle, "--key", f"{anna}.pub", "--key", f"{bert}.pub")
    assert (code, "signed by anna\n" in text, "bert has not signed it" in text) == (1, True, True)
    assert run("sign", bundle, "--key", bert) == (0, "signed, 2 signatures now\n")
    assert signers(bundle) == [public(anna), public(bert)]
    code, text = run("verify", bundle, "--key", f"{anna}.pub")
    assert (code, text) == (0, f"the bundle is as it was compiled\nsigned by anna\nsigned by key {public(bert)}\n")


def test_what_was_changed_is_found(bundle, anna):
    sign(bundle, anna)
    file = bundle / "image" / "a.bin"
    file.write_bytes(b"other")
    with pytest.raises(SigningError, match=r"image/a.bin is not as the manifest says"):
        signers(bundle)
    with pytest.raises(SigningError, match=r"image/a.bin is not as the manifest says"):
        sign(bundle, anna)
    manifest(bundle, "image/a.bin")
    with pytest.raises(SigningError, match="is not of this manifest: the bundle was changed since"):
        signers(bundle)
    assert sign(bundle, anna) == 1
    assert signers(bundle) == [public(anna)]


def test_a_signature_of_another_bundle_goes_when_it_is_signed_anew(bundle, anna, bert):
    sign(bundle, bert)
    (bundle / "image" / "a.bin").write_bytes(b"other")
    manifest(bundle, "image/a.bin")
    assert sign(bundle, anna) == 1
    assert signers(bundle) == [public(anna)]


def test_what_no_signature_would_cover_is_refused(bundle, anna):
    (bundle / "client").mkdir()
    (bundle / "client" / "quickfix.cfg").write_text("x")
    with pytest.raises(SigningError, match=r"does not name client/quickfix.cfg, so no signature would cover it"):
        sign(bundle, anna)


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd"])
def test_a_manifest_names_files_of_the_bundle_only(bundle, name):
    (bundle / "manifest.json").write_text(json.dumps({"files": {name: {"sha256": ""}}}))
    with pytest.raises(SigningError, match="outside the bundle"):
        check(bundle)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"files": 3}', '{"files": {"a": 3}}'])
def test_a_manifest_that_is_none(bundle, text):
    (bundle / "manifest.json").write_text(text)
    with pytest.raises(SigningError, match=r"manifest.json is not understood"):
        check(bundle)


@pytest.mark.parametrize("text", ["", "[]", '{"signatures": 3}', '{"signatures": [3]}'])
def test_signatures_that_are_none(bundle, anna, text):
    (bundle / SIGNATURES).write_text(text)
    with pytest.raises(SigningError, match="take it away and sign anew"):
        sign(bundle, anna)


def test_a_folder_that_is_no_bundle(tmp_path, anna):
    assert run("sign", tmp_path, "--key", anna) == (
        1,
        f"Error: {tmp_path} is no bundle: it has no manifest.json\n",
    )


def test_a_key_is_for_its_owner_alone_and_never_written_over(tmp_path, anna):
    assert anna.stat().st_mode & 0o777 == 0o600
    before = anna.read_bytes()
    code, text = run("keygen", anna)
    assert (code, "is there already" in text, anna.read_bytes()) == (1, True, before)
    Path(f"{anna}.pub").rename(tmp_path / "carl.pub")
    with pytest.raises(SigningError, match=r"carl.pub is there already"):
        make_key(tmp_path / "carl")
    assert not (tmp_path / "carl").exists()


def test_a_passphrase(tmp_path, bundle):
    code, _ = run("keygen", tmp_path / "dora", "--passphrase", typed="secret\nsecret\n")
    assert code == 0
    assert run("sign", bundle, "--key", tmp_path / "dora", typed="wrong\n")[0] == 1
    assert run("sign", bundle, "--key", tmp_path / "dora", typed="secret\n")[0] == 0
    assert signers(bundle) == [public(tmp_path / "dora")]


def test_keys_that_are_none(tmp_path, bundle, anna):
    other = tmp_path / "rsa"
    subprocess.run(["openssl", "genpkey", "-algorithm", "x25519", "-out", str(other)], check=True, capture_output=True)
    for file, why in ((other, "is no Ed25519 key"), (Path(f"{anna}.pub"), "is no private key in PEM")):
        with pytest.raises(SigningError, match=why):
            sign(bundle, file)
    for file in (other, anna):
        with pytest.raises(SigningError, match="is no public Ed25519 key in PEM"):
            public_key(file)


def test_openssl_makes_the_same_keys(tmp_path, bundle):
    key, pub = tmp_path / "key", tmp_path / "key.pub"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(key)], check=True, capture_output=True)
    subprocess.run(["openssl", "pkey", "-in", str(key), "-pubout", "-out", str(pub)], check=True)
    sign(bundle, key)
    assert signers(bundle) == [public_key(pub).bytes.hex()]
