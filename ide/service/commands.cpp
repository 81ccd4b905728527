// Commands: what the program can do with a game, asked from an editor. Each takes one object, {"uri": …, …}, and
// answers one. With "show": true the answer is also told to the person in front of the editor.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "backends/dot/dot.hpp"
#include "backends/drawing/drawing.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "backends/json/json.hpp"
#include "backends/play/play.hpp"
#include "backends/rg/rg.hpp"
#include "backends/scene/scene.hpp"
#include "backends/stats/stats.hpp"
#include "backends/trace/trace.hpp"
#include "core/passes/passes.hpp"
#include "core/support/text.hpp"
#include "ide/bundle/bundle.hpp"
#include "ide/service/features.hpp"

namespace rgtrans::ide {

namespace {

// What a command works on.
struct Task {
  Service& service;
  SnapshotPointer snapshot;
  Json arguments;
  const Stop& stop;

  [[nodiscard]] std::uint64_t number(const char* key, std::uint64_t standard, std::uint64_t most) const {
    const Json& value = member(arguments, key);
    if (value.is_null()) return standard;
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
      throw RequestError{kInvalidParameters, fmt::format("{} is a whole number up to {}", key, most)};
    return value;
  }
  [[nodiscard]] std::string text(const char* key, const char* standard) const {
    const Json& value = member(arguments, key);
    if (value.is_null()) return standard;
    if (!value.is_string()) throw RequestError{kInvalidParameters, fmt::format("{} is a text", key)};
    return value;
  }

  [[nodiscard]] std::shared_ptr<const ir::Game> game() const {
    const auto loaded = snapshot->load([this] { stop.check(); });
    if (loaded->game) return loaded->game;
    throw RequestError{kRequestFailed, "the description has mistakes; they are among its diagnostics"};
  }
  [[nodiscard]] ir::Game optimized(std::uint64_t standard_level, passes::OptimizeOptions options = {},
                                   passes::OptimizeReport* report = nullptr) const {
    ir::Game result = *game();
    options.level = static_cast<int>(number("level", standard_level, 2));
    passes::OptimizeReport made = passes::optimize(result, options);
    if (report != nullptr) *report = std::move(made);
    return result;
  }
};

// A play that has come to the state of "path".
struct Standing {
  std::shared_ptr<const ir::Game> written;
  std::unique_ptr<Reasoner> reasoner;
  std::vector<std::string> moves;
};

Standing position_of(const Task& task) {
  Standing position{task.game(), nullptr, {}};
  position.reasoner = make_interpreter(task.optimized(2));
  const std::string path = task.text("path", "");
  if (!path.empty()) position.moves = play::go_to(*position.reasoner, path, scene::Wording(*position.written));
  return position;
}

// --- Texts and drawings. ---

std::string automaton_svg(const ir::Game& game, Json& edges, const Task& task) {
  drawing::Drawing drawing = drawing::fold(game);
  drawing::lay_out(drawing);
  const std::vector<std::string> names = game.node_names();
  for (const ir::EdgeId edge : drawing::edges_in(drawing)) {
    Json item{{"text", rg::print_edge(game, edge, names)}};
    const Range where = game.graph.where(edge);
    const Sources::File* file = game.sources()->file_of(where.begin);
    if (where.known() && file != nullptr && file->text == task.snapshot->text)
      item["range"] = task.service.range(*task.snapshot, {where.begin - file->base, where.end - file->base});
    edges.push_back(std::move(item));
  }
  return drawing::svg(drawing);
}

Json translate(const Task& task) {
  const std::string form = task.text("to", "rg");
  if (const FoundForm found = find_form(form); found.form != nullptr && found.language == task.snapshot->language) {
    Diagnostics diagnostics;
    const Sources::File& file = diagnostics.sources()->add(task.snapshot->uri, task.snapshot->text);
    std::string text = found.form->write(file, diagnostics, {});
    diagnostics.throw_if_errors();
    return {{"text", std::move(text)}};
  }
  const ir::Game game = task.optimized(0);
  if (form == "rg") return {{"text", rg::print(game)}};
  if (form == "json") return {{"text", json::print(game)}};
  if (form == "dot") return {{"text", dot::print(game)}};
  if (form == "stats") return {{"text", stats::text(stats::collect(game))}};
  throw RequestError{kInvalidParameters, "there is no form " + form};
}

Json optimize(const Task& task) {
  constexpr std::size_t kMostNodes = 3000;  // of a game whose every step is drawn
  Json steps = Json::array();
  const bool drawn = member(task.arguments, "trace") == true && task.game()->node_names().size() <= kMostNodes;
  trace::Page page("Optimizer trace", *task.game());
  passes::OptimizeOptions options;
  options.keep_before = true;
  options.on_change = [&](const passes::PassEvent& event) {
    task.stop.check();
    if (drawn) page.add(event);
    steps.push_back({{"pass", event.pass.name},
                     {"help", event.pass.help},
                     {"changes", event.changes},
                     {"difference", line_difference(rg::print(*event.before), rg::print(event.after))}});
  };
  passes::OptimizeReport report;
  const ir::Game game = task.optimized(2, std::move(options), &report);
  Json result{{"text", rg::print(game)}, {"steps", std::move(steps)}};
  if (drawn) result["html"] = page.html(bundle::kTracePage, game, report);
  return result;
}

Json automaton(const Task& task) {
  Json edges = Json::array();
  std::string svg = automaton_svg(task.optimized(1), edges, task);
  return {{"svg", std::move(svg)}, {"edges", std::move(edges)}};
}

// --- Plays. ---

Json count_leaves(const Task& task) {
  const auto depth = static_cast<unsigned>(task.number("depth", 3, 100));
  const Standing position = position_of(task);
  Json lines = Json::array();
  std::string text;
  for (unsigned d = 1; d <= depth; ++d) {
    const std::uint64_t leaves = play::perft_in_steps(*position.reasoner, d, [&] { task.stop.check(); });
    lines.push_back({{"depth", d}, {"leaves", leaves}});
    text += fmt::format("{}perft {}: {}", text.empty() ? "" : ", ", d, leaves);
  }
  return {{"lines", std::move(lines)}, {"text", text}};
}

Json play_at_random(const Task& task) {
  constexpr std::uint64_t kMostPlayouts = 100'000'000;
  const Standing position = position_of(task);
  PlayoutOptions options;
  options.count = task.number("count", 100, kMostPlayouts);
  options.seed = task.number("seed", 1, UINT64_MAX);
  options.stop = task.stop.flag();
  const PlayoutStats stats = play::playouts(*position.reasoner, options);
  task.stop.check();
  return {{"text", play::text(stats, position.reasoner->info())},
          {"statistics", Json::parse(play::json(stats, position.reasoner->info()))}};
}

Json moves(const Task& task) {
  const Standing position = position_of(task);
  Reasoner& reasoner = *position.reasoner;
  Json list = Json::array();
  const std::string text = play::moves_text(reasoner, scene::Wording(*position.written));
  for (const std::string& line : split_lines(text)) {
    if (!line.empty()) list.push_back(line);
  }
  return {
      {"moves", std::move(list)}, {"mover", reasoner.mover_name()}, {"terminal", reasoner.terminal()}, {"text", text}};
}

Json board(const Task& task) {
  const auto written = task.game();
  scene::Witness witness(*written);
  const Standing position = position_of(task);
  for (const std::string& move : position.moves) witness.apply(move);
  witness.settle();
  const scene::Scene scene = scene::Painter(*written, witness).scene(witness);
  scene::TextStyle style;
  style.colours = false;
  return {{"svg", scene::svg(scene, member(task.arguments, "flip") == true)},
          {"text", scene::text(scene, style)},
          {"scene", Json::parse(scene::json(scene))}};
}

// Where a play stands, to be gone on with by a longer path.
Json play(const Task& task) {
  Json result = board(task);
  Json next = moves(task);
  const std::string text = result["text"].get<std::string>() + next["text"].get<std::string>();
  result.update(next);
  result["text"] = text;
  return result;
}

// --- Between the lines of the text and the automaton. ---

struct NodeLines {
  std::string name;
  std::vector<std::pair<ir::EdgeId, outline::Span>> edges;
};

std::vector<NodeLines> node_lines(const ir::Game& game, const std::vector<std::string>& names) {
  std::vector<NodeLines> all;
  for (const ir::NodeId node : game.graph.nodes()) {
    NodeLines lines{names[node.value], {}};
    for (const ir::EdgeId edge : game.graph.out_edges(node)) {
      const Range where = game.graph.where(edge);
      const Sources::File* file = game.sources()->file_of(where.begin);
      if (!where.known() || file == nullptr) continue;
      lines.edges.emplace_back(edge, outline::Span{where.begin - file->base, where.end - file->base});
    }
    if (!lines.edges.empty()) all.push_back(std::move(lines));
  }
  return all;
}

// The edges that come from a line of the text.
Json nodes(const Task& task) {
  const ir::Game game = task.optimized(0);
  const auto wanted = static_cast<std::uint32_t>(task.number("line", 0, UINT32_MAX));
  const Snapshot& snapshot = *task.snapshot;
  const std::vector<std::string> names = game.node_names();
  Json list = Json::array();
  for (const NodeLines& node : node_lines(game, names)) {
    Json edges = Json::array();
    for (const auto& [edge, span] : node.edges) {
      if (snapshot.lines.line_of(span.begin) != wanted) continue;
      edges.push_back({{"text", rg::print_edge(game, edge, names)}, {"range", task.service.range(snapshot, span)}});
    }
    if (!edges.empty()) list.push_back({{"node", node.name}, {"edges", std::move(edges)}});
  }
  return {{"nodes", std::move(list)}};
}

// Where the edges behind a node come from.
Json source(const Task& task) {
  const ir::Game game = task.optimized(0);
  const std::string wanted = task.text("node", "begin");
  Json list = Json::array();
  for (const NodeLines& node : node_lines(game, game.node_names())) {
    if (node.name != wanted) continue;
    for (const auto& [edge, span] : node.edges) list.push_back(task.service.range(*task.snapshot, span));
  }
  return {{"uri", task.snapshot->uri}, {"ranges", std::move(list)}};
}

struct CommandRow {
  std::string_view name;
  Json (*run)(const Task& task);
};
constexpr std::array kCommands = {
    CommandRow{"rgtrans.translate", translate}, CommandRow{"rgtrans.optimize", optimize},
    CommandRow{"rgtrans.perft", count_leaves},  CommandRow{"rgtrans.playouts", play_at_random},
    CommandRow{"rgtrans.moves", moves},         CommandRow{"rgtrans.play", play},
    CommandRow{"rgtrans.automaton", automaton}, CommandRow{"rgtrans.board", board},
    CommandRow{"rgtrans.nodes", nodes},         CommandRow{"rgtrans.source", source},
};

void show(Service& service, const Json& result) {
  constexpr int kInformation = 3;
  const Json& text = member(result, "text");
  if (text.is_string()) service.notify("window/showMessage", {{"type", kInformation}, {"message", text}});
}

// A folder that nobody else can enter, and whose name nobody knows before. It goes when the server does.
class PrivateFolder {
 public:
  PrivateFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "rgtrans-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Error(fmt::format("cannot make {}: {}", name, std::strerror(errno)));
    path_ = name;
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  ~PrivateFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// A drawing is shown by the browser.
void show_drawing(Service& service, const Snapshot& snapshot, const std::string& svg) {
  static const PrivateFolder folder;
  const auto file = folder.path() / fmt::format("{}.svg", std::filesystem::path(snapshot.path).stem().string());
  write_file(file, svg);
  service.notify("window/showMessage", {{"type", 3}, {"message", "drawn: " + file.string()}});
}

}  // namespace

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names;
  for (const CommandRow& row : kCommands) names.push_back(row.name);
  return names;
}

Rest execute_command(Service& service, const Json& params) {
  const std::string name = params.at("command");
  const auto row = std::ranges::find(kCommands, name, &CommandRow::name);
  if (row == kCommands.end()) throw RequestError{kInvalidParameters, "there is no command " + name};
  const Json& list = member(params, "arguments");
  const Json arguments = list.is_array() && !list.empty() ? list[0] : Json::object();
  const SnapshotPointer snapshot = service.document({{"textDocument", {{"uri", arguments.at("uri")}}}});
  return [&service, row, snapshot, arguments](const Stop& stop) {
    const Task task{service, snapshot, arguments, stop};
    Json result = row->run(task);
    if (member(arguments, "show") == true) {
      if (result.contains("svg") && !result.contains("text")) {
        show_drawing(service, *snapshot, result["svg"]);
      } else {
        show(service, result);
      }
    }
    return result;
  };
}

// --- Lenses: commands in front of the text. ---

Json code_lenses(Service& service, const Json& params) {
  const SnapshotPointer snapshot = service.document(params);
  Json list = Json::array();
  if (snapshot->language == nullptr) return list;
  const auto& declarations = snapshot->outline().declarations;
  const auto first =
      std::ranges::find_if(declarations, [](const outline::Declaration& d) { return d.listed && !d.built_in(); });
  if (first == declarations.end()) return list;
  const Json range = service.range(*snapshot, {first->at.begin, first->at.begin});
  const auto lens = [&](const char* title, const char* command, Json more) {
    more["uri"] = snapshot->uri;
    more["show"] = true;
    list.push_back(
        {{"range", range},
         {"command", {{"title", title}, {"command", command}, {"arguments", Json::array({std::move(more)})}}}});
  };
  lens("play", "rgtrans.play", Json::object());
  lens("perft 3", "rgtrans.perft", {{"depth", 3}});
  lens("automaton", "rgtrans.automaton", Json::object());
  // How many moves there are takes a game to know.
  list.push_back({{"range", range}, {"data", {{"uri", snapshot->uri}}}});
  return list;
}

Rest resolve_lens(Service& service, const Json& params) {
  const std::string uri = params.at("data").at("uri");
  const SnapshotPointer snapshot = service.document({{"textDocument", {{"uri", uri}}}});
  return [&service, snapshot, lens = params](const Stop& stop) mutable {
    std::string title = "moves";
    try {
      const Standing position = position_of({service, snapshot, Json::object(), stop});
      // The keeper may have something to do first.
      while (position.reasoner->keeper_moves() && position.reasoner->move_count() > 0) {
        position.reasoner->apply(0);
        stop.check();
      }
      title = fmt::format("moves {}", position.reasoner->terminal() ? 0 : position.reasoner->move_count());
    } catch (const RequestError&) {
      // The description has mistakes; the lens says nothing more.
    } catch (const Error&) {
    }
    Json result = lens;
    result["command"] = {{"title", title},
                         {"command", "rgtrans.moves"},
                         {"arguments", Json::array({Json{{"uri", snapshot->uri}, {"show", true}}})}};
    return result;
  };
}

}  // namespace rgtrans::ide
