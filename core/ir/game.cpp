#include "core/ir/game.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/ir/parts.hpp"
#include "core/support/letters.hpp"

namespace rgtrans::ir {

Game::Game(std::shared_ptr<Sources> sources) : sources_(std::move(sources)) {
  begin_ = node("begin");
  end_ = node("end");
  keeper_ = symbols.intern("keeper");
  random_ = symbols.intern("random");
}

Game::Game(const Game&) = default;
Game::Game(Game&&) noexcept = default;
Game& Game::operator=(const Game&) = default;
Game& Game::operator=(Game&&) noexcept = default;
Game::~Game() = default;

void Game::define_type(SymbolId name, TypeId type, Range where) {
  if (name.value >= type_index_.size()) type_index_.resize(name.value + 1);
  type_defs_.push_back({name, type, where});
  std::uint32_t& row = type_index_[name.value];
  if (row == 0) row = static_cast<std::uint32_t>(type_defs_.size());
}

ConstId Game::define_constant(SymbolId name, TypeId type, ValueId value, Range where) {
  const ConstId id(constants_.size());
  constant_index_.try_emplace(name, id);
  constants_.push_back({name, type, value, where});
  return id;
}

void Game::keep_stage(Game before) {
  if (claims.empty()) return;
  // Claims may use symbols and expressions that were interned after `before` was copied.
  before.symbols = symbols;
  before.types = types;
  before.values = values;
  before.expressions_ = expressions_;
  for (std::size_t i = before.constants_.size(); i < constants_.size(); ++i) before.constants_.push_back(constants_[i]);
  before.stages.clear();
  before.claims = Claims();
  before.claims.want();
  before.claims.add(claims.take());
  stages.push_back(std::make_shared<const Game>(std::move(before)));
}

std::vector<VarId> Game::living_variables() const {
  std::vector<VarId> living;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (variables_[i].alive) living.emplace_back(i);
  }
  return living;
}

VarId Game::define_variable(SymbolId name, TypeId type, ValueId initial, Range where) {
  const VarId id(variables_.size());
  variable_index_.try_emplace(name, id);
  variables_.push_back({name, type, initial, where});
  return id;
}

const TypeDef* Game::find_type(SymbolId name) const {
  const std::uint32_t row = name.value < type_index_.size() ? type_index_[name.value] : 0;
  return row == 0 ? nullptr : &type_defs_[row - 1];
}

ConstId Game::find_constant(SymbolId name) const {
  const auto it = constant_index_.find(name);
  return it == constant_index_.end() ? ConstId() : it->second;
}

VarId Game::find_variable(SymbolId name) const {
  const auto it = variable_index_.find(name);
  return it == variable_index_.end() ? VarId() : it->second;
}

void Game::remove_type(SymbolId name) {
  if (find_type(name) == nullptr) return;
  type_defs_[std::exchange(type_index_[name.value], 0) - 1].alive = false;
}

void Game::remove_constant(ConstId id) {
  constants_[id.value].alive = false;
  if (const auto it = constant_index_.find(constants_[id.value].name);
      it != constant_index_.end() && it->second == id) {
    constant_index_.erase(it);
  }
}

void Game::remove_variable(VarId id) {
  variables_[id.value].alive = false;
  if (const auto it = variable_index_.find(variables_[id.value].name);
      it != variable_index_.end() && it->second == id) {
    variable_index_.erase(it);
  }
}

TypeId Game::resolve_alias(TypeId type) const {
  for (std::size_t steps = 0; type.valid() && types.kind(type) == TypeKind::alias; ++steps) {
    const TypeDef* def = find_type(types.alias_name(type));
    if (def == nullptr || steps > type_defs_.size()) return {};
    type = def->type;
  }
  return type;
}

bool Game::is_set(TypeId type) const {
  type = resolve(type);
  return type.valid() && types.kind(type) == TypeKind::set;
}

bool Game::is_arrow(TypeId type) const {
  type = resolve(type);
  return type.valid() && types.kind(type) == TypeKind::arrow;
}

std::vector<TypeId> Game::keys(TypeId type) const {
  std::vector<TypeId> found;
  for (type = resolve(type); is_arrow(type); type = resolve(types.to(type))) found.push_back(resolve(types.from(type)));
  return found;
}

TypeId Game::value_type(TypeId type) const {
  type = resolve(type);
  while (is_arrow(type)) type = resolve(types.to(type));
  return type;
}

std::span<const SymbolId> Game::members(TypeId type) const {
  type = resolve(type);
  if (!type.valid() || types.kind(type) != TypeKind::set) return {};
  return types.members(type);
}

int Game::index_of(TypeId type, SymbolId symbol) const {
  type = resolve(type);
  if (!type.valid() || types.kind(type) != TypeKind::set) return -1;
  return types.index_of(type, symbol);
}

std::uint64_t Game::cell_count(TypeId type) const {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 62U;
  std::uint64_t count = 1;
  std::size_t steps = 0;
  for (type = resolve(type); type.valid() && types.kind(type) == TypeKind::arrow; type = resolve(types.to(type))) {
    const std::uint64_t size = std::max<std::size_t>(1, members(types.from(type)).size());
    if (count > kMost / size || ++steps > 10'000) return kMost;  // a cyclic alias may refer to its own arrow
    count *= size;
  }
  return count;
}

ExprId Game::symbol(SymbolId symbol) {
  return expressions_.intern(ExprKind::symbol, symbol.value, 0, types.set(std::span(&symbol, 1)));
}

ExprId Game::constant_ref(ConstId id) {
  return expressions_.intern(ExprKind::constant, id.value, 0, constant(id).type);
}

ExprId Game::variable_ref(VarId id) { return expressions_.intern(ExprKind::variable, id.value, 0, variable(id).type); }

TypeId Game::type_of_access(ExprId map) const {
  const TypeId type = resolve(expressions_.type(map));
  if (!type.valid() || types.kind(type) != TypeKind::arrow) return {};
  return types.to(type);
}

ExprId Game::access(ExprId map, ExprId index) {
  return expressions_.intern(ExprKind::access, map.value, index.value, type_of_access(map));
}

ExprId Game::cast(TypeId type, ExprId operand) {
  return expressions_.intern(ExprKind::cast, operand.value, type.value, type);
}

ExprId Game::strip_casts(ExprId id) {
  return rewrite(*this, id, [&](ExprId part) {
    return expressions_.kind(part) == ExprKind::cast ? strip_casts(expressions_.operand(part)) : ExprId();
  });
}

VarId Game::assigned_variable(ExprId lhs) const {
  const ExprId root = expressions_.root(lhs);
  return expressions_.kind(root) == ExprKind::variable ? expressions_.variable(root) : VarId();
}

std::optional<SymbolId> Game::constant_symbol(ExprId id) const {
  const SymbolId symbol = fold(*this, id).symbol;
  return symbol.valid() ? std::optional(symbol) : std::nullopt;
}

void Game::retype_expressions() {
  // Parts of an expression have smaller ids than the whole.
  for (std::size_t i = 0; i < expressions_.size(); ++i) {
    const ExprId id(i);
    switch (expressions_.kind(id)) {
      case ExprKind::constant:
        expressions_.set_type(id, constant(expressions_.constant(id)).type);
        break;
      case ExprKind::variable:
        expressions_.set_type(id, variable(expressions_.variable(id)).type);
        break;
      case ExprKind::access:
        expressions_.set_type(id, type_of_access(expressions_.map(id)));
        break;
      case ExprKind::symbol:
      case ExprKind::cast:
        break;
    }
  }
}

NodeId Game::node(SymbolId name, Range where) {
  if (name.value >= node_index_.size()) node_index_.resize(std::max(symbols.size(), node_index_.size() * 2));
  NodeId& node = node_index_[name.value];
  if (!node.valid()) {
    node = graph.add_node(name, where);
  } else if (!graph.where(node).known()) {
    graph.set_where(node, where);
  }
  return node;
}

NodeId Game::find_node(SymbolId name) const {
  const NodeId node = name.value < node_index_.size() ? node_index_[name.value] : NodeId();
  return node.valid() && graph.alive(node) ? node : NodeId();
}

bool Game::is_player_assignment(const Label& label) const {
  const auto* assign = std::get_if<Assign>(&label);
  if (assign == nullptr) return false;
  const ExprId lhs = expressions_.uncast(assign->lhs);
  return expressions_.kind(lhs) == ExprKind::variable && expressions_.variable(lhs) == player_;
}

std::vector<std::string> Game::node_names() const {
  std::vector<std::string> names(graph.node_bound());
  std::unordered_set<std::uint64_t> taken;  // numbers that are used as names
  for (NodeId node : graph.nodes()) {
    if (!graph.name(node).valid()) continue;
    names[node.value] = symbols.str(graph.name(node));
    const std::string& name = names[node.value];
    if (name.size() < 19 && all_digits(name)) {
      taken.insert(std::stoull(name));
    }
  }
  std::uint64_t next = 1;
  for (NodeId node : graph.nodes()) {
    if (graph.name(node).valid()) continue;
    while (taken.contains(next)) ++next;
    names[node.value] = std::to_string(next++);
  }
  return names;
}

std::span<const SymbolId> Game::players() const {
  const SymbolId name = symbols.find("Player");
  const TypeDef* def = name.valid() ? find_type(name) : nullptr;
  return def == nullptr ? std::span<const SymbolId>() : members(def->type);
}

std::span<const SymbolId> Game::scores() const {
  const SymbolId name = symbols.find("Score");
  const TypeDef* def = name.valid() ? find_type(name) : nullptr;
  return def == nullptr ? std::span<const SymbolId>() : members(def->type);
}

std::string written(const Game& game, SymbolId symbol) {
  if (game.words != nullptr) {
    if (const auto it = game.words->texts.find(symbol); it != game.words->texts.end()) return it->second;
  }
  return game.symbols.str(symbol);
}

}  // namespace rgtrans::ir
