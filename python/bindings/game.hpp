// A game as Python holds it: immutable, shared between Python objects and the playing engines.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "backends/claims/claims.hpp"
#include "backends/reasoner.hpp"
#include "core/analysis/analysis.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::python {

class State;

// Data that is created on first use and kept with the game: the initial state of each engine, and the numbers of moves.
class Played {
 public:
  // `make` is called once for each engine.
  std::shared_ptr<const State> initial(const std::string& engine,
                                       const std::function<std::shared_ptr<const State>()>& make) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const State>& known = initial_[engine];
    if (!known) known = make();
    return known;
  }
  // Of at most so many numbers, or factored.
  std::shared_ptr<analysis::ActionSpace> actions(const ir::Game& game, analysis::ActionSpace::Whose whose,
                                                 std::uint64_t most) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<analysis::ActionSpace>& known = actions_[{whose, most}];
    if (!known) known = std::make_shared<analysis::ActionSpace>(game, whose, most);
    return known;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const State>> initial_;
  std::map<std::pair<analysis::ActionSpace::Whose, std::uint64_t>, std::shared_ptr<analysis::ActionSpace>> actions_;
};

// A description whose rules can be played as they are.
struct RuleText {
  std::string text, name;
  bool fold_case = false;
};

struct Game {
  std::shared_ptr<const ir::Game> game;
  std::string warnings_json;
  claims::Rules claim_rules = {};  // of its language, if claims are asserted
  std::shared_ptr<Played> played = std::make_shared<Played>();
  std::shared_ptr<const RuleText> rules{};  // null unless it was loaded from such a description
};

// The engine with this name, as on the command line. All but "rules" play the game as in its RG text, whatever order
// the tables of this copy have. So equal games get equal engines, with equal bytes for equal states.
std::unique_ptr<Reasoner> make_reasoner(const Game& game, std::string_view engine);

}  // namespace rgtrans::python
