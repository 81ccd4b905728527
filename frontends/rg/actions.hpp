// The actions of the grammar: they build the syntax tree bottom-up. Parsed parts are on the stacks of Builder until the
// enclosing rule takes them.
#pragma once

#include "core/support/actions.hpp"
#include "core/support/depth.hpp"
#include "frontends/rg/grammar.hpp"
#include "frontends/rg/messages.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans::rg {

// The state of one parse.
class Builder {
 public:
  Builder(const Sources::File& file, Diagnostics& diagnostics, bool keep_comments)
      : diagnostics_(diagnostics), keep_comments_(keep_comments) {
    program.file = &file;
  }

  ast::Program program;

  // --- Called by the actions ---
  void start_item();
  void comment(Range where);
  void push_name(Range where) { names_.push_back(where); }

  void begin_type() { type_base_ = types_.size(); }
  void named_type(Range where) { types_.push_back(ast::add(program.types, {ast::Type::Kind::name, where, 0, 0})); }
  void begin_set(Range where) { open_ = where, set_base_ = names_.size(); }
  void end_set(Range close);
  void end_type();

  void symbol_value(Range where) { values_.push_back(ast::add(program.values, {false, where, {}})); }
  void begin_map(Range where) { maps_.push_back({where, entries_.size()}); }
  void begin_entry(Range key, bool is_default) { entries_.push_back({key, is_default, kNone}); }
  void end_entry() { entries_.back().value = pop(values_); }
  void end_map(Range close);

  void name_expression(Range where);
  void cast_expression(Range close);
  void access_expression(Range close);

  void set_label(ast::Edge::Label label, bool negated = false);
  void end_edge(Range where);
  void end_definition(std::vector<ast::Definition>& list, Range where, bool has_value);

  void begin_pragma(Range at);
  void pragma_kind(ast::PragmaText::Kind kind) { pragma_.kind = kind; }
  void pragma_colon() { split_ = names_.size(); }
  void pragma_number(Range where);
  void end_known_pragma(Range where);
  void unknown_pragma(Range content);
  void apply_tag(Range name) { pragma_.tags.push_back({name, kNone}); }
  void apply_tag_type() { pragma_.tags.back().type = pop(types_); }
  void apply_effect();

  // --- Called by the grammar ---
  [[nodiscard]] Deeper enter(const char* at);
  [[nodiscard]] std::size_t distance_to_mistake(const char* from) const {
    return mistake_ > from ? static_cast<std::size_t>(mistake_ - from) : 0;
  }
  // Reports a mistake and abandons the item.
  [[noreturn]] void mistake(const char* at, std::string_view expected, std::string_view hint);
  void missing_semicolon(const char* at, const char* end);

  [[nodiscard]] Range range(const char* begin, const char* end) const {
    const char* text = program.file->text.data();
    return program.file->range(static_cast<std::size_t>(begin - text), static_cast<std::size_t>(end - text));
  }
  // Thrown when so many mistakes were found that parsing stops.
  struct Enough {};

 private:
  struct OpenMap {
    Range where;
    std::size_t entries;
  };
  struct Operand {
    std::uint32_t row;
    std::uint32_t depth;
  };

  template <typename T>
  static T pop(std::vector<T>& stack) {
    T top = stack.back();
    stack.pop_back();
    return top;
  }
  // Moves the names from `base` on to the program.
  ast::Slice take_names(std::size_t base);
  [[noreturn]] void leave_item(const char* at);
  // A hint about the likely mistake at `at`.
  std::string advice(const char* at, std::string_view expected) const;
  void warn_of_unknown(std::string_view content, Range where);

  Diagnostics& diagnostics_;
  bool keep_comments_;
  std::size_t depth_ = 0;
  const char* mistake_ = nullptr;

  std::vector<Range> names_;
  std::vector<std::uint32_t> types_;
  std::vector<std::uint32_t> values_;
  std::vector<Operand> expressions_;
  std::vector<ast::Entry> entries_;
  std::vector<OpenMap> maps_;
  Range open_;
  std::size_t type_base_ = 0;
  std::size_t set_base_ = 0;
  std::size_t split_ = 0;
  ast::Edge edge_;
  ast::PragmaText pragma_;
  bool in_pragma_ = false;
};

template <typename Rule>
struct Control : grammar::peg::normal<Rule> {
  template <typename Input>
  [[noreturn]] static void raise(const Input& in, Builder& builder) {
    builder.mistake(in.current(), Expected<Rule>::what, Expected<Rule>::hint);
  }
};

// Defines an action with the matched range.
#define RGTRANS_ACTION(rule, ...)                                                         \
  inline void act(On<grammar::rule>, std::string_view text, Builder& b) {                 \
    [[maybe_unused]] const Range where = b.range(text.data(), text.data() + text.size()); \
    __VA_ARGS__;                                                                          \
  }

RGTRANS_ACTION(comment, b.comment(where))
RGTRANS_ACTION(name, b.push_name(where))
RGTRANS_ACTION(set_member, b.push_name(where))
RGTRANS_ACTION(next_member, b.push_name(where))
RGTRANS_ACTION(defined_name, b.push_name(where))
RGTRANS_ACTION(tag_name, b.push_name(where))
RGTRANS_ACTION(edge_source, b.start_item(), b.push_name(where))
RGTRANS_ACTION(edge_target, b.push_name(where))
RGTRANS_ACTION(reach_from, b.push_name(where))
RGTRANS_ACTION(reach_to, b.push_name(where))
RGTRANS_ACTION(some_name, b.push_name(where))
RGTRANS_ACTION(apply_tag_name, b.apply_tag(where))

RGTRANS_ACTION(type_begin, b.begin_type())
RGTRANS_ACTION(type_name, b.named_type(where))
RGTRANS_ACTION(set_open, b.begin_set(where))
RGTRANS_ACTION(set_end, b.end_set(where))
RGTRANS_ACTION(type, b.end_type())

RGTRANS_ACTION(symbol_value, b.symbol_value(where))
RGTRANS_ACTION(map_open, b.begin_map(where))
RGTRANS_ACTION(entry_key, b.begin_entry(where, false))
RGTRANS_ACTION(default_colon, b.begin_entry(where, true))
RGTRANS_ACTION(map_value, b.end_entry())
RGTRANS_ACTION(map_end, b.end_map(where))

RGTRANS_ACTION(root, b.name_expression(where))
RGTRANS_ACTION(cast_end, b.cast_expression(where))
RGTRANS_ACTION(access_end, b.access_expression(where))

RGTRANS_ACTION(label_equal, b.set_label(ast::Edge::Label::compare, false))
RGTRANS_ACTION(label_unequal, b.set_label(ast::Edge::Label::compare, true))
RGTRANS_ACTION(label_assign, b.set_label(ast::Edge::Label::assign))
RGTRANS_ACTION(label_assign_any, b.set_label(ast::Edge::Label::assign_any))
RGTRANS_ACTION(label_reachable, b.set_label(ast::Edge::Label::reachability, false))
RGTRANS_ACTION(label_unreachable, b.set_label(ast::Edge::Label::reachability, true))
RGTRANS_ACTION(label_tag, b.set_label(ast::Edge::Label::tag))
RGTRANS_ACTION(label_tag_variable, b.set_label(ast::Edge::Label::tag_variable))
RGTRANS_ACTION(edge, b.end_edge(where))

RGTRANS_ACTION(word_type, b.start_item())
RGTRANS_ACTION(word_const, b.start_item())
RGTRANS_ACTION(word_var, b.start_item())
RGTRANS_ACTION(type_def, b.end_definition(b.program.type_defs, where, false))
RGTRANS_ACTION(const_def, b.end_definition(b.program.constants, where, true))
RGTRANS_ACTION(var_def, b.end_definition(b.program.variables, where, true))

RGTRANS_ACTION(pragma_at, b.start_item(), b.begin_pragma(where))
RGTRANS_ACTION(pragma_artificial_tag, b.pragma_kind(ast::PragmaText::Kind::artificial_tag))
RGTRANS_ACTION(pragma_disjoint, b.pragma_kind(ast::PragmaText::Kind::disjoint))
RGTRANS_ACTION(pragma_disjoint_exhaustive, b.pragma_kind(ast::PragmaText::Kind::disjoint_exhaustive))
RGTRANS_ACTION(pragma_integer, b.pragma_kind(ast::PragmaText::Kind::integer))
RGTRANS_ACTION(pragma_iterator, b.pragma_kind(ast::PragmaText::Kind::iterator))
RGTRANS_ACTION(pragma_repeat, b.pragma_kind(ast::PragmaText::Kind::repeat))
RGTRANS_ACTION(pragma_simple_apply, b.pragma_kind(ast::PragmaText::Kind::simple_apply))
RGTRANS_ACTION(pragma_simple_apply_exhaustive, b.pragma_kind(ast::PragmaText::Kind::simple_apply_exhaustive))
RGTRANS_ACTION(pragma_tag_index, b.pragma_kind(ast::PragmaText::Kind::tag_index))
RGTRANS_ACTION(pragma_tag_max_index, b.pragma_kind(ast::PragmaText::Kind::tag_max_index))
RGTRANS_ACTION(pragma_translated_from_rbg, b.pragma_kind(ast::PragmaText::Kind::translated_from_rbg))
RGTRANS_ACTION(pragma_unique, b.pragma_kind(ast::PragmaText::Kind::unique))
RGTRANS_ACTION(pragma_colon, b.pragma_colon())
RGTRANS_ACTION(number, b.pragma_number(where))
RGTRANS_ACTION(apply_tag_type, b.apply_tag_type())
RGTRANS_ACTION(apply_effect, b.apply_effect())
RGTRANS_ACTION(next_apply_effect, b.apply_effect())
RGTRANS_ACTION(known_item, b.end_known_pragma(where))
RGTRANS_ACTION(unknown_text, b.unknown_pragma(where))

#undef RGTRANS_ACTION

}  // namespace rgtrans::rg
