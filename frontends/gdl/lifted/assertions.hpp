// What the lifted form has proved and relies on, in the words of the description: rules for `violated`, which must hold
// in no state and for no joint move. Facts are written as the author has them, though they are kept in parts, with
// cells for coordinates and without their inner terms:
//
//   (<= violated (true (cell ?k0 ?k1 ?a2)) (true (cell ?k0 ?k1 ?b2)) (distinct ?a2 ?b2))
//
// So an evaluator of the rules can check every proof without knowing how it was found.
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
