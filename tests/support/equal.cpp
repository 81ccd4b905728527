// Compares two games without common ids: traverses both in parallel and compares names as text.
#include "tests/support/equal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "backends/rg/rg.hpp"
#include "core/support/support.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans::test {

namespace {

using ir::Game;

class Comparison {
 public:
  Comparison(const Game& a, const Game& b) : a_(a), b_(b), a_nodes_(a.node_names()), b_nodes_(b.node_names()) {}

  bool run() {
    return pragmas() &&
           definitions("type", a_.type_defs(), b_.type_defs(),
                       [&](const auto& x, const auto& y) { return type(x.type, y.type); }) &&
           definitions("constant", a_.constants(), b_.constants(),
                       [&](const auto& x, const auto& y) { return type(x.type, y.type) && value(x.value, y.value); }) &&
           definitions(
               "variable", a_.variables(), b_.variables(),
               [&](const auto& x, const auto& y) { return type(x.type, y.type) && value(x.initial, y.initial); }) &&
           edges();
  }

  [[nodiscard]] std::string difference() && { return std::move(difference_); }

 private:
  bool differ(std::string what) {
    difference_ = std::move(what);
    return false;
  }

  bool symbol(SymbolId x, SymbolId y) const {
    if (!x.valid() || !y.valid()) return x.valid() == y.valid();
    return a_.symbols.text(x) == b_.symbols.text(y);
  }
  bool node(ir::NodeId x, ir::NodeId y) const { return a_nodes_[x.value] == b_nodes_[y.value]; }
  bool variable(ir::VarId x, ir::VarId y) const {
    if (!x.valid() || !y.valid()) return x.valid() == y.valid();
    return symbol(a_.variable(x).name, b_.variable(y).name);
  }

  template <typename List, typename Same>
  static bool lists(const List& x, const List& y, Same&& same) {
    return std::ranges::equal(x, y, same);
  }

  bool type(ir::TypeId x, ir::TypeId y) const {
    if (!x.valid() || !y.valid()) return x.valid() == y.valid();
    if (a_.types.kind(x) != b_.types.kind(y)) return false;
    switch (a_.types.kind(x)) {
      case ir::TypeKind::alias:
        return symbol(a_.types.alias_name(x), b_.types.alias_name(y));
      case ir::TypeKind::arrow:
        return type(a_.types.from(x), b_.types.from(y)) && type(a_.types.to(x), b_.types.to(y));
      case ir::TypeKind::set:
        break;
    }
    return lists(a_.types.members(x), b_.types.members(y), [&](SymbolId s, SymbolId t) { return symbol(s, t); });
  }

  // Values share parts. The cache of compared pairs avoids exponential time.
  bool value(ir::ValueId x, ir::ValueId y) {
    if (!x.valid() || !y.valid()) return x.valid() == y.valid();
    const auto [known, fresh] = same_values_.try_emplace(std::uint64_t{x.value} << 32U | y.value, false);
    if (!fresh) return known->second;
    const bool same = compare_values(x, y);
    same_values_[std::uint64_t{x.value} << 32U | y.value] = same;
    return same;
  }

  bool compare_values(ir::ValueId x, ir::ValueId y) {
    if (a_.values.is_symbol(x) != b_.values.is_symbol(y)) return false;
    if (a_.values.is_symbol(x)) return symbol(a_.values.as_symbol(x), b_.values.as_symbol(y));
    const auto entries = a_.values.exceptions(x);
    if (entries.size() != b_.values.exceptions(y).size()) return false;
    if (!value(a_.values.default_of(x), b_.values.default_of(y))) return false;
    return std::ranges::all_of(entries, [&](const ir::Values::Entry& entry) {
      const SymbolId key = b_.symbols.find(a_.symbols.text(entry.key));
      return key.valid() && value(entry.value, b_.values.at(y, key));
    });
  }

  bool expression(ir::ExprId x, ir::ExprId y) const {
    const ir::Expressions& e = a_.expressions();
    const ir::Expressions& f = b_.expressions();
    if (e.kind(x) != f.kind(y)) return false;
    switch (e.kind(x)) {
      case ir::ExprKind::symbol:
        return symbol(e.symbol(x), f.symbol(y));
      case ir::ExprKind::constant:
        return symbol(a_.constant(e.constant(x)).name, b_.constant(f.constant(y)).name);
      case ir::ExprKind::variable:
        return variable(e.variable(x), f.variable(y));
      case ir::ExprKind::access:
        return expression(e.map(x), f.map(y)) && expression(e.index(x), f.index(y));
      case ir::ExprKind::cast:
        break;
    }
    return type(e.cast_type(x), f.cast_type(y)) && expression(e.operand(x), f.operand(y));
  }

  bool label(const ir::Label& x, const ir::Label& y) const {
    if (x.index() != y.index()) return false;
    return std::visit(
        ir::Overloaded{
            [](const ir::Empty&) { return true; },
            [&](const ir::Compare& c) {
              const auto& d = std::get<ir::Compare>(y);
              return c.negated == d.negated && expression(c.lhs, d.lhs) && expression(c.rhs, d.rhs);
            },
            [&](const ir::Assign& c) {
              const auto& d = std::get<ir::Assign>(y);
              return expression(c.lhs, d.lhs) && expression(c.rhs, d.rhs);
            },
            [&](const ir::AssignAny& c) {
              const auto& d = std::get<ir::AssignAny>(y);
              return expression(c.lhs, d.lhs) && type(c.type, d.type);
            },
            [&](const ir::Reachability& c) {
              const auto& d = std::get<ir::Reachability>(y);
              return c.negated == d.negated && node(c.from, d.from) && node(c.to, d.to);
            },
            [&](const ir::Tag& c) { return symbol(c.symbol, std::get<ir::Tag>(y).symbol); },
            [&](const ir::TagVariable& c) { return variable(c.variable, std::get<ir::TagVariable>(y).variable); },
        },
        x);
  }

  template <typename Row, typename Same>
  bool definitions(std::string_view what, std::span<const Row> x, std::span<const Row> y, Same&& same) {
    auto next = [](auto& it, auto end) {
      while (it != end && !it->alive) ++it;
      return it != end;
    };
    auto i = x.begin();
    auto j = y.begin();
    for (;; ++i, ++j) {
      const bool more = next(i, x.end());
      const bool other = next(j, y.end());
      if (!more && !other) return true;
      if (more != other) {
        return differ(fmt::format("only the {} game has {} {}", more ? "first" : "second", what,
                                  more ? a_.symbols.text(i->name) : b_.symbols.text(j->name)));
      }
      if (!symbol(i->name, j->name)) {
        return differ(fmt::format("{} {} against {}", what, a_.symbols.text(i->name), b_.symbols.text(j->name)));
      }
      if (!same(*i, *j)) return differ(fmt::format("{} {} is defined differently", what, a_.symbols.text(i->name)));
    }
  }

  bool edges() {
    const auto x = a_.graph.edges();
    const auto y = b_.graph.edges();
    auto i = x.begin();
    auto j = y.begin();
    for (; i != x.end() && j != y.end(); ++i, ++j) {
      if (node(a_.graph.source(*i), b_.graph.source(*j)) && node(a_.graph.target(*i), b_.graph.target(*j)) &&
          label(a_.graph.label(*i), b_.graph.label(*j))) {
        continue;
      }
      return differ(
          fmt::format("edge '{}' against '{}'", rg::print_edge(a_, *i, a_nodes_), rg::print_edge(b_, *j, b_nodes_)));
    }
    if (i == x.end() && j == y.end()) return true;
    const bool first = i != x.end();
    return differ(fmt::format("only the {} game has the edge '{}'", first ? "first" : "second",
                              first ? rg::print_edge(a_, *i, a_nodes_) : rg::print_edge(b_, *j, b_nodes_)));
  }

  // The text of a pragma contains all of its data.
  bool pragmas() {
    const std::size_t count = std::min(a_.pragmas.size(), b_.pragmas.size());
    for (std::size_t i = 0; i < count; ++i) {
      const std::string x = rg::print_pragma(a_, a_.pragmas[i], a_nodes_);
      const std::string y = rg::print_pragma(b_, b_.pragmas[i], b_nodes_);
      const bool same = x == y && a_.pragmas[i].content.index() == b_.pragmas[i].content.index();
      if (!same) return differ(fmt::format("pragma '{}' against '{}'", x, y));
    }
    if (a_.pragmas.size() == b_.pragmas.size()) return true;
    return differ(fmt::format("{} pragmas against {}", a_.pragmas.size(), b_.pragmas.size()));
  }

  const Game& a_;
  const Game& b_;
  std::vector<std::string> a_nodes_;
  std::vector<std::string> b_nodes_;
  std::unordered_map<std::uint64_t, bool> same_values_;
  std::string difference_;
};

}  // namespace

bool equal(const Game& a, const Game& b, std::string* difference) {
  Comparison comparison(a, b);
  const bool same = comparison.run();
  if (!same && difference != nullptr) *difference = std::move(comparison).difference();
  return same;
}

std::string lost_in_text(const Game& game) try {
  std::string difference;
  equal(game, rg::parse_game(rg::print(game)), &difference);
  return difference.empty() ? "" : "the text means another game: " + difference;
} catch (const Error& error) {
  return "the text cannot be read: " + error.diagnostics().front().message;
}

}  // namespace rgtrans::test
