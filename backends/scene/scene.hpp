// Shows a play to people. It describes the picture, found for any game without knowledge of particular games, and words
// moves as the author does. Both contain only facts that the viewer may know.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "backends/reasoner.hpp"
#include "backends/scene/blueprint.hpp"
#include "backends/scene/coordinates.hpp"
#include "backends/scene/hints.hpp"
#include "backends/scene/layout.hpp"
#include "backends/scene/picture.hpp"
#include "backends/scene/targets.hpp"  // IWYU pragma: export
#include "backends/scene/witness.hpp"  // IWYU pragma: export
#include "backends/scene/wording.hpp"  // IWYU pragma: export
#include "core/ir/ir.hpp"

namespace rgtrans::scene {

class Pieces;

// Finds the boards and pieces of a game once, then describes its states.
class Painter {
 public:
  // The game as its author wrote it: the optimizer may take boards apart.
  explicit Painter(const ir::Game& game);
  // The same with the state in which plays begin, from a witness of this game.
  Painter(const ir::Game& game, const Witness& witness) : Painter(game, witness.beginning()) {}
  ~Painter();
  Painter(Painter&&) noexcept;

  // The state that a witness is in, as a player may know it; everything without a viewer.
  [[nodiscard]] Scene scene(Witness& witness, std::optional<std::size_t> viewer = std::nullopt) const;
  // A state of the optimized game that no moves lead to. Only boards, dice and cards are drawn: their cells keep the
  // names of the written game, while the optimizer may delay, merge or omit other variables. `beginning`: the variables
  // of the written game where plays begin.
  [[nodiscard]] Scene scene(const Reasoner& state, const std::vector<VariableView>& beginning) const;
  // The same for callers that know the variables and draw by themselves.
  [[nodiscard]] Blueprint blueprint() const;

 private:
  struct Variable;
  using Views = std::map<std::string, const VariableView*>;
  using Values = std::map<std::string, std::string>;  // by place
  Painter(const ir::Game& game, const std::vector<VariableView>& beginning);
  [[nodiscard]] Scene at_the_table(const Reasoner& state) const;
  void draw(Scene& scene, const std::vector<VariableView>& variables, bool facts) const;
  void find_boards(const ir::Game& game, const std::vector<VariableView>& beginning);
  void join_parts(const ir::Game& game, const ir::Words::Relation& relation, const Views& initial);
  void choose_boards(const ir::Game& game);
  void add_pieces(const ir::Game& game, Variable& variable);
  [[nodiscard]] Variable* find(std::string_view name);
  [[nodiscard]] static Values values_of(const Variable& variable, const Views& views);
  void choose_grounds();
  void turn_to_first_player();
  [[nodiscard]] bool left_out(const Variable& variable) const;
  void add_source(Scene& scene, Cell& cell, const Layout& layout, const CellSpot::Source& source,
                  const std::string& value) const;
  [[nodiscard]] Blueprint::Table table(Scene& scene, const Layout& layout, const CellSpot::Source& source,
                                       const std::vector<std::string>& values) const;
  void add_board(Scene& scene, const Layout& layout, const Values& values) const;
  void add_colours(Scene& scene) const;
  [[nodiscard]] std::vector<Face> faces(const Variable& variable, const std::string& value) const;
  [[nodiscard]] std::string told(const Variable& variable, const std::string& value) const;
  [[nodiscard]] static std::string shown(const Variable& variable, const std::string& word);
  void add_facts(Scene& scene, const Variable& variable, const VariableView& view) const;

  Hints hints_;
  Coordinates coordinates_;
  std::vector<std::string> players_;
  std::vector<Variable> variables_;
  std::unique_ptr<Pieces> pieces_;
  // By symbol of RG, as the author writes it; the second one for values of boards.
  std::unordered_map<std::string, std::string> texts_, piece_texts_;
};

// A sentence that names the winner of a finished play; empty if scores are no numbers.
std::string verdict(const Reasoner& state);

}  // namespace rgtrans::scene
