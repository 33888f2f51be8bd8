# SPDX-License-Identifier: Apache-2.0
"""The steps from a file to a checked strategy, a module each."""
