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
  // In this position, which becomes the start of the play.
  State(std::unique_ptr<Reasoner> position, std::string engine)
      : engine_(std::move(engine)), reasoner_(std::move(position)), start_(reasoner_->clone()) {}
  State(const State& other)
      : engine_(other.engine_),
        reasoner_(other.reasoner_->clone()),
        start_(other.start_),
        history_(other.history_),
        keeps_(other.keeps_) {}
  State& operator=(const State&) = delete;

  [[nodiscard]] const std::string& engine() const { return engine_; }
  [[nodiscard]] const Reasoner& reasoner() const { return *reasoner_; }
  [[nodiscard]] bool starts_in_the_middle() const { return start_ != nullptr; }
  [[nodiscard]] bool terminal() const { return reasoner_->terminal(); }
  [[nodiscard]] std::size_t mover() const { return reasoner_->mover(); }
  std::size_t move_count() { return terminal() ? 0 : reasoner_->move_count(); }
  std::vector<std::string> moves() { return reasoner_->move_texts(); }
  std::string move_text(std::size_t index) {
    check(index);
    return reasoner_->move_text(index);
  }
  std::string seen_move_text(std::size_t index, std::size_t player) {
    check(index);
    return reasoner_->observed_move_text(index, player);
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
  // tags. Engines name players as the game or as its description does, so movers are numbers.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::string>> seen(std::size_t player) const {
    std::vector<std::pair<std::size_t, std::string>> result;
    const GameInfo& info = reasoner_->info();
    replay([](Reasoner&) {},
           [&](Reasoner& play, std::size_t index) {
             const std::size_t mover = play.mover();
             std::string text =
                 player < info.players.size() ? play.observed_move_text(index, player) : play.move_text(index);
             if (mover != info.keeper() || !text.empty()) result.emplace_back(mover, std::move(text));
           });
    return result;
  }
  // See game.hpp.
  void replay(const std::function<void(Reasoner&)>& begin,
              const std::function<void(Reasoner&, std::size_t)>& move) const {
    const auto play = start_ ? start_->clone() : reasoner_->clone();
    if (!start_) play->reset();
    begin(*play);
    const auto make = [&](std::size_t index) {
      move(*play, index);
      play->apply(index);
    };
    const auto keep = [&] {
      while (play->keeper_moves() && play->move_count() > 0) make(0);
    };
    keep();
    for (const std::uint32_t index : history_) {
      play->move_count();
      make(index);
      keep();
    }
  }

  // For work without Python's lock, during which other threads may change the state.
  [[nodiscard]] std::unique_ptr<Reasoner> position() const { return reasoner_->clone(); }
  // With Python's lock.
  PlayoutStats few_playouts(const PlayoutOptions& options) { return reasoner_->playouts(options); }

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
  std::shared_ptr<const Reasoner> start_{};  // null: the initial state of the game
  std::vector<std::uint32_t> history_;       // of players and random, as indices
  std::vector<std::size_t> keeps_;           // how many of the keeper's moves followed each of them
};

const Reasoner& reasoner_of(const State& state) { return state.reasoner(); }

py::object state_at(std::unique_ptr<Reasoner> position, std::string engine) {
  return py::cast(State(std::move(position), std::move(engine)));
}

void replay(const State& state, const std::function<void(Reasoner&)>& begin,
            const std::function<void(Reasoner&, std::size_t)>& move) {
  state.replay(begin, move);
}

void run_interruptibly(const std::function<void()>& stop, const std::function<void()>& work) {
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
    if (interrupted) stop();
    worker.join();
  }
  if (interrupted) throw py::error_already_set();
  if (failure) std::rethrow_exception(failure);
}

namespace {

// The initial state: a copy of the one that is kept with the game.
State first_state(const Game& game, const std::string& engine) {
  const py::gil_scoped_release unlocked;
  return *game.played->initial(engine, [&] { return std::make_shared<const State>(game, engine); });
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
    stats = state.few_playouts(options);
  } else {
    const std::unique_ptr<Reasoner> position = state.position();
    const auto end = [&] { __atomic_store_n(&stop, 1, __ATOMIC_RELAXED); };
    run_interruptibly(
        end, [&] { stats = threads <= 1 ? position->playouts(options) : play::playouts(*position, options, threads); });
  }
  return to_dict(stats);
}

std::uint64_t perft(const State& state, unsigned depth, bool walks) {
  const std::unique_ptr<Reasoner> position = state.position();
  const py::gil_scoped_release unlocked;
  return walks ? position->perft_walks(depth) : position->perft(depth);
}

}  // namespace

void bind_state(py::module_& module) {
  py::class_<State>(module, "State")
      .def(py::init(&first_state), py::arg("game"), py::arg("engine"))
      .def("copy", [](const State& state) { return State(state); })
      .def_property_readonly("engine", &State::engine)
      .def_property_readonly("terminal", &State::terminal)
      .def_property_readonly("mover", &State::mover)
      .def_property_readonly("move_count", &State::move_count)
      .def("as_start", [](const State& state) { return State(state.position(), state.engine()); })
      .def_property_readonly("starts_in_the_middle", &State::starts_in_the_middle)
      .def("moves", &State::moves)
      .def("seen_move_text", &State::seen_move_text, py::arg("index"), py::arg("player"))
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
      .def("perft", &perft, py::arg("depth"), py::arg("walks"))
      .def("playouts", &playouts, py::arg("count"), py::arg("seconds"), py::arg("seed"), py::arg("max_moves"),
           py::arg("threads"));
}

}  // namespace rgtrans::python
