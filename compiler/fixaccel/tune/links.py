# SPDX-License-Identifier: Apache-2.0
"""What drivers of interfaces are asked and told through ethtool, by way of `pyroute2`."""

import errno
import fcntl
import os
import socket
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any

_HARDWARE_ADDRESS = 0x8927  # SIOCGIFHWADDR
_QUEUE_LENGTH = 0x8942  # SIOCGIFTXQLEN
_REQUEST = struct.Struct("16s24s")
_NUMBER = struct.Struct("16si20x")
# By the file of sysfs, and by ioctl, only the machine's own root may set it; by netlink a namespace's too.
_LINK = ("link", "tx_queue_len")
_INSTALL = "install `fixaccel[tune]`"
_GROUPS = ("features", "coalesce", "channels", "rings")
_SWITCH = {True: "on", False: "off"}


class NoSuchSettingError(Exception):
    """The driver, or what speaks to it, lacks a setting; the text says which."""


class Links:
    """Interfaces of the network namespace in which this was made."""

    def __init__(self) -> None:
        self._asked: Any = None

    def is_own(self, interface: str) -> bool:
        """Whether the interface of this name in /sys is the one of this namespace."""
        try:
            index = int(Path("/sys/class/net", interface, "ifindex").read_text(encoding="ascii"))
            address = Path("/sys/class/net", interface, "address").read_text(encoding="ascii").strip()
            return socket.if_nametoindex(interface) == index and (self._address(interface) == address)
        except (OSError, ValueError):
            return False

    @staticmethod
    def _address(interface: str) -> str:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            answer = fcntl.ioctl(asked, _HARDWARE_ADDRESS, _REQUEST.pack(interface.encode(), b""))
        return ":".join(f"{byte:02x}" for byte in answer[18:24])

    @staticmethod
    def _queue_length(interface: str) -> int:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            answer = fcntl.ioctl(asked, _QUEUE_LENGTH, _NUMBER.pack(interface.encode(), 0))
        return int(_NUMBER.unpack(answer)[1])

    @staticmethod
    def _set_queue_length(interface: str, value: int) -> None:
        from pyroute2 import IPRoute, NetlinkError  # noqa: PLC0415 - as in `_ethtool`

        try:
            with IPRoute() as asked:
                asked.link("set", index=socket.if_nametoindex(interface), txqlen=value)
        except NetlinkError as error:
            raise OSError(error.code, os.strerror(error.code), interface) from error

    def read(self, interface: str, group: str, name: str) -> str:
        """A value as text. Raises NoSuchSettingError, OSError."""
        if (group, name) == _LINK:
            return str(self._queue_length(interface))
        found = self._all(interface, group)
        if name not in found:
            raise NoSuchSettingError(f"{group} of {interface} have no {name}")
        if group == "features":
            return self._feature(interface, found, name)
        maximum = {"channels": f"max_{name.removesuffix('_count')}", "rings": f"{name}_max"}.get(group)
        if maximum and maximum in found and not found[maximum]:
            raise NoSuchSettingError(f"the driver of {interface} has no {name} {group}")
        return str(int(found[name]))

    @staticmethod
    def _feature(interface: str, found: Any, name: str) -> str:  # noqa: ANN401 - of a library without types
        is_on = bool(found.get_value(name))
        is_fixed = not found.is_available(name) or found.is_never_changed(name)
        if is_on and is_fixed:
            raise NoSuchSettingError(f"the driver of {interface} cannot switch {name}")
        return _SWITCH[is_on]

    def write(self, interface: str, group: str, name: str, value: str) -> None:
        """Sets one value. Raises OSError. A wish that the kernel takes and does not grant is seen by reading."""
        if (group, name) == _LINK:
            self._set_queue_length(interface, int(value))
            return
        found = self._all(interface, group)
        if group == "features":
            found.set_value(name, value == _SWITCH[True])
        else:
            found[name] = int(value)
        asked = self._ethtool(interface)
        try:
            getattr(asked, f"set_{group}")(found)
        except self._errors() as error:
            if str(error):
                raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP), interface) from error

    def _all(self, interface: str, group: str) -> Any:  # noqa: ANN401 - as above
        if group not in _GROUPS:
            raise NoSuchSettingError(f"{group} cannot be set by this version: `ethtool` does it")
        asked = self._ethtool(interface)
        try:
            return getattr(asked, f"get_{group}")()
        except self._errors() as error:
            raise NoSuchSettingError(f"{interface} is not there, or its driver has no {group}") from error

    def _ethtool(self, interface: str) -> Any:  # noqa: ANN401 - as above
        # Imported where it is needed: it takes longer than all the rest.
        try:
            from pyroute2.ethtool.ioctl import IoctlEthtool  # noqa: PLC0415
        except ImportError as error:
            raise NoSuchSettingError(f"pyroute2 is not installed: {_INSTALL}") from error
        if self._asked is None:
            self._asked = IoctlEthtool()
        self._asked.change_ifname(interface)
        return self._asked

    @staticmethod
    def _errors() -> type[Exception]:
        from pyroute2.ethtool.ioctl import EthtoolError  # noqa: PLC0415 - as above

        found: type[Exception] = EthtoolError
        return found

    def close(self) -> None:
        """Gives its socket back."""
        if self._asked is not None:
            with suppress(OSError):
                self._asked.close()
