#pragma once
// The line of --version. cmake/build_line.cmake writes its definition, which alone is compiled anew after a commit.

namespace rgtrans::cli {

extern const char* const kBuildLine;  // "rgtrans VERSION (commit 0123456789ab, Release)"

}  // namespace rgtrans::cli
