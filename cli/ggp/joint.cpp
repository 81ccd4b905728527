#include "cli/ggp/joint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "backends/search/search.hpp"
#include "cli/ggp/kif.hpp"

namespace rgtrans::cli::ggp {

namespace {

constexpr std::size_t kForcedSteps = 100'000;  // in a row

gdl::GroundProgram ground_text(const std::string& text, const gdl::GroundOptions& options) {
  Diagnostics diagnostics;
  gdl::GroundProgram program = gdl::ground(diagnostics.sources()->add("<description>", text), diagnostics, options);
  diagnostics.throw_if_errors();
  return program;
}

}  // namespace

Rules::Rules(const std::string& text, const gdl::GroundOptions& options)
    : program_(ground_text(text, options)), network_(program_) {
  for (const auto& move : program_.moves) {
    const std::string term = program_.text(move.term);
    const auto number = static_cast<std::uint32_t>(move_texts_.size());
    by_text_.emplace(fmt::format("{} {}", move.role, term), number);
    by_lower_.emplace(lower(fmt::format("{} {}", move.role, term)), number);
    move_texts_.push_back(term);
  }
  look_for_joint_moves();
}

std::optional<std::uint32_t> Rules::find_role(const std::string& name) const {
  for (std::uint32_t r = 0; r < role_count(); ++r) {
    if (role(r) == name) return r;
  }
  for (std::uint32_t r = 0; r < role_count(); ++r) {
    if (lower(role(r)) == lower(name)) return r;
  }
  return std::nullopt;
}

std::uint32_t Rules::find_move(std::uint32_t role, const std::string& term) const {
  const std::string key = fmt::format("{} {}", role, term);
  if (const auto it = by_text_.find(key); it != by_text_.end()) return it->second;
  const auto it = by_lower_.find(lower(key));
  return it == by_lower_.end() ? kNoMove : it->second;
}

int Rules::goal(const gdl::Machine& machine, std::uint32_t role) const {
  int best = 0;
  for (const gdl::TermId goal : machine.goals(role)) best = std::max(best, std::atoi(program_.text(goal).c_str()));
  return best;
}

// Some plays tell whether two roles ever have a choice in one step.
void Rules::look_for_joint_moves() {
  hidden_ = program_.imperfect;
  constexpr int kPlays = 10;
  constexpr int kSteps = 200;
  gdl::Machine machine(program_, network_);
  search::TreeRandom random(1);
  std::vector<std::uint32_t> legal, joint(role_count());
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  for (int play = 0; play < kPlays && !hidden_; ++play) {
    machine.set_state(machine.initial());
    for (int step = 0; step < kSteps && !machine.terminal() && std::chrono::steady_clock::now() < until; ++step) {
      int choosing = 0;
      for (std::uint32_t r = 0; r < role_count(); ++r) {
        machine.legal(r, legal);
        if (legal.empty()) return;
        choosing += legal.size() > 1 ? 1 : 0;
        joint[r] = legal[random.below(static_cast<std::uint32_t>(legal.size()))];
      }
      hidden_ = hidden_ || choosing > 1;
      machine.step(joint);
    }
  }
}

JointReasoner::JointReasoner(std::shared_ptr<const Rules> rules)
    : rules_(std::move(rules)), machine_(rules_->program(), rules_->network()) {
  const gdl::GroundProgram& program = rules_->program();
  for (std::uint32_t r = 0; r < rules_->role_count(); ++r) {
    player_of_.push_back(static_cast<std::uint32_t>(info_.players.size()));
    if (rules_->random_role(r)) continue;
    roles_.push_back(r);
    info_.players.push_back(rules_->role(r));
  }
  info_.hidden = rules_->hidden();
  info_.most_goal = 0;
  for (const auto& goal : program.goals) {
    info_.most_goal = std::max(info_.most_goal, std::atof(program.text(goal.value).c_str()));
  }
  reset();
}

std::unique_ptr<Reasoner> JointReasoner::clone() const {
  auto copy = std::make_unique<JointReasoner>(rules_);
  copy->set_state_bytes(state_bytes());
  return copy;
}

void JointReasoner::reset() { set_state(machine_.initial()); }

void JointReasoner::set_state(const gdl::Machine::State& state) {
  machine_.set_state(state);
  joint_.assign(rules_->role_count(), kNoMove);
  history_.clear();
  settle();
}

void JointReasoner::settle() {
  for (std::size_t steps = 0; !machine_.terminal(); ++steps) {
    if (steps == kForcedSteps) throw Error("the description goes on without end and without a decision");
    role_ = kNoMove;
    alone_ = true;
    for (std::uint32_t r = 0; r < joint_.size(); ++r) {
      if (joint_[r] != kNoMove) continue;
      machine_.legal(r, legal_);
      if (legal_.empty()) throw Error(fmt::format("{} has no legal move, and the play is not over", rules_->role(r)));
      if (legal_.size() == 1) {
        joint_[r] = legal_[0];
      } else if (role_ == kNoMove) {
        role_ = r;
      } else {
        alone_ = false;
      }
    }
    if (role_ != kNoMove) {
      machine_.legal(role_, legal_);
      return;
    }
    machine_.step(joint_);
    joint_.assign(joint_.size(), kNoMove);
  }
  legal_.clear();
}

std::size_t JointReasoner::mover() const { return rules_->random_role(role_) ? info_.random() : player_of_[role_]; }

// Who sees what of a decision: all of it where it was the only one of its step; where others decide in the same step
// nothing, until the last decision shows the joint move, or in GDL-II each role its percepts.
std::string JointReasoner::observed_move_text(std::size_t index, std::size_t player) {
  if (!alone_) return "";
  std::vector<std::uint32_t> joint = joint_;
  joint[role_] = legal_[index];
  std::string out;
  if (!rules_->program().imperfect) {
    for (const std::uint32_t move : joint) out += (out.empty() ? "" : " ") + rules_->move_text(move);
    return out;
  }
  for (const std::uint32_t percept : machine_.percepts(joint)) {
    const auto& seen = rules_->program().sees[percept];
    if (seen.role == roles_[player]) out += (out.empty() ? "" : " ") + rules_->program().text(seen.term);
  }
  return out;
}

void JointReasoner::apply(std::size_t index) {
  history_.push_back({machine_.state(), joint_});
  joint_[role_] = legal_[index];
  settle();
}

bool JointReasoner::undo() {
  if (history_.empty()) return false;
  machine_.set_state(history_.back().state);
  joint_ = history_.back().joint;
  history_.pop_back();
  settle();
  return true;
}

std::string JointReasoner::goal(std::size_t player) const {
  return std::to_string(rules_->goal(machine_, roles_[player]));
}

std::vector<std::byte> JointReasoner::state_bytes() const {
  const gdl::Machine::State& state = machine_.state();
  std::vector<std::byte> out(state.size() * sizeof(state[0]) + joint_.size() * sizeof(joint_[0]));
  std::memcpy(out.data(), state.data(), state.size() * sizeof(state[0]));
  std::memcpy(out.data() + state.size() * sizeof(state[0]), joint_.data(), joint_.size() * sizeof(joint_[0]));
  return out;
}

void JointReasoner::set_state_bytes(std::span<const std::byte> bytes) {
  gdl::Machine::State state(machine_.initial().size());
  joint_.resize(rules_->role_count());
  if (bytes.size() != state.size() * sizeof(state[0]) + joint_.size() * sizeof(joint_[0])) {
    throw Error("these bytes are no state of this game");
  }
  std::memcpy(state.data(), bytes.data(), state.size() * sizeof(state[0]));
  std::memcpy(joint_.data(), bytes.data() + state.size() * sizeof(state[0]), joint_.size() * sizeof(joint_[0]));
  history_.clear();
  machine_.set_state(state);
  settle();
}

std::string JointReasoner::describe() const {
  std::string out;
  for (std::uint32_t f = 0; f < rules_->program().facts.size(); ++f) {
    if (machine_.fact(f)) out += rules_->program().text(rules_->program().facts[f]) + "\n";
  }
  return out;
}

std::uint64_t JointReasoner::perft(unsigned depth) {
  if (depth == 0) return 1;
  if (machine_.terminal()) return 0;
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
  for (std::uint64_t steps = 0; !machine_.terminal(); ++steps) {
    if (steps == most_moves || stop()) return false;
    for (std::uint32_t r = 0; r < joint_.size(); ++r) {
      if (joint_[r] != kNoMove) continue;
      machine_.legal(r, legal_);
      if (legal_.empty()) throw Error(fmt::format("{} has no legal move, and the play is not over", rules_->role(r)));
      joint_[r] = legal_[dice.below(static_cast<std::uint32_t>(legal_.size()))];
    }
    machine_.step(joint_);
    joint_.assign(joint_.size(), kNoMove);
  }
  legal_.clear();
  return true;
}

PlayoutStats JointReasoner::playouts(const PlayoutOptions&) {
  throw Error("statistics of playouts are made by the interpreter or the compiled reasoner");
}

}  // namespace rgtrans::cli::ggp
