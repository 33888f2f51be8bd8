# SPDX-License-Identifier: Apache-2.0
"""`make synth`: what the fabric takes and how fast it is, by open synthesis and open place and route."""
