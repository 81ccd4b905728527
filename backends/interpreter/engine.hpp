// The interpreter behind the Reasoner interface. Cell is the narrowest integer type that holds every symbol.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "backends/interpreter/compiled.hpp"
#include "backends/interpreter/machine.hpp"
#include "backends/interpreter/rng.hpp"
#include "backends/interpreter/state_graph.hpp"
#include "backends/reasoner.hpp"

namespace rgtrans::interpreter {

[[noreturn]] void endless_keeper(const std::string& node);

template <class Cell>
class InterpreterEngine final : public Reasoner {
 public:
  explicit InterpreterEngine(std::shared_ptr<const Compiled> compiled);

  [[nodiscard]] const GameInfo& info() const override { return compiled_->info; }
  [[nodiscard]] std::unique_ptr<Reasoner> clone() const override;
  void reset() override;
  [[nodiscard]] bool terminal() const override { return compiled_->final_start[start_]; }
  [[nodiscard]] std::size_t mover() const override;
  std::size_t move_count() override;
  std::size_t move_count_of(std::span<const std::string_view> begin, std::size_t most) override;
  std::string move_text(std::size_t index) override;
  std::span<const std::uint32_t> move_tags(std::size_t index) override;
  [[nodiscard]] std::string tag_text(std::uint32_t tag) const override;
  std::string observed_move_text(std::size_t index, std::size_t player) override;
  std::uint64_t move_fingerprint(std::size_t index) override;
  std::uint64_t walk_count(std::size_t index) override;
  void apply(std::size_t index) override;
  void each_result(const std::function<void(std::size_t, std::span<const std::byte>)>& visit) override;
  bool undo() override;
  [[nodiscard]] std::string goal(std::size_t player) const override;
  [[nodiscard]] std::vector<std::byte> state_bytes() const override;
  void set_state_bytes(std::span<const std::byte> bytes) override;
  void canonical(std::vector<std::byte>& state, bool symmetries) const override;
  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] std::vector<VariableView> variables() const override;
  [[nodiscard]] std::vector<NumberedCell> cells() const override;
  [[nodiscard]] std::uint32_t cell_value(std::uint32_t cell) const override { return state_[cell]; }
  [[nodiscard]] bool cell_alive(std::uint32_t cell) const override {
    return compiled_->alive[start_][compiled_->variable_of_cell[cell].value];
  }
  [[nodiscard]] std::string value_text(std::uint32_t value) const override { return compiled_->symbol_text(value); }
  std::uint64_t perft(unsigned depth) override;
  std::uint64_t perft_walks(unsigned depth) override;
  PlayoutStats playouts(const PlayoutOptions& options) override;
  bool play_out(std::uint64_t& random, std::uint64_t most_moves, const std::function<bool()>& stop) override;

 private:
  struct Played {
    std::size_t first_old;
    std::uint32_t start;
  };

  Machine<Cell>& walker();
  // Throw Error for a number that names nothing.
  void check_move(std::size_t index);
  void check_player(std::size_t player) const;
  std::string text(const MoveList& list, std::size_t index, std::optional<std::size_t> seen_by) const;
  std::uint64_t count_leaves(Machine<Cell>& machine, unsigned depth);
  // Makes keeper's moves until another player is to move or the play is over.
  void list(MoveParts* parts);
  void run_keeper(Machine<Cell>& machine, Cell* state, std::uint32_t& start) const;
  [[noreturn]] void stuck(std::uint32_t start, const Cell* state) const;
  void keep_distinct_results(MoveList& list);
  std::uint64_t tag_fingerprint(std::uint32_t tag);

  std::shared_ptr<const Compiled> compiled_;
  std::vector<Cell> initial_;
  std::vector<Cell> state_;
  std::uint32_t start_ = 0;
  Machine<Cell> machine_;
  std::unique_ptr<Machine<Cell>> walker_;
  MoveList moves_;
  MoveParts parts_;
  bool listed_ = false;
  MoveList walks_;
  bool walked_ = false;
  std::vector<Played> history_;
  std::vector<Change> old_;
  std::vector<std::uint64_t> tag_fingerprints_;  // by symbol; 0 if not computed yet
};

}  // namespace rgtrans::interpreter
