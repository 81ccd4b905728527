#include "frontends/gdl/ground/definitions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/analysis.hpp"
#include "core/support/sorted.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl {

TermId term_of(const Instances& instances, GroundProgram& program, std::uint32_t atom, std::uint32_t skip) {
  const Engine::Atom& a = instances.engine.atoms[atom];
  const RelationInfo& info = instances.engine.relations[a.relation.value];
  const std::uint32_t* const row = info.tuples->row(a.row);
  std::vector<TermId> arguments;
  for (std::uint32_t c = skip; c < info.tuples->arity(); ++c) arguments.emplace_back(row[c]);
  return program.terms.intern(info.functor, arguments);
}

namespace {

class Definitions {
 public:
  Definitions(const Instances& instances, std::span<const std::uint32_t> facts, std::span<const Range> places,
              GroundProgram& program, std::vector<GroundLiteral>& literals, Diagnostics& diagnostics)
      : i_(instances),
        facts_(facts),
        places_(places),
        result_(program),
        literals_(literals),
        diagnostics_(diagnostics) {}

  // Numbers the needed atoms and groups mutually dependent ones into components.
  void find_components() {
    const GroundRules& g = i_.engine.ground;
    // Numbers an atom on its first visit.
    vertex_of_.assign(i_.engine.atoms.size(), kNone);
    const auto reach = [&](std::uint32_t a) {
      if (!i_.is_open(a) || vertex_of_[a] != kNone) return;
      vertex_of_[a] = static_cast<std::uint32_t>(atom_of_vertex_.size());
      atom_of_vertex_.push_back(a);
    };
    for (std::uint32_t a = 0; a < i_.engine.atoms.size(); ++a)
      if (i_.is_output(a)) reach(a);
    for (const std::uint32_t f : facts_) reach(f + 1);
    Arcs arcs;
    for (std::uint32_t v = 0; v < atom_of_vertex_.size(); ++v) {
      for (const std::uint32_t b : i_.bodies[atom_of_vertex_[v]]) {
        for (const std::uint32_t l : g.body(b)) {
          reach(l / 2);
          if (vertex_of_[l / 2] != kNone) arcs.emplace_back(v, vertex_of_[l / 2]);
        }
      }
    }
    if (atom_of_vertex_.empty()) return;
    components_ = strong_components(atom_of_vertex_.size(), arcs);
  }

  void rebuild() {
    const Grouped members = components_.members();
    for (std::uint32_t a = 0; a < i_.engine.atoms.size(); ++a)
      if (i_.certain[a] && i_.sort[a] != Instances::Sort::fact && i_.sort[a] != Instances::Sort::does)
        literals_[a] = kTrue;
    for (std::size_t c = 0; c < components_.count; ++c) {
      if (members[c].size() == 1) {
        const std::uint32_t a = atom_of_vertex_[members[c].front()];
        define(a, bodies_of(a));
      } else {
        define_cycle(members[c]);
      }
    }
  }

 private:
  static constexpr std::uint32_t kProvisional = 0x20000000U;
  using Bodies = std::vector<std::vector<GroundLiteral>>;

  // Maps the literals of a body to the new numbering. False if the body can never hold.
  bool map_body(std::uint32_t b, std::vector<GroundLiteral>& out) const {
    out.clear();
    for (const std::uint32_t l : i_.engine.ground.body(b)) {
      if (i_.is_certain(l)) continue;
      GroundLiteral mapped = literals_[l / 2];
      if ((l & 1U) != 0) mapped = negate(mapped);
      if (mapped == kFalse) return false;
      if (mapped != kTrue) out.push_back(mapped);
    }
    sort_unique(out);
    for (std::size_t i = 1; i < out.size(); ++i)
      if (out[i] == negate(out[i - 1])) return false;
    return true;
  }

  Bodies bodies_of(std::uint32_t a) const {
    Bodies bodies;
    std::vector<GroundLiteral> body;
    for (const std::uint32_t b : i_.bodies[a])
      if (map_body(b, body)) bodies.push_back(body);
    sort_unique(bodies,
                [](const auto& x, const auto& y) { return x.size() != y.size() ? x.size() < y.size() : x < y; });
    absorb(bodies);
    return bodies;
  }

  // Unit resolution: a body of one literal subsumes the bodies that contain it, and its negation is removed from
  // others.
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
      literals_[a] = kFalse;
    } else if (bodies[0].empty()) {
      literals_[a] = kTrue;
    } else if (bodies.size() == 1 && bodies[0].size() == 1) {
      literals_[a] = bodies[0][0];
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
      literals_[a] = 2 * (result_.derived_begin() + d);
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
    const Engine::Atom& atom = i_.engine.atoms[a];
    const RelationInfo& info = i_.engine.relations[atom.relation.value];
    GroundProgram::Name name;
    name.first = static_cast<std::uint32_t>(result_.name_arguments.size());
    const std::uint32_t* const row = info.tuples->row(atom.row);
    if (info.kind == RelationInfo::Kind::ordinary) {
      name.predicate = i_.program[info.predicate].name;
      for (std::uint32_t c = 0; c < info.tuples->arity(); ++c) result_.name_arguments.emplace_back(row[c]);
    } else {
      const bool move = info.kind == RelationInfo::Kind::move;
      name.predicate = result_.symbols.intern(move ? "legal" : "next");
      if (move) result_.name_arguments.emplace_back(row[0]);
      result_.name_arguments.push_back(term_of(i_, result_, a, move ? 1 : 0));
    }
    name.count = static_cast<std::uint32_t>(result_.name_arguments.size()) - name.first;
    result_.names.push_back(name);
    result_.where.push_back(places_[a]);
  }

  // Defines mutually dependent atoms. Atoms that turn out to be constant are folded first; the others are numbered
  // before their bodies are mapped.
  void define_cycle(std::span<const std::uint32_t> members) {
    for (const std::uint32_t v : members) {
      const std::uint32_t a = atom_of_vertex_[v];
      literals_[a] = 2 * (kProvisional + v);
      for (const std::uint32_t b : i_.bodies[a]) check_stratified(a, b, components_.of[v]);
    }
    const auto is_open = [&](std::uint32_t v) { return !is_constant(literals_[atom_of_vertex_[v]]); };
    bool changed = true;
    for (int round = 0; changed && round < kGroundLimits.folding_rounds; ++round) {
      changed = false;
      for (const std::uint32_t v : members) {
        if (!is_open(v)) continue;
        const std::uint32_t a = atom_of_vertex_[v];
        const Bodies bodies = cycle_bodies(a);
        if (!bodies.empty() && !bodies[0].empty()) continue;
        literals_[a] = bodies.empty() ? kFalse : kTrue;
        changed = true;
      }
    }
    // Provisional numbers have the same order as final ones, so equal bodies stay equal.
    std::uint32_t next = result_.derived_begin() + result_.derived_count();
    for (const std::uint32_t v : members)
      if (is_open(v)) literals_[atom_of_vertex_[v]] = 2 * next++;
    for (const std::uint32_t v : members)
      if (is_open(v)) append(atom_of_vertex_[v], cycle_bodies(atom_of_vertex_[v]));
  }

  Bodies cycle_bodies(std::uint32_t a) const {
    Bodies bodies = bodies_of(a);
    std::erase_if(bodies, [&](const auto& body) { return std::ranges::find(body, literals_[a]) != body.end(); });
    return bodies;
  }

  void check_stratified(std::uint32_t a, std::uint32_t b, std::uint32_t component) {
    for (const std::uint32_t l : i_.engine.ground.body(b)) {
      if ((l & 1U) == 0 || vertex_of_[l / 2] == kNone || components_.of[vertex_of_[l / 2]] != component) continue;
      if (reported_unstratified_) return;
      reported_unstratified_ = true;
      const Rule* rule = i_.engine.rule(i_.engine.ground.rule_of[b]).source;
      diagnostics_.error(rule == nullptr ? Range{} : rule->where,
                         fmt::format("'{}' depends on its own negation through this rule", predicate_text(a)),
                         "negation must not go round in a circle");
    }
  }

  [[nodiscard]] std::string predicate_text(std::uint32_t a) const {
    const RelationInfo& info = i_.engine.relations[i_.engine.atoms[a].relation.value];
    if (info.kind != RelationInfo::Kind::ordinary) return info.kind == RelationInfo::Kind::move ? "legal" : "next";
    return i_.program.symbols.str(i_.program[info.predicate].name);
  }

  const Instances& i_;
  std::span<const std::uint32_t> facts_;
  std::span<const Range> places_;
  GroundProgram& result_;
  std::vector<GroundLiteral>& literals_;
  Diagnostics& diagnostics_;
  std::vector<std::uint32_t> vertex_of_, atom_of_vertex_;
  Components components_;
  IndexSet shared_;
  bool reported_unstratified_ = false;
};

}  // namespace

void define_atoms(const Instances& instances, std::span<const std::uint32_t> facts, std::span<const Range> places,
                  GroundProgram& program, std::vector<GroundLiteral>& literals, Diagnostics& diagnostics) {
  Definitions definitions(instances, facts, places, program, literals, diagnostics);
  definitions.find_components();
  definitions.rebuild();
}

}  // namespace rgtrans::gdl
