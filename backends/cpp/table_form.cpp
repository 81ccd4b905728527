// Reasoners of very large automata. A compiler would take hours for code of that size, so the automaton is data: the
// program of the interpreter as text, and the machine that runs it, with the interface of all other reasoners.
#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/erase.hpp>
#include <boost/algorithm/string/replace.hpp>

#include "backends/cpp/project.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "core/analysis/analysis.hpp"

namespace rgtrans::cpp {

namespace {

std::uint32_t most_tags(const ir::Game& game) {
  const analysis::Flow flow(game);
  const analysis::TagCounts counts(game, flow);
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i < flow.size(); ++i) {
    if (flow.node(i).valid()) most = std::max(most, counts.at(flow.node(i)).most);
  }
  return most;
}

class TableFiles {
 public:
  TableFiles(const ir::Game& game, const GenerateOptions& options)
      : tables_(write_tables(game)), title_(in_comment(options.title)), env_(options.env) {
    if (tables_.players.size() > kMostPlayers) {
      throw Error(
          fmt::format("{} players where a compiled reasoner has room for {}", tables_.players.size(), kMostPlayers),
          "play it with the interpreter");
    }
    layout_ = MoveLayout(tables_.tags.size(), most_tags(game));
    for (const SymbolId player : game.players()) player_names_.push_back(literal(ir::written(game, player)));
  }

  std::vector<GeneratedFile> make() {
    std::vector<GeneratedFile> files;
    files.push_back({"state.hpp", header()});
    files.push_back({"reasoner.hpp", std::string(embedded_text("game_state.hpp"))});
    files.push_back({"reasoner.cpp", source()});
    files.push_back({"reasoner_tables.cpp", data()});
    files.push_back(parts_header());
    for (const char* const name : {"program.hpp", "visited.hpp", "labels.hpp", "trail.hpp", "values_of_cells.hpp",
                                   "visit_memory.hpp", "look_ahead.hpp", "machine.hpp", "tables.hpp"})
      files.push_back(carried(name));
    if (env_) files.push_back(env_layout(tables_));
    add_common_files(files);
    return files;
  }

 private:
  [[nodiscard]] std::string_view cell_type() const {
    return tables_.symbols.size() <= 256     ? "std::uint8_t"
           : tables_.symbols.size() <= 65536 ? "std::uint16_t"
                                             : "std::uint32_t";
  }

  [[nodiscard]] std::string header() const {
    Text text;
    write_header_start(text, title_,
                       "The automaton is large, so it is data (reasoner_tables.cpp) that a machine (machine.hpp) runs.",
                       {"<array>", "<memory>", "<optional>", "<string>", "<string_view>", "parts.hpp",
                        "state_graph.hpp", "support.hpp"});
    write_players(text);
    write_move_constants(text, layout_, tables_.tags.size(), {.duplicates = true});
    if (env_) write_parts(text);
    for (const char* const part : {"move.hpp", "move_list.hpp", "moves.hpp"}) text.raw(embedded_text(part));
    text.line("class Walker;");
    text.line("");
    text.line("// Working memory of one thread.");
    text.open("struct Cache : CacheBase {");
    text.line("Cache();");
    text.line("Cache(const Cache&) = delete;");
    text.line("Cache& operator=(const Cache&) = delete;");
    text.line("~Cache();");
    text.line("void begin() {}");
    text.line("std::unique_ptr<Walker> walker;");
    text.close("};");
    text.line("");
    text.line("// Everything that decides how the game goes on; copied as plain memory.");
    text.line("using Cell = {};", cell_type());
    text.line("inline constexpr std::size_t kCells = {};", tables_.cells);
    text.open("struct State {");
    text.line("std::uint32_t node;  // where the next move starts, or kEndNode");
    text.line("Cell cells[kCells];  // of the variables, one after the other");
    text.close("};");
    text.line("static_assert(std::is_trivially_copyable_v<State>);");
    text.line("");
    text.raw(embedded_text("state_types.hpp"));
    return text.take();
  }

  void write_players(Text& text) const {
    const std::size_t count = tables_.players.size();
    const auto number_of = [&](std::uint32_t code) {
      if (code == tables_.random) return count + 1;
      return static_cast<std::size_t>(std::ranges::find(tables_.players, code) - tables_.players.begin());
    };
    std::vector<std::string> numbers;
    for (std::uint32_t code = 0; code < tables_.symbols.size(); ++code) {
      numbers.push_back(std::to_string(number_of(code)));
    }
    text.line("inline constexpr unsigned kPlayers = {};", count);
    write_list(text, "inline constexpr const char* kPlayerNames[kPlayers]", player_names_);
    text.line("// Codes of the players, and for each code the number of the player (then the keeper, then random).");
    write_list(text, "inline constexpr unsigned kPlayerCodes[kPlayers]", texts_of(tables_.players));
    write_list(text, fmt::format("inline constexpr std::uint8_t kPlayerNumbers[{}]", numbers.size()), numbers);
    text.line("inline constexpr unsigned kKeeper = {}, kRandom = {};", tables_.keeper, tables_.random);
    std::vector<std::string> scores;
    for (const std::uint32_t code : tables_.scores) scores.push_back(tables_.symbols[code]);
    write_scores(text, scores, "inline constexpr");
    text.line("inline constexpr bool kHasRandom = {};", tables_.random_moves);
    text.line("inline constexpr unsigned kEndNode = {};", tables_.end);
    text.line("");
  }

  static std::vector<std::string> texts_of(const std::vector<std::uint32_t>& numbers) {
    std::vector<std::string> result;
    for (const std::uint32_t number : numbers) result.push_back(std::to_string(number));
    return result;
  }

  [[nodiscard]] std::string source() const {
    Text text;
    text.line("// What states and moves are to people, and the use of the machine.");
    for (const char* name : {"cstdio", "cstdlib", "iterator", "vector"}) text.line("#include <{}>", name);
    text.raw("\n#include \"reasoner.hpp\"\n#include \"tables.hpp\"\n\nnamespace reasoner {\n\n");
    write_tag_names(text, tables_.tags);
    text.raw("extern const char* const kTables;  // in reasoner_tables.cpp\n\nnamespace {\n\n");
    text.line("constexpr std::size_t kPlayerCell = {};", tables_.player_cell);
    write_list(text, "constexpr unsigned kScoreCodes[]", texts_of(tables_.scores));
    write_list(text, "constexpr const char* kNodes[]", literals_of(tables_.starts));
    write_list(text, "constexpr const char* kSymbolNames[]", literals_of(tables_.symbols));
    write_list(text, "constexpr const char* kVariableNames[]", literals_of(tables_.variables));
    text.raw("\n}  // namespace\n");
    text.raw(embedded_text("tables.cpp"));
    text.raw(embedded_text("game_state.cpp"));
    return text.take();
  }

  [[nodiscard]] std::string data() const {
    constexpr std::size_t kWidth = 116;
    Text text;
    text.raw(
        "// The automaton; tables.hpp says how to read it.\nnamespace reasoner {\n\n"
        "extern const char* const kTables;\nconst char* const kTables =\n");
    for (std::size_t at = 0; at < tables_.text.size(); at += kWidth) {
      text.raw("\"");
      text.raw(std::string_view(tables_.text).substr(at, kWidth));
      text.raw("\"\n");
    }
    text.raw(";\n\n}  // namespace reasoner\n");
    return text.take();
  }

  WrittenTables tables_;
  std::string title_;
  std::vector<std::string> player_names_;
  bool env_;
  MoveLayout layout_;
};

}  // namespace

void write_parts(Text& text) { text.line("#define REASONER_PARTS 1"); }

GeneratedFile parts_header() { return carried("parts.hpp"); }

std::vector<GeneratedFile> generate_tables(const ir::Game& game, const GenerateOptions& options) {
  return TableFiles(game, options).make();
}

}  // namespace rgtrans::cpp
