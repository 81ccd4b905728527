// Where the variables of a state lie, as the batch engine's library tells it to those who make tensors of states.
#include <fmt/format.h>

#include <span>

#include "backends/cpp/project.hpp"

namespace rgtrans::cpp {

namespace {

class LayoutWriter {
 public:
  // `header` defines the state.
  explicit LayoutWriter(std::string_view header) {
    text_.raw(
        "// Generated. Where the variables of a state lie.\n#pragma once\n\n#include <cstddef>\n\n"
        "#include \"env.h\"\n");
    text_.line("#include \"{}\"", header);
    text_.raw("\nnamespace reasoner {\n\n");
  }

  // The number of these symbols, in their order.
  std::size_t universe(const std::vector<std::string>& symbols) {
    const auto [it, fresh] = numbers_.emplace(symbols, numbers_.size());
    if (fresh) {
      std::string names;
      for (const std::string& symbol : symbols) names += literal(symbol) + ", ";
      text_.line("inline constexpr const char* kEnvNames{}[] = {{{}}};", it->second, names);
      universes_ += fmt::format("{{{}, kEnvNames{}}}, ", symbols.size(), it->second);
    }
    return it->second;
  }

  // `offset` and `width` are C++; the others are numbers of universes, and whether it matters at the places of the
  // rules.
  void add(const std::string& name, const std::string& offset, const std::string& width,
           const std::vector<std::size_t>& keys, std::size_t leaf, const std::vector<int>& alive) {
    text_.line("inline constexpr std::uint32_t kEnvKeys{}[] = {{{}}};", count_,
               keys.empty() ? "0" : fmt::format("{}", fmt::join(keys, ", ")));
    text_.line("inline constexpr std::uint8_t kEnvAlive{}[] = {{{}}};", count_, fmt::join(alive, ", "));
    variables_ += fmt::format("{{{}, {}, sizeof({}), {}, kEnvKeys{}, {}, kEnvAlive{}}}, ", literal(name), offset, width,
                              keys.size(), count_, leaf, count_);
    ++count_;
  }

  // `places` are those of the rules where a move begins, and the end.
  GeneratedFile write(std::size_t places) {
    write_list("rgtrans_env_universe kEnvUniverses", universes_, numbers_.size());
    write_list("rgtrans_env_variable kEnvVariables", variables_, count_);
    text_.line("inline constexpr std::uint32_t kEnvUniverseCount = {}, kEnvVariableCount = {};", numbers_.size(),
               count_);
    text_.line("inline constexpr std::uint32_t kEnvPlaces = {};", places);
    text_.raw("\n}  // namespace reasoner\n");
    return {"env_layout.hpp", text_.take()};
  }

 private:
  void write_list(const std::string& head, const std::string& rows, std::size_t count) {
    text_.line("inline constexpr {}[{}] = {{{}}};", head, std::max<std::size_t>(count, 1), rows);
  }

  Text text_;
  std::map<std::vector<std::string>, std::size_t> numbers_;
  std::string universes_, variables_;
  std::size_t count_ = 0;
};

}  // namespace

GeneratedFile env_interface() { return {"env.h", std::string(embedded_text("env/env.h"))}; }

GeneratedFile env_layout(NumberedGame& model, const GameFacts& facts, const Shared& shared, std::string_view header) {
  LayoutWriter writer(header);
  // An array is only as long as its keys need, which can be the first symbols of a universe.
  const auto universe = [&](std::uint32_t id, std::size_t length) {
    std::vector<std::string> names;
    for (const SymbolId symbol : std::span(model.universes[id].symbols).first(length))
      names.push_back(model.game.symbols.str(symbol));
    return writer.universe(names);
  };
  for (const std::size_t v : facts.state) {
    const ArrayShape& shape = model.variable_shape(VarId(v));
    std::vector<std::size_t> keys;
    for (std::size_t k = 0; k < shape.keys.size(); ++k) keys.push_back(universe(shape.keys[k], shape.sizes[k]));
    std::vector<int> alive(facts.entries.size() + 1, 0);
    for (const std::uint32_t entry : facts.entries) {
      alive.at(shared.entry_number(entry)) = facts.live_at_entry(entry).test(v) ? 1 : 0;
    }
    writer.add(model.game.symbols.str(model.game.variable(VarId(v)).name),
               fmt::format("offsetof(State, {})", model.identifiers[v]), shared.cell_type(shape.leaf), keys,
               universe(shape.leaf, model.universes[shape.leaf].size()), alive);
  }
  return writer.write(facts.entries.size() + 1);
}

GeneratedFile env_layout(const WrittenTables& tables) {
  LayoutWriter writer("reasoner.hpp");
  const std::size_t leaf = writer.universe(tables.symbols);
  for (const WrittenTables::Placed& variable : tables.placed) {
    std::vector<std::size_t> keys;
    for (const std::vector<std::string>& names : variable.keys) keys.push_back(writer.universe(names));
    writer.add(variable.name, fmt::format("offsetof(State, cells) + {} * sizeof(Cell)", variable.first), "Cell", keys,
               leaf, variable.alive);
  }
  return writer.write(tables.placed.empty() ? 0 : tables.placed.front().alive.size());
}

void add_env_files(std::vector<GeneratedFile>& files) {
  files.push_back(env_interface());
  files.push_back({"core.hpp", std::string(embedded_text("env/core.hpp"))});
  files.push_back(embedded_file("batch.hpp"));
  // A step asks the rules several times: they are compiled together, so that small ones become part of it.
  std::ranges::find(files, "reasoner.cpp", &GeneratedFile::name)->text += "\n#include \"batch.hpp\"\n";
}

}  // namespace rgtrans::cpp
