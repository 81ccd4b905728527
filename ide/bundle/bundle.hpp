// The page as built by ide/studio/build.mjs (in ide/studio/dist). The program contains it.
#pragma once

#include <string_view>

namespace rgtrans::ide::bundle {

extern const std::string_view kStudioPage;    // HTML
extern const std::string_view kStudioScript;  // JavaScript
extern const std::string_view kStudioStyle;   // CSS
extern const std::string_view kLicences;      // of the modules in it
extern const std::string_view kGamePage;      // HTML with places for a game, which needs nothing else
extern const std::string_view kTracePage;     // HTML with places for the work of the optimizer

}  // namespace rgtrans::ide::bundle
