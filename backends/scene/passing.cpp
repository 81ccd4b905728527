#include "backends/scene/passing.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "backends/scene/layout.hpp"

namespace rgtrans::scene {

namespace {

constexpr std::size_t kMostSteps = 12;        // of a move
constexpr std::size_t kMostFound = 64;        // candidates
constexpr std::size_t kMostVisits = 200'000;  // of all searches

using Signature = std::vector<SymbolId>;

class PassFinder {
 public:
  explicit PassFinder(const ir::Game& game) : game_(game) {
    for (std::size_t i = 0; i < game.variables().size(); ++i) {
      const ir::Variable& variable = game.variable(ir::VarId(i));
      if (!variable.alive || !game.is_arrow(game.resolve(variable.type)) || is_aside(variable.name)) continue;
      if (!find_layouts(game, ir::VarId(i), false).empty()) changing_.insert(ir::VarId(i));
    }
    bool steps = false;
    for (const ir::EdgeId edge : game.graph.edges()) {
      const ir::Label& label = game.graph.label(edge);
      if (game.is_player_assignment(label)) starts_.insert(game.graph.target(edge));
      if (const auto* tag = std::get_if<ir::Tag>(&label)) steps = steps || is_aside(tag->symbol);
      if (const auto* tag = std::get_if<ir::TagVariable>(&label)) tagged_.insert(tag->variable);
    }
    if (!steps || changing_.empty()) starts_.clear();
    changing_.insert(tagged_.begin(), tagged_.end());
  }

  std::set<std::string> run() {
    for (const ir::NodeId start : starts_) collect(start);
    std::set<std::string> out;
    for (const Signature& signature : candidates_) {
      if (!passes(signature)) continue;
      std::string text;
      for (const SymbolId symbol : signature) text += (text.empty() ? "" : " ") + game_.symbols.str(symbol);
      out.insert(std::move(text));
    }
    return out;
  }

 private:
  [[nodiscard]] bool is_aside(SymbolId symbol) const {
    return game_.words != nullptr && game_.words->asides.contains(symbol);
  }
  [[nodiscard]] bool changes(const ir::Label& label) const {
    return ir::is_assignment(label) && changing_.contains(ir::written_variable(game_, label));
  }

  // The signatures of walks from here that change nothing.
  void collect(ir::NodeId start) {
    std::set<std::pair<ir::NodeId, Signature>> seen;
    std::vector<std::pair<ir::NodeId, Signature>> open = {{start, {}}};
    while (!open.empty() && candidates_.size() < kMostFound && ++visits_ < kMostVisits) {
      auto [node, signature] = std::move(open.back());
      open.pop_back();
      if (!seen.emplace(node, signature).second) continue;
      for (const ir::EdgeId edge : game_.graph.out_edges(node)) {
        const ir::Label& label = game_.graph.label(edge);
        if (game_.is_player_assignment(label)) {
          if (!signature.empty()) candidates_.insert(signature);
          continue;
        }
        if (changes(label)) continue;
        Signature next = signature;
        if (const auto* tag = std::get_if<ir::Tag>(&label)) {
          if (!is_aside(tag->symbol) || next.size() >= kMostSteps) continue;
          next.push_back(tag->symbol);
        }
        open.emplace_back(game_.graph.target(edge), std::move(next));
      }
    }
  }

  // Whether no walk with these asides changes anything, from wherever it begins.
  [[nodiscard]] bool passes(const Signature& signature) {
    using Place = std::tuple<ir::NodeId, std::size_t, bool>;
    std::set<Place> seen;
    std::vector<Place> open;
    for (const ir::NodeId start : starts_) open.emplace_back(start, 0, false);
    while (!open.empty()) {
      const Place place = open.back();
      open.pop_back();
      if (!seen.insert(place).second) continue;
      if (++visits_ >= kMostVisits) return false;
      const auto& [node, done, changed] = place;
      for (const ir::EdgeId edge : game_.graph.out_edges(node)) {
        const ir::Label& label = game_.graph.label(edge);
        if (game_.is_player_assignment(label)) {
          if (changed && done == signature.size()) return false;
          continue;
        }
        const auto* tag = std::get_if<ir::Tag>(&label);
        const bool aside = tag != nullptr && is_aside(tag->symbol);
        if (aside && (done == signature.size() || tag->symbol != signature[done])) continue;
        open.emplace_back(game_.graph.target(edge), done + (aside ? 1 : 0),
                          changed || changes(label) || (tag != nullptr && !aside));
      }
    }
    return true;
  }

  const ir::Game& game_;
  std::set<ir::NodeId> starts_;  // of moves
  std::set<ir::VarId> changing_, tagged_;
  std::set<Signature> candidates_;
  std::size_t visits_ = 0;
};

}  // namespace

std::set<std::string> find_passes(const ir::Game& game) { return PassFinder(game).run(); }

}  // namespace rgtrans::scene
