// Translates the steps of a flow graph into labels of the RG automaton, one step at a time.
#include "frontends/rbg/emit/emit.hpp"

#include <fmt/format.h>

#include <map>

#include "frontends/rbg/emit/board_tables.hpp"
#include "frontends/rbg/emit/counters.hpp"
#include "frontends/rbg/emit/declarations.hpp"
#include "frontends/rbg/emit/formulas.hpp"
#include "frontends/rbg/emit/uses.hpp"
#include "frontends/rbg/emit/vocabulary.hpp"
#include "frontends/rbg/limits.hpp"

namespace rgtrans::rbg {

namespace {

using ir::TypeId;
using ir::ValueId;

bool check_sizes(const Description& description, const Arithmetic& arithmetic, Diagnostics& diagnostics) {
  for (std::uint32_t i = 0; i < description.variable_count(); ++i) {
    if (arithmetic.largest(i) <= Formulas::max_integer()) continue;
    diagnostics.error(description.variable(i).where,
                      fmt::format("the bound of {} is larger than {}",
                                  description.symbols.text(description.variable(i).name), Formulas::max_integer()),
                      "every value becomes a symbol; a smaller bound is enough if the value never grows that much; " +
                          limits::integer.advice());
  }
  return !diagnostics.has_errors();
}

class Emitter {
 public:
  Emitter(const Description& description, const Relations& relations, const FlowGraph& flow, const Knowledge& knowledge,
          const Arithmetic& arithmetic, ir::Game& game, Diagnostics& diagnostics)
      : d_(description),
        r_(relations),
        f_(flow),
        k_(knowledge),
        arithmetic_(arithmetic),
        g_(game),
        diagnostics_(diagnostics),
        v_(description, game),
        uses_(find_uses(description, relations, flow, arithmetic)),
        declared_(declare(description, uses_, arithmetic, v_, game)),
        tables_(relations, declared_, uses_.null_cursor || uses_.null_board, v_, game),
        counters_(description, flow, knowledge, declared_, v_, game),
        formulas_(description, arithmetic, v_, game, diagnostics),
        nodes_(flow.node_count()) {
    if (uses_.counting) counters_.declare(uses_.counted);
    formulas_.cells = {declared_.variables, counters_.expression(), counters_.range()};
  }

  void run() {
    for (EdgeId id : f_.living_edges()) {
      now_ = id;
      if (!diagnostics_.has_errors()) emit(f_.edge(id));
    }
    add_builtins(g_, diagnostics_);
  }

  void claim(const FlowClaims& claims) {
    if (claims.known != nullptr && claims.known->known()) {
      for (const NodeId id : f_.nodes()) claim_knowledge(id, *claims.known, claims.rewrite);
    }
    for (const FlowClaims::Way& way : claims.ways) {
      // Adds an edge to a dead end to carry the claim: the check that `from` reaches `to` must always hold, as Empty
      // does.
      const Range where = place_of(way.at);
      const ir::EdgeId aside = g_.graph.add_edge(node(way.at), g_.graph.add_node({}, where), ir::Empty{}, where);
      g_.claims.add(claims.rewrite, ir::SameEffect{aside, ir::Reachability{node(way.from), node(way.to), false}},
                    where);
    }
    claim_idle(claims);
    for (const auto& [one, other] : claims.opposites) {
      const std::vector<ir::EdgeId>&a = made_[one], &b = made_[other];
      if (a.size() == 1 && b.size() == 1)
        g_.claims.add(claims.rewrite, ir::Alternatives{{a[0], b[0]}, true, true}, f_.edge(one).step.where);
    }
  }

 private:
  // Only steps that are dropped as well read the variables that these dropped steps write.
  void claim_idle(const FlowClaims& claims) {
    std::vector<ir::EdgeId> dropped;
    for (const EdgeId id : claims.idle) dropped.insert(dropped.end(), made_[id].begin(), made_[id].end());
    for (const ir::EdgeId edge : dropped)
      if (ir::written_variable(g_, g_.graph.label(edge)).valid())
        g_.claims.add(claims.rewrite, ir::Unread{edge, {}, dropped}, g_.graph.where(edge));
  }

  [[nodiscard]] Range place_of(NodeId id) const {
    return f_.out(id).empty() ? Range() : f_.edge(f_.out(id).front()).step.where;
  }

  // Claims the possible positions of the cursor and the possible pieces at the cursor.
  void claim_knowledge(NodeId id, const Knowledge& known, std::string_view rewrite) {
    if (!nodes_[id].valid() || id == f_.end || !declared_.cursor.valid()) return;
    const bool leaves = std::ranges::any_of(f_.in(id), [&](EdgeId in) { return f_.edge(in).step.unchecked; });
    if (leaves) return;  // the cursor may be off the board until the next test
    const Range where = place_of(id);
    ir::OneOf places{nodes_[id], declared_.cursor, {}},
        pieces{nodes_[id], g_.access(declared_.board, declared_.cursor), {}};
    known.cursors[id].for_each([&](std::size_t v) { places.values.push_back(v_.vertices[v]); });
    known.pieces[id].for_each([&](std::size_t p) { pieces.values.push_back(v_.pieces[p]); });
    if (places.values.size() < d_.board.size()) g_.claims.add(rewrite, std::move(places), where);
    if (pieces.values.size() < d_.pieces.size()) g_.claims.add(rewrite, std::move(pieces), where);
  }

  ir::NodeId node(NodeId id) {
    if (id == f_.begin) return g_.begin();
    if (id == f_.end) return g_.end();
    if (!nodes_[id].valid()) nodes_[id] = g_.graph.add_node();
    return nodes_[id];
  }

  // Adds a path with these labels.
  void chain(const FlowGraph::Edge& edge, const std::vector<ir::Label>& labels) {
    ir::NodeId at = node(edge.from);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const bool last = i + 1 == labels.size();
      const ir::NodeId next = last ? node(edge.to) : g_.graph.add_node({}, edge.step.where);
      add_edge(at, next, labels[i], edge.step.where);
      at = next;
    }
  }

  void add_edge(ir::NodeId from, ir::NodeId to, const ir::Label& label, Range where) {
    const ir::EdgeId made = g_.graph.add_edge(from, to, label, where);
    if (g_.claims.wanted()) made_[now_].push_back(made);
  }

  ir::Label equals(ir::ExprId lhs, SymbolId rhs, bool negated = false) {
    return ir::Compare{lhs, g_.symbol(rhs), negated};
  }
  ir::Label is_true(ir::ExprId lhs) { return equals(lhs, v_.number(1)); }

  void tags(const FlowStep& step, std::vector<ir::Label>& labels) {
    if (step.modifier == 0) return;
    labels.push_back(ir::TagVariable{declared_.cursor_variable});
    labels.push_back(ir::Tag{v_.modifier(step.modifier)});
  }

  void emit(const FlowGraph::Edge& edge) {
    const FlowStep& step = edge.step;
    std::vector<ir::Label> labels, shown;
    switch (step.kind) {
      case Do::skip:
        labels.push_back(ir::Empty{});
        break;
      case Do::move:
        labels.push_back(ir::Assign{declared_.cursor, g_.access(tables_.function(step.index), declared_.cursor)});
        return arrive(edge, labels, !step.total && is_partial(r_, step.index));
      case Do::select: {
        const BoardTables::Choice& choice = tables_.choice(RelationId(step.index));
        labels.push_back(ir::AssignAny{declared_.choice, choice.numbers});
        labels.push_back(
            ir::Assign{declared_.cursor, g_.access(g_.access(choice.expression, declared_.cursor), declared_.choice)});
        return arrive(edge, labels, choice.partial);
      }
      case Do::any: {
        const SetId set(step.index);
        TypeId type = declared_.vertex;
        if (r_.size(set) == 1) {
          labels.push_back(ir::Assign{declared_.cursor, g_.symbol(v_.vertices[set.value])});
          break;
        }
        if (r_.size(set) != d_.board.size()) type = v_.subset("Area", symbols_of(set));
        labels.push_back(ir::AssignAny{declared_.cursor, type});
        break;
      }
      case Do::where:
        labels.push_back(where(step));
        break;
      case Do::on:
        labels.push_back(on(edge));
        break;
      case Do::off:
        tags(step, labels);
        counters_.replace_piece(edge, g_.symbol(v_.pieces[step.index]), labels);
        break;
      case Do::assign:
        tags(step, shown);
        if (!formulas_.assign(step, shown, labels)) return;
        break;
      case Do::compare:
        if (!formulas_.compare(step, labels)) return;
        break;
      case Do::check: {
        const FlowGraph::Pattern& pattern = f_.pattern(step);
        labels.push_back(ir::Reachability{node(pattern.start), node(pattern.end), step.negated});
        break;
      }
      case Do::among:
        labels.push_back(among(edge));
        break;
      case Do::code:
        labels.push_back(ir::Assign{declared_.variables[step.index], keyed(edge, false)});
        break;
      case Do::put:
        counters_.replace_piece(edge, keyed(edge, true), labels);
        break;
      case Do::forget:
        labels.push_back(ir::Assign{declared_.choice, g_.symbol(v_.number(0))});
        break;
      case Do::to_player:
        tags(step, labels);
        labels.push_back(ir::Assign{declared_.player, g_.symbol(v_.players[step.index])});
        break;
      case Do::to_keeper:
      case Do::to_end:
        tags(step, labels);
        labels.push_back(ir::Assign{declared_.player, g_.symbol(g_.keeper())});
        break;
    }
    chain(edge, labels);
  }

  std::vector<SymbolId> symbols_of(SetId set) const {
    std::vector<SymbolId> list;
    for (std::uint32_t v : r_.members(set)) list.push_back(v_.vertices[v]);
    return list;
  }

  // Adds the test for null after a step that may have left the board. All edges into a node share one test.
  void arrive(const FlowGraph::Edge& edge, std::vector<ir::Label>& labels, bool may_be_null) {
    if (!may_be_null || edge.step.unchecked) return chain(edge, labels);
    const auto [it, fresh] = arrivals_.try_emplace(edge.to);
    Arrival& arrival = it->second;
    if (fresh) {
      arrival.node = g_.graph.add_node({}, edge.step.where);
      arrival.test =
          g_.graph.add_edge(arrival.node, node(edge.to), equals(declared_.cursor, v_.null, true), edge.step.where);
    }
    ir::NodeId at = node(edge.from);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const ir::NodeId next = i + 1 == labels.size() ? arrival.node : g_.graph.add_node({}, edge.step.where);
      add_edge(at, next, labels[i], edge.step.where);
      at = next;
    }
    if (g_.claims.wanted()) made_[now_].push_back(arrival.test);
  }

  ir::Label where(const FlowStep& step) {
    const SetId set(step.index);
    const std::size_t size = r_.size(set);
    if (size == 1) return equals(declared_.cursor, v_.vertices[r_.members(set).front()], step.negated);
    Bits inside(d_.board.size());
    for (std::uint32_t v : r_.members(set)) inside.set(v);
    if (size + 1 == d_.board.size()) {
      for (std::uint32_t v = 0; v < d_.board.size(); ++v) {
        if (!inside.test(v)) return equals(declared_.cursor, v_.vertices[v], !step.negated);
      }
    }
    const auto [it, fresh] = areas_.try_emplace(step.index, ir::ExprId());
    if (fresh)
      it->second =
          tables_.indicator("area", declared_.vertex, v_.vertices, [&](std::size_t v) { return inside.test(v); });
    return equals(g_.access(it->second, declared_.cursor), v_.number(step.negated ? 0 : 1));
  }

  ir::Label on(const FlowGraph::Edge& edge) {
    const FlowStep& step = edge.step;
    ir::ExprId place = declared_.cursor;
    if (step.at != kNone) place = g_.access(tables_.function(step.at), declared_.cursor);
    const ir::ExprId piece = g_.access(declared_.board, place);
    const bool maybe_null = step.unchecked || (step.at != kNone && is_partial(r_, step.at));
    Bits wanted = piece_bits(d_, step.index);
    const std::size_t all = d_.pieces.size();
    std::size_t count = wanted.count();
    // Pieces that are impossible there may be added or removed, whichever makes the test simpler.
    if (k_.known() && step.at == kNone && !maybe_null) {
      const Bits& possible = k_.pieces[edge.from];
      Bits needed = wanted, excluded = possible;
      needed &= possible;
      excluded.remove(wanted);
      if (!excluded.any()) {
        if (step.negated) return equals(piece, v_.null);  // never holds; such edges were removed earlier
        return ir::Empty{};
      }
      if (needed.count() == 1) {
        wanted = needed;
        count = 1;
      } else if (excluded.count() == 1) {
        return equals(piece, v_.pieces[*excluded.first()], !step.negated);
      }
    }
    if (count == 1) return equals(piece, v_.pieces[*wanted.first()], step.negated);
    if (count == all) return maybe_null ? equals(piece, v_.null, !step.negated) : ir::Label(ir::Empty{});
    if (count + 1 == all && !maybe_null) {
      for (std::uint32_t p = 0; p < all; ++p) {
        if (!wanted.test(p)) return equals(piece, v_.pieces[p], !step.negated);
      }
    }
    const auto [it, fresh] = piece_sets_.try_emplace(step.index, ir::ExprId());
    if (fresh) {
      it->second = tables_.indicator("pieces", declared_.null_piece, declared_.board_pieces,
                                     [&](std::size_t p) { return p < all && wanted.test(p); });
    }
    return equals(g_.access(it->second, piece), v_.number(step.negated ? 0 : 1));
  }

  // --- Choices that became tables. --- The test whether the key occurs in the table.
  ir::Label among(const FlowGraph::Edge& edge) {
    const FlowStep& step = edge.step;
    const FlowGraph::Table& table = f_.table(step.table);
    Bits keys(step.at == kNone ? d_.pieces.size() : static_cast<std::size_t>(arithmetic_.largest(step.at)) + 1);
    for (const auto& [key, value] : table) keys.set(key);
    if (step.at == kNone) {
      const ir::ExprId piece = g_.access(declared_.board, declared_.cursor);
      Bits others = k_.known() ? k_.pieces[edge.from] : Bits::full(d_.pieces.size());
      others.remove(keys);
      if (!others.any()) return ir::Empty{};
      if (others.count() == 1) return equals(piece, v_.pieces[*others.first()], true);
      return is_true(g_.access(tables_.indicator("pieces", declared_.null_piece, declared_.board_pieces,
                                                 [&](std::size_t p) { return p < d_.pieces.size() && keys.test(p); }),
                               piece));
    }
    const Interval range{0, arithmetic_.largest(step.at)};
    Bits others = Bits::full(range.size());
    others.remove(keys);
    if (!others.any()) return ir::Empty{};
    if (others.count() == 1)
      return equals(declared_.variables[step.at], v_.number(static_cast<std::int64_t>(*others.first())), true);
    return is_true(g_.access(tables_.indicator("values", v_.number_type(range), v_.numbers(range),
                                               [&](std::size_t n) { return keys.test(n); }),
                             declared_.variables[step.at]));
  }

  // The table entry for its key.
  ir::ExprId keyed(const FlowGraph::Edge& edge, bool pieces) {
    const FlowStep& step = edge.step;
    const FlowGraph::Table& table = f_.table(step.table);
    const bool by_piece = step.at == kNone;
    const Interval range{0, by_piece ? 0 : arithmetic_.largest(step.at)};
    const std::vector<SymbolId> keys = by_piece ? declared_.board_pieces : v_.numbers(range);
    const auto symbol = [&](std::uint32_t value) { return pieces ? v_.pieces[value] : v_.number(value); };
    std::vector<ValueId> values(keys.size(), g_.values.symbol(symbol(table.front().second)));
    for (const auto& [key, value] : table) values[key] = g_.values.symbol(symbol(value));
    const TypeId result = pieces ? declared_.piece : v_.number_type({0, arithmetic_.largest(step.index)});
    const TypeId type = g_.types.arrow(by_piece ? declared_.null_piece : v_.number_type(range), result);
    const ir::ExprId key = by_piece ? g_.access(declared_.board, declared_.cursor) : declared_.variables[step.at];
    return g_.access(g_.constant_ref(v_.constant(pieces ? "piece_of" : "code_of", type, v_.map(keys, values))), key);
  }

  const Description& d_;
  const Relations& r_;
  const FlowGraph& f_;
  const Knowledge& k_;
  const Arithmetic& arithmetic_;
  ir::Game& g_;
  Diagnostics& diagnostics_;
  Vocabulary v_;
  Uses uses_;
  BoardDeclarations declared_;
  BoardTables tables_;
  Counters counters_;
  Formulas formulas_;

  std::map<std::uint32_t, ir::ExprId> areas_, piece_sets_;
  struct Arrival {
    ir::NodeId node;
    ir::EdgeId test;
  };
  std::map<NodeId, Arrival> arrivals_;  // the shared test for null before a node
  ByNode<ir::NodeId> nodes_;
  EdgeId now_;                                      // the step that is being emitted
  std::map<EdgeId, std::vector<ir::EdgeId>> made_;  // the edges of each step, if claims are wanted
};

}  // namespace

void emit(const Description& description, const Relations& relations, const FlowGraph& flow, const Knowledge& knowledge,
          ir::Game& game, Diagnostics& diagnostics, const FlowClaims& claims) {
  const Arithmetic arithmetic(description);
  if (!check_sizes(description, arithmetic, diagnostics)) return;
  Emitter emitter(description, relations, flow, knowledge, arithmetic, game, diagnostics);
  emitter.run();
  if (game.claims.wanted() && !diagnostics.has_errors()) emitter.claim(claims);
}

}  // namespace rgtrans::rbg
