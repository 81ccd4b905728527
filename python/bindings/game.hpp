// A game as Python holds it: immutable, shared between Python objects and the playing engines.
#pragma once

#include <pybind11/pybind11.h>

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

// Asked while compilers work: shows how long they have worked, and says whether Ctrl-C was pressed (then the error is
// set). Without Python's lock.
bool watch_compilers();

// --- States, which state.cpp defines. ---
[[nodiscard]] const Reasoner& reasoner_of(const State& state);
// Plays the moves that led to a state again: `begin` gets the position before the first one, `move` each position and
// the number of the move made there, those of the keeper included.
void replay(const State& state, const std::function<void(Reasoner& position)>& begin,
            const std::function<void(Reasoner& position, std::size_t index)>& move);
// Runs `work` in a thread of its own, without Python's lock. After Ctrl-C it calls `stop`, which must end the work
// soon, and throws.
void run_interruptibly(const std::function<void()>& stop, const std::function<void()>& work);
// A state that begins a play in the middle: in the position of a batch's play.
[[nodiscard]] pybind11::object state_at(std::unique_ptr<Reasoner> position, std::string engine);

}  // namespace rgtrans::python
