// The files of a reasoner: declarations of the game's symbols, moves and states, then the functions.
#include <fmt/format.h>

#include <functional>
#include <map>

#include "backends/cpp/cpp.hpp"
#include "backends/cpp/device_form.hpp"
#include "backends/cpp/project.hpp"
#include "backends/cpp/writer.hpp"
#include "core/passes/passes.hpp"
#include "core/support/limits.hpp"

namespace rgtrans::cpp {

namespace {

constexpr std::size_t kLargestFile = 400'000;  // characters of code

class Files {
 public:
  Files(const ir::Game& game, const GenerateOptions& options)
      : model_(options.techniques.use(Technique::choices) ? with_direct_choices(game) : game,
               options.techniques.use(Technique::values)),
        facts_(model_),
        shared_(model_, facts_, options.techniques, options.device),
        title_(in_comment(options.title)),
        env_(options.env) {
    // Packed moves are short, and so are their lists.
    shared_.by_parts = env_ && !options.device && !shared_.layout.packed;
  }

  // The same game for a GPU.
  std::vector<GeneratedFile> make_for_device() {
    check_cells();
    try {
      if (!numbers_fit()) throw TooMuchCode();
      write_code();
    } catch (const TooMuchCode&) {
      throw Error("the game is too large for a device: its code would never be compiled",
                  "the engine \"cpp\" plays it: large games are tables there");
    }
    DeviceParts parts{shared_, title_, {}, {}, {}, {}, {}, {}};
    Text rules;
    write_initial_state(rules);
    write_accessors(rules);
    parts.rules = rules.take();
    parts.tables = shared_.tables.take();
    shared_.table_head = "inline constexpr";  // from here on
    Text host;
    write_validity(host);
    write_clearing(host);
    write_description(host);
    parts.host = shared_.tables.take() + host.take();
    Text types;
    const std::uint32_t players = model_.variable_shape(model_.game.player()).leaf;
    const std::uint32_t scores = model_.variable_shape(model_.game.goals()).leaf;
    for (const std::uint32_t universe : {players, scores}) shared_.used_universes().insert(universe);
    for (const std::uint32_t universe : shared_.used_universes()) write_symbols(types, universe);
    shared_.table_head = "REASONER_TABLE";
    write_players(types, players, scores);
    parts.symbols = types.take();
    write_cache(types);
    write_state(types);
    parts.state = types.take();
    write_tag_names(types);
    parts.tag_names = types.take();
    std::vector<GeneratedFile> files = device_files(parts);
    files.push_back(env_interface());
    files.push_back(env_layout(model_, facts_, shared_, "game.cuh"));
    files.push_back(embedded_file("cells.hpp"));
    add_common_files(files, true);
    return files;
  }

  std::string plan() {
    check_cells();
    try {
      if (!numbers_fit()) throw TooMuchCode();
      write_code();
    } catch (const TooMuchCode&) {
      return "the automaton becomes tables: as code it would take too long to compile\n";
    }
    return print_plan(shared_);
  }

  // No files when the code would be too large.
  std::vector<GeneratedFile> make() {
    check_cells();
    if (!numbers_fit()) return {};
    try {
      write_code();
    } catch (const TooMuchCode&) {
      return {};
    }
    if (!compiles_soon()) return {};
    std::vector<GeneratedFile> files;
    files.push_back({"state.hpp", header()});
    files.push_back({"reasoner.hpp", std::string(embedded_text("game_state.hpp"))});
    add_sources(files);
    files.push_back(embedded_file("cells.hpp"));
    add_common_files(files);
    if (env_) files.push_back(env_layout(model_, facts_, shared_, "reasoner.hpp"));
    if (shared_.by_parts) files.push_back(parts_header());
    return files;
  }

 private:
  // Symbols, tags and nodes are numbered in 16 bits, players in the bits of a word.
  [[nodiscard]] bool numbers_fit() const {
    constexpr std::size_t kNumbers = 65'535;
    return std::ranges::all_of(model_.universes, [](const Universe& u) { return u.size() <= kNumbers; }) &&
           model_.tags.size() <= kNumbers && facts_.entries.size() <= kNumbers &&
           model_.game.players().size() <= kMostPlayers;
  }

  void write_search(const CodeContext& context) {
    Workplace place(shared_, context);
    SearchWriter(place).write_search_entry();
  }
  void write_straight(const CodeContext& context) {
    Workplace place(shared_, context);
    cpp::write_straight(place);
  }

  [[nodiscard]] bool compiles_soon() const {
    // Every file reads all tables, so many times faster than code.
    constexpr std::size_t kTables = 8;
    std::size_t size = shared_.code_size();
    for (const FunctionId id : shared_.functions.declared()) size += shared_.functions.declaration(id).size();
    const std::size_t tables = shared_.tables.str().size();
    return size + std::max(tables, tables / kTables * (size / kLargestFile)) <= limits::cpp_code;
  }

  void check_cells() const {
    std::uint64_t total = 0;
    for (std::uint32_t v = 0; v < model_.identifiers.size(); ++v) {
      if (!facts_.state.test(v)) continue;
      const std::uint64_t cells = model_.variable_shape(VarId(v)).cells(limits::cpp_cells);
      total = std::min<std::uint64_t>(total + cells, limits::cpp_cells + 1);
      if (total > limits::cpp_cells) {
        throw Error(fmt::format("with the variable {} a state has more than {} cells",
                                model_.game.symbols.str(model_.game.variable(VarId(v)).name), limits::cpp_cells),
                    "make its source types smaller; " + limits::cpp_cells.advice());
      }
    }
  }

  void write_code() {
    write_search(facts_.moves);
    write_straight(facts_.apply);
    write_straight(facts_.system);
    // Those that are called, also by each other; what is asked for whole sets needs no function.
    std::set<std::uint32_t> written;
    while (written.size() < shared_.called_checks.size()) {
      for (const std::uint32_t check : std::set<std::uint32_t>(shared_.called_checks)) {
        if (written.insert(check).second) write_search(facts_.checks[check]);
      }
    }
    shared_.join_checks();
    write_listing();
    if (!shared_.for_device) write_drawing();
  }

  // The function that finds all moves of a state.
  void write_listing() {
    using enum Parameter::Role;
    const bool device = shared_.for_device;
    const FunctionId id = shared_.functions.create(device ? "find_moves" : "list_moves", Purpose::moves);
    Text text(1);
    text.line(device ? "Output out = {0};" : "Output out = begin_list(c);");
    write_entries(
        text, [&](std::uint32_t node) { return facts_.moves.contains(node); },
        [&](std::uint32_t node) {
          return facts_.duplicates && facts_.duplicate_entry[node] ? "c.known.clear(); " : "";
        });
    text.line(device ? "return out;" : "end_list(c, out);");
    FunctionRecord& function = shared_.functions.at(id);
    function.result = device ? FunctionRecord::Result::moves : FunctionRecord::Result::nothing;
    function.parameters = {{state, "s"}, {cache, "c"}};
    shared_.define(id, std::move(text));
  }

  // The same functions, with sets of moves for an output.
  void write_drawing() {
    write_guessing();
    Text text;
    if (shared_.draws()) {
      write_sets(text, "draws_at", "draw_moves", "Drawn", "sets", [&](std::uint32_t node) { return draws_at(node); });
      if (marks()) write_marking(text);
    }
    if (shared_.draws_candidates()) {
      write_sets(text, "has_candidates_at", "draw_candidates", "Candidates", "candidates",
                 [&](std::uint32_t node) { return has_candidates_at(node); });
    }
    if (text.empty()) return;
    const FunctionId id = shared_.functions.create("", Purpose::moves);
    shared_.functions.at(id).has_head = false;
    shared_.define(id, std::move(text));
  }

  // Moves that are picked before it is asked whether there are such.
  void write_guessing() {
    if (!shared_.techniques.use(Technique::guesses) || !shared_.any_output() || !shared_.words()) return;
    Text cases(1);
    std::string nodes;
    for (const std::uint32_t node : facts_.moves.entries) {
      if (!draws_at(node)) continue;
      Workplace place(shared_, facts_.moves);
      const auto guesses = place.planner.choose_guesses(node);
      if (!guesses) continue;
      const std::string label = fmt::format("case {}: {{", shared_.entry_number(node));
      Text one(cases.indent() + 1);
      write_guesses(place, *guesses, one);
      cases.open(label);
      cases.add(one);
      cases.close();
      nodes += fmt::format("{}s.node == {}", nodes.empty() ? "" : " || ", shared_.entry_number(node));
    }
    if (nodes.empty()) return;
    Text text;
    text.line("inline bool guesses_at(const State& s) {{ return {}; }}", nodes);
    text.line("[[gnu::always_inline]] inline");
    text.open("bool guess_move(const State& s, Random& random, Move& move, std::uint64_t& choices) {");
    text.line("switch (s.node) {");
    text.add(cases);
    text.line("  default: return false;");
    text.line("}");
    text.close();
    text.line("");
    guesses_ = std::move(text);
  }

  // A move that may be found twice must be looked up, so that nothing is won.
  [[nodiscard]] bool draws_at(std::uint32_t node) const {
    return facts_.moves.contains(node) && !(facts_.duplicates && facts_.duplicate_entry[node]);
  }
  [[nodiscard]] bool has_candidates_at(std::uint32_t node) const {
    if (!draws_at(node)) return false;
    std::vector<std::uint32_t> found;
    for (const auto* nodes : {&shared_.targets_in, &shared_.waiting_in}) {
      for (const std::uint32_t at : *nodes) found.push_back(facts_.moves.local.at(at));
    }
    return analysis::before(facts_.moves, found)[facts_.moves.local.at(node)];
  }

  using Chosen = std::function<bool(std::uint32_t)>;
  void write_sets(Text& text, std::string_view where, std::string_view function, std::string_view output,
                  std::string_view place, const Chosen& chosen) {
    std::string listed;
    for (const std::uint32_t node : facts_.moves.entries) {
      if (facts_.moves.contains(node) && !chosen(node))
        listed += fmt::format(" && s.node != {}", shared_.entry_number(node));
    }
    text.line("bool {}([[maybe_unused]] const State& s) {{ return true{}; }}", where, listed);
    text.open("std::uint64_t {}(State& s, Cache& c) {{", function);
    text.line("{} out = {{c.{}.open(), 0, 0}};", output, place);
    write_entries(text, chosen);
    text.line("c.{}.close(out.at);", place);
    text.line("return out.count;");
    text.close();
    text.line("");
  }

  void write_marking(Text& text) {
    text.open("void mark_moves(State& s, Cache& c, Marked out) {");
    write_entries(text, [&](std::uint32_t node) { return draws_at(node); });
    text.close();
    text.line("");
  }

  // Calls the function of the node where the state is.
  void write_entries(
      Text& text, const Chosen& chosen,
      const std::function<std::string(std::uint32_t)>& before = [](std::uint32_t) { return std::string(); }) {
    text.open("switch (s.node) {");
    for (const std::uint32_t node : facts_.moves.entries) {
      if (!chosen(node)) continue;
      const auto value_of = [&](const Parameter& parameter) -> std::string {
        using enum Parameter::Role;
        if (parameter.role == moved || parameter.role == count) return "0";
        if (parameter.role == epoch) return kNextEpoch;
        return parameter.role == value ? "s." + model_.identifiers[parameter.variable.value] : parameter.name;
      };
      text.line(fmt::format("case {}: {}out = ", shared_.entry_number(node), before(node)) +
                shared_.functions.call(shared_.node_function(facts_.moves, node), facts_.moves.at(node).reaches_test) +
                "(" + print_arguments(shared_.node_parameters(facts_.moves, node), value_of) + "); break;");
    }
    text.line("default: break;");
    text.close();
  }

  // A batch wants bits of legal moves.
  [[nodiscard]] bool marks() const { return env_ && shared_.draws(); }

  // The template for each kind of output that there is, for calls from other files.
  void write_instantiations(Text& text, FunctionId id) const {
    if (!shared_.functions.at(id).any_output) return;
    for (const std::string_view out : {"Output", "Drawn", "Candidates", "Marked"}) {
      if (out == "Drawn" && !shared_.draws()) continue;
      if (out == "Candidates" && !shared_.draws_candidates()) continue;
      if (out == "Marked" && !marks()) continue;
      text.line(shared_.functions.instantiation(id, out));
    }
  }

  std::string header() {
    const std::uint32_t players = model_.variable_shape(model_.game.player()).leaf;
    const std::uint32_t scores = model_.variable_shape(model_.game.goals()).leaf;
    shared_.used_universes().insert(players);
    shared_.used_universes().insert(scores);
    Text text;
    std::vector<std::string_view> includes = {"<optional>", "<string>", "<string_view>", "state_graph.hpp",
                                              "support.hpp"};
    if (shared_.keeps_cells) includes.emplace_back("cells.hpp");
    if (shared_.by_parts) includes.emplace_back("parts.hpp");
    write_header_start(text, title_, "", includes);
    text.line("");
    text.line("// The symbols of the game, by group.");
    for (const std::uint32_t universe : shared_.used_universes()) write_symbols(text, universe);
    text.line("");
    write_players(text, players, scores);
    write_move_constants(text, shared_.layout, model_.tags.size(),
                         {.duplicates = facts_.duplicates,
                          .draws = shared_.draws(),
                          .guesses = !guesses_.empty(),
                          .candidates = shared_.draws_candidates(),
                          .waits = !shared_.waiting_in.empty(),
                          .asks = shared_.needs_acceptance_test,
                          .stores = !shared_.draws(),
                          .marks = marks(),
                          .remembers = shared_.techniques.use(Technique::memory),
                          .together = shared_.techniques.use(Technique::turns)});
    if (shared_.by_parts) write_parts(text);
    for (const char* const part : {"move.hpp", "move_list.hpp", "moves.hpp"}) text.raw(embedded_text(part));
    write_cache(text);
    write_state(text);
    text.raw(embedded_text("state_types.hpp"));
    return text.take();
  }

  void write_symbols(Text& text, std::uint32_t universe) {
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

  void write_players(Text& text, std::uint32_t players, std::uint32_t scores) {
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

  void write_cache(Text& text) {
    // On a device what is large lies apart.
    const auto apart = [&](const CacheField& field) {
      constexpr std::uint64_t kFew = 8;
      return shared_.for_device && field.size > kFew;
    };
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

  void write_state(Text& text) {
    text.line("// Everything that decides how the game goes on; copied as plain memory.");
    text.open("struct State {");
    // Those with the widest alignment come first, so that little is lost between them.
    std::map<unsigned, std::vector<std::string>> lines;
    for (std::uint32_t v = 0; v < model_.identifiers.size(); ++v) {
      const ArrayShape& shape = model_.variable_shape(VarId(v));
      if (!facts_.state.test(v)) continue;
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
    for (const auto& [rank, all] : lines) {
      for (const std::string& line : all) text.line(line);
    }
    text.line("std::uint16_t node;  // where the next move starts, or kEndNode");
    text.close("};");
    text.line("static_assert(std::is_trivially_copyable_v<State>);");
    text.line("");
  }

  // One file, or several that the compiler can work on side by side.
  void add_sources(std::vector<GeneratedFile>& files) {
    // First, because they need tables.
    Text tail;
    write_initial_state(tail);
    write_accessors(tail);
    write_validity(tail);
    write_clearing(tail);
    write_description(tail);
    Text text;
    text.raw(
        "// One function a node where ways meet, named for what it is part of:\n"
        "// moves_* list moves, check_* evaluate conditions, apply_* and system_* search for one walk.\n");
    if (shared_.code_size() <= kLargestFile) {
      text.raw("#include \"cells.hpp\"\n#include \"reasoner.hpp\"\n\n");
      write_preamble(text);
      // Where floods go on in one function, the branches of their rounds are predicted apart.
      if (shared_.recursive) text.line("#define REASONER_RECURSIVE inline");
      if (shared_.lists_sets) write_sets(text);
      if (marks()) text.raw(embedded_text("marks.hpp"));
      write_tag_names(text);
      text.raw("namespace {\n\n");
      write_declarations(text);
      for (const FunctionId id : shared_.functions.defined()) text.raw(shared_.functions.definition(id));
      text.raw(tail.str());
      text.raw(shared_.functions.print(guesses_));
      text.line("}  // namespace");
      text.raw(embedded_text("play_out.cpp"));
      text.raw(embedded_text("game_state.cpp"));
      files.push_back({"reasoner.cpp", text.take()});
      return;
    }
    Text internal;
    internal.raw(
        "// What the parts of the reasoner share: tables and what can be done with a state.\n"
        "#pragma once\n\n#include \"cells.hpp\"\n#include \"reasoner.hpp\"\n\n");
    write_preamble(internal);
    if (shared_.recursive) internal.line("#define REASONER_RECURSIVE");
    if (shared_.lists_sets) write_sets(internal);
    if (marks()) internal.raw(embedded_text("marks.hpp"));
    internal.raw(shared_.tables.str());
    internal.raw("\nstd::uint64_t seen_by(const State& s);\nvoid list_moves(State& s, Cache& c);\n");
    if (shared_.draws()) {
      internal.raw("bool draws_at(const State& s);\nstd::uint64_t draw_moves(State& s, Cache& c);\n");
      if (marks()) internal.line("void mark_moves(State& s, Cache& c, Marked out);");
    }
    if (shared_.draws_candidates()) {
      internal.raw("bool has_candidates_at(const State& s);\nstd::uint64_t draw_candidates(State& s, Cache& c);\n");
    }
    internal.raw(
        "bool apply_move(State& s, Cache& c, Rest rest);\nbool system_move(State& s, Cache& c);\n\n"
        "}  // namespace reasoner\n");
    files.push_back({"internal.hpp", internal.take()});
    text.raw("#include \"internal.hpp\"\n\nnamespace reasoner {\n\n");
    write_tag_names(text);
    text.raw(tail.str());
    text.raw(shared_.functions.print(guesses_));
    text.raw(embedded_text("play_out.cpp"));
    text.raw(embedded_text("game_state.cpp"));
    files.push_back({"reasoner.cpp", text.take()});
    const std::vector<FunctionId>& all = shared_.functions.defined();
    std::vector<FunctionId> ids;
    std::string definitions;
    std::size_t parts = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      ids.push_back(all[i]);
      definitions += shared_.functions.definition(all[i]);
      if (definitions.size() < kLargestFile && i + 1 < all.size()) continue;
      Text part;
      part.raw(
          "// A part of the functions of reasoner.cpp.\n#include \"internal.hpp\"\n\nnamespace reasoner {\n"
          "\n");
      for (const FunctionId id : mentioned_by(ids)) part.line(shared_.functions.declaration(id));
      part.line("");
      part.raw(definitions);
      for (const FunctionId id : ids) write_instantiations(part, id);
      part.line("}  // namespace reasoner");
      files.push_back({fmt::format("reasoner_{}.cpp", ++parts), part.take()});
      definitions.clear();
      ids.clear();
    }
  }

  // These functions and those that they call, as far as they are declared, in the order of the code.
  [[nodiscard]] std::vector<FunctionId> mentioned_by(const std::vector<FunctionId>& ids) const {
    const FunctionTable& functions = shared_.functions;
    std::set<FunctionId> left(functions.declared().begin(), functions.declared().end());
    std::vector<FunctionId> result;
    const auto mention = [&](FunctionId id) {
      if (left.erase(functions.resolved(id)) > 0) result.push_back(functions.resolved(id));
    };
    for (const FunctionId id : ids) {
      mention(id);
      for (const Reference& reference : functions.at(id).body.references()) {
        if (reference.kind == Reference::Kind::call) mention(FunctionId(reference.number));
      }
    }
    return result;
  }

  static void write_sets(Text& text) {
    text.raw(embedded_text("found_sets.hpp"));
    text.raw(embedded_text("sets.hpp"));
  }

  static void write_preamble(Text& text) {
    text.raw(
        "// Not every function needs everything that its kind of function is handed; functions inside of others\n"
        "// name their parameters alike.\n");
    for (const char* const warning : {"unused-parameter", "unused-variable", "shadow"})
      text.line("#pragma GCC diagnostic ignored \"-W{}\"", warning);
    text.raw("\nnamespace reasoner {\n\n");
  }

  void write_declarations(Text& text) {
    text.raw(shared_.tables.str());
    text.raw("\nstd::uint64_t seen_by(const State& s);\n");
    for (const FunctionId id : shared_.functions.declared()) text.line(shared_.functions.declaration(id));
    text.raw("void list_moves(State& s, Cache& c);\n\n");
  }

  void write_tag_names(Text& text) const {
    std::vector<std::string> names(model_.tags.size());
    for (std::size_t i = 1; i < names.size(); ++i) names[i] = model_.game.symbols.text(model_.tags[i]);
    cpp::write_tag_names(text, names);
  }

  std::string initial_assignment(VarId v) {
    const ArrayShape& shape = model_.variable_shape(v);
    const ir::Variable& variable = model_.game.variable(v);
    const std::string& id = model_.identifiers[v.value];
    if (shape.scalar())
      return fmt::format("s.{} = {};", id, model_.code(shape.leaf, model_.game.values.as_symbol(variable.initial)));
    const std::string table = shared_.map_table(variable.initial, shape, "initial_" + id);
    return fmt::format("copy_map(&s.{0}, &{1}, sizeof {1});", id, table);
  }

  void write_initial_state(Text& text) {
    text.open("{}void set_initial(State& s) {{", shared_.function_head);
    text.line("std::memset(static_cast<void*>(&s), 0, sizeof s);");
    for (std::uint32_t v = 0; v < model_.identifiers.size(); ++v) {
      if (facts_.state.test(v)) text.line(initial_assignment(VarId(v)));
    }
    text.line("s.node = {};", shared_.entry_number(model_.game.begin().value));
    text.close();
    text.line("");
  }

  void write_accessors(Text& text) {
    const std::uint32_t goals = model_.game.goals().value;
    text.line("{}unsigned player_of(const State& s) {{ return s.{}; }}", shared_.function_head,
              model_.identifiers[model_.game.player().value]);
    std::string read = "s." + model_.identifiers[goals];
    if (!facts_.state.test(goals)) {
      read =
          shared_.map_table(model_.game.variable(VarId(goals)).initial, model_.variable_shape(VarId(goals)), "goals");
    }
    text.line("{}unsigned score_of(const State& s, unsigned code) {{ return {}[code]; }}", shared_.function_head, read);
    write_visibility(text);
  }

  // A bit for each player who sees a tag that is passed now.
  void write_visibility(Text& text) {
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
    text.line("{}std::uint64_t seen_by(const State& s) {{ return std::uint64_t{{0}}{}; }}", shared_.function_head,
              bits);
  }

  // Besides the ranges, what the analysis of values relies on: cells and live variables hold what they can hold.
  void write_validity(Text& text) {
    text.line("");
    text.open("bool valid(const State& s) {");
    text.line("if (s.node > kEndNode && s.node >= " + std::to_string(facts_.entries.size()) + ") return false;");
    for (std::uint32_t v = 0; v < model_.identifiers.size(); ++v) {
      if (!facts_.state.test(v)) continue;
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
      const std::vector<std::uint64_t>& cells = model_.values->cells(VarId(v));
      if (!model_.values->usable() || cells.empty()) continue;
      const std::size_t words = model_.values->cell_words(VarId(v));
      std::vector<std::size_t> dimensions = {cells.size() / words};
      if (words > 1) dimensions.push_back(words);
      const std::string table =
          shared_.number_table(cells, dimensions, "std::uint64_t", "can_be_in_" + model_.identifiers[v]);
      const std::string bit = words > 1 ? fmt::format("[{0} / 64] >> {0} % 64", cell) : " >> " + cell;
      text.line("{}if (({}[k0]{} & 1u) == 0) return false;", loops, table, bit);
    }
    text.line("return true;");
    text.close();
  }

  // Variables that nothing reads before it is assigned get their initial values, which are valid, so that states with
  // the same future are equal. Callers ask who moves.
  void write_clearing(Text& text) {
    std::map<std::vector<std::string>, std::string> cases;  // by what is dead
    std::map<std::string, std::string> starts_as;
    for (const std::size_t v : facts_.state) {
      const auto id = VarId(static_cast<std::uint32_t>(v));
      starts_as[model_.identifiers[v]] = initial_assignment(id);
    }
    for (const std::uint32_t entry : facts_.entries) {
      std::vector<std::string> dead;
      for (const std::size_t v : facts_.state - facts_.live_at_entry(entry)) {
        if (VarId(static_cast<std::uint32_t>(v)) != model_.game.player()) dead.push_back(model_.identifiers[v]);
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

  void write_scalar_validity(Text& text, std::uint32_t v, std::uint32_t size) {
    constexpr std::size_t kMostCells = 65536;
    const std::size_t nodes = facts_.entries.size() + 1;
    if (!model_.values->usable() || !model_.values->tracked(VarId(v)) || nodes * size > kMostCells) return;
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
    const std::string table =
        shared_.number_table(can, {nodes, size}, "std::uint8_t", "can_be_" + model_.identifiers[v]);
    text.line("if ({}[s.node][s.{}] == 0) return false;", table, model_.identifiers[v]);
  }

  void write_description(Text& text) {
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
    for (std::uint32_t v = 0; v < model_.identifiers.size(); ++v) {
      if (!facts_.state.test(v)) continue;
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

  std::string symbol_names(std::uint32_t universe) {
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

  NumberedGame model_;
  GameFacts facts_;
  Shared shared_;
  std::string title_;
  bool env_;
  Text guesses_;  // how moves are picked before anything is asked
  std::map<std::uint32_t, std::string> names_of_;
};

// Automata of this size were never seen to take less code an edge, so that it need not be written to be found too
// large.
bool may_be_code(const ir::Game& game) {
  constexpr std::uint64_t kLeastOfEdge = 125;
  return game.graph.edge_count() * kLeastOfEdge <= limits::cpp_code;
}

}  // namespace

ir::Game with_direct_choices(ir::Game game) {
  if (!may_be_code(game)) return game;
  passes::OptimizeOptions options;
  options.passes = {"close-cycles", "direct-choices"};
  passes::optimize(game, options);
  return game;
}

ir::Game without_decided_steps(ir::Game game) {
  if (!may_be_code(game)) {
    analysis::drop_decided_conditions(game);
    return game;
  }
  const NumberedGame numbered(game);
  std::vector<const Step*> asked(game.graph.edge_bound());
  for (const Step& step : numbered.steps) asked[step.edge.value] = &step;
  std::vector<ir::EdgeId> conditions;
  for (const ir::EdgeId edge : game.graph.edges()) {
    if (std::holds_alternative<ir::Compare>(game.graph.label(edge))) conditions.push_back(edge);
  }
  for (const ir::EdgeId edge : conditions) {
    if (asked[edge.value] == nullptr)
      game.graph.remove_edge(edge);
    else if (asked[edge.value]->kind == Deed::nothing)
      game.graph.set_label(edge, ir::Empty());
  }
  return game;
}

std::string plan_text(const ir::Game& game, const GenerateOptions& options) {
  if (!may_be_code(game)) return "the automaton becomes tables: it is too large for code\n";
  return Files(game, options).plan();
}

std::vector<GeneratedFile> generate(const ir::Game& game, const GenerateOptions& options) {
  std::vector<GeneratedFile> files;
  if (options.device) {
    files = Files(game, options).make_for_device();
    hide_names(files, true);
    name_files(files, options);
    return files;
  }
  if (may_be_code(game)) files = Files(game, options).make();
  if (files.empty()) files = generate_tables(game, options);
  if (options.search) add_search_files(files);
  if (options.env) add_env_files(files);
  hide_names(files, false);
  name_files(files, options);
  return files;
}

}  // namespace rgtrans::cpp
