# SPDX-License-Identifier: Apache-2.0
"""Diagnostics: the model, the table of codes and the renderers."""

from fixaccel.diagnostics.codes import CODES, find_code
from fixaccel.diagnostics.report import Code, Diagnostic, Related, Report, Severity

__all__ = ["CODES", "Code", "Diagnostic", "Related", "Report", "Severity", "find_code"]
