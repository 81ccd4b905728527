// Writing C++: the text with its indentation, tables of constants, expressions and conditions, and the two ways of
// writing an exploration.
//
// Searching code (walk.cpp) is used where several ways must be tried: one function a node where ways meet, the rest
// nested blocks; scalar variables are C++ constants that shadow each other, so that going back costs nothing; cells
// of maps are saved in a local and restored.
//
// Straight code (straight.cpp) is used where the way is known: variables are changed in place, ways meet at labels.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "backends/cpp/analysis.hpp"
#include "backends/cpp/next_tags.hpp"

namespace rgtrans::cpp {

class Text {
 public:
  void line(std::string_view text);
  void open(std::string_view text) {
    line(text);
    ++indent_;
  }
  void close(std::string_view text = "}") {
    --indent_;
    line(text);
  }
  void raw(std::string_view text) { text_ += text; }
  [[nodiscard]] int indent() const { return indent_; }
  void set_indent(int indent) { indent_ = indent; }
  [[nodiscard]] const std::string& str() const { return text_; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
  int indent_ = 0;
};

// How a move is stored: tags packed into one integer, or an array.
struct MoveLayout {
  MoveLayout() = default;
  // For so many tags, "no tag" included, and so many in a move (kManyTags: any number).
  MoveLayout(std::size_t tags, std::uint32_t most);
  bool packed = true;
  bool wide = false;  // 128 bits
  std::uint32_t bits = 8;
  std::uint32_t capacity = 8;
};

// Code was about to become so much that a compiler would need too long for it.
struct TooMuchCode {};

// Everything that ends up in the generated files: functions, tables and names.
class Shared {
 public:
  Shared(Model& m, Analysis& a);

  Model& model;
  Analysis& analysis;
  MoveLayout layout;
  Text tables;                            // definitions of constants
  std::vector<std::string> declarations;  // of functions
  std::vector<std::string> cache_fields;
  bool marks_visits = false;             // some function recognises that it is called again
  bool keeps_keys = false;               // some of them by complete keys
  bool counts_arrivals = false;          // … when there were many arrivals
  std::size_t pattern_budget = 200'000;  // steps that checks may be followed (patterns.hpp)

  // Throws TooMuchCode when this one is too large, or all of them are.
  void add_function(std::string definition);
  [[nodiscard]] const std::vector<std::string>& functions() const { return functions_; }
  [[nodiscard]] std::size_t code_size() const { return code_size_; }
  [[nodiscard]] std::string enumerator(std::uint32_t universe, std::uint32_t code);
  [[nodiscard]] std::string symbol_text(std::uint32_t universe, SymbolId symbol);
  // A table with the cells of a constant map.
  std::string map_table(ValueId value, const Shape& shape, std::string_view name);
  // A table of arbitrary numbers; equal ones are stored once.
  std::string number_table(const std::vector<std::uint64_t>& numbers, const std::vector<std::size_t>& dimensions,
                           std::string_view type, std::string_view name);
  [[nodiscard]] std::string cell_type(std::uint32_t universe) const;
  [[nodiscard]] std::string node_function(const Context& context, std::uint32_t node);
  [[nodiscard]] std::uint32_t entry_number(std::uint32_t node) const { return entry_numbers_.at(node); }
  // Names the nodes, the label and the place in the game's text.
  const std::string& comment(const Step& step);
  // Number of cells along the first dimension of a map in the state, padded so that whole vectors can be read.
  [[nodiscard]] std::uint32_t padded_size(VarId variable) const;
  [[nodiscard]] std::set<std::uint32_t>& used_universes() { return used_universes_; }
  std::string unique(std::string_view name) { return names_.make(name); }
  [[nodiscard]] bool is_variable(const std::string& name) const { return variable_names_.contains(name); }

 private:
  void flatten(ValueId value, const Shape& shape, std::size_t depth, std::vector<std::uint64_t>& into) const;

  std::vector<std::string> functions_;
  std::size_t code_size_ = 0;
  std::map<std::string, std::string> table_of_;
  std::map<std::vector<std::size_t>, std::string> map_table_of_;  // by value and shape
  std::map<std::uint64_t, std::string> node_functions_;
  std::unordered_map<std::uint32_t, std::string> comments_;  // by edge
  std::unordered_map<std::uint32_t, std::uint32_t> entry_numbers_;
  std::set<std::uint32_t> used_universes_;
  Identifiers names_;
  std::set<std::string> variable_names_;
};

// A comment-safe form of text that comes from a game.
std::string in_comment(std::string_view text);
// A C++ string literal.
std::string literal(std::string_view text);

class Writer {
 public:
  Writer(Shared& s, const Context& c);

  // Writes all functions of the context to the shared list.
  void write_search_entry();
  void write_straight_entry();

 private:
  void write_pending();
  void write_straight_function(const std::vector<std::uint32_t>& entries, const std::string& name);
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> separate_entries() const;

  struct Scope;

  // --- expressions ---
  std::string variable(VarId v);
  std::string value(ExprId expression, std::uint32_t universe);
  std::string composed(ExprId expression, std::uint32_t universe);
  std::string place(ExprId lhs);
  std::string condition(const Step& step);
  std::string set_condition(ExprId lhs, const std::vector<std::uint32_t>& codes, std::uint32_t universe);
  std::string compare_maps(const Step& step);
  std::string check_call(std::uint32_t check);
  std::string region_size(ExprId expression) const;
  std::string decode(std::uint32_t universe, std::string_view tag);
  std::string encode(std::uint32_t universe, std::string_view code);

  // --- searching code ---
  std::string signature(std::uint32_t node, std::string_view name);
  std::string call(std::uint32_t node);
  void write_function(std::uint32_t node);
  bool write_patterns();
  void write_visit_test(std::uint32_t node);
  void walk_node(std::uint32_t node);
  void walk_out(std::uint32_t node);
  [[nodiscard]] bool writes_loop(std::uint32_t node) const;
  void walk_loop_steps(std::uint32_t head);
  void walk_steps(std::vector<std::uint32_t> steps);
  // Ways out of one node: conditions that lead to one node, or one other step.
  struct Arm {
    std::uint32_t target;
    bool guarded;
    std::vector<std::uint32_t> steps;
  };
  [[nodiscard]] std::vector<Arm> arms_of(const std::vector<std::uint32_t>& steps) const;
  [[nodiscard]] bool excludes(const Arm& a, const Arm& b) const;
  std::string arm_condition(const Arm& arm);
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> arm_codes(const Arm& arm, ExprId lhs) const;
  void walk_chain(const std::vector<Arm>& arms);
  bool walk_switch(const std::vector<Arm>& arms);
  bool write_switch(const std::vector<Arm>& arms, const std::function<void(std::uint32_t)>& enter,
                    std::string_view otherwise);
  void walk_step(const Step& step);
  void walk_assign(const Step& step);
  void walk_assignment(const Step& step);
  void walk_choice(const Step& step);
  void renew_epoch(const Step& step);
  void walk_cell(const std::string& place, const std::string& new_value, const Step& step);
  void walk_any(const Step& step);
  void walk_tag(const Step& step);
  void walk_end(const Step& step);
  void walk_success();
  struct Filter;
  void walk_loop(const Step& step, const std::string& name);
  void write_loop(const Step& step, const std::string& name, const std::vector<Filter>& filters);
  [[nodiscard]] bool own_function(std::uint32_t node) const;
  [[nodiscard]] bool returns_value() const { return context_.purpose != Purpose::moves; }

  // --- loops over the members of a type ---
  struct Filter {
    std::string word;  // an expression of 64 bits, `word` being the number of the word
    std::vector<std::uint32_t> steps;
  };
  std::vector<Filter> find_filters(VarId variable, std::uint32_t& node, std::set<std::uint32_t>& way);
  std::string filter_word(VarId variable, const std::vector<std::uint32_t>& steps);
  std::string constant_filter(VarId variable, const std::vector<std::uint32_t>& steps);
  std::string cell_filter(VarId variable, const std::vector<std::uint32_t>& steps);

  // --- straight code ---
  // What follows one label, and several such pieces as a function.
  struct Piece {
    std::uint32_t node;
    std::string text;
  };
  struct StraightPart {
    std::string name, body;
    std::set<std::uint32_t> entries;  // labels that other parts go to
  };
  void write_pieces(const std::string& name, const std::string& dispatch, const std::vector<Piece>& pieces);
  [[nodiscard]] std::string scratch_name(std::uint32_t v) const;
  std::string straight_head(const std::string& name, const std::string& parameters);
  static void link_part(std::vector<StraightPart>& parts, std::size_t index,
                        const std::map<std::uint32_t, std::size_t>& part_of, const std::string& arguments);
  void straight_node(std::uint32_t node);
  void straight_out(std::uint32_t node);
  void straight_choice(const std::vector<std::uint32_t>& steps);
  bool straight_by_value(const std::vector<std::uint32_t>& steps);
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> groups_by_tag(const std::vector<std::uint32_t>& steps) const;
  void straight_by_tag(const std::vector<std::vector<std::uint32_t>>& groups);
  void straight_step(const Step& step, bool test);
  void straight_assign(const Step& step);
  void straight_any(const Step& step);
  void straight_end(const Step& step);
  void find_first_tags();
  BitSet first_tags(const Step& step) const;
  // How many tags later the value of an any-assignment is shown, or -1.
  int shown_after(const Step& step) const;
  // A condition on the tag of this name.
  std::string tag_test(const BitSet& tags, const std::string& tag);

  void comment_step(const Step& step);
  void write_end_stores(const Step& step);
  [[nodiscard]] bool tags_static(std::uint32_t node) const;
  [[nodiscard]] bool carries_tags() const {
    return context_.purpose == Purpose::moves || (context_.purpose == Purpose::system && has_tags_);
  }
  std::string fresh(std::string_view base);

  Text text;
  Shared& shared_;
  Model& model_;
  Analysis& analysis_;
  const Context& context_;
  bool has_tags_ = false;
  bool straight_ = false;             // writing straight code: state variables are changed in place
  std::vector<std::string> env_;      // by variable: its value where that is not the state's
  std::set<std::uint32_t> cached_;    // state variables read at the top of the function
  std::vector<std::string> undo_;     // how to take back what was done to maps
  std::set<std::uint32_t> excluded_;  // steps that are gone elsewhere
  std::set<std::uint32_t> on_way_;    // nodes whose code must be here because some of their steps are gone elsewhere
  std::set<std::uint32_t> known_;     // steps whose condition holds already
  std::string moved_, count_, epoch_, rest_;
  std::map<std::string, unsigned> locals_;
  std::set<std::uint32_t> requested_;
  std::vector<std::uint32_t> pending_;
  std::set<std::uint32_t> labels_;
  std::vector<std::uint32_t> label_queue_;
  std::set<std::uint32_t> straight_scratch_;
  bool own_variables_ = true;  // of straight code: else they are members of `w`
  std::vector<BitSet> first_;
  NextTags next_tags_;
  int depth_ = 0;
};

}  // namespace rgtrans::cpp
