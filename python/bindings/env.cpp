// Batches of plays over the caller's arrays. An array is looked at once, when it is handed over.
#include "bindings/env.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "backends/cpp/cpp.hpp"
#include "bindings/bindings.hpp"
#include "bindings/game.hpp"

namespace py = pybind11;

namespace rgtrans::python {

namespace {

using analysis::ActionSpace;
using env::Batch;

env::BatchOptions options_of(const py::dict& given) {
  env::BatchOptions options = shown_as(given);
  options.count = given["count"].cast<std::size_t>();
  options.threads = given["jobs"].cast<unsigned>();
  options.compiled = given["compiled"].cast<bool>();
  options.reset = static_cast<env::ResetMode>(given["reset_mode"].cast<int>());
  options.most_moves = given["max_moves"].cast<std::uint32_t>();
  options.illegal_loses = given["illegal_loses"].cast<bool>();
  options.history = given["history"].cast<std::size_t>();
  options.most_actions = given["max_actions"].cast<std::uint64_t>();
  return options;
}

// An array that has so many of these elements; throws ValueError or TypeError for any other.
template <class T>
py::array checked(const py::object& object, const char* name, std::size_t size) {
  if (!py::isinstance<py::array>(object)) throw py::type_error(fmt::format("{} must be a NumPy array", name));
  py::array array = py::reinterpret_borrow<py::array>(object);
  // Reads the attribute of the array, because the place of the size in a dtype differs between versions of NumPy.
  const auto bytes = array.attr("itemsize").cast<std::size_t>();
  const bool fits = array.dtype().kind() == py::dtype::of<T>().kind() && bytes == sizeof(T);
  const bool truth = sizeof(T) == 1 && array.dtype().kind() == 'b';
  if (!fits && !truth) {
    throw py::type_error(fmt::format("{} must have the dtype {}, not {}", name,
                                     py::str(py::object(py::dtype::of<T>())).cast<std::string>(),
                                     py::str(py::object(array.dtype())).cast<std::string>()));
  }
  if ((array.flags() & py::array::c_style) == 0) throw py::value_error(fmt::format("{} must be contiguous", name));
  if (static_cast<std::size_t>(array.size()) != size) {
    throw py::value_error(fmt::format("{} must have {} elements, not {}", name, size, array.size()));
  }
  return array;
}

// Memory of an array to read; null where there is none.
template <class T>
const T* input(const py::object& object, const char* name, std::size_t size) {
  return object.is_none() ? nullptr : static_cast<const T*>(checked<T>(object, name, size).data());
}

// Memory of an array to write to; null where there is none.
template <class T>
T* output(const py::object& object, const char* name, std::size_t size) {
  if (object.is_none()) return nullptr;
  py::array array = checked<T>(object, name, size);
  if (!array.writeable()) throw py::value_error(fmt::format("{} must be writeable", name));
  return static_cast<T*>(array.mutable_data());
}

class Env {
 public:
  Env(const Game& written, const Game& played, const py::dict& given) {
    env::BatchOptions options = options_of(given);
    options.stop = watch_compilers;
    try {
      const py::gil_scoped_release unlocked;
      auto actions = written.played->actions(*written.game, ActionSpace::Whose::players, options.most_actions);
      batch_ = std::make_unique<Batch>(std::move(actions), *played.game, options);
    } catch (const cpp::Stopped&) {
      throw py::error_already_set();
    }
  }

  [[nodiscard]] const Batch& batch() const { return *batch_; }
  [[nodiscard]] Batch& batch() { return *batch_; }

  // The arrays that steps write to from now on, by name; they are kept.
  void bind(const py::dict& arrays) {
    const std::size_t n = batch_->options().count;
    const auto array = [&](const char* name) { return arrays.contains(name) ? py::object(arrays[name]) : py::none(); };
    rgtrans_env_buffers fresh{};
    fresh.viewer = -1;
    fresh.mask = output<std::uint8_t>(array("mask"), "mask", n * batch_->actions().size());
    fresh.mask_bits = output<std::uint64_t>(array("mask_bits"), "mask_bits", n * batch_->words());
    fresh.rewards = output<float>(array("rewards"), "rewards", n * batch_->players());
    fresh.terminated = output<std::uint8_t>(array("terminated"), "terminated", n);
    fresh.truncated = output<std::uint8_t>(array("truncated"), "truncated", n);
    fresh.player = output<std::int32_t>(array("player"), "player", n);
    fresh.observation = observation(array("observations"));
    buffers_ = fresh;
    kept_ = arrays;
  }

  void reset(const py::object& seeds, const py::object& chosen) {
    rgtrans_env_buffers buffers = buffers_;
    buffers.seeds = input<std::uint64_t>(seeds, "seeds", batch_->options().count);
    buffers.chosen = input<std::uint8_t>(chosen, "chosen", batch_->options().count);
    const py::gil_scoped_release unlocked;
    batch_->reset(buffers);
  }
  // With `stay`, plays that end stay so in any mode.
  void step(const py::object& actions, const py::object& chosen, bool stay) {
    rgtrans_env_buffers buffers = buffers_;
    buffers.stay = stay ? 1 : 0;
    buffers.chosen = input<std::uint8_t>(chosen, "chosen", batch_->options().count);
    buffers.actions = input<std::int32_t>(actions, "actions", batch_->options().count);
    if (buffers.actions == nullptr) throw py::type_error("actions must be a NumPy array");
    const py::gil_scoped_release unlocked;
    batch_->step(buffers);
  }
  void sample(const py::object& actions) {
    auto* const out = output<std::int32_t>(actions, "actions", batch_->options().count);
    const py::gil_scoped_release unlocked;
    batch_->sample(out);
  }
  void run(std::size_t steps, const py::object& actions) {
    auto* const out = output<std::int32_t>(actions, "actions", batch_->options().count);
    const py::gil_scoped_release unlocked;
    batch_->run(steps, out, buffers_);
  }
  // The observation of a player, no matter which player is to move.
  void observe(int viewer, const py::object& out) {
    rgtrans_env_buffers buffers{};
    buffers.viewer = viewer;
    buffers.observation = observation(out);
    const py::gil_scoped_release unlocked;
    batch_->write(buffers);
  }

  // Begins the chosen plays anew. Rewards and ends stay those of the last step.
  void restart(const py::object& chosen) {
    rgtrans_env_buffers buffers = buffers_;
    buffers.rewards = nullptr;
    buffers.terminated = buffers.truncated = nullptr;
    buffers.chosen = input<std::uint8_t>(chosen, "chosen", batch_->options().count);
    const py::gil_scoped_release unlocked;
    batch_->reset(buffers);
  }
  [[nodiscard]] py::object state(std::size_t i) const {
    if (i >= batch_->options().count) throw py::index_error(fmt::format("play {} of {}", i, batch_->options().count));
    return state_at(batch_->position(i), batch_->options().compiled ? "cpp" : "interpreter");
  }

  [[nodiscard]] py::bytes save() const { return batch_->save(); }
  void load(const py::bytes& bytes) {
    try {
      batch_->load(static_cast<std::string_view>(bytes));
    } catch (const Error& error) {
      throw py::value_error(error.what());
    }
    batch_->write(buffers_);
  }

  void* observation(const py::object& object) {
    const std::size_t size = batch_->options().count * batch_->observation().size();
    if (batch_->options().floats) return output<float>(object, "observation", size);
    return output<std::uint8_t>(object, "observation", size);
  }

 private:
  std::unique_ptr<Batch> batch_;
  rgtrans_env_buffers buffers_{};
  py::object kept_;
};

// A search over the plays of an environment; the arrays are those of its owner.
class Searcher {
 public:
  Searcher(Env& env, double exploration, double noise, double alpha, std::uint64_t seed)
      : env_(env), search_(env.batch(), {exploration, noise, alpha, seed}) {}

  void begin() {
    const py::gil_scoped_release unlocked;
    search_.begin();
  }
  void collect(const py::object& observations, const py::object& masks, const py::object& movers) {
    const Batch& batch = env_.batch();
    const std::size_t n = batch.options().count;
    void* const out = env_.observation(observations);
    auto* const mask = output<std::uint8_t>(masks, "masks", n * batch.actions().size());
    auto* const mover = output<std::int32_t>(movers, "movers", n);
    const py::gil_scoped_release unlocked;
    search_.collect(out, mask, mover);
  }
  void expand(const py::object& logits, const py::object& values) {
    const Batch& batch = env_.batch();
    const std::size_t n = batch.options().count;
    const auto* const given = input<float>(logits, "logits", n * batch.actions().size());
    const auto* const worth = input<float>(values, "values", n * batch.players());
    const py::gil_scoped_release unlocked;
    search_.expand(given, worth);
  }
  void result(const py::object& visits, const py::object& values) const {
    const Batch& batch = env_.batch();
    const std::size_t n = batch.options().count;
    search_.result(output<float>(visits, "visits", n * batch.actions().size()),
                   output<float>(values, "values", n * batch.players()));
  }

 private:
  Env& env_;
  env::Search search_;
};

py::dict action_space(const ActionSpace& space) {
  py::dict result;
  result["factored"] = space.form() == ActionSpace::Form::factored;
  result["size"] = space.size();
  result["longest"] = space.longest();
  result["tags"] = space.tags();
  return result;
}

}  // namespace

env::BatchOptions shown_as(const py::dict& given) {
  env::BatchOptions options;
  options.floats = given["floats"].cast<bool>();
  options.channels_last = given["channels_last"].cast<bool>();
  options.relative = given["relative"].cast<bool>();
  return options;
}

void bind_env(py::module_& module) {
  py::class_<ActionSpace, std::shared_ptr<ActionSpace>>(module, "ActionSpace")
      .def(py::init([](const Game& game, bool random, std::uint64_t most) {
             const py::gil_scoped_release unlocked;
             return game.played->actions(*game.game, random ? ActionSpace::Whose::random : ActionSpace::Whose::players,
                                         most);
           }),
           py::arg("game"), py::arg("random"), py::arg("most"))
      .def_property_readonly("facts", &action_space)
      .def_property_readonly("size", &ActionSpace::size)
      .def(
          "id", [](const ActionSpace& space, const std::string& text) { return space.id(text); }, py::arg("text"))
      .def(
          "ids", [](const ActionSpace& space, const std::string& text) { return space.ids(text); }, py::arg("text"))
      .def("text", &ActionSpace::text, py::arg("id"));
  py::class_<Env> envs(module, "Env");
  bind_observation<Env>(envs, [](const Env& it) -> const env::Observation& { return it.batch().observation(); });
  envs.def(py::init<const Game&, const Game&, const py::dict&>(), py::arg("written"), py::arg("played"),
           py::arg("options"))
      .def_property_readonly("jobs", [](const Env& env) { return env.batch().options().threads; })
      .def_property_readonly("record_size", [](const Env& env) { return env.batch().record_size(); })
      .def_property_readonly("words", [](const Env& env) { return env.batch().words(); })
      .def_property_readonly("players", [](const Env& env) { return env.batch().players(); })
      .def_property_readonly("cells",
                             [](const Env& env) {
                               py::list cells;
                               for (const env::Observation::Source& s : env.batch().observation().sources) {
                                 cells.append(py::make_tuple(s.variable, s.keys, s.values, s.planes, s.views, s.place,
                                                             s.everywhere, s.packed));
                               }
                               return cells;
                             })
      .def("bind", &Env::bind, py::arg("arrays"))
      .def("reset", &Env::reset, py::arg("seeds"), py::arg("chosen"))
      .def("step", &Env::step, py::arg("actions"), py::arg("chosen"), py::arg("stay") = false)
      .def("restart", &Env::restart, py::arg("chosen"))
      .def("state", &Env::state, py::arg("i"))
      .def("sample", &Env::sample, py::arg("actions"))
      .def("run", &Env::run, py::arg("steps"), py::arg("actions"))
      .def("observe", &Env::observe, py::arg("viewer"), py::arg("out"))
      .def("save", &Env::save)
      .def("load", &Env::load, py::arg("bytes"));
  py::class_<Searcher>(module, "Search")
      .def(py::init<Env&, double, double, double, std::uint64_t>(), py::keep_alive<1, 2>(), py::arg("env"),
           py::arg("exploration"), py::arg("noise"), py::arg("alpha"), py::arg("seed"))
      .def("begin", &Searcher::begin)
      .def("collect", &Searcher::collect, py::arg("observations"), py::arg("masks"), py::arg("movers"))
      .def("expand", &Searcher::expand, py::arg("logits"), py::arg("values"))
      .def("result", &Searcher::result, py::arg("visits"), py::arg("values"));
}

}  // namespace rgtrans::python
