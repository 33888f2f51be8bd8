# SPDX-License-Identifier: Apache-2.0
"""`fixaccel count --cluster` with real workers: processes of this machine, and a scheduler behind TLS."""

import datetime as dt
import ipaddress
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from day_files import DayFile, strategy_in
from distributed import LocalCluster, Security

from fixaccel.cli.main import cli
from fixaccel.cluster import connect
from fixaccel.native.library import LIBRARY_VARIABLE, find_library

pytestmark = [
    pytest.mark.slow,
    # Of the library's own sockets, while it looks for free ports.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:::distributed"),
]

_HOURS = [[1, 2, 25, 26, 49], [50, 73], [97, 98]]


@pytest.fixture
def events(tmp_path: Path) -> list[Path]:
    files = [
        DayFile([(hour, "MSFT", "last", 99 if hour % 2 else 101) for hour in hours], group_rows=2) for hours in _HOURS
    ]
    return [file.write(tmp_path, number) for number, file in enumerate(files)]


@pytest.fixture
def strategy(tmp_path: Path) -> Path:
    return strategy_in(tmp_path)


def count(strategy: Path, events: list[Path], *options: object) -> Result:
    places = [word for path in events for word in ("--events", path)]
    return CliRunner().invoke(cli, ["count", *map(str, [strategy, *places, *options])])


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an authority, and a certificate of it for both sides."""
    folder = tmp_path_factory.mktemp("tls")
    now = dt.datetime.now(dt.UTC)

    def made(name: str, signer: ec.EllipticCurvePrivateKey | None, *, authority: bool) -> ec.EllipticCurvePrivateKey:
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "ca")])
        loopback = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        certificate = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(issuer)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(minutes=5))
            .not_valid_after(now + dt.timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(loopback, critical=False)
            .sign(signer or key, hashes.SHA256())
        )
        (folder / f"{name}.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        (folder / f"{name}.key").write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return key

    made("me", made("ca", None, authority=True), authority=False)
    made("ca-of-others", None, authority=True)
    return folder


@pytest.fixture(scope="module")
def scheduler(tls: Path) -> Iterator[LocalCluster]:
    """A cluster that was there before, with two workers."""
    files = {"tls_ca_file": tls / "ca.pem", "require_encryption": True}
    files |= {f"tls_{who}_cert": tls / "me.pem" for who in ("client", "worker", "scheduler")}
    files |= {f"tls_{who}_key": tls / "me.key" for who in ("client", "worker", "scheduler")}
    security = Security(**{name: str(file) if isinstance(file, Path) else file for name, file in files.items()})
    with LocalCluster(
        n_workers=2, threads_per_worker=1, memory_limit=0, dashboard_address=None, security=security,
        protocol="tls://", host="127.0.0.1",
    ) as cluster:  # fmt: skip
        yield cluster


def credentials(tls: Path, authority: str = "ca") -> list[object]:
    return ["--cert", tls / "me.pem", "--key", tls / "me.key", "--ca", tls / f"{authority}.pem"]


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_a_cluster_that_is_there_says_the_same_bytes(
    strategy: Path, events: list[Path], scheduler: LocalCluster, tls: Path, form: str
) -> None:
    alone = count(strategy, events, "--format", form)
    shared = count(strategy, events, "--format", form, "--cluster", scheduler.scheduler_address, *credentials(tls))
    assert (alone.exit_code, shared.exit_code) == (0, 0), shared.stderr
    assert (shared.stdout, shared.stderr) == (alone.stdout, alone.stderr)


def test_workers_of_this_machine_count_a_folder_and_go_on(strategy: Path, events: list[Path], tmp_path: Path) -> None:
    folder = tmp_path / "archive" / "tokyo"
    folder.mkdir(parents=True)
    for path in events:
        path.rename(folder / path.name)
    alone = count(strategy, [tmp_path / "archive"])
    options = ("--cluster", "local:2", "--checkpoint", tmp_path / "done")
    first = count(strategy, [tmp_path / "archive"], *options)
    lines = (tmp_path / "done").read_text(encoding="utf-8").splitlines()
    second = count(strategy, [tmp_path / "archive"], *options)
    assert alone.exit_code == first.exit_code == second.exit_code == 0, first.stderr + second.stderr
    assert alone.stdout == first.stdout == second.stdout
    assert len(lines) == 1 + 4, "the head, and a unit each: row groups of two days are one"
    assert (tmp_path / "done").read_text(encoding="utf-8").splitlines() == lines


def test_faults_are_told_as_without_it(strategy: Path, events: list[Path], scheduler: LocalCluster, tls: Path) -> None:
    wrong = events[0].with_name("wrong.csv")
    wrong.write_text("ts_ns,instrument,kind,bid,bid_size,ask,ask_size,last,last_size\nx,MSFT,,,,,,1,\n")
    alone = count(strategy, [*events, wrong])
    shared = count(strategy, [*events, wrong], "--cluster", scheduler.scheduler_address, *credentials(tls))
    assert (shared.exit_code, shared.stdout, shared.stderr) == (alone.exit_code, "", alone.stderr)
    assert shared.exit_code == 1


def test_a_worker_with_another_library_is_refused_by_name(
    strategy: Path, events: list[Path], scheduler: LocalCluster, tls: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.so"
    shutil.copyfile(find_library(), other)
    with other.open("ab") as file:
        file.write(b"\0")

    def named(path: str | None) -> None:
        os.environ.pop(LIBRARY_VARIABLE, None)
        if path:
            os.environ[LIBRARY_VARIABLE] = path

    from distributed import Client  # noqa: PLC0415

    with Client(scheduler) as client:
        worker = min(client.scheduler_info(n_workers=-1)["workers"])
        client.run(named, str(other), workers=[worker])
        try:
            refused = count(strategy, events, "--cluster", scheduler.scheduler_address, *credentials(tls))
        finally:
            client.run(named, os.environ.get(LIBRARY_VARIABLE), workers=[worker])
    assert refused.exit_code == 2
    (line,) = refused.stderr.splitlines()
    assert line.startswith(f"Error: worker {worker} has fixaccel ")
    assert "install the same package there" in line


def test_a_unit_that_ends_its_worker_three_times_ends_the_run_by_name(
    strategy: Path, events: list[Path], tmp_path: Path
) -> None:
    """A library that ends whoever loads it, in place of one that crashes over a file."""
    source = tmp_path / "ends.c"
    source.write_text("#include <unistd.h>\n__attribute__((constructor)) static void end(void) { _exit(1); }\n")
    library = tmp_path / "ends.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    command = [sys.executable, "-m", "fixaccel", "count", strategy, "--events", events[0], "--cluster", "local:1"]
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True, text=True, check=False, timeout=120, env=os.environ | {LIBRARY_VARIABLE: str(library)},
    )  # fmt: skip
    assert done.returncode == 2
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("Error"))
    assert line.startswith(f"Error: {events[0]}")
    assert "Traceback" not in done.stderr
    assert line.endswith("ended its worker 3 times")


def test_another_authority_is_refused(
    strategy: Path, events: list[Path], scheduler: LocalCluster, tls: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "_PATIENCE_S", 2)
    refused = count(
        strategy, events, "--cluster", scheduler.scheduler_address, *credentials(tls, authority="ca-of-others")
    )
    assert refused.exit_code == 2
    assert refused.stderr.startswith(f"Error: {scheduler.scheduler_address}: ")
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--cluster", "local:0"], "is no number of workers from 1 to 1024"),
        (["--cluster", "somewhere"], "is neither local, local:N nor tls://HOST:PORT"),
        (["--cluster", "tcp://127.0.0.1:8786"], "the scheduler has to speak tls://"),
        (["--cluster", "tls://127.0.0.1:8786"], "needs --cert, --key and --ca"),
        (["--checkpoint", "done"], "go with --cluster"),
        (["--cluster", "local", "--fresh", "never"], "one process does it"),
    ],
)
def test_what_cannot_be_is_said(strategy: Path, events: list[Path], options: list[str], said: str) -> None:
    refused = count(strategy, events, *options)
    assert refused.exit_code == 2
    assert said in refused.stderr.replace("\n", " ")


def test_a_folder_without_event_files_is_said(strategy: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "has no event file" in count(strategy, [tmp_path / "empty"]).stderr
    assert "no file fits" in count(strategy, [tmp_path / "*.parquet"]).stderr


def test_without_the_library_it_says_how_to_get_it(
    strategy: Path, events: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "fixaccel.cluster.connect", raising=False)
    monkeypatch.setitem(sys.modules, "distributed", None)
    refused = count(strategy, events, "--cluster", "local")
    assert refused.exit_code == 2
    assert refused.stderr == "Error: distributed is not installed: `pip install fixaccel[cluster]`\n"
