#include "frontends/rbg/proofs/cases.hpp"

#include <utility>

namespace rgtrans::rbg {

namespace {

constexpr std::size_t kMaxSplits = 4'000;  // case distinctions for one question
constexpr std::size_t kMaxClasses = 64;    // cases in one distinction

// What is left to ask of the ways when the value of the atom is one of these.
std::vector<Way> assume(const Atom& atom, const Bits& values, const std::vector<Way>& ways) {
  std::vector<Way> rest;
  for (const Way& way : ways) {
    Way shorter;
    bool possible = true;
    for (const Literal& literal : way) {
      if (literal.atom != atom) {
        shorter.push_back(literal);
      } else if (!literal.allowed.meets(values)) {
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
  Literal& literal = condition.literal;
  if (!literal.allowed.meets(condition.possible)) return false;
  if (literal.allowed.contains(condition.possible)) return true;
  for (const Literal& other : way) {
    if (other.atom != literal.atom) continue;
    literal.allowed.keep(other.allowed);
    if (!literal.allowed.meets(condition.possible)) return false;
  }
  possible_.try_emplace(literal.atom, std::move(condition.possible));
  way.push_back(std::move(literal));
  return true;
}

bool Cases::exclude(const Literal& a, const Literal& b) const {
  if (a.atom != b.atom) return false;
  Bits both = a.allowed;
  both.keep(b.allowed);
  return !both.meets(possible_.at(a.atom));
}

bool Cases::cover(const std::vector<Way>& ways) const {
  std::size_t splits = 0;
  return cover(ways, splits);
}

bool Cases::cover(const std::vector<Way>& ways, std::size_t& splits) const {
  if (ways.empty() || ++splits > kMaxSplits) return false;
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
    for (const Literal& literal : way) {
      if (literal.atom != atom) continue;
      std::vector<Bits> finer;
      for (const Bits& part : classes) {
        Bits inside = part, outside = part;
        inside.keep(literal.allowed);
        outside.drop(literal.allowed);
        if (!inside.none()) finer.push_back(std::move(inside));
        if (!outside.none()) finer.push_back(std::move(outside));
      }
      classes = std::move(finer);
      if (classes.size() > kMaxClasses) return {};
    }
  }
  return classes;
}

}  // namespace rgtrans::rbg
