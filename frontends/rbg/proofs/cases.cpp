#include "frontends/rbg/proofs/cases.hpp"

#include <utility>

#include "frontends/rbg/limits.hpp"

namespace rgtrans::rbg {

namespace {

// The remaining conditions of the ways if the atom has one of these values.
std::vector<Way> assume(const Atom& atom, const Bits& values, const std::vector<Way>& ways) {
  std::vector<Way> rest;
  for (const Way& way : ways) {
    Way shorter;
    bool possible = true;
    for (const AtomTest& literal : way) {
      if (literal.atom != atom) {
        shorter.push_back(literal);
      } else if (!literal.allowed.intersects(values)) {
        possible = false;
        break;
      }
    }
    if (possible) rest.push_back(std::move(shorter));
  }
  return rest;
}

}  // namespace

bool Cases::add(Condition condition, Way& way) {
  if (condition.kind != Condition::Kind::literal) return condition.kind != Condition::Kind::never;
  AtomTest& literal = condition.literal;
  if (!literal.allowed.intersects(condition.possible)) return false;
  if (literal.allowed.contains(condition.possible)) return true;
  for (const AtomTest& other : way) {
    if (other.atom != literal.atom) continue;
    literal.allowed &= other.allowed;
    if (!literal.allowed.intersects(condition.possible)) return false;
  }
  possible_.try_emplace(literal.atom, std::move(condition.possible));
  way.push_back(std::move(literal));
  return true;
}

bool Cases::exclude(const AtomTest& a, const AtomTest& b) const {
  if (a.atom != b.atom) return false;
  Bits both = a.allowed;
  both &= b.allowed;
  return !both.intersects(possible_.at(a.atom));
}

bool Cases::cover(const std::vector<Way>& ways) const {
  Effort splits("telling the cases of a way on apart", kProofLimits.splits, limits::effort);
  return cover(ways, splits);
}

bool Cases::cover(const std::vector<Way>& ways, Effort& splits) const {
  if (ways.empty() || !splits.spend()) return false;
  const Way* shortest = &ways.front();
  for (const Way& way : ways) {
    if (way.size() < shortest->size()) shortest = &way;
  }
  if (shortest->empty()) return true;
  const Atom atom = shortest->front().atom;
  const std::vector<Bits> classes = split(atom, ways);
  if (classes.empty()) return false;
  for (const Bits& values : classes) {
    if (!cover(assume(atom, values, ways), splits)) return false;
  }
  return true;
}

std::vector<Bits> Cases::split(const Atom& atom, const std::vector<Way>& ways) const {
  std::vector<Bits> classes = {possible_.at(atom)};
  for (const Way& way : ways) {
    for (const AtomTest& literal : way) {
      if (literal.atom != atom) continue;
      std::vector<Bits> finer;
      for (const Bits& part : classes) {
        Bits inside = part, outside = part;
        inside &= literal.allowed;
        outside.remove(literal.allowed);
        if (inside.any()) finer.push_back(std::move(inside));
        if (outside.any()) finer.push_back(std::move(outside));
      }
      classes = std::move(finer);
      if (classes.size() > kProofLimits.classes) return {};
    }
  }
  return classes;
}

}  // namespace rgtrans::rbg
