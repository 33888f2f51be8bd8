// SPDX-License-Identifier: Apache-2.0
// What link_unit needs besides files.f, in compile order: read both with -F.
gen/link_hwmap_pkg.sv
common/simple_ram.sv
link/link_pkg.sv
link/channel_send.sv
link/channel_receive.sv
link/link_receive.sv
link/link_transmit.sv
link/peer.sv
link/link_unit.sv
