// Writing the functions of one exploration as C++, in two ways that share a scope.
//
// Searching code (search.cpp) is used where several ways must be tried: one function a node where ways meet, the rest
// nested blocks; scalar variables are C++ constants that shadow each other, so that going back costs nothing; cells
// of maps are saved in a local and restored. Loops over the members of a type (loops.cpp) test many of them at once.
//
// Straight code (straight.cpp) is used where the way is known: variables are changed in place, ways meet at labels.
// What is left to choice there is searched.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/expressions.hpp"
#include "backends/cpp/function_plan.hpp"
#include "backends/cpp/scope.hpp"

namespace rgtrans::cpp {

// What all writers work with.
struct Workplace {
  Workplace(Shared& shared, const CodeContext& context)
      : shared(shared),
        context(context),
        plan(shared.model, shared.facts, context),
        planner({shared, shared.model, shared.facts, context, plan, shared.decisions}),
        scope(shared.model.game.variables().size()),
        expressions(shared, scope) {}

  Shared& shared;
  const CodeContext& context;
  CodePlan plan;
  Planner planner;
  Scope scope;
  ExpressionWriter expressions;
};

class CodeWriter {
 protected:
  explicit CodeWriter(Workplace& at)
      : shared_(at.shared),
        model_(at.shared.model),
        facts_(at.shared.facts),
        context_(at.context),
        plan_(at.plan),
        planner_(at.planner),
        scope_(at.scope),
        expressions_(at.expressions) {}

  void comment_step(const Step& step);
  // Around what follows from the node on, behind a change of this cell.
  void note_write(std::uint32_t node, std::string_view cell);
  void forget_write(std::uint32_t node);
  [[nodiscard]] bool keeps_writes(std::uint32_t node) const;
  // A local function that finds all moves behind one value of a choice, its last parameter.
  struct Behind {
    std::string name;
    Parameters parameters;
  };
  // What is drawn instead of values that wait: prepare(behind) writes the code for all values, add(ways, first) returns
  // the code that adds a word of values.
  struct DrawnValues {
    std::function<void(const Behind&)> prepare;
    std::function<std::string(const std::string&, const std::string&)> add;
  };
  // What follows a choice for each value of a set, which is a word of `mask` for each 64 of them. Where moves are
  // drawn, the values wait together; there are at most so many moves behind each as body() returns (0: none waits).
  void write_values(std::uint32_t choice, const std::string& x, std::size_t words, const WordCode& mask,
                    const std::function<std::uint32_t()>& body, const DrawnValues* drawn = nullptr);
  // Writes a cell: its name, and the line that takes the write back.
  struct WrittenCell {
    std::string name, undo;
  };
  WrittenCell write_cell(const std::string& place, const std::string& value);
  // Masks of the board, by source; their words; and these as an array.
  std::vector<std::string> write_masks(const std::vector<CellPredicate>& sources, std::size_t words);
  static std::string words_of(const std::vector<std::string>& masks, std::size_t words);
  std::string write_have(const std::vector<std::string>& masks, std::size_t words);
  // The names of the tables of rounds, and of the values that they lead to.
  struct RoundTables {
    std::string needs, valid, to;
  };
  RoundTables round_tables(const Rounds& rounds, std::size_t sources, std::size_t words);
  void write_end_stores(const Step& step);
  Code arm_condition(const Arm& arm);
  void write_switch(const std::vector<Arm>& arms, const CodePlan::Switch& by,
                    const std::function<void(std::uint32_t)>& enter, std::string_view otherwise);
  // A condition on the tag of this name.
  std::string tag_test(const Bits& tags, const std::string& tag);
  // What codes say about the value whose name is `x`, which is one of the possible ones.
  std::string of_value(const Codes& codes, const Bits& possible, std::uint32_t universe, const std::string& x);

  Shared& shared_;
  NumberedGame& model_;
  GameFacts& facts_;
  const CodeContext& context_;
  CodePlan& plan_;
  Planner& planner_;
  Scope& scope_;
  ExpressionWriter& expressions_;
};

// Lists of targets (targets.hpp).
class TargetWriter : CodeWriter {
 public:
  // enter(node) writes the call of a function that follows.
  TargetWriter(Workplace& at, std::function<void(std::uint32_t)> enter) : CodeWriter(at), enter_(std::move(enter)) {}
  void write(const TargetChoice& choice);
  // Code that draws one move at random, in place of the loop over the values of these words, behind each of which the
  // targets are moves; then the beginning of the branch for the loop.
  void write_pairs(const TargetChoice& choice, std::size_t words, const WordCode& mask);
  // The whole loop; body() writes what follows one value, of this name.
  void write_reached(const Step& any, const ReachedTargets& choice, const std::string& x, std::size_t words,
                     const WordCode& mask, const std::function<void()>& body);

 private:
  struct Tables {
    std::string needs, shown, valid, to;
  };
  [[nodiscard]] std::uint32_t shift_of(const TargetTable& found) const;
  std::string write_have_behind(const TargetTable& found, const TargetTable& next, const Bits& possible,
                                const std::string& have);
  Tables tables(const TargetTable& found);
  std::string target_values(const TargetTable& found);
  std::string write_second(const TargetTable& found, const Tables& names, bool few, const std::string& asked = "");
  std::string cell_needed(const TargetTable& found);
  std::string write_reaches(const TargetTable& found, const TargetCycle& cycle);
  void write_moves(const TargetTable& found, bool drawn);
  void write_next(const TargetTable& found);

  std::function<void(std::uint32_t)> enter_;
};

// What sets ask, asked about one value (guess_code.cpp).
class GuessWriter : CodeWriter {
 public:
  // success() writes what is done when a check holds.
  GuessWriter(const CodeWriter& at, std::function<void()> success) : CodeWriter(at), success_(std::move(success)) {}
  explicit GuessWriter(Workplace& at) : CodeWriter(at) {}
  // Asks about the value for which a check held last time, which is one of `all`; where the next one is to be kept.
  Code write_witness(const SetWalks& walks, const Bits& all);
  // All moves that there might be at a node: one of them is picked before it is known whether it is a move.
  void write(const Guesses& guesses, Text& text);

 private:
  std::string member(const Bits& set, const std::string& x);
  std::string condition(const SetWalks& walks, const std::vector<SetCondition>& conditions, const Bits& possible,
                        const std::string& x);
  Code item_condition(const SetWalks& walks, const SetItem& item, const Bits& possible, const std::string& x);
  void write_items(const SetWalks& walks, const std::vector<SetItem>& items, const std::string& x);
  void write_guess(const Guess& guess, bool last);

  std::function<void()> success_;
};

// Walks of all values of a choice at once (sets.hpp).
class SetWriter : CodeWriter {
 public:
  // success() writes what is done when a check holds, enter(node) what follows for one value.
  SetWriter(Workplace& at, std::function<void()> success, std::function<void(std::uint32_t)> enter)
      : CodeWriter(at), success_(std::move(success)), enter_(std::move(enter)) {}
  void write(const SetChoice& choice);
  // A cycle, round by round.
  void write(const Around& around);
  // What follows at the node.
  void enter(std::uint32_t node) { enter_(node); }

 private:
  void write_round(const Rounds& rounds, const std::string& set, const std::string& have);
  [[nodiscard]] static bool needs_only_itself(const Rounds& rounds);
  void write_steps(const Rounds& rounds, const std::string& set);
  std::string cells(const Bits& set) const;
  std::string moved(const Shifted& by, const std::string& set);
  std::string condition(const SetCondition& condition, const Bits& possible);
  void write_items(const std::vector<SetItem>& items, const std::string& set, const std::string& found);
  void write_narrow(const SetItem& item, const std::string& set, const std::string& found);
  void write_check(const SetItem& item, const std::string& set, const std::string& found);
  void write_moves(const SetItem& item, const std::string& set);
  void write_moves(const SetItem& item, const std::string& set, std::uint32_t count);
  std::string split_condition(const SetItem& item);
  void write_singly(const SetItem& item, const std::string& set);
  void write_move(const SetItem& item, const std::string& x);
  void write_each(const SetItem& item, const std::string& set);
  void write_asked(const SetItem& item, const std::string& set, const std::string& found);
  void write_value(const SetItem& item, const std::string& x);
  void write_way(const SetItem& item, const std::string& x, std::size_t writes);
  std::string pass_tags(const std::vector<SetTag>& tags, const std::string& x);
  void add_tags(const SetItem& item, const std::string& x);
  std::string packed_base(const SetItem& item, std::uint32_t count);

  std::function<void()> success_;
  std::function<void(std::uint32_t)> enter_;
  std::size_t words_ = 1;                // of sets, where something is being written
  std::optional<std::uint32_t> choice_;  // the node behind the choice whose values the sets have
  std::string next_;                     // what is reached by one more round
  Code witness_;                         // where a value is kept for which a check holds
  std::vector<std::string> sources_;     // names
};

// Loops over the values of a choice (loop_plan.hpp).
class LoopWriter : CodeWriter {
 public:
  // enter(step) writes what follows for one member, whose name is in the scope.
  LoopWriter(Workplace& at, std::function<void(const Step&)> enter, SetWriter sets, TargetWriter& targets)
      : CodeWriter(at), sets_(std::move(sets)), targets_(targets), enter_(std::move(enter)) {}
  void write(const Step& step, const std::string& name);

 private:
  void write_loop(const Step& step, const std::string& name, const Loop& loop, const std::vector<WordCode>& filters);
  void write_members(const Step& step, const std::string& name, const std::function<void()>& body);
  void write_flood(const Step& step, const std::string& name, const Flood& flood, const WordCode& bits,
                   std::uint32_t node);
  void write_bits(const Step& step, const std::string& name, const EachBit& choice, const WordCode& bits,
                  const std::function<void()>& body);
  WordCode bits_of(const Step& step, const std::vector<WordCode>& filters);

  SetWriter sets_;
  TargetWriter& targets_;
  std::function<void(const Step&)> enter_;
};

class SearchWriter : CodeWriter {
 public:
  explicit SearchWriter(Workplace& at);
  // Writes all functions of the context to the shared list.
  void write_search_entry();

  // --- For straight code that gives way to a search. ---
  void walk_step(const Step& step);
  void walk_any(const Step& step);
  // The functions that were called and are not written yet.
  void write_pending();

 private:
  void request(std::uint32_t node);
  FunctionId declare(FunctionId id, std::uint32_t node);
  // A call of the node's function with the values of this scope, or with others.
  Code call(std::uint32_t node);
  Code call(std::uint32_t node, const std::function<std::string(const Parameter&)>& value_of, bool new_epoch = false);
  void write_function(std::uint32_t node);
  void write(const CheckForm& form);
  void write_patterns(const CheckForm& form);
  Code ways_from(std::uint32_t node);
  void write_visit_test(std::uint32_t node);
  void walk_node(std::uint32_t node);
  void write_waiting(std::uint32_t node);
  void walk_out(std::uint32_t node);
  void walk_loop_steps(std::uint32_t head);
  void walk_steps(std::vector<std::uint32_t> steps);
  void walk_by_value(const CodePlan::ByValue& ways);
  void walk_chain(const std::vector<Arm>& arms);
  void walk_switch(const std::vector<Arm>& arms, const CodePlan::Switch& by);
  [[nodiscard]] std::optional<CodePlan::Switch> choose_switch(const std::vector<Arm>& arms) const;
  void walk_behind(const Step& step);
  void walk_assign(const Step& step);
  void walk_assignment(const Step& step);
  [[nodiscard]] bool is_of_state(const Step& step) const;
  void walk_choice(const Step& step);
  void renew_epoch(const Step& step);
  void walk_cell(const std::string& place, const std::string& new_value, const Step& step);
  void walk_tag(const Step& step);
  void walk_end(const Step& step);
  void walk_success();

  [[nodiscard]] bool may_defer() const;
  FunctionId function_of(std::uint32_t node);
  void defer(std::uint32_t node);
  void write_worker();

  LoopWriter loops_;
  TargetWriter targets_;
  SetWriter rounds_;
  bool defers_;
  // The function that is written calls itself, marks visits, keeps a list of ways that are left to try.
  bool calls_itself_ = false, marks_ = false, keeps_list_ = false;
  std::map<std::uint32_t, std::size_t> deferred_;  // functions that wait in the list, numbered
  std::set<std::uint32_t> requested_;
  std::vector<std::uint32_t> pending_;
};

class StraightWriter : CodeWriter {
 public:
  explicit StraightWriter(Workplace& at) : CodeWriter(at), search_(at) {}
  // Writes all functions of the context to the shared list.
  void write_straight_entry();

 private:
  // What follows one label, and several such pieces as a function.
  struct Piece {
    std::uint32_t node;
    std::size_t nodes;  // that it has the steps of
    Text text;
  };
  struct StraightPart {
    FunctionId id;
    Text body;
    std::set<std::uint32_t> entries{};  // labels that other parts jump to
    std::size_t nodes = 0;
  };
  FunctionId write_straight_function(const std::vector<std::uint32_t>& entries, const std::string& name);
  [[nodiscard]] Parameters entry_parameters() const;
  void write_pieces(FunctionId id, const Text& dispatch, const std::vector<Piece>& pieces);
  FunctionId declare(const std::string& name, Parameters parameters);
  void link_part(std::vector<StraightPart>& parts, std::size_t index,
                 const std::map<std::uint32_t, std::size_t>& part_of, const Parameters& parameters);
  void straight_node(std::uint32_t node);
  void straight_out(std::uint32_t node);
  void straight_shown(const CodePlan::ShownNext& shown);
  void read_tag(VarId variable, int later);
  void pass_tag();
  void straight_lookout(const Lookout& lookout);
  void straight_choice(const std::vector<std::uint32_t>& steps);
  void straight_by_value(const CodePlan::ByValue& ways);
  void straight_by_tag(const std::vector<std::vector<std::uint32_t>>& groups);
  void straight_step(const Step& step, bool test);
  void straight_assign(const Step& step);
  void straight_any(const Step& step);
  void straight_end(const Step& step);

  SearchWriter search_;
  std::set<std::uint32_t> labels_;
  std::vector<std::uint32_t> label_queue_;
};

}  // namespace rgtrans::cpp
