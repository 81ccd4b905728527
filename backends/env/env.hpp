// Environments for learning: many plays of one game at once, with numbers for moves and tensors for states.
//
// The batch engine (core.hpp) runs inside a compiled reasoner's library or, slower, over any Reasoner; both give the
// same results. Whatever is random comes from the seeds of the plays, not from threads or engines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "backends/env/env.h"
#include "core/analysis/analysis.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::env {

// How states become tensors: planes of one size, each of them ones and zeros.
struct Observation {
  // planes: of the state. moves: of what a player has seen, where the game hides moves.
  enum class Form : std::uint8_t { planes, moves };
  Form form = Form::planes;
  std::vector<std::size_t> shape;   // channels, height, width; or rows, columns of what was seen
  std::vector<std::string> planes;  // "board=white", "clock=7", "player=white", or "me=…" and "you=…"

  // One of these for each cell or scalar that is shown: where its values set ones.
  struct Source {
    std::string variable;
    std::vector<std::string> keys;  // of the cell
    std::vector<std::string> values;
    std::vector<std::int32_t> planes;  // by view and value; -1: none
    std::size_t views = 1;             // or one for each player
    std::size_t place = 0;             // in a plane
    bool everywhere = false;           // the whole plane
    bool packed = false;               // one plane; the value's number is the place
  };
  std::vector<Source> sources;

  [[nodiscard]] std::size_t size() const;
};

// Where the cells of a library's states lie.
class StoredStates {
 public:
  StoredStates(const rgtrans_env_universe* universes, std::uint32_t universe_count,
               const rgtrans_env_variable* variables, std::uint32_t variable_count);

  // Fills in where the cell lies; null when it is no part of the state.
  const rgtrans_env_variable* find(const Observation::Source& source, rgtrans_env_op& op) const;
  [[nodiscard]] std::vector<std::string> values(const rgtrans_env_variable& variable) const;

 private:
  const rgtrans_env_universe* universes_;
  const rgtrans_env_variable* variables_;
  std::vector<std::unordered_map<std::string, std::uint32_t>> codes_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

// What is done to make a tensor of a state: for each cell that is shown, where it lies, and where its values set ones.
// The ops look into the tables beside them.
struct TensorOps {
  TensorOps() = default;
  // Without stored states a cell is known by the number of its source.
  TensorOps(const Observation& observation, bool channels_last, const StoredStates* states);
  TensorOps(const TensorOps&) = delete;
  TensorOps& operator=(const TensorOps&) = delete;
  TensorOps(TensorOps&&) = default;
  TensorOps& operator=(TensorOps&&) = default;
  ~TensorOps() = default;

  std::vector<rgtrans_env_op> ops;
  std::vector<std::int32_t> places;
};

enum class ResetMode : std::uint8_t { stay, same_step, next_step };

struct BatchOptions {
  std::size_t count = 1;
  unsigned threads = 1;  // 0: one for each processor
  bool compiled = true;
  ResetMode reset = ResetMode::next_step;
  std::uint32_t most_moves = 10'000;  // of a play
  bool illegal_loses = false;         // else it is an error
  bool floats = true;                 // float32, else bytes
  bool channels_last = false;
  bool relative = false;     // the pieces of the one who looks come first
  std::size_t history = 16;  // moves in an observation of what was seen
  std::uint64_t most_actions = analysis::ActionSpace::kMost;
};

// Planes for a game as it is played; `relative` where pieces of players can be told.
Observation observe(const ir::Game& game, const BatchOptions& options, std::size_t tags, std::size_t most_parts);

class Batch {
 public:
  // The numbers of moves, which the game as it was loaded decides, and the game as it is played.
  Batch(std::shared_ptr<const analysis::ActionSpace> actions, const ir::Game& played, const BatchOptions& options);
  Batch(const ir::Game& written, const ir::Game& played, const BatchOptions& options);
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  [[nodiscard]] const BatchOptions& options() const { return options_; }
  [[nodiscard]] const analysis::ActionSpace& actions() const { return *actions_; }
  [[nodiscard]] const Observation& observation() const { return observation_; }
  [[nodiscard]] std::size_t players() const { return players_; }
  [[nodiscard]] std::size_t words() const { return (actions_->size() + 63) / 64; }
  [[nodiscard]] std::size_t record_size() const { return record_; }

  void reset(const rgtrans_env_buffers& buffers);
  // Throws Error for an action that is not legal, or a play that is over; then nothing was done.
  void step(const rgtrans_env_buffers& buffers);
  void sample(std::int32_t* actions);
  void write(const rgtrans_env_buffers& buffers);

  // `steps` steps with uniform legal actions chosen from the masks, all of it here: to measure.
  void run(std::size_t steps, std::int32_t* actions, const rgtrans_env_buffers& buffers);

  // Only compiled plays can be saved.
  [[nodiscard]] bool can_save() const { return options_.compiled; }
  // All plays as bytes, which name the game and the form of its states, and end with a digest. load() throws Error, and
  // leaves the plays as they are, unless the bytes are all that a batch like this one has saved. Whoever changes a play
  // and makes the digest anew is believed.
  [[nodiscard]] std::string save() const;
  void load(std::string_view bytes);

  // --- One play of the batch, for searches. ---
  [[nodiscard]] const rgtrans_env& functions() const { return *functions_; }
  [[nodiscard]] const void* engine() const { return engine_; }
  [[nodiscard]] const std::byte* record(std::size_t i) const { return block_ + i * record_; }
  [[nodiscard]] void* workspace() const { return workspaces_.front(); }

 private:
  class Pool;
  class Library;
  void make_engine(const ir::Game& played);
  void make_tables(rgtrans_env_options& raw, const std::vector<std::string>& tags,
                   const std::vector<std::string>& scores);
  void make_ops(rgtrans_env_options& raw);
  // f(workspace, first, last) in every thread, for its share of the plays.
  template <class F>
  void for_each_share(const F& f);
  void check(const rgtrans_env_buffers& buffers);
  [[nodiscard]] std::string saved_head() const;
  void make_step(const rgtrans_env_buffers& buffers);
  std::size_t heap_of_play();
  void allocate();

  BatchOptions options_;
  std::shared_ptr<const analysis::ActionSpace> actions_;
  Observation observation_;
  std::size_t players_ = 0;
  std::shared_ptr<const Library> library_;
  const rgtrans_env* functions_ = nullptr;
  void* engine_ = nullptr;
  std::vector<void*> workspaces_;
  std::byte* block_ = nullptr;
  std::size_t record_ = 0;
  std::string game_digest_;  // of compiled plays
  std::unique_ptr<Pool> pool_;
  // What the engine was made of and looks at.
  std::vector<std::uint32_t> move_starts_, move_tags_, ranks_;
  std::vector<float> rewards_;
  TensorOps ops_;
};

// Monte-Carlo tree search as AlphaZero does it (PUCT), in all plays of a batch at once: collect() goes down each tree
// to a position that is not known, expand() is told what a network thinks of all of them. For games without chance in
// which nothing is hidden. With more than two players everyone maximizes the own value (max^n).
struct SearchOptions {
  double exploration = 1.5;
  double noise = 0;  // share of Dirichlet noise in the root's priors
  double alpha = 0.3;
  std::uint64_t seed = 1;
};

class Search {
 public:
  Search(Batch& batch, const SearchOptions& options);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // Forgets all trees; the present positions of the batch are the roots.
  void begin();
  // One position in each tree: its observation, legal actions (bytes), who moves, or -1 where there is nothing to think
  // about (the play is over, or the position that was come to is an end, which is taken into account at once).
  void collect(void* observations, std::uint8_t* masks, std::int32_t* movers);
  // Logits by action and values by player, for what was collected.
  void expand(const float* logits, const float* values);
  // Visits of the root's actions, and the mean values of the roots by player.
  void result(float* visits, float* values) const;

 private:
  struct Tree;
  std::uint32_t add_node(Tree& tree, const std::byte* from, std::int32_t action);
  [[nodiscard]] std::uint32_t best_edge(const Tree& tree, std::uint32_t node) const;
  void back_up(Tree& tree, const float* values);
  void add_noise(Tree& tree);

  Batch& batch_;
  SearchOptions options_;
  std::vector<Tree> trees_;
};

}  // namespace rgtrans::env
