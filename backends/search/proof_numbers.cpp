// Several paths lead to one position, and sums of numbers would count the part below it repeatedly. So if all moves of
// a position must be evaluated, its number is the largest number of a child plus one for each other open child (weak
// proof numbers).
#include "backends/search/proof_numbers.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace rgtrans::search {

ProofNumbers::ProofNumbers(const Reasoner& start, double endless, SolveLimits& limits, bool patient)
    : start_(start),
      root_(start_.key()),
      limits_(limits),
      endless_(endless),
      patient_(patient),
      least_(start.info().least_goal),
      most_(start.info().most_goal) {}

double ProofNumbers::solve() {
  for (Bounds now{least_, most_}; !now.exact(); now = known()) {
    // Where plays without end decide the one question, the other player may still win.
    if (!ask(start_, (now.low + now.high) / 2) && !ask(start_, endless_ - 0.5)) throw Repeats();
  }
  return known().low;
}

ProofNumbers::Bounds ProofNumbers::known() {
  const Entry* entry = table_.find(root_);
  return entry == nullptr ? Bounds{least_, most_} : bounds(*entry);
}

bool ProofNumbers::ask(Walker& at, double t) {
  asked_ = t;
  const Key key = at.key();
  for (;;) {
    const std::uint32_t before = found_;
    ++question_;
    widen(at, key, kEndless, kEndless);
    if (answered(bounds(table_[key]))) return true;
    // If positions repeat, the numbers depend on the path to a position. The bounds found so far may help another
    // search.
    if (found_ == before) return false;
  }
}

std::vector<ProofNumbers::Child> ProofNumbers::children(Walker& at) {
  std::vector<Child> out(at.list());
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    at.down(i);
    out[i].move = i;
    out[i].end = at.at().terminal();
    if (out[i].end) {
      out[i].value = constant_sum_value(at.at());
    } else {
      out[i].key = at.key();
      if (table_.find(out[i].key) == nullptr) {
        const auto moves = static_cast<Number>(at.list());
        (at.at().mover() == 0 ? out[i].disproof : out[i].proof) = moves;
      }
    }
    at.up();
  }
  // Moves to images of one position are one move.
  const auto place = [](const Child& c) { return std::tuple(c.end, c.value, c.key.a, c.key.b); };
  std::ranges::stable_sort(out, {}, place);
  const auto same = [&](const Child& a, const Child& b) { return place(a) == place(b); };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

ProofNumbers::View ProofNumbers::view(const Child& child) {
  View out{{child.value, child.value}, 1, 1, 0, 0};
  if (!child.end) {
    const Entry* entry = table_.find(child.key);
    if (entry == nullptr) return {{least_, most_}, child.proof, child.disproof, 0, 0};
    out.bounds = bounds(*entry);
    out.low_since = entry->low_since;
    out.high_since = entry->high_since;
    if (entry->question == question_) {
      out.proof = entry->proof;
      out.disproof = entry->disproof;
    }
    if (entry->on_path) {
      if (!patient_) throw Repeats();
      return endless_ > asked_ ? View{out.bounds, 0, kEndless, 0, 0} : View{out.bounds, kEndless, 0, 0, 0};
    }
  }
  if (out.bounds.low > asked_) {
    out.proof = 0;
    out.disproof = kEndless;
  } else if (out.bounds.high <= asked_) {
    out.proof = kEndless;
    out.disproof = 0;
  }
  return out;
}

ProofNumbers::Step ProofNumbers::step(const std::vector<Child>& children, bool maximal, Number proof_limit,
                                      Number disproof_limit) {
  // As if the mover wanted a proof: one move is enough for `one`, all moves are needed for `all`.
  Number best = kEndless, second = kEndless, all = 0, open = 0, all_of_best = 0;
  std::size_t chosen = 0;
  View out{maximal ? Bounds{least_, least_} : Bounds{most_, most_}, 0, 0, 0, 0};
  for (std::size_t i = 0; i < children.size(); ++i) {
    const View child = view(children[i]);
    const Number one = maximal ? child.proof : child.disproof;
    const Number every = maximal ? child.disproof : child.proof;
    if (maximal) {
      out.bounds = {std::max(out.bounds.low, child.bounds.low), std::max(out.bounds.high, child.bounds.high)};
    } else {
      out.bounds = {std::min(out.bounds.low, child.bounds.low), std::min(out.bounds.high, child.bounds.high)};
    }
    all = std::max(all, every);
    open += every > 0 ? 1 : 0;
    if (one < best) {
      second = best;
      best = one;
      chosen = i;
      all_of_best = every;
    } else {
      second = std::min(second, one);
    }
  }
  const Number needed = all >= kEndless ? kEndless : std::min(kEndless, open > 0 ? all + open - 1 : 0);
  (maximal ? out.proof : out.disproof) = best;
  (maximal ? out.disproof : out.proof) = needed;
  // The search stays at the child while it is the best or only slightly worse, and while this position keeps its
  // limits.
  const Number one_limit = std::min(maximal ? proof_limit : disproof_limit, second + second / 4 + 1);
  const Number all_limit = maximal ? disproof_limit : proof_limit;
  const Number others = open > 0 ? open - 1 : 0;
  const Number rest = std::max(all_limit > others ? all_limit - others : 1, all_of_best + 1);
  return {out, chosen, maximal ? one_limit : rest, maximal ? rest : one_limit};
}

void ProofNumbers::widen(Walker& at, const Key& key, Number proof_limit, Number disproof_limit) {
  const std::size_t mover = at.at().mover();
  if (mover > 1) throw Chance();
  table_[key].on_path = true;
  limits_.check(table_.bytes());
  const std::vector<Child> below = children(at);
  for (;;) {
    const Step next = step(below, mover == 0, proof_limit, disproof_limit);
    Entry& entry = table_[key];
    const Bounds before = bounds(entry);
    entry.low = std::max(before.low, next.view.bounds.low);
    entry.high = std::min(before.high, next.view.bounds.high);
    entry.known = true;
    entry.question = question_;
    entry.proof = next.view.proof;
    entry.disproof = next.view.disproof;
    const bool done = answered(bounds(entry));
    if (done || entry.proof >= proof_limit || entry.disproof >= disproof_limit) {
      if (done && !answered(before)) (entry.low > asked_ ? entry.low_since : entry.high_since) = ++found_;
      entry.on_path = false;
      return;
    }
    const Child& child = below[next.child];
    at.down(child.move);
    widen(at, child.key, next.proof_limit, next.disproof_limit);
    at.up();
  }
}

std::size_t ProofNumbers::advise(Walker& at, const ProofClaim& claim) {
  const auto keeps = [&](const Bounds& b) { return claim.at_least ? b.low >= claim.value : b.high <= claim.value; };
  const std::vector<Child> below = children(at);
  asked_ = claim.at_least ? claim.value - 0.5 : claim.value;
  const Child* chosen = nullptr;
  std::uint32_t since = 0;
  for (const Child& child : below) {
    const View now = view(child);
    if (!keeps(now.bounds)) continue;
    const std::uint32_t known = claim.at_least ? now.low_since : now.high_since;
    if (chosen == nullptr || known < since) {
      chosen = &child;
      since = known;
    }
  }
  if (chosen != nullptr) return chosen->move;
  // It follows from bounds of other positions alone when symmetry brought the search elsewhere.
  for (const Child& child : below) {
    if (child.end) continue;
    at.down(child.move);
    ask(at, asked_);
    at.up();
    if (keeps(view(child).bounds)) return child.move;
  }
  throw std::runtime_error("no move keeps what was proven");
}

}  // namespace rgtrans::search
