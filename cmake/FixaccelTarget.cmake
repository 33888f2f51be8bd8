# SPDX-License-Identifier: Apache-2.0
# What holds for all C++ targets of the super-build: standard, build types, sanitizers, warnings, programs, tests.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# Line numbers, which a backtrace needs; -g would tell of variables too, for a quarter of the time to build.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")
# No object holds the place of the source folder: what one clone has compiled is what another would.
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
find_program(FIXACCEL_CCACHE ccache)
if(FIXACCEL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${FIXACCEL_CCACHE})
endif()

# With -O1 end-to-end tests stay within the session's time limits, and reports have their lines. The standard library
# looks at its own bounds, too.
if(FIXACCEL_SANITIZE)
  add_compile_options(
    -fsanitize=${FIXACCEL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -D_GLIBCXX_ASSERTIONS)
  add_link_options(-fsanitize=${FIXACCEL_SANITIZE})
  # GCC takes what it has marked for the sanitizer for uninitialised, as its manual says; other builds warn of what is.
  add_compile_options(-Wno-maybe-uninitialized)
  # The thread sanitizer does not follow fences, and the compiler warns of each. Ours stand between atomics only
  # (runtime/bus/ring.cpp), of which it reports none.
  if(FIXACCEL_SANITIZE MATCHES thread)
    add_compile_options(-Wno-tsan)
  endif()
endif()
# Each block of code tells that it was run, to tests/fuzz/coverage.cpp.
if(FIXACCEL_COVERAGE)
  add_compile_options(-fsanitize-coverage=trace-pc)
endif()

find_package(Threads REQUIRED)
find_package(GTest REQUIRED)

# Our warnings, as errors, for every target without being asked. QuickFIX's headers are C++14 (throw() specifications)
# and full of conversions, so targets that include them are C++14 and get the plain set.
set(quickfix_target "$<STREQUAL:$<TARGET_PROPERTY:CXX_STANDARD>,14>")
add_compile_options(
  -Wall -Wextra -Werror "$<IF:${quickfix_target},-Wno-deprecated;-Wno-deprecated-declarations,-Wpedantic;-Wconversion>")

# fixaccel_quickfix(TARGET...): makes targets that may include QuickFIX's headers.
function(fixaccel_quickfix)
  foreach(target IN LISTS ARGN)
    set_target_properties(${target} PROPERTIES CXX_STANDARD 14)
    target_link_libraries(${target} PUBLIC quickfix Threads::Threads)
    # Its own counter of references is in the assembler of x86. Boost's has the same layout, and Debian's library has
    # that where it is built for others.
    if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "86|AMD64")
      target_compile_definitions(${target} PUBLIC ENABLE_BOOST_ATOMIC_COUNT)
    endif()
  endforeach()
endfunction()

# fixaccel_warnings(TARGET...): the stricter set of a target that shadows no names.
function(fixaccel_warnings)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE -Wshadow)
  endforeach()
endfunction()

# fixaccel_batches(TARGET...): some sources at a time are compiled, and examined by clang-tidy, as one: headers, much the
# same in all, are read once, and templates become code once. So a name of one file's own is not that of another's in the
# same target. Two cores are to have something to do till the end: sixteen, and not all of them.
function(fixaccel_batches)
  set_target_properties(
    ${ARGN} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16
                       UNITY_BUILD_CODE_BEFORE_INCLUDE "// NOLINTNEXTLINE(bugprone-suspicious-include)")
endfunction()

# What `make demo` runs, without and with BOARD=gem, and all programs and libraries that users run or load. `all` has the
# tests as well.
add_custom_target(demo)
add_custom_target(demo-gem)
add_dependencies(demo-gem demo)
add_custom_target(programs)
add_dependencies(programs demo-gem)

# fixaccel_command_line(TARGET SOURCE): SOURCE reads the command line of TARGET, with CLI11, and says FIXACCEL_VERSION.
# That is all templates, and runs once: -O2 takes twice as long as -O1 for it.
function(fixaccel_command_line target source)
  target_link_libraries(${target} PRIVATE CLI11::CLI11)
  set_source_files_properties(
    ${source} PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:RelWithDebInfo>:-O1>"
                         COMPILE_DEFINITIONS "FIXACCEL_VERSION=\"${PROJECT_VERSION}\"")
endfunction()

# fixaccel_test_code(TARGET...): code of tests alone. It is compiled more often than it runs, so nothing is optimised.
function(fixaccel_test_code)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE "$<$<CONFIG:RelWithDebInfo>:-O0>")
  endforeach()
endfunction()

# fixaccel_test(NAME SOURCES... LINK LIBRARIES...): a GoogleTest program, each of its tests known to ctest by name.
include(GoogleTest)
function(fixaccel_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  fixaccel_test_code(${name})
  fixaccel_batches(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gtest GTest::gtest_main)
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60)
endfunction()
