#include "cli/batch/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "backends/cpp/cpp.hpp"
#include "backends/drawing/drawing.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "backends/play/play.hpp"
#include "backends/scene/scene.hpp"
#include "backends/stats/stats.hpp"
#include "cli/emit.hpp"
#include "core/passes/passes.hpp"
#include "core/support/pieces.hpp"
#include "core/support/progress.hpp"

namespace rgtrans::batch {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostDrawn = 160;  // edges; more than that nobody can read

class Worker {
 public:
  Worker(const Job& job, const Options& options) : job_(job), options_(options) {
    record_.output = job.output;
    record_.input = job.name;
    record_.key = job.key;
  }

  int run() {
    try {
      ir::Game game = load();
      draw_board(game);
      optimize(game);
      write(game);
      describe(game);
      record_.status = Status::converted;
      record_.message.clear();
      if (options_.perft == 0 && options_.playouts == 0) {
        save();
        return 0;
      }
      record_.unfinished = "stopped before the end";
      save();
      measure(game);
      record_.unfinished.clear();
    } catch (const NoSpace&) {
      throw;  // nothing is wrong with the game
    } catch (const Error& e) {
      fail(e);
    }
    save();
    return 0;
  }

 private:
  void save() const { write_file(job_.record, line_of(to_json(record_, true))); }

  ir::Game load() {
    const Frontend& frontend = frontend_for(options_.language, job_.name, job_.text);
    record_.language = frontend.name;
    bound_automaton(frontend);
    const std::string reading = fmt::format("while reading {} bytes", job_.text.size());
    phase(reading);
    Diagnostics diagnostics;
    listen_to_phases([&](const std::string& what, Range where) {
      const std::string place = diagnostics.sources()->describe(where);
      phase(fmt::format("{} ({}{})", reading, place.empty() ? "" : place + ": ", what));
    });
    ir::Game game =
        load_text(job_.name, job_.text, frontend, diagnostics, options_of(frontend, frontend_options()), true);
    listen_to_phases({});
    if (!diagnostics.all().empty())
      record_.diagnostics = nlohmann::json::parse(render_json(diagnostics.all(), *diagnostics.sources()));
    return game;
  }

  // Grounding should give up with a message that names the rule before the limits of the process end it without one.
  [[nodiscard]] FrontendOptions frontend_options() const {
    FrontendOptions result = options_.frontend;
    const auto soft = [](double limit, double share) {
      return std::to_string(static_cast<std::uint64_t>(std::max(1.0, limit * share)));
    };
    result.values.try_emplace(std::string(kMaxSecondsOption), soft(options_.timeout, 0.6));
    result.values.try_emplace(std::string(kMaxMemoryOption), soft(static_cast<double>(options_.memory >> 20), 0.6));
    return result;
  }

  // In the same way an automaton that could not be optimized within the limits is refused before it is made, unless
  // somebody asked for it.
  void bound_automaton(const Frontend& frontend) const {
    constexpr std::uint64_t kBytesAnEdge = 1000;
    constexpr double kEdgesASecond = 100'000;
    Limit* const edges = frontend.edges;
    if (edges == nullptr || edges->value() != edges->standard()) return;
    const auto in_time = static_cast<std::uint64_t>(std::max(1.0, options_.timeout * kEdgesASecond));
    edges->set(std::max<std::uint64_t>(1, std::min({edges->value(), in_time, options_.memory / kBytesAnEdge})));
  }

  // Shown when the process is ended here.
  void phase(std::string what) {
    record_.message = std::move(what);
    save();
  }

  void optimize(ir::Game& game) {
    phase(fmt::format("while optimizing an automaton of {} edges", game.graph.edge_count()));
    passes::OptimizeOptions optimize_options;
    optimize_options.level = options_.level;
    // Small games are done before anybody could ask.
    constexpr std::size_t kWorthTelling = 20'000;
    const std::size_t edges = game.graph.edge_count();
    if (edges > kWorthTelling) {
      optimize_options.on_start = [&](const passes::Pass& pass, const ir::Game& now) {
        phase(fmt::format("while optimizing an automaton of {} edges ({}, now {} edges)", edges, pass.name,
                          now.graph.edge_count()));
      };
    }
    if (!options_.passes.empty()) optimize_options.passes = options_.passes;
    passes::optimize(game, optimize_options);
  }

  void write(const ir::Game& game) {
    phase(fmt::format("while writing an automaton of {} edges", game.graph.edge_count()));
    if (options_.to == "cpp") {
      fs::create_directories(job_.staged);
      const std::string title = fs::path(job_.name).stem().string();
      for (const cpp::GeneratedFile& file : cpp::generate(game, {.title = title}))
        write_file(job_.staged / file.name, file.text);
    } else {
      write_file(job_.staged, cli::emit(game, options_.to, {job_.name, record_.language}));
    }
    record_.output_hash = output_hash(job_.staged);
  }

  // The game as its author wrote it, because the optimizer may take boards apart. A game without a board has no
  // drawing, and a game that cannot be drawn is converted all the same.
  void draw_board(const ir::Game& game) {
    constexpr std::size_t kMostEdges = 20'000;
    constexpr std::size_t kLargest = 100'000;  // bytes
    if (game.graph.edge_count() > kMostEdges) return;
    phase(fmt::format("while drawing the board of an automaton of {} edges", game.graph.edge_count()));
    try {
      scene::Witness witness(game);
      witness.settle();
      scene::Scene position = scene::Painter(game, witness).scene(witness);
      if (position.boards.empty()) return;
      position.facts.clear();
      position.mover.clear();
      std::string drawn = scene::svg(position);
      if (drawn.size() <= kLargest) record_.board = std::move(drawn);
    } catch (const Error&) {
      record_.board.clear();
    }
  }

  void describe(const ir::Game& game) {
    record_.stats = nlohmann::json::parse(stats::json(stats::collect(game)));
    if (game.graph.edge_count() > kMostDrawn) return;
    drawing::Drawing drawing = drawing::fold(game);
    drawing::lay_out(drawing);
    record_.drawing = drawing::svg(drawing);
  }

  void measure(const ir::Game& game) {
    const std::unique_ptr<Reasoner> reasoner = make_interpreter(game);
    try {
      for (unsigned depth = 1; depth <= options_.perft; ++depth) {
        record_.perft.push_back(reasoner->perft(depth));
        save();
      }
      if (options_.playouts > 0) play_out(*reasoner);
    } catch (const NoSpace&) {
      throw;
    } catch (const Error& e) {  // a game that is improper shows it only when it is played
      record_.unfinished = e.diagnostics().front().message;
      throw;
    }
  }

  // One playout at a time, so that the length of each is known. The numbers depend on the seed alone.
  void play_out(Reasoner& reasoner) {
    PlayoutStats all;
    std::vector<std::uint64_t> lengths;
    for (std::uint64_t i = 0; i < options_.playouts; ++i) {
      const PlayoutStats one = reasoner.playouts({.count = 1, .seed = options_.seed + i});
      lengths.push_back(one.max_length);
      all.merge(one);
    }
    nlohmann::json object = nlohmann::json::parse(play::json(all, reasoner.info()));
    for (const char* timing : {"seconds", "playouts_per_second", "moves_per_second"}) object.erase(timing);
    object["histogram"] = histogram(lengths);
    record_.playouts = std::move(object);
  }

  // At most 40 bars of equal width.
  static nlohmann::json histogram(const std::vector<std::uint64_t>& lengths) {
    constexpr std::uint64_t kBars = 40;
    const auto [low, high] = std::ranges::minmax(lengths);
    const std::uint64_t width = (high - low) / kBars + 1;
    std::vector<std::uint64_t> counts((high - low) / width + 1);
    for (const std::uint64_t length : lengths) ++counts[(length - low) / width];
    return {{"first", low}, {"width", width}, {"counts", counts}};
  }

  void fail(const Error& e) {
    const bool kept = record_.status == Status::converted;  // the conversion stands, playing failed
    std::string text = render(e.diagnostics(), *e.sources());
    if (!text.starts_with(record_.input)) text = record_.input + ": " + text;
    if (kept) {
      record_.unfinished = text;
    } else {
      record_.status = Status::rejected;
      record_.message = text;
    }
    auto list = nlohmann::json::parse(render_json(e.diagnostics(), *e.sources()));
    for (auto& item : list) record_.diagnostics.push_back(std::move(item));
  }

  const Job& job_;
  const Options& options_;
  Record record_;
};

}  // namespace

int convert(const Job& job, const Options& options) { return Worker(job, options).run(); }

std::string output_hash(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (fs::is_regular_file(status)) return content_hash(read_file(path));
  if (!fs::is_directory(status)) return "";
  std::set<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file() && !entry.is_symlink()) files.insert(entry.path());
  }
  std::string all;
  for (const fs::path& file : files)
    all += file.lexically_relative(path).string() + '\0' + content_hash(read_file(file));
  return content_hash(all);
}

}  // namespace rgtrans::batch
