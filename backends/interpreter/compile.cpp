// Compiles one context after the other: first the moves, then each reachability check. While a context is compiled, a
// successor may be the mark of a node (kNodeMark + local number). Marks are replaced once all nodes have code. A node
// whose only edge does nothing has no code; jumps to it go to the edge's target.
#include "backends/interpreter/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <optional>

#include "backends/interpreter/context.hpp"
#include "backends/interpreter/refine.hpp"

namespace rgtrans::interpreter {

using ir::EdgeId;
using ir::NodeId;

namespace {

constexpr Pc kNodeMark = 0x80000000U;
constexpr std::size_t kMaxCode = 1U << 24U;
constexpr std::uint64_t kMaxSmallVisit = 1U << 12U;
constexpr std::size_t kMaxSwitch = 1024;
constexpr std::size_t kSwitchFilling = 16;
constexpr std::size_t kMaxFan = 4096;
constexpr std::size_t kMaxPairs = 64;
constexpr std::size_t kMaxListedParts = 40;  // parts of a visit's key; a larger key consists of the changed cells only

class Compiler {
 public:
  Compiler(const ir::Game& game, const StateLayout& layout, const CompileOptions& options)
      : game_(game),
        layout_(layout),
        options_(options),
        symbolic_(game, layout, program_),
        explorer_(game, layout, symbolic_, options.interpreter) {}

  MachineProgram run() {
    program_.code.emplace_back();  // kFail
    MachineContext moves = explorer_.moves();
    for (std::size_t i = 0; i < moves.starts.size(); ++i) {
      const std::uint32_t node = moves.nodes[moves.starts[i]];
      start_of_[NodeId(node)] = static_cast<std::uint32_t>(i);
      program_.starts.push_back({kFail, node, moves.deduplicate[i] && !options_.walks, false});
      program_.live_cells.push_back(cells_of(moves.live[moves.starts[i]]));
    }
    program_.starts[0].listed =
        layout_.initial()[layout_.variable(game_.player()).offset] != layout_.code(game_.keeper());
    compile(moves);
    for (std::size_t i = 0; i < moves.starts.size(); ++i) program_.starts[i].entry = entry_[moves.starts[i]];
    for (std::size_t i = 0; i < program_.checks.size(); ++i) {
      MachineContext check = explorer_.check(NodeId(program_.checks[i].from), NodeId(program_.checks[i].to));
      compile(check);
      program_.checks[i].entry = entry_[0];
    }
    refine(program_);
    return std::move(program_);
  }

 private:
  // An outgoing edge of a node. `held`: its condition is known to hold.
  struct Way {
    std::uint32_t edge;
    bool held = false;
    auto operator<=>(const Way&) const = default;
  };

  Pc emit(Instruction instruction) {
    if (program_.code.size() >= kMaxCode) {
      throw Error(fmt::format("the game needs more than {} instructions, the interpreter's limit", kMaxCode));
    }
    program_.code.push_back(instruction);
    return static_cast<Pc>(program_.code.size() - 1);
  }

  void compile(MachineContext& context) {
    context_ = &context;
    if (options_.walks) {
      for (std::uint32_t node = 0; node < context.nodes.size(); ++node) {
        context.visit[node] = node != context.target && !context.in[node].empty();
      }
    }
    const auto first = static_cast<Pc>(program_.code.size());
    const std::size_t first_jump = program_.jumps.size();
    entry_.assign(context.nodes.size(), kFail);
    for (std::uint32_t node = 0; node < context.nodes.size(); ++node) {
      if (node == context.target) {
        entry_[node] = emit({.op = Op::reached});
        continue;
      }
      std::vector<Way> ways;
      for (std::uint32_t edge : context.out[node]) ways.push_back({edge, false});
      chosen_.clear();
      const Pc body = choose(ways);
      entry_[node] = context.visit[node] ? emit_visit(node, body) : body;
    }
    for (Pc& entry : entry_) entry = resolved(entry);
    for (Pc pc = first; pc < program_.code.size(); ++pc) {
      if (is_jump(program_.code[pc].op)) continue;
      program_.code[pc].next = resolved(program_.code[pc].next);
      program_.code[pc].alt = resolved(program_.code[pc].alt);
    }
    for (std::size_t i = first_jump; i < program_.jumps.size(); ++i) program_.jumps[i] = resolved(program_.jumps[i]);
  }

  Pc resolved(Pc pc) const {
    // The chain ends: a cycle of nodes without code cannot occur, since one of its nodes has a visit instruction.
    for (std::size_t steps = 0; pc >= kNodeMark; ++steps) {
      if (steps > entry_.size()) return kFail;
      pc = entry_[pc - kNodeMark];
    }
    return pc;
  }

  // --- Choice among several edges. ---

  Pc choose(const std::vector<Way>& ways) {
    if (ways.empty()) return kFail;
    if (ways.size() == 1) return follow(ways[0]);
    if (const auto it = chosen_.find(ways); it != chosen_.end()) return it->second;
    const Pc pc = choose_anew(ways);
    chosen_.emplace(ways, pc);
    return pc;
  }

  Pc choose_anew(const std::vector<Way>& ways) {
    if (const auto pc = by_value(ways)) return *pc;
    if (ways.size() <= kMaxPairs) {
      if (const auto pc = by_opposites(ways)) return *pc;
    }
    return one_by_one(ways);
  }

  [[nodiscard]] EdgeId id(const Way& way) const { return context_->edges[way.edge].edge; }
  [[nodiscard]] const ir::Label& label(const Way& way) const { return game_.graph.label(id(way)); }
  [[nodiscard]] bool conditional(const Way& way) const {
    const Deed deed = context_->edges[way.edge].deed;
    return !way.held && (deed == Deed::compare || deed == Deed::check);
  }

  // The cell that most of the edges compare, if several edges compare one cell.
  std::optional<Sym> most_compared(std::vector<Sym> atoms) {
    std::erase(atoms, kNone);
    std::ranges::sort(atoms);
    std::optional<Sym> best;
    std::size_t most = 1;
    for (auto at = atoms.begin(); at != atoms.end();) {
      const auto end = std::upper_bound(at, atoms.end(), *at);
      const auto uses = static_cast<std::size_t>(end - at);
      // A large table must not be sparse.
      const std::uint64_t size = symbolic_.bounds(*at).count();
      if (uses > most && (size <= kMaxSwitch || uses * kSwitchFilling >= size)) {
        best = *at;
        most = uses;
      }
      at = end;
    }
    return best;
  }

  // Several comparisons of one cell become a jump by its value.
  std::optional<Pc> by_value(const std::vector<Way>& ways) {
    std::vector<Sym> atom_of(ways.size(), kNone);
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const EdgeFacts& facts = explorer_.facts(id(ways[i]));
      if (!conditional(ways[i]) || !facts.symbolic) continue;
      const auto on = symbolic_.only_atom(facts.left, facts.right);
      if (!on || (symbolic_.bounds(*on).count() > kMaxSwitch && !compared_code(ways[i], *on))) continue;
      atom_of[i] = *on;
    }
    const auto best = most_compared(atom_of);
    if (!best) return std::nullopt;
    const Sym atom = *best;
    std::vector<Way> group;
    std::vector<Way> others;
    for (std::size_t i = 0; i < ways.size(); ++i) (atom_of[i] == atom ? group : others).push_back(ways[i]);
    if (!others.empty()) {
      // Larger fans of mixed conditions become plain forks, since splitting off one kind at a time takes quadratic
      // time.
      if (ways.size() > kMaxFan) return std::nullopt;
      return fork(group, others);
    }
    const Symbolic::Bounds bounds = symbolic_.bounds(atom);
    const std::vector<std::uint32_t>& codes = symbolic_.codes(atom);
    std::vector<Pc> table(bounds.count(), kFail);
    if (group.size() <= 64) {
      choose_few(group, atom, bounds, table);
    } else {
      std::vector<std::vector<Way>> legal(bounds.count());
      for (const Way& way : group) {
        for_each_legal(way, atom, bounds, [&](std::uint32_t at) { legal[at].push_back({way.edge, true}); });
      }
      for (std::uint32_t code : codes) table[code - bounds.low] = choose(legal[code - bounds.low]);
    }
    if (const auto two_way = as_test(atom, bounds.low, table)) return two_way;
    return emit_jump(symbolic_.operand(atom), bounds.low, table);
  }

  Pc emit_jump(const Operand& value, std::uint32_t low, const std::vector<Pc>& table) {
    Instruction jump = with_operand(Op::jump, value);
    jump.next = static_cast<std::uint32_t>(program_.jumps.size());
    jump.alt = static_cast<std::uint32_t>(table.size());
    jump.k = jump.next - low;
    program_.jumps.insert(program_.jumps.end(), table.begin(), table.end());
    return emit(jump);
  }

  static std::vector<Way> held_ways(const std::vector<Way>& ways, std::uint64_t set) {
    std::vector<Way> held;
    for (; set != 0; set &= set - 1) held.push_back({ways[static_cast<std::size_t>(std::countr_zero(set))].edge, true});
    return held;
  }

  // Calls f(code - bounds.low) for each code of the cell that makes the edge legal.
  template <class F>
  void for_each_legal(const Way& way, Sym atom, const Symbolic::Bounds& bounds, F&& f) {
    const EdgeFacts& facts = explorer_.facts(id(way));
    const bool negated = std::get<ir::Compare>(label(way)).negated;
    const auto only = asked_code(way, atom);
    if (only && !negated) {
      if (*only >= bounds.low && *only <= bounds.high) f(*only - bounds.low);
      return;
    }
    for (std::uint32_t code : symbolic_.codes(atom)) {
      const bool equal =
          only ? code == *only
               : symbolic_.evaluate(facts.left, atom, code) == symbolic_.evaluate(facts.right, atom, code);
      if (equal != negated) f(code - bounds.low);
    }
  }

  // Fills the table for few edges, when many codes have the same set of legal edges.
  void choose_few(const std::vector<Way>& group, Sym atom, const Symbolic::Bounds& bounds, std::vector<Pc>& table) {
    std::vector<std::uint64_t> legal(bounds.count(), 0);
    for (std::size_t i = 0; i < group.size(); ++i) {
      for_each_legal(group[i], atom, bounds, [&](std::uint32_t at) { legal[at] |= std::uint64_t{1} << i; });
    }
    std::vector<std::pair<std::uint64_t, Pc>> done;
    for (std::uint32_t code : symbolic_.codes(atom)) {
      const std::uint64_t set = legal[code - bounds.low];
      auto it = std::ranges::find(done, set, &std::pair<std::uint64_t, Pc>::first);
      if (it == done.end()) {
        it = done.insert(done.end(), {set, choose(held_ways(group, set))});
      }
      table[code - bounds.low] = it->second;
    }
  }

  // The code that the edge's condition requires of this cell, or none.
  std::optional<std::uint32_t> compared_code(const Way& way, Sym atom) {
    if (std::get<ir::Compare>(label(way)).negated) return std::nullopt;
    return asked_code(way, atom);
  }
  // The same; a negated condition requires any other code.
  std::optional<std::uint32_t> asked_code(const Way& way, Sym atom) {
    const EdgeFacts& facts = explorer_.facts(id(way));
    if (facts.left == atom) return symbolic_.constant(facts.right);
    if (facts.right == atom) return symbolic_.constant(facts.left);
    return std::nullopt;
  }

  // A jump with at most two outcomes becomes a test.
  std::optional<Pc> as_test(Sym atom, std::uint32_t low, const std::vector<Pc>& table) {
    const std::vector<std::uint32_t>& codes = symbolic_.codes(atom);
    const Pc yes = table[codes[0] - low];
    std::size_t count = 0;  // codes that lead to `yes`
    std::uint32_t last_no = codes[0];
    for (std::uint32_t code : codes) {
      const Pc pc = table[code - low];
      if (pc == yes) {
        ++count;
        continue;
      }
      if (last_no != codes[0] && pc != table[last_no - low]) return std::nullopt;
      last_no = code;
    }
    if (count == codes.size()) return yes;
    const Pc no = table[last_no - low];
    if (count == 1) return emit_test(symbolic_.operand(atom), codes[0], yes, no);
    if (count + 1 == codes.size()) return emit_test(symbolic_.operand(atom), last_no, no, yes);
    std::vector<std::uint32_t> with_yes;
    std::ranges::copy_if(codes, std::back_inserter(with_yes),
                         [&](std::uint32_t code) { return table[code - low] == yes; });
    return emit_test(symbolic_.indicator(atom, with_yes), 1, yes, no);
  }

  // Evaluates a condition and its negation only once.
  std::optional<Pc> by_opposites(const std::vector<Way>& ways) {
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (!conditional(ways[i])) continue;
      std::vector<Way> same;
      std::vector<Way> opposite;
      std::vector<Way> others;
      for (const Way& way : ways) {
        const Truth is_same = conditional(way) ? same_condition(ways[i], way) : Truth::unknown;
        (is_same == Truth::yes ? same : is_same == Truth::no ? opposite : others).push_back(way);
      }
      if (same.size() + opposite.size() < 2) continue;
      if (!others.empty()) {
        std::vector<Way> group = same;
        group.insert(group.end(), opposite.begin(), opposite.end());
        return fork(group, others);
      }
      for (Way& way : same) way.held = true;
      for (Way& way : opposite) way.held = true;
      const Pc yes = choose(same);
      const Pc no = choose(opposite);
      return emit_condition(ways[i], yes, no);
    }
    return std::nullopt;
  }

  // yes: the same condition; no: its negation; unknown: neither is provable.
  Truth same_condition(const Way& one, const Way& two) {
    if (const auto* a = std::get_if<ir::Reachability>(&label(one))) {
      const auto* b = std::get_if<ir::Reachability>(&label(two));
      if (b == nullptr || a->from != b->from || a->to != b->to) return Truth::unknown;
      return truth_of(a->negated == b->negated);
    }
    const auto* a = std::get_if<ir::Compare>(&label(one));
    const auto* b = std::get_if<ir::Compare>(&label(two));
    if (a == nullptr || b == nullptr) return Truth::unknown;
    const EdgeFacts& f = explorer_.facts(id(one));
    const EdgeFacts& g = explorer_.facts(id(two));
    const bool equal = f.symbolic && g.symbolic
                           ? (f.left == g.left && f.right == g.right) || (f.left == g.right && f.right == g.left)
                           : f.symbolic == g.symbolic && a->lhs == b->lhs && a->rhs == b->rhs;
    if (!equal) return Truth::unknown;
    return truth_of(a->negated == b->negated);
  }

  Pc fork(const std::vector<Way>& first, const std::vector<Way>& later) {
    const Pc alt = choose(later);
    const Pc next = choose(first);
    if (next == kFail) return alt;
    return alt == kFail ? next : emit({.op = Op::fork, .next = next, .alt = alt});
  }

  // Tests each condition before it forks to the remaining edges. If it excludes all of them, no fork is needed.
  Pc one_by_one(const std::vector<Way>& ways) {
    Pc rest = choose({ways.back()});
    for (std::size_t i = ways.size() - 1; i-- > 0;) {
      const Way& way = ways[i];
      const bool excludes_rest = ways.size() <= kMaxPairs && conditional(way) &&
                                 std::ranges::all_of(std::span(ways).subspan(i + 1), [&](const Way& later) {
                                   return !later.held && explorer_.exclusive(id(way), id(later));
                                 });
      Pc taken = follow({way.edge, way.held || conditional(way)});
      if (!excludes_rest && rest != kFail) taken = emit({.op = Op::fork, .next = taken, .alt = rest});
      rest = conditional(way) ? emit_condition(way, taken, rest) : taken;
    }
    return rest;
  }

  // --- Single edges. ---

  Pc emit_condition(const Way& way, Pc yes, Pc no) {
    if (const auto* check = std::get_if<ir::Reachability>(&label(way))) {
      if (check->negated) std::swap(yes, no);
      if (check->from == check->to || yes == no) return yes;
      return emit({.op = Op::check, .next = yes, .alt = no, .a = check_index(check->from, check->to)});
    }
    const auto& compare = std::get<ir::Compare>(label(way));
    if (compare.negated) std::swap(yes, no);
    const EdgeFacts& facts = explorer_.facts(id(way));
    if (!facts.symbolic) return emit_same(compare, yes, no);
    if (facts.left == facts.right) return yes;
    const auto left = symbolic_.constant(facts.left);
    const auto right = symbolic_.constant(facts.right);
    if (left && right) return *left == *right ? yes : no;
    if (left || right) {
      const Operand value = symbolic_.operand(left ? facts.right : facts.left);
      if (value.mode == Mode::cell || value.mode == Mode::indirect || value.mode == Mode::indirect2 ||
          value.mode == Mode::deep) {
        return emit_test(value, left ? *left : *right, yes, no);
      }
    }
    if (const auto both = symbolic_.equality(facts.left, facts.right)) return emit_test(*both, 1, yes, no);
    const std::uint32_t one = symbolic_.operand_index(facts.left), other = symbolic_.operand_index(facts.right);
    return emit({.op = Op::equal2, .next = yes, .alt = no, .a = one, .b = other});
  }

  Pc emit_test(const Operand& value, std::uint32_t k, Pc yes, Pc no) {
    if (yes == no) return yes;
    Instruction test = with_operand(Op::test, value);
    test.k = k;
    test.next = yes;
    test.alt = no;
    return emit(test);
  }

  static Instruction with_operand(Op base, const Operand& value) {
    const auto op = static_cast<Op>(static_cast<std::uint8_t>(base) + static_cast<std::uint8_t>(value.mode));
    return {.op = op, .w = value.w, .a = value.a, .b = value.b, .c = value.c, .e = value.e};
  }

  Pc follow(const Way& way) {
    const MachineContext::Edge& edge = context_->edges[way.edge];
    const Pc target = edge.deed == Deed::end_move ? kFail : kNodeMark + edge.target;
    const ir::Label& what = game_.graph.label(edge.edge);
    switch (edge.deed) {
      case Deed::nothing:
        return target;
      case Deed::compare:
      case Deed::check:
        return way.held ? target : emit_condition(way, target, kFail);
      case Deed::assign:
        return emit_assign(std::get<ir::Assign>(what), target);
      case Deed::assign_any:
        return emit_any(std::get<ir::AssignAny>(what), target);
      case Deed::tag:
        return emit({.op = Op::tag, .next = target, .a = std::get<ir::Tag>(what).symbol.value});
      case Deed::tag_variable: {
        const VariableLayout& shown = layout_.variable(std::get<ir::TagVariable>(what).variable);
        return emit({.op = Op::tag_cell, .next = target, .a = shown.offset});
      }
      case Deed::artificial_tag:
        if (!options_.walks) return target;
        return emit({.op = Op::tag, .next = target, .a = std::get<ir::Tag>(what).symbol.value | kMark});
      case Deed::end_move: {
        const Sym player = symbolic_.value(std::get<ir::Assign>(what).rhs);
        const std::uint32_t start = start_of_.at(game_.graph.target(edge.edge));
        if (symbolic_.constant(player) != layout_.code(game_.keeper())) program_.starts[start].listed = true;
        return emit({.op = Op::move, .a = symbolic_.operand_index(player), .b = start});
      }
    }
    return kFail;
  }

  Pc emit_assign(const ir::Assign& assign, Pc next) {
    if (game_.is_arrow(game_.expressions().type(assign.lhs))) {
      return emit({.op = Op::copy, .next = next, .a = run_of(assign.lhs, assign.rhs, true)});
    }
    const Sym address = symbolic_.target(assign.lhs);
    const Sym value = symbolic_.value(assign.rhs);
    if (const auto cell = symbolic_.fixed_cell(address)) {
      Instruction set = with_operand(Op::set, symbolic_.operand(value));
      set.k = *cell;
      set.next = next;
      return emit(set);
    }
    const std::uint32_t place = symbolic_.operand_index(address);
    const ir::Expressions& all = game_.expressions();
    const VariableLayout& written = layout_.variable(all.variable(all.root(assign.lhs)));
    return emit({.op = Op::set_at,
                 .next = next,
                 .a = place,
                 .b = symbolic_.operand_index(value),
                 .c = written.shape.size,
                 .k = written.offset});
  }

  Pc emit_any(const ir::AssignAny& any, Pc next) {
    const Sym address = symbolic_.target(any.lhs);
    Instruction instruction;
    const auto cell = symbolic_.fixed_cell(address);
    instruction.op = cell ? Op::any : Op::any_at;
    instruction.a = cell ? *cell : symbolic_.operand_index(address);
    instruction.b = static_cast<std::uint32_t>(program_.lists.size());
    for (SymbolId member : game_.members(any.type)) {
      program_.lists.push_back(layout_.code(member));
      ++instruction.c;
    }
    instruction.next = next;
    return instruction.c == 0 ? kFail : emit(instruction);
  }

  Pc emit_same(const ir::Compare& compare, Pc yes, Pc no) {
    if (yes == no) return yes;
    return emit({.op = Op::same, .next = yes, .alt = no, .a = run_of(compare.lhs, compare.rhs, false)});
  }

  // Pairs the cells of two maps by key. A key that exists on one side only reads the other side's default.
  std::uint32_t run_of(ir::ExprId left, ir::ExprId right, bool assigning) {
    const Symbolic::Place to = symbolic_.place(left, assigning);
    const Symbolic::Place from = symbolic_.place(right, false);
    if (to.shape.levels.size() != from.shape.levels.size()) throw Error("maps of different depth meet in an edge");
    Run run;
    run.left = symbolic_.operand_index(to.address);
    run.right = symbolic_.operand_index(from.address);
    run.left_constant = to.constant;
    run.right_constant = from.constant;
    pair_cells(to.shape, from.shape, 0, 0, 0, assigning, run);
    program_.runs.push_back(std::move(run));
    return static_cast<std::uint32_t>(program_.runs.size() - 1);
  }

  static void pair_cells(const FlatShape& to, const FlatShape& from, std::size_t level, std::uint32_t left,
                         std::uint32_t right, bool assigning, Run& run) {
    if (level == to.levels.size()) {
      run.left_cells.push_back(left);
      run.right_cells.push_back(right);
      return;
    }
    const Level& mine = to.levels[level];
    const Level& theirs = from.levels[level];
    const auto pair = [&](std::uint32_t my_block, std::uint32_t their_block) {
      pair_cells(to, from, level + 1, left + my_block * mine.stride, right + their_block * theirs.stride, assigning,
                 run);
    };
    for (std::uint32_t i = 0; i < mine.keys.size(); ++i) pair(i, theirs.block(mine.keys[i], false));
    if (assigning) {
      // Blocks beyond the keys: the default, and the trash, whose content is irrelevant.
      if (mine.has_default) {
        pair(static_cast<std::uint32_t>(mine.keys.size()), static_cast<std::uint32_t>(theirs.keys.size()));
      }
      return;
    }
    for (std::uint32_t i = 0; i < theirs.keys.size(); ++i) {
      const std::uint32_t key = theirs.keys[i];
      if (key >= mine.position.size() || mine.position[key] < 0) pair(static_cast<std::uint32_t>(mine.keys.size()), i);
    }
  }

  std::uint32_t check_index(NodeId from, NodeId to) {
    const auto [it, fresh] = check_index_.try_emplace({from, to}, static_cast<std::uint32_t>(program_.checks.size()));
    if (fresh) program_.checks.push_back({kFail, from.value, to.value});
    return it->second;
  }

  // --- Visits. ---

  std::vector<std::uint32_t> cells_of(const Bits& variables) const {
    std::vector<std::uint32_t> out;
    for (const ir::VarId id : game_.living_variables()) {
      if (!variables.test(id.value)) continue;
      const VariableLayout& variable = layout_.variable(id);
      for (std::uint32_t cell = variable.offset; cell < variable.offset + variable.shape.size; ++cell) {
        if (!layout_.is_trash(cell)) out.push_back(cell);
      }
    }
    return out;
  }

  Pc emit_visit(std::uint32_t node, Pc next) {
    VisitSpec spec;
    spec.tags = context_->tagged[node] || options_.walks;
    spec.late = context_->late[node] && !options_.walks;
    const Bits* listed = explorer_.repeat(*context_, node);
    for (const ir::VarId id : game_.living_variables()) {
      if (!context_->changed[node].test(id.value)) continue;
      if (!options_.walks) {
        if (!context_->live[node].test(id.value)) continue;
        if (listed != nullptr && !game_.built_in(id) && !listed->test(id.value)) continue;
      }
      const VariableLayout& variable = layout_.variable(id);
      const std::vector<std::uint32_t>& codes = variable.codes;
      for (std::uint32_t cell = variable.offset; cell < variable.offset + variable.shape.size; ++cell) {
        if (!layout_.is_trash(cell)) spec.parts.push_back({cell, codes.front(), codes.back() - codes.front() + 1});
      }
    }
    for (const VisitSpec::Part& part : spec.parts) {
      if (spec.codes > (std::uint64_t{1} << 62U) / part.range) {
        spec.exact = false;
        break;
      }
      spec.codes *= part.range;
    }
    if (!spec.exact && spec.parts.size() > kMaxListedParts) {
      spec.member.assign(layout_.cell_count(), false);
      for (const VisitSpec::Part& part : spec.parts) spec.member[part.cell] = true;
    }
    spec.small = spec.exact && !spec.tags && spec.codes <= kMaxSmallVisit;
    if (spec.small) {
      spec.direct = program_.stamps;
      program_.stamps += static_cast<std::uint32_t>(spec.codes);
    }
    const std::uint32_t late = spec.late ? 1 : 0;
    program_.visits.push_back(std::move(spec));
    return emit(
        {.op = Op::visit, .next = next, .a = static_cast<std::uint32_t>(program_.visits.size() - 1), .k = late});
  }

  const ir::Game& game_;
  const StateLayout& layout_;
  CompileOptions options_;
  MachineProgram program_;
  Symbolic symbolic_;
  Explorer explorer_;
  MachineContext* context_ = nullptr;
  std::vector<Pc> entry_;  // by local node
  std::map<std::vector<Way>, Pc> chosen_;
  std::map<NodeId, std::uint32_t> start_of_;
  std::map<std::pair<NodeId, NodeId>, std::uint32_t> check_index_;
};

}  // namespace

MachineProgram compile(const ir::Game& game, const StateLayout& layout, const CompileOptions& options) {
  return Compiler(game, layout, options).run();
}

}  // namespace rgtrans::interpreter
