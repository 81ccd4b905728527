#include "ide/workbench/game.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backends/interpreter/interpreter.hpp"
#include "backends/play/play.hpp"
#include "ide/workbench/host.hpp"

namespace rgtrans::ide {

std::string Host::read(const std::string& name) const { throw Error(fmt::format("there is no folder with {}", name)); }
void Host::write(const std::string& name, std::string_view /*text*/) const {
  throw Error(fmt::format("there is no folder for {}", name));
}
std::unique_ptr<Reasoner> Host::compile(const ir::Game& /*game*/, const Stop& /*stop*/) const {
  throw Error("there is no compiler here");
}
std::unique_ptr<Reasoner> Host::compiled(const GamePointer& /*game*/) const { return nullptr; }

OpenedGame::OpenedGame(std::string name, std::shared_ptr<const ir::Game> written, passes::OptimizeOptions options,
                       std::shared_ptr<const ir::Game> base)
    : name_(std::move(name)),
      written_(std::move(written)),
      base_(std::move(base)),
      hides_(ir::hides_moves(*written_)),
      options_(std::move(options)) {}

template <class T, class Make>
const T& OpenedGame::once(std::unique_ptr<const T>& kept, Make make) const {
  const std::lock_guard lock(mutex_);
  if (kept == nullptr) kept = make();
  return *kept;
}

namespace {

std::unique_ptr<const ir::Game> optimized_copy(const ir::Game& written, const passes::OptimizeOptions& options) {
  auto game = std::make_unique<ir::Game>(written);
  passes::optimize(*game, options);
  return game;
}

}  // namespace

const ir::Game& OpenedGame::optimized() const {
  return once(optimized_, [&] { return optimized_copy(*written_, options_); });
}

const ir::Game& OpenedGame::at_level(int level) const {
  if (level == options_.level && !options_.passes) return optimized();
  const std::lock_guard lock(mutex_);
  return once(levels_[level], [&] { return optimized_copy(*written_, {.level = level}); });
}

const ir::Game& OpenedGame::form(const WhichGame& which, int standard) const {
  if (which.optimized && !which.level) return optimized();
  const int level = which.level.value_or(standard);
  return level == 0 ? written() : at_level(level);
}

const scene::Painter& OpenedGame::painter() const {
  return once(painter_, [&] { return std::make_unique<scene::Painter>(base_ == nullptr ? shown() : *base_); });
}

const scene::Wording& OpenedGame::wording() const {
  return once(wording_, [&] { return std::make_unique<scene::Wording>(written()); });
}

std::unique_ptr<Reasoner> OpenedGame::start() const {
  return once(start_, [&] { return make_interpreter(optimized()); }).clone();
}

std::unique_ptr<Reasoner> OpenedGame::position(const PlayPath& path) const {
  auto reasoner = start();
  follow(*reasoner, moves_of(path));
  return reasoner;
}

std::vector<std::string> OpenedGame::moves_of(const PlayPath& path) const {
  const auto* const text = std::get_if<std::string>(&path);
  if (text == nullptr) return std::get<std::vector<std::string>>(path);
  if (text->empty()) return {};
  const auto reasoner = start();
  std::vector<std::string> moves = play::go_to(*reasoner, *text, wording());
  reasoner->reset();
  std::erase_if(moves, [&](const std::string& move) {
    const bool unseen = reasoner->moves_unseen();
    reasoner->apply(index_of(*reasoner, move));
    return unseen;
  });
  return moves;
}

// --- Opening. ---

passes::OptimizeOptions options_of(const OptimizerSettings& settings) {
  passes::OptimizeOptions options;
  options.level = settings.level;
  options.passes = settings.passes;
  for (const std::string& name : settings.passes.value_or(std::vector<std::string>())) {
    if (passes::find_pass(name) == nullptr) throw Error(fmt::format("there is no pass {}", name));
  }
  return options;
}

DocumentPointer open_document(const OpenRequest& request) {
  const Frontend& language = frontend_for(request.language, request.name, request.text);
  Diagnostics diagnostics;
  FrontendOptions options;
  options.values[std::string(kMaxSecondsOption)] = "60";
  ir::Game game = load_text(request.name, request.text, language, diagnostics, options_of(language, options), true);
  auto written = std::make_shared<const ir::Game>(std::move(game));
  std::shared_ptr<const ir::Game> base;
  if (request.setup) {
    base = written;
    written = std::make_shared<const ir::Game>(set_up(*base, *request.setup));
  }
  const auto opened = std::make_shared<const OpenedGame>(request.name, written, options_of(request), base);
  return std::make_shared<Document>(Document{request.name, request.text, &language, [opened] { return opened; }});
}

// --- Places and mistakes. ---

std::optional<TextPlace> place_of(const Sources& sources, Range range) {
  if (!range.known()) return std::nullopt;
  const LineColumn begin = sources.position(range.begin);
  const LineColumn end = sources.position(std::max(range.begin, range.end));
  return TextPlace{begin.line, begin.column, end.line, end.column};
}

std::vector<Complaint> complaints_of(std::span<const Diagnostic> diagnostics, const Sources* sources) {
  std::vector<Complaint> list;
  for (const Diagnostic& diagnostic : diagnostics) {
    list.push_back({diagnostic.message, diagnostic.hint,
                    diagnostic.severity == Severity::error ? ComplaintGrade::error : ComplaintGrade::warning,
                    sources == nullptr ? std::nullopt : place_of(*sources, diagnostic.where)});
  }
  return list;
}

std::vector<Complaint> complaints_of(const Error& error) {
  std::vector<Complaint> list = complaints_of(error.diagnostics(), error.sources().get());
  if (list.empty()) list.push_back({error.what(), "", ComplaintGrade::error, std::nullopt});
  return list;
}

// --- Paths. ---

std::size_t index_of(Reasoner& reasoner, const std::string& move) {
  if (const auto index = reasoner.find_move(move)) return *index;
  throw Error(fmt::format("'{}' is no move here", move));
}

void follow(Reasoner& reasoner, const std::vector<std::string>& moves) {
  const auto settle = [&] {
    for (std::size_t i = 0; i < kMostAlone && reasoner.moves_unseen(); ++i) reasoner.apply(0);
  };
  settle();
  for (const std::string& move : moves) {
    reasoner.apply(index_of(reasoner, move));
    settle();
  }
}

}  // namespace rgtrans::ide
