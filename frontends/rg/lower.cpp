// Converts a syntax tree to a game. Resolves names (constant, then variable, then symbol) and replaces constants inside
// values by their values. Checks the rules that depend on spelling: one default per map, no repeated key, constants
// defined before use. The verifier checks types.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "frontends/rg/rg.hpp"

namespace rgtrans::rg {

namespace {

using ir::ExprId;
using ir::kBuiltinTypes;
using ir::kBuiltinVariables;
using ir::NodeId;
using ir::TypeId;
using ir::ValueId;
using ir::VarId;

class Lowering {
 public:
  Lowering(const ast::Program& program, Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics), game_(diagnostics.sources()) {}

  ir::Game run() {
    lower_types();
    lower_constants();
    for (const ast::Definition& def : program_.variables) {
      const TypeId type = lower_type(def.type);
      game_.define_variable(intern(def.name), type, lower_value(def.value, type), def.name);
    }
    lower_builtins();
    for (const ast::Edge& edge : program_.edges) {
      if (diagnostics_.full()) break;
      lower_edge(edge);
    }
    for (const ast::PragmaText& pragma : program_.pragmas) {
      if (diagnostics_.full()) break;
      lower_pragma(pragma);
    }
    if (diagnostics_.error_count() == 0) separate_artificial_tags();
    add_words();
    return std::move(game_);
  }

 private:
  std::string_view text(Range range) const { return program_.text(range); }
  SymbolId intern(Range name) { return game_.symbols.intern(text(name)); }

  void lower_builtins() {
    const std::size_t errors = diagnostics_.error_count();
    require_type("Player", "type Player = { white, black };");
    require_type("Score", "type Score = { 0, 50, 100 };");
    if (diagnostics_.error_count() == errors) add_builtins(game_, diagnostics_);
    builtins_failed_ = diagnostics_.error_count() != errors;
  }

  // A missing definition has no place in the text, so the message points to the start of the file.
  void require_type(std::string_view name, std::string_view example) {
    if (game_.find_type(game_.symbols.intern(name)) != nullptr) return;
    std::vector<std::string_view> candidates;
    for (const ast::Definition& def : program_.type_defs) candidates.push_back(text(def.name));
    std::string hint = did_you_mean(name, candidates);
    if (hint.empty()) hint = fmt::format("every game needs it, for instance: {}", example);
    diagnostics_.error(program_.file->range(0, 0), fmt::format("type {} is not defined", name), std::move(hint));
  }

  void add_words() {
    ir::Words words;
    for (const auto& [symbol, text] : program_.words) {
      if (const SymbolId id = game_.symbols.find(symbol); id.valid()) words.texts.emplace(id, text);
    }
    if (!words.texts.empty()) game_.words = std::make_shared<const ir::Words>(std::move(words));
  }

  // --- Types ---
  void lower_types() {
    for (std::string_view name : kBuiltinTypes) known_types_.insert(game_.symbols.intern(name));
    for (const ast::Definition& def : program_.type_defs) known_types_.insert(intern(def.name));
    for (const ast::Definition& def : program_.type_defs) {
      const SymbolId name = intern(def.name);
      game_.define_type(name, lower_type(def.type), def.name);
    }
  }

  TypeId lower_type(std::uint32_t row) {
    const ast::Type& type = program_.types[row];
    switch (type.kind) {
      case ast::Type::Kind::name:
        return named_type(type.where);
      case ast::Type::Kind::arrow: {
        const TypeId from = lower_type(type.a);
        return game_.types.arrow(from, lower_type(type.b));
      }
      case ast::Type::Kind::set:
        break;
    }
    return lower_set(type);
  }

  TypeId named_type(Range where) {
    const SymbolId name = intern(where);
    if (known_types_.insert(name).second) {  // reported once per name
      std::vector<std::string_view> candidates(std::begin(kBuiltinTypes), std::end(kBuiltinTypes));
      for (const ast::Definition& def : program_.type_defs) candidates.push_back(text(def.name));
      diagnostics_.error(where, fmt::format("type {} is not defined", text(where)), nearest(where, candidates));
    }
    return game_.types.alias(name);
  }

  TypeId lower_set(const ast::Type& type) {
    std::vector<SymbolId> members;
    members.reserve(type.b - type.a);
    for (std::uint32_t i = type.a; i < type.b; ++i) members.push_back(intern(program_.names[i]));
    if (const auto repeated = first_repetition(members)) {
      const Range where = program_.names[type.a + *repeated];
      diagnostics_.warning(where, fmt::format("{} is listed twice in the set", text(where)), "it counts once");
    }
    return game_.types.set(members);
  }

  // The position of a symbol that occurs earlier in the list.
  static std::optional<std::uint32_t> first_repetition(const std::vector<SymbolId>& symbols) {
    std::unordered_set<SymbolId> seen;
    seen.reserve(symbols.size());
    for (std::uint32_t i = 0; i < symbols.size(); ++i) {
      if (!seen.insert(symbols[i]).second) return i;
    }
    return std::nullopt;
  }

  // --- Values ---
  void lower_constants() {
    for (const ast::Definition& def : program_.constants) constant_places_.try_emplace(intern(def.name), def.name);
    for (const ast::Definition& def : program_.constants) {
      current_constant_ = intern(def.name);
      const TypeId type = lower_type(def.type);
      const ValueId value = lower_value(def.value, type);
      game_.define_constant(current_constant_, type, value, def.name);
    }
  }

  ValueId lower_value(std::uint32_t row, TypeId type) {
    const ast::Value& value = program_.values[row];
    return value.is_map ? lower_map(value, type) : lower_leaf(value.where, type);
  }

  ValueId lower_leaf(Range where, TypeId type) {
    const SymbolId name = intern(where);
    if (const auto constant = game_.find_constant(name); constant.valid()) return game_.constant(constant).value;
    // A constant that is not defined yet, or the symbol of this name if the type contains it.
    const auto place = constant_places_.find(name);
    if (place == constant_places_.end() || game_.index_of(type, name) >= 0) return game_.values.symbol(name);
    if (name == current_constant_) {
      diagnostics_.error(where, fmt::format("constant {} refers to itself", text(where)));
    } else {
      diagnostics_.error(
          where, fmt::format("constant {} is used before its definition", text(where)),
          fmt::format("it is defined at {}; move that definition up", diagnostics_.sources()->describe(place->second)));
    }
    return game_.values.symbol(name);
  }

  ValueId lower_map(const ast::Value& map, TypeId type) {
    const TypeId resolved = game_.resolve(type);
    const bool is_arrow = resolved.valid() && game_.types.kind(resolved) == ir::TypeKind::arrow;
    const TypeId target = is_arrow ? game_.types.to(resolved) : TypeId();
    std::vector<ir::Values::Entry> entries;
    std::unordered_map<SymbolId, Range> seen;
    ValueId fallback;
    Range fallback_place;
    entries.reserve(map.entries.size());
    for (std::uint32_t i = map.entries.begin; i < map.entries.end; ++i) {
      const ast::Entry& entry = program_.entries[i];
      const ValueId value = lower_value(entry.value, target);
      if (!entry.is_default) {
        const SymbolId key = intern(entry.key);
        const auto [first, fresh] = seen.try_emplace(key, entry.key);
        if (fresh) {
          entries.push_back({key, value});
        } else {
          diagnostics_.error(entry.key, fmt::format("the key {} occurs twice in the map", text(entry.key)))
              .notes.push_back({first->second, "first given here"});
        }
      } else if (!fallback.valid()) {
        fallback = value;
        fallback_place = entry.key;
      } else {
        diagnostics_.error(entry.key, "the map has a second default entry", "keep one of them")
            .notes.push_back({fallback_place, "the first one is here"});
      }
    }
    if (!fallback.valid()) {
      diagnostics_.error(map.where, "the map has no default entry", default_hint(map, target));
      return game_.values.symbol(game_.symbols.intern("?"));
    }
    return game_.values.map(fallback, entries);
  }

  std::string default_hint(const ast::Value& map, TypeId target) const {
    std::string_view example = "value";
    if (const auto members = game_.members(target); !members.empty()) example = game_.symbols.text(members.front());
    if (map.entries.size() > 0) {
      const ast::Value& last = program_.values[program_.entries[map.entries.end - 1].value];
      if (!last.is_map) example = text(last.where);
    }
    return fmt::format("add one, such as :{}", example);
  }

  // --- Expressions ---
  ExprId lower_expression(std::uint32_t row) {
    const ast::Expression& e = program_.expressions[row];
    switch (e.kind) {
      case ast::Expression::Kind::name:
        return resolve(intern(e.name));
      case ast::Expression::Kind::cast: {
        const TypeId type = named_type(e.name);
        return game_.cast(type, lower_expression(e.a));
      }
      case ast::Expression::Kind::access:
        break;
    }
    const ExprId map = lower_expression(e.a);
    return game_.access(map, lower_expression(e.b));
  }

  ExprId resolve(SymbolId name) {
    if (std::ranges::find(bound_, name) != bound_.end()) return game_.symbol(name);
    if (name.value >= resolved_.size()) resolved_.resize(std::max<std::size_t>(game_.symbols.size(), name.value + 1U));
    ExprId& known = resolved_[name.value];
    if (known.valid()) return known;
    if (const auto constant = game_.find_constant(name); constant.valid()) {
      known = game_.constant_ref(constant);
    } else if (const VarId variable = game_.find_variable(name); variable.valid()) {
      known = game_.variable_ref(variable);
    } else {
      known = game_.symbol(name);
    }
    return known;
  }

  // --- Edges ---
  NodeId node(Range where) {
    const SymbolId name = intern(where);
    if (name.value >= nodes_.size()) nodes_.resize(std::max<std::size_t>(game_.symbols.size(), name.value + 1U));
    NodeId& known = nodes_[name.value];
    if (!known.valid()) known = game_.node(name, where);
    return known;
  }

  void lower_edge(const ast::Edge& edge) {
    const NodeId source = node(edge.source);
    const NodeId target = node(edge.target);
    game_.graph.add_edge(source, target, lower_label(edge), edge.where());
  }

  ir::Label lower_label(const ast::Edge& edge) {
    using enum ast::Edge::Label;
    switch (edge.label) {
      case compare: {
        const ExprId lhs = lower_expression(edge.a);
        return ir::Compare{lhs, lower_expression(edge.b), edge.negated};
      }
      case assign: {
        const ExprId lhs = lower_expression(edge.a);
        return ir::Assign{lhs, lower_expression(edge.b)};
      }
      case assign_any: {
        const ExprId lhs = lower_expression(edge.a);
        return ir::AssignAny{lhs, lower_type(edge.b)};
      }
      case reachability: {
        const NodeId from = node(program_.names[edge.a]);
        return ir::Reachability{from, node(program_.names[edge.b]), edge.negated};
      }
      case tag:
        return ir::Tag{intern(program_.names[edge.a])};
      case tag_variable:
        return ir::TagVariable{variable(program_.names[edge.a], "a variable tag")};
      case empty:
        break;
    }
    return ir::Empty{};
  }

  VarId variable(Range where, std::string_view user) {
    const SymbolId name = intern(where);
    const VarId found = game_.find_variable(name);
    if (found.valid() ||
        (builtins_failed_ && std::ranges::find(kBuiltinVariables, text(where)) != std::end(kBuiltinVariables))) {
      return found;
    }
    if (game_.find_constant(name).valid()) {
      diagnostics_.error(where, fmt::format("{} needs a variable, {} is a constant", user, text(where)));
      return found;
    }
    std::vector<std::string_view> candidates(std::begin(kBuiltinVariables), std::end(kBuiltinVariables));
    for (const ast::Definition& def : program_.variables) candidates.push_back(text(def.name));
    std::string hint = nearest(where, candidates);
    if (hint.empty()) hint = user == "a variable tag" ? "a plain tag is written $ name" : "";
    diagnostics_.error(where, fmt::format("variable {} is not defined", text(where)), std::move(hint));
    return found;
  }

  // --- Pragmas ---
  std::vector<NodeId> nodes(ast::Slice slice) {
    std::vector<NodeId> list;
    for (std::uint32_t i = slice.begin; i < slice.end; ++i) list.push_back(node(program_.names[i]));
    return list;
  }
  std::vector<SymbolId> symbols(ast::Slice slice) {
    std::vector<SymbolId> list;
    for (std::uint32_t i = slice.begin; i < slice.end; ++i) list.push_back(intern(program_.names[i]));
    return list;
  }
  std::vector<VarId> variables(ast::Slice slice) {
    std::vector<VarId> list;
    for (std::uint32_t i = slice.begin; i < slice.end; ++i) {
      if (const VarId id = variable(program_.names[i], "@repeat"); id.valid()) list.push_back(id);
    }
    return list;
  }

  void lower_pragma(const ast::PragmaText& pragma) { game_.pragmas.push_back({lower_content(pragma), pragma.where}); }

  // The value of a variable must never be an artificial tag. If `$$` can show a symbol that is also an artificial tag,
  // that tag is renamed, so that a symbol alone determines whether a tag is artificial.
  void separate_artificial_tags() {
    std::unordered_map<SymbolId, SymbolId> renamed;
    for (const ir::Pragma& pragma : game_.pragmas) {
      const auto* list = std::get_if<ir::ArtificialTag>(&pragma.content);
      if (list != nullptr)
        for (const SymbolId tag : list->tags) renamed.try_emplace(tag, tag);
    }
    if (renamed.empty()) return;
    std::unordered_set<VarId> shown;
    for (const ir::EdgeId edge : game_.graph.edges()) {
      const auto* tag = std::get_if<ir::TagVariable>(&game_.graph.label(edge));
      if (tag == nullptr || !shown.insert(tag->variable).second) continue;
      const TypeId type = game_.variable(tag->variable).type;
      if (!game_.is_set(type)) continue;
      for (const SymbolId member : game_.members(type)) {
        const auto it = renamed.find(member);
        if (it == renamed.end() || it->second != member) continue;
        std::string name = "_" + game_.symbols.str(member);
        while (game_.symbols.find(name).valid()) name.insert(0, 1, '_');
        it->second = game_.symbols.intern(name);
      }
    }
    for (const ir::EdgeId edge : game_.graph.edges()) {
      const auto* tag = std::get_if<ir::Tag>(&game_.graph.label(edge));
      if (tag == nullptr) continue;
      const auto it = renamed.find(tag->symbol);
      if (it != renamed.end() && it->second != tag->symbol) game_.graph.set_label(edge, ir::Tag{it->second});
    }
    for (ir::Pragma& pragma : game_.pragmas) {
      auto* list = std::get_if<ir::ArtificialTag>(&pragma.content);
      if (list != nullptr)
        for (SymbolId& tag : list->tags) tag = renamed.at(tag);
    }
  }

  ir::PragmaContent lower_content(const ast::PragmaText& pragma) {
    using enum ast::PragmaText::Kind;
    auto name = [&](std::uint32_t i) { return program_.names[pragma.first.begin + i]; };
    switch (pragma.kind) {
      case artificial_tag:
        return ir::ArtificialTag{symbols(pragma.first)};
      case disjoint:
      case disjoint_exhaustive: {
        const NodeId from = node(name(0));
        return ir::Disjoint{from, nodes(pragma.second), pragma.kind == disjoint_exhaustive};
      }
      case integer:
        return ir::Integer{pragma.number, symbols(pragma.second)};
      case iterator: {
        const std::vector<NodeId> path = nodes(pragma.first);
        const VarId id = variable(program_.names[pragma.second.begin], "@iterator");
        return ir::Iterator{path[0], path[1], path[2], id};
      }
      case repeat: {
        std::vector<NodeId> list = nodes(pragma.first);
        return ir::Repeat{std::move(list), variables(pragma.second)};
      }
      case simple_apply:
      case simple_apply_exhaustive:
        return lower_apply(pragma);
      case tag_index:
      case tag_max_index:
        return ir::TagIndex{nodes(pragma.first), static_cast<std::uint32_t>(pragma.number),
                            pragma.kind == tag_max_index};
      case translated_from_rbg:
        return ir::TranslatedFromRbg{};
      case unique:
        return ir::Unique{nodes(pragma.first)};
      case unknown:
        break;
    }
    return ir::Unknown{std::string(text(pragma.content))};
  }

  ir::SimpleApply lower_apply(const ast::PragmaText& pragma) {
    ir::SimpleApply apply;
    apply.exhaustive = pragma.kind == ast::PragmaText::Kind::simple_apply_exhaustive;
    apply.from = node(program_.names[pragma.first.begin]);
    apply.to = node(program_.names[pragma.first.begin + 1]);
    for (const ast::ApplyTag& tag : pragma.tags) {
      const SymbolId name = intern(tag.name);
      const bool binds = tag.type != kNone;
      apply.tags.push_back({name, binds ? lower_type(tag.type) : TypeId()});
      if (binds) bound_.push_back(name);
    }
    for (const ast::ApplyEffect& effect : pragma.effects) {
      const ExprId lhs = lower_expression(effect.lhs);
      apply.effects.push_back({lhs, lower_expression(effect.rhs)});
    }
    bound_.clear();
    return apply;
  }

  std::string nearest(Range where, std::vector<std::string_view>& candidates) const {
    constexpr std::size_t kMostCandidates = 10'000;
    if (candidates.size() > kMostCandidates) candidates.resize(kMostCandidates);
    return did_you_mean(text(where), candidates);
  }

  const ast::Program& program_;
  Diagnostics& diagnostics_;
  ir::Game game_;
  std::unordered_set<SymbolId> known_types_;
  std::unordered_map<SymbolId, Range> constant_places_;
  SymbolId current_constant_;
  bool builtins_failed_ = false;
  std::vector<ExprId> resolved_;  // by symbol, computed on demand
  std::vector<NodeId> nodes_;     // by symbol of the name
  std::vector<SymbolId> bound_;   // names bound by the tags of the current @simpleApply
};

}  // namespace

ir::Game lower(const ast::Program& program, Diagnostics& diagnostics) { return Lowering(program, diagnostics).run(); }

}  // namespace rgtrans::rg
