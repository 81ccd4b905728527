// Context: the part of the automaton that one exploration can see, that is the moves or one reachability check, and
// what is known about its nodes: which variables are read later, which may have changed since the start, and
// where a second arrival with nothing new to tell is possible, so that it must be recognised.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "backends/interpreter/interpreter.hpp"
#include "backends/interpreter/symbolic.hpp"

namespace rgtrans::interpreter {

constexpr std::size_t kMaxCheckNesting = 500;

// A set of variables that lies somewhere else: Word is std::uint64_t or const std::uint64_t.
template <class Word>
class VariablesIn {
 public:
  explicit VariablesIn(std::span<Word> words) : words_(words) {}
  operator VariablesIn<const Word>() const { return VariablesIn<const Word>(words_); }

  [[nodiscard]] bool contains(ir::VarId v) const { return (words_[v.value / 64] & bit(v)) != 0; }
  void insert(ir::VarId v) const { words_[v.value / 64] |= bit(v); }
  void clear() const { std::ranges::fill(words_, 0); }
  void fill() const { std::ranges::fill(words_, ~std::uint64_t{0}); }
  bool merge(VariablesIn<const Word> other) const { return merge_except(other, ir::VarId()); }
  // Everything in `other` but `except` (which may be none). True when something was new.
  bool merge_except(VariablesIn<const Word> other, ir::VarId except) const {
    std::uint64_t fresh = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      std::uint64_t added = other.words()[i];
      if (except.valid() && except.value / 64 == i) added &= ~bit(except);
      fresh |= added & ~words_[i];
      words_[i] |= added;
    }
    return fresh != 0;
  }
  [[nodiscard]] std::span<Word> words() const { return words_; }

 private:
  static std::uint64_t bit(ir::VarId v) { return std::uint64_t{1} << (v.value % 64); }

  std::span<Word> words_;
};
using Variables = VariablesIn<std::uint64_t>;
using ConstVariables = VariablesIn<const std::uint64_t>;

// One such set for every node.
class VarSets {
 public:
  VarSets() = default;
  VarSets(std::size_t nodes, std::size_t variables) : width_((variables + 63) / 64), words_(nodes * width_, 0) {}
  Variables operator[](std::size_t node) { return Variables(std::span(words_).subspan(node * width_, width_)); }
  ConstVariables operator[](std::size_t node) const {
    return ConstVariables(std::span(words_).subspan(node * width_, width_));
  }

 private:
  std::size_t width_ = 0;
  std::vector<std::uint64_t> words_;
};

// A set of its own.
class VarSet {
 public:
  explicit VarSet(std::size_t variables) : words_((variables + 63) / 64, 0) {}
  explicit VarSet(ConstVariables other) : words_(other.words().begin(), other.words().end()) {}
  Variables view() { return Variables(words_); }
  [[nodiscard]] ConstVariables view() const { return ConstVariables(words_); }

 private:
  std::vector<std::uint64_t> words_;
};

// mark: an artificial tag. It is no part of a move, but walks with different ones seldom meet in one state.
enum class Act : std::uint8_t { empty, compare, assign, any, check, tag, tag_variable, mark, move };

struct ContextEdge {
  std::uint32_t source = 0;
  std::uint32_t target = 0;  // of a move: unused
  Act act = Act::empty;
  ir::EdgeId edge;
};

// What is computed once for every edge of the game.
struct EdgeFacts {
  bool player_assignment = false;
  ir::VarId written;   // by an assignment
  bool whole = false;  // it replaces the whole variable
  std::vector<ir::VarId> reads;
  bool symbolic = false;  // a comparison of symbols: left, right
  Sym left = 0, right = 0;
};

class Context {
 public:
  std::vector<ir::NodeId> nodes;     // by local number
  std::vector<std::uint32_t> local;  // by node, or kNone
  std::vector<ContextEdge> edges;
  Grouped out;  // edges by local node, in list order
  Grouped in;
  std::vector<std::uint32_t> starts;  // local nodes
  std::uint32_t target = kNone;       // of a check
  VarSets live;                       // by local node: read later
  VarSets dirty;                      // perhaps changed since the start
  std::vector<bool> tagged;           // perhaps with tags before; artificial ones do not count
  std::vector<bool> marked;           // perhaps with artificial tags before
  std::vector<bool> visit;            // second arrivals must be recognised
  std::vector<bool> late;             // by local node: … but only if there are very many arrivals
  std::vector<bool> deduplicate;      // by start
  static constexpr std::uint32_t kNone = 0xffffffffU;
};

class Analysis {
 public:
  Analysis(const ir::Game& game, const Layout& layout, Symbolic& symbolic, const InterpreterOptions& options);

  // The moves of the whole game; starts[0] is begin, the others are the targets of player assignments.
  Context moves();
  Context check(ir::NodeId from, ir::NodeId to);
  [[nodiscard]] const EdgeFacts& facts(ir::EdgeId edge) const { return facts_[edge.value]; }
  // Never both legal in one state.
  [[nodiscard]] bool exclusive(ir::EdgeId first, ir::EdgeId second) const;
  // Tags can be hidden from somebody.
  [[nodiscard]] bool hiding() const { return hiding_; }
  // The variables that tell arrivals at a node apart, if that was promised. With artificial tags before the promise
  // means nothing: it may have been made with them in mind.
  [[nodiscard]] std::optional<ConstVariables> repeat(const Context& context, std::uint32_t node) const;

 private:
  friend struct ForkFacts;
  void collect_facts();
  [[nodiscard]] Act act_of(ir::EdgeId edge, bool tags) const;
  void add_node(Context& context, ir::NodeId node) const;
  void link(Context& context) const;
  void simplify(Context& context) const;
  [[nodiscard]] Context between(ir::NodeId from, ir::NodeId to) const;
  void find_live(Context& context, bool moves);
  void find_dirty(Context& context) const;
  void find_visits(Context& context, bool moves) const;
  bool steers_alone(const Context& context, std::uint32_t node) const;
  bool is_switch(const Context& context, std::uint32_t node) const;
  [[nodiscard]] std::vector<bool> behind_choices(const Context& context) const;
  void reads_of(const ContextEdge& edge, Variables out);
  ConstVariables reads_of_check(ir::NodeId from, ir::NodeId to);
  bool covered_by_pragma(ir::NodeId node, ir::NodeId first, ir::NodeId second) const;

  const ir::Game& game_;
  const Layout& layout_;
  Symbolic& symbolic_;
  InterpreterOptions options_;
  bool hiding_ = false;
  std::vector<bool> artificial_;  // by symbol: tags that are no part of a move
  std::vector<EdgeFacts> facts_;
  std::map<std::pair<ir::NodeId, ir::NodeId>, std::unique_ptr<VarSet>> check_reads_;
  std::size_t nesting_ = 0;
  std::set<ir::NodeId> unique_;
  std::map<ir::NodeId, VarSet> repeat_;
  std::map<ir::NodeId, std::vector<std::vector<ir::NodeId>>> disjoint_;
};

}  // namespace rgtrans::interpreter
