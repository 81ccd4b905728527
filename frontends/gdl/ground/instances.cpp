#include "frontends/gdl/ground/instances.hpp"

#include <algorithm>

namespace rgtrans::gdl {

namespace {

using RelationKind = RelationInfo::Kind;
using Sort = Instances::Sort;

// Determines the sort of each atom and removes contradictory bodies.
class InstanceReader {
 public:
  explicit InstanceReader(Instances& instances) : i_(instances) {}

  void describe() {
    const std::size_t count = i_.engine.atoms.size();
    i_.sort.assign(count, Sort::derived);
    i_.cyclic.assign(count, false);
    i_.role.assign(count, 0);
    for (std::size_t a = 0; a < count; ++a) {
      const Engine::Atom& atom = i_.engine.atoms[a];
      const RelationInfo& info = i_.engine.relations[atom.relation.value];
      const bool second = a > 0 && i_.engine.atoms[a - 1].relation == atom.relation &&
                          i_.engine.atoms[a - 1].row == atom.row && i_.engine.atoms[a - 1].ghost == atom.ghost;
      if (atom.ghost) {
        i_.sort[a] = Sort::ghost;
      } else if (info.kind == RelationKind::fact) {
        i_.sort[a] = second ? Sort::next : Sort::fact;
      } else if (info.kind == RelationKind::move) {
        i_.sort[a] = second ? Sort::legal : Sort::does;
        i_.role[a] = i_.role_index(TermId(info.tuples->row(atom.row)[0]));
        if (second) i_.cyclic[a] = i_.raw.legal_cyclic;
      } else {
        i_.cyclic[a] = info.cyclic;
      }
    }
  }

  // Sorts literals, resolves ghosts, and drops bodies that contradict themselves or contain their own head.
  void clean_bodies() {
    GroundRules& g = i_.engine.ground;
    i_.dead.assign(g.size(), false);
    std::uint64_t out = 0;
    std::uint64_t begin = 0;
    for (std::size_t b = 0; b < g.size(); ++b) {
      const std::uint64_t end = g.ends[b];
      const std::uint64_t start = out;
      for (std::uint64_t i = begin; i < end; ++i) {
        std::uint32_t literal = g.literals[i];
        if (i_.sort[literal / 2] == Sort::ghost) {
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
      i_.dead[b] = impossible({first, last}, g.heads[b]);
      if (i_.dead[b]) out = start;
      g.ends[b] = out;
    }
    g.literals.resize(out);
  }

 private:
  // The real atom of a ghost; none if the ghost is never true.
  [[nodiscard]] std::uint32_t real_atom(std::uint32_t ghost) const {
    const Engine::Atom& atom = i_.engine.atoms[ghost];
    const RelationInfo& info = i_.engine.relations[atom.relation.value];
    const std::uint32_t row = info.tuples->find(info.ghosts->row(atom.row));
    if (row == kNone) return kNone;
    return info.atoms[row] + (ghost - info.ghost_atoms[atom.row]);
  }

  [[nodiscard]] bool impossible(std::span<const std::uint32_t> body, std::uint32_t head) const {
    std::uint32_t does = kNone;
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (i > 0 && body[i] == (body[i - 1] ^ 1U) && (body[i] & 1U) != 0) return true;
      const std::uint32_t atom = body[i] / 2;
      if ((body[i] & 1U) != 0) continue;
      if (atom == head) return true;
      if (i_.sort[atom] != Sort::does) continue;
      // Rejects two moves of one role. Literals are sorted by atom, not by role, so compare with every earlier one.
      if (does != kNone) {
        for (std::size_t j = 0; j < i; ++j) {
          const std::uint32_t other = body[j] / 2;
          if ((body[j] & 1U) == 0 && i_.sort[other] == Sort::does && i_.role[other] == i_.role[atom]) return true;
        }
      }
      does = atom;
    }
    return false;
  }

  Instances& i_;
};

// The abstract interpretation.
class AbstractRun {
 public:
  explicit AbstractRun(Instances& instances) : i_(instances) {}

  void run() {
    const GroundRules& g = i_.engine.ground;
    const std::size_t atoms = i_.engine.atoms.size();
    i_.possible.assign(atoms, false);
    i_.certain.assign(atoms, false);
    bodies_of_.assign(atoms + 1, 0);
    for (std::size_t b = 0; b < g.size(); ++b)
      if (!i_.dead[b]) ++bodies_of_[g.heads[b]];
    uses_ = Grouped(2 * atoms, [&](auto&& add) {
      for (std::uint32_t b = 0; b < g.size(); ++b)
        if (!i_.dead[b])
          for (const std::uint32_t l : g.body(b)) add(l, b);
    });

    for (const std::uint32_t fact : i_.raw.initial) i_.possible[fact] = i_.certain[fact] = true;
    std::vector<std::uint32_t> moves_of(i_.program.roles.size());
    for (std::size_t a = 0; a < atoms; ++a)
      if (i_.sort[a] == Sort::does && i_.role[a] != kNone) ++moves_of[i_.role[a]];
    for (std::size_t a = 0; a < atoms; ++a) {
      if (i_.sort[a] == Sort::does && i_.role[a] != kNone && moves_of[i_.role[a]] == 1)
        i_.possible[a] = i_.certain[a] = true;
      const bool derived = i_.sort[a] == Sort::derived || i_.sort[a] == Sort::next || i_.sort[a] == Sort::legal;
      // In a recursive component, only a body without literals makes an atom certain.
      if (derived && !i_.cyclic[a]) i_.certain[a] = bodies_of_[a] > 0;
    }
    blocked_.assign(g.size(), 0);
    open_.assign(g.size(), 0);
    certain_bodies_.assign(atoms, 0);
    for (std::size_t b = 0; b < g.size(); ++b)
      if (!i_.dead[b] && g.body(b).empty()) i_.certain[g.heads[b]] = true;
    for (std::size_t b = 0; b < g.size(); ++b) {
      if (i_.dead[b]) continue;
      for (const std::uint32_t l : g.body(b)) {
        if (!i_.is_possible(l)) ++blocked_[b];
        if (!i_.is_certain(l)) ++open_[b];
      }
      if (open_[b] == 0 && (!i_.cyclic[g.heads[b]] || g.body(b).empty())) ++certain_bodies_[g.heads[b]];
    }
    for (std::size_t b = 0; b < g.size(); ++b)
      if (!i_.dead[b] && blocked_[b] == 0) make_possible(g.heads[b]);
    for (std::uint32_t a = 0; a < atoms; ++a) {
      if (i_.sort[a] == Sort::fact || i_.sort[a] == Sort::does || i_.sort[a] == Sort::ghost) continue;
      if (i_.certain[a] && certain_bodies_[a] == 0) make_uncertain(a);
      // A fact without a rule for its next value is false after the first step.
      if (i_.sort[a] == Sort::next && !i_.certain[a]) make_uncertain(a - 1);
    }
    while (!events_.empty()) {
      const std::uint32_t event = events_.back();
      events_.pop_back();
      propagate(event / 2, (event & 1U) != 0);
    }
    i_.live.resize(g.size());
    for (std::size_t b = 0; b < g.size(); ++b) i_.live[b] = !i_.dead[b] && blocked_[b] == 0 && !i_.certain[g.heads[b]];
  }

 private:
  void make_possible(std::uint32_t atom) {
    if (i_.possible[atom]) return;
    i_.possible[atom] = true;
    events_.push_back(atom * 2);
    // Only a role makes moves, although rules can read what is legal for another word.
    if (i_.sort[atom] == Sort::next || (i_.sort[atom] == Sort::legal && i_.role[atom] != kNone))
      make_possible(atom - 1);
  }
  void make_uncertain(std::uint32_t atom) {
    if (!i_.certain[atom] || (i_.sort[atom] == Sort::does)) return;
    i_.certain[atom] = false;
    events_.push_back(atom * 2 + 1);
    if (i_.sort[atom] == Sort::next) make_uncertain(atom - 1);
  }

  void propagate(std::uint32_t atom, bool lost_certainty) {
    const std::uint32_t now_possible = atom * 2 + (lost_certainty ? 1 : 0);
    const std::uint32_t now_open = now_possible ^ 1U;
    for (const std::uint32_t b : uses_[now_possible])
      if (--blocked_[b] == 0) make_possible(i_.engine.ground.heads[b]);
    for (const std::uint32_t b : uses_[now_open]) {
      const std::uint32_t head = i_.engine.ground.heads[b];
      if (open_[b]++ == 0 && !i_.cyclic[head] && --certain_bodies_[head] == 0) make_uncertain(head);
    }
  }

  Instances& i_;
  Grouped uses_;                                           // bodies by literal
  std::vector<std::uint32_t> blocked_, open_;              // by body: literals that are impossible, and not certain
  std::vector<std::uint32_t> bodies_of_, certain_bodies_;  // by atom
  std::vector<std::uint32_t> events_;  // 2 * atom: became possible; 2 * atom + 1: lost its certainty
};

}  // namespace

std::uint32_t Instances::role_index(TermId role_term) const {
  const auto found = std::ranges::find(program.roles, role_term);
  return found == program.roles.end() ? kNone : static_cast<std::uint32_t>(found - program.roles.begin());
}

bool Instances::is_output(std::uint32_t atom) const {
  if (sort[atom] == Sort::legal) return role[atom] != kNone;
  if (sort[atom] != Sort::derived) return false;
  const Keyword k = program[engine.relations[engine.atoms[atom].relation.value].predicate].keyword;
  return k == Keyword::terminal || k == Keyword::goal || k == Keyword::sees;
}

Instances read_instances(Program& program, RawGround& raw) {
  Instances instances{program, raw, *raw.engine};
  InstanceReader reader(instances);
  reader.describe();
  reader.clean_bodies();
  AbstractRun(instances).run();
  const GroundRules& g = instances.engine.ground;
  instances.bodies = Grouped(instances.engine.atoms.size(), g.size(),
                             [&](std::uint32_t b) { return instances.live[b] ? g.heads[b] : kNone; });
  return instances;
}

}  // namespace rgtrans::gdl
