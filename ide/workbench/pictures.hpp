// Automata as drawings in pieces, for a client that keeps what it has been sent: of the next drawing it gets what is
// new.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "backends/drawing/drawing.hpp"
#include "backends/trace/trace.hpp"
#include "ide/workbench/game.hpp"

namespace rgtrans::ide {

class Gallery {
 public:
  DrawingReply draw(const OpenedGame& game, const DrawingRequest& request);
  // Why a node has or lacks each pragma.
  TextReply explain(const GamePointer& game, const ExplainRequest& request);

 private:
  int sent_ = 0;
  std::unordered_map<std::string, std::vector<std::size_t>> numbers_;  // by text of a piece in the drawing sent last
  GamePointer explained_;
  const ir::Game* form_ = nullptr;
  std::unique_ptr<trace::Explainer> explainer_;
};

struct LaidOut {
  drawing::Drawing drawing;
  bool whole = true;
};
// The automaton, or the part around a node of one that is too large.
LaidOut lay_out(const ir::Game& game, const std::string& focus);

}  // namespace rgtrans::ide
