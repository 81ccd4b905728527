# Writes OUTPUT, the definition of cli/build_line.hpp: version, commit and kind of build. A source distribution has its commit in a
# file COMMIT.
set(commit unknown)
if(EXISTS ${SOURCE}/COMMIT)
  file(STRINGS ${SOURCE}/COMMIT commit LIMIT_COUNT 1)
elseif(EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE found RESULT_VARIABLE failed
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(failed EQUAL 0)
    set(commit ${found})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "cli/build_line.hpp"

namespace rgtrans::cli {

const char* const kBuildLine = "rgtrans @VERSION@ (commit @commit@, @TYPE@)";

}  // namespace rgtrans::cli
]])
# A commit that changes no source leaves the text alone, and the command is not to run again.
file(TOUCH_NOCREATE ${OUTPUT})
