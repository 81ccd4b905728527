// Commands: an editor calls the verbs of the workbench as rgtrans.VERB. Each takes one object, {"uri": …, …}, and
// returns one. With "show": true the person in front of the editor sees the answer, too.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "ide/service/features.hpp"

namespace rgtrans::ide {

namespace {

constexpr std::string_view kPrefix = "rgtrans.";

// An editor's server starts no compiler.
bool is_command(const Verb& verb) { return !verb.compiles; }

// The progress of a verb, in the form of editors. The message of the verb is in `value`, as in the studio.
class WorkDone {
 public:
  WorkDone(Service& service, Json token, std::string_view title)
      : service_(service), token_(std::move(token)), title_(title) {}
  WorkDone(const WorkDone&) = delete;
  WorkDone& operator=(const WorkDone&) = delete;
  ~WorkDone() {
    if (begun_) send({{"kind", "end"}});
  }
  void report(Json value) {
    if (token_.is_null()) return;
    const Json share = percentage(value);
    if (!begun_) {
      Json begin = {{"kind", "begin"}, {"title", title_}, {"cancellable", true}};
      if (!share.is_null()) begin["percentage"] = 0;
      send(std::move(begin));
      begun_ = true;
    }
    Json report = {{"kind", "report"}, {"value", std::move(value)}};
    if (!share.is_null()) report["percentage"] = share;
    send(std::move(report));
  }

 private:
  // Of a message that counts something; else null.
  static Json percentage(const Json& value) {
    const Json& of = member(value, "of");
    const Json& done = value.contains("done") ? member(value, "done") : member(value, "plays");
    if (!of.is_number_unsigned() || !done.is_number_unsigned() || of == 0) return nullptr;
    return std::min<std::uint64_t>(100, static_cast<std::uint64_t>(100 * done.get<double>() / of.get<double>()));
  }
  void send(Json value) { service_.notify("$/progress", {{"token", token_}, {"value", std::move(value)}}); }

  Service& service_;
  Json token_;
  std::string title_;
  bool begun_ = false;
};

Json run_verb(Service& service, const Verb& verb, const SnapshotPointer& snapshot, const Json& arguments,
              const Stop& stop, const Json& progress = nullptr) {
  Bench& bench = service.bench;
  bench.encoding = service.encoding;
  const auto load = [snapshot, &stop] {
    const auto loaded = snapshot->load([&stop] { stop.check(); });
    if (loaded->opened == nullptr) throw Error("the description has mistakes; they are among its diagnostics");
    return loaded->opened;
  };
  bench.document = std::make_shared<Document>(Document{snapshot->uri, snapshot->text, snapshot->language, load});
  if (verb.quick != nullptr) return verb.quick(bench, arguments, stop);
  WorkDone work(service, progress, verb.name);
  return verb.slow({*bench.host, game_of(bench.document), stop}, arguments,
                   [&work](Json value) { work.report(std::move(value)); });
}

void show(Service& service, const std::string& text) {
  constexpr int kInformation = 3;
  service.notify("window/showMessage", {{"type", kInformation}, {"message", text}});
}

// A folder with an unpredictable name that no other user can enter. The server removes it at its end.
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
  show(service, "drawn: " + file.string());
}

}  // namespace

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Verb& verb : game_verbs()) {
    if (is_command(verb)) names.push_back(fmt::format("{}{}", kPrefix, verb.name));
  }
  return names;
}

Rest execute_command(Service& service, const CommandParams& params) {
  const std::string& name = params.command;
  const Verb* const verb = name.starts_with(kPrefix) ? find_verb(game_verbs(), name.substr(kPrefix.size())) : nullptr;
  if (verb == nullptr || !is_command(*verb)) throw RequestError{kInvalidParameters, "there is no command " + name};
  const Json arguments = params.arguments.empty() ? Json::object() : params.arguments.front();
  const auto target = from_json_message<CommandTarget>(arguments, "arguments[0]");
  const SnapshotPointer snapshot = service.document(target.uri);
  return [&service, verb, snapshot, arguments, wanted = target.show, token = params.progress](const Stop& stop) {
    Json result = run_verb(service, *verb, snapshot, arguments, stop, token);
    if (!wanted) return result;
    if (member(result, "text").is_string()) {
      show(service, result["text"]);
    } else if (member(result, "svg").is_string()) {
      show_drawing(service, *snapshot, result["svg"]);
    }
    return result;
  };
}

// --- Lenses: commands in front of the text. ---

namespace {

Json lens(const Json& range, const std::string& uri, const std::string& title, const char* command, Json arguments) {
  arguments["uri"] = uri;
  arguments["show"] = true;
  return {{"range", range},
          {"command", {{"title", title}, {"command", command}, {"arguments", Json::array({std::move(arguments)})}}}};
}

}  // namespace

Json code_lenses(Service& service, const DocumentParams& params) {
  const SnapshotPointer snapshot = service.document(params.document);
  Json list = Json::array();
  if (snapshot->language == nullptr) return list;
  const auto& declarations = snapshot->outline().declarations;
  const auto first =
      std::ranges::find_if(declarations, [](const outline::Declaration& d) { return d.listed && !d.built_in(); });
  if (first == declarations.end()) return list;
  const Json range = service.range(*snapshot, {first->at.begin, first->at.begin});
  list.push_back(lens(range, snapshot->uri, "play", "rgtrans.play", Json::object()));
  list.push_back(lens(range, snapshot->uri, "perft 3", "rgtrans.perft", {{"depth", 3}}));
  list.push_back(lens(range, snapshot->uri, "automaton", "rgtrans.automaton", Json::object()));
  // How many moves there are takes a game to know.
  list.push_back({{"range", range}, {"data", {{"uri", snapshot->uri}}}});
  return list;
}

Rest resolve_lens(Service& service, const LensParams& params) {
  const SnapshotPointer snapshot = service.document(params.data.uri);
  return [&service, snapshot, range = params.range](const Stop& stop) {
    std::string title = "moves";
    try {
      const auto& verb = *find_verb(game_verbs(), "moves");
      title = fmt::format("moves {}", run_verb(service, verb, snapshot, Json::object(), stop)["moves"].size());
    } catch (const Error&) {
      // The description has mistakes; the lens shows no more.
    }
    return lens(range, snapshot->uri, title, "rgtrans.moves", Json::object());
  };
}

}  // namespace rgtrans::ide
