// Simplification of the instances that the engine found. One abstract run over all reachable states decides for every
// atom whether it can ever be true and whether it always is: facts start with their initial value, a fact may change
// when its `next` may, a move may be chosen when it may be legal. What is constant is folded; then atoms are rebuilt
// bottom-up, sharing equal definitions and replacing atoms with a single literal by that literal.
#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <map>

#include "frontends/gdl/ground/grounder.hpp"

namespace rgtrans::gdl {

namespace {

using Kind = RelationInfo::Kind;

class Simplifier {
 public:
  Simplifier(Program& program, RawGround& raw, const GroundOptions& options, Diagnostics& diagnostics)
      : program_(program), raw_(raw), engine_(*raw.engine), options_(options), diagnostics_(diagnostics) {}

  GroundProgram run() {
    describe_atoms();
    clean_bodies();
    analyse();
    number_inputs();
    find_components();
    rebuild();
    outputs();
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  static constexpr std::uint32_t kProvisional = 0x20000000U;
  static constexpr int kMaxRounds = 20;

  // What an atom of the engine is.
  enum class Sort : std::uint8_t { fact, next, does, legal, derived, ghost };

  // --- Preparation. ---
  void describe_atoms() {
    const std::size_t count = engine_.atoms.size();
    sort_.assign(count, Sort::derived);
    cyclic_.assign(count, false);
    role_.assign(count, 0);
    for (std::size_t a = 0; a < count; ++a) {
      const Engine::Atom& atom = engine_.atoms[a];
      const RelationInfo& info = engine_.relations[atom.relation.value];
      const bool second = a > 0 && engine_.atoms[a - 1].relation == atom.relation &&
                          engine_.atoms[a - 1].row == atom.row && engine_.atoms[a - 1].ghost == atom.ghost;
      if (atom.ghost) {
        sort_[a] = Sort::ghost;
      } else if (info.kind == Kind::fact) {
        sort_[a] = second ? Sort::next : Sort::fact;
      } else if (info.kind == Kind::move) {
        sort_[a] = second ? Sort::legal : Sort::does;
        role_[a] = role_index(TermId(info.tuples->row(atom.row)[0]));
        if (second) cyclic_[a] = raw_.legal_cyclic;
      } else {
        cyclic_[a] = info.cyclic;
      }
    }
  }

  [[nodiscard]] std::uint32_t role_index(TermId role) const {
    const auto found = std::ranges::find(program_.roles, role);
    return found == program_.roles.end() ? kNone : static_cast<std::uint32_t>(found - program_.roles.begin());
  }

  // The real atom of a ghost, or none: then it is never true.
  [[nodiscard]] std::uint32_t real_atom(std::uint32_t ghost) const {
    const Engine::Atom& atom = engine_.atoms[ghost];
    const RelationInfo& info = engine_.relations[atom.relation.value];
    const std::uint32_t row = info.tuples->find(info.ghosts->row(atom.row));
    if (row == kNoRow) return kNone;
    return info.atoms[row] + (ghost - info.ghost_atoms[atom.row]);
  }

  // Sorts literals, resolves ghosts, drops bodies that contradict themselves or need their own head.
  void clean_bodies() {
    GroundRules& g = engine_.ground;
    dead_.assign(g.size(), false);
    std::uint64_t out = 0;
    std::uint64_t begin = 0;
    for (std::size_t b = 0; b < g.size(); ++b) {
      const std::uint64_t end = g.ends[b];
      const std::uint64_t start = out;
      for (std::uint64_t i = begin; i < end; ++i) {
        std::uint32_t literal = g.literals[i];
        if (sort_[literal / 2] == Sort::ghost) {
          const std::uint32_t real = real_atom(literal / 2);
          if (real == kNone) continue;
          literal = real * 2 + (literal & 1U);
        }
        g.literals[out++] = literal;
      }
      begin = end;
      const auto first = g.literals.begin() + static_cast<std::ptrdiff_t>(start);
      auto last = g.literals.begin() + static_cast<std::ptrdiff_t>(out);
      std::sort(first, last);
      last = std::unique(first, last);
      out = static_cast<std::uint64_t>(last - g.literals.begin());
      dead_[b] = impossible({first, last}, g.heads[b]);
      if (dead_[b]) out = start;
      g.ends[b] = out;
    }
    g.literals.resize(out);
  }

  [[nodiscard]] bool impossible(std::span<const std::uint32_t> body, std::uint32_t head) const {
    std::uint32_t does = kNone;
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (i > 0 && body[i] == (body[i - 1] ^ 1U) && (body[i] & 1U) != 0) return true;
      const std::uint32_t atom = body[i] / 2;
      if ((body[i] & 1U) != 0) continue;
      if (atom == head) return true;
      if (sort_[atom] != Sort::does) continue;
      // Two moves of one role; literals are sorted by atom, not by role, so compare with every earlier one.
      if (does != kNone) {
        for (std::size_t j = 0; j < i; ++j) {
          const std::uint32_t other = body[j] / 2;
          if ((body[j] & 1U) == 0 && sort_[other] == Sort::does && role_[other] == role_[atom]) return true;
        }
      }
      does = atom;
    }
    return sort_[head] == Sort::legal && role_[head] == kNone;
  }

  // --- The abstract run. ---
  void analyse() {
    const GroundRules& g = engine_.ground;
    const std::size_t atoms = engine_.atoms.size();
    possible_.assign(atoms, false);
    certain_.assign(atoms, false);
    bodies_of_.assign(atoms + 1, 0);
    first_use_.assign(2 * atoms + 1, 0);
    for (std::size_t b = 0; b < g.size(); ++b) {
      if (dead_[b]) continue;
      ++bodies_of_[g.heads[b]];
      for (const std::uint32_t l : g.body(b)) ++first_use_[l];
    }
    // Counting sort of the uses of each literal.
    std::uint64_t sum = 0;
    for (std::uint32_t& start : first_use_) {
      const std::uint32_t uses = start;
      start = static_cast<std::uint32_t>(sum);
      sum += uses;
    }
    uses_.resize(sum);
    std::vector<std::uint32_t> fill(first_use_.begin(), first_use_.end() - 1);
    for (std::size_t b = 0; b < g.size(); ++b)
      if (!dead_[b])
        for (const std::uint32_t l : g.body(b)) uses_[fill[l]++] = static_cast<std::uint32_t>(b);
    fill = {};

    for (const std::uint32_t fact : raw_.initial) possible_[fact] = certain_[fact] = true;
    std::vector<std::uint32_t> moves_of(program_.roles.size());
    for (std::size_t a = 0; a < atoms; ++a)
      if (sort_[a] == Sort::does && role_[a] != kNone) ++moves_of[role_[a]];
    for (std::size_t a = 0; a < atoms; ++a) {
      if (sort_[a] == Sort::does && role_[a] != kNone && moves_of[role_[a]] == 1) possible_[a] = certain_[a] = true;
      const bool derived = sort_[a] == Sort::derived || sort_[a] == Sort::next || sort_[a] == Sort::legal;
      // Among atoms that may depend on themselves nothing but a body without literals makes one certain.
      if (derived && !cyclic_[a]) certain_[a] = bodies_of_[a] > 0;
    }
    blocked_.assign(g.size(), 0);
    open_.assign(g.size(), 0);
    certain_bodies_.assign(atoms, 0);
    for (std::size_t b = 0; b < g.size(); ++b)
      if (!dead_[b] && g.body(b).empty()) certain_[g.heads[b]] = true;
    for (std::size_t b = 0; b < g.size(); ++b) {
      if (dead_[b]) continue;
      for (const std::uint32_t l : g.body(b)) {
        if (!is_possible(l)) ++blocked_[b];
        if (!is_certain(l)) ++open_[b];
      }
      if (open_[b] == 0 && (!cyclic_[g.heads[b]] || g.body(b).empty())) ++certain_bodies_[g.heads[b]];
    }
    for (std::size_t b = 0; b < g.size(); ++b)
      if (!dead_[b] && blocked_[b] == 0) make_possible(g.heads[b]);
    for (std::uint32_t a = 0; a < atoms; ++a) {
      if (sort_[a] == Sort::fact || sort_[a] == Sort::does || sort_[a] == Sort::ghost) continue;
      if (certain_[a] && certain_bodies_[a] == 0) make_uncertain(a);
      // A fact without any rule for its next value is gone after a step.
      if (sort_[a] == Sort::next && !certain_[a]) make_uncertain(a - 1);
    }
    while (!events_.empty()) {
      const std::uint32_t event = events_.back();
      events_.pop_back();
      propagate(event / 2, (event & 1U) != 0);
    }
    uses_ = {};
    first_use_ = {};
  }

  [[nodiscard]] bool is_possible(std::uint32_t literal) const {
    return (literal & 1U) != 0 ? !certain_[literal / 2] : possible_[literal / 2];
  }
  [[nodiscard]] bool is_certain(std::uint32_t literal) const {
    return (literal & 1U) != 0 ? !possible_[literal / 2] : certain_[literal / 2];
  }

  void make_possible(std::uint32_t atom) {
    if (possible_[atom]) return;
    possible_[atom] = true;
    events_.push_back(atom * 2);
    if (sort_[atom] == Sort::next || sort_[atom] == Sort::legal) make_possible(atom - 1);
  }
  void make_uncertain(std::uint32_t atom) {
    if (!certain_[atom] || (sort_[atom] == Sort::does)) return;
    certain_[atom] = false;
    events_.push_back(atom * 2 + 1);
    if (sort_[atom] == Sort::next) make_uncertain(atom - 1);
  }

  void propagate(std::uint32_t atom, bool lost_certainty) {
    const std::uint32_t now_possible = atom * 2 + (lost_certainty ? 1 : 0);
    const std::uint32_t now_open = now_possible ^ 1U;
    for (std::uint32_t i = first_use_[now_possible]; i < first_use_[now_possible + 1]; ++i) {
      if (--blocked_[uses_[i]] == 0) make_possible(engine_.ground.heads[uses_[i]]);
    }
    for (std::uint32_t i = first_use_[now_open]; i < first_use_[now_open + 1]; ++i) {
      const std::uint32_t b = uses_[i];
      const std::uint32_t head = engine_.ground.heads[b];
      if (open_[b]++ == 0 && !cyclic_[head] && --certain_bodies_[head] == 0) make_uncertain(head);
    }
  }

  // --- Numbering. ---
  void number_inputs() {
    const std::size_t atoms = engine_.atoms.size();
    literal_of_.assign(atoms, kFalse);
    result_.symbols = program_.symbols;
    for (const Predicate& predicate : program_.predicates)
      result_.mentions.try_emplace(predicate.name, predicate.where);
    result_.terms = program_.patterns.terms;
    result_.roles = program_.roles;
    for (std::uint32_t r = 0; r < program_.roles.size(); ++r) {
      if (result_.terms.symbol(program_.roles[r]) == program_.random && result_.terms.arity(program_.roles[r]) == 0)
        result_.random = r;
    }
    for (std::uint32_t a = 0; a < atoms; ++a)
      if (sort_[a] == Sort::fact && possible_[a]) fact_atoms_.push_back(a);
    for (std::uint32_t a = 0; a < atoms; ++a)
      if (sort_[a] == Sort::does && possible_[a] && role_[a] != kNone) move_atoms_.push_back(a);
    std::ranges::stable_sort(move_atoms_, {}, [&](std::uint32_t a) { return role_[a]; });
    if (options_.cone) drop_unobservable();
    result_.initial.resize(fact_atoms_.size());
    std::vector<bool> initial(atoms);
    for (const std::uint32_t a : raw_.initial) initial[a] = true;
    for (std::uint32_t i = 0; i < fact_atoms_.size(); ++i) {
      const std::uint32_t a = fact_atoms_[i];
      result_.facts.push_back(term_of(a, 0));
      result_.initial[i] = initial[a];
      literal_of_[a] = certain_[a] ? kTrue : 2 * i;
    }
    const auto base = static_cast<std::uint32_t>(fact_atoms_.size());
    role_moves_.assign(program_.roles.size() + 1, base);
    for (const std::uint32_t a : move_atoms_) ++role_moves_[role_[a] + 1];
    for (std::size_t r = 0; r < program_.roles.size(); ++r) role_moves_[r + 1] += role_moves_[r] - base;
    for (std::uint32_t i = 0; i < move_atoms_.size(); ++i) {
      const std::uint32_t a = move_atoms_[i];
      result_.moves.push_back({role_[a], term_of(a, 1)});
      literal_of_[a] = certain_[a] ? kTrue : 2 * (base + i);
    }
  }

  // The fact or move of an atom as one term.
  TermId term_of(std::uint32_t atom, std::uint32_t skip) {
    const Engine::Atom& a = engine_.atoms[atom];
    const RelationInfo& info = engine_.relations[a.relation.value];
    const std::uint32_t* const row = info.tuples->row(a.row);
    std::vector<TermId> arguments;
    for (std::uint32_t c = skip; c < info.tuples->arity(); ++c) arguments.emplace_back(row[c]);
    return result_.terms.intern(info.functor, arguments);
  }

  [[nodiscard]] bool is_open_atom(std::uint32_t a) const {
    return possible_[a] && !certain_[a] && sort_[a] != Sort::fact && sort_[a] != Sort::does && sort_[a] != Sort::ghost;
  }
  [[nodiscard]] bool is_live(std::size_t b) const {
    return !dead_[b] && blocked_[b] == 0 && !certain_[engine_.ground.heads[b]];
  }

  // Keeps the facts that legality, the end, the goals or percepts depend on, over any number of steps.
  void drop_unobservable() {
    group_bodies();
    std::vector<bool> seen(engine_.atoms.size());
    std::vector<std::uint32_t> open;
    const auto reach = [&](std::uint32_t a) {
      if (seen[a]) return;
      seen[a] = true;
      open.push_back(a);
    };
    for (std::uint32_t a = 0; a < seen.size(); ++a)
      if (is_open_atom(a) && is_output(a)) reach(a);
    while (!open.empty()) {
      const std::uint32_t a = open.back();
      open.pop_back();
      if (sort_[a] == Sort::fact && !certain_[a]) reach(a + 1);
      for (std::uint32_t i = body_start_[a]; i < body_start_[a + 1]; ++i)
        for (const std::uint32_t l : engine_.ground.body(body_list_[i]))
          if (!is_certain(l)) reach(l / 2);
    }
    std::erase_if(fact_atoms_, [&](std::uint32_t a) { return !seen[a] || certain_[a]; });
  }

  [[nodiscard]] bool is_output(std::uint32_t a) const {
    if (sort_[a] == Sort::legal) return true;
    if (sort_[a] != Sort::derived) return false;
    const Keyword k = program_[engine_.relations[engine_.atoms[a].relation.value].predicate].keyword;
    return k == Keyword::terminal || k == Keyword::goal || k == Keyword::sees;
  }

  // Live bodies by head.
  void group_bodies() {
    if (!body_start_.empty()) return;
    const GroundRules& g = engine_.ground;
    body_start_.assign(engine_.atoms.size() + 1, 0);
    for (std::size_t b = 0; b < g.size(); ++b)
      if (is_live(b)) ++body_start_[g.heads[b] + 1];
    for (std::size_t a = 0; a < engine_.atoms.size(); ++a) body_start_[a + 1] += body_start_[a];
    body_list_.resize(body_start_.back());
    std::vector<std::uint32_t> fill(body_start_.begin(), body_start_.end() - 1);
    for (std::size_t b = 0; b < g.size(); ++b)
      if (is_live(b)) body_list_[fill[g.heads[b]]++] = static_cast<std::uint32_t>(b);
  }

  // --- Strata of the ground program. ---
  void find_components() {
    group_bodies();
    const GroundRules& g = engine_.ground;
    // Only what is needed is numbered.
    vertex_of_.assign(engine_.atoms.size(), kNone);
    std::vector<std::uint32_t> open;
    const auto reach = [&](std::uint32_t a) {
      if (!is_open_atom(a) || vertex_of_[a] != kNone) return;
      vertex_of_[a] = static_cast<std::uint32_t>(atom_of_vertex_.size());
      atom_of_vertex_.push_back(a);
    };
    for (std::uint32_t a = 0; a < engine_.atoms.size(); ++a)
      if (is_output(a)) reach(a);
    for (const std::uint32_t f : fact_atoms_) reach(f + 1);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t v = 0; v < atom_of_vertex_.size(); ++v) {
      const std::uint32_t a = atom_of_vertex_[v];
      for (std::uint32_t i = body_start_[a]; i < body_start_[a + 1]; ++i) {
        for (const std::uint32_t l : g.body(body_list_[i])) {
          reach(l / 2);
          if (vertex_of_[l / 2] != kNone) edges.emplace_back(v, vertex_of_[l / 2]);
        }
      }
    }
    using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                     boost::no_property, std::uint32_t, std::uint32_t>;
    const auto count = static_cast<std::uint32_t>(atom_of_vertex_.size());
    component_.assign(count, 0);
    if (count == 0) return;
    const Graph graph(boost::edges_are_sorted, edges.begin(), edges.end(), count);
    components_ = boost::strong_components(
        graph, boost::make_iterator_property_map(component_.begin(), boost::get(boost::vertex_index, graph)));
  }

  // --- Rebuilding. ---
  using Bodies = std::vector<std::vector<GroundLiteral>>;

  void rebuild() {
    std::vector<std::uint32_t> start(components_ + 1, 0);
    for (const std::uint32_t c : component_) ++start[c + 1];
    for (std::size_t c = 0; c < components_; ++c) start[c + 1] += start[c];
    std::vector<std::uint32_t> members(component_.size());
    std::vector<std::uint32_t> fill(start.begin(), start.end() - 1);
    for (std::uint32_t v = 0; v < component_.size(); ++v) members[fill[component_[v]]++] = v;
    for (std::uint32_t a = 0; a < engine_.atoms.size(); ++a)
      if (certain_[a] && sort_[a] != Sort::fact && sort_[a] != Sort::does) literal_of_[a] = kTrue;
    for (std::size_t c = 0; c < components_; ++c) {
      if (start[c + 1] - start[c] == 1) {
        const std::uint32_t a = atom_of_vertex_[members[start[c]]];
        define(a, bodies_of(a));
      } else {
        define_cycle({members.data() + start[c], start[c + 1] - start[c]});
      }
    }
  }

  // The literals of a body in the new numbering; false when it can never hold.
  bool map_body(std::uint32_t b, std::vector<GroundLiteral>& out) const {
    out.clear();
    for (const std::uint32_t l : engine_.ground.body(b)) {
      if (is_certain(l)) continue;
      GroundLiteral mapped = literal_of_[l / 2];
      if ((l & 1U) != 0) mapped = negate(mapped);
      if (mapped == kFalse) return false;
      if (mapped != kTrue) out.push_back(mapped);
    }
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    for (std::size_t i = 1; i < out.size(); ++i)
      if (out[i] == negate(out[i - 1])) return false;
    return true;
  }

  Bodies bodies_of(std::uint32_t a) const {
    Bodies bodies;
    std::vector<GroundLiteral> body;
    for (std::uint32_t i = body_start_[a]; i < body_start_[a + 1]; ++i)
      if (map_body(body_list_[i], body)) bodies.push_back(body);
    std::ranges::sort(bodies,
                      [](const auto& x, const auto& y) { return x.size() != y.size() ? x.size() < y.size() : x < y; });
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    absorb(bodies);
    return bodies;
  }

  // A literal that is a body of its own makes bodies with it superfluous, and its negation in others.
  static void absorb(Bodies& bodies) {
    std::vector<GroundLiteral> units;
    for (const auto& body : bodies)
      if (body.size() == 1) units.push_back(body[0]);
    if (units.empty()) return;
    const auto is_unit = [&](GroundLiteral l) { return std::ranges::binary_search(units, l); };
    for (std::size_t i = 1; i < units.size(); ++i) {
      if (units[i] == negate(units[i - 1])) {
        bodies = {{}};
        return;
      }
    }
    std::erase_if(bodies, [&](auto& body) {
      if (body.size() < 2) return false;
      std::erase_if(body, [&](GroundLiteral l) { return is_unit(negate(l)); });
      return std::ranges::any_of(body, is_unit);
    });
    const bool always = std::ranges::any_of(bodies, [](const auto& body) { return body.empty(); });
    if (always) bodies = {{}};
  }

  void define(std::uint32_t a, Bodies bodies) {
    if (bodies.empty()) {
      literal_of_[a] = kFalse;
    } else if (bodies[0].empty()) {
      literal_of_[a] = kTrue;
    } else if (bodies.size() == 1 && bodies[0].size() == 1) {
      literal_of_[a] = bodies[0][0];
    } else {
      std::uint64_t hash = bodies.size();
      for (const auto& body : bodies) {
        hash = combine_hash(hash, body.size());
        for (const GroundLiteral l : body) hash = combine_hash(hash, l);
      }
      const std::uint32_t fresh = result_.derived_count();
      const std::uint32_t d =
          shared_.find_or_insert(hash, fresh, [&](std::uint32_t other) { return same(other, bodies); });
      if (d == fresh) append(a, bodies);
      literal_of_[a] = 2 * (result_.derived_begin() + d);
    }
  }

  [[nodiscard]] bool same(std::uint32_t d, const Bodies& bodies) const {
    const std::uint32_t first = result_.first_body[d];
    if (result_.first_body[d + 1] - first != bodies.size()) return false;
    for (std::uint32_t i = 0; i < bodies.size(); ++i)
      if (!std::ranges::equal(result_.body(first + i), bodies[i])) return false;
    return true;
  }

  void append(std::uint32_t a, const Bodies& bodies) {
    for (const auto& body : bodies) {
      result_.literals.insert(result_.literals.end(), body.begin(), body.end());
      result_.first_literal.push_back(static_cast<std::uint32_t>(result_.literals.size()));
    }
    result_.first_body.push_back(static_cast<std::uint32_t>(result_.body_count()));
    name(a);
  }

  void name(std::uint32_t a) {
    const Engine::Atom& atom = engine_.atoms[a];
    const RelationInfo& info = engine_.relations[atom.relation.value];
    GroundProgram::Name name;
    name.first = static_cast<std::uint32_t>(result_.name_arguments.size());
    const std::uint32_t* const row = info.tuples->row(atom.row);
    if (info.kind == Kind::ordinary) {
      name.predicate = program_[info.predicate].name;
      for (std::uint32_t c = 0; c < info.tuples->arity(); ++c) result_.name_arguments.emplace_back(row[c]);
    } else {
      const bool move = info.kind == Kind::move;
      name.predicate = result_.symbols.intern(move ? "legal" : "next");
      if (move) result_.name_arguments.emplace_back(row[0]);
      result_.name_arguments.push_back(term_of(a, move ? 1 : 0));
    }
    name.count = static_cast<std::uint32_t>(result_.name_arguments.size()) - name.first;
    result_.names.push_back(name);
  }

  // Atoms that depend on each other. Those that turn out to be constant are folded first; the rest are numbered before
  // their bodies are mapped.
  void define_cycle(std::span<const std::uint32_t> members) {
    for (const std::uint32_t v : members) {
      const std::uint32_t a = atom_of_vertex_[v];
      literal_of_[a] = 2 * (kProvisional + v);
      for (std::uint32_t i = body_start_[a]; i < body_start_[a + 1]; ++i)
        check_stratified(a, body_list_[i], component_[v]);
    }
    const auto is_open = [&](std::uint32_t v) { return !is_constant(literal_of_[atom_of_vertex_[v]]); };
    bool changed = true;
    for (int round = 0; changed && round < kMaxRounds; ++round) {
      changed = false;
      for (const std::uint32_t v : members) {
        if (!is_open(v)) continue;
        const std::uint32_t a = atom_of_vertex_[v];
        const Bodies bodies = cycle_bodies(a);
        if (!bodies.empty() && !bodies[0].empty()) continue;
        literal_of_[a] = bodies.empty() ? kFalse : kTrue;
        changed = true;
      }
    }
    // Provisional numbers order bodies as final ones do, so equal bodies stay equal.
    std::uint32_t next = result_.derived_begin() + result_.derived_count();
    for (const std::uint32_t v : members)
      if (is_open(v)) literal_of_[atom_of_vertex_[v]] = 2 * next++;
    for (const std::uint32_t v : members)
      if (is_open(v)) append(atom_of_vertex_[v], cycle_bodies(atom_of_vertex_[v]));
  }

  Bodies cycle_bodies(std::uint32_t a) const {
    Bodies bodies = bodies_of(a);
    std::erase_if(bodies, [&](const auto& body) { return std::ranges::find(body, literal_of_[a]) != body.end(); });
    return bodies;
  }

  void check_stratified(std::uint32_t a, std::uint32_t b, std::uint32_t component) {
    for (const std::uint32_t l : engine_.ground.body(b)) {
      if ((l & 1U) == 0 || vertex_of_[l / 2] == kNone || component_[vertex_of_[l / 2]] != component) continue;
      if (told_unstratified_) return;
      told_unstratified_ = true;
      const Rule* rule = engine_.rule(engine_.ground.rule_of[b]).source;
      diagnostics_.error(rule == nullptr ? Range{} : rule->where,
                         fmt::format("'{}' depends on its own negation through this rule", predicate_text(a)),
                         "negation must not go round in a circle");
    }
  }

  [[nodiscard]] std::string predicate_text(std::uint32_t a) const {
    const RelationInfo& info = engine_.relations[engine_.atoms[a].relation.value];
    if (info.kind != Kind::ordinary) return info.kind == Kind::move ? "legal" : "next";
    return program_.symbols.str(program_[info.predicate].name);
  }

  // --- Outputs. ---
  void outputs() {
    for (const std::uint32_t f : fact_atoms_) result_.next.push_back(certain_[f] ? kTrue : literal_of_[f + 1]);
    for (const std::uint32_t m : move_atoms_) result_.legal.push_back(literal_of_[m + 1]);
    for (RelationInfo& info : engine_.relations) {
      if (info.kind != Kind::ordinary || !info.dynamic) continue;
      const Keyword k = program_[info.predicate].keyword;
      if (k != Keyword::terminal && k != Keyword::goal && k != Keyword::sees) continue;
      for (std::uint32_t row = 0; row < info.tuples->size(); ++row) {
        const GroundLiteral when = literal_of_[info.atoms[row]];
        if (k == Keyword::terminal) result_.terminal = when;
        if (when == kFalse || k == Keyword::terminal) continue;
        const std::uint32_t role = role_index(TermId(info.tuples->row(row)[0]));
        if (role == kNone) continue;
        const TermId term(info.tuples->row(row)[1]);
        if (k == Keyword::goal) result_.goals.push_back({role, term, when});
        if (k == Keyword::sees) result_.sees.push_back({role, term, when});
      }
    }
    const PredId sees = program_.find_keyword(Keyword::sees);
    result_.imperfect = result_.random != kNone || (sees.valid() && program_[sees].defined);
  }

  Program& program_;
  RawGround& raw_;
  Engine& engine_;
  const GroundOptions& options_;
  Diagnostics& diagnostics_;
  GroundProgram result_;

  std::vector<Sort> sort_;
  std::vector<bool> cyclic_;
  std::vector<std::uint32_t> role_;
  std::vector<bool> dead_;  // bodies
  std::vector<bool> possible_, certain_;
  std::vector<std::uint32_t> bodies_of_, first_use_, uses_, blocked_, open_, certain_bodies_, events_;
  std::vector<std::uint32_t> fact_atoms_, move_atoms_;
  std::vector<std::uint32_t> role_moves_;  // first atom of each role's moves
  std::vector<GroundLiteral> literal_of_;  // per atom of the engine
  std::vector<std::uint32_t> body_start_, body_list_;
  std::vector<std::uint32_t> vertex_of_, atom_of_vertex_, component_;
  std::size_t components_ = 0;
  IndexSet shared_;
  bool told_unstratified_ = false;
};

}  // namespace

GroundProgram simplify(Program& program, RawGround& raw, const GroundOptions& options, Diagnostics& diagnostics) {
  return Simplifier(program, raw, options, diagnostics).run();
}

}  // namespace rgtrans::gdl
