# SPDX-License-Identifier: Apache-2.0
"""Connections of the commands; imported only where the libraries of the bus are there."""

from pathlib import Path

from fixaccel.bus.reader import Bus, Site
from fixaccel.bus.site_file import SiteFile
from fixaccel.bus.start import key_path


def connect(site: SiteFile, path: Path, principal: str, key: Path | None = None) -> Bus:
    """The bus as a principal, with its key beside the site's file or at ``key``."""
    folder = path.parent
    ca_file = folder / "tls" / "ca.crt" if site.tls else None
    return Bus(Site(site.site, site.servers, principal, key or key_path(folder, principal), ca_file))
