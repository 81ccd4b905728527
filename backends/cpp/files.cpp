// The files of a reasoner: declarations of the game's symbols, moves and states, then the functions.
#include <fmt/format.h>

#include <functional>
#include <map>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/cpp.hpp"
#include "backends/cpp/device_form.hpp"
#include "backends/cpp/project.hpp"
#include "backends/cpp/state_code.hpp"
#include "backends/cpp/writer.hpp"
#include "core/support/limits.hpp"

namespace rgtrans::cpp {

namespace {

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
    if (!becomes_code())
      throw Error("the game is too large for a device: its code would never be compiled",
                  "the engine \"cpp\" plays it: large games are tables there");
    DeviceParts parts{shared_, title_, {}, {}, {}, {}, {}, {}};
    Text rules;
    state_.write_initial_state(rules);
    state_.write_accessors(rules);
    parts.rules = rules.take();
    parts.tables = shared_.tables.take();
    shared_.table_head = "inline constexpr";  // from here on
    Text host;
    write_checks_of_states(host);
    parts.host = shared_.tables.take() + host.take();
    Text types;
    const std::uint32_t players = model_.variable_shape(model_.game.player()).leaf;
    const std::uint32_t scores = model_.variable_shape(model_.game.goals()).leaf;
    for (const std::uint32_t universe : {players, scores}) shared_.used_universes().insert(universe);
    for (const std::uint32_t universe : shared_.used_universes()) state_.write_symbols(types, universe);
    shared_.table_head = "REASONER_TABLE";
    state_.write_players(types, players, scores);
    parts.symbols = types.take();
    state_.write_cache(types);
    state_.write_struct(types);
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
    return becomes_code() ? print_plan(shared_)
                          : "the automaton becomes tables: as code it would take too long to compile\n";
  }

  // No files when the code would be too large.
  std::vector<GeneratedFile> make() {
    if (!becomes_code() || !compiles_soon()) return {};
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
    return std::ranges::all_of(model_.universes, [](const Universe& u) { return u.size() <= kSizes.numbers; }) &&
           model_.tags.size() <= kSizes.numbers && facts_.entries.size() <= kSizes.numbers &&
           model_.game.players().size() <= kMostPlayers;
  }

  // False where the code would be too large.
  bool becomes_code() {
    check_cells();
    if (!numbers_fit()) return false;
    try {
      write_code();
    } catch (const TooMuchCode&) {
      return false;
    }
    return true;
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
    std::size_t size = shared_.code_size();
    for (const FunctionId id : shared_.functions.declared()) size += shared_.functions.declaration(id).size();
    const std::size_t tables = shared_.tables.str().size();
    return size + std::max(tables, tables / kCosts.tables * (size / kSizes.file)) <= limits::cpp_code;
  }

  void check_cells() const {
    std::uint64_t total = 0;
    for (const std::size_t v : facts_.state) {
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
    for (const std::uint32_t at : shared_.candidates_in) found.push_back(facts_.moves.local.at(at));
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
    for (const std::uint32_t universe : shared_.used_universes()) state_.write_symbols(text, universe);
    text.line("");
    state_.write_players(text, players, scores);
    write_move_constants(text, shared_.layout, model_.tags.size(),
                         {.duplicates = facts_.duplicates,
                          .draws = shared_.draws(),
                          .guesses = !guesses_.empty(),
                          .candidates = shared_.draws_candidates(),
                          .waits = shared_.some_wait,
                          .asks = shared_.needs_acceptance_test,
                          .stores = !shared_.draws(),
                          .marks = marks(),
                          .remembers = shared_.techniques.use(Technique::memory),
                          .together = shared_.techniques.use(Technique::turns)});
    if (shared_.by_parts) write_parts(text);
    for (const char* const part : {"move.hpp", "move_list.hpp", "moves.hpp"}) text.raw(embedded_text(part));
    state_.write_cache(text);
    state_.write_struct(text);
    text.raw(embedded_text("state_types.hpp"));
    return text.take();
  }

  // One file, or several that the compiler can work on side by side.
  void add_sources(std::vector<GeneratedFile>& files) {
    // First, because they need tables.
    state_.write_initial_state(tail_);
    state_.write_accessors(tail_);
    if (shared_.draws_candidates()) state_.write_byte_writer(tail_);
    write_checks_of_states(tail_);
    Text text;
    text.raw(
        "// One function a node where ways meet, named for what it is part of:\n"
        "// moves_* list moves, check_* evaluate conditions, apply_* and system_* search for one walk.\n");
    if (shared_.code_size() <= kSizes.file) {
      text.raw("#include \"cells.hpp\"\n#include \"reasoner.hpp\"\n\n");
      // Where floods go on in one function, the branches of their rounds are predicted apart.
      write_preamble(text, " inline");
      write_tag_names(text);
      text.raw("namespace {\n\n");
      write_declarations(text);
      for (const FunctionId id : shared_.functions.defined()) text.raw(shared_.functions.definition(id));
      write_end(text, "}  // namespace\n");
      files.push_back({"reasoner.cpp", text.take()});
      return;
    }
    Text internal;
    internal.raw(
        "// What the parts of the reasoner share: tables and what can be done with a state.\n"
        "#pragma once\n\n#include \"cells.hpp\"\n#include \"reasoner.hpp\"\n\n");
    write_preamble(internal, "");
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
    write_end(text, "");
    files.push_back({"reasoner.cpp", text.take()});
    const std::vector<FunctionId>& all = shared_.functions.defined();
    std::vector<FunctionId> ids;
    std::string definitions;
    std::size_t parts = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      ids.push_back(all[i]);
      definitions += shared_.functions.definition(all[i]);
      if (definitions.size() < kSizes.file && i + 1 < all.size()) continue;
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

  void write_checks_of_states(Text& text) {
    state_.write_validity(text);
    state_.write_clearing(text);
    state_.write_description(text);
  }

  void write_end(Text& text, std::string_view close) const {
    text.raw(tail_.str());
    text.raw(shared_.functions.print(guesses_));
    text.raw(close);
    text.raw(embedded_text("play_out.cpp"));
    text.raw(embedded_text("game_state.cpp"));
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

  void write_preamble(Text& text, std::string_view recursive) const {
    text.raw(
        "// Not every function needs everything that its kind of function is handed; functions inside of others\n"
        "// name their parameters alike.\n");
    for (const char* const warning : {"unused-parameter", "unused-variable", "shadow"})
      text.line("#pragma GCC diagnostic ignored \"-W{}\"", warning);
    text.raw("\nnamespace reasoner {\n\n");
    if (shared_.recursive) text.line("#define REASONER_RECURSIVE{}", recursive);
    if (shared_.lists_sets)
      text.raw(std::string(embedded_text("found_sets.hpp")) + std::string(embedded_text("sets.hpp")));
    if (marks()) text.raw(embedded_text("marks.hpp"));
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

  NumberedGame model_;
  GameFacts facts_;
  Shared shared_;
  StateCode state_{model_, facts_, shared_};
  std::string title_;
  bool env_;
  Text guesses_;  // how moves are picked before anything is asked
  Text tail_;     // functions for states, behind those of the game
};

}  // namespace

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
