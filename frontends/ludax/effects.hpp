// The effects of a move: captures, flips and scores.
#pragma once

#include "frontends/ludax/emitter.hpp"

namespace rgtrans::ludax {

class Effects {
 public:
  Effects(const Plan& plan, Emitter& emitter) : plan_(plan), e_(emitter), t_(emitter.tables()) {}

  // Emits the effect and returns the node after it. Updates `context` to the facts that still hold.
  ir::NodeId apply(const Effect& effect, const Turn& turn, ir::NodeId from, Context& context);

 private:
  ir::NodeId along_runs(const Effect& effect, const Turn& turn, ir::NodeId from, const Context& context);
  ir::NodeId around_last(const Effect& effect, const Turn& turn, ir::NodeId from, const Context& context);
  ir::NodeId everywhere(const Effect& effect, const Turn& turn, ir::NodeId from, const Context& context);
  // Removes or flips the piece at a place. Returns the node after it.
  ir::NodeId change(const Effect& effect, const Turn& turn, ir::ExprId place, ir::NodeId from, const Context& context);
  ir::NodeId set_score(const Effect& effect, ir::NodeId from, const Context& context);

  const Plan& plan_;
  Emitter& e_;
  Tables& t_;
};

}  // namespace rgtrans::ludax
