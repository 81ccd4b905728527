// A compiled reasoner behind the Reasoner interface: a thin layer over the C interface of its shared library.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>

#include "backends/cpp/cpp.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "backends/search/search.hpp"

// The generated project carries the same texts.
#include "backends/cpp/interface.h"
#include "backends/cpp/search.h"
#include "core/support/support.hpp"

namespace rgtrans::cpp {

namespace {

class Library {
 public:
  explicit Library(const std::filesystem::path& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw Error("cannot load the compiled reasoner: " + std::string(dlerror()));
    using Get = const rgtrans_reasoner* (*)(std::uint32_t);
    const auto get = reinterpret_cast<Get>(dlsym(handle_, "rgtrans_get_reasoner"));
    functions = get == nullptr ? nullptr : get(RGTRANS_REASONER_VERSION);
    if (functions == nullptr) {
      dlclose(handle_);
      throw Error(fmt::format("{} is no reasoner of version {}", path.string(), RGTRANS_REASONER_VERSION),
                  "delete it; it will be built again");
    }
    using GetSearch = const rgtrans_search* (*)(std::uint32_t);
    const auto get_search = reinterpret_cast<GetSearch>(dlsym(handle_, "rgtrans_get_search"));
    if (get_search != nullptr) search = get_search(RGTRANS_SEARCH_VERSION);
  }
  explicit Library(const rgtrans_reasoner& loaded) : functions(&loaded) {}
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
  }

  const rgtrans_reasoner* functions = nullptr;
  const rgtrans_search* search = nullptr;  // where the library was built with it

 private:
  void* handle_ = nullptr;  // none where the functions were there
};

// Memory of one state, aligned for whatever vectors the reasoner uses.
class StateMemory {
 public:
  explicit StateMemory(std::size_t size) : size_(size), bytes_(static_cast<std::byte*>(::operator new(size, kAlign))) {}
  StateMemory(const StateMemory& other) : StateMemory(other.size_) { std::memcpy(bytes_, other.bytes_, size_); }
  StateMemory& operator=(const StateMemory&) = delete;
  ~StateMemory() { ::operator delete(bytes_, kAlign); }
  [[nodiscard]] std::byte* get() const { return bytes_; }

 private:
  static constexpr std::align_val_t kAlign{64};
  std::size_t size_;
  std::byte* bytes_;
};

// The library's own tree search.
class LibrarySearch : public search::TreeSearch {
 public:
  LibrarySearch(std::shared_ptr<const Library> library, std::size_t players, const search::TreeOptions& options,
                std::uint64_t seed)
      : library_(std::move(library)), players_(players) {
    const rgtrans_search_options given = {
        options.exploration, options.first_play, options.rave,       options.mast,   options.minimax,
        options.proofs,      options.wins,       options.most_moves, options.memory, seed};
    search_ = library_->search->make(&given);
  }
  LibrarySearch(const LibrarySearch&) = delete;
  LibrarySearch& operator=(const LibrarySearch&) = delete;
  ~LibrarySearch() override { library_->search->destroy(search_); }

  search::TreeReport run(Reasoner& position, const search::Budget& budget) override {
    const std::vector<std::byte> bytes = position.state_bytes();
    StateMemory state(bytes.size());
    std::memcpy(state.get(), bytes.data(), bytes.size());
    rgtrans_search_report raw{};
    library_->search->run(search_, state.get(), budget.simulations, budget.seconds, budget.threads, &raw);
    if (raw.error != nullptr) throw Error(raw.error);
    search::TreeReport out;
    out.simulations = raw.simulations;
    out.nodes = raw.nodes;
    out.longest = raw.longest;
    out.seconds = raw.seconds;
    out.proven = raw.proven != 0;
    out.values.assign(raw.values, raw.values + players_);
    for (std::size_t i = 0; i < raw.move_count; ++i) {
      out.moves.push_back(
          {static_cast<std::uint32_t>(i), raw.moves[i].visits, raw.moves[i].value, raw.moves[i].proven != 0});
    }
    out.line.assign(raw.line, raw.line + raw.line_length);
    return out;
  }
  void stop() override { library_->search->stop(search_); }

 private:
  std::shared_ptr<const Library> library_;
  std::size_t players_;
  void* search_;
};

using VariableReader = std::function<std::vector<VariableView>(const std::byte* state)>;

class CppReasoner : public Reasoner {
 public:
  CppReasoner(std::shared_ptr<const Library> library, bool hidden, VariableReader variables = {})
      : library_(std::move(library)),
        f_(*library_->functions),
        state_(f_.state_size),
        spare_(f_.state_size),
        cache_(f_.new_cache()),
        variables_(std::move(variables)) {
    for (std::uint32_t p = 0; p < f_.players; ++p) info_.players.emplace_back(f_.player_names[p]);
    info_.hidden = hidden;
    for (std::uint32_t s = 0; s < f_.scores; ++s) {
      const double goal = score_value(f_.score_names[s]);
      info_.least_goal = s == 0 ? goal : std::min(info_.least_goal, goal);
      info_.most_goal = s == 0 ? goal : std::max(info_.most_goal, goal);
    }
    f_.initial(state_.get());
  }
  CppReasoner(const CppReasoner& other)
      : Reasoner(other),
        library_(other.library_),
        f_(other.f_),
        state_(other.state_),
        spare_(f_.state_size),
        cache_(f_.new_cache()),
        variables_(other.variables_),
        info_(other.info_),
        history_(other.history_) {}
  CppReasoner& operator=(const CppReasoner&) = delete;
  ~CppReasoner() override { f_.delete_cache(cache_); }

  [[nodiscard]] const GameInfo& info() const override { return info_; }
  [[nodiscard]] std::unique_ptr<Reasoner> clone() const override { return std::make_unique<CppReasoner>(*this); }
  void reset() override {
    f_.initial(state_.get());
    history_.clear();
    listed_ = false;
  }
  [[nodiscard]] bool terminal() const override { return f_.terminal(state_.get()) != 0; }
  [[nodiscard]] std::size_t mover() const override { return f_.mover(state_.get()); }

  std::size_t move_count() override {
    list();
    return count_;
  }
  std::string move_text(std::size_t index) override { return text_of(index, nullptr, 0); }
  std::span<const std::uint32_t> move_tags(std::size_t index) override {
    list();
    if (index >= count_) throw Error(fmt::format("there is no move {}", index));
    tags_.resize(f_.most_tags + 1);
    return {tags_.data(), f_.move_tags(cache_, index, tags_.data())};
  }
  [[nodiscard]] std::string tag_text(std::uint32_t tag) const override {
    if (tag >= f_.tags) throw Error(fmt::format("there is no tag {}", tag));
    return f_.tag_names[tag];
  }
  std::string observed_move_text(std::size_t index, std::size_t player) override {
    list();
    if (index >= count_ || player >= f_.players) throw Error(fmt::format("no move {} of a player {}", index, player));
    std::vector<std::uint64_t> seen_by(f_.most_tags + 1, ~std::uint64_t{0});
    if (f_.visible_tags(state_.get(), cache_, index, seen_by.data()) == 0) check_error();
    return text_of(index, seen_by.data(), player);
  }
  // Compiled code joins walks as early as it can and does not know how many there were.
  std::uint64_t walk_count(std::size_t) override { return 1; }

  void apply(std::size_t index) override {
    list();
    history_.insert(history_.end(), state_.get(), state_.get() + f_.state_size);
    if (index >= count_ || f_.apply_listed(state_.get(), cache_, index) == 0) {
      history_.resize(history_.size() - f_.state_size);
      check_error();
      throw Error(fmt::format("move {} of {} cannot be applied", index, count_));
    }
    listed_ = false;
  }
  void each_result(const std::function<void(std::size_t, std::span<const std::byte>)>& visit) override {
    list();
    for (std::size_t i = 0; i < count_; ++i) {
      std::memcpy(spare_.get(), state_.get(), f_.state_size);
      if (f_.apply_listed(spare_.get(), cache_, i) == 0) {
        check_error();
        throw Error(fmt::format("move {} cannot be applied", i));
      }
      visit(i, {spare_.get(), f_.state_size});
    }
  }
  bool undo() override {
    if (history_.empty()) return false;
    const std::size_t rest = history_.size() - f_.state_size;
    std::memcpy(state_.get(), history_.data() + rest, f_.state_size);
    history_.resize(rest);
    listed_ = false;
    return true;
  }

  [[nodiscard]] std::string goal(std::size_t player) const override {
    if (player >= f_.players) throw Error(fmt::format("there is no player {}: the game has {}", player, f_.players));
    return f_.score_names[f_.score(state_.get(), static_cast<std::uint32_t>(player))];
  }
  [[nodiscard]] std::vector<std::byte> state_bytes() const override {
    return {state_.get(), state_.get() + f_.state_size};
  }
  void set_state_bytes(std::span<const std::byte> bytes) override {
    if (bytes.size() == f_.state_size) std::memcpy(spare_.get(), bytes.data(), bytes.size());
    if (bytes.size() != f_.state_size || f_.valid(spare_.get()) == 0) {
      throw Error("these bytes are no state of this game");
    }
    std::memcpy(state_.get(), spare_.get(), f_.state_size);
    history_.clear();
    listed_ = false;
  }
  void canonical(std::vector<std::byte>& state, bool /*symmetries*/) const override {
    const StateMemory copy(f_.state_size);
    std::memcpy(copy.get(), state.data(), f_.state_size);
    f_.canonical(copy.get());
    std::memcpy(state.data(), copy.get(), f_.state_size);
  }
  [[nodiscard]] std::string describe() const override {
    std::string text(f_.describe(state_.get(), nullptr, 0), '\0');
    f_.describe(state_.get(), text.data(), text.size());
    text.pop_back();
    return text;
  }

  [[nodiscard]] std::vector<VariableView> variables() const override {
    return variables_ ? variables_(state_.get()) : std::vector<VariableView>();
  }

  std::uint64_t perft(unsigned depth) override {
    const std::uint64_t leaves = f_.perft(state_.get(), depth);
    check_error();
    return leaves;
  }
  std::uint64_t perft_walks(unsigned depth) override { return perft(depth); }

  PlayoutStats playouts(const PlayoutOptions& options) override {
    std::vector<std::uint64_t> scores(std::size_t{f_.players} * f_.scores);
    std::vector<std::uint64_t> wins(f_.players);
    rgtrans_playouts raw{};
    raw.scores = scores.data();
    raw.wins = wins.data();
    raw.stop = options.stop;
    raw.sample = options.sample ? 1 : 0;
    f_.playouts(state_.get(), options.count, options.seconds, options.seed, options.max_moves, &raw);
    check_error();
    PlayoutStats stats = to_stats(raw, f_.players, f_.scores, f_.score_names);
    if (raw.stuck > 0) {
      throw Error("somebody has no move in some plays, which are not over",
                  "`check --dynamic` shows the moves that lead there");
    }
    stats.stopped = raw.stopped;
    return stats;
  }

  [[nodiscard]] std::shared_ptr<search::TreeSearch> make_search(const search::TreeOptions& options,
                                                                std::uint64_t seed) const override {
    if (library_->search == nullptr) return nullptr;
    return std::make_shared<LibrarySearch>(library_, info_.players.size(), options, seed);
  }

 private:
  void list() {
    if (listed_) return;
    count_ = f_.terminal(state_.get()) != 0 ? 0 : f_.list_moves(state_.get(), cache_);
    if (count_ == 0) check_error();
    listed_ = true;
  }
  void check_error() const {
    if (const char* const error = f_.take_error()) throw Error(error);
  }

  std::string text_of(std::size_t index, const std::uint64_t* seen_by, std::size_t player) {
    std::string text;
    const std::span<const std::uint32_t> tags = move_tags(index);
    for (std::size_t i = 0; i < tags.size(); ++i) {
      if (seen_by != nullptr && (seen_by[i] >> player & 1U) == 0) continue;
      if (!text.empty()) text += ' ';
      text += f_.tag_names[tags[i]];
    }
    return text;
  }

  std::shared_ptr<const Library> library_;
  const rgtrans_reasoner& f_;
  StateMemory state_, spare_;
  void* cache_;
  VariableReader variables_;
  GameInfo info_;
  std::vector<std::byte> history_;  // states before moves
  bool listed_ = false;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> tags_;
};

}  // namespace

std::unique_ptr<Reasoner> make_cpp_reasoner(const ir::Game& game, const BuildOptions& options) {
  return load_cpp_reasoner(build(game, options).library, ir::hides_moves(game));
}

std::unique_ptr<Reasoner> load_cpp_reasoner(const std::filesystem::path& library, bool hidden,
                                            VariableReader variables) {
  return std::make_unique<CppReasoner>(std::make_shared<const Library>(library), hidden, std::move(variables));
}

std::unique_ptr<Reasoner> make_cpp_reasoner(const rgtrans_reasoner& functions, bool hidden) {
  return std::make_unique<CppReasoner>(std::make_shared<const Library>(functions), hidden);
}

}  // namespace rgtrans::cpp
