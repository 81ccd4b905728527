# The files that `cmake --install` and `cpack -G DEB` install. There are two components: the program with its manual
# page, completions, documentation and games, and the files that other C++ projects need to use the libraries.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# --- Generated from the definitions of the commands. ---
set(generated ${PROJECT_BINARY_DIR}/generated)
set(texts rgtrans.1.gz rgtrans.bash _rgtrans rgtrans.fish)
list(TRANSFORM texts PREPEND ${generated}/)
add_custom_command(
  OUTPUT ${texts}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${generated}
  COMMAND rgtrans manual > ${generated}/rgtrans.1
  COMMAND gzip --force --no-name --best ${generated}/rgtrans.1
  COMMAND rgtrans completion bash > ${generated}/rgtrans.bash
  COMMAND rgtrans completion zsh > ${generated}/_rgtrans
  COMMAND rgtrans completion fish > ${generated}/rgtrans.fish
  DEPENDS rgtrans
  VERBATIM)
add_custom_target(rgtrans_texts ALL DEPENDS ${texts})

# --- The program. ---
install(TARGETS rgtrans RUNTIME COMPONENT rgtrans)
install(FILES ${generated}/rgtrans.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT rgtrans)
install(FILES ${generated}/rgtrans.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME rgtrans COMPONENT rgtrans)
install(FILES ${generated}/_rgtrans DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT rgtrans)
install(FILES ${generated}/rgtrans.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT rgtrans)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT rgtrans)
# The licence, once the owner has chosen one: every package takes it from this file.
if(EXISTS ${PROJECT_SOURCE_DIR}/LICENSE)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT rgtrans)
endif()
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT rgtrans FILES_MATCHING PATTERN "*.md")
install(DIRECTORY games DESTINATION ${CMAKE_INSTALL_DATADIR}/rgtrans COMPONENT rgtrans
        PATTERN "__pycache__" EXCLUDE)

# --- The libraries: find_package(rgtrans), then rgtrans::rgtrans is all of them. ---
add_library(rgtrans_all INTERFACE)
target_link_libraries(rgtrans_all INTERFACE ${rgtrans_installed})
set_target_properties(rgtrans_all PROPERTIES EXPORT_NAME rgtrans)
foreach(library IN LISTS rgtrans_installed)
  string(REPLACE "rgtrans_" "" short ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${short})
  target_compile_features(${library} PUBLIC cxx_std_20)
endforeach()
install(TARGETS ${rgtrans_installed} rgtrans_all EXPORT rgtrans-targets
        ARCHIVE COMPONENT dev INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(CODE "set(source \"${PROJECT_SOURCE_DIR}\")\nset(target \"${CMAKE_INSTALL_INCLUDEDIR}/rgtrans\")" COMPONENT dev)
install(SCRIPT cmake/install_headers.cmake COMPONENT dev)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/rgtrans)
install(EXPORT rgtrans-targets NAMESPACE rgtrans:: DESTINATION ${config_folder} COMPONENT dev)
configure_package_config_file(cmake/rgtrans-config.cmake.in ${generated}/rgtrans-config.cmake
                              INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${generated}/rgtrans-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${generated}/rgtrans-config.cmake ${generated}/rgtrans-config-version.cmake
        DESTINATION ${config_folder} COMPONENT dev)

# --- Debian packages: rgtrans and librgtrans-dev. ---
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rgtrans)
set(CPACK_PACKAGE_VENDOR rgtrans)
set(CPACK_PACKAGE_CONTACT "The authors of rgtrans <rgtrans@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL rgtrans dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_RGTRANS_PACKAGE_NAME rgtrans)
set(CPACK_DEBIAN_RGTRANS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_RGTRANS_PACKAGE_RECOMMENDS "g++ | c++-compiler, libedit2")
set(CPACK_DEBIAN_RGTRANS_PACKAGE_DEPENDS "libarchive13")
set(CPACK_DEBIAN_RGTRANS_PACKAGE_SUGGESTS "graphviz")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME librgtrans-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libfmt-dev, nlohmann-json3-dev, libboost-dev, librange-v3-dev")
set(CPACK_COMPONENT_RGTRANS_DESCRIPTION "translates, optimizes and compiles game descriptions
Reads RG, HRG, RBG, GDL and line-board games, turns each into one small
automaton, and plays it, draws it, or makes a C++ program of it.")
set(CPACK_COMPONENT_DEV_DESCRIPTION "libraries of rgtrans for C++ programs
Front ends, optimizer and back ends of rgtrans, with a CMake package.")
include(CPack)
