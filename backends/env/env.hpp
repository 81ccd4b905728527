// Environments for reinforcement learning: many plays of one game at once, with numbers for moves and tensors for
// states.
//
// The batch engine (core.hpp) runs inside a compiled reasoner's library or, more slowly, over any Reasoner. Both give
// the same results. Randomness comes only from the seeds of the plays, not from threads or engines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "backends/env/env.h"
#include "backends/reasoner.hpp"
#include "core/analysis/analysis.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::env {

// The conversion of states to tensors: planes of equal size that contain ones and zeros.
struct Observation {
  // planes: the state. moves: the moves that a player has seen, in games that hide moves.
  enum class Form : std::uint8_t { planes, moves };
  Form form = Form::planes;
  std::vector<std::size_t> shape;   // channels, height, width; or rows, columns of seen moves
  std::vector<std::string> planes;  // "board=white", "clock=7", "player=white", or "me=…" and "you=…"

  // A shown cell or scalar, and where its values set ones.
  struct Source {
    std::string variable;
    std::vector<std::string> keys;  // keys of the cell
    std::vector<std::string> values;
    std::vector<std::int32_t> planes;  // by view and value; -1: none
    std::size_t views = 1;             // or one per player
    std::size_t place = 0;             // position in a plane
    bool everywhere = false;           // fills the whole plane
    bool packed = false;               // a single plane; the number of the value is the position
  };
  std::vector<Source> sources;

  [[nodiscard]] std::size_t size() const;
};

// The positions of cells in the states of a library.
class StoredStates {
 public:
  StoredStates(const rgtrans_env_universe* universes, std::uint32_t universe_count,
               const rgtrans_env_variable* variables, std::uint32_t variable_count);

  // Fills in the position of a cell. Returns null if it is not part of the state.
  const rgtrans_env_variable* find(const Observation::Source& source, rgtrans_env_op& op) const;
  [[nodiscard]] std::vector<std::string> values(const rgtrans_env_variable& variable) const;

 private:
  const rgtrans_env_universe* universes_;
  const rgtrans_env_variable* variables_;
  std::vector<std::unordered_map<std::string, std::uint32_t>> codes_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

// The operations that convert a state to a tensor: for each shown cell, its position in the state and the positions of
// ones for its values. The ops refer to the tables in this object.
struct TensorOps {
  TensorOps() = default;
  // Without stored states, a cell is identified by the number of its source.
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
  unsigned threads = 1;  // 0: one per processor
  bool compiled = true;
  ResetMode reset = ResetMode::next_step;
  std::uint32_t most_moves = 10'000;  // limit on the length of a play
  bool illegal_loses = false;         // otherwise an error
  bool floats = true;                 // float32; otherwise bytes
  bool channels_last = false;
  bool relative = false;     // the viewer's pieces come first
  std::size_t history = 16;  // moves in an observation of seen moves
  std::uint64_t most_actions = analysis::ActionSpace::kMost;
  std::function<bool()> stop = {};  // cpp::BuildOptions::stop of the first build
};

// The planes for a game as played. `relative` applies if pieces of players can be recognised.
Observation observe(const ir::Game& game, const BatchOptions& options, std::size_t tags, std::size_t most_parts);

class Batch {
 public:
  // `actions` numbers the moves of the game as loaded; `played` is the game as played.
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
  // Throws Error for an illegal action or a finished play. The batch is then unchanged.
  void step(const rgtrans_env_buffers& buffers);
  void sample(std::int32_t* actions);
  void write(const rgtrans_env_buffers& buffers);

  // Makes `steps` steps with uniformly random legal actions, for benchmarks.
  void run(std::size_t steps, std::int32_t* actions, const rgtrans_env_buffers& buffers);

  // Only compiled plays can be saved.
  [[nodiscard]] bool can_save() const { return options_.compiled; }
  // All plays as bytes, which identify the game and the layout of its states and end with a digest. load() accepts only
  // bytes saved by an equal batch; otherwise it throws Error and leaves the plays unchanged. The digest does not
  // protect against forgery.
  [[nodiscard]] std::string save() const;
  void load(std::string_view bytes);

  // --- Single plays of the batch. ---
  // The position of a play: after its last complete move, without a history. It outlives the batch.
  [[nodiscard]] std::unique_ptr<Reasoner> position(std::size_t i) const;
  // For searches.
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
  // Calls f(workspace, first, last) in every thread for its share of the plays.
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
  std::string game_digest_;                   // identifies compiled plays
  std::string library_path_;                  // of compiled plays
  bool hidden_ = false;                       // moves can be hidden
  mutable std::unique_ptr<Reasoner> reader_;  // of compiled positions, made by the first position()
  std::unique_ptr<Pool> pool_;
  // Data that the engine refers to.
  std::vector<std::uint32_t> move_starts_, move_tags_, ranks_;
  std::vector<float> rewards_;
  TensorOps ops_;
};

// Monte-Carlo tree search as in AlphaZero (PUCT), in all plays of a batch at once. collect() descends each tree to an
// unknown position; expand() takes a network's evaluation of all of them. Requires games without chance and hidden
// information. With more than two players, everyone maximizes their own value (max^n).
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

  // Clears all trees; the current positions of the batch become the roots.
  void begin();
  // One position per tree: its observation, legal actions (bytes) and mover. The mover is -1 if no evaluation is
  // needed: the play is over, or the reached position is final, which is backed up at once.
  void collect(void* observations, std::uint8_t* masks, std::int32_t* movers);
  // Logits by action and values by player, for the collected positions.
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
