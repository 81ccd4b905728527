#include "core/certificate/terms.hpp"

#include <algorithm>

#include "core/certificate/facts.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::certificate {

TermId TermTable::make(TermKind kind, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const auto fresh = static_cast<std::uint32_t>(rows_.size());
  const std::uint64_t hash = combine_hash(combine_hash(combine_hash(static_cast<std::uint64_t>(kind), a), b), c);
  const std::uint32_t row = index_.find_or_insert(hash, fresh, [&](std::uint32_t r) {
    const Row& old = rows_[r];
    return old.kind == kind && old.a == a && old.b == b && old.c == c;
  });
  if (row == fresh) rows_.push_back({kind, a, b, c});
  return TermId(row);
}

TermId TermTable::value(ir::ValueId value) {
  return game_.values.is_symbol(value) ? symbol(game_.values.as_symbol(value)) : make(TermKind::map, value.value);
}

TermId TermTable::access(TermId map, TermId key) {
  const Row m = row(map), k = row(key);
  if (m.kind == TermKind::map && k.kind == TermKind::symbol)
    return value(game_.values.at(ir::ValueId(m.a), SymbolId(k.a)));
  if (m.kind == TermKind::map && game_.values.exceptions(ir::ValueId(m.a)).empty())
    return value(game_.values.default_of(ir::ValueId(m.a)));
  if (m.kind == TermKind::store) {
    if (m.b == key.value) return TermId(m.c);
    if (k.kind == TermKind::symbol && is(TermId(m.b), TermKind::symbol)) return access(TermId(m.a), key);
  }
  return make(TermKind::access, map.value, key.value);
}

TermId TermTable::store(TermId map, TermId key, TermId value) {
  const Row m = row(map);
  if (m.kind == TermKind::store && m.b == key.value) return store(TermId(m.a), key, value);
  // Updates of different constant keys have one order.
  if (m.kind == TermKind::store && is(key, TermKind::symbol) && is(TermId(m.b), TermKind::symbol) && key.value < m.b)
    return make(TermKind::store, store(TermId(m.a), key, value).value, m.b, m.c);
  if (access(map, key) == value) return map;
  return make(TermKind::store, map.value, key.value, value.value);
}

TermId TermTable::store(TermId map, std::span<const TermId> keys, TermId value) {
  if (keys.empty()) return value;
  return store(map, keys.front(), store(access(map, keys.front()), keys.subspan(1), value));
}

const SymbolSet* TermTable::domain(TermId term) const {
  std::size_t keys = 0;
  for (; is(term, TermKind::access); ++keys) term = TermId(row(term).a);
  if (!is(term, TermKind::start) || facts_ == nullptr) return nullptr;
  const ir::VarId variable(row(term).a);
  const auto [it, fresh] = domains_.try_emplace(variable);
  if (fresh) {
    const ir::Game& game = facts_->game();
    it->second = {game.keys(game.variable(variable).type).size(), facts_->values(node_, variable)};
  }
  return it->second.first == keys ? &it->second.second : nullptr;
}

SymbolSet TermTable::keys_with(TermId map, const SymbolSet& values) const {
  const ir::Values& all = game_.values;
  const ir::ValueId id(row(map).a);
  const auto is_in = [&](ir::ValueId v) { return all.is_symbol(v) && values.has(all.as_symbol(v)); };
  SymbolSet keys;
  keys.others = is_in(all.default_of(id));
  for (const auto& entry : all.exceptions(id))
    if (is_in(entry.value) != keys.others) keys.symbols.push_back(entry.key);
  std::ranges::sort(keys.symbols);
  return keys;
}

const SymbolSet* Assumptions::known(TermId term) const {
  const auto it = values_.find(term);
  return it == values_.end() ? terms_->domain(term) : &it->second;
}

// An exception ends the comparison under these assumptions, which a new object repeats.
constexpr int kMostDepth = 100;

bool Assumptions::add(const Split& split, bool answer) {
  reduced_.clear();
  if (split.values) return restrict_to(split.term, answer ? *split.values : split.values->complement());
  return equate(split.term, split.other, answer);
}

bool Assumptions::restrict_to(TermId term, const SymbolSet& values) {
  reduced_.clear();
  const TermTable::Row row = terms_->row(term);
  if (row.kind == TermKind::symbol) return values.has(SymbolId(row.a));
  if (row.kind == TermKind::access && terms_->is(TermId(row.a), TermKind::map))
    return restrict_to(TermId(row.b), terms_->keys_with(TermId(row.a), values));
  const SymbolSet* old = known(term);
  SymbolSet now = old == nullptr ? values : common(*old, values);
  const bool possible = !now.empty();
  values_[term] = std::move(now);
  return possible;
}

bool Assumptions::equate(TermId a, TermId b, bool equal) {
  reduced_.clear();
  if (!b.valid()) {
    compared_[{a, b}] = equal;
    return true;
  }
  if (a > b) std::swap(a, b);
  if (a == b) return equal;
  compared_[{a, b}] = equal;
  if (!equal) return true;
  const auto has_parts = [&](TermId t) { return terms_->is(t, TermKind::access) || terms_->is(t, TermKind::store); };
  if (has_parts(a) && !has_parts(b)) std::swap(a, b);
  const auto [it, fresh] = instead_.try_emplace(b, a);
  return fresh || it->second == a || equate(a, it->second, true);
}

TermId Assumptions::reduce(TermId term) {
  if (const auto it = reduced_.find(term); it != reduced_.end()) return it->second;
  if (depth_ > kMostDepth) throw TooHard();
  ++depth_;
  TermId now = rebuild(term);
  if (const SymbolSet* values = known(now); values != nullptr && values->single())
    now = terms_->symbol(values->symbols[0]);
  if (const SymbolSet* values = now == term ? nullptr : known(term); values != nullptr && values->single())
    now = terms_->symbol(values->symbols[0]);
  if (const auto it = instead_.find(now); it != instead_.end()) now = reduce(it->second);
  --depth_;
  reduced_[term] = now;
  return now;
}

TermId Assumptions::rebuild(TermId term) {
  const TermTable::Row row = terms_->row(term);
  if (row.kind == TermKind::access) {
    const TermId key = reduce(TermId(row.b));
    TermId map = reduce(TermId(row.a));
    while (terms_->is(map, TermKind::store)) {
      const TermTable::Row update = terms_->row(map);
      const Truth same = same_key(TermId(update.b), key);
      if (same == Truth::yes) return reduce(TermId(update.c));
      if (same == Truth::unknown) throw Split{TermId(update.b), std::nullopt, key};
      map = TermId(update.a);
    }
    if (const SymbolSet* values = known(key); concrete_ && terms_->is(map, TermKind::map) && values != nullptr &&
                                              !values->others && values->symbols.size() > 1)
      throw Split{key, SymbolSet{{values->symbols[0]}, false}, {}};
    return terms_->access(map, key);
  }
  if (row.kind == TermKind::store)
    return terms_->store(reduce(TermId(row.a)), reduce(TermId(row.b)), reduce(TermId(row.c)));
  if (row.kind == TermKind::changes) {
    const std::uint32_t rest = row.c == kNone ? kNone : reduce(TermId(row.c)).value;
    return terms_->make(TermKind::changes, row.a, reduce(TermId(row.b)).value, rest);
  }
  if (row.kind == TermKind::check && row.c != kNone)
    return terms_->make(TermKind::check, row.a, row.b, reduce(TermId(row.c)).value);
  return term;
}

std::optional<TermId> Assumptions::only_key(TermId term) const {
  const TermTable::Row row = terms_->row(term);
  if (row.kind == TermKind::symbol || row.kind == TermKind::map) return TermId();
  TermId root = term;
  while (terms_->is(root, TermKind::access)) root = TermId(terms_->row(root).a);
  if (!terms_->is(root, TermKind::map)) return term;
  const std::optional<TermId> map = only_key(TermId(row.a)), key = only_key(TermId(row.b));
  if (!map || !key || (map->valid() && key->valid() && *map != *key)) return std::nullopt;
  return map->valid() ? map : key;
}

ir::Folded Assumptions::value_for(TermId term, TermId key, SymbolId symbol) const {
  if (term == key) return {symbol, {}};
  const TermTable::Row row = terms_->row(term);
  if (row.kind == TermKind::symbol) return {SymbolId(row.a), {}};
  if (row.kind == TermKind::map) return {{}, ir::ValueId(row.a)};
  const ir::Folded map = value_for(TermId(row.a), key, symbol), index = value_for(TermId(row.b), key, symbol);
  if (!map.map.valid() || !index.symbol.valid()) return {};
  return ir::folded(terms_->game(), terms_->game().values.at(map.map, index.symbol));
}

template <class F>
std::optional<SymbolSet> Assumptions::values_where(TermId key, bool& all, F&& holds) const {
  constexpr std::size_t kMostValues = 1000;
  const SymbolSet* possible = key.valid() ? known(key) : nullptr;
  if (possible == nullptr || possible->others || possible->symbols.size() > kMostValues) return std::nullopt;
  SymbolSet found;
  std::ranges::copy_if(possible->symbols, std::back_inserter(found.symbols), holds);
  all = found.symbols.size() == possible->symbols.size();
  return found;
}

Truth Assumptions::same_key(TermId a, TermId b) {
  if (a == b) return Truth::yes;
  const bool constant = terms_->is(a, TermKind::symbol) && terms_->is(b, TermKind::symbol);
  if (constant) return Truth::no;
  const auto it = compared_.find({std::min(a, b), std::max(a, b)});
  if (it != compared_.end()) return it->second ? Truth::yes : Truth::no;
  const auto values = [&](TermId t) -> std::optional<SymbolSet> {
    if (terms_->is(t, TermKind::symbol)) return SymbolSet{{SymbolId(terms_->row(t).a)}, false};
    const SymbolSet* found = known(t);
    return found == nullptr ? std::nullopt : std::optional(*found);
  };
  const auto first = values(a), second = values(b);
  if (first && second && common(*first, *second).empty()) return Truth::no;
  // Lookups with one key are compared value by value.
  const std::optional<TermId> key = only_key(a), other = only_key(b);
  if (!key || !other || (key->valid() && other->valid() && *key != *other)) return Truth::unknown;
  const TermId both = key->valid() ? *key : *other;
  bool all = false;
  const auto where = values_where(both, all, [&](SymbolId s) {
    const ir::Folded one = value_for(a, both, s);
    return one.known() && one == value_for(b, both, s);
  });
  if (!where) return Truth::unknown;
  if (all) return Truth::yes;
  if (where->empty()) return Truth::no;
  throw Split{both, *where, {}};
}

bool Assumptions::decide(TermId term, const SymbolSet& values) {
  term = reduce(term);
  const TermTable::Row row = terms_->row(term);
  if (row.kind == TermKind::symbol) return values.has(SymbolId(row.a));
  if (const SymbolSet* found = known(term)) {
    if (inside(*found, values)) return true;
    if (common(*found, values).empty()) return false;
  }
  if (row.kind != TermKind::access) throw Split{term, values, {}};
  if (const std::optional<TermId> key = only_key(term); key && *key != term) {
    bool all = false;
    const auto where = values_where(*key, all, [&](SymbolId s) {
      const ir::Folded one = value_for(term, *key, s);
      return one.symbol.valid() && values.has(one.symbol);
    });
    if (where && (all || where->empty())) return all;
    if (where) throw Split{*key, *where, {}};
  }
  // A lookup in a constant map is a question about the innermost key that is not known: of one key, whether it is among
  // those with such values; of the outer ones of several, which value it has.
  std::vector<TermId> keys{TermId(row.b)};
  TermId root(row.a);
  for (; terms_->is(root, TermKind::access); root = TermId(terms_->row(root).a))
    keys.push_back(TermId(terms_->row(root).b));
  if (!terms_->is(root, TermKind::map)) throw Split{term, values, {}};
  const TermId key = keys.back();
  if (keys.size() > 1) {
    if (terms_->is(key, TermKind::symbol)) throw TooHard();
    // Any single value makes progress; the first one is taken.
    const SymbolSet* possible = known(key);
    if (possible == nullptr || possible->others || possible->symbols.empty()) throw Split{term, values, {}};
    throw Split{key, SymbolSet{{possible->symbols[0]}, false}, {}};
  }
  return decide(key, terms_->keys_with(root, values));
}

bool Assumptions::equal(TermId a, TermId b) {
  a = reduce(a);
  b = reduce(b);
  if (a == b) return true;
  if (terms_->is(b, TermKind::symbol)) std::swap(a, b);
  if (terms_->is(a, TermKind::symbol)) {
    if (terms_->is(b, TermKind::map) || terms_->is(b, TermKind::store)) return false;
    return decide(b, SymbolSet{{SymbolId(terms_->row(a).a)}, false});
  }
  // One map at equal keys.
  if (terms_->is(a, TermKind::access) && terms_->is(b, TermKind::access) && terms_->row(a).a == terms_->row(b).a &&
      same_key(TermId(terms_->row(a).b), TermId(terms_->row(b).b)) == Truth::yes)
    return true;
  const auto is_map = [&](TermId t) { return terms_->is(t, TermKind::map) || terms_->is(t, TermKind::store); };
  if (is_map(a) || is_map(b)) {
    if (same_maps(a, b)) return true;
  }
  const Truth same = same_key(a, b);
  if (same == Truth::unknown) throw Split{std::min(a, b), std::nullopt, std::max(a, b)};
  return same == Truth::yes;
}

// Updates of one map are the same if each key has the same last value in both.
bool Assumptions::same_maps(TermId a, TermId b) {
  const auto base = [&](TermId t) {
    while (terms_->is(t, TermKind::store)) t = TermId(terms_->row(t).a);
    return t;
  };
  if (base(a) != base(b)) return false;
  for (TermId t : {a, b}) {
    for (; terms_->is(t, TermKind::store); t = TermId(terms_->row(t).a)) {
      const TermId key(terms_->row(t).b);
      const TermId first = reduce(terms_->access(a, key)), second = reduce(terms_->access(b, key));
      if (first == second) continue;
      const bool nested = terms_->is(first, TermKind::store) || terms_->is(second, TermKind::store);
      if (nested ? !same_maps(first, second) : !equal(first, second)) return false;
    }
  }
  return true;
}

bool Assumptions::holds(TermId check) {
  check = reduce(check);
  const auto it = compared_.find({check, TermId()});
  if (it == compared_.end()) throw Split{check, std::nullopt, {}};
  return it->second;
}

}  // namespace rgtrans::certificate
