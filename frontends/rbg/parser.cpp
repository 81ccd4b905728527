// The actions of the section grammar: names are resolved and checked while the sections are read, in the order
// players, pieces, variables, board, rules.
#include "frontends/rbg/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "frontends/rbg/boards.hpp"
#include "frontends/rbg/grammar.hpp"
#include "frontends/rbg/macros.hpp"
#include "frontends/rbg/syntax_error.hpp"

namespace rgtrans::rbg {

namespace {

enum class NameKind : std::uint8_t { player, piece, variable, label };

std::string_view article(NameKind kind) {
  switch (kind) {
    case NameKind::player:
      return "a player";
    case NameKind::piece:
      return "a piece";
    case NameKind::variable:
      return "a variable";
    case NameKind::label:
      return "a direction";
  }
  return "";
}

class Builder {
 public:
  Builder(Description& description, const Macros& macros, Diagnostics& diagnostics)
      : d(description), macros_(macros), diagnostics_(diagnostics) {}

  // --- The tokens being read. ---
  void start(std::span<const Token> tokens, const std::string& kinds) {
    tokens_ = tokens;
    base_ = kinds.data();
  }
  template <class Input>
  const Token& first(const Input& in) const {
    return tokens_[static_cast<std::size_t>(in.begin() - base_)];
  }
  // The place of everything matched, as far as it was written in one piece.
  template <class Input>
  Range place(const Input& in) const {
    const Token& begin = first(in);
    const Token& end = tokens_[static_cast<std::size_t>(in.end() - base_) - 1];
    if (begin.origin != end.origin || end.where.end < begin.where.begin) return begin.where;
    return join(begin.where, end.where);
  }
  Diagnostic& error(const Token& at, std::string message, std::string hint = {}) {
    Diagnostic& diagnostic = diagnostics_.error(at.where, std::move(message), std::move(hint));
    macros_.explain(diagnostic, at.origin);
    return diagnostic;
  }
  std::string_view text(SymbolId id) const { return d.symbols.text(id); }
  std::uint32_t number(const Token& token) const {
    return static_cast<std::uint32_t>(std::stoul(d.symbols.str(token.text)));
  }

  // --- Names. ---
  void declare(std::vector<Declared>& list, NameKind kind, const Token& name) {
    const auto [it, fresh] = names_.try_emplace(name.text, Name{kind, static_cast<std::uint32_t>(list.size())});
    if (!fresh) {
      const Declared& first = declaration(it->second);
      Diagnostic& diagnostic =
          error(name,
                it->second.kind == kind ? fmt::format("{} is declared twice", text(name.text))
                                        : fmt::format("{} is already {}", text(name.text), article(it->second.kind)),
                it->second.kind == kind ? "" : "players, pieces, variables and directions need different names");
      diagnostic.notes.push_back({first.where, "first declared here"});
    }
    list.push_back({name.text, 0, name.where});
  }

  // The index of a declared name of that kind; an error otherwise.
  std::optional<std::uint32_t> resolve(const Token& name, NameKind kind, std::string_view use) {
    const auto it = names_.find(name.text);
    if (it != names_.end() && it->second.kind == kind) return it->second.index;
    if (it != names_.end()) {
      error(name, fmt::format("{} is {}, but {} is expected", text(name.text), article(it->second.kind), use),
            hint_for(it->second.kind, kind, text(name.text)));
    } else {
      std::string hint = macros_.why_not_expanded(name);
      if (hint.empty()) hint = suggestion(name.text, kind);
      error(name, fmt::format("unknown name {}; {} is expected", text(name.text), use), std::move(hint));
    }
    return std::nullopt;
  }

  // A variable or player, as the index of a variable.
  std::optional<std::uint32_t> resolve_variable(const Token& name) {
    const auto it = names_.find(name.text);
    if (it != names_.end() && it->second.kind == NameKind::player) return it->second.index;
    const auto index = resolve(name, NameKind::variable, "a variable or player");
    if (!index) return std::nullopt;
    return static_cast<std::uint32_t>(*index + d.players.size());
  }

  ArithId resolve_operand(const Token& name) {
    const auto it = names_.find(name.text);
    if (it != names_.end() && it->second.kind == NameKind::piece) {
      return d.expressions.arith({Arith::piece, it->second.index, {}, {}});
    }
    const auto index = resolve_variable(name);
    return d.expressions.arith({index ? Arith::variable : Arith::number, index.value_or(0), {}, {}});
  }

  // --- Board. ---
  void add_label(const Token& name) {
    if (const auto it = names_.find(name.text); it != names_.end() && it->second.kind == NameKind::label) return;
    declare(d.labels, NameKind::label, name);
  }
  void add_vertex(const Token& name) {
    const auto [it, fresh] = vertices_.try_emplace(name.text, static_cast<std::uint32_t>(d.board.size()));
    if (!fresh) {
      error(name, fmt::format("vertex {} is defined twice", text(name.text)))
          .notes.push_back({d.board[it->second].where, "first defined here"});
    }
    d.board.push_back({name.text, 0, name.where});
  }
  void finish_graph() {
    const std::size_t size = d.board.size();
    if (size * d.labels.size() > kMaxBoardEdges) {
      diagnostics_.error(d.board.front().where, fmt::format("the board has more than {} edges", kMaxBoardEdges),
                         kMaxBoardEdges.advice());
      return;
    }
    d.neighbours.assign(size * d.labels.size(), kNowhere);
    for (const Edge& edge : edges_) {
      if (diagnostics_.full()) return;
      const auto target = vertices_.find(edge.target->text);
      if (target == vertices_.end()) {
        std::vector<std::string_view> names;
        for (const Vertex& vertex : d.board) names.push_back(text(vertex.name));
        error(*edge.target, fmt::format("unknown vertex {}", text(edge.target->text)),
              names.size() > 10'000 ? "" : did_you_mean(text(edge.target->text), names));
        continue;
      }
      const auto label = names_.find(edge.label->text);
      if (label == names_.end() || label->second.kind != NameKind::label) continue;
      std::uint32_t& slot = d.neighbours[label->second.index * size + edge.vertex];
      if (slot != kNowhere) {
        error(*edge.label,
              fmt::format("vertex {} has two edges {}", text(d.board[edge.vertex].name), text(edge.label->text)));
      }
      slot = target->second;
    }
  }
  void finish_shape(const Token& generator, std::optional<ShapeError> (*make)(const Layout&, Description&)) {
    if (diagnostics_.has_errors()) return;
    if (const auto failure = make(layout, d)) {
      Diagnostic& diagnostic = diagnostics_.error(failure->where, failure->message, failure->hint);
      macros_.explain(diagnostic, generator.origin);
    }
  }

  // --- Rules. ---
  void push(ExprNode node) {
    if (d.expressions.size() >= 4 * kMaxActions) throw TooLarge{};
    stack.push_back(d.expressions.leaf(node));
  }
  void repeat(const Token& exponent) {
    const std::uint32_t times = number(exponent);
    if (times == 0) {
      error(exponent, "the exponent must be at least 1", "leave the item out instead");
      return;
    }
    const std::uint64_t actions = std::uint64_t{d.expressions[stack.back()].actions} * times;
    if (actions > kMaxActions) throw TooLarge{&exponent};
    const std::vector<ExprId> copies(times, stack.back());
    push_list(Kind::concat, copies, exponent.where);
  }
  void push_list(Kind kind, std::span<const ExprId> parts, Range where) {
    if (d.expressions.child_count() > 8 * kMaxActions) throw TooLarge{};
    const ExprId list = d.expressions.list(kind, parts, where);
    if (d.expressions[list].actions > kMaxActions) throw TooLarge{};
    stack.resize(stack.size() - (parts.data() == stack.data() + stack.size() - parts.size() ? parts.size() : 1));
    stack.push_back(list);
  }
  void close_list(Kind kind, Range where) {
    const std::size_t from = marks.back();
    marks.pop_back();
    push_list(kind, std::span(stack).subspan(from), where);
  }
  ArithId pop_arith() {
    const ArithId top = arith.back();
    arith.pop_back();
    return top;
  }
  void combine(Arith kind) {
    const ArithId right = pop_arith();
    const ArithId left = pop_arith();
    arith.push_back(d.expressions.arith({kind, 0, left, right}));
  }

  struct TooLarge {
    const Token* at = nullptr;
  };
  struct Edge {
    std::uint32_t vertex;
    const Token* label;
    const Token* target;
  };

  Description& d;
  Layout layout;
  const Token* edge_label = nullptr;
  std::vector<Edge> edges_;
  std::vector<ExprId> stack;
  std::vector<std::size_t> marks;
  std::vector<ArithId> arith;
  std::vector<std::uint32_t> set;
  std::size_t set_mark = 0;
  const Token* assigned = nullptr;
  Relation relation = Relation::equal;

 private:
  struct Name {
    NameKind kind;
    std::uint32_t index;
  };
  const Declared& declaration(const Name& name) const {
    const std::vector<Declared>* lists[] = {&d.players, &d.pieces, &d.variables, &d.labels};
    return (*lists[static_cast<std::size_t>(name.kind)])[name.index];
  }
  std::string suggestion(SymbolId name, NameKind kind) const {
    std::vector<std::string_view> candidates;
    for (const auto& [symbol, known] : names_) {
      if (known.kind == kind || (kind == NameKind::variable && known.kind == NameKind::player)) {
        candidates.push_back(text(symbol));
      }
    }
    std::ranges::sort(candidates);
    return did_you_mean(text(name), candidates);
  }
  static std::string hint_for(NameKind found, NameKind wanted, std::string_view name) {
    if (wanted != NameKind::label) return {};
    if (found == NameKind::piece) return fmt::format("{{{0}}} tests for the piece, [{0}] puts it", name);
    if (found == NameKind::player) return fmt::format("->{} gives the turn to the player", name);
    return {};
  }

  const Macros& macros_;
  Diagnostics& diagnostics_;
  std::span<const Token> tokens_;
  const char* base_ = nullptr;
  std::unordered_map<SymbolId, Name> names_;
  std::unordered_map<SymbolId, std::uint32_t> vertices_;
};

// What is read at the moment; the same grammar rule declares different things.
enum class Section : std::uint8_t { players, pieces, variables, board, rules };

struct State {
  Builder& b;
  Section section;
};

template <class Rule>
struct Do : tao::pegtl::nothing<Rule> {};

#define RGTRANS_ON(rule)    \
  template <>               \
  struct Do<syntax::rule> { \
    template <class Input>  \
    static void apply(const Input& in, State& s)

RGTRANS_ON(declared_name) {
  const bool players = s.section == Section::players;
  s.b.declare(players ? s.b.d.players : s.b.d.variables, players ? NameKind::player : NameKind::variable,
              s.b.first(in));
}
};
RGTRANS_ON(bound) {
  auto& list = s.section == Section::players ? s.b.d.players : s.b.d.variables;
  list.back().bound = s.b.number(s.b.first(in));
}
};
RGTRANS_ON(piece_name) { s.b.declare(s.b.d.pieces, NameKind::piece, s.b.first(in)); }
}
;

RGTRANS_ON(vertex_name) { s.b.add_vertex(s.b.first(in)); }
}
;
RGTRANS_ON(vertex_piece) {
  s.b.d.board.back().piece = s.b.resolve(s.b.first(in), NameKind::piece, "a piece").value_or(0);
}
}
;
RGTRANS_ON(edge_label) {
  s.b.edge_label = &s.b.first(in);
  s.b.add_label(*s.b.edge_label);
}
}
;
RGTRANS_ON(edge_target) {
  s.b.edges_.push_back({static_cast<std::uint32_t>(s.b.d.board.size() - 1), s.b.edge_label, &s.b.first(in)});
}
}
;
RGTRANS_ON(graph) {
  static_cast<void>(in);
  s.b.finish_graph();
}
}
;
RGTRANS_ON(label_argument) { s.b.declare(s.b.d.labels, NameKind::label, s.b.first(in)); }
}
;
RGTRANS_ON(layer_begin) {
  s.b.layout.layers.push_back({static_cast<std::uint32_t>(s.b.layout.rows.size()), 0, s.b.first(in).where});
}
}
;
RGTRANS_ON(line_begin) {
  s.b.layout.rows.push_back({static_cast<std::uint32_t>(s.b.layout.cells.size()), 0, s.b.first(in).where});
  if (!s.b.layout.layers.empty()) ++s.b.layout.layers.back().count;
  s.b.set_mark = 0;
}
}
;
RGTRANS_ON(cell_piece) {
  const Token& token = s.b.first(in);
  s.b.layout.cells.push_back({s.b.resolve(token, NameKind::piece, "a piece").value_or(0), token.where});
  s.b.set_mark = 1;
}
}
;
template <>
struct Do<syntax::cell_end> {
  static void apply0(State& s) {
    if (s.b.set_mark == 0) s.b.layout.cells.push_back({kNowhere, s.b.layout.rows.back().where});
    s.b.set_mark = 0;
    ++s.b.layout.rows.back().count;
  }
};
template <>
struct Do<syntax::line_end> {
  // "[]" has no cells, whereas "[,]" has two holes.
  static void apply0(State& s) {
    Layout::Row& row = s.b.layout.rows.back();
    if (row.count == 1 && s.b.layout.cells.back().piece == kNowhere) {
      s.b.layout.cells.pop_back();
      row.count = 0;
    }
  }
};
RGTRANS_ON(rectangle) { s.b.finish_shape(s.b.first(in), make_rectangle); }
}
;
RGTRANS_ON(hexagon) { s.b.finish_shape(s.b.first(in), make_hexagon); }
}
;
RGTRANS_ON(cuboid) { s.b.finish_shape(s.b.first(in), make_cuboid); }
}
;

RGTRANS_ON(arith_number) {
  s.b.arith.push_back(s.b.d.expressions.arith({Arith::number, s.b.number(s.b.first(in)), {}, {}}));
}
}
;
RGTRANS_ON(arith_name) { s.b.arith.push_back(s.b.resolve_operand(s.b.first(in))); }
}
;
template <>
struct Do<syntax::multiply> {
  static void apply0(State& s) { s.b.combine(Arith::multiply); }
};
template <>
struct Do<syntax::divide> {
  static void apply0(State& s) { s.b.combine(Arith::divide); }
};
template <>
struct Do<syntax::add> {
  static void apply0(State& s) { s.b.combine(Arith::add); }
};
template <>
struct Do<syntax::subtract> {
  static void apply0(State& s) { s.b.combine(Arith::subtract); }
};

ExprNode node(Kind kind, Range where, std::uint32_t index = 0) {
  ExprNode made;
  made.kind = kind;
  made.where = where;
  made.index = index;
  return made;
}

RGTRANS_ON(label_item) {
  const Token& token = s.b.first(in);
  const auto label = s.b.resolve(token, NameKind::label, "a direction");
  s.b.push(node(label ? Kind::shift : Kind::noop, token.where, label.value_or(0)));
}
}
;
RGTRANS_ON(switch_player) {
  const Token& token = s.b.first(in);
  const auto player = s.b.resolve(token, NameKind::player, "a player");
  s.b.push(node(Kind::to_player, token.where, player.value_or(0)));
}
}
;
RGTRANS_ON(keeper_switch) { s.b.push(node(Kind::to_keeper, s.b.first(in).where)); }
}
;
RGTRANS_ON(noop) { s.b.push(node(Kind::noop, s.b.first(in).where)); }
}
;
template <>
struct Do<syntax::list_open> {
  static void apply0(State& s) { s.b.marks.push_back(s.b.stack.size()); }
};
RGTRANS_ON(sequence) { s.b.close_list(Kind::concat, s.b.place(in)); }
}
;
RGTRANS_ON(sum) { s.b.close_list(Kind::sum, s.b.place(in)); }
}
;
RGTRANS_ON(star_suffix) {
  const ExprId star = s.b.d.expressions.star(s.b.stack.back(), s.b.first(in).where);
  s.b.stack.back() = star;
}
}
;
RGTRANS_ON(exponent) { s.b.repeat(s.b.first(in)); }
}
;
template <>
struct Do<syntax::set_open> {
  static void apply0(State& s) {
    s.b.set.clear();
    s.b.set_mark = s.b.stack.size();
  }
};
RGTRANS_ON(on_piece) {
  if (const auto piece = s.b.resolve(s.b.first(in), NameKind::piece, "a piece")) s.b.set.push_back(*piece);
}
}
;
RGTRANS_ON(on) { s.b.push(node(Kind::on, s.b.place(in), s.b.d.expressions.piece_set(s.b.set))); }
}
;
RGTRANS_ON(off_piece) {
  const Token& token = s.b.first(in);
  s.b.push(node(Kind::off, token.where, s.b.resolve(token, NameKind::piece, "a piece").value_or(0)));
}
}
;
RGTRANS_ON(off) { s.b.push_list(Kind::sum, std::span(s.b.stack).subspan(s.b.set_mark), s.b.place(in)); }
}
;
RGTRANS_ON(assigned) { s.b.assigned = &s.b.first(in); }
}
;
RGTRANS_ON(assign) {
  ExprNode made = node(Kind::assign, s.b.place(in), s.b.resolve_variable(*s.b.assigned).value_or(0));
  made.left = s.b.pop_arith();
  s.b.push(made);
}
}
;
RGTRANS_ON(assignment) { s.b.push_list(Kind::concat, std::span(s.b.stack).subspan(s.b.set_mark), s.b.place(in)); }
}
;
RGTRANS_ON(relation) {
  constexpr std::string_view kinds = "EN<L>G";
  s.b.relation = static_cast<Relation>(kinds.find(s.b.first(in).kind));
}
}
;
RGTRANS_ON(comparison) {
  ExprNode made = node(Kind::compare, s.b.place(in));
  made.relation = s.b.relation;
  made.right = s.b.pop_arith();
  made.left = s.b.pop_arith();
  s.b.push(made);
}
}
;
RGTRANS_ON(positive_pattern) { s.b.stack.back() = s.b.d.expressions.pattern(s.b.stack.back(), false, s.b.place(in)); }
}
;
RGTRANS_ON(negative_pattern) { s.b.stack.back() = s.b.d.expressions.pattern(s.b.stack.back(), true, s.b.place(in)); }
}
;
#undef RGTRANS_ON

struct Messages {
  template <class Rule>
  static constexpr auto message = syntax::section_expected<Rule>;
  template <class Rule>
  static constexpr bool raise_on_failure = false;
};
template <class Rule>
using Control = tao::pegtl::must_if<Messages>::control<Rule>;

// Round brackets and every other opening token; the grammar and all later recursions rely on the limit.
const Token* too_deep(std::span<const Token> tokens) {
  std::size_t depth = 0;
  for (const Token& token : tokens) {
    switch (token.kind) {
      case '(':
      case '[':
      case '{':
      case token::kPositive:
      case token::kNegative:
      case token::kComparison:
      case token::kAssignment:
        if (++depth > kMaxNesting) return &token;
        break;
      case ')':
      case ']':
      case '}':
        if (depth > 0) --depth;
        break;
      default:
        break;
    }
  }
  return nullptr;
}

// Switches inside patterns, which the grammar itself would accept.
void check_patterns(std::span<const Token> tokens, Builder& builder) {
  std::vector<bool> open;  // for every bracket: does it open a pattern?
  std::size_t patterns = 0;
  for (const Token& token : tokens) {
    switch (token.kind) {
      case '{':
      case token::kPositive:
      case token::kNegative:
      case token::kComparison: {
        const bool pattern = token.kind == token::kPositive || token.kind == token::kNegative;
        open.push_back(pattern);
        patterns += pattern ? 1 : 0;
        break;
      }
      case '}':
        if (open.empty()) return;
        patterns -= open.back() ? 1 : 0;
        open.pop_back();
        break;
      case token::kSwitch:
      case token::kKeeperSwitch:
        if (patterns > 0) builder.error(token, "a switch cannot stand inside a pattern", "a pattern only looks ahead");
        break;
      default:
        break;
    }
  }
}

constexpr std::size_t kLongestCall = 40;  // tokens before a mistake that are looked at

class Parser {
 public:
  Parser(const Sources::File& file, Diagnostics& diagnostics)
      : diagnostics_(diagnostics),
        file_(file),
        tokens_(tokenize(file, description_.symbols, diagnostics)),
        macros_(tokens_, description_.symbols, diagnostics),
        builder_(description_, macros_, diagnostics) {}

  std::optional<Description> run() {
    static constexpr std::array<std::pair<std::string_view, Section>, 5> kSections = {
        {{"players", Section::players},
         {"pieces", Section::pieces},
         {"variables", Section::variables},
         {"board", Section::board},
         {"rules", Section::rules}}};
    for (const auto& [name, section] : kSections) {
      if (macros_.section(name) == nullptr) {
        const auto end = file_.text.size();
        diagnostics_.error(file_.range(end, end), fmt::format("section {} is missing", name),
                           fmt::format("every description needs #{} = …", name));
      }
    }
    for (const auto& [name, section] : kSections) {
      if (diagnostics_.full()) break;
      const Directive* directive = macros_.section(name);
      if (directive == nullptr) continue;
      // Mistakes in the declarations would be repeated at every use in the rules.
      if (section == Section::rules && diagnostics_.has_errors() && description_.labels.empty()) break;
      read(*directive, section);
    }
    if (diagnostics_.has_errors()) return std::nullopt;
    if (description_.board.empty()) {
      diagnostics_.error(macros_.section("board")->where, "the board has no vertex");
      return std::nullopt;
    }
    macros_.warn_unused();
    return std::move(description_);
  }

 private:
  void read(const Directive& directive, Section section) {
    const std::size_t errors = diagnostics_.error_count();
    expanded_.push_back(macros_.expand(directive));
    const std::vector<Token>& tokens = expanded_.back();
    if (diagnostics_.error_count() > errors) return;
    if (const Token* deep = too_deep(tokens)) {
      builder_.error(*deep, fmt::format("brackets are nested more than {} deep", kMaxNesting), kMaxNesting.advice());
      return;
    }
    if (section == Section::rules) check_patterns(tokens, builder_);
    try {
      parse_section(directive, tokens, section);
    } catch (const Builder::TooLarge& where) {
      builder_.error(where.at != nullptr ? *where.at : Token{{}, directive.where, 0, 0},
                     fmt::format("the rules have more than {} actions after expansion", kMaxActions),
                     "do macros or powers multiply each other? " + kMaxActions.advice());
    }
  }

  void parse_section(const Directive& directive, const std::vector<Token>& tokens, Section section) {
    const std::string kinds = kinds_of(tokens);
    builder_.start(tokens, kinds);
    State state{builder_, section};
    SyntaxError error;
    bool good = false;
    switch (section) {
      case Section::players:
        good = parse_tokens<syntax::players_section, Do, Control>(kinds, error, state);
        break;
      case Section::pieces:
        good = parse_tokens<syntax::pieces_section, Do, Control>(kinds, error, state);
        break;
      case Section::variables:
        good = parse_tokens<syntax::variables_section, Do, Control>(kinds, error, state);
        break;
      case Section::board:
        good = parse_tokens<syntax::board_section, Do, Control>(kinds, error, state);
        break;
      case Section::rules:
        good = parse_tokens<syntax::rules_section, Do, Control>(kinds, error, state);
        if (good) description_.rules = builder_.stack.back();
        break;
    }
    if (good) return;
    // The message goes to the place of the token; at the end of a section, behind its last token.
    Range end = directive.where;
    if (!tokens.empty()) end = {tokens.back().where.end, tokens.back().where.end};
    Diagnostic& diagnostic = report(diagnostics_, description_.symbols, tokens, end, error);
    if (error.at < tokens.size()) macros_.explain(diagnostic, tokens[error.at].origin);
    if (diagnostic.hint.empty()) diagnostic.hint = unexpanded_call(tokens, error.at);
  }

  // What stands before a mistake may be a call of a macro that was not visible.
  std::string unexpanded_call(std::span<const Token> tokens, std::size_t at) const {
    for (std::size_t i = std::min(at, tokens.size()); i-- > 0 && at - i < kLongestCall;) {
      if (tokens[i].kind != token::kIdentifier) continue;
      std::string hint = macros_.why_not_expanded(tokens[i]);
      if (!hint.empty()) return hint;
    }
    return {};
  }

  Diagnostics& diagnostics_;
  const Sources::File& file_;
  Description description_;
  std::vector<Token> tokens_;
  Macros macros_;
  Builder builder_;
  std::vector<std::vector<Token>> expanded_;
};

}  // namespace

std::optional<Description> parse(const Sources::File& file, Diagnostics& diagnostics) {
  return Parser(file, diagnostics).run();
}

}  // namespace rgtrans::rbg
