#include "frontends/gdl/syntax/terms.hpp"

#include <algorithm>

namespace rgtrans::gdl {

namespace {

std::uint64_t hash_term(SymbolId symbol, std::span<const TermId> arguments) {
  std::uint64_t hash = combine_hash(arguments.size(), symbol.value);
  for (const TermId argument : arguments) hash = combine_hash(hash, argument.value);
  return hash;
}

}  // namespace

TermId Terms::intern(SymbolId symbol, std::span<const TermId> arguments) {
  const auto fresh = static_cast<std::uint32_t>(rows_.size());
  const std::uint32_t row = index_.find_or_insert(hash_term(symbol, arguments), fresh, [&](std::uint32_t r) {
    return rows_[r].symbol == symbol && std::ranges::equal(this->arguments(TermId(r)), arguments);
  });
  if (row == fresh) {
    std::uint32_t depth = 0;
    for (const TermId argument : arguments) depth = std::max(depth, this->depth(argument) + 1);
    rows_.push_back(
        {symbol, static_cast<std::uint32_t>(arguments.size()), static_cast<std::uint32_t>(arguments_.size()), depth});
    arguments_.insert(arguments_.end(), arguments.begin(), arguments.end());
  }
  return TermId(row);
}

TermId Terms::find(SymbolId symbol, std::span<const TermId> arguments) const {
  return TermId(index_.find(hash_term(symbol, arguments), [&](std::uint32_t r) {
    return rows_[r].symbol == symbol && std::ranges::equal(this->arguments(TermId(r)), arguments);
  }));
}

void Terms::print(TermId id, const Symbols& symbols, std::string& out) const {
  if (arity(id) == 0) {
    out += symbols.text(symbol(id));
    return;
  }
  out += '(';
  out += symbols.text(symbol(id));
  for (const TermId argument : arguments(id)) {
    out += ' ';
    print(argument, symbols, out);
  }
  out += ')';
}

Pattern Patterns::make(SymbolId symbol, std::span<const Pattern> arguments) {
  if (std::ranges::all_of(arguments, &Pattern::is_ground)) {
    std::vector<TermId> ground;
    ground.reserve(arguments.size());
    for (const Pattern argument : arguments) ground.push_back(argument.term());
    return Pattern::ground(terms.intern(symbol, ground));
  }
  compounds_.push_back(
      {symbol, static_cast<std::uint32_t>(arguments_.size()), static_cast<std::uint32_t>(arguments.size())});
  arguments_.insert(arguments_.end(), arguments.begin(), arguments.end());
  return Pattern::compound(static_cast<std::uint32_t>(compounds_.size() - 1));
}

SymbolId Patterns::symbol(Pattern pattern) const {
  return pattern.is_ground() ? terms.symbol(pattern.term()) : compounds_[pattern.number()].symbol;
}

std::uint32_t Patterns::arity(Pattern pattern) const {
  return pattern.is_ground() ? terms.arity(pattern.term()) : compounds_[pattern.number()].count;
}

Pattern Patterns::argument(Pattern pattern, std::uint32_t index) const {
  if (pattern.is_ground()) return Pattern::ground(terms.arguments(pattern.term())[index]);
  return arguments_[compounds_[pattern.number()].first + index];
}

}  // namespace rgtrans::gdl
