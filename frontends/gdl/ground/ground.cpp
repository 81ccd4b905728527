// From a text to the ground program.
#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/ground/grounder.hpp"
#include "frontends/gdl/syntax/rewrites.hpp"
#include "frontends/gdl/syntax/syntax.hpp"

namespace rgtrans::gdl {

GroundOptions ground_options(const FrontendOptions& options) {
  GroundOptions result;
  result.max_rules = options.number("max-rules", result.max_rules);
  result.max_memory = options.number(kMaxMemoryOption, result.max_memory >> 20U) << 20U;
  result.max_seconds = options.number(kMaxSecondsOption, result.max_seconds);
  result.fold_case = options.has("fold-case");
  return result;
}

namespace {

// Appends a tree. Lists refer to their elements by index, so the indices are shifted.
void append_tree(Tree& tree, const Tree& more) {
  const auto first = static_cast<std::uint32_t>(tree.nodes.size());
  const auto moved = [&](Node node) {
    node.first += first;
    return node;
  };
  for (const Node& node : more.nodes) tree.nodes.push_back(moved(node));
  for (const Node& node : more.statements) tree.statements.push_back(moved(node));
}

}  // namespace

Program read_program(const Sources::File& file, Diagnostics& diagnostics, bool fold_case, const Sources::File* more) {
  Symbols symbols;
  Tree tree = read_tree(file, symbols, diagnostics, fold_case);
  if (more != nullptr) append_tree(tree, read_tree(*more, symbols, diagnostics, false));
  Program program = normalise(tree, std::move(symbols), diagnostics);
  check(program, diagnostics, more == nullptr ? Range{} : more->range(0, more->text.size()));
  return program;
}

GroundProgram ground(const Sources::File& file, Diagnostics& diagnostics, const GroundOptions& options) {
  Program program = read_program(file, diagnostics, options.fold_case);
  if (diagnostics.has_errors()) return {};
  simplify_rules(program);
  RawGround raw = instantiate(program, options, diagnostics);
  if (diagnostics.has_errors()) return {};
  return simplify(program, raw, options, diagnostics);
}

}  // namespace rgtrans::gdl
