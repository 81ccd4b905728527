# What the program carries as string literals, below embedded/ of the build folder. ide/web builds it elsewhere.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH rgtrans_root)

# Pages as they were built (ide/studio/build.mjs), which the program carries.
foreach(file IN ITEMS index.html studio.js studio.css game.html trace.html licences.txt)
  set(source ${rgtrans_root}/ide/studio/dist/${file})
  file(READ ${source} text)
  set(literal "R\"PAGE(${text})PAGE\"\n")
  file(CONFIGURE OUTPUT embedded/studio/${file}.inc CONTENT "@literal@" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
endforeach()

# The games of games/, as string literals.
set(library_kinds hrg/*.hrg rbg/*.rbg gdl/*.kif ludax/*.ldx ludii/*.lud linegames/variants/*.linegame)
list(TRANSFORM library_kinds PREPEND ${rgtrans_root}/games/)
file(GLOB library_files CONFIGURE_DEPENDS ${library_kinds})
list(SORT library_files)
set(library)
foreach(source IN LISTS library_files)
  file(READ ${source} text)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${rgtrans_root}/games OUTPUT_VARIABLE name)
  string(APPEND library "{\"${name}\", R\"GAME(${text})GAME\"},\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
endforeach()
file(CONFIGURE OUTPUT embedded/library.inc CONTENT "@library@" @ONLY)
