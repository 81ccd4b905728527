// The claims of the lifted lowering in the vocabulary of the description: rules for `violated`, which must hold in no
// state and for no joint move. Facts are printed as the author wrote them, although classes, cells and flattening have
// changed their form:
//
//   (<= violated (true (cell ?k0 ?k1 ?a2)) (true (cell ?k0 ?k1 ?b2)) (distinct ?a2 ?b2))
//
// So an evaluator of rules can check every claim independently of its proof.
#pragma once

#include <string>
#include <vector>

#include "frontends/gdl/lifted/cells.hpp"
#include "frontends/gdl/lifted/classes.hpp"
#include "frontends/gdl/lifted/lifted.hpp"
#include "frontends/gdl/lifted/turns.hpp"

namespace rgtrans::gdl::lifted {

std::vector<ir::RuleClaim> assertions(Model& model, const Turns& turns, const Parted& parted, const Cells& cells,
                                      const Forms& forms);

}  // namespace rgtrans::gdl::lifted
