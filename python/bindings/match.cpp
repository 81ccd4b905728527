// The plays of a match by their numbers, and their count.
#include <pybind11/stl.h>

#include <tuple>

#include "backends/search/search.hpp"
#include "bindings/bindings.hpp"
#include "bindings/game.hpp"

namespace py = pybind11;

namespace rgtrans::python {
namespace {

search::MatchOptions options_of(std::vector<std::string> players, std::uint64_t plays, std::uint64_t seed,
                                std::uint64_t opening, std::uint64_t max_moves) {
  search::MatchOptions options;
  for (const std::string& player : players) search::make_player(player);
  options.players = std::move(players);
  options.games = plays;
  options.seed = seed;
  options.limits.random_opening = opening;
  options.limits.most_moves = max_moves;
  return options;
}

// What the count needs of a play, as plain data: goals, seconds, moves, why it stopped, whose fault that was.
using PlayResult = std::tuple<std::vector<double>, std::vector<double>, std::uint64_t, std::string, int>;

class MatchPlays {
 public:
  MatchPlays(const State& state, std::vector<std::string> players, std::uint64_t seed, std::uint64_t opening,
             std::uint64_t max_moves)
      : game_(reasoner_of(state).clone()), options_(options_of(std::move(players), 0, seed, opening, max_moves)) {}
  PlayResult play(std::uint64_t number) const {
    const py::gil_scoped_release unlocked;
    const search::PlayRecord record = search::play_of_match(*game_, options_, number);
    return {record.goals, record.seconds, record.player_moves, record.stopped, record.fault};
  }

 private:
  std::unique_ptr<Reasoner> game_;
  search::MatchOptions options_;
};

void add_result(search::MatchTally& tally, std::uint64_t number, const PlayResult& result) {
  search::PlayRecord record;
  std::tie(record.goals, record.seconds, record.player_moves, record.stopped, record.fault) = result;
  tally.add(number, std::move(record));
}

}  // namespace

void bind_match(py::module_& module) {
  py::class_<MatchPlays>(module, "MatchPlays")
      .def(py::init<const State&, std::vector<std::string>, std::uint64_t, std::uint64_t, std::uint64_t>(),
           py::arg("state"), py::arg("players"), py::arg("seed"), py::arg("opening"), py::arg("max_moves"))
      .def("play", &MatchPlays::play, py::arg("number"));
  py::class_<search::MatchTally>(module, "MatchTally")
      .def(py::init([](const State& state, std::vector<std::string> players, std::uint64_t plays, std::uint64_t seed,
                       bool sprt, double elo0, double elo1) {
             search::MatchOptions options = options_of(std::move(players), plays, seed, 0, 1);
             options.sprt = sprt;
             options.elo0 = elo0;
             options.elo1 = elo1;
             return std::make_unique<search::MatchTally>(reasoner_of(state).info(), options);
           }),
           py::arg("state"), py::arg("players"), py::arg("plays"), py::arg("seed"), py::arg("sprt"), py::arg("elo0"),
           py::arg("elo1"))
      .def("add", &add_result, py::arg("number"), py::arg("result"))
      .def_property_readonly("over", &search::MatchTally::over)
      .def_property_readonly("plays", &search::MatchTally::plays)
      .def_property_readonly("progress", &search::MatchTally::progress)
      .def("text", [](const search::MatchTally& tally) { return search::text(tally.result()); })
      .def("json", [](const search::MatchTally& tally) { return search::json(tally.result()); });
}

}  // namespace rgtrans::python
