# SPDX-License-Identifier: Apache-2.0
"""Takes the dictionary of FIX 4.4 out of the package that ships it, with its licence, into build/dictionary.

The simulator's sessions validate messages by it. It is QuickFIX's, under QuickFIX's licence, and so no file of this
repository; Debian's packages of QuickFIX leave it out. Nothing is done where it is there already; exit status 1 and
what to do where it cannot be had.
"""

import subprocess
import sys
import tarfile
import tempfile
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "build" / "dictionary" / "FIX44.xml"
LICENCE = TARGET.with_name("LICENSE")
NAME, VERSION = "quickfix", "1.16.0"
SOURCE_SHA256 = "825aceb72cfd69c30fbbf5b380b66f464abe1fe3188374f13d8c9987dd8eb4e9"
DICTIONARY_SHA256 = "a82655b54363aa9c6d1b2f21f294f1198c0d7125d7b44c26d93d3179f3358425"


class DictionaryError(Exception):
    """The dictionary cannot be had; the text says why."""


def download(folder: Path) -> Path:
    """The package's source, checked by pip against its hash. Raises DictionaryError."""
    wanted = folder / "requirements.txt"
    wanted.write_text(f"{NAME}=={VERSION} --hash=sha256:{SOURCE_SHA256}\n")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    options = ["--no-binary", NAME, "--require-hashes", "--dest", str(folder), "--requirement", str(wanted)]
    try:
        done = subprocess.run([*pip, *options], capture_output=True, text=True, check=False, timeout=300)
    except subprocess.TimeoutExpired:
        raise DictionaryError("pip took longer than five minutes") from None
    source = folder / f"{NAME}-{VERSION}.tar.gz"
    if done.returncode or not source.exists():
        raise DictionaryError(f"pip could not fetch {NAME} {VERSION}:\n{done.stderr.strip()}")
    return source


def member_of(source: Path, name: str) -> bytes:
    """A file of the package. Raises DictionaryError."""
    with tarfile.open(source) as archive:
        try:
            member = archive.extractfile(f"{NAME}-{VERSION}/{name}")
        except KeyError:
            member = None
        if member is None:
            raise DictionaryError(f"{source.name} has no {name}")
        return member.read()


def dictionary_of(source: Path) -> bytes:
    """The dictionary of the package. Raises DictionaryError."""
    text = member_of(source, f"spec/{TARGET.name}")
    if sha256(text).hexdigest() != DICTIONARY_SHA256:
        raise DictionaryError(f"spec/{TARGET.name} of {source.name} is not the one that is known")
    return text


def put(text: bytes, place: Path) -> None:
    """All of it, or what was there before."""
    part = place.with_suffix(".part")
    part.write_bytes(text)
    part.replace(place)


def main() -> int:
    """Returns the exit code."""
    if LICENCE.exists() and TARGET.exists() and sha256(TARGET.read_bytes()).hexdigest() == DICTIONARY_SHA256:
        return 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            source = download(Path(folder))
            text, licence = dictionary_of(source), member_of(source, LICENCE.name)
    except DictionaryError as error:
        print(
            f"dictionary: {error}\n"
            f"  help: with the network there, run this again, or put QuickFIX's {TARGET.name} at "
            f"{TARGET.relative_to(ROOT)} yourself",
            file=sys.stderr,
        )
        return 1
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    put(text, TARGET)
    put(licence, LICENCE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
