// What the grammar builds: each rule's action pops its parts from the builder's stacks and pushes the whole.
#pragma once

#include <charconv>
#include <string_view>

#include "frontends/hrg/ast.hpp"
#include "frontends/hrg/grammar.hpp"
#include "frontends/hrg/parser.hpp"

namespace rgtrans::hrg {

// What is dropped after a syntax error: stacks of finished parts, and marks that say where the parts of an unfinished
// whole begin on each of them.
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
  std::vector<std::int64_t> counts;  // of repeat

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
  template <class Input>
  Range range(const Input& in) {
    last_end = offset(in.end());
    return {offset(in.begin()), last_end};
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
  // The topmost `count` expressions become the arguments of a new one.
  void combine(ast::ExpressionKind kind, std::size_t count, std::uint32_t begin,
               ast::Operator op = ast::Operator::add) {
    ast::Expr expr;
    expr.kind = kind;
    expr.op = op;
    expr.where = {begin, last_end};
    expr.args = program.take(exprs, exprs.size() - count);
    push_expr(expr);
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

  // After a syntax error.
  void reset() { static_cast<Unfinished&>(*this) = {}; }

 private:
  void deepen(ast::Expr& expr, ast::ExprId part) {
    const std::uint16_t depth = program[part].depth;
    if (depth >= kMaxOperators) too_deep(expr.where);
    if (depth >= expr.depth) expr.depth = static_cast<std::uint16_t>(depth + 1);
  }
  [[noreturn]] void too_deep(Range where);
};

template <class Rule>
struct Action {};

// The action of a rule that only remembers where something begins.
struct MarkAction {
  template <class Input>
  static void apply(const Input& in, Builder& b) {
    b.mark(in.begin());
  }
};
struct EndAction {
  template <class Input>
  static void apply(const Input& in, Builder& b) {
    b.range(in);
  }
};

template <>
struct Action<grammar::mark> : MarkAction {};
template <>
struct Action<grammar::word_if_expr> : MarkAction {};
template <>
struct Action<grammar::negation_sign_text> : MarkAction {};
template <>
struct Action<grammar::close_paren_text> : EndAction {};
template <>
struct Action<grammar::close_bracket_text> : EndAction {};
template <>
struct Action<grammar::close_brace_text> : EndAction {};

template <>
struct Action<grammar::name_text> {
  template <class Input>
  static void apply(const Input& in, Builder& b) {
    b.names.push_back({b.symbols.intern(in.string_view()), b.range(in)});
  }
};

template <>
struct Action<grammar::number_text> {
  template <class Input>
  static void apply(const Input& in, Builder& b) {
    const Range where = b.range(in);
    const auto [end, error] = std::from_chars(in.begin(), in.end(), b.last_number);
    if (error == std::errc() && b.last_number <= kMaxNumber) return;
    b.diagnostics.error(where, "this number is too large", "numbers go up to " + std::to_string(kMaxNumber));
    b.last_number = 0;
  }
};

// --- where ---

template <>
struct Action<grammar::range_first> {
  static void apply0(Builder& b) { b.first_number = b.last_number; }
};
template <>
struct Action<grammar::range_numbers> {
  static void apply0(Builder& b) { b.ranges.push_back({{}, {}, true, b.first_number, b.last_number, {}}); }
};
template <>
struct Action<grammar::range_names> {
  static void apply0(Builder& b) {
    b.ranges.push_back({{}, {}, false, 0, 0, b.program.take(b.names, b.marks.back().names + 1)});
  }
};
template <>
struct Action<grammar::where_range> {
  static void apply0(Builder& b) {
    const Builder::Mark mark = b.unmark();
    b.ranges.back().variable = b.pop_name();
    b.ranges.back().where = b.since(mark);
  }
};

// --- Domains ---

template <>
struct Action<grammar::element_args> {
  static void apply0(Builder& b) {
    ast::Element& element = b.elements.emplace_back();
    element.constructor = true;
    element.args = b.program.take(b.names, b.marks.back().names + 1);
  }
};
template <>
struct Action<grammar::element> {
  static void apply0(Builder& b) {
    const Builder::Mark mark = b.unmark();
    if (b.elements.size() == mark.elements) b.elements.emplace_back();
    ast::Element& element = b.elements.back();
    element.name = b.pop_name();
    element.ranges = b.program.take(b.ranges, mark.ranges);
    element.where = b.since(mark);
  }
};
template <>
struct Action<grammar::domain> {
  static void apply0(Builder& b) {
    const Builder::Mark mark = b.unmark();
    b.program.domains.push_back({b.pop_name(), b.program.take(b.elements, mark.elements), b.since(mark)});
  }
};

// --- Types ---

template <>
struct Action<grammar::set_type> {
  static void apply0(Builder& b) {
    const Builder::Mark mark = b.unmark();
    b.push_type({ast::TypeForm::set, b.since(mark), {}, b.program.take(b.names, mark.names), {}, {}});
  }
};
template <>
struct Action<grammar::type_name> {
  static void apply0(Builder& b) {
    const ast::Name name = b.pop_name();
    b.push_type({ast::TypeForm::name, name.where, name, {}, {}, {}});
  }
};
template <>
struct Action<grammar::arrow_tail> {
  static void apply0(Builder& b) {
    const ast::TypeId to = Builder::pop(b.types);
    const ast::TypeId from = Builder::pop(b.types);
    const Range where = join(b.program[from].where, b.program[to].where);
    b.push_type({ast::TypeForm::arrow, where, {}, {}, from, to});
  }
};

// --- Patterns and expressions ---

template <ast::ExpressionKind kKind>
struct LeafAction {
  template <class Input>
  static void apply(const Input& in, Builder& b) {
    ast::Expr expr;
    expr.kind = kKind;
    expr.where = b.range(in);
    if constexpr (kKind == ast::ExpressionKind::name) expr.name = b.symbols.intern(in.string_view());
    b.push_expr(expr);
  }
};
template <>
struct Action<grammar::wildcard_text> : LeafAction<ast::ExpressionKind::wildcard> {};
template <>
struct Action<grammar::pattern_name_text> : LeafAction<ast::ExpressionKind::name> {};
template <>
struct Action<grammar::plain_name_text> : LeafAction<ast::ExpressionKind::name> {};

struct ConstructorAction {
  static void apply0(Builder& b) {
    const Builder::Mark mark = b.unmark();
    ast::Expr expr;
    expr.kind = ast::ExpressionKind::constructor;
    expr.name = b.pop_name().symbol;
    expr.where = b.since(mark);
    expr.args = b.program.take(b.exprs, mark.exprs);
    b.push_expr(expr);
  }
};
template <>
struct Action<grammar::pattern_constructor> : ConstructorAction {};
template <>
struct Action<grammar::constructor> : ConstructorAction {};

template <>
struct Action<grammar::index> {
  static void apply0(Builder& b) { b.combine(ast::ExpressionKind::access, 2, b.begin_of(2)); }
};
template <>
struct Action<grammar::call_arguments> {
  static void apply0(Builder& b) {
    const Builder::Mark mark = b.unmark();
    const std::size_t count = b.exprs.size() - mark.exprs + 1;
    b.combine(ast::ExpressionKind::call, count, b.begin_of(count));
  }
};
template <>
struct Action<grammar::negation> {
  static void apply0(Builder& b) { b.combine(ast::ExpressionKind::negation, 1, b.unmark().begin); }
};
template <>
struct Action<grammar::conditional> {
  static void apply0(Builder& b) { b.combine(ast::ExpressionKind::conditional, 3, b.unmark().begin); }
};

struct OperatorAction {
  template <class Input>
  static void apply(const Input& in, Builder& b) {
    b.ops.push_back(operator_of(in.string_view()));
  }
  static ast::Operator operator_of(std::string_view text) {
    if (text == "+") return ast::Operator::add;
    if (text == "-") return ast::Operator::subtract;
    if (text == "%") return ast::Operator::remainder;
    if (text == "in") return ast::Operator::in;
    if (text == "==") return ast::Operator::equal;
    if (text == "!=") return ast::Operator::unequal;
    if (text == "<") return ast::Operator::less;
    if (text == "<=") return ast::Operator::less_equal;
    return text == ">" ? ast::Operator::greater : ast::Operator::greater_equal;
  }
};
template <>
struct Action<grammar::add_operator_text> : OperatorAction {};
template <>
struct Action<grammar::compare_operator_text> : OperatorAction {};

struct BinaryAction {
  static void apply0(Builder& b) { b.combine(ast::ExpressionKind::binary, 2, b.begin_of(2), Builder::pop(b.ops)); }
};
template <>
struct Action<grammar::add_step> : BinaryAction {};
template <>
struct Action<grammar::compare_step> : BinaryAction {};

template <ast::ExpressionKind kKind>
struct ChainAction {
  static void apply0(Builder& b) {
    const Builder::Mark mark = b.unmark();
    const std::size_t count = b.exprs.size() - mark.exprs;
    if (count > 1) b.combine(kKind, count, b.begin_of(count));
  }
};
template <>
struct Action<grammar::and_expr> : ChainAction<ast::ExpressionKind::all> {};
template <>
struct Action<grammar::or_expr> : ChainAction<ast::ExpressionKind::any> {};

struct EntryAction {
  static void apply0(Builder& b) {
    const Builder::Mark mark = b.unmark();
    ast::Entry entry;
    entry.value = Builder::pop(b.exprs);
    if (b.exprs.size() > mark.exprs) entry.pattern = Builder::pop(b.exprs);
    entry.ranges = b.program.take(b.ranges, mark.ranges);
    entry.where = b.since(mark);
    b.entries.push_back(entry);
  }
};
template <>
struct Action<grammar::entry_default> : EntryAction {};
template <>
struct Action<grammar::entry_plain> : EntryAction {};
template <>
struct Action<grammar::map> {
  static void apply0(Builder& b) {
    const Builder::Mark mark = b.unmark();
    ast::Expr expr;
    expr.kind = ast::ExpressionKind::map;
    expr.where = b.since(mark);
    expr.entries = b.program.take(b.entries, mark.entries);
    b.push_expr(expr);
  }
};

// --- Functions and variables ---

template <>
struct Action<grammar::function_case> {
  static void apply0(Builder& b) {
    const Builder::Mark mark = b.unmark();
    ast::Case c;
    c.name = b.pop_name();
    c.body = Builder::pop(b.exprs);
    c.patterns = b.program.take(b.exprs, mark.exprs);
    c.where = b.since(mark);
    b.cases.push_back(c);
  }
};
template <>
struct Action<grammar::value_declaration> {
  static void apply0(Builder& b) {
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
};

// --- Statements ---

template <>
struct Action<grammar::block> {
  static void apply0(Builder& b) {
    const Builder::Mark mark = b.unmark();
    b.blocks.push_back({b.program.take(b.statements, mark.statements), b.since(mark)});
  }
};
template <>
struct Action<grammar::branch_arms> {
  static void apply0(Builder& b) { b.push_statement(ast::StatementKind::branch, b.unmark()); }
};
template <>
struct Action<grammar::loop> {
  static void apply0(Builder& b) { b.push_statement(ast::StatementKind::loop, b.unmark()); }
};
template <>
struct Action<grammar::repeat_number> {
  static void apply0(Builder& b) { b.counts.push_back(b.last_number); }
};
template <>
struct Action<grammar::repeat_count> {
  static void apply0(Builder& b) {
    ast::Statement& statement = b.push_statement(ast::StatementKind::repeat, b.unmark());
    statement.count = static_cast<std::uint64_t>(Builder::pop(b.counts));
  }
};
template <>
struct Action<grammar::while_loop> {
  static void apply0(Builder& b) { b.push_statement(ast::StatementKind::while_, b.unmark()); }
};
template <ast::StatementKind kKind>
struct NamedLoopAction {
  static void apply0(Builder& b) {
    ast::Statement& statement = b.push_statement(kKind, b.unmark());
    statement.name = b.pop_name();
    statement.type = Builder::pop(b.types);
  }
};
template <>
struct Action<grammar::branch_in> : NamedLoopAction<ast::StatementKind::branch_in> {};
template <>
struct Action<grammar::forall> : NamedLoopAction<ast::StatementKind::branch_in> {};
template <>
struct Action<grammar::repeat_in> : NamedLoopAction<ast::StatementKind::repeat_in> {};
template <>
struct Action<grammar::if_statement> {
  static void apply0(Builder& b) { b.push_statement(ast::StatementKind::if_, b.unmark()); }
};
template <>
struct Action<grammar::else_if> {  // the inner if becomes the only statement of an else block
  static void apply0(Builder& b) {
    const Builder::Mark mark = b.unmark();
    b.blocks.push_back({b.program.take(b.statements, mark.statements), b.since(mark)});
  }
};
template <>
struct Action<grammar::artificial_sign> {
  static void apply0(Builder& b) { b.artificial = true; }
};
template <>
struct Action<grammar::tag> {
  static void apply0(Builder& b) {
    const Builder::Mark mark = b.unmark();
    ast::Statement& statement = b.push_statement(ast::StatementKind::tag, mark);
    statement.names = b.program.take(b.names, mark.names);
    statement.artificial = std::exchange(b.artificial, false);
  }
};
template <>
struct Action<grammar::variable_tag> {
  static void apply0(Builder& b) { b.push_statement(ast::StatementKind::tag_variable, b.unmark()).name = b.pop_name(); }
};
template <>
struct Action<grammar::graph_call> {
  static void apply0(Builder& b) { b.push_statement(ast::StatementKind::call, b.unmark()).name = b.pop_name(); }
};
template <>
struct Action<grammar::any_value> {
  static void apply0(Builder& b) {
    ast::Statement& statement = b.push_statement(ast::StatementKind::assign_any, b.unmark());
    statement.name = b.pop_name();
    statement.type = Builder::pop(b.types);
  }
};
template <>
struct Action<grammar::plain_value> {
  static void apply0(Builder& b) { b.push_statement(ast::StatementKind::assign, b.unmark()).name = b.pop_name(); }
};

// --- Graphs ---

template <>
struct Action<grammar::param> {
  static void apply0(Builder& b) { b.params.push_back({b.pop_name(), Builder::pop(b.types)}); }
};
template <>
struct Action<grammar::reusable_word> {
  static void apply0(Builder& b) { b.reusable = true; }
};
template <>
struct Action<grammar::graph> {
  static void apply0(Builder& b) {
    const Builder::Mark mark = b.unmark();
    ast::GraphRule graph;
    graph.name = b.pop_name();
    graph.reusable = std::exchange(b.reusable, false);
    graph.params = b.program.take(b.params, mark.params);
    graph.body = Builder::pop(b.blocks);
    graph.where = b.since(mark);
    b.program.graphs.push_back(graph);
  }
};

}  // namespace rgtrans::hrg
