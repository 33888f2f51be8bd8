# SPDX-License-Identifier: Apache-2.0
"""`fixaccel bus init`: keys, certificates and a first file of a site."""

import datetime as dt
import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import nkeys
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from fixaccel.bus.rights import RELAY
from fixaccel.bus.site_file import ADMIN

FILE = "bus.yaml"
_YEARS = 2


class StartError(Exception):
    """The site cannot be begun there; the text says why."""


@dataclass(frozen=True)
class Asked:
    """A site to begin. ``readers`` get live quotes and all events of all boards; the file is there to be changed."""

    site: str
    server: str
    boards: Sequence[str]
    readers: Sequence[str]

    @property
    def tls(self) -> bool:
        return self.server.startswith("tls:")


def key_path(folder: Path, principal: str) -> Path:
    """Where the seed of a principal lies."""
    return folder / "keys" / f"{principal}.nk"


def begin(folder: Path, asked: Asked) -> list[Path]:
    """Makes all files of the site; never over others. Raises StartError, OSError."""
    if (folder / FILE).exists():
        raise StartError(f"{folder / FILE} is there already: a site is not begun twice")
    (folder / "keys").mkdir(parents=True, exist_ok=True)
    made = []
    keys = {}
    for principal in (ADMIN, *(RELAY + board for board in asked.boards), *asked.readers):
        keys[principal] = make_key(key_path(folder, principal))
        made.append(key_path(folder, principal))
    if asked.tls:
        made += _certificates(folder / "tls", asked.server)
    _write(folder / FILE, _text(asked, keys).encode(), 0o644)
    return [*made, folder / FILE]


def make_key(file: Path) -> str:
    """Writes a new seed with its public key below it, for its owner alone; returns that key. Raises StartError."""
    pair = nkeys.from_seed(nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER))
    public: str = pair.public_key.decode()
    _write(file, bytes(pair.seed) + b"\n" + public.encode() + b"\n", 0o600)
    return public


def _write(file: Path, data: bytes, mode: int) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError as error:
        raise StartError(f"{file} is there already: a key is not written over") from error
    with os.fdopen(descriptor, "wb") as out:
        out.write(data)


def _text(asked: Asked, keys: dict[str, str]) -> str:
    lines = ["fixaccel-bus: 1", f"site: {asked.site}", f"servers: ['{asked.server}']"]
    if not asked.tls:
        lines.append("insecure: loopback")
    lines += ["retention: {events: 9600h}", f"admin: {{key: {keys[ADMIN]}}}", "boards:"]
    lines += [f"  {board}: {{key: {keys[RELAY + board]}}}" for board in asked.boards]
    if asked.readers:
        lines.append("readers:")
    lines += [
        f"  {reader}: {{role: view, key: {keys[reader]}, boards: all, quotes: live, events: {{kinds: all}}}}"
        for reader in asked.readers
    ]
    return "\n".join(lines) + "\n"


def _certificates(folder: Path, server: str) -> list[Path]:
    """A CA of the site, and a certificate of its server."""
    host = server.partition("://")[2].rpartition(":")[0].strip("[]")
    ca_key, key = generate_private_key(SECP256R1()), generate_private_key(SECP256R1())
    ca_name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "fixaccel bus CA")])
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host[:64])])
    try:
        other: x509.GeneralName = x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        other = x509.DNSName(host)
    ca = (
        _builder(ca_name, ca_name, ca_key)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(ca_key, SHA256())
    )
    own = (
        _builder(name, ca_name, key)
        .add_extension(x509.SubjectAlternativeName([other]), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(ca_key, SHA256())
    )
    files = {
        "ca.key": (_pem(ca_key), 0o600),
        "ca.crt": (ca.public_bytes(Encoding.PEM), 0o644),
        "server.key": (_pem(key), 0o600),
        "server.crt": (own.public_bytes(Encoding.PEM), 0o644),
    }
    for file, (data, mode) in files.items():
        _write(folder / file, data, mode)
    return [folder / file for file in files]


def _builder(subject: x509.Name, issuer: x509.Name, key: EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(minutes=5))
        .not_valid_after(now + dt.timedelta(days=365 * _YEARS))
    )


def _pem(key: EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
