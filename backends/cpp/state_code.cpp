// See state_code.hpp.
#include "backends/cpp/state_code.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/project.hpp"

namespace rgtrans::cpp {

void StateCode::write_symbols(Text& text, std::uint32_t universe) {
  const Universe& u = model_.universes[universe];
  std::string line = "namespace " + u.name + " { enum : unsigned { ";
  for (std::uint32_t c = 0; c < u.size(); ++c) {
    const std::string item = fmt::format("{}{}", u.enumerators[c], c + 1 < u.size() ? ", " : "");
    if (line.size() + item.size() > 110) {
      text.line(line);
      line = "    ";
    }
    line += item;
  }
  text.line(line + " }; }");
}

void StateCode::write_players(Text& text, std::uint32_t players, std::uint32_t scores) {
  const Universe& u = model_.universes[players];
  std::vector<std::uint64_t> index(u.size(), model_.game.players().size());
  std::string names;
  std::string codes;
  std::uint64_t at = 0;
  for (const SymbolId player : model_.game.players()) {
    index[model_.code(players, player)] = at++;
    names += literal(ir::written(model_.game, player)) + ", ";
    codes += fmt::format("{}, ", model_.code(players, player));
  }
  index[model_.code(players, model_.game.random())] = at + 1;
  text.line("inline constexpr unsigned kPlayers = {};", at);
  text.line("inline constexpr const char* kPlayerNames[kPlayers] = {{{}}};", names);
  text.line("// Codes of the players, and for each code the number of the player (then the keeper, then random).");
  text.line("{} unsigned kPlayerCodes[kPlayers] = {{{}}};", shared_.table_head, codes);
  std::string list;
  for (const std::uint64_t i : index) list += fmt::format("{}, ", i);
  text.line("{} std::uint8_t kPlayerNumbers[{}] = {{{}}};", shared_.table_head, u.size(), list);
  text.line("inline constexpr unsigned kKeeper = {}, kRandom = {};", model_.code(players, model_.game.keeper()),
            model_.code(players, model_.game.random()));
  const Universe& s = model_.universes[scores];
  std::vector<std::string> score_names;
  for (const SymbolId symbol : s.symbols) score_names.push_back(model_.game.symbols.str(symbol));
  write_scores(text, score_names, shared_.table_head);
  text.line("inline constexpr bool kHasRandom = {};", facts_.exact);
  text.line("inline constexpr unsigned kEndNode = {};", shared_.entry_number(model_.game.end().value));
  text.line("");
}

void StateCode::write_cache(Text& text) {
  // On a device what is large lies apart.
  const auto apart = [&](const CacheField& field) { return shared_.for_device && field.size > kSizes.near_field; };
  const auto field_line = [](const CacheField& field) {
    return fmt::format("{} {}[{}] = {{}};", field.type, field.name, field.size);
  };
  if (shared_.for_device) {
    text.line("// What is large of the working memory of one thread: what an exploration has seen.");
    text.open("struct Room : RoomBase {");
    for (const CacheField& field : shared_.functions.fields()) {
      if (apart(field)) text.line(field_line(field));
    }
    text.close("};");
  }
  text.line("// Working memory of one thread: what an exploration has seen, and where its moves go.");
  text.open("struct Cache : CacheBase {");
  if (shared_.for_device) {
    std::string fields;
    for (const CacheField& field : shared_.functions.fields()) {
      if (apart(field)) fields += fmt::format(", {0}(room.{0})", field.name);
    }
    text.line("REASONER_DEVICE explicit Cache(Room& room) : CacheBase(room){} {{}}", fields);
    text.line("#if !defined(__CUDACC__)");
    text.line("Cache() : Cache(std::make_unique<Room>()) {}");
    text.line("explicit Cache(std::unique_ptr<Room> mine) : Cache(*mine) { own = std::move(mine); }");
    text.line("std::unique_ptr<Room> own;");
    text.line("#endif");
  }
  text.open("{}void begin() {{", shared_.function_head);
  if (shared_.marks_visits) text.line("if (epoch > 0xf0000000u) forget();");
  if (shared_.keeps_keys) text.line("keys.clear();");
  if (shared_.counts_arrivals) text.line("arrivals = 0;");
  text.close();
  // Seldom called, and long where a compiler unrolls it.
  text.open("{}{}void forget() {{", shared_.for_device ? "REASONER_APART " : "", shared_.function_head);
  text.line("epoch = 0;");
  for (const CacheField& field : shared_.functions.fields())
    text.line("std::memset(static_cast<void*>({0}), 0, sizeof {0});", field.name);
  text.close();
  for (const CacheField& field : shared_.functions.fields()) {
    text.line(apart(field) ? fmt::format("{} (&{})[{}];", field.type, field.name, field.size) : field_line(field));
  }
  if (shared_.counts_arrivals) text.line("std::uint32_t arrivals = 0;");
  text.close("};");
  text.line("");
}

void StateCode::write_struct(Text& text) {
  text.line("// Everything that decides how the game goes on; copied as plain memory.");
  text.open("struct State {");
  // Those with the widest alignment come first, so that little is lost between them.
  std::map<unsigned, std::vector<std::string>> lines;
  for (const std::size_t v : facts_.state) {
    const ArrayShape& shape = model_.variable_shape(VarId(v));
    const std::string cell = shared_.cell_type(shape.leaf);
    const bool vectors = !shape.scalar() && model_.padded_size(VarId(v)) % 16 == 0;
    std::string line = cell + " " + model_.identifiers[v];
    if (!shape.scalar()) {
      line += fmt::format("[{}]", model_.padded_size(VarId(v)));
      for (std::size_t d = 1; d < shape.keys.size(); ++d) line += fmt::format("[{}]", shape.sizes[d]);
    }
    line += ";  // " + in_comment(model_.game.symbols.text(model_.game.variable(VarId(v)).name));
    const unsigned rank = vectors ? 0 : cell == "std::uint16_t" ? 1 : 2;
    lines[2 * rank + (shape.scalar() ? 1 : 0)].push_back((vectors ? "alignas(16) " : "") + line);
  }
  const auto planes_line = [&](std::size_t v) {
    return fmt::format("std::uint64_t {}[{}][{}];", model_.identifiers[v], shared_.planes[v].bits,
                       shared_.planes[v].words);
  };
  for (const auto& [rank, all] : lines) {
    for (const std::string& line : all) text.line(line);
    if (rank == 0 && has_planes()) {
      text.open("struct {  // for each bit of a content, the cells that have it");
      for (const std::size_t v : facts_.state) {
        if (shared_.planes[v]) text.line(planes_line(v));
      }
      text.close("} planes;");
    }
  }
  text.line("std::uint16_t node;  // where the next move starts, or kEndNode");
  text.close("};");
  text.line("static_assert(std::is_trivially_copyable_v<State>);");
  text.line("");
}

std::string StateCode::initial_assignment(VarId v) {
  const ArrayShape& shape = model_.variable_shape(v);
  const ir::Variable& variable = model_.game.variable(v);
  const std::string& id = model_.identifiers[v.value];
  if (shape.scalar())
    return fmt::format("s.{} = {};", id, model_.code(shape.leaf, model_.game.values.as_symbol(variable.initial)));
  const std::string table = shared_.map_table(variable.initial, shape, "initial_" + id);
  const std::string copy = fmt::format("copy_map(&s.{0}, &{1}, sizeof {1});", id, table);
  return shared_.planes[v.value] ? fmt::format("{} renew_planes({}, s.{});", copy, shared_.planes_name(v), id) : copy;
}

void StateCode::write_initial_state(Text& text) {
  text.open("{}void set_initial(State& s) {{", shared_.function_head);
  text.line("std::memset(static_cast<void*>(&s), 0, sizeof s);");
  for (const std::size_t v : facts_.state) text.line(initial_assignment(VarId(v)));
  text.line("s.node = {};", shared_.entry_number(model_.game.begin().value));
  text.close();
  text.line("");
}

void StateCode::write_byte_writer(Text& text) {
  text.open("inline void write_byte(State& s, std::size_t place, std::uint8_t value) {");
  text.line("std::uint8_t& byte = reinterpret_cast<std::uint8_t*>(&s)[place];");
  for (const std::size_t v : facts_.state) {
    if (!shared_.planes[v]) continue;
    text.line("if (place - offsetof(State, {0}) < sizeof s.{0}) return write_cell({1}, s.{0}, byte, value);",
              model_.identifiers[v], shared_.planes_name(VarId(v)));
  }
  text.line("byte = value;");
  text.close();
  text.line("");
}

// A bit for each player who sees a tag that is passed now.
void StateCode::write_visibility(Text& text) {
  const std::uint32_t visible = model_.game.visible().value;
  const ArrayShape& shape = model_.variable_shape(VarId(visible));
  const SymbolId zero = model_.game.symbols.find("0");
  std::string bits;
  std::uint32_t number = 0;
  for (const SymbolId player : model_.game.players()) {
    const std::uint32_t key = model_.code(shape.keys.at(0), player);
    std::string cell = fmt::format("s.{}[{}]", model_.identifiers[visible], key);
    if (!facts_.state.test(visible)) {
      const ValueId value = model_.game.values.at(model_.game.variable(VarId(visible)).initial, player);
      cell = fmt::format("{}", model_.code(shape.leaf, model_.game.values.as_symbol(value)));
    }
    bits += fmt::format(" | static_cast<std::uint64_t>({} != {}) << {}", cell,
                        zero.valid() && model_.has(shape.leaf, zero) ? model_.code(shape.leaf, zero) : 0xffffU,
                        number++ % 64);
  }
  text.line("{}std::uint64_t seen_by(const State& s) {{ return std::uint64_t{{0}}{}; }}", shared_.function_head, bits);
}

void StateCode::write_accessors(Text& text) {
  const std::uint32_t goals = model_.game.goals().value;
  text.line("{}unsigned player_of(const State& s) {{ return s.{}; }}", shared_.function_head,
            model_.identifiers[model_.game.player().value]);
  std::string read = "s." + model_.identifiers[goals];
  if (!facts_.state.test(goals)) {
    read = shared_.map_table(model_.game.variable(VarId(goals)).initial, model_.variable_shape(VarId(goals)), "goals");
  }
  text.line("{}unsigned score_of(const State& s, unsigned code) {{ return {}[code]; }}", shared_.function_head, read);
  write_visibility(text);
}

void StateCode::write_validity(Text& text) {
  text.line("");
  text.open("bool valid(const State& s) {");
  text.line("if (s.node > kEndNode && s.node >= " + std::to_string(facts_.entries.size()) + ") return false;");
  for (const std::size_t v : facts_.state) {
    const ArrayShape& shape = model_.variable_shape(VarId(v));
    const std::uint32_t size = model_.bounds[v];
    if (shape.scalar()) {
      text.line("if (s.{} >= {}) return false;", model_.identifiers[v], size);
      write_scalar_validity(text, v, size);
      continue;
    }
    std::string cell = "s." + model_.identifiers[v];
    std::string loops;
    for (std::size_t d = 0; d < shape.keys.size(); ++d) {
      loops += fmt::format("for (unsigned k{0} = 0; k{0} < {1}; ++k{0}) ", d, shape.sizes[d]);
      cell += fmt::format("[k{}]", d);
    }
    text.line("{}if ({} >= {}) return false;", loops, cell, size);
    if (shared_.planes[v])
      text.line("if (!planes_fit({}, s.{})) return false;", shared_.planes_name(VarId(v)), model_.identifiers[v]);
    const CellSets& cells = model_.values->cells(VarId(v));
    if (!model_.values->usable() || !cells.known()) continue;
    const std::size_t words = cells.words;
    std::vector<std::size_t> dimensions = {cells.count()};
    if (words > 1) dimensions.push_back(words);
    const std::string table =
        shared_.number_table(cells.sets, dimensions, "std::uint64_t", "can_be_in_" + model_.identifiers[v]);
    const std::string bit = words > 1 ? fmt::format("[{0} / 64] >> {0} % 64", cell) : " >> " + cell;
    text.line("{}if (({}[k0]{} & 1u) == 0) return false;", loops, table, bit);
  }
  text.line("return true;");
  text.close();
}

void StateCode::write_scalar_validity(Text& text, std::size_t v, std::uint32_t size) {
  const std::size_t nodes = facts_.entries.size() + 1;
  if (!model_.values->usable() || !model_.values->tracked(VarId(v)) || nodes * size > kSizes.validity_table) return;
  std::vector<std::uint64_t> can(nodes * size, 1);
  bool any = false;
  for (const std::uint32_t entry : facts_.entries) {
    if (!facts_.live_at_entry(entry).test(v)) continue;
    for (std::uint32_t code = 0; code < size; ++code) {
      const bool holds = model_.values->reached(entry) && model_.values->can_hold(entry, VarId(v), code);
      can[shared_.entry_number(entry) * size + code] = holds ? 1 : 0;
      any |= !holds;
    }
  }
  if (!any) return;
  const std::string table = shared_.number_table(can, {nodes, size}, "std::uint8_t", "can_be_" + model_.identifiers[v]);
  text.line("if ({}[s.node][s.{}] == 0) return false;", table, model_.identifiers[v]);
}

void StateCode::write_clearing(Text& text) {
  std::map<std::vector<std::string>, std::string> cases;  // by what is dead
  std::map<std::string, std::string> starts_as;
  for (const std::size_t v : facts_.state) starts_as[model_.identifiers[v]] = initial_assignment(VarId(v));
  for (const std::uint32_t entry : facts_.entries) {
    std::vector<std::string> dead;
    for (const std::size_t v : facts_.state - facts_.live_at_entry(entry)) {
      if (VarId(v) != model_.game.player()) dead.push_back(model_.identifiers[v]);
    }
    if (!dead.empty()) cases[dead] += fmt::format("case {}: ", shared_.entry_number(entry));
  }
  text.open("void clear_dead(State& s) {");
  text.open("switch (s.node) {");
  for (const auto& [dead, labels] : cases) {
    text.line(labels);
    for (const std::string& id : dead) text.line("  " + starts_as.at(id));
    text.line("  break;");
  }
  text.line("default: break;");
  text.close();
  text.close();
  text.line("void clear_player(State& s) {{ {} }}", initial_assignment(model_.game.player()));
  text.line("");
}

void StateCode::write_description(Text& text) {
  std::string entries;
  std::vector<std::string> names(facts_.entries.size() + 1);
  for (const std::uint32_t node : facts_.entries) names[shared_.entry_number(node)] = model_.node_names[node];
  if (names[shared_.entry_number(model_.game.end().value)].empty())
    names[shared_.entry_number(model_.game.end().value)] = "end";
  for (const std::string& name : names) entries += literal(name) + ", ";
  text.raw("\nconst char* node_name(const State& s) {\n");
  text.line("  static constexpr const char* kNodes[] = {{{}}};", entries);
  text.raw("  return kNodes[s.node];\n}\n\nvoid describe(const State& s, std::string& text) {\n");
  text.raw("  text += \"position: \";\n  text += node_name(s);\n  text += \"\\nvalues:\\n\";\n");
  for (const std::size_t v : facts_.state) {
    const ArrayShape& shape = model_.variable_shape(VarId(v));
    if (shape.keys.size() > 1) continue;
    const std::string name = literal("  " + model_.game.symbols.str(model_.game.variable(VarId(v)).name) + ": ");
    const std::string leaf = symbol_names(shape.leaf);
    text.line("  text += " + name + ";");
    if (shape.scalar()) {
      text.line("  text += {}[s.{}];", leaf, model_.identifiers[v]);
    } else {
      const std::string keys = symbol_names(shape.keys[0]);
      const TypeId from = model_.game.types.from(model_.game.resolve(model_.game.variable(VarId(v)).type));
      const std::string list = shared_.number_list(model_.member_codes(from), "std::uint16_t", "keys");
      text.line("  for (const unsigned k : {}) text += std::string({}[k]) + \":\" + {}[s.{}[k]] + \" \";", list, keys,
                leaf, model_.identifiers[v]);
    }
    text.line("  text += \"\\n\";");
  }
  text.raw("}\n\n");
}

std::string StateCode::symbol_names(std::uint32_t universe) {
  std::string list;
  for (const SymbolId symbol : model_.universes[universe].symbols)
    list += literal(model_.game.symbols.text(symbol)) + ", ";
  const auto [it, fresh] = names_of_.try_emplace(universe);
  if (fresh) {
    std::string name = model_.universes[universe].name;
    if (name.back() == '_') name.pop_back();  // which kept it from being a word of C++
    it->second = "kNamesOf" + name;
    shared_.tables.line("inline constexpr const char* {}[] = {{{}}};", it->second, list);
  }
  return it->second;
}

}  // namespace rgtrans::cpp
