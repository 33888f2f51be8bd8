# SPDX-License-Identifier: Apache-2.0
"""Signatures of bundles: Ed25519 over the manifest, which has the SHA-256 of every other file."""

import json
import os
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from fixaccel.emit.bundle import MANIFEST, SIGNATURES, strange_files
from fixaccel.files import write_atomically

# Before the manifest: a signature of anything else that such a key has signed is none of a bundle.
_DOMAIN = b"fixaccel bundle 1\n"
_MOST = 64


class SigningError(Exception):
    """A key, a bundle or a signature that is none; the text says which and why."""


@dataclass(frozen=True)
class Key:
    """A key that verifies, and what the daemon calls it."""

    name: str
    bytes: bytes


def make_key(file: Path, passphrase: str = "") -> Path:
    """Writes a new private key to ``file`` and its public one beside it, whose path it returns. Never over another.

    Raises SigningError, OSError.
    """
    public = Path(f"{file}.pub")
    for path in (file, public):
        if path.exists():
            raise SigningError(f"{path} is there already: a key is not written over")
    key = Ed25519PrivateKey.generate()
    secret = BestAvailableEncryption(passphrase.encode()) if passphrase else NoEncryption()
    text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, secret)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(text)
    with public.open("xb") as out:
        out.write(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return public


def is_encrypted(file: Path) -> bool:
    """Whether the private key needs a passphrase. Raises OSError."""
    return b"ENCRYPTED" in file.read_bytes()


def public_key(file: Path) -> Key:
    """A public key, named by its file. Raises SigningError, OSError."""
    try:
        key = load_pem_public_key(file.read_bytes())
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise SigningError(f"{file} is no public Ed25519 key in PEM; `fixaccel keygen` makes one")
    return Key(file.name.removesuffix(".pub"), _raw(key))


def sign(bundle: Path, key_file: Path, passphrase: str = "") -> int:
    """Adds a signature by ``key_file`` to ``bundle``, in place of one by the same key; returns how many it has now.

    The bundle is checked first: what is signed is all that is in it. Raises SigningError, OSError.
    """
    manifest = check(bundle)
    key = _private_key(key_file, passphrase)
    mine = _raw(key.public_key()).hex()
    # What does not hold for this manifest was made for another bundle that was here.
    kept = [entry for entry in _read(bundle) if entry["key"] != mine and _holds(entry, manifest)]
    found = [*kept, {"key": mine, "signature": key.sign(_DOMAIN + manifest).hex()}]
    text = json.dumps({"signatures": found}, indent=1) + "\n"
    write_atomically(bundle / SIGNATURES, text.encode("ascii"))
    return len(found)


def signers(bundle: Path) -> list[str]:
    """Public keys, in hexadecimal digits, of the signatures that hold. Raises SigningError, OSError."""
    manifest = check(bundle)
    found = _read(bundle)
    if wrong := [entry["key"] for entry in found if not _holds(entry, manifest)]:
        raise SigningError(
            f"{bundle}: the signature of key {wrong[0]} is not of this manifest: the bundle was changed since"
        )
    return list(dict.fromkeys(entry["key"] for entry in found))


def check(bundle: Path) -> bytes:
    """The manifest, once all that it names is as it says and nothing else lies there. Raises SigningError, OSError."""
    try:
        manifest = (bundle / MANIFEST).read_bytes()
        files: dict[str, dict[str, Any]] = json.loads(manifest)["files"]
        named = {name: str(entry["sha256"]) for name, entry in files.items()}
    except FileNotFoundError:
        raise SigningError(f"{bundle} is no bundle: it has no {MANIFEST}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise SigningError(f"{bundle}: {MANIFEST} is not understood; compile the strategy again") from None
    for name, digest in named.items():
        if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
            raise SigningError(f"{bundle}: the manifest names '{name}', which is outside the bundle")
        path = bundle / name
        if not path.is_file() or sha256(path.read_bytes()).hexdigest() != digest:
            raise SigningError(f"{bundle}: {name} is not as the manifest says; compile the strategy again")
    if strange := strange_files(bundle, named):
        raise SigningError(f"{bundle}: the manifest does not name {strange[0]}, so no signature would cover it")
    return manifest


def _private_key(file: Path, passphrase: str) -> Ed25519PrivateKey:
    try:
        key = load_pem_private_key(file.read_bytes(), passphrase.encode() if passphrase else None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        why = "the passphrase is wrong, or it is damaged" if passphrase else "it is no private key in PEM"
        raise SigningError(f"{file} cannot be used: {why}") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise SigningError(f"{file} is no Ed25519 key; `fixaccel keygen` makes one")
    return key


def _raw(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def _read(bundle: Path) -> list[dict[str, str]]:
    """The entries of the file of signatures; none where there is no such file."""
    try:
        found = json.loads((bundle / SIGNATURES).read_bytes())["signatures"]
        assert isinstance(found, list)
        assert len(found) < _MOST
        return [{"key": str(one["key"]), "signature": str(one["signature"])} for one in found]
    except FileNotFoundError:
        return []
    except (ValueError, KeyError, TypeError, AssertionError):
        raise SigningError(f"{bundle}: {SIGNATURES} is not understood; take it away and sign anew") from None


def _holds(entry: dict[str, str], manifest: bytes) -> bool:
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(entry["key"]))
        key.verify(bytes.fromhex(entry["signature"]), _DOMAIN + manifest)
    except (ValueError, InvalidSignature):
        return False
    return True
