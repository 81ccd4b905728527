// A state: a reasoner together with the moves that led to it. The keeper's moves are made at once, so a state is
// always one in which a player or random moves, or a final one.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <thread>

#include "backends/move_numbers.hpp"
#include "backends/play/play.hpp"
#include "bindings/bindings.hpp"
#include "bindings/game.hpp"

namespace py = pybind11;

namespace rgtrans::python {

constexpr std::size_t kMaxKeeperMoves = 100'000;  // in a row; more means that the game hangs

class State {
 public:
  // Without Python's lock.
  State(const Game& game, std::string engine) : engine_(std::move(engine)), reasoner_(make_reasoner(game, engine_)) {
    keep();
  }
  State(const State& other)
      : engine_(other.engine_), reasoner_(other.reasoner_->clone()), history_(other.history_), keeps_(other.keeps_) {}
  State& operator=(const State&) = delete;

  [[nodiscard]] const std::string& engine() const { return engine_; }
  [[nodiscard]] bool terminal() const { return reasoner_->terminal(); }
  [[nodiscard]] std::string mover_name() const { return reasoner_->info().mover_name(reasoner_->mover()); }
  [[nodiscard]] std::size_t mover() const { return reasoner_->mover(); }
  std::size_t move_count() { return terminal() ? 0 : reasoner_->move_count(); }
  std::vector<std::string> moves() { return reasoner_->move_texts(); }
  std::string move_text(std::size_t index) {
    check(index);
    return reasoner_->move_text(index);
  }
  // For each number that can follow the given ones in a space of actions, in order: the index of the move, or -1 if
  // more numbers follow. With the index of a move that has no number, if there is one.
  using Legal = std::vector<std::pair<std::uint64_t, std::int64_t>>;
  std::pair<Legal, std::optional<std::size_t>> legal(const analysis::ActionSpace& space,
                                                     const std::vector<std::uint64_t>& given) {
    struct Way {
      std::uint64_t number;
      std::size_t index;
      bool whole;  // nothing follows
    };
    const bool flat = space.form() == analysis::ActionSpace::Form::flat;
    const auto is_tag = [](std::uint64_t number, std::uint32_t place) { return number == place + std::uint64_t{1}; };
    MoveNumbers numbers(space);
    std::vector<Way> ways;
    const std::size_t count = move_count();
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<const std::uint32_t> places = numbers.places(*reasoner_, i);
      if (flat) {
        const std::optional<std::uint64_t> id = space.id(places);
        if (!id) return {{}, i};
        ways.push_back({*id, i, true});
        continue;
      }
      if (std::ranges::find(places, kNone) != places.end()) return {{}, i};
      const std::size_t at = given.size();
      if (places.size() < at || !std::equal(given.begin(), given.end(), places.begin(), is_tag)) continue;
      const std::uint64_t next = places.size() > at ? places[at] + std::uint64_t{1} : 0;
      ways.push_back({next, i, next == 0 || places.size() == at + 1});
    }
    std::ranges::sort(ways, {}, [](const Way& way) { return std::pair(way.number, way.index); });
    Legal result;
    for (std::size_t first = 0, last = 0; first < ways.size(); first = last) {
      while (last < ways.size() && ways[last].number == ways[first].number) ++last;
      const bool only = ways[first].whole && last == first + 1;
      result.emplace_back(ways[first].number, only ? static_cast<std::int64_t>(ways[first].index) : -1);
    }
    return {std::move(result), std::nullopt};
  }
  [[nodiscard]] std::uint64_t canonical_hash() const { return reasoner_->canonical_hash(); }
  [[nodiscard]] bool same_position(const State& other) const { return reasoner_->same_position(*other.reasoner_); }
  void apply(std::size_t index) {
    check(index);
    reasoner_->apply(index);
    history_.push_back(static_cast<std::uint32_t>(index));
    keep();
  }
  bool undo() {
    if (history_.empty()) return false;
    for (std::size_t i = keeps_.back() + 1; i > 0; --i) {
      if (!reasoner_->undo()) throw std::runtime_error("this engine cannot take the move back");
    }
    keeps_.pop_back();
    history_.pop_back();
    return true;
  }
  [[nodiscard]] const std::vector<std::uint32_t>& history() const { return history_; }
  [[nodiscard]] std::string goal(std::size_t player) const { return reasoner_->goal(player); }
  [[nodiscard]] py::bytes bytes() const {
    const auto data = reasoner_->state_bytes();
    return {reinterpret_cast<const char*>(data.data()), data.size()};
  }
  [[nodiscard]] std::string describe() const { return reasoner_->describe(); }
  // Scalars and cells of maps ("board a1") with their values, those that still matter.
  [[nodiscard]] std::map<std::string, std::string> cells() const {
    std::map<std::string, std::string> result;
    for (const VariableView& view : reasoner_->variables()) {
      if (!view.alive) continue;
      if (view.cells.empty()) result.emplace(view.name, view.value);
      for (const VariableView::Cell& cell : view.cells) {
        result.emplace(fmt::format("{} {}", view.name, fmt::join(cell.keys, " ")), cell.value);
      }
    }
    return result;
  }

  // The moves made so far: the mover, and the part that `player` saw. Moves of the keeper are included if they show
  // tags.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> seen(std::size_t player) const {
    std::vector<std::pair<std::string, std::string>> result;
    const auto replay = reasoner_->clone();
    replay->reset();
    const GameInfo& info = replay->info();
    const auto watch = [&](std::size_t index) {
      const std::size_t mover = replay->mover();
      std::string text =
          player < info.players.size() ? replay->observed_move_text(index, player) : replay->move_text(index);
      if (mover != info.keeper() || !text.empty()) result.emplace_back(info.mover_name(mover), std::move(text));
      replay->apply(index);
    };
    const auto keep = [&] {
      while (replay->keeper_moves() && replay->move_count() > 0) watch(0);
    };
    keep();
    for (const std::uint32_t index : history_) {
      replay->move_count();
      watch(index);
      keep();
    }
    return result;
  }

  std::uint64_t perft(unsigned depth, bool walks) {
    return walks ? reasoner_->perft_walks(depth) : reasoner_->perft(depth);
  }

  PlayoutStats playouts(const PlayoutOptions& options, unsigned threads) {
    if (threads <= 1) return reasoner_->playouts(options);
    return play::playouts(*reasoner_, options, threads);
  }

 private:
  void check(std::size_t index) {
    const std::size_t count = move_count();
    if (index >= count) throw py::index_error(fmt::format("move {} of {}", index, count));
  }

  // Makes the keeper's moves, one after the other.
  void keep() {
    std::size_t count = 0;
    const std::size_t keeper = reasoner_->info().keeper();
    while (!reasoner_->terminal() && reasoner_->mover() == keeper && reasoner_->move_count() > 0) {
      if (++count > kMaxKeeperMoves) throw Error(fmt::format("the keeper made {} moves in a row", kMaxKeeperMoves));
      reasoner_->apply(0);
    }
    if (!history_.empty()) keeps_.push_back(count);
  }

  std::string engine_;
  std::unique_ptr<Reasoner> reasoner_;
  std::vector<std::uint32_t> history_;  // of players and random, as indices
  std::vector<std::size_t> keeps_;      // how many of the keeper's moves followed each of them
};

namespace {

// The initial state: a copy of the one that is kept with the game.
State first_state(const Game& game, const std::string& engine) {
  const py::gil_scoped_release unlocked;
  return *game.played->initial(engine, [&] { return std::make_shared<const State>(game, engine); });
}

// Runs `work` in a thread of its own, without Python's lock, and looks for Ctrl-C meanwhile. `work` ends soon after
// `stop` is not 0.
void run_interruptibly(std::uint32_t& stop, const std::function<void()>& work) {
  constexpr std::chrono::milliseconds kLook{50};
  std::exception_ptr failure;
  std::promise<void> promise;
  const std::future<void> over = promise.get_future();
  bool interrupted = false;
  {
    const py::gil_scoped_release unlocked;
    std::thread worker([&] {
      try {
        work();
      } catch (...) {
        failure = std::current_exception();
      }
      promise.set_value();
    });
    while (!interrupted && over.wait_for(kLook) != std::future_status::ready) {
      const py::gil_scoped_acquire locked;
      interrupted = PyErr_CheckSignals() != 0;
    }
    if (interrupted) __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    worker.join();
  }
  if (interrupted) throw py::error_already_set();
  if (failure) std::rethrow_exception(failure);
}

py::dict to_dict(const PlayoutStats& stats) {
  py::dict result;
  result["playouts"] = stats.playouts;
  result["moves"] = stats.moves;
  result["max_length"] = stats.max_length;
  result["min_length"] = stats.playouts == 0 ? 0 : stats.min_length;
  result["length_squares"] = stats.length_squares;
  result["branching_sum"] = stats.branching_sum;
  result["branching_max"] = stats.branching_max;
  result["stopped"] = stats.stopped;
  result["goal_sum"] = stats.goal_sum;
  result["goal_squares"] = stats.goal_squares;
  result["wins"] = stats.wins;
  result["seconds"] = stats.seconds;
  return result;
}

py::dict playouts(State& state, std::uint64_t count, double seconds, std::uint64_t seed, std::uint64_t max_moves,
                  unsigned threads) {
  PlayoutOptions options;
  options.count = count;
  options.seconds = seconds;
  options.seed = seed;
  options.max_moves = max_moves;
  std::uint32_t stop = 0;
  options.stop = &stop;
  PlayoutStats stats;
  constexpr std::uint64_t kFew = 16;  // as searches want them again and again: not worth a thread
  if (count > 0 && count <= kFew && threads <= 1) {
    const py::gil_scoped_release unlocked;
    stats = state.playouts(options, threads);
  } else {
    run_interruptibly(stop, [&] { stats = state.playouts(options, threads); });
  }
  return to_dict(stats);
}

}  // namespace

void bind_state(py::module_& module) {
  using Unlocked = py::call_guard<py::gil_scoped_release>;
  py::class_<State>(module, "State")
      .def(py::init(&first_state), py::arg("game"), py::arg("engine"))
      .def("copy", [](const State& state) { return State(state); })
      .def_property_readonly("engine", &State::engine)
      .def_property_readonly("terminal", &State::terminal)
      .def_property_readonly("mover", &State::mover)
      .def_property_readonly("mover_name", &State::mover_name)
      .def_property_readonly("move_count", &State::move_count)
      .def("moves", &State::moves)
      .def("move_text", &State::move_text, py::arg("index"))
      .def(
          "legal",
          [](State& state, const analysis::ActionSpace& space, const std::vector<std::uint64_t>& given) -> py::object {
            const auto [legal, missing] = state.legal(space, given);
            if (missing) return py::int_(*missing);
            py::dict result;
            for (const auto& [number, index] : legal) {
              result[py::int_(number)] = index < 0 ? py::object(py::none()) : py::int_(index);
            }
            return result;
          },
          py::arg("space"), py::arg("given"))
      .def("apply", &State::apply, py::arg("index"))
      .def("undo", &State::undo)
      .def_property_readonly("history", &State::history)
      .def("goal", &State::goal, py::arg("player"))
      .def("bytes", &State::bytes)
      .def("canonical_hash", &State::canonical_hash)
      .def("same_position", &State::same_position, py::arg("other"))
      .def("describe", &State::describe)
      .def("cells", &State::cells)
      .def("seen", &State::seen, py::arg("player"))
      .def("perft", &State::perft, Unlocked(), py::arg("depth"), py::arg("walks"))
      .def("playouts", &playouts, py::arg("count"), py::arg("seconds"), py::arg("seed"), py::arg("max_moves"),
           py::arg("threads"));
}

}  // namespace rgtrans::python
