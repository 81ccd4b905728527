# Installs the headers of the libraries. They include each other as "rgtrans/core/…" there, so that no folder of another project has
# the same name. `source` is the folder of the project, `target` that of the headers below the prefix.
set(target "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${target}")
foreach(folder IN ITEMS core frontends backends)
  file(GLOB_RECURSE headers RELATIVE "${source}" "${source}/${folder}/*.hpp" "${source}/${folder}/*.h")
  foreach(header IN LISTS headers)
    file(READ "${source}/${header}" text)
    string(REGEX REPLACE "#include \"(core|frontends|backends)/" "#include \"rgtrans/\\1/" text "${text}")
    file(WRITE "${target}/${header}" "${text}")
  endforeach()
endforeach()
