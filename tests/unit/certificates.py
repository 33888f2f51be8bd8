# SPDX-License-Identifier: Apache-2.0
"""Certificates of a scratch CA, made with the commands of docs/howto/tls.md."""

import subprocess
from pathlib import Path

_EC = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


def _openssl(folder: Path, *words: str) -> None:
    done = subprocess.run(["openssl", *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def make_ca(folder: Path, name: str = "ca") -> Path:
    """NAME.crt and NAME.key; the path of the certificate."""
    _openssl(
        folder, "req", "-x509", *_EC, "-keyout", f"{name}.key", "-out", f"{name}.crt", "-days", "2",
        "-subj", f"/CN={name}", "-addext", "keyUsage=critical,keyCertSign,cRLSign",
    )  # fmt: skip
    return folder / f"{name}.crt"


def issue(folder: Path, name: str, names: str, usage: str = "clientAuth", *, ca: str = "ca", days: int = 1) -> Path:
    """NAME.crt and NAME.key, signed by ``ca``; negative ``days``: it has expired. The path without its ending."""
    _openssl(folder, "req", "-new", *_EC, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
    (folder / f"{name}.ext").write_text(f"subjectAltName={names}\nextendedKeyUsage={usage}\n", encoding="utf-8")
    _openssl(
        folder, "x509", "-req", "-in", f"{name}.csr", "-CA", f"{ca}.crt", "-CAkey", f"{ca}.key", "-days", str(days),
        "-extfile", f"{name}.ext", "-out", f"{name}.crt",
    )  # fmt: skip
    return folder / name
