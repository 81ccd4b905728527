// Follows the steps of one description in two ways and compares them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/support/support.hpp"
#include "frontends/gdl/steps.hpp"

namespace rgtrans::test {

inline std::vector<std::string> legal_texts(gdl::Steps& steps, std::uint32_t role) {
  std::vector<std::uint32_t> legal;
  steps.legal(role, legal);
  std::vector<std::string> out;
  for (const std::uint32_t move : legal) out.push_back(steps.move_text(move));
  std::ranges::sort(out);
  return out;
}

// The number of a legal move.
inline std::uint32_t move_number(gdl::Steps& steps, std::uint32_t role, const std::string& text) {
  std::vector<std::uint32_t> legal;
  steps.legal(role, legal);
  return *std::ranges::find_if(legal, [&](std::uint32_t move) { return steps.move_text(move) == text; });
}

inline std::vector<std::string> sorted_percepts(gdl::Steps& steps, const std::vector<std::uint32_t>& joint,
                                                std::uint32_t role) {
  std::vector<std::string> told = steps.percepts(joint, role);
  std::ranges::sort(told);
  return told;
}

// The first difference in one random play of at most `most_steps` steps, or "".
inline std::string difference(gdl::Steps& one, gdl::Steps& other, std::uint64_t random, unsigned most_steps) {
  const std::vector<std::string>& roles = one.role_names();
  if (roles != other.role_names()) return "roles";
  one.set_state(one.initial());
  other.set_state(other.initial());
  for (unsigned step = 0; step < most_steps; ++step) {
    const auto at = [&](const std::string& what) { return fmt::format("step {}: {}", step, what); };
    const bool over = one.terminal();
    if (over != other.terminal()) return at("terminal");
    std::vector<std::uint32_t> joint, other_joint;
    for (std::uint32_t r = 0; r < roles.size(); ++r) {
      if (one.goal(r) != other.goal(r)) return at("goal of " + roles[r]);
      if (over) continue;
      const std::vector<std::string> moves = legal_texts(one, r);
      if (moves != legal_texts(other, r)) return at("moves of " + roles[r]);
      if (moves.empty()) return "";
      random = mix_hash(random);
      const std::string& chosen = moves[random % moves.size()];
      joint.push_back(move_number(one, r, chosen));
      other_joint.push_back(move_number(other, r, chosen));
    }
    if (over) return "";
    for (std::uint32_t r = 0; r < roles.size(); ++r) {
      if (sorted_percepts(one, joint, r) != sorted_percepts(other, other_joint, r))
        return at("percepts of " + roles[r]);
    }
    one.step(joint);
    other.step(other_joint);
  }
  return "";
}

}  // namespace rgtrans::test
