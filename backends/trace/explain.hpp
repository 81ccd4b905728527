// Why a node has the pragmas that it has, or could not get them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::trace {

// Analyses of a game, made once for all questions.
class Explainer {
 public:
  explicit Explainer(ir::Game game);
  ~Explainer();

  struct Reason {
    std::string_view pragma;  // "@unique"
    std::string text;         // "yes, ..." or "no, ...", or what is known
  };
  [[nodiscard]] std::vector<Reason> reasons(ir::NodeId node);
  // A paragraph, a line for each pragma.
  [[nodiscard]] std::string text(ir::NodeId node);

 private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace rgtrans::trace
