// Tree search from single states.
#include "backends/search/search.hpp"

#include <pybind11/stl.h>

#include <optional>

#include "bindings/bindings.hpp"
#include "bindings/game.hpp"

namespace py = pybind11;

namespace rgtrans::python {
namespace {

py::dict to_dict(const search::TreeReport& report) {
  py::dict result;
  result["simulations"] = report.simulations;
  result["seconds"] = report.seconds;
  result["proven"] = report.proven;
  result["values"] = report.values;
  py::list moves;
  for (const search::RootMove& move : report.moves) {
    moves.append(py::make_tuple(move.move, move.visits, move.value, move.proven));
  }
  result["moves"] = moves;
  return result;
}

class Tree {
 public:
  Tree(const State& state, const std::string& settings, std::uint64_t seed) : seed_(seed) {
    search::Budget none;
    search::set_tree_options(settings, options_, none);
    const Reasoner& game = reasoner_of(state);
    if (!game.info().hidden) tree_ = search::make_tree(game, options_, seed);
  }

  py::dict run(const State& state, std::uint64_t simulations, double seconds, unsigned threads) {
    const search::Budget budget{simulations, seconds, threads};
    const std::unique_ptr<Reasoner> position = reasoner_of(state).clone();
    search::TreeReport report;
    if (tree_ != nullptr) {
      run_interruptibly([&] { tree_->stop(); }, [&] { report = tree_->run(*position, budget); });
    } else {
      search::SeatKnowledge knowledge = known(state, position->mover());
      const py::gil_scoped_release unlocked;
      report = search::InformationSearch(*position, options_, seed_).run(knowledge, position->move_texts(), budget);
    }
    return to_dict(report);
  }

 private:
  // What the mover has seen of the play.
  [[nodiscard]] search::SeatKnowledge known(const State& state, std::size_t seat) const {
    std::optional<search::SeatKnowledge> knowledge;
    replay(
        state, [&](Reasoner& begin) { knowledge.emplace(begin, seat, seed_); },
        [&](Reasoner& play, std::size_t index) { knowledge->observe(play, index); });
    return std::move(*knowledge);
  }

  search::TreeOptions options_;
  std::uint64_t seed_;
  std::shared_ptr<search::TreeSearch> tree_;  // null where moves are hidden
};

}  // namespace

void bind_search(py::module_& module) {
  py::class_<Tree>(module, "Tree")
      .def(py::init<const State&, const std::string&, std::uint64_t>(), py::arg("state"), py::arg("settings"),
           py::arg("seed"))
      .def("run", &Tree::run, py::arg("state"), py::arg("simulations"), py::arg("seconds"), py::arg("threads"));
  // A share of so many cases, with the ends of its 95 % interval.
  module.def(
      "share_of",
      [](double successes, double cases) {
        const search::Estimate e = search::share_of(successes, cases);
        return py::make_tuple(e.value, e.low, e.high);
      },
      py::arg("successes"), py::arg("cases"));
}

}  // namespace rgtrans::python
