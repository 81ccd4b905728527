// Drawings of states, and moves in the author's words.
#include "backends/scene/scene.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/game.hpp"

namespace py = pybind11;

namespace rgtrans::python {
namespace {

class Scenes {
 public:
  explicit Scenes(const Game& game)
      : game_(game.game), witness_(*game_), painter_(*game_, witness_), wording_(*game_) {}

  // After these moves, those of the keeper that show nothing left out.
  scene::Scene scene(const std::vector<std::string>& moves, std::optional<std::size_t> viewer) {
    const std::lock_guard lock(mutex_);
    // Calls come mostly for the same play, which goes on.
    if (moves.size() < moves_.size() || !std::equal(moves_.begin(), moves_.end(), moves.begin())) {
      witness_.reset();
      moves_.clear();
    }
    for (std::size_t i = moves_.size(); i < moves.size(); ++i) {
      witness_.settle();
      witness_.apply(moves[i]);
      moves_.push_back(moves[i]);
    }
    witness_.settle();
    return painter_.scene(witness_, viewer);
  }
  // A state that no moves lead to.
  [[nodiscard]] scene::Scene scene(const State& state) const {
    return painter_.scene(reasoner_of(state), witness_.beginning());
  }
  [[nodiscard]] const scene::Wording& wording() const { return wording_; }

 private:
  std::shared_ptr<const ir::Game> game_;
  scene::Witness witness_;
  std::vector<std::string> moves_;  // that the witness has seen
  scene::Painter painter_;
  scene::Wording wording_;
  std::mutex mutex_;
};

using Moves = std::vector<std::string>;
using Viewer = std::optional<std::size_t>;

}  // namespace

void bind_scenes(py::module_& module) {
  using Unlocked = py::call_guard<py::gil_scoped_release>;
  py::class_<Scenes>(module, "Scenes")
      .def(py::init<const Game&>(), Unlocked(), py::arg("game"))
      .def(
          "text",
          [](Scenes& s, const Moves& moves, Viewer viewer, bool flip, bool unicode) {
            return scene::text(s.scene(moves, viewer), {.unicode = unicode, .colours = false, .flipped = flip});
          },
          Unlocked(), py::arg("moves"), py::arg("viewer"), py::arg("flip"), py::arg("unicode"))
      .def(
          "svg",
          [](Scenes& s, const Moves& moves, Viewer viewer, bool flip) {
            return scene::svg(s.scene(moves, viewer), flip);
          },
          Unlocked(), py::arg("moves"), py::arg("viewer"), py::arg("flip"))
      .def(
          "json", [](Scenes& s, const Moves& moves, Viewer viewer) { return scene::json(s.scene(moves, viewer)); },
          Unlocked(), py::arg("moves"), py::arg("viewer"))
      .def(
          "text_of",
          [](const Scenes& s, const State& state, bool flip, bool unicode) {
            return scene::text(s.scene(state), {.unicode = unicode, .colours = false, .flipped = flip});
          },
          py::arg("state"), py::arg("flip"), py::arg("unicode"))
      .def(
          "svg_of", [](const Scenes& s, const State& state, bool flip) { return scene::svg(s.scene(state), flip); },
          py::arg("state"), py::arg("flip"))
      .def(
          "json_of", [](const Scenes& s, const State& state) { return scene::json(s.scene(state)); }, py::arg("state"))
      .def(
          "full", [](const Scenes& s, const std::string& move) { return s.wording().full(move); }, py::arg("move"))
      .def(
          "shown", [](const Scenes& s, const Moves& moves) { return s.wording().shown(moves); }, py::arg("moves"))
      .def(
          "meant",
          [](const Scenes& s, const Moves& moves, const std::string& typed) { return s.wording().meant(moves, typed); },
          py::arg("moves"), py::arg("typed"));
}

}  // namespace rgtrans::python
