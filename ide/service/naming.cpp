#include "ide/service/naming.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backends/rg/rg.hpp"
#include "core/analysis/analysis.hpp"

namespace rgtrans::ide {

using outline::Declaration;
using outline::DeclaredKind;
using outline::Occurrence;
using outline::Outline;

Named name_at(const Service& service, const PlaceParams& params) {
  Named named{service.document(params.document)};
  named.occurrence = named.outline().occurrence_at(service.offset(*named.snapshot, params.position));
  return named;
}

std::vector<Occurrence> occurrences_of(const Outline& outline, outline::NameId name) {
  std::vector<Occurrence> found;
  std::ranges::copy_if(outline.occurrences, std::back_inserter(found),
                       [&](const Occurrence& o) { return o.name == name; });
  return found;
}

namespace {

struct KindRow {
  DeclaredKind kind;
  std::string_view name;
  int symbol, completion;  // numbers of the protocol
};
constexpr KindRow kKinds[] = {
    {DeclaredKind::type, "type", 10, 13},
    {DeclaredKind::element, "value", 22, 20},
    {DeclaredKind::constant, "constant", 14, 21},
    {DeclaredKind::variable, "variable", 13, 6},
    {DeclaredKind::parameter, "parameter", 13, 6},
    {DeclaredKind::function, "function", 12, 3},
    {DeclaredKind::graph, "graph", 6, 2},
    {DeclaredKind::node, "node", 9, 18},
    {DeclaredKind::macro, "macro", 12, 3},
    {DeclaredKind::relation, "relation", 12, 3},
    {DeclaredKind::label, "direction", 22, 20},
    {DeclaredKind::key, "key", 7, 10},
    {DeclaredKind::game, "game", 2, 9},
};
const KindRow& row_of(DeclaredKind kind) { return *std::ranges::find(kKinds, kind, &KindRow::kind); }

constexpr std::size_t kMostMembers = 12;

std::string members_text(const ir::Game& game, ir::TypeId type) {
  const auto members = game.members(type);
  std::string text = fmt::format("{} value{}", members.size(), members.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < members.size() && i < kMostMembers; ++i)
    text += fmt::format("{} `{}`", i == 0 ? ":" : ",", game.symbols.text(members[i]));
  return members.size() > kMostMembers ? text + ", …" : text;
}

std::string value_text(const ir::Game& game, ir::ValueId value, ir::TypeId type) {
  constexpr std::size_t kMost = 400;
  std::string text = rg::print_value(game, value, type);
  if (text.size() > kMost) text = text.substr(0, text.find_last_of(' ', kMost)) + " …";
  return text;
}

// The values that variables can have at a node, if these are fewer than their types allow.
std::string values_at(const ir::Game& written, ir::NodeId node) {
  constexpr std::size_t kMostNodes = 5000, kMostValues = 8;  // so that nobody waits
  if (written.node_names().size() > kMostNodes) return {};
  ir::Game game = written;  // analyses make expressions of their own
  analysis::Cache analyses(game);
  if (!analyses.flow().reached(node) || !analyses.values().possible(node)) return "\n\nNo walk comes here.";
  std::string text;
  for (std::uint32_t i = 0; i < game.variables().size(); ++i) {
    const ir::VarId id(i);
    const ir::Variable& variable = game.variable(id);
    if (!variable.alive || !game.is_set(variable.type)) continue;
    const auto& values = analyses.values().sets().of(analyses.values().values(game.variable_ref(id), node));
    if (values.size() > kMostValues || values.size() >= game.members(variable.type).size()) continue;
    text += fmt::format("{}`{}` is", text.empty() ? "\n\nHere " : "; ", game.symbols.text(variable.name));
    for (std::size_t k = 0; k < values.size(); ++k)
      text += fmt::format("{} `{}`", k == 0 ? "" : " or", game.symbols.text(values[k]));
  }
  return text;
}

// Pragmas that name the node, and facts about the variables there.
std::string node_facts(const ir::Game& game, SymbolId name) {
  const ir::NodeId node = game.find_node(name);
  if (!node.valid()) return {};
  std::string text = fmt::format("{} in, {} out", std::ranges::distance(game.graph.in_edges(node)),
                                 std::ranges::distance(game.graph.out_edges(node)));
  const std::vector<std::string> names = game.node_names();
  for (const ir::Pragma& pragma : game.pragmas) {
    const std::string line = rg::print_pragma(game, pragma, names);
    const auto lexemes = outline::read_lexemes(line, {});
    const auto names_it = [&](const outline::Lexeme& lexeme) { return lexeme.at.of(line) == names[node.value]; };
    if (std::ranges::any_of(lexemes, names_it)) text += "\n\n`" + line + "`";
  }
  return text + values_at(game, node);
}

// Facts about a name of the same spelling, from the game of this text or of an earlier one.
std::string facts(const ir::Game& game, const Declaration& declaration) {
  const SymbolId symbol = game.symbols.find(declaration.name);
  if (!symbol.valid()) return {};
  if (declaration.kind == DeclaredKind::type) {
    const ir::TypeDef* type = game.find_type(symbol);
    if (type == nullptr) return {};
    return game.is_set(type->type) ? members_text(game, type->type)
                                   : fmt::format("{} cells", game.cell_count(type->type));
  }
  if (declaration.kind == DeclaredKind::constant || declaration.kind == DeclaredKind::function) {
    const ir::ConstId id = game.find_constant(symbol);
    if (!id.valid()) return {};
    const ir::Constant& constant = game.constant(id);
    return fmt::format("```rg\nconst {}: {} = {};\n```", declaration.name, rg::print_type(game, constant.type),
                       value_text(game, constant.value, constant.type));
  }
  if (declaration.kind == DeclaredKind::variable) {
    const ir::VarId id = game.find_variable(symbol);
    if (!id.valid()) return {};
    const ir::Variable& variable = game.variable(id);
    return fmt::format("At first: `{}`", value_text(game, variable.initial, variable.type));
  }
  return declaration.kind == DeclaredKind::node ? node_facts(game, symbol) : "";
}

}  // namespace

std::string_view kind_name(DeclaredKind kind) { return row_of(kind).name; }
int symbol_kind(DeclaredKind kind) { return row_of(kind).symbol; }
int completion_kind(DeclaredKind kind) { return row_of(kind).completion; }

Prefix prefix_at(const Snapshot& snapshot, std::uint32_t at) {
  const Outline& outline = snapshot.outline();
  const std::size_t before = outline.lexemes_before(at);
  if (before > 0) {
    const outline::Lexeme& last = outline.lexemes[before - 1];
    const bool word = last.kind == outline::LexemeKind::name || last.kind == outline::LexemeKind::number;
    if (word && last.at.end >= at)
      return {last.at.begin, std::string_view(snapshot.text).substr(last.at.begin, at - last.at.begin)};
  }
  return {at, {}};
}

std::string described(const Snapshot& snapshot, const Declaration& declaration) {
  std::string text = fmt::format("```{}\n{}\n```", snapshot.language->name,
                                 declaration.signature.empty() ? declaration.name : declaration.signature);
  if (!declaration.documentation.empty()) text += "\n\n" + declaration.documentation;
  if (const auto game = snapshot.game()) {
    const std::string more = facts(*game, declaration);
    // In RG the declaration may already contain everything.
    const bool said = !declaration.signature.empty() && more.find(declaration.signature) != std::string::npos;
    if (!more.empty() && !said) text += "\n\n" + more;
  }
  return text;
}

std::string described(const Snapshot& snapshot, const LanguageWord& word) {
  return fmt::format("```{}\n{}\n```\n\n{}", snapshot.language->name, word.text, word.help);
}

}  // namespace rgtrans::ide
