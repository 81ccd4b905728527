// Whether two games are the same game, as JSON.
#include <pybind11/stl.h>

#include <functional>
#include <memory>
#include <string>

#include "backends/lockstep/lockstep.hpp"
#include "backends/scene/scene.hpp"
#include "bindings/bindings.hpp"
#include "bindings/game.hpp"
#include "core/support/clock.hpp"

namespace py = pybind11;

namespace rgtrans::python {
namespace {

std::string equal(const Game& first, const Game& second, const std::string& match, std::uint64_t states,
                  std::uint64_t plays, double seconds, std::uint64_t memory, unsigned threads, bool skip_forced,
                  bool ways, std::uint64_t seed, const std::string& engine) {
  std::uint32_t stop = 0;
  lockstep::EqualOptions options;
  options.states = states;
  options.plays = plays;
  options.seconds = seconds;
  options.memory = memory;
  options.threads = threads;
  options.skip_forced = skip_forced;
  options.ways = ways;
  options.seed = seed;
  options.following.stop = &stop;
  for (const std::size_t game : {0U, 1U}) {
    options.named[game] = [wording = scene::Wording(*(game == 0 ? first : second).game)](const std::string& text) {
      return wording.shown({text}).front();
    };
  }
  const std::unique_ptr<Reasoner> a = make_reasoner(first, engine), b = make_reasoner(second, engine);
  std::string out;
  const auto begin = Clock::now();
  run_interruptibly([&] { __atomic_store_n(&stop, 1U, __ATOMIC_RELAXED); },
                    [&] {
                      const auto result = compare_matched(*a, *b, options, lockstep::match_named(match));
                      const bool found = !options.renaming.identical();
                      out =
                          json(result, found ? &options.renaming : nullptr, seconds_since(begin), a->info(), b->info());
                    });
  return out;
}

}  // namespace

void bind_equal(py::module_& module) {
  module.attr("matches") = py::cast(lockstep::kMatches);
  module.def("equal", &equal, py::arg("first"), py::arg("second"), py::arg("match"), py::arg("states"),
             py::arg("plays"), py::arg("seconds"), py::arg("memory"), py::arg("threads"), py::arg("skip_forced"),
             py::arg("ways"), py::arg("seed"), py::arg("engine"));
}

}  // namespace rgtrans::python
