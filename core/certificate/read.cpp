// Reads the text of a certificate and checks each pass as soon as its lines are read.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/certificate/certificate.hpp"
#include "core/support/digest.hpp"

namespace rgtrans::certificate {

namespace {

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  Report run() {
    fingerprint();
    next();
    if (!word_is("begin") || !at_end()) refuse("here `begin` is expected");
    ir::Game game;
    next();
    version(game, true);
    Report report{{}, game, game};
    auto last = std::make_unique<Version>(game);
    while (command_ != "end") {
      if (command_ != "pass") refuse(fmt::format("here `pass` is expected, not {}", shown(command_)));
      CertifiedPass step;
      step.pass = std::string(word());
      step.changes = number(SIZE_MAX);
      finish();
      next();
      version(game, false);
      auto now = std::make_unique<Version>(game);
      step.verdict = check(*last, *now, record(last->game(), game));
      report.steps.push_back(std::move(step));
      last = std::move(now);
    }
    report.last = std::move(game);
    return report;
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw Error(fmt::format("{}:{}: {}", name_, line_, problem), "the certificate is damaged, or no certificate");
  }
  static std::string shown(std::string_view text) { return fmt::format("`{}`", text.substr(0, 40)); }

  // The header and the fingerprint, before anything is read.
  void fingerprint() {
    line_ = 1;
    const std::size_t first = text_.find('\n');
    if (text_.substr(0, first) != kHeader) refuse(fmt::format("the first line is not `{}`", kHeader));
    LineSums sums;
    std::size_t last = first + 1;
    for (std::size_t at = last; at < text_.size();) {
      ++line_;
      last = at;
      const std::size_t end = text_.find('\n', at);
      if (end == std::string_view::npos) refuse("the line is incomplete");
      const std::string_view line = text_.substr(at, end - at);
      const std::size_t length = std::max(line.size(), LineSums::kLength) - LineSums::kLength;
      if (line.substr(length) != sums.next(line.substr(0, length))) refuse("the line does not fit its checksum");
      at = end + 1;
    }
    const std::string expected = "end " + Digest().add(text_.substr(0, last)).hex();
    if (!text_.substr(last).starts_with(expected)) refuse("here the fingerprint of all lines is expected");
    at_ = first + 1;
    line_ = 1;
  }

  // Goes to the next line and reads its first word.
  void next() {
    ++line_;
    const std::size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) refuse("the text ends too early");
    rest_ = text_.substr(at_, end - at_ - LineSums::kLength);
    at_ = end + 1;
    command_ = word();
  }
  std::string_view word() {
    const std::size_t end = std::min(rest_.find(' '), rest_.size());
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (found.empty()) refuse("a word is missing");
    return found;
  }
  [[nodiscard]] bool word_is(std::string_view text) const { return command_ == text; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  void finish() const {
    if (!at_end()) refuse(fmt::format("{} is too much", shown(rest_)));
  }
  // A number below the bound.
  std::size_t number(std::size_t bound) {
    const std::string_view text = word();
    std::size_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size()) refuse(fmt::format("{} is no number", shown(text)));
    if (value >= bound) refuse(fmt::format("{} is no number of an entry", value));
    return value;
  }
  template <class Id>
  Id id(std::size_t bound) {
    return Id(number(bound));
  }
  template <class Id>
  std::vector<Id> ids(std::size_t bound) {
    std::vector<Id> list;
    while (!at_end()) list.push_back(id<Id>(bound));
    return list;
  }
  bool flag() { return number(2) == 1; }
  void expect(bool fine) const {
    if (!fine) refuse("this entry exists already, or its number is wrong");
  }

  void version(ir::Game& game, bool first) {
    while (table(game)) next();
    while (declaration(game)) next();
    if (!word_is("declared")) refuse(fmt::format("{} is not known here", shown(command_)));
    finish();
    if (first) {
      const auto entries = [&game] {
        return game.symbols.size() + game.types.size() + game.values.size() + game.variables().size();
      };
      const std::size_t before = entries();
      Diagnostics diagnostics;
      ir::add_builtins(game, diagnostics);
      if (diagnostics.has_errors() || before != entries()) refuse("the game lacks built-in definitions");
    } else {
      game.retype_expressions();
    }
    next();
    while (expression(game)) next();
    while (change(game)) next();
  }

  bool table(ir::Game& game) {
    const std::size_t symbols = game.symbols.size(), types = game.types.size(), values = game.values.size();
    if (word_is("symbol")) {
      expect(game.symbols.intern(std::exchange(rest_, {})).value == symbols);
    } else if (word_is("arrow")) {
      const TypeId from = id<TypeId>(types);
      expect(game.types.arrow(from, id<TypeId>(types)).value == types);
    } else if (word_is("alias")) {
      expect(game.types.alias(id<SymbolId>(symbols)).value == types);
    } else if (word_is("set")) {
      expect(game.types.set(ids<SymbolId>(symbols)).value == types);
    } else if (word_is("value")) {
      expect(game.values.symbol(id<SymbolId>(symbols)).value == values);
    } else if (word_is("map")) {
      const ValueId other = id<ValueId>(values);
      std::vector<ir::Values::Entry> entries;
      while (!at_end()) {
        const SymbolId key = id<SymbolId>(symbols);
        entries.push_back({key, id<ValueId>(values)});
      }
      expect(game.values.map(other, entries).value == values);
    } else {
      return false;
    }
    finish();
    return true;
  }

  // A constant or a variable: its number, name, type and value, and whether it exists.
  template <class Row, class Id>
  void row(ir::Game& game, std::span<Row> (ir::Game::*rows)(), ValueId Row::*value,
           Id (ir::Game::*define)(SymbolId, TypeId, ValueId, Range), void (ir::Game::*remove)(Id)) {
    const std::size_t known = (game.*rows)().size();
    const Id number = id<Id>(known + 1);
    const SymbolId name = id<SymbolId>(game.symbols.size());
    const TypeId type = id<TypeId>(game.types.size());
    const ValueId now = id<ValueId>(game.values.size());
    if (number.value == known) (game.*define)(name, type, now, {});
    Row& row = (game.*rows)()[number.value];
    expect(row.name == name);
    row.type = type;
    row.*value = now;
    if (!flag()) (game.*remove)(number);
  }

  bool declaration(ir::Game& game) {
    const std::size_t symbols = game.symbols.size(), types = game.types.size();
    if (word_is("type")) {
      const std::size_t row = number(game.type_defs().size() + 1);
      const SymbolId name = id<SymbolId>(symbols);
      const TypeId type = id<TypeId>(types);
      if (row == game.type_defs().size()) game.define_type(name, type);
      expect(game.type_defs()[row].name == name);
      game.type_defs()[row].type = type;
      if (!flag()) game.type_defs()[row].alive = false;
    } else if (word_is("const")) {
      row(game, &ir::Game::constants, &ir::Constant::value, &ir::Game::define_constant, &ir::Game::remove_constant);
    } else if (word_is("var")) {
      row(game, &ir::Game::variables, &ir::Variable::initial, &ir::Game::define_variable, &ir::Game::remove_variable);
    } else {
      return false;
    }
    finish();
    return true;
  }

  bool expression(ir::Game& game) {
    const std::size_t known = game.expressions().size();
    ExprId made;
    if (word_is("symbol-of")) {
      made = game.symbol(id<SymbolId>(game.symbols.size()));
    } else if (word_is("const-of")) {
      made = game.constant_ref(id<ConstId>(game.constants().size()));
    } else if (word_is("var-of")) {
      made = game.variable_ref(id<VarId>(game.variables().size()));
    } else if (word_is("access")) {
      const ExprId map = id<ExprId>(known);
      made = game.access(map, id<ExprId>(known));
    } else if (word_is("cast")) {
      const TypeId type = id<TypeId>(game.types.size());
      made = game.cast(type, id<ExprId>(known));
    } else {
      return false;
    }
    finish();
    expect(made.value == known);
    return true;
  }

  ir::Label label(const ir::Game& game) {
    const std::string_view kind = word();
    const std::size_t known = game.expressions().size(), nodes = game.graph.node_bound();
    if (kind == "empty") return ir::Empty{};
    if (kind == "==" || kind == "!=") {
      const ExprId lhs = id<ExprId>(known);
      return ir::Compare{lhs, id<ExprId>(known), kind == "!="};
    }
    if (kind == "=" || kind == "any") {
      const ExprId lhs = id<ExprId>(known);
      if (!game.assigned_variable(lhs).valid()) refuse("only variables are assigned");
      if (kind == "=") return ir::Assign{lhs, id<ExprId>(known)};
      return ir::AssignAny{lhs, id<TypeId>(game.types.size())};
    }
    if (kind == "?" || kind == "!") {
      const NodeId from = id<NodeId>(nodes);
      return ir::Reachability{from, id<NodeId>(nodes), kind == "!"};
    }
    if (kind == "$") return ir::Tag{id<SymbolId>(game.symbols.size())};
    if (kind == "$$") return ir::TagVariable{id<VarId>(game.variables().size())};
    refuse(fmt::format("{} is no label", shown(kind)));
  }

  NodeId node(const ir::Game& game) {
    const NodeId found = id<NodeId>(game.graph.node_bound());
    if (!game.graph.alive(found)) refuse("this node was removed");
    return found;
  }

  bool change(ir::Game& game) {
    ir::Automaton& graph = game.graph;
    if (word_is("node")) {
      graph.add_node(at_end() ? SymbolId() : id<SymbolId>(game.symbols.size()));
    } else if (word_is("edge")) {
      const EdgeId edge = id<EdgeId>(graph.edge_bound() + 1);
      const NodeId source = node(game), target = node(game);
      const ir::Label now = label(game);
      if (edge.value == graph.edge_bound()) {
        graph.add_edge(source, target, now);
      } else {
        if (!graph.alive(edge)) refuse("this edge was removed");
        if (graph.source(edge) != source) graph.set_source(edge, source);
        if (graph.target(edge) != target) graph.set_target(edge, target);
        if (graph.label(edge) != now) graph.set_label(edge, now);
      }
    } else if (word_is("no-edge")) {
      const EdgeId edge = id<EdgeId>(graph.edge_bound() + 1);
      if (edge.value == graph.edge_bound()) graph.add_edge(game.begin(), game.begin(), ir::Empty{});
      if (!graph.alive(edge)) refuse("this edge was removed");
      graph.remove_edge(edge);
    } else if (word_is("no-node")) {
      const NodeId removed = node(game);
      if (graph.in_degree(removed) + graph.out_degree(removed) > 0 || removed == game.begin() || removed == game.end())
        refuse("this node has edges");
      graph.remove_node(removed);
    } else if (word_is("no-pragmas")) {
      game.pragmas.clear();
    } else if (word_is("pragma")) {
      game.pragmas.push_back({pragma(game), {}});
    } else {
      return false;
    }
    finish();
    return true;
  }

  // Most pragmas are only told apart.
  ir::PragmaContent pragma(const ir::Game& game) {
    const std::string_view all = rest_, kind = word();
    if (kind == "artificial") return ir::ArtificialTag{ids<SymbolId>(game.symbols.size())};
    if (kind == "unique") return ir::Unique{ids<NodeId>(game.graph.node_bound())};
    if (kind == "repeat") {
      ir::Repeat repeat;
      while (!rest_.starts_with(':')) repeat.nodes.push_back(id<NodeId>(game.graph.node_bound()));
      word();
      repeat.variables = ids<VarId>(game.variables().size());
      return repeat;
    }
    const std::string_view content = kind == "other" ? rest_ : all;
    rest_ = {};
    return ir::Unknown{std::string(content)};
  }

  PassRecord record(const ir::Game& before, const ir::Game& after) {
    PassRecord record;
    for (;; next()) {
      if (word_is("same")) {
        const NodeId now = id<NodeId>(after.graph.node_bound());
        record.nodes.emplace_back(now, id<NodeId>(before.graph.node_bound()));
      } else if (word_is("origin")) {
        const VarId now = id<VarId>(after.variables().size());
        const VarId then = id<VarId>(before.variables().size());
        record.origins.push_back({now, then, ids<SymbolId>(before.symbols.size())});
      } else if (word_is("unread")) {
        PassRecord::Unread cell{id<VarId>(after.variables().size()), {}, {}};
        for (std::size_t keys = number(after.symbols.size()); keys > 0; --keys)
          cell.keys.push_back(id<SymbolId>(after.symbols.size()));
        cell.nodes = ids<NodeId>(after.graph.node_bound());
        record.unread.push_back(std::move(cell));
      } else {
        return record;
      }
      finish();
    }
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::string_view rest_, command_;
};

}  // namespace

Report verify(std::string_view text, const std::string& name) { return Reader(text, name).run(); }

}  // namespace rgtrans::certificate
