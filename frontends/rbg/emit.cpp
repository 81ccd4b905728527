#include "frontends/rbg/emit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "core/support/limits.hpp"
#include "frontends/rbg/formulas.hpp"
#include "frontends/rbg/vocabulary.hpp"

namespace rgtrans::rbg {

namespace {

using ir::TypeId;
using ir::ValueId;

class Emitter {
 public:
  Emitter(const Description& description, Relations& relations, const Flow& flow, const Knowledge& knowledge,
          ir::Game& game, Diagnostics& diagnostics)
      : d_(description),
        r_(relations),
        f_(flow),
        k_(knowledge),
        g_(game),
        diagnostics_(diagnostics),
        arithmetic_(description),
        v_(description, game),
        formulas_(description, arithmetic_, v_, game, diagnostics) {}

  void run() {
    if (!check_sizes()) return;
    find_uses();
    declare();
    nodes_.resize(f_.node_count());
    for (EdgeId id = 0; id < f_.edge_count() && !diagnostics_.has_errors(); ++id) {
      if (f_.edge(id).alive) emit(f_.edge(id));
    }
    add_builtins(g_, diagnostics_);
  }

 private:
  // --- Declarations. ---
  bool check_sizes() {
    for (std::uint32_t i = 0; i < d_.variable_count(); ++i) {
      if (arithmetic_.largest(i) <= Formulas::max_integer()) continue;
      diagnostics_.error(
          d_.variable(i).where,
          fmt::format("the bound of {} is larger than {}", d_.symbols.text(d_.variable(i).name),
                      Formulas::max_integer()),
          "every value becomes a symbol; a smaller bound is enough if the value never grows that much; " +
              limits::rbg_integer.advice());
    }
    return !diagnostics_.has_errors();
  }

  void use_arith(ArithId id) {
    if (!id.valid()) return;
    std::vector<ArithId> leaves;
    arithmetic_.leaves(id, leaves);
    for (ArithId leaf : leaves) {
      const ArithNode& node = d_.expressions.arith(leaf);
      if (node.kind == Arith::piece) {
        tracked_[static_cast<std::size_t>(node.value)] = 1;
        counting_ = true;
      } else {
        read_[static_cast<std::size_t>(node.value)] = 1;
      }
    }
  }

  bool partial(std::uint32_t function) const {
    return std::ranges::find(r_.function(function), kNowhere) != r_.function(function).end();
  }

  bool partial_relation(std::uint32_t relation, std::size_t& most) const {
    std::size_t least = SIZE_MAX;
    most = 0;
    for (std::uint32_t v = 0; v < d_.board.size(); ++v) {
      const std::size_t size = r_.size(r_.at(RelationId(relation), v));
      least = std::min(least, size);
      most = std::max(most, size);
    }
    return least < most;
  }

  void find_uses() {
    read_.assign(d_.variable_count(), 0);
    written_.assign(d_.variable_count(), 0);
    tracked_.assign(d_.pieces.size(), 0);
    for (EdgeId id = 0; id < f_.edge_count(); ++id) {
      const Flow::Edge& edge = f_.edge(id);
      if (!edge.alive) continue;
      const Step& step = edge.step;
      use_arith(step.left);
      use_arith(step.right);
      std::size_t most = 0;
      switch (step.kind) {
        case Do::move:
          null_cursor_ = null_cursor_ || (!step.total && partial(step.index));
          break;
        case Do::select:
          if (partial_relation(step.index, most)) {
            null_cursor_ = true;
          }
          most_choices_ = std::max(most_choices_, most);
          break;
        case Do::on:
          null_board_ = null_board_ || step.unchecked || (step.at != kNowhere && partial(step.at));
          break;
        case Do::assign:
          written_[step.index] = 1;
          break;
        case Do::among:
        case Do::put:
          if (step.at != kNowhere) read_[step.at] = 1;
          break;
        case Do::code:
          written_[step.index] = 1;
          if (step.at != kNowhere) read_[step.at] = 1;
          break;
        default:
          break;
      }
    }
  }

  std::vector<SymbolId> with_null(std::vector<SymbolId> list, bool null) const {
    if (null) list.push_back(v_.null);
    return list;
  }

  void declare() {
    g_.define_type(g_.symbols.intern("Player"), g_.types.set(v_.players));
    declare_scores();
    vertex_type_ = v_.type("Coord", v_.vertices);
    null_vertex_type_ =
        null_cursor_ || null_board_ ? v_.type("CoordOrNull", with_null(v_.vertices, true)) : vertex_type_;
    piece_type_ = v_.type("Piece", v_.pieces);
    null_piece_type_ = null_board_ ? v_.type("PieceOrNull", with_null(v_.pieces, true)) : piece_type_;
    cursor_type_ = null_cursor_ ? null_vertex_type_ : vertex_type_;
    cursor_var_ = g_.define_variable(v_.fresh_name("cursor"), cursor_type_, g_.values.symbol(v_.vertices.front()));
    cursor_ = g_.variable_ref(cursor_var_);
    declare_board();
    if (most_choices_ > 0) {
      const Interval range{0, static_cast<std::int64_t>(most_choices_) - 1};
      choice_ = g_.variable_ref(
          g_.define_variable(v_.fresh_name("choice"), v_.integers(range), g_.values.symbol(v_.integer(0))));
    }
    declare_variables();
    declare_counters();
  }

  void declare_scores() {
    std::vector<std::int64_t> values = {0};
    bool all = false;
    for (std::uint32_t p = 0; p < d_.players.size(); ++p) {
      all = all || read_[p] != 0 || !arithmetic_.only_constants(p);
      const auto& list = arithmetic_.constants(p);
      values.insert(values.end(), list.begin(), list.end());
      score_range_.high = std::max(score_range_.high, arithmetic_.largest(p));
    }
    if (all) {
      values.resize(static_cast<std::size_t>(score_range_.high) + 1);
      std::iota(values.begin(), values.end(), 0);
    }
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::vector<SymbolId> symbols;
    for (std::int64_t value : values) symbols.push_back(v_.integer(value));
    g_.define_type(g_.symbols.intern("Score"), g_.types.set(symbols));
    // The built-in variable, declared here because edges refer to it.
    const TypeId goals =
        g_.types.arrow(g_.types.alias(g_.symbols.intern("Player")), g_.types.alias(g_.symbols.intern("Score")));
    g_.define_type(g_.symbols.intern("Goals"), goals);
    goals_ = g_.variable_ref(g_.define_variable(g_.symbols.intern("goals"), g_.types.alias(g_.symbols.intern("Goals")),
                                                g_.values.map(g_.values.symbol(symbols.front()), {})));
    std::vector<SymbolId> everybody = v_.players;
    everybody.push_back(g_.keeper());
    everybody.push_back(g_.random());
    const TypeId mover = v_.type("PlayerOrSystem", everybody);
    player_ = g_.variable_ref(g_.define_variable(g_.symbols.intern("player"), mover, g_.values.symbol(g_.keeper())));
  }

  void declare_board() {
    std::vector<ValueId> values;
    for (const Vertex& vertex : d_.board) values.push_back(g_.values.symbol(v_.pieces[vertex.piece]));
    std::vector<SymbolId> keys = v_.vertices;
    TypeId type = g_.types.arrow(vertex_type_, piece_type_);
    if (null_board_) {
      keys.push_back(v_.null);
      values.push_back(g_.values.symbol(v_.null));
      type = g_.types.arrow(null_vertex_type_, null_piece_type_);
    }
    board_ = g_.variable_ref(g_.define_variable(v_.fresh_name("board"), type, v_.map(keys, values)));
  }

  void declare_variables() {
    formulas_.cells.variables.resize(d_.variable_count());
    for (std::uint32_t i = 0; i < d_.variable_count(); ++i) {
      if (i < d_.players.size()) {
        formulas_.cells.variables[i] = g_.access(goals_, g_.symbol(v_.players[i]));
        continue;
      }
      if (read_[i] == 0 && written_[i] == 0) continue;
      const Declared& variable = d_.variable(i);
      const ir::VarId id =
          g_.define_variable(v_.fresh_name(d_.symbols.text(variable.name)), v_.integers({0, arithmetic_.largest(i)}),
                             g_.values.symbol(v_.integer(0)), variable.where);
      formulas_.cells.variables[i] = g_.variable_ref(id);
    }
  }

  void declare_counters() {
    if (!counting_) return;
    formulas_.cells.count_range = {0, static_cast<std::int64_t>(d_.board.size())};
    find_counted();
    std::vector<std::int64_t> counts(d_.pieces.size());
    for (const Vertex& vertex : d_.board) ++counts[vertex.piece];
    std::vector<ValueId> values;
    for (std::int64_t count : counts) values.push_back(g_.values.symbol(v_.integer(count)));
    const TypeId numbers = v_.integers(formulas_.cells.count_range);
    formulas_.cells.counters = g_.variable_ref(
        g_.define_variable(v_.fresh_name("counters"), g_.types.arrow(piece_type_, numbers), v_.map(v_.pieces, values)));
    std::vector<SymbolId> keys;
    std::vector<ValueId> more, fewer;
    for (std::int64_t n = 0; n <= formulas_.cells.count_range.high; ++n) {
      keys.push_back(v_.integer(n));
      more.push_back(g_.values.symbol(v_.integer(std::min(n + 1, formulas_.cells.count_range.high))));
      fewer.push_back(g_.values.symbol(v_.integer(std::max<std::int64_t>(n - 1, 0))));
    }
    const TypeId type = g_.types.arrow(numbers, numbers);
    more_ = g_.constant_ref(v_.constant("one_more", type, v_.map(keys, more)));
    fewer_ = g_.constant_ref(v_.constant("one_fewer", type, v_.map(keys, fewer)));
  }

  // --- Tables of the board. ---
  SymbolId vertex(std::uint32_t v) const { return v == kNowhere ? v_.null : v_.vertices[v]; }

  ir::ExprId function(std::uint32_t id) {
    const auto [it, fresh] = functions_.try_emplace(id, ir::ExprId());
    if (!fresh) return it->second;
    // Without null in the game, the direction is only used where it exists.
    const bool null = null_cursor_ || null_board_;
    std::vector<ValueId> values;
    for (std::uint32_t v : r_.function(id)) values.push_back(g_.values.symbol(vertex(v == kNowhere && !null ? 0 : v)));
    const TypeId type = g_.types.arrow(vertex_type_, partial(id) ? null_vertex_type_ : vertex_type_);
    const std::string& name = r_.function_name(id);
    it->second = g_.constant_ref(v_.constant(name.empty() ? fmt::format("jump_{}", ++jumps_) : "direction_" + name,
                                             type, v_.map(v_.vertices, values)));
    return it->second;
  }

  struct Table {
    ir::ExprId expression;
    TypeId choices;
    bool partial = false;
  };
  const Table& table(std::uint32_t relation) {
    const auto [it, fresh] = tables_.try_emplace(relation, Table());
    if (!fresh) return it->second;
    std::size_t most = 0;
    it->second.partial = partial_relation(relation, most);
    std::vector<SymbolId> numbers;
    for (std::size_t k = 0; k < most; ++k) numbers.push_back(v_.integer(static_cast<std::int64_t>(k)));
    it->second.choices = v_.integers({0, static_cast<std::int64_t>(most) - 1});
    std::vector<ValueId> rows;
    for (std::uint32_t v = 0; v < d_.board.size(); ++v) {
      const auto members = r_.members(r_.at(RelationId(relation), v));
      std::vector<ValueId> row;
      for (std::size_t k = 0; k < most; ++k) {
        row.push_back(g_.values.symbol(vertex(k < members.size() ? members[k] : kNowhere)));
      }
      rows.push_back(v_.map(numbers, row));
    }
    const TypeId target = it->second.partial ? null_vertex_type_ : vertex_type_;
    const TypeId type = g_.types.arrow(vertex_type_, g_.types.arrow(it->second.choices, target));
    it->second.expression =
        g_.constant_ref(v_.constant(fmt::format("reach_{}", tables_.size()), type, v_.map(v_.vertices, rows)));
    return it->second;
  }

  // A map to 1 for some keys and 0 for the others.
  ir::ExprId indicator(std::string_view stem, TypeId keys_type, const std::vector<SymbolId>& keys,
                       const std::function<bool(std::size_t)>& test) {
    std::vector<ValueId> values;
    for (std::size_t i = 0; i < keys.size(); ++i) values.push_back(g_.values.symbol(v_.integer(test(i) ? 1 : 0)));
    const TypeId type = g_.types.arrow(keys_type, v_.booleans());
    const ValueId value = v_.map(keys, values);
    return g_.constant_ref(v_.constant(fmt::format("{}_{}", stem, ++indicators_[std::string(stem)]), type, value));
  }

  // --- The automaton. ---
  ir::NodeId node(NodeId id) {
    if (id == f_.begin) return g_.begin();
    if (id == f_.end) return g_.end();
    if (!nodes_[id].valid()) nodes_[id] = g_.graph.add_node();
    return nodes_[id];
  }

  // A path of labels between two nodes.
  void chain(const Flow::Edge& edge, const std::vector<ir::Label>& labels) {
    ir::NodeId at = node(edge.from);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const bool last = i + 1 == labels.size();
      const ir::NodeId next = last ? node(edge.to) : g_.graph.add_node({}, edge.step.where);
      g_.graph.add_edge(at, next, labels[i], edge.step.where);
      at = next;
    }
  }

  ir::Label equals(ir::ExprId lhs, SymbolId rhs, bool negated = false) {
    return ir::Compare{lhs, g_.symbol(rhs), negated};
  }
  ir::Label is_true(ir::ExprId lhs) { return equals(lhs, v_.integer(1)); }

  void tags(const Step& step, std::vector<ir::Label>& labels) {
    if (step.modifier == 0) return;
    labels.push_back(ir::TagVariable{cursor_var_});
    labels.push_back(ir::Tag{v_.modifier(step.modifier)});
  }

  void emit(const Flow::Edge& edge) {
    const Step& step = edge.step;
    std::vector<ir::Label> labels, shown;
    switch (step.kind) {
      case Do::skip:
        labels.push_back(ir::Empty{});
        break;
      case Do::move:
        labels.push_back(ir::Assign{cursor_, g_.access(function(step.index), cursor_)});
        return arrive(edge, labels, !step.total && partial(step.index));
      case Do::select: {
        const Table& t = table(step.index);
        labels.push_back(ir::AssignAny{choice_, t.choices});
        labels.push_back(ir::Assign{cursor_, g_.access(g_.access(t.expression, cursor_), choice_)});
        return arrive(edge, labels, t.partial);
      }
      case Do::any: {
        const SetId set(step.index);
        TypeId type = vertex_type_;
        if (r_.size(set) == 1) {
          labels.push_back(ir::Assign{cursor_, g_.symbol(vertex(set.value))});
          break;
        }
        if (r_.size(set) != d_.board.size()) type = v_.subset("Area", symbols_of(set));
        labels.push_back(ir::AssignAny{cursor_, type});
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
        replace_piece(edge, g_.symbol(v_.pieces[step.index]), labels);
        break;
      case Do::assign:
        tags(step, shown);
        if (!formulas_.assign(step, shown, labels)) return;
        break;
      case Do::compare:
        if (!formulas_.compare(step, labels)) return;
        break;
      case Do::check: {
        const Flow::Pattern& pattern = f_.patterns[step.index];
        labels.push_back(ir::Reachability{node(pattern.start), node(pattern.end), step.negated});
        break;
      }
      case Do::among:
        labels.push_back(among(edge));
        break;
      case Do::code:
        labels.push_back(ir::Assign{formulas_.cells.variables[step.index], keyed(edge, false)});
        break;
      case Do::put:
        replace_piece(edge, keyed(edge, true), labels);
        break;
      case Do::forget:
        labels.push_back(ir::Assign{choice_, g_.symbol(v_.integer(0))});
        break;
      case Do::to_player:
        tags(step, labels);
        labels.push_back(ir::Assign{player_, g_.symbol(v_.players[step.index])});
        break;
      case Do::to_keeper:
      case Do::to_end:
        tags(step, labels);
        labels.push_back(ir::Assign{player_, g_.symbol(g_.keeper())});
        break;
    }
    chain(edge, labels);
  }

  std::vector<SymbolId> symbols_of(SetId set) const {
    std::vector<SymbolId> list;
    for (std::uint32_t v : r_.members(set)) list.push_back(v_.vertices[v]);
    return list;
  }

  // After a step that may have left the board. All arrivals at a node share the test.
  void arrive(const Flow::Edge& edge, std::vector<ir::Label>& labels, bool may_be_null) {
    if (!may_be_null || edge.step.unchecked) return chain(edge, labels);
    const auto [it, fresh] = arrivals_.try_emplace(edge.to, ir::NodeId());
    if (fresh) {
      it->second = g_.graph.add_node({}, edge.step.where);
      g_.graph.add_edge(it->second, node(edge.to), equals(cursor_, v_.null, true), edge.step.where);
    }
    ir::NodeId at = node(edge.from);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const ir::NodeId next = i + 1 == labels.size() ? it->second : g_.graph.add_node({}, edge.step.where);
      g_.graph.add_edge(at, next, labels[i], edge.step.where);
      at = next;
    }
  }

  ir::Label where(const Step& step) {
    const SetId set(step.index);
    const std::size_t size = r_.size(set);
    if (size == 1) return equals(cursor_, v_.vertices[r_.members(set).front()], step.negated);
    Bits inside(d_.board.size());
    for (std::uint32_t v : r_.members(set)) inside.set(v);
    if (size + 1 == d_.board.size()) {
      for (std::uint32_t v = 0; v < d_.board.size(); ++v) {
        if (!inside.test(v)) return equals(cursor_, v_.vertices[v], !step.negated);
      }
    }
    const auto [it, fresh] = areas_.try_emplace(step.index, ir::ExprId());
    if (fresh) it->second = indicator("area", vertex_type_, v_.vertices, [&](std::size_t v) { return inside.test(v); });
    return equals(g_.access(it->second, cursor_), v_.integer(step.negated ? 0 : 1));
  }

  ir::Label on(const Flow::Edge& edge) {
    const Step& step = edge.step;
    ir::ExprId place = cursor_;
    if (step.at != kNowhere) place = g_.access(function(step.at), cursor_);
    const ir::ExprId piece = g_.access(board_, place);
    const bool maybe_null = step.unchecked || (step.at != kNowhere && partial(step.at));
    Bits wanted = piece_bits(d_, step.index);
    const std::size_t all = d_.pieces.size();
    std::size_t count = wanted.count();
    // Pieces that cannot lie there may be added or left out, whatever gives the simpler test.
    if (k_.known() && step.at == kNowhere && !maybe_null) {
      const Bits& possible = k_.pieces[edge.from];
      Bits needed = wanted, excluded = possible;
      needed.keep(possible);
      excluded.drop(wanted);
      if (excluded.none()) {
        if (step.negated) return equals(piece, v_.null);  // never: such edges are removed before
        return ir::Empty{};
      }
      if (needed.count() == 1) {
        wanted = needed;
        count = 1;
      } else if (excluded.count() == 1) {
        return equals(piece, v_.pieces[excluded.single()], !step.negated);
      }
    }
    if (count == 1) return equals(piece, v_.pieces[wanted.single()], step.negated);
    if (count == all) return maybe_null ? equals(piece, v_.null, !step.negated) : ir::Label(ir::Empty{});
    if (count + 1 == all && !maybe_null) {
      for (std::uint32_t p = 0; p < all; ++p) {
        if (!wanted.test(p)) return equals(piece, v_.pieces[p], !step.negated);
      }
    }
    const auto [it, fresh] = piece_sets_.try_emplace(step.index, ir::ExprId());
    if (fresh) {
      it->second = indicator("pieces", null_piece_type_, with_null(v_.pieces, null_board_),
                             [&](std::size_t p) { return p < all && wanted.test(p); });
    }
    return equals(g_.access(it->second, piece), v_.integer(step.negated ? 0 : 1));
  }

  // --- Choices that became tables. ---
  // Is the key one of the table?
  ir::Label among(const Flow::Edge& edge) {
    const Step& step = edge.step;
    const Flow::Table& table = f_.table(step.table);
    Bits keys(step.at == kNowhere ? d_.pieces.size() : static_cast<std::size_t>(arithmetic_.largest(step.at)) + 1);
    for (const auto& [key, value] : table) keys.set(key);
    if (step.at == kNowhere) {
      const ir::ExprId piece = g_.access(board_, cursor_);
      Bits others = k_.known() ? k_.pieces[edge.from] : Bits(d_.pieces.size(), true);
      others.drop(keys);
      if (others.none()) return ir::Empty{};
      if (others.count() == 1) return equals(piece, v_.pieces[others.single()], true);
      return is_true(g_.access(indicator("pieces", null_piece_type_, with_null(v_.pieces, null_board_),
                                         [&](std::size_t p) { return p < d_.pieces.size() && keys.test(p); }),
                               piece));
    }
    const Interval range{0, arithmetic_.largest(step.at)};
    Bits others(range.size(), true);
    others.drop(keys);
    if (others.none()) return ir::Empty{};
    if (others.count() == 1) return equals(formulas_.cells.variables[step.at], v_.integer(others.single()), true);
    return is_true(g_.access(
        indicator("values", v_.integers(range), v_.integer_list(range), [&](std::size_t n) { return keys.test(n); }),
        formulas_.cells.variables[step.at]));
  }

  // The table applied to its key.
  ir::ExprId keyed(const Flow::Edge& edge, bool pieces) {
    const Step& step = edge.step;
    const Flow::Table& table = f_.table(step.table);
    const bool by_piece = step.at == kNowhere;
    const Interval range{0, by_piece ? 0 : arithmetic_.largest(step.at)};
    const std::vector<SymbolId> keys = by_piece ? with_null(v_.pieces, null_board_) : v_.integer_list(range);
    const auto symbol = [&](std::uint32_t value) { return pieces ? v_.pieces[value] : v_.integer(value); };
    std::vector<ValueId> values(keys.size(), g_.values.symbol(symbol(table.front().second)));
    for (const auto& [key, value] : table) values[key] = g_.values.symbol(symbol(value));
    const TypeId result = pieces ? piece_type_ : v_.integers({0, arithmetic_.largest(step.index)});
    const TypeId type = g_.types.arrow(by_piece ? null_piece_type_ : v_.integers(range), result);
    const ir::ExprId key = by_piece ? g_.access(board_, cursor_) : formulas_.cells.variables[step.at];
    return g_.access(g_.constant_ref(v_.constant(pieces ? "piece_of" : "code_of", type, v_.map(keys, values))), key);
  }

  void count_new(std::vector<ir::Label>& labels) {
    const ir::ExprId cell = g_.access(formulas_.cells.counters, g_.access(board_, cursor_));
    labels.push_back(ir::Assign{cell, g_.access(more_, cell)});
  }

  // --- Counters. ---
  Bits possible_before(const Flow::Edge& edge) const {
    return k_.known() ? k_.pieces[edge.from] : Bits(d_.pieces.size(), true);
  }
  Bits possible_after(const Flow::Edge& edge) const {
    Bits pieces(d_.pieces.size());
    if (edge.step.kind == Do::off) {
      pieces.set(edge.step.index);
    } else {
      for (const auto& [key, value] : f_.table(edge.step.table)) pieces.set(value);
    }
    return pieces;
  }

  // Whose counters are kept: those that are read, and those that cannot be told from them where a piece is replaced.
  void find_counted() {
    counted_ = Bits(d_.pieces.size());
    for (std::size_t p = 0; p < d_.pieces.size(); ++p) {
      if (tracked_[p] != 0) counted_.set(p);
    }
    for (bool again = true; again;) {
      again = false;
      for (EdgeId id = 0; id < f_.edge_count(); ++id) {
        const Flow::Edge& edge = f_.edge(id);
        if (!edge.alive || (edge.step.kind != Do::off && edge.step.kind != Do::put)) continue;
        for (const Bits& pieces : {possible_before(edge), possible_after(edge)}) {
          if (pieces.meets(counted_)) again = counted_.add(pieces) || again;
        }
      }
    }
  }

  void change_count(ir::ExprId piece, ir::ExprId table, std::vector<ir::Label>& labels) {
    const ir::ExprId cell = g_.access(formulas_.cells.counters, piece);
    labels.push_back(ir::Assign{cell, g_.access(table, cell)});
  }

  // One piece fewer of the kind that goes, one more of the kind that comes; a piece for its like changes nothing.
  void replace_piece(const Flow::Edge& edge, ir::ExprId piece, std::vector<ir::Label>& labels) {
    const ir::Label assignment = ir::Assign{g_.access(board_, cursor_), piece};
    if (!counting_) {
      labels.push_back(assignment);
      return;
    }
    const Bits before = possible_before(edge), after = possible_after(edge);
    const std::uint32_t goes = before.single(), comes = after.single();
    const bool same = goes != kNowhere && goes == comes;
    const ir::ExprId below = g_.access(board_, cursor_);
    if (!same && before.meets(counted_)) {
      change_count(goes != kNowhere ? g_.symbol(v_.pieces[goes]) : below, fewer_, labels);
    }
    labels.push_back(assignment);
    if (!same && after.meets(counted_)) {
      change_count(comes != kNowhere ? g_.symbol(v_.pieces[comes]) : below, more_, labels);
    }
  }

  const Description& d_;
  Relations& r_;
  const Flow& f_;
  const Knowledge& k_;
  ir::Game& g_;
  Diagnostics& diagnostics_;
  Arithmetic arithmetic_;
  Vocabulary v_;
  Formulas formulas_;

  std::vector<char> read_, written_, tracked_;
  bool counting_ = false, null_cursor_ = false, null_board_ = false;
  Bits counted_;
  std::size_t most_choices_ = 0;
  Interval score_range_;

  TypeId vertex_type_, null_vertex_type_, piece_type_, null_piece_type_, cursor_type_;
  ir::VarId cursor_var_;
  ir::ExprId cursor_, board_, choice_, goals_, player_, more_, fewer_;
  std::map<std::uint32_t, ir::ExprId> functions_, areas_, piece_sets_;
  std::map<std::uint32_t, Table> tables_;
  std::map<std::string, std::size_t> indicators_;
  std::map<NodeId, ir::NodeId> arrivals_;
  std::size_t jumps_ = 0;
  std::vector<ir::NodeId> nodes_;
};

}  // namespace

void emit(const Description& description, Relations& relations, const Flow& flow, const Knowledge& knowledge,
          ir::Game& game, Diagnostics& diagnostics) {
  Emitter(description, relations, flow, knowledge, game, diagnostics).run();
}

}  // namespace rgtrans::rbg
