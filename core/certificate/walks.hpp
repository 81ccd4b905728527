// Walks of both games side by side. From a pair of nodes, both games are explored under the same assumptions until each
// walk of one game has met a walk of the other that has the same tags, agrees on the needed variables and is at a node
// that is again paired.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/certificate/certificate.hpp"
#include "core/certificate/facts.hpp"
#include "core/certificate/terms.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::certificate {

// A node of the game after and one of the game before. If targets are given, walks of a check that end there. Between
// an assignment and the place to which a pass moved it, one variable differs: before, it is the assigned expression of
// its value after.
struct Pair {
  ir::NodeId after, before;
  ir::NodeId after_target, before_target;
  std::uint32_t delay = kNone;  // the number of that assignment, or none
  auto operator<=>(const Pair&) const = default;
};

class SideBySide {
 public:
  struct Limits {
    std::size_t effort;  // steps for one question
    std::size_t work;    // and for all
  };
  // `merges`: origins of variables that exist in both games are used, too. `doubtful`: variables of the game after, of
  // which each assigned value must be shown to be one of these.
  using Doubtful = std::map<ir::VarId, SymbolSet>;
  SideBySide(Version& before, Version& after, const PassRecord& record, const Doubtful& doubtful, bool merges);
  // Forgets the bans.
  void restart(const Limits& limits);

  // Whether the walks from both nodes correspond, if those from the pairs that are added to `used` do.
  bool correspond(const Pair& pair, std::set<Pair>& used);
  // Whether both games begin with the same values.
  bool same_begin();
  // Whether the work is used up.
  [[nodiscard]] bool exhausted() const { return work_ == 0; }
  // Whether a limit ended the search in the last call of `correspond`.
  [[nodiscard]] bool limited() const { return limited_; }
  // From now on, walks do not end at this pair.
  void ban(const Pair& pair);
  [[nodiscard]] bool banned(const Pair& pair) const { return banned_.contains(pair); }

 private:
  struct Side {
    const ir::Game& game;
    Needs& needs;
    Facts& facts;
    bool after;
  };
  // A walk so far.
  struct Walk {
    ir::NodeId node;
    std::vector<std::pair<ir::VarId, TermId>> changes = {};  // sorted by variable
    std::vector<TermId> tags = {};
    std::uint32_t choices = 0;
    bool move_ends = false;
    bool matched = false, expanded = false;
    bool spare = false;             // an earlier part has been matched
    bool late = false;              // met the begin of the other game, whose walks may need later steps of this one
    std::size_t tried[2] = {0, 0};  // walks of the other game, in passing and in depth
    std::vector<std::size_t> next = {};
  };
  struct Tree {
    Side& side;
    std::vector<Walk> walks;
    ir::NodeId target, other_target;     // of a check
    bool asked = true;                   // whether each walk needs another one
    bool done = false;                   // no walk needs another one any more
    std::vector<std::size_t> open = {};  // walks that have not met another one, nor has any of their beginnings
  };
  using Edges = std::vector<ir::EdgeId>;
  // Whether walks that begin with these edges correspond: each of the game after has a counterpart, and each of the
  // game before.
  struct Question {
    Edges after, before;
    bool of_after = true, of_before = true;
    bool operator==(const Question&) const = default;
  };

  bool partners(const Pair& pair) const;
  bool same_label(const Pair& from, const Pair& to, ir::EdgeId after, ir::EdgeId before, std::set<Pair>& used);
  static Edges useful_edges(const Tree& tree, ir::NodeId node);
  void match_edges(const Pair& pair, Edges& after, Edges& before, bool skip, std::set<Pair>& used);
  bool correspond(const Pair& pair, const Question& question, std::size_t effort, std::set<Pair>& used);
  bool by_cases(const Pair& pair, const Question& question, const Assumptions& assumptions, std::set<Pair>& used);
  bool compare(const Pair& pair, const Question& question, std::set<Pair>& used);
  [[nodiscard]] Assumptions at(const Pair& pair);
  // The value of the variable at the begin of the walks, by a condition that holds there.
  [[nodiscard]] TermId value_by(const Side& side, const Facts::Condition& condition, ir::VarId variable);
  [[nodiscard]] bool in_both(const std::pair<ir::NodeId, ir::NodeId>& check) const;

  void expand(Tree& tree, std::size_t walk, const Edges& edges);
  bool step(Tree& tree, const Walk& from, ir::EdgeId edge, Walk& to);
  bool match(const Pair& pair, const Walk& after, const Walk& before, bool deep, std::set<Pair>& used);
  // Whether each walk, or else all that it goes on to, has been matched. Lists the open ones.
  bool covered(Tree& tree, std::size_t walk) const;
  [[nodiscard]] bool ends(const Tree& tree, const Walk& walk) const;
  [[nodiscard]] bool shared(const Tree& tree, const Walk& walk) const;

  bool agree(const Pair& pair, const Walk& after, const Walk& before, bool deep);
  [[nodiscard]] TermId at_begin(ir::VarId before);
  [[nodiscard]] TermId variable(const Side& side, const Walk& walk, ir::VarId variable);
  [[nodiscard]] TermId origin(ir::VarId after, ir::NodeId before, ir::NodeId target, const Walk* walk);
  // The value of a variable without the cells in which the games may differ at a node of the game after.
  [[nodiscard]] TermId without_unread(ir::NodeId after, ir::VarId variable, TermId value);
  [[nodiscard]] TermId evaluate(const Side& side, const Walk& walk, ir::ExprId expression);
  bool condition(const Side& side, const Walk& walk, const ir::Compare& compare);
  bool check_holds(Side& side, const Walk& walk, const ir::Reachability& check);
  // Counts a step.
  void spend();
  bool unfold(Tree& tree, const Walk& walk, std::size_t& effort);
  // Whether a label that is the same in both games preserves that they agree except for unread cells.
  [[nodiscard]] bool keeps_unread(const Pair& from, const Pair& to, const ir::Label& label) const;
  static void set(Walk& walk, ir::VarId variable, TermId now);
  void assign(const Side& side, Walk& walk, ir::ExprId lhs, TermId value);
  ir::NodeId counterpart(ir::NodeId before) const;

  Side after_, before_;
  TermTable terms_;
  Assumptions assumptions_;
  std::set<std::pair<ir::NodeId, ir::NodeId>> partners_;  // (after, before)
  std::map<ir::NodeId, ir::NodeId> counterparts_;         // after, by before
  std::map<ir::VarId, std::vector<PassRecord::Origin>> origins_;
  std::set<std::pair<ir::NodeId, ir::NodeId>> checks_;  // (from, to) of the game after, which both games have
  std::map<TermId, SymbolSet> choices_;                 // the values that count
  std::vector<std::pair<ir::VarId, ir::ExprId>> delays_;
  std::uint32_t delay_ = kNone;  // at the begin of the walks
  std::set<Pair> banned_;
  std::set<std::pair<ir::NodeId, ir::NodeId>> banned_checks_;
  std::set<Pair>* used_ = nullptr;
  std::optional<Assumptions> known_;  // at the begin of the walks
  ir::NodeId root_, root_target_;     // of the game before
  ir::NodeId root_after_;
  std::vector<PassRecord::Unread> cells_;
  std::map<ir::NodeId, std::vector<std::size_t>> unread_;  // numbers of cells, in order, by node of the game after
  std::vector<bool> artificial_;
  const Doubtful& doubtful_;
  bool hides_ = false, limited_ = false;
  std::size_t effort_ = 0, most_effort_ = 0, work_ = 0, nested_ = 0;
};

}  // namespace rgtrans::certificate
