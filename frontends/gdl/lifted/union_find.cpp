#include "frontends/gdl/lifted/union_find.hpp"

#include <algorithm>
#include <utility>

namespace rgtrans::gdl::lifted {

// Calls f with each variable on the union-find path of a term.
template <class F>
void ProofUnionFind::for_each_bound(Term t, F&& f) const {
  while (t >= 0 && t < kFirstLocal) {
    const auto v = static_cast<std::size_t>(t);
    f(v);
    if (bound_[v] == t) break;
    t = bound_[v];
  }
}

ProofUnionFind::Why ProofUnionFind::why(Term t) const {
  Why result = 0;
  for_each_bound(t, [&](std::size_t v) { result |= why_[v]; });
  return result;
}

ProofUnionFind::Why ProofUnionFind::why(const Terms& terms) const {
  Why result = 0;
  for (const Term t : terms) result |= why(t);
  return result;
}

// The justification of a term's path to its root, without the knowledge about the root.
ProofUnionFind::Why ProofUnionFind::why_bound(Term t) const {
  Why result = 0;
  for_each_bound(t, [&](std::size_t v) { result |= bound_[v] == static_cast<Term>(v) ? 0 : why_[v]; });
  return result;
}

// The justification that two terms are equal: their paths up to the first common variable.
ProofUnionFind::Why ProofUnionFind::why_same(Term a, Term b) const {
  boost::container::small_vector<std::size_t, 8> way;
  for_each_bound(a, [&](std::size_t v) { way.push_back(v); });
  auto met = way.end();
  Why result = 0;
  for_each_bound(b, [&](std::size_t v) {
    if (met == way.end()) met = std::ranges::find(way, v);
    if (met == way.end()) result |= why_[v];
  });
  for (auto v = way.begin(); v != met; ++v) result |= why_[*v];
  return result;
}

bool ProofUnionFind::narrow(Term variable, SortId to, Why why) {
  SortId& sort = sort_[static_cast<std::size_t>(variable)];
  const SortId before = std::exchange(sort, sorts_->intersect(sort, to));
  if (sort == before) return true;
  touch(variable);
  Why& all = why_[static_cast<std::size_t>(variable)] |= why;
  const auto& terms = sorts_->terms(sort);
  if (terms.empty()) return impossible(all);
  if (terms.size() == 1) bound_[static_cast<std::size_t>(variable)] = constant(terms[0]);
  return true;
}

bool ProofUnionFind::unify(Term a, Term b, Why why) {
  const Why all = why | ProofUnionFind::why(a) | ProofUnionFind::why(b);
  const Why bound = why | why_bound(a) | why_bound(b);
  a = resolve(a);
  b = resolve(b);
  if (a == b) return true;
  // Binds the newer variable to the older one, so that older equalities never depend on it.
  if (is_constant(a) || (!is_constant(b) && a < b)) std::swap(a, b);
  if (is_constant(a) || (is_constant(b) && !can_be(a, constant_of(b)))) return impossible(all);
  touch(a);
  bound_[static_cast<std::size_t>(a)] = b;
  why_[static_cast<std::size_t>(a)] = bound;
  return is_constant(b) || narrow(b, sort_of(a), all);
}

bool ProofUnionFind::can_be(Term t, std::uint32_t value) const {
  return is_constant(t) ? constant_of(t) == value : sorts_->contains(sort_of(t), value);
}

std::uint32_t ProofUnionFind::changed(Term t) const {
  std::uint32_t result = 0;
  for_each_bound(t, [&](std::size_t v) { result = std::max(result, touched_[v]); });
  return result;
}

ProofUnionFind::Term ProofUnionFind::fresh(SortId sort) {
  const auto t = static_cast<Term>(bound_.size());
  const auto& terms = sorts_->terms(sort);
  bound_.push_back(terms.size() == 1 ? constant(terms[0]) : t);
  sort_.push_back(sort);
  why_.push_back(0);
  touched_.push_back(tick());
  return t;
}

}  // namespace rgtrans::gdl::lifted
