# SPDX-License-Identifier: Apache-2.0
"""`fixaccel fmt`: the same file laid out in one way, every comment kept, no value touched."""
