// A batch: the memory of its plays, the threads that step them, and the tables for the engine.
#include <dlfcn.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <thread>

#include "backends/cpp/cpp.hpp"
#include "backends/env/interpreted.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "backends/rg/rg.hpp"
#include "core/support/digest.hpp"
#include "core/support/support.hpp"

namespace rgtrans::env {

namespace {

constexpr std::align_val_t kAlign{64};
constexpr std::uint32_t kLongest = 64;  // tags in a move; moves with more cannot be given in parts

// The maximum number of tags in a move, including keeper's moves.
std::size_t most_tags(const ir::Game& game) {
  const analysis::Flow flow(game);
  const analysis::TagCounts counts(game, flow);
  std::uint32_t most = 1;
  for (std::uint32_t i = 0; i < flow.size(); ++i) {
    if (flow.node(i).valid()) most = std::max(most, counts.at(flow.node(i)).most);
  }
  return std::min(most, kLongest);
}

std::string packed_digest(const Digest& digest) {
  const Digest::Bytes bytes = digest.bytes();
  return {bytes.begin(), bytes.end()};
}

// A digest of the rules as played and of the numbering of actions. A game too large to be printed is identified by its
// library, which is named after its sources.
std::string game_digest(const ir::Game& played, const analysis::ActionSpace& actions, const std::string& library) {
  Digest digest;
  try {
    digest.field(rg::print(played));
  } catch (const Error&) {
    digest.field(library);
  }
  return packed_digest(digest.add_number(actions.size()).add_number(static_cast<std::uint64_t>(actions.form())));
}

// A size as text for users.
std::string bytes(double count) {
  constexpr double kGiga = 1e9;
  return count >= kGiga ? fmt::format("{:.1f} GB", count / kGiga) : fmt::format("{:.1f} MB", count / 1e6);
}

// Bytes allocated on the heap, if the C library reports them.
std::size_t heap_in_use() {
#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#endif
#endif
  return 0;
}

}  // namespace

// Worker threads that wait for work. The calling thread takes part.
class Batch::Pool {
 public:
  explicit Pool(unsigned threads) {
    for (unsigned i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(workers_.size()) + 1; }

  // Calls f(thread) in every thread. If some calls throw, throws one of their exceptions after all have returned.
  template <class F>
  void run(const F& f) {
    if (workers_.empty()) return f(0U);
    {
      const std::lock_guard lock(mutex_);
      task_ = [](const void* what, unsigned thread) { (*static_cast<const F*>(what))(thread); };
      what_ = &f;
      left_ = static_cast<unsigned>(workers_.size());
      ++round_;
    }
    wake_.notify_all();
    std::exception_ptr problem = problem_of(f, 0U);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return left_ == 0; });
    if (problem == nullptr) problem = problem_;
    problem_ = nullptr;
    if (problem != nullptr) std::rethrow_exception(problem);
  }

 private:
  void work(unsigned number) {
    std::uint64_t seen = 0;
    for (;;) {
      void (*task)(const void*, unsigned) = nullptr;
      const void* what = nullptr;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return over_ || round_ != seen; });
        if (over_) return;
        seen = round_;
        task = task_;
        what = what_;
      }
      const auto call = [&](unsigned thread) { task(what, thread); };
      const std::exception_ptr problem = problem_of(call, number);
      const std::lock_guard lock(mutex_);
      if (problem != nullptr) problem_ = problem;
      if (--left_ == 0) done_.notify_one();
    }
  }

  template <class F>
  static std::exception_ptr problem_of(const F& f, unsigned thread) {
    try {
      f(thread);
      return nullptr;
    } catch (...) {
      return std::current_exception();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  void (*task_)(const void*, unsigned) = nullptr;
  const void* what_ = nullptr;
  unsigned left_ = 0;
  std::exception_ptr problem_;  // of a worker in this round
  std::uint64_t round_ = 0;
  bool over_ = false;
  std::vector<std::thread> workers_;
};

// The library of a compiled reasoner, or its counterpart for the interpreter.
class Batch::Library {
 public:
  explicit Library(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw Error("cannot load the compiled reasoner: " + std::string(dlerror()));
    using GetEnv = const rgtrans_env* (*)(std::uint32_t);
    const auto get_env = reinterpret_cast<GetEnv>(dlsym(handle_, "rgtrans_get_env"));
    functions = get_env == nullptr ? nullptr : get_env(RGTRANS_ENV_VERSION);
    if (functions != nullptr) return;
    dlclose(handle_);
    throw Error(fmt::format("{} has no batch engine of version {}", path, RGTRANS_ENV_VERSION),
                "delete it; it will be built again");
  }
  explicit Library(std::unique_ptr<Reasoner> over) : prototype(std::move(over)) {}
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
  }

  const rgtrans_env* functions = nullptr;
  std::unique_ptr<Reasoner> prototype;
  std::vector<std::string> scores;

 private:
  void* handle_ = nullptr;
};

Batch::Batch(const ir::Game& written, const ir::Game& played, const BatchOptions& options)
    : Batch(
          std::make_shared<analysis::ActionSpace>(written, analysis::ActionSpace::Whose::players, options.most_actions),
          played, options) {}

Batch::Batch(std::shared_ptr<const analysis::ActionSpace> actions, const ir::Game& played, const BatchOptions& options)
    : options_(options), actions_(std::move(actions)) {
  if (options_.count == 0) throw Error("a batch has at least one environment");
  if (actions_->size() == 0) throw Error("no player of this game ever moves");
  if (options_.threads == 0) options_.threads = std::max(1U, std::thread::hardware_concurrency());
  players_ = played.players().size();
  try {
    // Apply the same transformation as compiled reasoners, so that all engines show the same variables.
    make_engine(cpp::with_direct_choices(played));
    allocate();
  } catch (...) {
    for (void* const workspace : workspaces_) functions_->delete_workspace(workspace);
    if (engine_ != nullptr) functions_->destroy(engine_);
    throw;
  }
}

Batch::~Batch() {
  pool_.reset();
  if (block_ != nullptr) {
    functions_->release(engine_, block_, 0, options_.count);
    ::operator delete(block_, kAlign);
  }
  for (void* const workspace : workspaces_) functions_->delete_workspace(workspace);
  functions_->destroy(engine_);
}

// --- The engine. ---

void Batch::make_engine(const ir::Game& played) {
  std::vector<std::string> tags;
  std::vector<std::string> scores;
  const std::size_t most_parts = most_tags(played);
  InterpretedOptions raw{};
  if (options_.compiled) {
    cpp::BuildOptions build;
    build.generate.env = true;
    build.stop = options_.stop;
    const std::string path = cpp::build(played, build).library.string();
    library_ = std::make_shared<Library>(path);
    functions_ = library_->functions;
    library_path_ = path;
    hidden_ = ir::hides_moves(played);
    game_digest_ = game_digest(played, *actions_, path);
    tags.assign(functions_->tag_names, functions_->tag_names + functions_->tags);
    scores.assign(functions_->score_names, functions_->score_names + functions_->scores);
  } else {
    const auto library = std::make_shared<Library>(make_interpreter(played));
    for (const SymbolId score : played.scores()) scores.push_back(played.symbols.str(score));
    library->scores = scores;
    library_ = library;
    functions_ = &interpreted_functions();
    tags.emplace_back();
    tags.insert(tags.end(), actions_->tags().begin(), actions_->tags().end());
  }
  observation_ = observe(played, options_, actions_->tags().size(), most_parts);
  if (observation_.form == Observation::Form::moves && players_ > kMostViewers) {
    throw Error(
        fmt::format("{} players where an environment with hidden moves has room for {}", players_, kMostViewers));
  }
  raw.most_parts = static_cast<std::uint32_t>(most_parts);
  if (observation_.form == Observation::Form::moves) raw.history = static_cast<std::uint32_t>(options_.history);
  make_tables(raw, tags, scores);
  make_ops(raw);
  raw.prototype = library_->prototype.get();
  raw.space = actions_.get();
  raw.shown = &observation_;
  raw.scores = &library_->scores;
  engine_ = functions_->make(&raw);
}

void Batch::make_tables(rgtrans_env_options& raw, const std::vector<std::string>& tags,
                        const std::vector<std::string>& scores) {
  std::unordered_map<std::string, std::uint32_t> number_of;
  for (std::uint32_t i = 1; i < tags.size(); ++i) number_of.emplace(tags[i], i);
  ranks_.assign(tags.size(), kNone);
  std::vector<std::uint32_t> library_tag;
  for (std::uint32_t i = 0; i < actions_->tags().size(); ++i) {
    const auto it = number_of.find(actions_->tags()[i]);
    library_tag.push_back(it == number_of.end() ? kNone : it->second);
    if (it != number_of.end()) ranks_[it->second] = i;
  }
  const bool flat = actions_->form() == analysis::ActionSpace::Form::flat;
  if (flat) {
    for (std::uint64_t id = 0; id < actions_->size(); ++id) {
      move_starts_.push_back(static_cast<std::uint32_t>(move_tags_.size()));
      for (const std::uint32_t place : actions_->places(id)) move_tags_.push_back(library_tag[place]);
    }
    move_starts_.push_back(static_cast<std::uint32_t>(move_tags_.size()));
  }
  std::vector<double> values;
  for (const std::string& score : scores) values.push_back(score_value(score));
  const auto [least, most] = std::ranges::minmax(values);
  for (const double value : values) {
    rewards_.push_back(most > least ? static_cast<float>(2 * (value - least) / (most - least) - 1) : 0.0F);
  }
  raw.factored = flat ? 0 : 1;
  raw.actions = static_cast<std::uint32_t>(actions_->size());
  raw.move_starts = move_starts_.data();
  raw.move_tags = move_tags_.data();
  raw.tag_ranks = ranks_.data();
  raw.tags = static_cast<std::uint32_t>(actions_->tags().size());
  raw.rewards = rewards_.data();
  raw.reset_mode = static_cast<std::uint32_t>(options_.reset);
  raw.most_moves = options_.most_moves;
  raw.illegal_loses = options_.illegal_loses ? 1 : 0;
}

void Batch::make_ops(rgtrans_env_options& raw) {
  const StoredStates states(functions_->universes, functions_->universe_count, functions_->variables,
                            functions_->variable_count);
  ops_ = TensorOps(observation_, options_.channels_last, options_.compiled ? &states : nullptr);
  raw.observation = static_cast<std::uint32_t>(observation_.size());
  raw.observation_float = options_.floats ? 1 : 0;
  raw.ops = ops_.ops.data();
  raw.op_count = static_cast<std::uint32_t>(ops_.ops.size());
}

// Estimates the heap memory per play (the interpreter allocates some) by starting a few plays.
std::size_t Batch::heap_of_play() {
  constexpr std::size_t kFew = 32;
  const std::size_t few = std::min(options_.count, kFew);
  auto* const block = static_cast<std::byte*>(::operator new(record_* few, kAlign));
  const std::size_t before = heap_in_use();
  functions_->prepare(engine_, block, 0, few);
  const rgtrans_env_buffers nothing{};
  functions_->reset(engine_, workspaces_.front(), block, 0, few, &nothing);
  const std::size_t after = heap_in_use();
  functions_->release(engine_, block, 0, few);
  ::operator delete(block, kAlign);
  return after > before ? (after - before) / few : 0;
}

void Batch::allocate() {
  record_ = functions_->record_size(engine_);
  options_.threads = static_cast<unsigned>(std::min<std::size_t>(options_.threads, options_.count));
  for (unsigned i = 0; i < options_.threads; ++i) workspaces_.push_back(functions_->new_workspace(engine_));
  const std::size_t each = record_ + (options_.compiled ? 0 : heap_of_play());
  const double needed = static_cast<double>(each) * static_cast<double>(options_.count);
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (needed > memory / 2) {
    throw Error(fmt::format("{} environments of {} bytes need {}; this machine has {}", options_.count, each,
                            bytes(needed), bytes(memory)),
                "make fewer");
  }
  block_ = static_cast<std::byte*>(::operator new(record_* options_.count, kAlign));
  pool_ = std::make_unique<Pool>(options_.threads);
  functions_->prepare(engine_, block_, 0, options_.count);
}

// --- Steps. ---

template <class F>
void Batch::for_each_share(const F& f) {
  const std::size_t threads = pool_->threads();
  pool_->run([&](unsigned t) { f(workspaces_[t], options_.count * t / threads, options_.count * (t + 1) / threads); });
}

void Batch::reset(const rgtrans_env_buffers& buffers) {
  for_each_share([&](void* workspace, std::size_t first, std::size_t last) {
    functions_->reset(engine_, workspace, block_, first, last, &buffers);
  });
}

void Batch::step(const rgtrans_env_buffers& buffers) {
  if (!options_.illegal_loses) check(buffers);
  make_step(buffers);
}
void Batch::make_step(const rgtrans_env_buffers& buffers) {
  for_each_share([&](void* workspace, std::size_t first, std::size_t last) {
    functions_->step(engine_, workspace, block_, first, last, &buffers);
  });
}

// Throws for the first illegal action.
void Batch::check(const rgtrans_env_buffers& buffers) {
  std::atomic<std::size_t> bad = options_.count;
  for_each_share([&](void*, std::size_t first, std::size_t last) {
    const std::size_t first_bad = functions_->check(engine_, block_, first, last, &buffers);
    std::size_t known = bad.load();
    while (first_bad < last && first_bad < known && !bad.compare_exchange_weak(known, first_bad)) {
    }
  });
  if (bad == options_.count) return;
  std::vector<std::int32_t> movers(options_.count);
  rgtrans_env_buffers ask{};
  ask.player = movers.data();
  write(ask);
  if (movers[bad] < 0) {
    throw Error(fmt::format("environment {}: the play is over", bad.load()), "reset it, or make it reset itself");
  }
  throw Error(fmt::format("environment {}: action {} is not legal", bad.load(), buffers.actions[bad]),
              "the mask shows which are");
}

void Batch::sample(std::int32_t* actions) {
  for_each_share(
      [&](void*, std::size_t first, std::size_t last) { functions_->sample(engine_, block_, first, last, actions); });
}

void Batch::write(const rgtrans_env_buffers& buffers) {
  for_each_share([&](void* workspace, std::size_t first, std::size_t last) {
    functions_->write(engine_, workspace, block_, first, last, &buffers);
  });
}

// --- Saved plays: a mark, digests of the game and of the form of its states, sizes, the records, and a digest of all.
// ---

namespace {

constexpr std::string_view kSavedMark = "rgtrans plays 1\n";
constexpr std::size_t kDigestSize = 32;

// A digest of the layout of states and of the names of their values.
std::string form_of(const rgtrans_env& functions, std::size_t history) {
  Digest digest;
  const auto names = [&](std::uint32_t count, const char* const* texts) {
    digest.add_number(count);
    for (std::uint32_t i = 0; i < count; ++i) digest.field(texts[i]);
  };
  digest.add_number(history);
  for (std::uint32_t u = 0; u < functions.universe_count; ++u) {
    names(functions.universes[u].size, functions.universes[u].names);
  }
  for (std::uint32_t v = 0; v < functions.variable_count; ++v) {
    const rgtrans_env_variable& variable = functions.variables[v];
    digest.field(variable.name).add_number(variable.offset).add_number(variable.width).add_number(variable.leaf);
    for (std::uint32_t k = 0; k < variable.keys; ++k) digest.add_number(variable.key[k]);
  }
  names(functions.tags - 1, functions.tag_names + 1);
  names(functions.scores, functions.score_names);
  return packed_digest(digest);
}

}  // namespace

// The part before the records.
std::string Batch::saved_head() const {
  std::string head = std::string(kSavedMark) + game_digest_ + form_of(*functions_, options_.history);
  for (const std::uint64_t number : {std::uint64_t{options_.count}, std::uint64_t{record_}}) {
    for (unsigned byte = 0; byte < 8; ++byte) head += static_cast<char>(number >> (8 * byte) & 0xffU);
  }
  return head;
}

std::string Batch::save() const {
  if (!can_save()) throw Error("the interpreter's plays cannot be saved");
  std::string out = saved_head();
  out.append(reinterpret_cast<const char*>(block_), record_ * options_.count);
  return out + packed_digest(Digest().add(out));
}

void Batch::load(std::string_view bytes) {
  if (!can_save()) throw Error("the interpreter's plays cannot be loaded");
  const std::string head = saved_head();
  const std::size_t size = record_ * options_.count;
  if (!bytes.starts_with(kSavedMark)) throw Error("these bytes are no saved plays of this version of rgtrans");
  const auto same = [&](std::size_t at, std::size_t length) {
    return bytes.size() >= at + length && bytes.substr(at, length) == std::string_view(head).substr(at, length);
  };
  const std::size_t game = kSavedMark.size(), form = game + kDigestSize, sizes = form + kDigestSize;
  if (!same(game, kDigestSize)) throw Error("these are plays of another game");
  if (!same(form, kDigestSize)) throw Error("these are plays of an environment with other options");
  if (!same(sizes, head.size() - sizes)) throw Error("this is another number of plays");
  if (bytes.size() != head.size() + size + kDigestSize) throw Error("some of the saved plays are missing");
  const std::string_view content = bytes.substr(0, head.size() + size);
  if (bytes.substr(content.size()) != packed_digest(Digest().add(content))) throw Error("the saved plays were changed");
  std::memcpy(block_, content.data() + head.size(), size);
}

namespace {

// The variables of a compiled state, which begins with their cells. Whether they are alive is not looked up.
std::vector<VariableView> variables_of(const rgtrans_env& library, const std::byte* state) {
  std::vector<VariableView> result;
  for (std::uint32_t v = 0; v < library.variable_count; ++v) {
    const rgtrans_env_variable& variable = library.variables[v];
    const rgtrans_env_universe& values = library.universes[variable.leaf];
    VariableView view{.name = variable.name, .value = {}, .cells = {}};
    std::size_t count = 1;
    for (std::uint32_t k = 0; k < variable.keys; ++k) count *= library.universes[variable.key[k]].size;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t code = 0;
      std::memcpy(&code, state + variable.offset + i * variable.width, variable.width);
      if (code >= values.size) continue;
      if (variable.keys == 0) {
        view.value = values.names[code];
        continue;
      }
      VariableView::Cell cell{std::vector<std::string>(variable.keys), values.names[code]};
      std::size_t rest = i;
      for (std::uint32_t k = variable.keys; k > 0; --k) {
        const rgtrans_env_universe& keys = library.universes[variable.key[k - 1]];
        cell.keys[k - 1] = keys.names[rest % keys.size];
        rest /= keys.size;
      }
      view.cells.push_back(std::move(cell));
    }
    result.push_back(std::move(view));
  }
  return result;
}

}  // namespace

std::unique_ptr<Reasoner> Batch::position(std::size_t i) const {
  if (!options_.compiled) return position_of(record(i));
  if (reader_ == nullptr) {
    // The reasoner keeps the library loaded, and so these functions.
    reader_ = cpp::load_cpp_reasoner(library_path_, hidden_, [functions = functions_](const std::byte* state) {
      return variables_of(*functions, state);
    });
  }
  std::unique_ptr<Reasoner> result = reader_->clone();
  // A record begins with the state.
  result->set_state_bytes({record(i), result->state_bytes().size()});
  return result;
}

void Batch::run(std::size_t steps, std::int32_t* actions, const rgtrans_env_buffers& buffers) {
  rgtrans_env_buffers given = buffers;
  given.drawn = actions;
  for (std::size_t i = 0; i < steps; ++i) make_step(given);
}

}  // namespace rgtrans::env
