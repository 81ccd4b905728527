// The table of a program that reads every language. A program that reads one language has a table of its own
// (CMakeLists.txt, rgtrans_translator_LANGUAGE).
#include <array>

#include "frontends/gdl/gdl.hpp"
#include "frontends/hrg/hrg.hpp"
#include "frontends/linegames/linegames.hpp"
#include "frontends/ludax/ludax.hpp"
#include "frontends/ludii/ludii.hpp"
#include "frontends/rbg/rbg.hpp"
#include "frontends/registry/registry.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans {

std::span<const Frontend* const> frontends() {
  static const std::array kTable = {
      &rg::frontend(),  &rg::json_frontend(),   &hrg::frontend(),   &rbg::frontend(),
      &gdl::frontend(), &linegames::frontend(), &ludax::frontend(), &ludii::frontend(),
  };
  return kTable;
}

bool reads_every_language() { return true; }

}  // namespace rgtrans
