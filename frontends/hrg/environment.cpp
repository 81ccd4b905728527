#include "frontends/hrg/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "frontends/hrg/parser.hpp"

namespace rgtrans::hrg {

namespace {

template <class T>
void put(std::vector<T>& table, std::size_t index, T value) {
  if (index >= table.size()) table.resize(std::max(index + 1, table.size() * 2));
  table[index] = value;
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  return did_you_mean(name, views);
}

}  // namespace

void Environment::declare() {
  declare_domains();
  declare_values();
  declare_graphs();
}

bool Environment::is_upper(SymbolId name) const { return hrg::is_upper(game.symbols.text(name)); }

int Environment::graph(SymbolId name) const {
  const auto it = graphs_.find(name);
  return it == graphs_.end() ? -1 : static_cast<int>(it->second);
}

ir::TypeId Environment::domain(SymbolId name) const {
  const auto it = domains_.find(name);
  return it == domains_.end() ? ir::TypeId() : it->second;
}

// --- Values and graphs ---

void Environment::declare_values() {
  auto add = [&](const ast::Name& name, ValueKind kind, std::size_t index) {
    const ValueRef known = value(name.symbol);
    if (known.kind != ValueKind::none) {
      const Range first = known.kind == ValueKind::function ? program.functions[known.index].name.where
                                                            : program.variables[known.index].name.where;
      error(name.where, fmt::format("{} is declared twice", text(name.symbol)),
            "functions and variables share one name space")
          ->notes.push_back({first, "first declared here"});
      return;
    }
    if (is_element(name.symbol)) {
      error(name.where, fmt::format("{} is already an element of a domain", text(name.symbol)),
            "an expression could not distinguish the two; choose another name");
    }
    put(values_, name.symbol.value, {kind, static_cast<std::uint32_t>(index)});
  };
  functions.resize(program.functions.size());
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const ast::Function& function = program.functions[i];
    add(function.name, ValueKind::function, i);
    if (is_upper(function.name.symbol)) {
      error(function.name.where,
            fmt::format("the function {} begins with an upper-case letter", text(function.name.symbol)),
            "an upper-case name before '(' is a constructor; begin the name with a lower-case letter");
    }
    functions[i].type = type(function.type);
  }
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    add(program.variables[i].name, ValueKind::variable, i);
    variable_types.push_back(type(program.variables[i].type));
  }
  variables.resize(program.variables.size());
}

void Environment::add_builtin_variables() {
  for (ir::VarId id : {game.player(), game.goals(), game.visible()}) {
    if (!id.valid()) continue;
    const ir::Variable& variable = game.variable(id);
    if (value(variable.name).kind != ValueKind::none) continue;  // declared by the description
    put(values_, variable.name.value, {ValueKind::variable, static_cast<std::uint32_t>(variables.size())});
    variables.push_back(id);
    variable_types.push_back(variable.type);
  }
}

void Environment::declare_graphs() {
  static constexpr std::string_view kBuiltin[] = {"check", "end",       "return", "break", "continue",
                                                  "not",   "reachable", "true",   "false"};
  for (std::size_t i = 0; i < program.graphs.size(); ++i) {
    const ast::Name name = program.graphs[i].name;
    const auto [it, fresh] = graphs_.try_emplace(name.symbol, static_cast<std::uint32_t>(i));
    if (!fresh) {
      error(name.where, fmt::format("the graph {} is declared twice", text(name.symbol)), "choose another name")
          ->notes.push_back({program.graphs[it->second].name.where, "first declared here"});
    }
    if (std::ranges::find(kBuiltin, game.symbols.text(name.symbol)) != std::end(kBuiltin)) {
      error(name.where, fmt::format("{} is built in and cannot be the name of a graph", text(name.symbol)),
            "choose another name");
    }
  }
  const int rules = graph(game.symbols.intern("rules"));
  if (rules < 0) {
    error({}, "there is no graph rules", "the game begins in it: graph rules() { … }");
  } else if (const ast::GraphRule& graph = program.graphs[static_cast<std::size_t>(rules)]; !graph.params.empty()) {
    error(graph.name.where, "the graph rules has parameters", "the game begins in it without arguments");
  }
}

// --- Types ---

ir::TypeId Environment::type(ast::TypeId id) {
  const ast::Type& node = program[id];
  switch (node.kind) {
    case ast::TypeForm::name: {
      const ir::TypeDef* def = game.find_type(node.name.symbol);
      if (def == nullptr) {
        // If domains have mistakes, built-in types are not created; do not report them as missing.
        const bool made_later = failed() && ir::is_builtin_type(text(node.name.symbol));
        if (made_later || domain_index_.contains(node.name.symbol)) return {};
        error(node.where, fmt::format("there is no domain {}", text(node.name.symbol)),
              similar_domain(node.name.symbol));
        return {};
      }
      return game.types.alias(node.name.symbol);
    }
    case ast::TypeForm::set: {
      std::vector<SymbolId> members;
      for (const ast::Name& name : program.items(node.members)) members.push_back(name.symbol);
      return game.types.set(members);
    }
    case ast::TypeForm::arrow:
      break;
  }
  const ir::TypeId from = type(node.from);
  const ir::TypeId to = type(node.to);
  if (!from.valid() || !to.valid()) return {};
  if (!is_set(from)) {
    error(program[node.from].where, fmt::format("{} is no set", type_text(from)),
          "only a domain can stand to the left of ->");
    return {};
  }
  return game.types.arrow(from, to);
}

ir::TypeId Environment::resolve_alias(ir::TypeId type) {
  if (type.value >= resolved_.size()) resolved_.resize(game.types.size());
  return resolved_[type.value] = game.resolve(type);
}

std::span<const SymbolId> Environment::members(ir::TypeId set) {
  set = resolve(set);
  if (!set.valid() || game.types.kind(set) != ir::TypeKind::set) return {};
  return game.types.members(set);
}

int Environment::index_of(ir::TypeId set, SymbolId symbol) {
  set = resolve(set);
  if (!set.valid() || game.types.kind(set) != ir::TypeKind::set) return -1;
  return game.types.index_of(set, symbol);
}

bool Environment::have_common_element(ir::TypeId a, ir::TypeId b) {
  if (game.types.kind(a) != game.types.kind(b)) return false;
  if (game.types.kind(a) == ir::TypeKind::arrow) {
    return assignable(game.types.from(a), game.types.from(b)) && assignable(game.types.to(a), game.types.to(b));
  }
  if (game.types.members(a).size() > game.types.members(b).size()) std::swap(a, b);
  const auto members = game.types.members(a);
  if (members.size() == 1) return game.types.index_of(b, members.front()) >= 0;
  const std::uint64_t key = (std::uint64_t{a.value} << 32U) | b.value;
  const auto [it, fresh] = assignable_.try_emplace(key, false);
  if (fresh) {
    it->second = std::ranges::any_of(members, [&](SymbolId m) { return game.types.index_of(b, m) >= 0; });
  }
  return it->second;
}

bool Environment::contained(ir::TypeId part, ir::TypeId whole) {
  part = resolve(part);
  whole = resolve(whole);
  if (part == whole) return true;
  return std::ranges::all_of(members(part), [&](SymbolId m) { return index_of(whole, m) >= 0; });
}

bool Environment::contains(ir::TypeId set, TermId term) {
  const SymbolId symbol = terms.symbol(term);
  return index_of(set, symbol) >= 0 && terms.of_symbol(symbol) == term;
}

std::string Environment::type_text(ir::TypeId type) const {
  if (!type.valid()) return "?";
  switch (game.types.kind(type)) {
    case ir::TypeKind::alias:
      return text(game.types.alias_name(type));
    case ir::TypeKind::arrow:
      return type_text(game.types.from(type)) + " -> " + type_text(game.types.to(type));
    case ir::TypeKind::set:
      break;
  }
  constexpr std::size_t kShown = 6;
  std::string out = "{";
  const auto members = game.types.members(type);
  for (std::size_t i = 0; i < members.size() && i < kShown; ++i) {
    out += (i > 0 ? ", " : "") + text(members[i]);
  }
  return out + (members.size() > kShown ? ", …}" : "}");
}

ir::ValueId Environment::first_value(ir::TypeId type) {
  type = resolve(type);
  if (game.types.kind(type) == ir::TypeKind::arrow) return game.values.map(first_value(game.types.to(type)), {});
  return game.values.symbol(game.types.members(type).front());
}

// --- Errors ---

bool Environment::first_report(Range where, std::string_view message) {
  const std::uint64_t place = (std::uint64_t{where.begin} << 32U) | where.end;
  return reported_.insert(combine_hash(place, std::hash<std::string_view>()(message))).second;
}

Diagnostic* Environment::error(Range where, std::string message, std::string hint) {
  static thread_local Diagnostic repeated;
  if (!first_report(where, message)) return &(repeated = {});
  return &diagnostics_.error(where, std::move(message), std::move(hint));
}

Diagnostic* Environment::warning(Range where, std::string message, std::string hint) {
  static thread_local Diagnostic repeated;
  if (!first_report(where, message)) return &(repeated = {});
  return &diagnostics_.warning(where, std::move(message), std::move(hint));
}

void Environment::fail(Range where, std::string message, std::string hint) {
  error(where, std::move(message), std::move(hint));
  throw Failed();
}

std::string Environment::similar_value(SymbolId name) const {
  std::vector<std::string> names;
  for (const ast::Function& function : program.functions) names.push_back(text(function.name.symbol));
  for (const ast::VariableRule& variable : program.variables) names.push_back(text(variable.name.symbol));
  for (std::size_t i = 0; i < is_element_.size() && names.size() < 10'000; ++i) {
    if (is_element_[i]) names.push_back(text(SymbolId(i)));
  }
  for (std::string_view builtin : {"player", "goals", "visible"}) names.emplace_back(builtin);
  return nearest(text(name), names);
}

// A hint such as "did you mean T(0)?", with the elements constructed from this single term.
std::string Environment::constructed_hint(TermId argument, std::span<const SymbolId> members) {
  std::vector<std::string> found;
  for (const SymbolId member : members) {
    const TermId term = terms.of_symbol(member);
    if (terms.constructor(term).valid() && terms.args(term).size() == 1 && terms.args(term)[0] == argument)
      found.push_back(terms.text(term));
  }
  constexpr std::size_t kShown = 3;
  if (found.size() > kShown) found.resize(kShown);
  return found.empty() ? "" : fmt::format("did you mean {}?", fmt::join(found, " or "));
}

std::string Environment::element_hint(TermId term, ir::TypeId set) {
  std::vector<SymbolId> everything;
  std::span<const SymbolId> members = this->members(set);
  if (!set.valid()) {
    for (std::size_t i = 0; i < is_element_.size(); ++i) {
      if (is_element_[i]) everything.emplace_back(i);
    }
    members = everything;
  }
  if (std::string hint = constructed_hint(term, members); !hint.empty()) return hint;
  const std::string name = terms.text(term);
  const bool truth = name == "true" || name == "false";
  if (truth && (!set.valid() || contains(set, terms.integer(0))))
    return fmt::format("truth is written with numbers: {}", name == "true" ? "1" : "0");
  if (!set.valid()) return {};
  std::vector<std::string> names;
  for (const SymbolId member : members.first(std::min<std::size_t>(members.size(), 10'000)))
    names.push_back(terms.text(terms.of_symbol(member)));
  if (std::string hint = nearest(name, names); !hint.empty()) return hint;
  const bool named = game.types.kind(set) == ir::TypeKind::alias && domain_index_.contains(game.types.alias_name(set));
  if (!named) return {};
  constexpr std::size_t kShown = 6;
  const std::string more = names.size() > kShown ? ", …" : "";
  if (names.size() > kShown) names.resize(kShown);
  return fmt::format("the elements of {} are {}{}; add {} to the domain if it is one", type_text(set),
                     fmt::join(names, ", "), more, name);
}

std::string Environment::similar_domain(SymbolId name) const {
  std::vector<std::string> names;
  for (const ir::TypeDef& def : game.type_defs()) names.push_back(text(def.name));
  return nearest(text(name), names);
}

std::string Environment::similar_graph(SymbolId name) const {
  std::vector<std::string> names;
  for (const ast::GraphRule& graph : program.graphs) names.push_back(text(graph.name.symbol));
  for (std::string_view builtin : {"check", "end", "return", "break", "continue"}) names.emplace_back(builtin);
  return nearest(text(name), names);
}

}  // namespace rgtrans::hrg
