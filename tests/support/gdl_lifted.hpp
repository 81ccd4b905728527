// Compares a lifted description with its network, with its rules as written, or with recorded playouts.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/gdl/lifted/lifted.hpp"
#include "frontends/gdl/steps.hpp"

namespace rgtrans::gdl {

// Follows the decisions of the automaton. A role without a decision there must have a single move.
class LiftedPlay {
 public:
  LiftedPlay(std::unique_ptr<Reasoner> reasoner, const lifted::LiftedNames& names)
      : reasoner_(std::move(reasoner)), names_(names) {}

  Reasoner& reasoner() { return *reasoner_; }
  std::string reset() {
    reasoner_->reset();
    return keeper();
  }

  // The role's moves as sorted terms, if the automaton has a decision for it; otherwise empty.
  std::vector<std::string> moves(std::size_t role) {
    std::vector<std::string> result;
    if (reasoner_->terminal() || reasoner_->mover() != role) return result;
    for (std::size_t i = 0; i < reasoner_->move_count(); ++i) result.push_back(term(reasoner_->move_text(i)));
    std::ranges::sort(result);
    return result;
  }
  std::string choose(const std::string& move) {
    for (std::size_t i = 0; i < reasoner_->move_count(); ++i) {
      if (term(reasoner_->move_text(i)) != move) continue;
      reasoner_->apply(i);
      return keeper();
    }
    return move + " is not legal";
  }

  // Plays one playout of at most `most_steps` steps. Returns the first difference, or "".
  std::string beside(Steps& other, std::uint64_t seed, unsigned most_steps) {
    const std::vector<std::string>& roles = other.role_names();
    other.set_state(other.initial());
    if (std::string d = reset(); !d.empty()) return d;
    for (unsigned step = 0; step < most_steps && !other.terminal(); ++step) {
      std::vector<std::uint32_t> joint;
      for (std::uint32_t r = 0; r < roles.size(); ++r) {
        std::vector<std::uint32_t> legal;
        other.legal(r, legal);
        if (legal.empty()) return "stuck";
        std::vector<std::string> expected;
        for (const std::uint32_t m : legal) expected.push_back(other.move_text(m));
        std::ranges::sort(expected);
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        const std::uint32_t move = legal[(seed >> 33) % legal.size()];
        joint.push_back(move);
        const std::vector<std::string> ours = moves(r);
        if (ours == expected) {
          if (std::string d = choose(other.move_text(move)); !d.empty()) return d;
        } else if (expected.size() > 1) {
          return fmt::format("step {}: {} moves of {} for {}", step, ours.size(), roles[r], expected.size());
        }
      }
      other.step(joint);
    }
    if (!other.terminal()) return reasoner_->terminal() ? "terminal too early" : "";
    if (!reasoner_->terminal()) return "not terminal";
    for (std::uint32_t r = 0; r < roles.size(); ++r) {
      if (reasoner_->goal(r) != std::to_string(other.goal(r)))
        return fmt::format("goal {} of {} for {}", reasoner_->goal(r), roles[r], other.goal(r));
    }
    return "";
  }

  // Follows a recorded playout: numbers and hashes of legal moves, and the goals.
  template <class Hash>
  std::string along(const nlohmann::json& trace, Hash&& hash) {
    if (std::string d = reset(); !d.empty()) return d;
    const std::size_t roles = names_.roles.size();
    std::size_t number = 0;
    for (const auto& step : trace["steps"]) {
      if (!step.contains("move")) return "";
      for (std::size_t r = 0; r < roles; ++r) {
        const std::vector<std::string> ours = moves(r);
        const auto expected = step["n"][r].get<std::size_t>();
        if (ours.size() == expected && hash(ours) == step["h"][r].template get<std::string>()) {
          if (std::string d = choose(step["move"][r].template get<std::string>()); !d.empty()) return d;
        } else if (expected > 1) {
          return fmt::format("step {}: {} moves of {} for {}", number, ours.size(), names_.roles[r], expected);
        }
      }
      ++number;
    }
    if (trace["end"] != "terminal") return "";
    if (!reasoner_->terminal()) return "the last state is not terminal";
    for (std::size_t r = 0; r < roles; ++r) {
      const std::string role = trace["roles"][r];
      if (!trace["goals"].contains(role) || !trace["goals"][role].is_number()) continue;
      if (reasoner_->goal(r) != std::to_string(trace["goals"][role].template get<int>()))
        return fmt::format("goal {} of {}", reasoner_->goal(r), role);
    }
    return "";
  }

 private:
  std::string keeper() {
    constexpr int kMostAlone = 10'000;  // in a row; a play may continue forever without a decision
    for (int alone = 0; !reasoner_->terminal() && reasoner_->mover() == reasoner_->info().keeper(); ++alone) {
      if (alone == kMostAlone) return "stuck";
      if (reasoner_->move_count() != 1) return fmt::format("keeper has {} moves", reasoner_->move_count());
      reasoner_->apply(0);
    }
    return "";
  }
  [[nodiscard]] std::string term(const std::string& tags) const {
    std::istringstream in(tags);
    std::string word, result;
    in >> word;
    result = names_.functors.at(word);
    while (in >> word) result.replace(result.find(lifted::kPlaceholder), 1, names_.terms.at(word));
    return result;
  }

  std::unique_ptr<Reasoner> reasoner_;
  const lifted::LiftedNames& names_;
};

}  // namespace rgtrans::gdl
