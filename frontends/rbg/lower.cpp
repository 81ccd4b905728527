#include "frontends/rbg/lower.hpp"

#include "frontends/rbg/emit/emit.hpp"
#include "frontends/rbg/flow/thompson.hpp"
#include "frontends/rbg/passes/passes.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"

namespace rgtrans::rbg {

ir::Game lower(Description& description, Diagnostics& diagnostics) {
  ir::Game game(diagnostics.sources());
  Relations relations(description);
  FlowGraph flow = build_flow(description, relations);
  Draft draft{description, relations, flow};
  run_schedule(draft);
  emit(description, relations, flow, analyse(description, relations, flow), game, diagnostics);
  return game;
}

}  // namespace rgtrans::rbg
