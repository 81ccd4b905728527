// rgtrans solve: the exact value of a position, with a proof.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "backends/search/search.hpp"
#include "cli/engine.hpp"

namespace rgtrans::cli {

namespace {

struct SolveArguments {
  EngineArguments engine;
  search::SolveOptions solve;
  std::uint64_t memory_mib = 2048;
  std::string proof;
  std::string check;
  bool json = false;
};

std::string number(double value) { return fmt::format("{:.10g}", value); }

std::string text(const search::Solution& solution, const GameInfo& info) {
  std::string out;
  if (solution.solved) {
    for (std::size_t p = 0; p < info.players.size(); ++p) {
      out += fmt::format("{}: {}\n", info.players[p], number(solution.values[p]));
    }
    out += fmt::format("method:    {}\n", solution.method);
    std::string line;
    for (const std::string& move : solution.line) line += (line.empty() ? "" : " / ") + move;
    out += fmt::format("best line: {}{}\n", line, solution.repeats ? " / … (positions come back)" : "");
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

int run(SolveArguments options) {
  options.engine.game.files().reads(options.check).writes(options.proof, "--proof");
  const std::unique_ptr<Reasoner> game = options.engine.make();
  if (!options.check.empty()) {
    try {
      write_file("-", search::check_proof(*game, read_file(options.check)));
    } catch (const Error& e) {
      throw Error(fmt::format("{}: {}", options.check, e.what()),
                  "the proof must be checked with the options it was made with");
    }
    return kSuccess;
  }
  options.solve.memory = options.memory_mib << 20U;
  options.solve.proof = !options.proof.empty();
  const search::Solution solution = search::solve(*game, options.solve);
  if (!solution.proof.empty()) {
    nlohmann::ordered_json header;
    header["rgtrans-proof"] = 1;
    header["path"] = options.engine.path;
    write_file(options.proof, header.dump() + "\n" + solution.proof);
  }
  write_file("-", options.json ? json(solution, game->info()) : text(solution, game->info()));
  if (solution.solved && options.solve.proof && solution.proof.empty()) {
    throw Error(fmt::format("{} was not written: {}", options.proof, solution.stopped),
                "give more --seconds or --memory");
  }
  return solution.solved ? kSuccess : kInputProblem;
}

}  // namespace

const Command kSolve = {
    "solve", "the exact value of a small game or a position, with a best line and a proof",
    "rgtrans solve --proof ttt.proof games/hrg/tic-tac-toe.hrg", [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<SolveArguments>();
      options->engine.add_to(app);
      options->engine.symmetries = true;
      add_seconds(app, options->solve.seconds, "");
      app.add_option("--memory", options->memory_mib, "give up beyond so much memory")
          ->between(std::uint64_t{1}, std::uint64_t{1} << 24U)
          ->capture_default_str()
          ->type_name("MiB");
      auto* proof = app.add_option("--proof", options->proof, "write a proof of the value")->type_name("FILE");
      app.add_option("--check", options->check, "verify a proof instead")->excludes(proof)->type_name("PROOF");
      add_json(app, options->json);
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
