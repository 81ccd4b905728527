#include "ide/bundle/bundle.hpp"

namespace rgtrans::ide::bundle {

const std::string_view kStudioPage =
#include "embedded/studio/index.html.inc"
    ;
const std::string_view kStudioScript =
#include "embedded/studio/studio.js.inc"
    ;
const std::string_view kStudioStyle =
#include "embedded/studio/studio.css.inc"
    ;
const std::string_view kLicences =
#include "embedded/studio/licences.txt.inc"
    ;
const std::string_view kGamePage =
#include "embedded/studio/game.html.inc"
    ;
const std::string_view kTracePage =
#include "embedded/studio/trace.html.inc"
    ;

}  // namespace rgtrans::ide::bundle
