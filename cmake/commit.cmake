# rgtrans_build_line: a source with version, commit and kind of build, written anew when the commit changes.
set(rgtrans_build_line ${PROJECT_BINARY_DIR}/generated/build_line.cpp)
set(moves)
if(EXISTS ${PROJECT_SOURCE_DIR}/.git)
  # Git appends a line to this file whenever HEAD moves.
  execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} rev-parse --git-path logs/HEAD OUTPUT_VARIABLE moves
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  cmake_path(ABSOLUTE_PATH moves BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
  if(NOT EXISTS ${moves})
    set(moves)
  endif()
endif()
add_custom_command(
  OUTPUT ${rgtrans_build_line}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${rgtrans_build_line} -DVERSION=${PROJECT_VERSION}
          -DTYPE=${CMAKE_BUILD_TYPE} -P ${PROJECT_SOURCE_DIR}/cmake/build_line.cmake
  DEPENDS ${PROJECT_SOURCE_DIR}/cmake/build_line.cmake ${PROJECT_SOURCE_DIR}/CMakeLists.txt ${moves}
  VERBATIM)
