#include "core/certificate/terms.hpp"

#include <algorithm>

#include "core/certificate/facts.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::certificate {

constexpr std::size_t kMostValues = 1000;  // of the argument of a function

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
  const std::uint64_t both = (std::uint64_t{map.value} << 32U) | key.value;
  if (const auto it = accesses_.find(both); it != accesses_.end()) return it->second;
  return accesses_[both] = find_access(map, key);
}

TermId TermTable::find_access(TermId map, TermId key) {
  const Row m = row(map), k = row(key);
  if (m.kind == TermKind::map && k.kind == TermKind::symbol)
    return value(game_.values.at(ir::ValueId(m.a), SymbolId(k.a)));
  if (m.kind == TermKind::map && game_.values.exceptions(ir::ValueId(m.a)).empty())
    return value(game_.values.default_of(ir::ValueId(m.a)));
  if (m.kind == TermKind::store) {
    if (m.b == key.value) return TermId(m.c);
    if (k.kind == TermKind::symbol && is(TermId(m.b), TermKind::symbol)) return access(TermId(m.a), key);
  }
  const TermId found = pointwise(map, key);
  return found.valid() ? found : make(TermKind::access, map.value, key.value);
}

TermId TermTable::argument(TermId term) const { return is(term, TermKind::function) ? TermId(row(term).b) : term; }

template <class F>
TermId TermTable::tabulate(TermId on, F&& image) {
  const SymbolSet* values = domain(on);
  if (values == nullptr || values->others || values->symbols.empty() || values->symbols.size() > kMostValues) return {};
  Images all;
  for (const SymbolId value : std::vector<SymbolId>(values->symbols)) {
    const TermId found = image(value);
    if (!found.valid()) return {};
    all.emplace_back(value, found);
  }
  return function(on, std::move(all));
}

TermId TermTable::pointwise(TermId map, TermId key) {
  const bool one_map = is(map, TermKind::map);
  if (!one_map && !is(map, TermKind::function)) return {};
  const TermId on = argument(one_map ? key : map);
  if (!is(key, TermKind::symbol) && argument(key) != on) return {};
  return tabulate(on, [&](SymbolId value) {
    const TermId m = image(map, on, value), k = image(key, on, value);
    if (!m.valid() || !k.valid() || !is(m, TermKind::map) || !is(k, TermKind::symbol)) return TermId();
    return this->value(game_.values.at(ir::ValueId(row(m).a), SymbolId(row(k).a)));
  });
}

TermId TermTable::function(TermId argument, Images images) {
  const TermId first = images.front().second;
  if (std::ranges::all_of(images, [&](const auto& entry) { return entry.second == first; })) return first;
  if (std::ranges::all_of(images, [&](const auto& entry) { return entry.second == symbol(entry.first); }))
    return argument;
  const auto [it, fresh] = image_numbers_.try_emplace(images, static_cast<std::uint32_t>(images_.size()));
  if (fresh) images_.push_back(std::move(images));
  return make(TermKind::function, it->second, argument.value);
}

TermId TermTable::image(TermId term, TermId on, SymbolId value) {
  if (term == on) return symbol(value);
  if (!is(term, TermKind::function)) return term;
  const Images& all = images(term);
  const auto it = std::ranges::lower_bound(all, value, {}, &Images::value_type::first);
  return it == all.end() || it->first != value ? TermId() : it->second;
}

TermId TermTable::apply(TermId function, TermId argument) {
  const TermId before(row(function).b);
  if (argument == before) return function;
  const auto at = [&](TermId inner) {
    return inner.valid() && is(inner, TermKind::symbol) ? image(function, before, SymbolId(row(inner).a)) : TermId();
  };
  const TermId on = this->argument(argument);
  const TermId found = is(argument, TermKind::symbol)
                           ? at(argument)
                           : tabulate(on, [&](SymbolId value) { return at(image(argument, on, value)); });
  return found.valid() ? found : function;
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
  if (const auto it = chosen_.find(term); it != chosen_.end()) return &it->second;
  std::size_t keys = 0;
  for (; is(term, TermKind::access); ++keys) term = TermId(row(term).a);
  if (!is(term, TermKind::start) || facts_ == nullptr) return nullptr;
  const ir::VarId variable(row(term).a);
  auto it = domains_.find(variable);
  if (it == domains_.end()) {
    const ir::Game& game = facts_->game();
    const std::size_t depth = game.keys(game.variable(variable).type).size();
    it = domains_.emplace(variable, std::pair(depth, facts_->values(node_, variable))).first;
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
  if (row.kind == TermKind::function) {
    SymbolSet arguments;
    for (const auto& [value, image] : terms_->images(term))
      if (terms_->is(image, TermKind::symbol) && values.has(SymbolId(terms_->row(image).a)))
        arguments.symbols.push_back(value);
    return restrict_to(TermId(row.b), arguments);
  }
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
  const auto has_parts = [&](TermId t) {
    return terms_->is(t, TermKind::access) || terms_->is(t, TermKind::store) || terms_->is(t, TermKind::function);
  };
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
    if (terms_->is(map, TermKind::function) && terms_->concrete()) split_first(TermId(terms_->row(map).b));
    return terms_->access(map, key);
  }
  if (row.kind == TermKind::function) return terms_->apply(term, reduce(TermId(row.b)));
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

std::optional<SymbolSet> Assumptions::possible(TermId term) const {
  if (terms_->is(term, TermKind::symbol)) return SymbolSet{{SymbolId(terms_->row(term).a)}, false};
  if (const SymbolSet* found = known(term)) return *found;
  if (!terms_->is(term, TermKind::function)) return std::nullopt;
  const SymbolSet* arguments = known(TermId(terms_->row(term).b));
  SymbolSet found;
  for (const auto& [value, image] : terms_->images(term)) {
    if (arguments != nullptr && !arguments->has(value)) continue;
    if (!terms_->is(image, TermKind::symbol)) return std::nullopt;
    found.symbols.push_back(SymbolId(terms_->row(image).a));
  }
  sort_unique(found.symbols);
  return found;
}

template <class F>
bool Assumptions::among(TermId term, F&& holds) const {
  SymbolSet where;
  bool all = true;
  const SymbolSet* values = known(term);
  for (const SymbolId value : values->symbols) {
    const bool here = holds(value);
    all = all && here;
    if (here) where.symbols.push_back(value);
  }
  if (all || where.empty()) return all;
  throw Split{term, where, {}};
}

std::optional<bool> Assumptions::same_images(TermId a, TermId b) {
  const TermId on = terms_->argument(a);
  const SymbolSet* values = known(on);
  if (on != terms_->argument(b) || values == nullptr || values->others) return std::nullopt;
  return among(on, [&](SymbolId value) {
    const TermId first = terms_->image(a, on, value), second = terms_->image(b, on, value);
    if (!first.valid() || !second.valid()) throw TooHard();
    return first == second;
  });
}

Truth Assumptions::same_key(TermId a, TermId b) {
  if (a == b) return Truth::yes;
  const bool constant = terms_->is(a, TermKind::symbol) && terms_->is(b, TermKind::symbol);
  if (constant) return Truth::no;
  const auto it = compared_.find({std::min(a, b), std::max(a, b)});
  if (it != compared_.end()) return it->second ? Truth::yes : Truth::no;
  const auto first = possible(a), second = possible(b);
  if (first && second && common(*first, *second).empty()) return Truth::no;
  if (const std::optional<bool> same = same_images(a, b)) return *same ? Truth::yes : Truth::no;
  return Truth::unknown;
}

bool Assumptions::decide(TermId term, const SymbolSet& values) {
  term = reduce(term);
  const TermTable::Row row = terms_->row(term);
  if (row.kind == TermKind::symbol) return values.has(SymbolId(row.a));
  if (const std::optional<SymbolSet> found = possible(term)) {
    if (inside(*found, values)) return true;
    if (common(*found, values).empty()) return false;
  }
  if (row.kind == TermKind::function) {
    return among(TermId(row.b), [&](SymbolId value) {
      const TermId image = terms_->image(term, TermId(row.b), value);
      return image.valid() && terms_->is(image, TermKind::symbol) && values.has(SymbolId(terms_->row(image).a));
    });
  }
  if (row.kind != TermKind::access) throw Split{term, values, {}};
  // A lookup in a constant map is a question about the innermost key that is not known: of one key, whether it is among
  // those with such values; of the outer ones of several, which value it has.
  TermId root = term;
  for (; terms_->is(root, TermKind::access); root = TermId(terms_->row(root).a)) continue;
  if (terms_->is(root, TermKind::function)) split_first(TermId(terms_->row(root).b));
  if (root != TermId(row.a) || !terms_->is(root, TermKind::map)) throw Split{term, values, {}};
  return decide(TermId(row.b), terms_->keys_with(root, values));
}

// Any single value makes progress; the first one is taken.
void Assumptions::split_first(TermId term) const {
  const SymbolSet* values = known(term);
  if (values != nullptr && !values->others && values->symbols.size() > 1)
    throw Split{term, SymbolSet{{values->symbols[0]}, false}, {}};
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
