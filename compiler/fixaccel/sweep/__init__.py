# SPDX-License-Identifier: Apache-2.0
"""A strategy run many times over the same day, each time with other values in it."""
