# SPDX-License-Identifier: Apache-2.0
"""FAST 1.1 (FIX Adapted for STreaming, version 1.x.1 of 2006): templates, reference decoder and encoder."""
