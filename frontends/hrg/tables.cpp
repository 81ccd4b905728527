// Converts functions and map literals to RG values. A map without an explicit default uses its most frequent value; of
// equally frequent ones the smallest in size, and of those the greatest in order. Authors can observe this rule only in
// keys that a literal omits and in lookups with keys outside the domain, but games depend on it.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/hrg/evaluator.hpp"

namespace rgtrans::hrg {

using ast::ExpressionKind;

// --- Functions ---

ir::ValueId Evaluator::table(std::uint32_t function) {
  FunctionInfo& info = env_.functions[function];
  const ast::Function& declaration = program_.functions[function];
  if (info.state == FunctionInfo::State::done) return info.value;
  if (info.state == FunctionInfo::State::busy) {
    env_.fail(declaration.name.where,
              fmt::format("the function {} contains itself", env_.text(declaration.name.symbol)),
              "it names a function that names it again");
  }
  if (info.state == FunctionInfo::State::failed || !info.type.valid()) throw Failed();
  info.state = FunctionInfo::State::busy;
  try {
    if (nesting_ >= kMaxEvaluationDepth)
      env_.fail(declaration.name.where, "functions name each other too deeply", kMaxEvaluationDepth.advice());
    ++nesting_;
    std::uint64_t cells = 1;
    ir::TypeId type = env_.resolve(info.type);
    for (std::uint32_t i = 0; i < info.arity; ++i, type = env_.resolve(env_.game.types.to(type))) {
      cells *= env_.members(env_.game.types.from(type)).size();
      if (cells <= kMaxTableSize) continue;
      env_.fail(declaration.name.where, fmt::format("the function {} is too large", env_.text(declaration.name.symbol)),
                fmt::format("it may have at most {} values; {}", kMaxTableSize, kMaxTableSize.advice()));
    }
    std::vector<TermId> args;
    info.value = table_level(function, info.type, args);
    info.state = FunctionInfo::State::done;
    --nesting_;
    return info.value;
  } catch (const Failed&) {
    info.state = FunctionInfo::State::failed;
    --nesting_;
    abandon();
    throw;
  }
}

void Evaluator::abandon() {
  base_ = 0;
  top_ = 0;
  depth_ = 0;
  for (Memo& memo : memo_) {
    if (!memo.result.valid()) memo.result = kFailedTerm;
  }
}

ir::ValueId Evaluator::table_level(std::uint32_t function, ir::TypeId type, std::vector<TermId>& args) {
  ir::Game& game = env_.game;
  if (args.size() == env_.functions[function].arity) {
    const TermId result = apply(function, args, program_.functions[function].name.where);
    const ir::TypeId set = env_.resolve(type);
    if (game.types.kind(set) == ir::TypeKind::set && env_.contains(set, result)) {
      return element_value(terms_.symbol(result));
    }
    return term_value(result, type, body_range(function, args), call_text(function, args));
  }
  const ir::TypeId from = env_.resolve(game.types.from(env_.resolve(type)));
  const ir::TypeId to = game.types.to(env_.resolve(type));
  Pairs pairs;
  const std::size_t size = game.types.members(from).size();
  pairs.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    const SymbolId key = game.types.members(from)[i];
    args.push_back(terms_.of_symbol(key));
    pairs.push_back({key, table_level(function, to, args)});
    args.pop_back();
  }
  return completed(pairs, implicit_default(pairs), !args.empty());
}

// The place of the body that gives the value for these arguments.
Range Evaluator::body_range(std::uint32_t function, std::span<const TermId> args) {
  const ast::Function& declaration = program_.functions[function];
  const auto cases = program_.items(declaration.cases);
  const std::size_t bound = top_;
  Range where = declaration.name.where;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    set_top(bound + case_slots_[declaration.cases.first + i]);
    const std::size_t base = std::exchange(base_, bound);
    const auto patterns = program_.items(cases[i].patterns);
    bool matches = true;
    for (std::size_t k = 0; k < patterns.size(); ++k) matches = matches && match(patterns[k], args[k]);
    base_ = base;
    if (!matches) continue;
    where = program_[cases[i].body].where;
    break;
  }
  top_ = bound;
  return where;
}

ir::ValueId Evaluator::completed(Pairs& pairs, ir::ValueId default_value, bool nested) {
  const ir::ValueId value = env_.game.values.map(default_value, pairs);
  if (nested && !ordered_.contains(value)) {
    std::erase_if(pairs, [&](const ir::Values::Entry& entry) { return entry.value == default_value; });
    ordered_.emplace(value, pairs);
  }
  return value;
}

ir::ValueId Evaluator::element_value(SymbolId symbol) {
  if (symbol.value >= elements_.size()) elements_.resize(std::max<std::size_t>(symbol.value + 1, elements_.size() * 2));
  ir::ValueId& known = elements_[symbol.value];
  if (!known.valid()) known = env_.game.values.symbol(symbol);
  return known;
}

ir::ValueId Evaluator::term_value(TermId term, ir::TypeId type, Range where, std::string_view what) {
  ir::Game& game = env_.game;
  const ir::TypeId resolved = env_.resolve(type);
  const SymbolId name = terms_.constructor(term).valid() ? SymbolId() : terms_.symbol(term);
  const ValueRef ref = name.valid() ? env_.value(name) : ValueRef();
  if (game.types.kind(resolved) == ir::TypeKind::arrow) {
    if (ref.kind == ValueKind::function) return function_value(ref.index, type, where);
    env_.fail(
        where,
        fmt::format("{} is {}, where a map of type {} is expected", what, terms_.text(term), env_.type_text(type)),
        "give the name of a function of that type");
  }
  if (env_.contains(resolved, term)) return game.values.symbol(terms_.symbol(term));
  std::string hint;
  if (ref.kind == ValueKind::function) {
    hint = fmt::format("{} is a function; a map is expected only where the type has one more arrow", env_.text(name));
  } else if (terms_.constructor(term).valid()) {
    hint = "its arguments have to be within the ranges of the domain";
  } else {
    hint = env_.element_hint(term, type);
  }
  env_.fail(where, fmt::format("{} is {}, which is no element of {}", what, terms_.text(term), env_.type_text(type)),
            hint);
}

ir::ValueId Evaluator::function_value(std::uint32_t function, ir::TypeId type, Range where) {
  FunctionInfo& info = env_.functions[function];
  if (info.type.valid() && !env_.assignable(type, info.type)) {
    env_.fail(where, fmt::format("{} has the type {}, where {} is expected",
                                 env_.text(program_.functions[function].name.symbol), env_.type_text(info.type),
                                 env_.type_text(type)));
  }
  info.used = true;
  return table(function);
}

// --- Initial values ---

ir::ValueId Evaluator::value_of(ast::ExprId id, ir::TypeId type) {
  const ast::Expr& expr = program_[id];
  if (expr.kind == ExpressionKind::map) return map_value(expr, type);
  if (expr.kind == ExpressionKind::conditional) {
    const auto args = program_.items(expr.args);
    return value_of(test(args[0]) ? args[1] : args[2], type);
  }
  const TermId term = eval(id);
  const ir::TypeId resolved = env_.resolve(type);
  if (env_.game.types.kind(resolved) == ir::TypeKind::set && env_.contains(resolved, term)) {
    return element_value(terms_.symbol(term));
  }
  return term_value(term, type, expr.where, "this value");
}

namespace {

bool is_default(const ast::Program& program, const ast::Entry& entry) {
  return !entry.pattern.valid() || program[entry.pattern].kind == ExpressionKind::wildcard;
}

}  // namespace

ir::ValueId Evaluator::map_value(const ast::Expr& expr, ir::TypeId type) {
  ir::Game& game = env_.game;
  const ir::TypeId resolved = env_.resolve(type);
  if (game.types.kind(resolved) != ir::TypeKind::arrow) {
    env_.fail(expr.where, fmt::format("a map literal, where an element of {} is expected", env_.type_text(type)));
  }
  const ir::TypeId from = game.types.from(resolved);
  const ir::TypeId to = game.types.to(resolved);
  ir::ValueId default_value;
  MapLiteral map;
  map.seen.resize(env_.members(from).size());
  ++nesting_;
  for (const ast::Entry& entry : program_.items(expr.entries)) {
    if (!is_default(program_, entry)) {
      add_pairs(entry, from, to, map);
      continue;
    }
    if (default_value.valid()) env_.fail(entry.where, "the map literal has two defaults", "keep one of them");
    if (!entry.ranges.empty()) env_.fail(entry.where, "a default entry has no where");
    default_value = value_of(entry.value, to);
  }
  --nesting_;
  const bool implicit = !default_value.valid();
  if (implicit && map.pairs.empty()) throw Failed();  // an empty literal, reported during name resolution
  if (implicit) default_value = implicit_default(map.pairs);
  drop_outside(from, default_value, map);
  const auto missing = static_cast<std::size_t>(std::ranges::count(map.seen, false));
  if (implicit && missing > 0) {
    env_.warning(expr.where,
                 fmt::format("the map literal leaves out {} of the {} elements of {}", missing, map.seen.size(),
                             env_.type_text(from)),
                 "they take the most frequent value; say which one with a default, as in { : empty; … }");
  }
  return completed(map.pairs, default_value, nesting_ > 0);
}

// A key outside the domain is harmless if its value equals the default.
void Evaluator::drop_outside(ir::TypeId from, ir::ValueId default_value, MapLiteral& map) {
  if (map.outside.empty()) return;
  std::erase_if(map.pairs, [&](const ir::Values::Entry& pair) {
    const auto outside = map.outside.find(pair.key);
    if (outside == map.outside.end()) return false;
    if (pair.value == default_value) return true;
    const auto& [key, where] = outside->second;
    env_.fail(where, fmt::format("the key {} is no element of {}", terms_.text(key), env_.type_text(from)));
  });
}

void Evaluator::add_pairs(const ast::Entry& entry, ir::TypeId from, ir::TypeId to, MapLiteral& map) {
  const auto ranges = program_.items(entry.ranges);
  const std::size_t outer = top_;
  std::vector<std::vector<TermId>> values;
  std::uint64_t total = 1;
  for (const ast::WhereRange& range : ranges) {
    values.push_back(env_.range_values(range));
    total *= values.back().size();
    if (map.pairs.size() + total > kMaxTableSize) {
      env_.fail(entry.where, "the map literal is too large",
                fmt::format("at most {} entries; {}", kMaxTableSize, kMaxTableSize.advice()));
    }
  }
  set_top(outer + ranges.size());
  std::vector<std::size_t> at(ranges.size());
  for (std::size_t n = 0; n < total; ++n) {
    for (std::size_t i = 0; i < ranges.size(); ++i) slots_[outer + i] = values[i][at[i]];
    const TermId key = eval(entry.pattern);
    const SymbolId symbol = terms_.symbol(key);
    const int index = env_.index_of(from, symbol);
    const bool repeated = index >= 0 ? map.seen[static_cast<std::size_t>(index)]
                                     : !map.outside.try_emplace(symbol, key, entry.where).second;
    if (repeated) {
      env_.fail(entry.where, fmt::format("the key {} occurs twice in this map literal", terms_.text(key)),
                "each key has one value; check the ranges and the entries before");
    }
    if (index >= 0) map.seen[static_cast<std::size_t>(index)] = true;
    map.pairs.push_back({symbol, value_of(entry.value, to)});
    for (std::size_t d = ranges.size(); d-- > 0;) {
      if (++at[d] < values[d].size()) break;
      at[d] = 0;
    }
  }
  top_ = outer;
}

// --- The implicit default ---

ir::ValueId Evaluator::implicit_default(const Pairs& pairs) {
  counts_.resize(std::max(counts_.size(), env_.game.values.size()));
  ir::ValueId best;
  for (const ir::Values::Entry& pair : pairs) ++counts_[pair.value.value];
  for (const ir::Values::Entry& pair : pairs) {
    const std::uint32_t count = counts_[pair.value.value];
    if (count == 0) continue;  // counted already
    if (!best.valid() || count > best_count_ || (count == best_count_ && better_default(pair.value, best))) {
      best = pair.value;
      best_count_ = count;
    }
    counts_[pair.value.value] = 0;
  }
  return best;
}

bool Evaluator::better_default(ir::ValueId a, ir::ValueId b) const {
  const std::uint64_t x = value_size(a);
  const std::uint64_t y = value_size(b);
  return x != y ? x < y : compare_values(a, b) > 0;
}

std::uint64_t Evaluator::value_size(ir::ValueId id) const {
  const ir::Values& values = env_.game.values;
  if (values.is_symbol(id)) return 1;
  std::uint64_t size = 1 + value_size(values.default_of(id));
  for (const ir::Values::Entry& entry : values.exceptions(id)) size += value_size(entry.value);
  return size;
}

// Orders symbols before maps, symbols by bytes, and maps by entries: the default first, then in the order in which the
// keys were enumerated.
int Evaluator::compare_values(ir::ValueId a, ir::ValueId b) const {
  const ir::Values& values = env_.game.values;
  if (a == b) return 0;
  if (values.is_symbol(a) != values.is_symbol(b)) return values.is_symbol(a) ? -1 : 1;
  auto compare_names = [&](SymbolId x, SymbolId y) {
    return env_.game.symbols.text(x).compare(env_.game.symbols.text(y));
  };
  if (values.is_symbol(a)) return compare_names(values.as_symbol(a), values.as_symbol(b));
  if (const int order = compare_values(values.default_of(a), values.default_of(b)); order != 0) return order;
  auto entries = [&](ir::ValueId id) -> std::span<const ir::Values::Entry> {
    const auto it = ordered_.find(id);
    return it == ordered_.end() ? values.exceptions(id) : std::span<const ir::Values::Entry>(it->second);
  };
  const auto x = entries(a);
  const auto y = entries(b);
  for (std::size_t i = 0; i < x.size() && i < y.size(); ++i) {
    if (x[i].key != y[i].key) return compare_names(x[i].key, y[i].key);
    if (const int order = compare_values(x[i].value, y[i].value); order != 0) return order;
  }
  return x.size() < y.size() ? -1 : x.size() > y.size() ? 1 : 0;
}

}  // namespace rgtrans::hrg
