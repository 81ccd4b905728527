// Where the variables of a state lie, as the batch engine's library tells it to those who make tensors of states.
#include <fmt/format.h>

#include "backends/cpp/project.hpp"

namespace rgtrans::cpp {

namespace {

constexpr std::string_view kEnvironmentInterface =
#include "embedded/env/env.h.inc"
    ;
constexpr std::string_view kCore =
#include "embedded/env/core.hpp.inc"
    ;
constexpr std::string_view kEnv =
#include "backends/cpp/runtime/batch.hpp.inc"
    ;
constexpr std::string_view kLayoutName = "env_layout.hpp";

class LayoutWriter {
 public:
  LayoutWriter(Model& model, const Analysis& analysis, const Shared& shared)
      : model_(model), analysis_(analysis), shared_(shared) {}

  std::string write() {
    text_.line("// Generated. Where the variables of a state lie.");
    text_.line("#pragma once");
    text_.line("");
    text_.line("#include <cstddef>");
    text_.line("");
    text_.line("#include \"env.h\"");
    text_.line("#include \"reasoner.hpp\"");
    text_.line("");
    text_.line("namespace reasoner {");
    text_.line("");
    for (std::uint32_t v = 0; v < model_.identifiers.size(); ++v) {
      if (analysis_.state.test(v)) add_variable(v);
    }
    std::string rows;
    for (const auto& [universe, number] : numbers_) order_.at(number) = universe;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      rows += fmt::format("{{{}, kEnvNames{}}}, ", model_.universes[order_[i]].size(), i);
    }
    write_list("rgtrans_env_universe kEnvUniverses", rows, order_.size());
    write_list("rgtrans_env_variable kEnvVariables", variables_, count_);
    text_.line(fmt::format("inline constexpr std::uint32_t kEnvUniverseCount = {}, kEnvVariableCount = {};",
                           order_.size(), count_));
    text_.line("");
    text_.line("}  // namespace reasoner");
    return text_.take();
  }

  static std::string none() {
    return "// The states of this game are not told apart by their variables.\n#pragma once\n\n#include \"env.h\"\n"
           "#include \"reasoner.hpp\"\n\nnamespace reasoner {\n\n"
           "inline constexpr const rgtrans_env_universe* kEnvUniverses = nullptr;\n"
           "inline constexpr const rgtrans_env_variable* kEnvVariables = nullptr;\n"
           "inline constexpr std::uint32_t kEnvUniverseCount = 0, kEnvVariableCount = 0;\n\n}  // namespace reasoner\n";
  }

 private:
  void write_list(const std::string& head, const std::string& rows, std::size_t count) {
    text_.line(fmt::format("inline constexpr {}[{}] = {{{}}};", head, std::max<std::size_t>(count, 1), rows));
  }

  std::size_t universe(std::uint32_t id) {
    const auto [it, fresh] = numbers_.emplace(id, numbers_.size());
    if (fresh) {
      order_.push_back(id);
      std::string names;
      for (const SymbolId symbol : model_.universes[id].symbols) {
        names += literal(model_.game.symbols.text(symbol)) + ", ";
      }
      text_.line(fmt::format("inline constexpr const char* kEnvNames{}[] = {{{}}};", it->second, names));
    }
    return it->second;
  }

  void add_variable(std::uint32_t v) {
    const Shape& shape = model_.variable_shape(VarId(v));
    const std::string& id = model_.identifiers[v];
    std::string keys;
    for (const std::uint32_t key : shape.keys) keys += fmt::format("{}, ", universe(key));
    const std::size_t leaf = universe(shape.leaf);
    if (keys.empty()) keys = "0";
    text_.line(fmt::format("inline constexpr std::uint32_t kEnvKeys{}[] = {{{}}};", count_, keys));
    std::vector<int> alive(analysis_.entries.size() + 1, 0);
    for (const std::uint32_t entry : analysis_.entries) {
      alive.at(shared_.entry_number(entry)) = analysis_.live_at_entry(entry).test(v) ? 1 : 0;
    }
    text_.line(fmt::format("inline constexpr std::uint8_t kEnvAlive{}[] = {{{}}};", count_, fmt::join(alive, ", ")));
    variables_ += fmt::format("{{{}, offsetof(State, {}), sizeof({}), {}, kEnvKeys{}, {}, kEnvAlive{}}}, ",
                              literal(model_.game.symbols.text(model_.game.variable(VarId(v)).name)), id,
                              shared_.cell_type(shape.leaf), shape.keys.size(), count_, leaf, count_);
    ++count_;
  }

  Model& model_;
  const Analysis& analysis_;
  const Shared& shared_;
  Text text_;
  std::map<std::uint32_t, std::size_t> numbers_;
  std::vector<std::uint32_t> order_;
  std::string variables_;
  std::size_t count_ = 0;
};

}  // namespace

GeneratedFile env_layout(Model& model, const Analysis& analysis, const Shared& shared) {
  return {std::string(kLayoutName), LayoutWriter(model, analysis, shared).write()};
}

void add_env_files(std::vector<GeneratedFile>& files) {
  const auto is_layout = [](const GeneratedFile& file) { return file.name == kLayoutName; };
  if (std::ranges::none_of(files, is_layout)) files.push_back({std::string(kLayoutName), LayoutWriter::none()});
  files.push_back({"env.h", std::string(kEnvironmentInterface)});
  files.push_back({"core.hpp", std::string(kCore)});
  files.push_back({"batch.hpp", std::string(kEnv)});
  // A step asks the rules several times: they are compiled together, so that small ones become part of it.
  std::ranges::find(files, "reasoner.cpp", &GeneratedFile::name)->text += "\n#include \"batch.hpp\"\n";
}

}  // namespace rgtrans::cpp
