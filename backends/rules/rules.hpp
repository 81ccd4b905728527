// Plays a GDL description step by step: moves are terms of the description, and the roles decide one after the other
// within a step. Nobody sees the choices of the others before the step is complete; if only one role has a choice,
// everybody sees it at once. The propositional network is available as soon as the description is ground, so a player
// of the Game Manager protocol searches on it until a faster engine is ready. A host checks the rules with it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "backends/reasoner.hpp"
#include "frontends/gdl/gdl.hpp"

namespace rgtrans::rules {

// The data that stays the same during a match.
class MatchRules {
 public:
  // Throws Error with the mistakes of the description.
  explicit MatchRules(const std::string& text, const gdl::GroundOptions& options = {});

  [[nodiscard]] const gdl::GroundProgram& program() const { return steps_.program(); }
  [[nodiscard]] const gdl::Network& network() const { return steps_.network(); }
  [[nodiscard]] std::uint32_t role_count() const { return static_cast<std::uint32_t>(program().roles.size()); }
  [[nodiscard]] std::string role(std::uint32_t r) const { return steps_.role_names()[r]; }
  [[nodiscard]] std::optional<std::uint32_t> find_role(const std::string& name) const;
  // The move of a role with this term, kNone if there is none. Case matters only if it distinguishes moves.
  [[nodiscard]] std::uint32_t find_move(std::uint32_t role, const std::string& term) const;
  [[nodiscard]] std::string move_text(std::uint32_t move) const { return steps_.move_text(move); }
  [[nodiscard]] bool sees() const { return !program().sees.empty(); }
  [[nodiscard]] bool random_role(std::uint32_t r) const { return r == steps_.random_role(); }
  // As shows_hiding().
  [[nodiscard]] bool hidden() const { return hidden_; }
  // An evaluator of the rules on their network.
  [[nodiscard]] std::unique_ptr<gdl::Steps> steps() const { return steps_.clone(); }

 private:
  gdl::NetworkSteps steps_;
  std::unordered_map<std::string, std::uint32_t> by_text_;   // role number, space, term
  std::unordered_map<std::string, std::uint32_t> by_lower_;  // the same in lower case
  bool hidden_ = false;
};

// Whether roles do not see everything, or two have a choice in one step of some random plays: an estimate, which
// decides how a player of a match searches.
bool shows_hiding(const gdl::Steps& steps);

// Whether it is not proved that all roles see everything and at most one has a choice in each step of every play.
bool may_hide(const std::string& text, bool fold_case);

// An engine that evaluates a description as it is written. Its rules are ground only to find out what may_hide() says.
std::unique_ptr<Reasoner> follow(const std::string& text, const std::string& name, bool fold_case);

class JointReasoner : public Reasoner {
 public:
  JointReasoner(std::unique_ptr<gdl::Steps> steps, bool hidden);
  explicit JointReasoner(const MatchRules& rules) : JointReasoner(rules.steps(), rules.hidden()) {}

  [[nodiscard]] const GameInfo& info() const override { return info_; }
  [[nodiscard]] std::unique_ptr<Reasoner> clone() const override;
  void reset() override;
  [[nodiscard]] bool terminal() const override { return steps_->terminal(); }
  [[nodiscard]] std::size_t mover() const override;
  std::size_t move_count() override { return legal_.size(); }
  std::string move_text(std::size_t index) override { return steps_->move_text(legal_[index]); }
  std::span<const std::uint32_t> move_tags(std::size_t index) override { return {&legal_[index], 1}; }
  [[nodiscard]] std::string tag_text(std::uint32_t tag) const override { return steps_->move_text(tag); }
  std::string observed_move_text(std::size_t index, std::size_t player) override;
  std::uint64_t walk_count(std::size_t) override { return 1; }
  void apply(std::size_t index) override;
  bool undo() override;
  [[nodiscard]] std::string goal(std::size_t player) const override;
  [[nodiscard]] std::vector<std::byte> state_bytes() const override;
  void set_state_bytes(std::span<const std::byte> bytes) override;
  [[nodiscard]] std::string describe() const override;
  std::uint64_t perft(unsigned depth) override;
  std::uint64_t perft_walks(unsigned depth) override { return perft(depth); }
  PlayoutStats playouts(const PlayoutOptions& options) override;
  bool play_out(std::uint64_t& random, std::uint64_t most_moves, const std::function<bool()>& stop) override;

  // Whether this role decides now, and nobody else has a choice in the step.
  [[nodiscard]] bool decides_alone(std::uint32_t role) const { return alone_ && role_ == role; }

  // The state at the beginning of a step.
  void set_state(const gdl::Steps::State& state);

 private:
  struct Position {
    gdl::Steps::State state;
    std::vector<std::uint32_t> joint;
  };
  // Makes the decisions that have one option, and the steps that are complete.
  void settle();
  void list(std::uint32_t role);
  [[nodiscard]] bool is_random(std::uint32_t role) const { return role == steps_->random_role(); }
  void play(PlayoutStats& stats, std::uint64_t& random, const PlayoutOptions& options);

  std::unique_ptr<gdl::Steps> steps_;
  GameInfo info_;
  std::vector<std::uint32_t> roles_;      // of players
  std::vector<std::uint32_t> player_of_;  // by role
  std::vector<std::uint32_t> joint_;      // by role; kNone where it is open
  std::uint32_t role_ = 0;                // the role that decides
  bool alone_ = true;                     // nobody else has a choice in this step
  std::vector<std::uint32_t> legal_;      // of that role
  std::vector<Position> history_;
};

}  // namespace rgtrans::rules
