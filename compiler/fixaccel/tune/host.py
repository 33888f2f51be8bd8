# SPDX-License-Identifier: Apache-2.0
"""Where knobs live: the machine itself, or a made-up tree of files that stands for one."""

import errno
import os
import re
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from fixaccel.tune import units
from fixaccel.tune.catalogue import CPUSETS, FOLDER
from fixaccel.tune.forms import MADE, MISSING, as_kernel, stored
from fixaccel.tune.links import Links, NoSuchSettingError
from fixaccel.tune.settings_text import SettingsError, changed, value_of

CAP_NET_ADMIN = 12
SETTINGS = "etc/fixaccel/fixacceld.toml"
# What the kernel puts into a group that is made, by the version.
_NEW_GROUPS = {
    1: {"cgroup.procs": "", "cpuset.cpus": "\n", "cpuset.mems": "\n", "cpuset.cpu_exclusive": "0\n",
        "cpuset.sched_load_balance": "1\n"},
    2: {"cgroup.procs": "", "cpuset.cpus": "\n", "cpuset.cpus.partition": "member\n"},
}  # fmt: skip
_INITIAL_USERS = (0, 0, 4294967295)


class NotHereError(Exception):
    """There is no such thing on this machine; the text says what lacks it."""


class NeedsError(Exception):
    """It is there, and something is missing to write it; the text is that."""


class Host(ABC):
    """Reads and writes places, which are paths below its root as the catalogue has them."""

    def __init__(self, root: Path, settings: Path | None = None) -> None:
        self.root = root
        self.settings = settings or root / SETTINGS

    def path(self, place: str) -> Path:
        """The file of a place. Raises NotHereError for one that would lead out of the root."""
        path = self.root / place
        # Links inside of sysfs are many and good; one in a tree that leads out of it would write to this machine.
        inside = Path(os.path.realpath(path))
        if not inside.is_relative_to(os.path.realpath(self.root)) or ".." in PurePosixPath(place).parts:
            raise NotHereError(f"{place} leads out of {self.root}")
        return path

    def text(self, place: str) -> str | None:
        """What a file holds, None where it cannot be read."""
        try:
            return self.path(place).read_text(encoding="utf-8", errors="replace")
        except (OSError, NotHereError):
            return None

    def names(self, place: str) -> list[str]:
        """What a folder holds, nothing if there is none."""
        try:
            return sorted(os.listdir(self.path(place)), key=_by_number)  # noqa: PTH208 - names are wanted
        except (OSError, NotHereError):
            return []

    def matching(self, pattern: str) -> list[str]:
        """Places of files that fit, in the order of their numbers."""
        if not any(mark in pattern for mark in "*?["):
            return [pattern]
        found = (path.relative_to(self.root).as_posix() for path in self.root.glob(pattern))
        return sorted(found, key=_by_number)

    def read(self, place: str, form: str) -> str | None:
        """The value there, None for one that is not given. Raises NotHereError, NeedsError, OSError."""
        kind, _, rest = place.partition("/")
        if kind == "boot":
            return boot_options(self.text("proc/cmdline") or "").get(rest)
        if kind == "toml":
            return value_of(self._settings_text(), rest)
        if kind == "ethtool":
            return self._read_link(*rest.split("/", 2))
        if kind == "systemd":
            return self._unit(rest)
        if form == FOLDER:
            return MADE if self.path(place).is_dir() else MISSING
        return stored(form, self._read_file(place))

    def write(self, place: str, form: str, value: str | None) -> None:
        """Sets the value; None takes a setting out of the daemon's. Raises as `read` does."""
        kind, _, rest = place.partition("/")
        if kind == "toml":
            quoted = f'"{value}"' if form == "quoted" and value is not None and value[:1] not in {'"', "'"} else value
            try:
                changed(self.settings, rest, quoted)
            except SettingsError as error:
                raise NotHereError(str(error)) from error
            return
        assert value is not None
        if kind == "ethtool":
            interface, group, name = rest.split("/", 2)
            self._write_link(interface, group, name, value)
        elif kind == "systemd":
            self._switch_unit(rest, value)
        elif form == FOLDER:
            (self._make_group if value == MADE else self._remove_group)(self.path(place))
        else:
            self._write_file(place, form, value)

    def lacks(self, place: str) -> str:
        """What is missing to write there, by `access`, before it is tried; empty where nothing is known to be."""
        kind = place.partition("/")[0]
        path = self.settings if kind == "toml" else self.path(place)
        if kind == "ethtool":
            return self._lacks_for_links(place)
        if kind == "systemd":
            return self._lacks_for_units(place)
        while not path.exists():
            # A group that is to be made.
            path = path.parent
        if kind == "toml":
            # The file is replaced, which is a matter of its folder.
            path = path.parent
        if os.access(path, os.W_OK):
            return ""
        return f"a writable /{kind}" if _is_read_only(path) else "permission"

    def _read_file(self, place: str) -> str:
        path = self.path(place)
        try:
            return path.read_text(encoding="utf-8")
        except FileNotFoundError as error:
            raise NotHereError(f"/{place} is not there") from error
        except PermissionError as error:
            raise NeedsError("permission to read it") from error
        except (UnicodeDecodeError, OSError) as error:
            # Such as cpufreq files of a core that is offline.
            raise NotHereError(f"/{place} cannot be read: {error}") from error

    def _unit(self, name: str) -> str:
        if not (self.root / units.RUNS).is_dir():
            raise NotHereError("systemd does not run this machine")
        state = self._unit_state(name)
        if state is None:
            raise NotHereError(f"there is no {name}")
        return state

    def _settings_text(self) -> str:
        try:
            return self.settings.read_text(encoding="utf-8")
        except FileNotFoundError as error:
            raise NotHereError(f"{self.settings} is not there") from error
        except PermissionError as error:
            raise NeedsError("permission to read the daemon's settings") from error

    @property
    @abstractmethod
    def namespace(self) -> str:
        """What tells this network namespace from others."""

    @property
    @abstractmethod
    def is_initial(self) -> bool:
        """Whether it is the machine's own network, not a namespace that was made."""

    @abstractmethod
    def _read_link(self, interface: str, group: str, name: str) -> str: ...
    @abstractmethod
    def _write_link(self, interface: str, group: str, name: str, value: str) -> None: ...
    @abstractmethod
    def _write_file(self, place: str, form: str, value: str) -> None: ...
    @abstractmethod
    def _lacks_for_links(self, place: str) -> str: ...
    @abstractmethod
    def _unit_state(self, name: str) -> str | None: ...
    @abstractmethod
    def _switch_unit(self, name: str, value: str) -> None: ...
    @abstractmethod
    def _lacks_for_units(self, place: str) -> str: ...
    @abstractmethod
    def _make_group(self, path: Path) -> None: ...
    @abstractmethod
    def _remove_group(self, path: Path) -> None: ...


class Machine(Host):
    """This machine, as seen from the network namespace of this process."""

    def __init__(self, settings: Path | None = None) -> None:
        super().__init__(Path("/"), settings)
        self._links = Links()

    @property
    def namespace(self) -> str:
        """The inode of the namespace."""
        return str(Path("/proc/self/ns/net").stat().st_ino)

    @property
    def is_initial(self) -> bool:
        """Settings that are not a namespace's own are shown in the initial one alone."""
        return Path("/proc/sys/net/core/dev_weight").exists()

    def path(self, place: str) -> Path:
        """Also refuses interfaces of another namespace: a sysfs shows the one in which it was mounted."""
        parts = PurePosixPath(place).parts
        if parts[:3] == ("sys", "class", "net") and len(parts) > 3 and not self._links.is_own(parts[3]):
            raise NotHereError(f"/sys is of another network namespace, or there is no {parts[3]}: mount one of its own")
        return super().path(place)

    def _read_link(self, interface: str, group: str, name: str) -> str:
        try:
            return self._links.read(interface, group, name)
        except NoSuchSettingError as error:
            raise NotHereError(str(error)) from error

    def _write_link(self, interface: str, group: str, name: str, value: str) -> None:
        self._links.write(interface, group, name, value)

    def _write_file(self, place: str, form: str, value: str) -> None:  # noqa: ARG002 - of trees
        # Unbuffered, in one call: the kernel takes each write for a value.
        descriptor = os.open(self.path(place), os.O_WRONLY)
        try:
            os.write(descriptor, f"{value}\n".encode())
        finally:
            os.close(descriptor)

    def _lacks_for_links(self, place: str) -> str:  # noqa: ARG002 - of trees
        status = self.text("proc/self/status") or ""
        found = re.search(r"^CapEff:\s*([0-9a-f]+)$", status, re.MULTILINE)
        return "" if found and int(found[1], 16) >> CAP_NET_ADMIN & 1 else "CAP_NET_ADMIN"

    def _unit_state(self, name: str) -> str | None:
        return units.state(name)

    def _switch_unit(self, name: str, value: str) -> None:
        units.switch(name, value)

    def _lacks_for_units(self, place: str) -> str:  # noqa: ARG002 - of trees
        return "" if is_root_of_the_machine() else "permission"

    def _make_group(self, path: Path) -> None:
        path.mkdir()

    def _remove_group(self, path: Path) -> None:
        # The kernel refuses while there are tasks or groups in it.
        path.rmdir()


class Tree(Host):
    """Files below a folder. They change as the kernel's would.

    `ethtool/INTERFACE/...` stands for the driver, `systemd/UNIT` for whether that is active.
    """

    @property
    def namespace(self) -> str:
        """The folder."""
        return os.path.realpath(self.root)

    @property
    def is_initial(self) -> bool:
        """As on a machine."""
        return (self.root / "proc/sys/net/core/dev_weight").exists()

    def _read_link(self, interface: str, group: str, name: str) -> str:
        return self._read_file(f"ethtool/{interface}/{group}/{name}").strip()

    def _write_link(self, interface: str, group: str, name: str, value: str) -> None:
        self._write_file(f"ethtool/{interface}/{group}/{name}", "text", value)

    def _write_file(self, place: str, form: str, value: str) -> None:
        path = self.path(place)
        before = path.read_text(encoding="utf-8")
        text = as_kernel(form, before, value).encode()
        # In place: a tree may be read-only but for its files, as sysfs is. At once, as the kernel: whoever is killed in
        # between leaves the old value or the new one, and no empty file.
        descriptor = os.open(path, os.O_WRONLY)
        try:
            os.pwrite(descriptor, text.ljust(len(before.encode()), b"\n"), 0)
            os.ftruncate(descriptor, len(text))
        finally:
            os.close(descriptor)

    def _lacks_for_links(self, place: str) -> str:
        return "" if os.access(self.path(place), os.W_OK) else "CAP_NET_ADMIN"

    def _unit_state(self, name: str) -> str | None:
        return (self.text(f"systemd/{name}") or "").strip() or None

    def _switch_unit(self, name: str, value: str) -> None:
        self._write_file(f"systemd/{name}", "text", value)

    def _lacks_for_units(self, place: str) -> str:
        return "" if os.access(self.path(place), os.W_OK) else "permission"

    def _make_group(self, path: Path) -> None:
        # All of it at once, as a file.
        hidden = path.with_name(f".{path.name}")
        shutil.rmtree(hidden, ignore_errors=True)
        hidden.mkdir()
        version = 2 if path == self.root / CPUSETS[2] else 1
        for name, text in _NEW_GROUPS[version].items():
            (hidden / name).write_text(text, encoding="utf-8")
        hidden.rename(path)

    def _remove_group(self, path: Path) -> None:
        inner = [one for one in path.iterdir() if one.is_dir()]
        if inner or (path / "cgroup.procs").read_text(encoding="utf-8"):
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        hidden = path.rename(path.with_name(f".{path.name}"))
        shutil.rmtree(hidden)


def boot_options(line: str) -> dict[str, str]:
    """Options of a boot line, the last of each; those behind ` -- ` are for the first program."""
    options = line.strip().partition(" -- ")[0].split()
    return {name: value for name, _, value in (option.partition("=") for option in options)}


def is_root_of_the_machine() -> bool:
    """Root, and not only inside a user namespace of its own."""
    try:
        users = Path("/proc/self/uid_map").read_text(encoding="ascii").split()
    except OSError:
        return False
    return os.geteuid() == 0 and tuple(map(int, users[:3])) == _INITIAL_USERS


def _is_read_only(path: Path) -> bool:
    try:
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def _by_number(text: str) -> list[tuple[int, str]]:
    return list(_parts(text))


def _parts(text: str) -> Iterator[tuple[int, str]]:
    for part in re.findall(r"[0-9]+|[^0-9]+", text):
        yield (int(part), "") if part.isdigit() else (-1, part)
