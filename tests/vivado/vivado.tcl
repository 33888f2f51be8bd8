# SPDX-License-Identifier: Apache-2.0
# Stands in for Vivado: the commands that our scripts use, with what is known of cells and their pins. What a script names
# and Vivado would not know is an error. It records each step, and writes reports in Vivado's form.
#
# VIVADO_STAND_IN is a dictionary: version, slack (setup hold pulse), used (lut ff bram36 dsp), mhz (what a PLL makes),
# fails (the command that fails), record (a file).
set setting [dict merge {version 2022.1 slack {0.412 0.031 2.750} used {19544 24061 120.5 9} mhz {} fails {}} \
  [expr {[info exists env(VIVADO_STAND_IN)] ? $env(VIVADO_STAND_IN) : {}}]]
if {[lindex $argv 0] eq "-version"} {
  puts "Vivado v[dict get $setting version] (64-bit)\nSW Build 1"
  exit 0
}
if {[lrange $argv 0 4] ne {-mode batch -nojournal -nolog -source} || [lindex $argv 6] ne "-tclargs"} {
  error "these are no arguments of a run: $argv"
}
set stood_in_script [lindex $argv 5]
set stood_in_record [open [dict get $setting record] w]

# ---- What is there
set pins {
  xilinx.com:ip:processing_system7:5.5 {
    FCLK_CLK0 out FCLK_RESET0_N out IRQ_F2P in M_AXI_GP0_ACLK in M_AXI_GP1_ACLK in S_AXI_GP0_ACLK in
  }
  xilinx.com:ip:proc_sys_reset:5.0 {slowest_sync_clk in ext_reset_in in peripheral_reset out peripheral_aresetn out}
  xilinx.com:ip:axi_protocol_converter:2.1 {aclk in aresetn in}
}
set buses {
  xilinx.com:ip:processing_system7:5.5 {M_AXI_GP0 master M_AXI_GP1 master S_AXI_GP0 slave DDR master FIXED_IO master}
  xilinx.com:ip:proc_sys_reset:5.0 {}
  xilinx.com:ip:axi_protocol_converter:2.1 {S_AXI slave M_AXI master}
}
set clocks {M_AXI_GP0 M_AXI_GP0_ACLK M_AXI_GP1 M_AXI_GP1_ACLK S_AXI_GP0 S_AXI_GP0_ACLK}
set kinds {}     ;# of cells
set options {}   ;# set_property, by object and name
set driven {}    ;# pin -> its driver
set linked {}    ;# bus -> its other end
set verilog {}   ;# files
set routed 0

proc say args {
  puts $::stood_in_record $args
  if {[lindex $args 0] eq [dict get $::setting fails]} { error "ERROR: \[Stand-in 1-1\] [lindex $args 0] failed" }
}
proc after_option {args_of name} {
  set at [lsearch -exact $args_of $name]
  if {$at < 0} { error "`$args_of` lacks $name" }
  return [lindex $args_of [expr {$at + 1}]]
}
proc need_known {table cell name} {
  set kind [dict get $::kinds $cell]
  if {![dict exists $table $kind $name]} { error "$cell ($kind) has no $name" }
  return [dict get $table $kind $name]
}

# ---- Sources
proc version args { return [dict get $::setting version] }
proc create_project args { say create_project {*}$args; after_option $args -part; after_option $args -in_memory }
proc read_verilog args {
  set file [lindex $args end]
  if {![file isfile $file] && ![string match *_wrapper.v $file]} { error "no $file" }
  lappend ::verilog $file
  say read_verilog $file
}
proc read_xdc file {
  # Its commands are Tcl, too.
  say read_xdc $file
  uplevel #0 [list source $file]
}
proc current_design {} { return design }
proc update_compile_order args { say update_compile_order {*}$args }

# ---- Block design
proc create_bd_design args { set ::bd [lindex $args end]; set ::bd_dir [after_option $args -dir]; say create_bd_design {*}$args }
proc create_bd_cell args {
  set name [lindex $args end]
  if {[dict exists $::kinds $name]} { error "there is a cell $name already" }
  if {[after_option $args -type] eq "ip"} {
    set kind [after_option $args -vlnv]
    if {![dict exists $::pins $kind]} { error "no IP $kind" }
  } else {
    set kind [after_option $args -reference]
    read_module $kind
  }
  dict set ::kinds $name $kind
  say create_bd_cell $name $kind
  return $name
}
# Pins and buses of a module: a bus is what a name begins with, its side tells who shows addresses.
proc read_module kind {
  foreach file $::verilog {
    set in [open $file]
    set text [read $in]
    close $in
    if {[file extension $file] ne ".v" || ![regexp "module $kind \\(" $text]} continue
    foreach {- direction name} [regexp -all -inline {\n *(input|output) +wire +(?:\[[0-9:]+\])? *(\w+)} $text] {
      dict set ::pins $kind $name [string range $direction 0 end-3]
      if {[regexp {^(\w+)_awaddr$} $name - bus]} {
        dict set ::buses $kind $bus [expr {$direction eq "input" ? "slave" : "master"}]
        dict set ::clocks $bus clk
      }
    }
    return
  }
  error "no Verilog file has the module $kind"
}
proc set_property args {
  if {[lindex $args 0] eq "-dict"} {
    foreach {name value} [lindex $args 1] { set_property $name $value [lindex $args 2] }
    return
  }
  lassign $args name value object
  if {$object eq ""} { error "`set_property $args` is of nothing" }
  dict set ::options $object $name $value
  say set_property $object $name $value
}
proc get_property {name object} {
  if {$name eq "CONFIG.PCW_ACT_FPGA0_PERIPHERAL_FREQMHZ"} {
    set made [dict get $::setting mhz]
    return [expr {$made eq "" ? [dict get $::options $object CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ] : $made}]
  }
  if {$name eq "SLACK"} { return [lindex [dict get $::setting slack] [expr {$object eq "hold path"}]] }
  error "no property $name"
}
proc get_bd_pins path { lassign [split $path /] cell pin; need_known $::pins $cell $pin; return $path }
proc get_bd_intf_pins path { lassign [split $path /] cell bus; need_known $::buses $cell $bus; return $path }
proc connect_bd_net {from to} {
  foreach {path direction} [list $from out $to in] {
    lassign [split $path /] cell pin
    if {![string match $direction* [need_known $::pins $cell $pin]]} { error "$path is no ${direction}put" }
  }
  if {[dict exists $::driven $to]} { error "$to is driven twice" }
  dict set ::driven $to $from
  say connect_bd_net $from $to
}
proc connect_bd_intf_net {from to} {
  foreach {path side} [list $from master $to slave] {
    lassign [split $path /] cell bus
    if {[need_known $::buses $cell $bus] ne $side} { error "$path is no $side" }
    if {[dict exists $::linked $path]} { error "$path is connected twice" }
  }
  dict set ::linked $from $to
  dict set ::linked $to $from
  say connect_bd_intf_net $from $to
}
proc make_bd_intf_pins_external args { dict set ::linked [lindex $args end] outside; say external {*}$args }
proc get_bd_addr_spaces space {
  lassign [split $space /] cell name
  if {$space ne "ps/Data" && [need_known $::buses $cell $name] ne "master"} { error "no address space $space" }
  return $space
}
proc get_bd_addr_segs segment {
  lassign [split $segment /] cell bus name
  if {[need_known $::buses $cell $bus] ne "slave"} { error "no segment $segment" }
  if {$name ne [expr {$cell eq "ps" ? "GP0_IOP" : "reg0"}]} { error "$cell/$bus has no segment $name" }
  return $segment
}
proc assign_bd_address args {
  set range [after_option $args -range]
  set bytes [expr [regsub {M$} $range "*1024*1024"]]
  if {[after_option $args -offset] % $bytes} { error "$args: the offset is no multiple of the range" }
  say assign_bd_address [after_option $args -target_address_space] [lindex $args end] [after_option $args -offset] $range
}
proc validate_bd_design {} {
  foreach cell [dict keys $::kinds] {
    set kind [dict get $::kinds $cell]
    foreach {bus side} [dict get $::buses $kind] {
      if {![dict exists $::linked $cell/$bus]} { error "ERROR: $cell/$bus is connected to nothing" }
    }
    foreach {pin direction} [dict get $::pins $kind] {
      if {![string match in* $direction] || [regexp {^[sm]_axil?_} $pin]} continue
      if {![dict exists $::driven $cell/$pin]} { error "ERROR: nothing drives $cell/$pin" }
    }
  }
  say validate_bd_design
}
proc save_bd_design {} { say save_bd_design }
proc get_files name { if {$name ne "$::bd.bd"} { error "no file $name" }; return $name }
proc generate_target {what design} {
  set folder [file join $::bd_dir $::bd hw_handoff]
  file mkdir $folder
  close [open [file join $folder $::bd.hwh] w]
  say generate_target $what $design
}
proc make_wrapper args { after_option $args -files; return [file join $::bd_dir ${::bd}_wrapper.v] }

# ---- Implementation
foreach command {synth_design opt_design place_design phys_opt_design write_checkpoint} {
  proc $command args "say $command {*}\$args"
}
proc route_design args { set ::routed 1; say route_design {*}$args }
proc get_cells args { return fabric }
proc get_timing_paths args { return [expr {"-hold" in $args ? "hold path" : "setup path"}] }
proc report_file {arguments text} {
  if {!$::routed} { error "reported ahead of routing" }
  set out [open [after_option $arguments -file] w]
  puts $out $text
  close $out
}
proc report_timing_summary args {
  lassign [dict get $::setting slack] setup hold pulse
  set names {WNS(ns) TNS(ns) {TNS Failing Endpoints} {TNS Total Endpoints} WHS(ns) THS(ns) {THS Failing Endpoints} \
    {THS Total Endpoints} WPWS(ns) TPWS(ns) {TPWS Failing Endpoints} {TPWS Total Endpoints}}
  set head [join $names "      "]
  report_file $args "| Design Timing Summary\n\n    $head\n    -------\n      $setup   0.000   0   71234   $hold   0.000   0   71234\
    $pulse   0.000   0   27011"
}
proc report_utilization args {
  set rows {}
  foreach name {{Slice LUTs*} {Slice Registers} {Block RAM Tile} DSPs} used [dict get $::setting used] {
    append rows "| $name | $used |     0 |          0 |     53200 | 36.73 |\n"
  }
  report_file $args "+---+\n| Site Type | Used | Fixed | Prohibited | Available | Util% |\n$rows"
}
proc report_route_status args { report_file $args "ok" }
proc write_bitstream args { close [open [lindex $args end] w]; say write_bitstream {*}$args }

set argv [lrange $argv 7 end]
set argc [llength $argv]
if {[catch {source $stood_in_script} text]} {
  puts "ERROR: $text\n$errorInfo"
  exit 1
}
