// Verifies definitions. Searches for cyclic aliases first, in the graph of references between aliases, because
// everything afterwards assumes that types are finite trees.
#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "core/ir/relations.hpp"
#include "core/ir/verifier_parts.hpp"
#include "core/support/components.hpp"

namespace rgtrans::ir {

namespace {

class Declarations {
 public:
  Declarations(const Game& game, Diagnostics& diagnostics) : game_(game), diagnostics_(diagnostics) {}

  bool run() {
    duplicates("type", game_.type_defs());
    duplicates("constant", game_.constants());
    duplicates("variable", game_.variables());
    const std::size_t before = diagnostics_.error_count();
    for (const TypeDef& def : game_.type_defs()) {
      if (def.alive) check_names(def.type, def.where, "type", def.name);
    }
    for (const Constant& c : game_.constants()) {
      if (c.alive) check_names(c.type, c.where, "constant", c.name);
    }
    for (const Variable& v : game_.variables()) {
      if (v.alive) check_names(v.type, v.where, "variable", v.name);
    }
    alias_cycles();
    if (diagnostics_.error_count() > before) return false;

    for (const TypeDef& def : game_.type_defs()) {
      if (def.alive) check_arrows(def.type, def.where);
    }
    for (const Constant& c : game_.constants()) {
      if (c.alive && check_arrows(c.type, c.where)) check_value(c.value, c.type, c.where, "constant", c.name);
    }
    for (const Variable& v : game_.variables()) {
      if (v.alive && check_arrows(v.type, v.where)) check_value(v.initial, v.type, v.where, "variable", v.name);
    }
    return true;
  }

 private:
  template <class List>
  void duplicates(std::string_view kind, const List& list) {
    std::unordered_map<SymbolId, Range> first;
    for (const auto& item : list) {
      if (!item.alive) continue;
      const auto [it, fresh] = first.try_emplace(item.name, item.where);
      if (fresh) continue;
      diagnostics_
          .error(item.where, fmt::format("{} {} is defined twice", kind, game_.symbols.text(item.name)),
                 "remove or rename one of the two")
          .notes.push_back({it->second, "first defined here"});
    }
  }

  // Every alias that occurs in a type must be defined.
  void check_names(TypeId type, Range where, std::string_view kind, SymbolId owner) {
    game_.types.for_each_alias(type, [&](SymbolId name) {
      if (game_.find_type(name) != nullptr) return;
      std::vector<std::string_view> candidates;
      for (const TypeDef& def : game_.type_defs()) candidates.push_back(game_.symbols.text(def.name));
      diagnostics_.error(where,
                         fmt::format("unknown type {} in the {} of {} {}", game_.symbols.text(name),
                                     kind == "type" ? "definition" : "type", kind, game_.symbols.text(owner)),
                         did_you_mean(game_.symbols.text(name), candidates));
    });
  }

  void alias_cycles() {
    const auto defs = game_.type_defs();
    std::unordered_map<SymbolId, std::size_t> row;
    for (std::size_t i = 0; i < defs.size(); ++i) {
      if (defs[i].alive) row.try_emplace(defs[i].name, i);
    }
    Arcs arcs;
    std::unordered_set<std::size_t> itself;
    for (std::size_t i = 0; i < defs.size(); ++i) {
      if (!defs[i].alive) continue;
      game_.types.for_each_alias(defs[i].type, [&](SymbolId name) {
        const auto it = row.find(name);
        if (it == row.end()) return;
        arcs.emplace_back(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(it->second));
        if (it->second == i) itself.insert(i);
      });
    }
    const Components components = strong_components(defs.size(), arcs);
    const Grouped groups = components.members();
    for (std::uint32_t c = 0; c < components.count; ++c) {
      const auto group = groups[c];
      if (group.size() == 1 && !itself.contains(group.front())) continue;
      const TypeDef& def = defs[group.front()];
      auto& diagnostic =
          diagnostics_.error(def.where, fmt::format("type {} is defined by itself", game_.symbols.text(def.name)),
                             "types are finite: a definition may not lead back to its own name");
      for (std::size_t i = 1; i < group.size() && i < 4; ++i) {
        diagnostic.notes.push_back(
            {defs[group[i]].where, fmt::format("by way of {}", game_.symbols.text(defs[group[i]].name))});
      }
    }
  }

  // The source of every arrow must be a set.
  bool check_arrows(TypeId type, Range where) {
    for (type = game_.resolve(type); game_.types.kind(type) == TypeKind::arrow;
         type = game_.resolve(game_.types.to(type))) {
      const TypeId from = game_.types.from(type);
      if (game_.is_set(from)) continue;
      diagnostics_.error(where,
                         fmt::format("{} cannot be the source of a map: it is no set", describe_type(game_, from)),
                         "write a map of several keys as A -> B -> C");
      return false;
    }
    return true;
  }

  void check_value(ValueId value, TypeId type, Range where, std::string_view kind, SymbolId owner) {
    if (!value.valid()) return;  // an error that was reported when the text was read
    type = game_.resolve(type);
    const bool is_map = !game_.values.is_symbol(value);
    if (!is_map && game_.types.kind(type) == TypeKind::set &&
        game_.types.index_of(type, game_.values.as_symbol(value)) >= 0) {
      return;
    }
    const std::uint64_t key = (std::uint64_t{value.value} << 32U) | type.value;
    if (!checked_values_.insert(key).second) return;
    auto describe = [&] { return fmt::format("{} {}", kind, game_.symbols.text(owner)); };
    if (game_.types.kind(type) == TypeKind::set) {
      if (is_map) {
        diagnostics_.error(
            where, fmt::format("{}: a map where a member of {} is expected", describe(), describe_type(game_, type)));
        return;
      }
      const SymbolId symbol = game_.values.as_symbol(value);
      diagnostics_.error(where,
                         fmt::format("{}: {} is not a member of {}", describe(), game_.symbols.text(symbol),
                                     describe_type(game_, type)),
                         suggestion(symbol, type));
      return;
    }
    if (!is_map) {
      diagnostics_.error(where,
                         fmt::format("{}: {} is a symbol, but a map of type {} is expected", describe(),
                                     game_.symbols.text(game_.values.as_symbol(value)), describe_type(game_, type)),
                         "a map is written { key: value, :default }");
      return;
    }
    const TypeId from = game_.resolve(game_.types.from(type));
    const TypeId to = game_.resolve(game_.types.to(type));
    check_value(game_.values.default_of(value), to, where, kind, owner);
    for (const Values::Entry& entry : game_.values.exceptions(value)) {
      if (game_.types.index_of(from, entry.key) < 0) {
        diagnostics_.error(where,
                           fmt::format("{}: the key {} is not a member of {}", describe(),
                                       game_.symbols.text(entry.key), describe_type(game_, from)),
                           suggestion(entry.key, from));
        return;
      }
      check_value(entry.value, to, where, kind, owner);
    }
  }

  std::string suggestion(SymbolId symbol, TypeId set) const {
    std::vector<std::string_view> candidates;
    for (SymbolId member : game_.types.members(set)) candidates.push_back(game_.symbols.text(member));
    return did_you_mean(game_.symbols.text(symbol), candidates);
  }

  const Game& game_;
  Diagnostics& diagnostics_;
  std::unordered_set<std::uint64_t> checked_values_;
};

}  // namespace

bool verify_declarations(const Game& game, Diagnostics& diagnostics) { return Declarations(game, diagnostics).run(); }

}  // namespace rgtrans::ir
