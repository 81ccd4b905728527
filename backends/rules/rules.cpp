#include "backends/rules/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "backends/results.hpp"
#include "backends/search/search.hpp"
#include "core/support/clock.hpp"
#include "core/support/letters.hpp"

namespace rgtrans::rules {

namespace {

constexpr std::size_t kForcedSteps = 100'000;  // in a row

gdl::GroundProgram ground_text(const std::string& text, const gdl::GroundOptions& options) {
  Diagnostics diagnostics;
  gdl::GroundProgram program = gdl::ground(diagnostics.sources()->add("<description>", text), diagnostics, options);
  diagnostics.throw_if_errors();
  return program;
}

}  // namespace

MatchRules::MatchRules(const std::string& text, const gdl::GroundOptions& options)
    : steps_(ground_text(text, options)) {
  for (std::uint32_t number = 0; number < program().moves.size(); ++number) {
    const std::string key = fmt::format("{} {}", program().moves[number].role, move_text(number));
    by_text_.emplace(key, number);
    by_lower_.emplace(lower_case(key), number);
  }
  hidden_ = shows_hiding(steps_);
}

std::optional<std::uint32_t> MatchRules::find_role(const std::string& name) const {
  for (std::uint32_t r = 0; r < role_count(); ++r) {
    if (role(r) == name) return r;
  }
  for (std::uint32_t r = 0; r < role_count(); ++r) {
    if (lower_case(role(r)) == lower_case(name)) return r;
  }
  return std::nullopt;
}

std::uint32_t MatchRules::find_move(std::uint32_t role, const std::string& term) const {
  const std::string key = fmt::format("{} {}", role, term);
  if (const auto it = by_text_.find(key); it != by_text_.end()) return it->second;
  const auto it = by_lower_.find(lower_case(key));
  return it == by_lower_.end() ? kNone : it->second;
}

bool shows_hiding(const gdl::Steps& from) {
  if (from.imperfect()) return true;
  constexpr int kPlays = 10;
  constexpr int kSteps = 200;
  const std::unique_ptr<gdl::Steps> steps = from.clone();
  search::TreeRandom random(1);
  std::vector<std::uint32_t> legal, joint(steps->role_names().size());
  const auto until = Clock::now() + std::chrono::milliseconds(500);
  for (int play = 0; play < kPlays; ++play) {
    steps->set_state(steps->initial());
    for (int step = 0; step < kSteps && !steps->terminal() && Clock::now() < until; ++step) {
      int choosing = 0;
      for (std::uint32_t r = 0; r < joint.size(); ++r) {
        steps->legal(r, legal);
        if (legal.empty()) return false;
        choosing += legal.size() > 1 ? 1 : 0;
        joint[r] = legal[random.below(static_cast<std::uint32_t>(legal.size()))];
      }
      if (choosing > 1) return true;
      steps->step(joint);
    }
  }
  return false;
}

bool may_hide(const std::string& text, bool fold_case) {
  constexpr std::uint64_t kSteps = 2'000'000, kMemory = 256U << 20U;
  try {
    const gdl::GroundProgram program =
        ground_text(text, {.max_memory = kMemory, .max_steps = kSteps, .fold_case = fold_case});
    if (program.imperfect) return true;
    const gdl::Network network(program);
    const gdl::TurnStructure turns = gdl::find_turns(program, network, gdl::find_groups(program, network), false);
    return std::ranges::any_of(turns.phases, [](const gdl::TurnStructure::Phase& phase) {
      return std::ranges::count_if(phase.moves, [](const auto& moves) { return moves.size() > 1; }) > 1;
    });
  } catch (const Error&) {  // a limit of grounding
    return true;
  }
}

std::unique_ptr<Reasoner> follow(const std::string& text, const std::string& name, bool fold_case) {
  auto steps = std::make_unique<gdl::Direct>(text, name, fold_case);
  const bool hidden = steps->role_names().size() > 1 ? may_hide(text, fold_case) : steps->imperfect();
  return std::make_unique<JointReasoner>(std::move(steps), hidden);
}

JointReasoner::JointReasoner(std::unique_ptr<gdl::Steps> steps, bool hidden) : steps_(std::move(steps)) {
  const std::vector<std::string>& roles = steps_->role_names();
  for (std::uint32_t r = 0; r < roles.size(); ++r) {
    player_of_.push_back(static_cast<std::uint32_t>(info_.players.size()));
    if (is_random(r)) continue;
    roles_.push_back(r);
    info_.players.push_back(roles[r]);
  }
  info_.hidden = hidden;
  info_.most_goal = steps_->most_goal();
  reset();
}

std::unique_ptr<Reasoner> JointReasoner::clone() const {
  auto copy = std::make_unique<JointReasoner>(steps_->clone(), info_.hidden);
  copy->steps_->set_state(steps_->state());
  copy->joint_ = joint_;
  copy->settle();
  return copy;
}

void JointReasoner::reset() { set_state(steps_->initial()); }

void JointReasoner::set_state(const gdl::Steps::State& state) {
  steps_->set_state(state);
  joint_.assign(steps_->role_names().size(), kNone);
  history_.clear();
  settle();
}

void JointReasoner::settle() {
  for (std::size_t made = 0; !steps_->terminal(); ++made) {
    if (made == kForcedSteps) throw Error("the description goes on without end and without a decision");
    role_ = kNone;
    alone_ = true;
    for (std::uint32_t r = 0; r < joint_.size(); ++r) {
      if (joint_[r] != kNone) continue;
      list(r);
      if (legal_.size() == 1) {
        joint_[r] = legal_[0];
      } else if (role_ == kNone) {
        role_ = r;
      } else {
        alone_ = false;
      }
    }
    if (role_ != kNone) {
      list(role_);
      return;
    }
    steps_->step(joint_);
    joint_.assign(joint_.size(), kNone);
  }
  legal_.clear();
}

void JointReasoner::list(std::uint32_t role) {
  steps_->legal(role, legal_);
  if (!legal_.empty()) return;
  throw Error(fmt::format("{} has no legal move, and the play is not over", steps_->role_names()[role]));
}

// Nobody decides at the end.
std::size_t JointReasoner::mover() const {
  if (role_ == kNone) return info_.keeper();
  return is_random(role_) ? info_.random() : player_of_[role_];
}

// The part of a decision that a player sees. A decision that is the only one of its step is visible to all. If others
// decide in the same step, nobody sees it until the last decision shows the joint move, or in GDL-II shows each role
// its percepts.
std::string JointReasoner::observed_move_text(std::size_t index, std::size_t player) {
  if (!alone_) return "";
  std::vector<std::uint32_t> joint = joint_;
  joint[role_] = legal_[index];
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : " ") + text; };
  if (steps_->imperfect()) {
    for (const std::string& percept : steps_->percepts(joint, roles_[player])) add(percept);
  } else {
    for (const std::uint32_t move : joint) add(steps_->move_text(move));
  }
  return out;
}

void JointReasoner::apply(std::size_t index) {
  history_.push_back({steps_->state(), joint_});
  joint_[role_] = legal_[index];
  settle();
}

bool JointReasoner::undo() {
  if (history_.empty()) return false;
  steps_->set_state(history_.back().state);
  joint_ = history_.back().joint;
  history_.pop_back();
  settle();
  return true;
}

std::string JointReasoner::goal(std::size_t player) const { return std::to_string(steps_->goal(roles_[player])); }

std::vector<std::byte> JointReasoner::state_bytes() const { return steps_->bytes(joint_); }

void JointReasoner::set_state_bytes(std::span<const std::byte> bytes) {
  steps_->read(bytes, joint_);
  history_.clear();
  settle();
}

std::string JointReasoner::describe() const {
  std::string out;
  for (const std::string& fact : steps_->facts()) out += fact + "\n";
  return out;
}

std::uint64_t JointReasoner::perft(unsigned depth) {
  if (depth == 0) return 1;
  if (terminal()) return 0;
  std::uint64_t leaves = 0;
  for (std::size_t i = 0; i < move_count(); ++i) {
    apply(i);
    leaves += perft(depth - 1);
    undo();
  }
  return leaves;
}

bool JointReasoner::play_out(std::uint64_t& random, std::uint64_t most_moves, const std::function<bool()>& stop) {
  search::TreeRandom dice(random);
  random = dice.next();
  history_.clear();
  for (std::uint64_t made = 0; !steps_->terminal(); ++made) {
    if (made == most_moves || stop()) return false;
    for (std::uint32_t r = 0; r < joint_.size(); ++r) {
      if (joint_[r] != kNone) continue;
      list(r);
      joint_[r] = legal_[dice.below(static_cast<std::uint32_t>(legal_.size()))];
    }
    steps_->step(joint_);
    joint_.assign(joint_.size(), kNone);
  }
  legal_.clear();
  return true;
}

PlayoutStats JointReasoner::playouts(const PlayoutOptions& options) {
  PlayoutStats stats;
  const std::size_t players = info_.players.size();
  stats.goal_sum.resize(players);
  stats.goal_squares.resize(players);
  stats.wins.resize(players);
  std::uint64_t random = options.seed;
  const auto begin = Clock::now();
  const auto seconds = [&] { return seconds_since(begin); };
  const gdl::Steps::State state = steps_->state();
  const std::vector<std::uint32_t> joint = joint_;
  while (!options.stopped() && (options.count > 0 ? stats.playouts < options.count : seconds() < options.seconds)) {
    play(stats, random, options);
    steps_->set_state(state);
    joint_ = joint;
    settle();
  }
  history_.clear();
  stats.seconds = seconds();
  return stats;
}

void JointReasoner::play(PlayoutStats& stats, std::uint64_t& random, const PlayoutOptions& options) {
  search::TreeRandom dice(random);
  random = dice.next();
  std::uint64_t length = 0, made = 0;
  bool stopped = false;
  while (!terminal() && !stopped) {
    if (mover() != info_.random()) {
      ++length;
      stats.branching_sum += legal_.size();
      stats.branching_max = std::max<std::uint64_t>(stats.branching_max, legal_.size());
    }
    stopped = ++made > options.max_moves || options.stopped();
    if (!stopped) joint_[role_] = legal_[dice.below(static_cast<std::uint32_t>(legal_.size()))];
    settle();
  }
  ++stats.playouts;
  stats.stopped += stopped ? 1 : 0;
  stats.moves += length;
  stats.length_squares += static_cast<double>(length) * static_cast<double>(length);
  stats.max_length = std::max(stats.max_length, length);
  stats.min_length = std::min(stats.min_length, length);
  if (stopped || roles_.empty()) return;
  std::vector<double> goals;
  for (const std::uint32_t role : roles_) goals.push_back(steps_->goal(role));
  add_result(stats, goals, 1);
}

}  // namespace rgtrans::rules
