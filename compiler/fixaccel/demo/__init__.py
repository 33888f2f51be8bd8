# SPDX-License-Identifier: Apache-2.0
"""The whole product once, and a market that goes on: what `fixaccel demo` plays."""
