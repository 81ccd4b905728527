// The actions of the grammar: each rule's act() pops its parts from the builder's stacks and pushes the whole.
#pragma once

#include <charconv>
#include <string_view>

#include "core/support/actions.hpp"
#include "frontends/hrg/ast.hpp"
#include "frontends/hrg/grammar.hpp"
#include "frontends/hrg/parser.hpp"

namespace rgtrans::hrg {

// The data dropped after a syntax error: stacks of finished parts, and marks that record the height of each stack at
// the begin of an unfinished part.
struct Unfinished {
  std::vector<ast::Name> names;
  std::vector<ast::ExprId> exprs;
  std::vector<ast::Entry> entries;
  std::vector<ast::WhereRange> ranges;
  std::vector<ast::Element> elements;
  std::vector<ast::TypeId> types;
  std::vector<ast::Case> cases;
  std::vector<ast::Block> blocks;
  std::vector<ast::Statement> statements;
  std::vector<ast::Param> params;
  std::vector<ast::Operator> ops;
  std::vector<std::int64_t> counts;  // counts of repeat statements

  struct Mark {
    std::uint32_t begin;
    std::uint32_t names, exprs, entries, ranges, elements, blocks, statements, params, cases;
  };
  std::vector<Mark> marks;

  bool artificial = false;
  bool reusable = false;
  std::size_t depth = 0;
};

// The state of the parser.
class Builder : public Unfinished {
 public:
  Builder(const Sources::File& file, Symbols& symbols, Diagnostics& diagnostics)
      : file(file), symbols(symbols), diagnostics(diagnostics) {}

  const Sources::File& file;
  Symbols& symbols;
  Diagnostics& diagnostics;
  ast::Program program;

  std::uint32_t last_end = 0;  // end of the last token
  std::int64_t last_number = 0;
  std::int64_t first_number = 0;
  const char* error_at = nullptr;

  [[nodiscard]] std::uint32_t offset(const char* at) const {
    return file.base + static_cast<std::uint32_t>(at - file.text.data());
  }
  Range range(std::string_view text) {
    last_end = offset(text.data() + text.size());
    return {offset(text.data()), last_end};
  }

  void mark(const char* at) {
    auto size = [](const auto& stack) { return static_cast<std::uint32_t>(stack.size()); };
    marks.push_back({offset(at), size(names), size(exprs), size(entries), size(ranges), size(elements), size(blocks),
                     size(statements), size(params), size(cases)});
  }
  Mark unmark() {
    const Mark mark = marks.back();
    marks.pop_back();
    return mark;
  }
  [[nodiscard]] Range since(const Mark& mark) const { return {mark.begin, last_end}; }

  ast::Name pop_name() { return pop(names); }
  template <class T>
  static T pop(std::vector<T>& stack) {
    T top = std::move(stack.back());
    stack.pop_back();
    return top;
  }

  void push_expr(ast::Expr expr) {
    for (ast::ExprId arg : program.items(expr.args)) deepen(expr, arg);
    for (const ast::Entry& entry : program.items(expr.entries)) deepen(expr, entry.value);
    exprs.emplace_back(program.exprs.size());
    program.exprs.push_back(expr);
  }
  ast::TypeId push_type(const ast::Type& type) {
    types.emplace_back(program.types.size());
    program.types.push_back(type);
    return types.back();
  }
  // Replaces the topmost `count` expressions by one expression with these arguments.
  void combine(ast::ExpressionKind kind, std::size_t count, std::uint32_t begin,
               ast::Operator op = ast::Operator::add) {
    push_expr({.kind = kind, .op = op, .where = {begin, last_end}, .args = program.take(exprs, exprs.size() - count)});
  }
  // Combines several parts since the mark into one.
  void combine_chain(ast::ExpressionKind kind) {
    const std::size_t count = exprs.size() - unmark().exprs;
    if (count > 1) combine(kind, count, begin_of(count));
  }
  [[nodiscard]] std::uint32_t begin_of(std::size_t from_top) const {
    return program[exprs[exprs.size() - from_top]].where.begin;
  }

  ast::Statement& push_statement(ast::StatementKind kind, const Mark& mark) {
    ast::Statement& statement = statements.emplace_back();
    statement.kind = kind;
    statement.where = since(mark);
    statement.exprs = program.take(exprs, mark.exprs);
    statement.blocks = program.take(blocks, mark.blocks);
    return statement;
  }

  // The same with a name and a type.
  void push_typed(ast::StatementKind kind) {
    ast::Statement& statement = push_statement(kind, unmark());
    statement.name = pop_name();
    statement.type = pop(types);
  }

  // Call after a syntax error.
  void reset() { static_cast<Unfinished&>(*this) = {}; }

 private:
  void deepen(ast::Expr& expr, ast::ExprId part) {
    const std::uint16_t depth = program[part].depth;
    if (depth >= kMaxOperators) too_deep(expr.where);
    if (depth >= expr.depth) expr.depth = static_cast<std::uint16_t>(depth + 1);
  }
  [[noreturn]] void too_deep(Range where);
};

// Actions that record begins and ends.
inline void act(On<grammar::mark>, std::string_view text, Builder& b) { b.mark(text.data()); }
inline void act(On<grammar::word_if_expr>, std::string_view text, Builder& b) { b.mark(text.data()); }
inline void act(On<grammar::negation_sign_text>, std::string_view text, Builder& b) { b.mark(text.data()); }
inline void act(On<grammar::close_paren_text>, std::string_view text, Builder& b) { b.range(text); }
inline void act(On<grammar::close_bracket_text>, std::string_view text, Builder& b) { b.range(text); }
inline void act(On<grammar::close_brace_text>, std::string_view text, Builder& b) { b.range(text); }

inline void act(On<grammar::name_text>, std::string_view text, Builder& b) {
  b.names.push_back({b.symbols.intern(text), b.range(text)});
}
inline void act(On<grammar::number_text>, std::string_view text, Builder& b) {
  const Range where = b.range(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), b.last_number);
  if (error == std::errc() && b.last_number <= kMaxNumber) return;
  b.diagnostics.error(where, "this number is too large", "numbers go up to " + std::to_string(kMaxNumber));
  b.last_number = 0;
}

// --- where ---

inline void act(On<grammar::range_first>, Builder& b) { b.first_number = b.last_number; }
inline void act(On<grammar::range_numbers>, Builder& b) {
  b.ranges.push_back({{}, {}, true, b.first_number, b.last_number, {}});
}
inline void act(On<grammar::range_names>, Builder& b) {
  b.ranges.push_back({{}, {}, false, 0, 0, b.program.take(b.names, b.marks.back().names + 1)});
}
inline void act(On<grammar::where_range>, Builder& b) {
  const Builder::Mark mark = b.unmark();
  b.ranges.back().variable = b.pop_name();
  b.ranges.back().where = b.since(mark);
}

// --- Domains ---

inline void act(On<grammar::element_args>, Builder& b) {
  ast::Element& element = b.elements.emplace_back();
  element.constructor = true;
  element.args = b.program.take(b.names, b.marks.back().names + 1);
}
inline void act(On<grammar::element>, Builder& b) {
  const Builder::Mark mark = b.unmark();
  if (b.elements.size() == mark.elements) b.elements.emplace_back();
  ast::Element& element = b.elements.back();
  element.name = b.pop_name();
  element.ranges = b.program.take(b.ranges, mark.ranges);
  element.where = b.since(mark);
}
inline void act(On<grammar::domain>, Builder& b) {
  const Builder::Mark mark = b.unmark();
  b.program.domains.push_back({b.pop_name(), b.program.take(b.elements, mark.elements), b.since(mark)});
}

// --- Types ---

inline void act(On<grammar::set_type>, Builder& b) {
  const Builder::Mark mark = b.unmark();
  b.push_type({ast::TypeForm::set, b.since(mark), {}, b.program.take(b.names, mark.names), {}, {}});
}
inline void act(On<grammar::type_name>, Builder& b) {
  const ast::Name name = b.pop_name();
  b.push_type({ast::TypeForm::name, name.where, name, {}, {}, {}});
}
inline void act(On<grammar::arrow_tail>, Builder& b) {
  const ast::TypeId to = Builder::pop(b.types);
  const ast::TypeId from = Builder::pop(b.types);
  const Range where = join(b.program[from].where, b.program[to].where);
  b.push_type({ast::TypeForm::arrow, where, {}, {}, from, to});
}

// --- Patterns and expressions ---

inline void act(On<grammar::wildcard_text>, std::string_view text, Builder& b) {
  b.push_expr({.kind = ast::ExpressionKind::wildcard, .where = b.range(text)});
}
inline void act(On<grammar::pattern_name_text>, std::string_view text, Builder& b) {
  b.push_expr({.kind = ast::ExpressionKind::name, .where = b.range(text), .name = b.symbols.intern(text)});
}
inline void act(On<grammar::plain_name_text>, std::string_view text, Builder& b) {
  act(On<grammar::pattern_name_text>(), text, b);
}
inline void act(On<grammar::constructor>, Builder& b) {
  const Builder::Mark mark = b.unmark();
  b.push_expr({.kind = ast::ExpressionKind::constructor,
               .where = b.since(mark),
               .name = b.pop_name().symbol,
               .args = b.program.take(b.exprs, mark.exprs)});
}
inline void act(On<grammar::pattern_constructor>, Builder& b) { act(On<grammar::constructor>(), b); }
inline void act(On<grammar::index>, Builder& b) { b.combine(ast::ExpressionKind::access, 2, b.begin_of(2)); }
inline void act(On<grammar::call_arguments>, Builder& b) {
  const Builder::Mark mark = b.unmark();
  const std::size_t count = b.exprs.size() - mark.exprs + 1;
  b.combine(ast::ExpressionKind::call, count, b.begin_of(count));
}
inline void act(On<grammar::negation>, Builder& b) { b.combine(ast::ExpressionKind::negation, 1, b.unmark().begin); }
inline void act(On<grammar::conditional>, Builder& b) {
  b.combine(ast::ExpressionKind::conditional, 3, b.unmark().begin);
}

inline void act(On<grammar::add_operator_text>, std::string_view text, Builder& b) {
  b.ops.push_back(text == "+"    ? ast::Operator::add
                  : text == "-"  ? ast::Operator::subtract
                  : text == "%"  ? ast::Operator::remainder
                  : text == "in" ? ast::Operator::in
                  : text == "==" ? ast::Operator::equal
                  : text == "!=" ? ast::Operator::unequal
                  : text == "<"  ? ast::Operator::less
                  : text == "<=" ? ast::Operator::less_equal
                  : text == ">"  ? ast::Operator::greater
                                 : ast::Operator::greater_equal);
}
inline void act(On<grammar::compare_operator_text>, std::string_view text, Builder& b) {
  act(On<grammar::add_operator_text>(), text, b);
}
inline void act(On<grammar::add_step>, Builder& b) {
  b.combine(ast::ExpressionKind::binary, 2, b.begin_of(2), Builder::pop(b.ops));
}
inline void act(On<grammar::compare_step>, Builder& b) { act(On<grammar::add_step>(), b); }
inline void act(On<grammar::and_expr>, Builder& b) { b.combine_chain(ast::ExpressionKind::all); }
inline void act(On<grammar::or_expr>, Builder& b) { b.combine_chain(ast::ExpressionKind::any); }

inline void act(On<grammar::entry_plain>, Builder& b) {
  const Builder::Mark mark = b.unmark();
  ast::Entry entry;
  entry.value = Builder::pop(b.exprs);
  if (b.exprs.size() > mark.exprs) entry.pattern = Builder::pop(b.exprs);
  entry.ranges = b.program.take(b.ranges, mark.ranges);
  entry.where = b.since(mark);
  b.entries.push_back(entry);
}
inline void act(On<grammar::entry_default>, Builder& b) { act(On<grammar::entry_plain>(), b); }
inline void act(On<grammar::map>, Builder& b) {
  const Builder::Mark mark = b.unmark();
  b.push_expr(
      {.kind = ast::ExpressionKind::map, .where = b.since(mark), .entries = b.program.take(b.entries, mark.entries)});
}

// --- Functions and variables ---

inline void act(On<grammar::function_case>, Builder& b) {
  const Builder::Mark mark = b.unmark();
  ast::Case c;
  c.name = b.pop_name();
  c.body = Builder::pop(b.exprs);
  c.patterns = b.program.take(b.exprs, mark.exprs);
  c.where = b.since(mark);
  b.cases.push_back(c);
}
inline void act(On<grammar::value_declaration>, Builder& b) {
  const Builder::Mark mark = b.unmark();
  const ast::Name name = b.pop_name();
  const ast::TypeId type = Builder::pop(b.types);
  if (b.cases.size() > mark.cases) {
    b.program.functions.push_back({name, type, b.program.take(b.cases, mark.cases), b.since(mark)});
    return;
  }
  ast::VariableRule variable{name, type, {}, b.since(mark)};
  if (b.exprs.size() > mark.exprs) variable.initial = Builder::pop(b.exprs);
  b.program.variables.push_back(variable);
}

// --- Statements ---

inline void act(On<grammar::block>, Builder& b) {
  const Builder::Mark mark = b.unmark();
  b.blocks.push_back({b.program.take(b.statements, mark.statements), b.since(mark)});
}
inline void act(On<grammar::branch_arms>, Builder& b) { b.push_statement(ast::StatementKind::branch, b.unmark()); }
inline void act(On<grammar::loop>, Builder& b) { b.push_statement(ast::StatementKind::loop, b.unmark()); }
inline void act(On<grammar::repeat_number>, Builder& b) { b.counts.push_back(b.last_number); }
inline void act(On<grammar::repeat_count>, Builder& b) {
  ast::Statement& statement = b.push_statement(ast::StatementKind::repeat, b.unmark());
  statement.count = static_cast<std::uint64_t>(Builder::pop(b.counts));
}
inline void act(On<grammar::while_loop>, Builder& b) { b.push_statement(ast::StatementKind::while_, b.unmark()); }
inline void act(On<grammar::branch_in>, Builder& b) { b.push_typed(ast::StatementKind::branch_in); }
inline void act(On<grammar::forall>, Builder& b) { b.push_typed(ast::StatementKind::branch_in); }
inline void act(On<grammar::repeat_in>, Builder& b) { b.push_typed(ast::StatementKind::repeat_in); }
inline void act(On<grammar::if_statement>, Builder& b) { b.push_statement(ast::StatementKind::if_, b.unmark()); }
// The inner if becomes the only statement of an else block.
inline void act(On<grammar::else_if>, Builder& b) { act(On<grammar::block>(), b); }
inline void act(On<grammar::artificial_sign>, Builder& b) { b.artificial = true; }
inline void act(On<grammar::tag>, Builder& b) {
  const Builder::Mark mark = b.unmark();
  ast::Statement& statement = b.push_statement(ast::StatementKind::tag, mark);
  statement.names = b.program.take(b.names, mark.names);
  statement.artificial = std::exchange(b.artificial, false);
}
inline void act(On<grammar::variable_tag>, Builder& b) {
  b.push_statement(ast::StatementKind::tag_variable, b.unmark()).name = b.pop_name();
}
inline void act(On<grammar::graph_call>, Builder& b) {
  b.push_statement(ast::StatementKind::call, b.unmark()).name = b.pop_name();
}
inline void act(On<grammar::any_value>, Builder& b) { b.push_typed(ast::StatementKind::assign_any); }
inline void act(On<grammar::plain_value>, Builder& b) {
  b.push_statement(ast::StatementKind::assign, b.unmark()).name = b.pop_name();
}

// --- Graphs ---

inline void act(On<grammar::param>, Builder& b) { b.params.push_back({b.pop_name(), Builder::pop(b.types)}); }
inline void act(On<grammar::reusable_word>, Builder& b) { b.reusable = true; }
inline void act(On<grammar::graph>, Builder& b) {
  const Builder::Mark mark = b.unmark();
  ast::GraphRule graph;
  graph.name = b.pop_name();
  graph.reusable = std::exchange(b.reusable, false);
  graph.params = b.program.take(b.params, mark.params);
  graph.body = Builder::pop(b.blocks);
  graph.where = b.since(mark);
  b.program.graphs.push_back(graph);
}

}  // namespace rgtrans::hrg
