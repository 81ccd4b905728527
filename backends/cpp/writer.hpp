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
  // Writers of the code that searches: the steps from a node on, the steps behind one value of a choice, the result of
  // a check that holds.
  std::function<void(std::uint32_t)> enter{};
  std::function<void(const Step&)> enter_value{};
  std::function<void()> success{};
};

// Values of a choice: 64 in each word of a mask.
struct ValueSet {
  const Step& choice;
  std::string x;  // the name of one of them
  std::size_t words;
  WordCode mask;
};

class CodeWriter : protected CodeLines<CodeWriter> {
  friend class CodeLines<CodeWriter>;

 public:
  explicit CodeWriter(Workplace& at)
      : at_(at),
        shared_(at.shared),
        model_(at.shared.model),
        facts_(at.shared.facts),
        context_(at.context),
        plan_(at.plan),
        planner_(at.planner),
        scope_(at.scope),
        expressions_(at.expressions) {}

  // The function that is written.
  [[nodiscard]] Text& into() { return scope_.text; }

 protected:
  std::string fresh(std::string_view base) { return expressions_.fresh(base); }
  // A constant: its name.
  std::string define(std::string_view type, std::string_view name, std::string_view value);
  void comment_step(const Step& step);
  // Around what follows from the node on, behind a change of this cell.
  void note_write(std::uint32_t node, std::string_view cell);
  void forget_write(std::uint32_t node);
  [[nodiscard]] bool keeps_writes(std::uint32_t node) const;
  // Where moves are drawn, the code that `drawn` writes; else that of `listed`.
  template <class Drawn, class Listed>
  void write_sampled(Drawn&& drawn, Listed&& listed) {
    shared_.candidates_in.insert(scope_.node);
    open("if constexpr (decltype(out)::kCandidates) {");
    {
      const Restored rare(scope_.rare);
      scope_.rare = true;
      drawn();
    }
    open_else();
    listed();
    close();
  }
  void write_each_value(const ValueSet& values, const std::function<void()>& body);
  // A local function that finds all moves behind one value of a choice, its last parameter.
  struct Behind {
    std::string name;
    Parameters parameters;
  };
  // The code that adds a word of values as candidates; `first` is the first value of the word.
  using AddedWord = std::function<std::string(const std::string& ways, const std::string& first)>;
  // What follows a choice for each of the values. Where moves are drawn, `draw` writes the code for all of them;
  // without it, they wait together, with at most so many moves behind each as body() returns (0: none waits).
  void write_values(const ValueSet& values, const std::function<std::uint32_t()>& body,
                    const std::function<AddedWord(const Behind&)>& draw = {});
  // Writes a cell: its name, and the line that takes the write back.
  struct WrittenCell {
    std::string name, undo;
  };
  WrittenCell write_cell(VarId map, const std::string& place, const std::string& value);
  // Masks of the board, by source; their words; and these as an array.
  std::vector<std::string> write_masks(const std::vector<CellPredicate>& sources, std::size_t words);
  static std::string words_of(const std::vector<std::string>& masks, std::size_t words);
  std::string write_have(const std::vector<std::string>& masks, std::size_t words);
  std::string write_have(const SetWalks& walks) {
    return write_have(write_masks(walks.sources, walks.words), walks.words);
  }
  // Code for each word of a set: a loop where there are several. `body` is handed the number of the word.
  void for_each_word(std::size_t words, const std::function<void(const std::string&)>& body);
  // The cell that a walk writes, for the value of this name.
  std::string place_of(const SetWay::Write& write, const Bits& possible, const std::string& x);
  // Names of the tables of subsets: the bits that each needs, the tags that it shows, the lanes that hold one, the
  // value that it leads to. Each value has the same number of lanes.
  struct SubsetTables {
    std::string needs, shown, valid, to;
  };
  SubsetTables subset_tables(const Subsets& all, std::size_t lanes, std::size_t sources, std::size_t words);
  SubsetTables subset_tables(const TargetTable& found);
  // A table with a number of each; 0 where there is none.
  template <class NumberOf>
  std::string lane_table(const Subsets& all, std::size_t lanes, const char* type, const char* name,
                         NumberOf&& number_of) {
    std::vector<std::uint64_t> numbers;
    for (const std::vector<Subset>& of_value : all) {
      for (std::size_t t = 0; t < lanes; ++t)
        numbers.push_back(t < of_value.size() ? std::invoke(number_of, of_value[t]) : 0);
    }
    return shared_.number_table(numbers, {all.size(), lanes}, type, name);
  }
  std::string needs_table(const Subsets& all, std::size_t lanes, std::size_t planes, std::size_t words);
  void write_end_stores(const Step& step);
  // A variable of the state gets a value.
  void write_store(std::string_view name, std::string_view value);
  Code arm_condition(const Arm& arm);
  void write_switch(const std::vector<Arm>& arms, const CodePlan::Switch& by,
                    const std::function<void(std::uint32_t)>& enter, std::string_view otherwise);
  // A switch over the arms that the next tag, which `rest` begins with, and a variable distinguish.
  void write_by_value(const CodePlan::ByValue& ways, const std::string& base,
                      const std::function<void(const Arm&)>& enter, std::string_view otherwise);
  // A condition on the tag of this name.
  std::string tag_test(const Bits& tags, const std::string& tag);
  // What codes say about the value whose name is `x`, which is one of the possible ones.
  std::string of_value(const Codes& codes, const Bits& possible, std::uint32_t universe, const std::string& x);
  // The tag that shows a variable.
  std::string tag_of(VarId variable);
  // Of an item that asks for a value of a variable that was set before.
  std::string split_condition(const SetItem& item);

  Workplace& at_;
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
void write_targets(Workplace& at, const TargetTable& found);
// A loop over values whose moves can be drawn; body() writes what follows one of them.
void write_sample(Workplace& at, const Sampling& sample, const ValueSet& values, const std::function<void()>& body);
// A test of the value for which a check held last time, which is one of `all`. Returns where the next one is to be
// kept.
Code write_witness(Workplace& at, const SetWalks& walks, const Bits& all);
// All moves that there might be at a node: one of them is picked before it is known whether it is a move.
void write_guesses(Workplace& at, const Guesses& guesses, Text& text);
// Walks of all values of a choice at once (sets.hpp), and a cycle, round by round.
void write_sets(Workplace& at, const SetChoice& choice);
void write_rounds(Workplace& at, const Around& around);
// The names of the masks, and of the set of values that a cycle comes to next, if there is one.
struct SetNames {
  std::size_t words = 1;
  std::vector<std::string> sources{};
  std::string next{};
};
void write_items(Workplace& at, const SetNames& names, const std::vector<SetItem>& items, const std::string& set);
std::string cells_text(const Bits& set, std::size_t words);
// Loops over the values of a choice (loop_plan.hpp).
void write_loops(Workplace& at, const Step& step, const std::string& name);
// A check as a comparison of sets of cells, or as one expression (pattern_plan.hpp).
void write_check(Workplace& at, const CheckForm& form);

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
  void write_visit_test(std::uint32_t node);
  void walk_node(std::uint32_t node);
  void write_waiting(std::uint32_t node);
  void walk_out(std::uint32_t node);
  void walk_loop_steps(std::uint32_t head);
  void walk_steps(std::vector<std::uint32_t> steps);
  void walk_chain(const std::vector<Arm>& arms);
  void walk_behind(const Step& step);
  void walk_assignment(const Step& step);
  [[nodiscard]] bool is_of_state(const Step& step) const;
  void renew_epoch(const Step& step);
  void walk_changed(const Step& step, const std::string& undo, std::string_view cell = "");
  void walk_cell(const std::string& new_value, const Step& step);
  void walk_tag(const Step& step);
  void walk_end(const Step& step);
  void walk_success();

  [[nodiscard]] bool may_defer() const;
  FunctionId function_of(std::uint32_t node);
  void defer(std::uint32_t node);
  void write_worker();

  bool defers_;
  // The function that is written calls itself, marks visits, keeps a list of ways that are left to try.
  bool calls_itself_ = false, marks_ = false, keeps_list_ = false;
  std::map<std::uint32_t, std::size_t> deferred_;  // functions that wait in the list, numbered
  std::set<std::uint32_t> requested_;
  std::set<std::uint32_t> rare_;  // … first by code that lists hardly ever run
  std::vector<std::uint32_t> pending_;
};

// Writes all functions of the context that go straight.
void write_straight(Workplace& at);

}  // namespace rgtrans::cpp
