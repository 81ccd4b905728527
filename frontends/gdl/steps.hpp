// A description that is played step by step, on any evaluator of its rules: all roles move, then the next state
// follows.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::gdl {

// The number that a goal's term denotes; none for another term.
[[nodiscard]] inline std::optional<int> goal_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}
// The same for a goal that holds, with an Error instead of none.
int goal_of(const std::string& text);

class Steps {
 public:
  // Only the object that made a state, and later clones of it, can read it.
  using State = std::vector<std::uint64_t>;

  Steps() = default;
  virtual ~Steps() = default;
  Steps& operator=(const Steps&) = delete;
  Steps(Steps&&) = delete;
  Steps& operator=(Steps&&) = delete;

  [[nodiscard]] virtual std::unique_ptr<Steps> clone() const = 0;

  [[nodiscard]] virtual const std::vector<std::string>& role_names() const = 0;
  [[nodiscard]] virtual std::uint32_t random_role() const = 0;  // the role that represents chance, or kNone
  [[nodiscard]] virtual bool imperfect() const = 0;             // GDL-II
  [[nodiscard]] virtual int most_goal() const = 0;

  [[nodiscard]] virtual State initial() = 0;
  [[nodiscard]] virtual const State& state() const = 0;
  virtual void set_state(const State& state) = 0;
  // Serialises the state and the chosen moves (kNone: not chosen) for every object of the same description.
  [[nodiscard]] virtual std::vector<std::byte> bytes(std::span<const std::uint32_t> joint) const = 0;
  // Restores the state and returns the moves. Throws Error if the bytes are no state.
  virtual void read(std::span<const std::byte> bytes, std::span<std::uint32_t> joint) = 0;

  [[nodiscard]] virtual bool terminal() = 0;
  // The legal moves of a role, by number, in an order that depends only on the state.
  virtual void legal(std::uint32_t role, std::vector<std::uint32_t>& out) = 0;
  // The move as a term of the description.
  [[nodiscard]] virtual std::string move_text(std::uint32_t move) const = 0;
  // The highest goal of a role, or 0. Throws Error if a goal is no number.
  [[nodiscard]] virtual int goal(std::uint32_t role) = 0;
  // The percepts of a role for a joint move, one move per role.
  [[nodiscard]] virtual std::vector<std::string> percepts(std::span<const std::uint32_t> joint, std::uint32_t role) = 0;
  virtual void step(std::span<const std::uint32_t> joint) = 0;
  // The facts that hold.
  [[nodiscard]] virtual std::vector<std::string> facts() const = 0;

 protected:
  Steps(const Steps&) = default;
};

}  // namespace rgtrans::gdl
