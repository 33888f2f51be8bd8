// SPDX-License-Identifier: Apache-2.0
// What the `gem-bram` interface adds to files.f, in compile order, relative to this file: read it with -F behind files.f.
gen/gem_port_hwmap_pkg.sv
gen/zynq_gem_hwmap_pkg.sv
gem/gem_pkg.sv
common/simple_ram.sv
gem/gem_window.sv
gem/gem_registers.sv
gem/gem_receive.sv
gem/gem_transmit.sv
gem/gem_start.sv
gem/gem_to_cpu.sv
gem/gem_from_cpu.sv
gem/gem_port.sv
fixaccel_gem.sv
