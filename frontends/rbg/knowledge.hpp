// What is known at the nodes of a flow graph, by data-flow over all ways to them: which pieces can lie below the
// cursor, and where the cursor can be.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "frontends/rbg/flow.hpp"

namespace rgtrans::rbg {

// A set of small numbers as bits.
class Bits {
 public:
  Bits() = default;
  explicit Bits(std::size_t size, bool full = false);
  [[nodiscard]] bool test(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1U) != 0; }
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void reset(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  [[nodiscard]] bool none() const;
  [[nodiscard]] std::size_t count() const;
  // The only member when there is exactly one.
  [[nodiscard]] std::uint32_t single() const;
  bool add(const Bits& other);  // true when something was new
  void keep(const Bits& other);
  void drop(const Bits& other);
  [[nodiscard]] bool contains(const Bits& other) const;
  [[nodiscard]] bool meets(const Bits& other) const;
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
        f(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
  }
  bool operator==(const Bits&) const = default;

 private:
  std::vector<std::uint64_t> words_;
};

struct Knowledge {
  // Both empty when the graph is too large to be analysed; then everything is possible.
  std::vector<Bits> pieces;  // below the cursor
  std::vector<Bits> cursors;

  [[nodiscard]] bool known() const { return !pieces.empty(); }
};

Knowledge analyse(const Description& description, const Relations& relations, const Flow& flow);
// What holds after a step; false when the step is never possible in a state of which this is known.
bool advance(const Description& description, const Relations& relations, const Flow& flow, const Step& step,
             Bits& cursors, Bits& pieces);

// Removes steps that are never possible and tests that always hold.
void use_knowledge(const Description& description, const Relations& relations, Flow& flow);

Bits piece_bits(const Description& description, std::uint32_t piece_set);

}  // namespace rgtrans::rbg
