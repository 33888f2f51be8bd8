# SPDX-License-Identifier: Apache-2.0
"""The language: reading files, their form, and the model of what they mean."""
