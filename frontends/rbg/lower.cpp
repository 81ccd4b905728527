#include "frontends/rbg/lower.hpp"

#include "frontends/rbg/cleanup.hpp"
#include "frontends/rbg/emit.hpp"
#include "frontends/rbg/ends.hpp"
#include "frontends/rbg/thompson.hpp"

namespace rgtrans::rbg {

ir::Game lower(const Description& description, const Sources::File&, Diagnostics& diagnostics) {
  ir::Game game(diagnostics.sources());
  Relations relations(description);
  Flow flow = build_flow(description, relations);
  clean_up(flow);
  add_ends(description, relations, flow);
  clean_up(flow);
  merge_equal(flow);
  emit(description, relations, flow, {}, game, diagnostics);
  return game;
}

}  // namespace rgtrans::rbg
