// The table of verbs, and the declarations of all messages.
#include "ide/workbench/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rgtrans::ide {

namespace {

// "perft: { request: PerftRequest; reply: PerftReply; progress: PerftProgress }"
template <class Request, class Reply, class Progress>
std::string types(wire::Typescript& out) {
  const std::string request = out.type<Request>(), reply = out.type<Reply>(), progress = out.type<Progress>();
  return fmt::format("{{ request: {}; reply: {}; progress: {} }}", request, reply, progress);
}

template <auto kFunction>
struct RowOf;
template <class Request, class Reply, Reply (*kFunction)(Bench&, const Request&, const Stop&)>
struct RowOf<kFunction> {
  static constexpr Verb row(std::string_view name, std::string_view help) {
    return {.name = name,
            .help = help,
            .quick =
                [](Bench& bench, const Json& request, const Stop& stop) {
                  return to_json_message(kFunction(bench, from_json_message<Request>(request), stop));
                },
            .types = types<Request, Reply, Nothing>};
  }
};
template <class Request, class Reply, class Progress,
          Reply (*kFunction)(const Errand&, const Request&, const Tell<Progress>&)>
struct RowOf<kFunction> {
  static constexpr Verb row(std::string_view name, std::string_view help) {
    return {.name = name,
            .help = help,
            .slow =
                [](const Errand& errand, const Json& request, const TellProgress& tell) {
                  const auto told = [&tell](const Progress& progress) { tell(to_json_message(progress)); };
                  return to_json_message(kFunction(errand, from_json_message<Request>(request), told));
                },
            .types = types<Request, Reply, Progress>};
  }
};
template <auto kFunction>
constexpr Verb verb(std::string_view name, std::string_view help) {
  return RowOf<kFunction>::row(name, help);
}

constexpr Verb compiling(Verb verb) {
  verb.compiles = true;
  return verb;
}

constexpr std::array kTextVerbs = {
    verb<hello>("hello", "languages, passes, presets, and the files of the folder"),
    verb<read_text>("read", "a preset or a file of the folder"),
    verb<save_text>("save", "writes a file of the folder"),
    verb<open_text>("open", "makes a game of a text; the other verbs are about the last one without mistakes"),
};

constexpr std::array kGameVerbs = {
    verb<translate>("translate", "the game as a text in another form"),
    verb<optimize>("optimize", "the work of the optimizer, pass by pass"),
    verb<show_pass>("pass", "one change of the optimizer in full"),
    verb<explain>("explain", "why a node has or lacks each pragma"),
    verb<draw_automaton>("automaton", "the automaton as SVG"),
    verb<draw_pieces>("drawing", "the automaton in pieces, of which a client keeps those that it has"),
    verb<nodes_of_line>("nodes", "the edges that come from a line"),
    verb<source_of_node>("source", "where the edges behind a node come from"),
    verb<moves>("moves", "the legal moves of a position"),
    verb<board>("board", "the drawing of a position"),
    verb<show_play>("play", "a position: its drawing, the moves that led there, and the moves to go on with"),
    verb<arrange>("arrange", "a position in which a piece is moved, put or removed"),
    verb<count_leaves>("perft", "the number of move sequences, by first move"),
    verb<play_out>("playouts", "random plays"),
    compiling(verb<measure_engines>("engines", "how fast the interpreter and the compiled reasoner play")),
    verb<compare>("compare", "leaves and random plays of two games, compared"),
    verb<think>("think", "the moves that a search prefers"),
    verb<choose_move>("reply", "the move that a player makes"),
    verb<solve>("solve", "the exact value of a position"),
    verb<analyze>("analyze", "figures about a game, from plays of equal players"),
};

}  // namespace

std::span<const Verb> text_verbs() { return kTextVerbs; }
std::span<const Verb> game_verbs() { return kGameVerbs; }

const Verb* find_verb(std::span<const Verb> verbs, std::string_view name) {
  const auto found = std::ranges::find(verbs, name, &Verb::name);
  return found == verbs.end() ? nullptr : &*found;
}

GamePointer game_of(const DocumentPointer& document) {
  if (document == nullptr) throw Error("no game is open");
  return document->load();
}

ShownPlay& Bench::play_of(const GamePointer& game) {
  if (play_ == nullptr || play_->game() != game) play_ = std::make_unique<ShownPlay>(game);
  return *play_;
}

std::string typescript() {
  wire::Typescript out;
  std::string verbs, slow;
  for (const auto table : {text_verbs(), game_verbs()}) {
    for (const Verb& verb : table) {
      verbs += fmt::format("  // {}\n  {}: {};\n", verb.help, verb.name, verb.types(out));
      if (verb.slow != nullptr) slow += fmt::format("  '{}',\n", verb.name);
    }
  }
  out.declare(
      fmt::format("// Verbs that take their time. They may run beside others.\n"
                  "export const kSlowVerbs: ReadonlySet<string> = new Set([\n{}]);\n",
                  slow));
  out.declare(fmt::format("// By verb.\nexport interface Verbs {{\n{}}}\n", verbs));
  out.type<Complaint>();  // an error of a request for a game has these as its data
  out.type<OptimizerSettings>();
  out.type<OptimizerRun>();
  out.type<CancelRequest>();
  return "// The messages between the program and those who ask it, from ide/workbench.\n"
         "// Generated: `rgtrans lsp --messages` writes it.\n\n" +
         out.text();
}

}  // namespace rgtrans::ide
