// rgtrans solve: the exact value of a position, with a proof.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "backends/play/play.hpp"
#include "backends/search/search.hpp"
#include "cli/proof.hpp"
#include "cli/watch.hpp"

namespace rgtrans::cli {

namespace {

struct SolveArguments {
  EngineArguments engine;
  search::SolveOptions solve;
  std::uint64_t memory_mib = 2048;
  std::string proof;
  std::string check;
  bool json = false;
  ShowProgress progress = ShowProgress::on_terminal;
};

std::string number(double value) { return fmt::format("{:.10g}", value); }

// The moves of the line as they are shown, keeper's steps that show nothing left out.
std::string best_line(const search::Solution& solution, const Table& table) {
  const scene::Wording wording(table.game);
  const auto reasoner = make_interpreter(table.game);
  for (const std::string& move : table.moves) reasoner->apply(reasoner->find_move(move).value());
  std::string line;
  for (const std::string& move : solution.line) {
    // The line may leave out what keeper does unseen.
    auto index = reasoner->find_move(move);
    while (!index && reasoner->moves_unseen()) {
      reasoner->apply(0);
      index = reasoner->find_move(move);
    }
    const std::string shown = index ? wording.shown(reasoner->move_texts())[*index] : wording.shown({move}).front();
    if (!shown.empty()) line += (line.empty() ? "" : " / ") + shown;
    if (!index) continue;
    reasoner->apply(*index);
  }
  return line;
}

std::string text(const search::Solution& solution, const Table& table) {
  const GameInfo& info = table.reasoner->info();
  std::string out;
  if (solution.solved) {
    for (std::size_t p = 0; p < info.players.size(); ++p) {
      out += fmt::format("{}: {}\n", info.players[p], number(solution.values[p]));
    }
    out += fmt::format("method:    {}\n", solution.method);
    out += fmt::format("best line: {}{}\n", best_line(solution, table),
                       solution.repeats ? " / … (positions come back)" : "");
    if (solution.assumes_sum) {
      out += fmt::format("assumed:   the goals add up to {} at all ends, as at those that were met\n",
                         number(solution.values[0] + solution.values[1]));
    }
  } else {
    out += fmt::format("not solved: {}\n", solution.stopped);
    out += fmt::format("{}: between {} and {}\n", info.players[0], number(solution.low), number(solution.high));
  }
  if (solution.cyclic) {
    out +=
        fmt::format("convention: a play without end counts {} for {}\n", number(solution.cycle_value), info.players[0]);
  }
  return out + fmt::format("positions: {} in {:.2f} s\n", solution.positions, solution.seconds);
}

std::string json(const search::Solution& solution, const GameInfo& info) {
  nlohmann::ordered_json out;
  out["solved"] = solution.solved;
  if (solution.solved) {
    for (std::size_t p = 0; p < info.players.size(); ++p) out["values"][info.players[p]] = solution.values[p];
    out["method"] = solution.method;
    out["line"] = solution.line;
    out["repeats"] = solution.repeats;
    out["assumes_sum"] = solution.assumes_sum;
  } else {
    out["stopped"] = solution.stopped;
    out["low"] = solution.low;
    out["high"] = solution.high;
  }
  out["cyclic"] = solution.cyclic;
  out["endless"] = solution.cycle_value;
  out["positions"] = solution.positions;
  out["seconds"] = solution.seconds;
  return out.dump(2) + "\n";
}

search::SolveOptions limits(const SolveArguments& options) {
  search::SolveOptions out = options.solve;
  out.memory = options.memory_mib << 20U;
  return out;
}

int run(const SolveArguments& options) {
  options.engine.game.files().reads(options.check).writes(options.proof, "--proof");
  if (!options.check.empty()) return check_proof(options.check, options.engine, limits(options));
  const Table table = options.engine.open();
  // Passes that are named one by one may have changed what is on the table.
  const ir::Game written = options.engine.optimizer.passes.empty() ? table.game : options.engine.load();
  search::SolveOptions solve = limits(options);
  solve.written = &written;
  std::optional<FileWriter> file;
  search::ProofRequest request{&written, table.moves, [&](std::string_view text) { file->write(text); }};
  if (!options.proof.empty()) {
    file.emplace(options.proof);
    solve.proof = &request;
  }
  Watch watch(options.progress, "solving");
  solve.following = watch.following();
  const search::Solution solution = search::solve(*table.reasoner, solve);
  watch.clear();
  if (solution.proven) file->finish();
  write_file("-", options.json ? json(solution, table.reasoner->info()) : text(solution, table));
  if (Watch::interrupted()) return kInterrupted;
  if (solution.solved && solve.proof != nullptr && !solution.proven) {
    throw Error(fmt::format("{} was not written: {}", options.proof, solution.stopped),
                solution.stopped.ends_with("is used up") ? "give more --seconds or --memory" : "");
  }
  return solution.solved ? kSuccess : kInputProblem;
}

}  // namespace

const Command kSolve = {
    "solve", "find the exact value of a small game or a position, with a best line and a proof",
    "rgtrans solve --proof ttt.proof games/hrg/tic-tac-toe.hrg", [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<SolveArguments>();
      options->engine.add_to(app);
      options->engine.symmetries = true;
      add_seconds(app, options->solve.seconds, "");
      app.add_option("--memory", options->memory_mib, "give up at so much memory")
          ->between(std::uint64_t{1}, std::uint64_t{1} << 24U)
          ->capture_default_str()
          ->type_name("MiB");
      auto* proof = app.add_option("--proof", options->proof, "write a proof of the value")->type_name("FILE");
      app.add_option("--check", options->check, "verify a proof instead, by the game as it is written")
          ->excludes(proof)
          ->type_name("PROOF");
      add_json(app, options->json);
      add_progress(app, options->progress);
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
