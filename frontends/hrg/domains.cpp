// Domains: flattens lists of elements (unions), enumerates generators (last argument fastest), and defines set types in
// the order of the description.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/hrg/environment.hpp"
#include "frontends/hrg/parser.hpp"

namespace rgtrans::hrg {

void Environment::declare_domains() {
  for (std::size_t i = 0; i < program.domains.size(); ++i) {
    const ast::Name name = program.domains[i].name;
    const auto [it, fresh] = domain_index_.try_emplace(name.symbol, static_cast<std::uint32_t>(i));
    if (fresh) continue;
    error(name.where, fmt::format("the domain {} is declared twice", text(name.symbol)), "choose another name")
        ->notes.push_back({program.domains[it->second].name.where, "first declared here"});
  }
  domain_visits_.assign(program.domains.size(), Visit::fresh);
  for (std::uint32_t i = 0; i < program.domains.size(); ++i) {
    try {
      elaborate(i);
    } catch (const Failed&) {
    }
    const ast::Domain& domain = program.domains[i];
    if (const ir::TypeId set = this->domain(domain.name.symbol); set.valid()) {
      if (domain_index_[domain.name.symbol] == i) game.define_type(domain.name.symbol, set, domain.where);
    }
  }
  for (const std::string_view name : ir::kGivenTypes) {
    if (domain_index_.contains(game.symbols.intern(name))) continue;
    error({}, fmt::format("there is no domain {}", name),
          fmt::format("every game declares it, as in: domain {}",
                      name == "Player" ? "Player = white | black" : "Score = 0 | 50 | 100"));
  }
  if (!failed()) declare_builtin_types();
  for (SymbolId symbol : {game.keeper(), game.random()}) {
    is_element_.resize(std::max<std::size_t>(is_element_.size(), symbol.value + 1));
    is_element_[symbol.value] = true;
  }
}

void Environment::mark_elements(ir::TypeId set) {
  for (SymbolId member : game.types.members(set)) {
    if (member.value >= is_element_.size())
      is_element_.resize(std::max<std::size_t>(member.value + 1, game.symbols.size()));
    is_element_[member.value] = true;
  }
}

// ir::add_builtins would define these types, too, but functions and parameters use them earlier.
void Environment::declare_builtin_types() {
  for (const std::string_view name : ir::kFollowingTypes) {
    const SymbolId symbol = game.symbols.intern(name);
    if (game.find_type(symbol) != nullptr) continue;
    const ir::TypeId type = ir::builtin_type(game, name);
    game.define_type(symbol, type);
    if (!game.is_set(type)) continue;
    domains_.emplace(symbol, type);
    mark_elements(type);
  }
}

void Environment::elaborate(std::uint32_t index) {
  const ast::Domain& domain = program.domains[index];
  if (domain_visits_[index] == Visit::done) {
    if (!this->domain(domain.name.symbol).valid()) throw Failed();
    return;
  }
  if (domain_visits_[index] == Visit::busy) {
    fail(domain.name.where, fmt::format("the domain {} contains itself", text(domain.name.symbol)),
         "a domain lists its own elements or other domains");
  }
  struct Guard {
    Visit& visit;
    std::size_t& depth;
    ~Guard() {
      visit = Visit::done;
      --depth;
    }
  } guard{domain_visits_[index], domain_depth_};
  guard.visit = Visit::busy;
  if (++domain_depth_ > kMaxNesting) {
    fail(domain.name.where, "domains refer to each other too deeply",
         fmt::format("at most {} levels are supported; {}", kMaxNesting, kMaxNesting.advice()));
  }

  std::vector<SymbolId> members;
  for (const ast::Element& element : program.items(domain.elements)) {
    if (element.constructor) {
      add_generator(element, members);
    } else if (const auto it = domain_index_.find(element.name.symbol); it != domain_index_.end()) {
      elaborate(it->second);
      const auto others = game.types.members(this->domain(element.name.symbol));
      members.insert(members.end(), others.begin(), others.end());
    } else {
      if (!element.ranges.empty()) {
        error(program.items(element.ranges).front().where, "where follows an element without arguments",
              "only a constructor such as P(X) ranges over values");
      }
      add_member(terms.plain(element.name.symbol), element.name.where, members);
    }
    if (members.size() > kMaxDomainSize) {
      fail(element.where, fmt::format("the domain {} is too large", text(domain.name.symbol)),
           fmt::format("a domain has at most {} elements; {}", kMaxDomainSize, kMaxDomainSize.advice()));
    }
  }
  if (members.empty()) fail(domain.where, fmt::format("the domain {} has no elements", text(domain.name.symbol)));
  const ir::TypeId set = game.types.set(members);
  domains_.emplace(domain.name.symbol, set);
  mark_elements(set);

  // Elements of a generator over a single range of numbers denote these numbers.
  const auto elements = program.items(domain.elements);
  if (elements.size() != 1 || elements[0].args.count != 1 || elements[0].ranges.count != 1) return;
  const ast::WhereRange& range = program.items(elements[0].ranges)[0];
  if (!range.numeric || program.items(elements[0].args)[0].symbol != range.variable.symbol) return;
  game.pragmas.push_back({ir::Integer{static_cast<std::uint64_t>(range.first), members}, domain.where});
}

void Environment::add_member(TermId term, Range where, std::vector<SymbolId>& members) {
  const TermId other = terms.claim(term);
  if (other.valid()) {
    fail(where,
         fmt::format("{} and {} would both be written {} in RG", terms.text(term), terms.text(other),
                     text(terms.symbol(term))),
         "rename one of them");
  }
  members.push_back(terms.symbol(term));
}

// The values of an argument: those of its range, or the argument itself.
void Environment::add_generator(const ast::Element& element, std::vector<SymbolId>& members) {
  const auto args = program.items(element.args);
  const auto ranges = program.items(element.ranges);
  if (!is_upper(element.name.symbol)) {
    warning(element.name.where,
            fmt::format("the constructor {} begins with a lower-case letter", text(element.name.symbol)),
            "expressions could not build its elements, because a lower-case name before '(' is a function");
  }
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (ranges[k].variable.symbol != ranges[i].variable.symbol) continue;
      error(ranges[i].where, fmt::format("{} has two ranges", text(ranges[i].variable.symbol)), "keep one of them");
    }
    if (std::ranges::none_of(args, [&](const ast::Name& a) { return a.symbol == ranges[i].variable.symbol; })) {
      warning(ranges[i].where,
              fmt::format("{} is no argument of {}", text(ranges[i].variable.symbol), text(element.name.symbol)));
    }
  }

  // One dimension per distinct variable or literal, in the order of the arguments.
  struct Dimension {
    std::vector<TermId> values;
    std::size_t at = 0;
  };
  std::vector<Dimension> dimensions;
  std::vector<std::size_t> dimension_of(args.size());
  std::uint64_t total = 1;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const auto same = std::ranges::find(args.first(i), args[i].symbol, &ast::Name::symbol) - args.begin();
    if (is_upper(args[i].symbol) && static_cast<std::size_t>(same) < i) {
      dimension_of[i] = dimension_of[static_cast<std::size_t>(same)];
      continue;
    }
    dimension_of[i] = dimensions.size();
    std::vector<TermId>& values = dimensions.emplace_back().values;
    const auto range =
        std::ranges::find(ranges, args[i].symbol, [](const ast::WhereRange& r) { return r.variable.symbol; });
    if (!is_upper(args[i].symbol)) {
      values.push_back(terms.plain(args[i].symbol));
    } else if (range == ranges.end()) {
      fail(args[i].where, fmt::format("{} has no range", text(args[i].symbol)),
           fmt::format("add: where {} in 0..9, or begin a literal with a lower-case letter", text(args[i].symbol)));
    } else {
      values = range_values(*range);
    }
    total *= values.size();
    if (total > kMaxDomainSize) {
      fail(element.where, fmt::format("{} has too many elements", text(element.name.symbol)),
           fmt::format("a domain has at most {} elements; {}", kMaxDomainSize, kMaxDomainSize.advice()));
    }
  }
  members.reserve(members.size() + total);
  std::vector<TermId> values(args.size());
  for (std::size_t n = 0; n < total; ++n) {
    for (std::size_t i = 0; i < args.size(); ++i) {
      values[i] = dimensions[dimension_of[i]].values[dimensions[dimension_of[i]].at];
    }
    add_member(terms.make(element.name.symbol, values), element.where, members);
    for (std::size_t d = dimensions.size(); d-- > 0;) {
      if (++dimensions[d].at < dimensions[d].values.size()) break;
      dimensions[d].at = 0;
    }
  }
}

std::vector<TermId> Environment::range_values(const ast::WhereRange& range) {
  std::vector<TermId> values;
  if (!range.numeric) {
    for (const ast::Name& name : program.items(range.names)) values.push_back(terms.plain(name.symbol));
    if (values.empty()) fail(range.where, fmt::format("the range of {} is empty", text(range.variable.symbol)));
    return values;
  }
  if (range.first > range.last) {
    fail(range.where, fmt::format("the range {}..{} is empty", range.first, range.last),
         "a range goes from the smaller to the larger number, both included");
  }
  const auto size = static_cast<std::uint64_t>(range.last - range.first) + 1;
  if (size > kMaxDomainSize) {
    fail(range.where, fmt::format("the range {}..{} is too large", range.first, range.last),
         fmt::format("a range has at most {} values; {}", kMaxDomainSize, kMaxDomainSize.advice()));
  }
  values.reserve(size);
  for (std::int64_t value = range.first; value <= range.last; ++value) values.push_back(terms.integer(value));
  return values;
}

}  // namespace rgtrans::hrg
