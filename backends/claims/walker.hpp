// Follows a play of one version of a game and evaluates the claims about it. In each state it follows all walks of the
// moves edge by edge, and all walks of the checks that they evaluate.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "backends/claims/claims.hpp"
#include "backends/claims/plain_state.hpp"
#include "core/analysis/analysis.hpp"

namespace rgtrans::claims {

inline constexpr std::uint64_t kMostAhead = 20'000;  // steps for a question about another state than that of the play

// Thrown where the walks of a state do not end soon.
struct TooLong {};

class ClaimWalker final : public Follower {
 public:
  explicit ClaimWalker(std::shared_ptr<const ir::Game> version);

  [[nodiscard]] std::unique_ptr<Follower> clone() const override;
  void reset() override;
  void look() override;
  void apply(bool keeper, std::string_view move) override;
  bool undo() override;
  void count(Counts& counts) const override;

 private:
  using Tags = std::vector<SymbolId>;
  struct Situation {
    PlainState::Content content;
    ir::NodeId node;
  };
  struct Frame {
    ir::NodeId node;
    std::size_t edge = 0, member = 0;  // that are next
    std::size_t time = 0, tags = 0, writes = 0, passed = 0;
  };
  // Of the search for moves: to evaluate claims; to find where one leads; to compare what follows of a move.
  enum class Purpose : std::uint8_t { evaluate, find, futures };
  // The walks of a move, or of a check.
  struct Search {
    Purpose purpose = Purpose::evaluate;
    bool moves = true;
    ir::Reachability check;
    std::size_t begin = 0, first_tag = 0;  // time, and number of tags before
    std::unordered_set<WideHash, WideHashHash> visited;
    std::unordered_set<WideHash, WideHashHash> unmarked;              // the same without artificial tags
    std::unordered_map<WideHash, WideHash, WideHashHash> told_apart;  // the state that arrived first, by key
    std::unordered_set<WideHash, WideHashHash> labelings;
    bool distinct = false;
    std::uint32_t distinct_claim = 0;
    const Tags* wanted = nullptr;  // the move whose end is to be kept; null for that of any one
    std::optional<Situation> found;
    bool ambiguous = false;                        // it has another end, which differs in relevant variables
    std::function<bool(ir::NodeId)> accepts = {};  // only an end that this accepts
  };
  struct Passed {  // on the way, where patterns of tags begin
    ir::NodeId node;
    std::size_t time, tags;
  };
  struct Written {  // by the edges of a Determined
    std::uint32_t claim, cell, value;
  };

  [[nodiscard]] bool can_be_evaluated(const ir::Claim& claim) const;
  void index(const ir::Claim& claim, std::uint32_t number);
  void find_busy();
  [[nodiscard]] const ir::Claim& claim(std::uint32_t number) const { return game_->claims.list()[number]; }
  [[nodiscard]] ir::NodeId merged(ir::NodeId node) const;
  [[noreturn]] void fail(std::uint32_t number, const std::string& why) const;
  [[nodiscard]] bool may_read(std::uint32_t mark, ir::EdgeId at) const;
  // Nothing where the edge may read it.
  void fail_unread(std::uint32_t mark, ir::EdgeId at) const;

  void evaluate();
  // `accepts`: see Search.
  std::optional<Situation> find(const Tags* wanted, std::uint64_t most_steps,
                                const std::function<bool(ir::NodeId)>& accepts = {});
  void start(Search& search, std::uint64_t most_steps);
  // Whether the present state, at the end of a move, is equal to another one in all that matters.
  [[nodiscard]] bool ends_alike(const Situation& other, ir::NodeId node);
  // Whether the target of a check was reached; of moves, whether a wanted one was found and nothing else is to be seen.
  bool run(Search& search, ir::NodeId start);
  [[nodiscard]] bool ends_check(const Search& search, ir::NodeId node) const;
  bool arrive(Search& search, ir::NodeId node);
  bool take(Search& search, ir::EdgeId edge, std::size_t member);
  [[nodiscard]] bool begins(const Tags& wanted) const;
  void show(const ir::Label& label, ir::EdgeId edge);
  void finish(Search& search, ir::EdgeId edge);
  [[nodiscard]] bool passes(const ir::Label& label, ir::EdgeId at);
  [[nodiscard]] bool reaches(const ir::Reachability& check);
  [[nodiscard]] WideHash key(ir::NodeId node, bool artificial) const;

  // --- Claims (evaluate.cpp). ---
  void at_arrival(Search& search, ir::NodeId node);
  void at_edge(ir::EdgeId edge, bool passed);  // where its label is evaluated
  void before(ir::EdgeId edge);                // where a walk takes it
  [[nodiscard]] bool true_now(const ir::Label& condition, ir::EdgeId at);
  [[nodiscard]] std::vector<bool> truths_at(ir::EdgeId edge);
  void behind(ir::EdgeId edge, const std::vector<bool>& truths_before);
  void mark_behind(ir::EdgeId edge);  // values that nobody may read
  void check_holds(std::uint32_t number, const ir::Holds& holds);
  void check_one_of(std::uint32_t number, const ir::OneOf& one_of);
  void check_alternatives(std::uint32_t number, const ir::Alternatives& alternatives);
  void check_same_effect(std::uint32_t number, const ir::SameEffect& same, bool passed);
  // Whether it is the first of its kind.
  bool check_told_apart(Search& search, std::uint32_t number, const ir::ToldApart& told);
  void check_same_future(const Search& search, std::uint32_t number, const ir::SameFuture& same, ir::NodeId here);
  // At the end of a move.
  void check_known_effects(ir::NodeId target);
  [[nodiscard]] bool has_effect(const ir::SimpleApply& pattern, const Passed& passed, std::span<const SymbolId> rest,
                                ir::NodeId target);
  void check_only_holds(std::uint32_t number, std::uint32_t first, std::uint32_t last);
  void check_values();
  [[nodiscard]] std::string values_text(const ir::Compare& compare);
  [[nodiscard]] bool live(ir::VarId variable, ir::NodeId node);

  const std::shared_ptr<const ir::Game> game_;
  const std::vector<bool> artificial_;  // by symbol
  const bool hiding_;                   // some player may not see all tags
  bool any_artificial_ = false;
  PlainState state_;
  ir::NodeId node_;
  std::vector<Situation> history_;
  bool looked_ = false;
  bool marks_ = false;     // cells may be marked
  bool given_up_ = false;  // the moves of some state take too long

  std::vector<std::vector<ir::EdgeId>> out_;
  // Claims by where they are evaluated.
  std::vector<std::vector<std::uint32_t>> at_node_, at_edge_, of_variable_;
  std::vector<std::uint32_t> of_values_;
  std::vector<bool> busy_;  // by node
  std::unordered_map<ir::NodeId, std::vector<std::uint32_t>> effects_;
  std::unordered_map<ir::NodeId, std::uint32_t> distinct_;
  std::unordered_map<ir::NodeId, ir::NodeId> merged_;
  std::vector<std::uint32_t> asked_;  // by claim: how often, where asking takes long
  std::uint64_t evaluated_ = 0, retired_ = 0;

  // Of the search.
  bool quiet_ = false;     // claims are not evaluated
  bool in_moves_ = false;  // not in a check
  Tags tags_;
  std::vector<Written> writes_;
  std::vector<Passed> passed_;
  std::unique_ptr<ClaimWalker> other_;  // another state of the game
  std::vector<ir::Reachability> pending_;
  std::uint64_t steps_ = 0, most_steps_ = 0;
  std::optional<analysis::Flow> flow_;
  std::optional<analysis::Liveness> liveness_;
};

}  // namespace rgtrans::claims
