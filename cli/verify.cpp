// rgtrans verify: checks the certificate of a translation, or the proof of a value.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <memory>
#include <string_view>

#include "backends/rg/rg.hpp"
#include "cli/parts.hpp"
#include "core/certificate/certificate.hpp"
#include "core/recorder/recorder.hpp"

namespace rgtrans::cli {

namespace {

constexpr std::string_view kProof = R"({"rgtrans-proof":)";  // the beginning of one
constexpr int kNotConfirmed = 4;                             // exit code: some pass is not confirmed

struct VerifyArguments {
  std::string path;
  GameArguments game;
  std::string output;
};

// One line for each pass, and the runs that are not confirmed.
std::string text(const certificate::Report& report) {
  struct Row {
    std::size_t runs = 0, confirmed_runs = 0, changes = 0, confirmed = 0;
  };
  std::vector<std::pair<std::string, Row>> rows;
  Row all;
  std::string failures;
  for (std::size_t i = 0; i < report.steps.size(); ++i) {
    const certificate::CertifiedPass& step = report.steps[i];
    auto it = std::ranges::find(rows, step.pass, &std::pair<std::string, Row>::first);
    if (it == rows.end()) it = rows.insert(rows.end(), {step.pass, Row()});
    for (Row* row : {&it->second, &all}) {
      ++row->runs;
      row->changes += step.changes;
      if (!step.verdict.confirmed) continue;
      ++row->confirmed_runs;
      row->confirmed += step.changes;
    }
    if (!step.verdict.confirmed)
      failures += fmt::format("not confirmed: change {}, by {}: {}\n", i + 1, step.pass, step.verdict.reason);
  }
  std::string table =
      fmt::format("{:<22} {:>5} {:>10} {:>8} {:>10}\n", "pass", "runs", "confirmed", "changes", "confirmed");
  const auto print = [&](const std::string& name, const Row& row) {
    table += fmt::format("{:<22} {:>5} {:>10} {:>8} {:>10}\n", name, row.runs, row.confirmed_runs, row.changes,
                         row.confirmed);
  };
  for (const auto& [name, row] : rows) print(name, row);
  print("all", all);
  return table + failures;
}

bool is_proof(const std::string& path) {
  std::array<char, kProof.size()> begin{};
  std::ifstream(path).read(begin.data(), begin.size());
  return std::string_view(begin.data(), begin.size()) == kProof;
}

int run(VerifyArguments& options) {
  FileRoles files;
  files.reads(options.path).writes(options.output, "-o");
  if (!options.game.path.empty()) files.reads(options.game.path);
  if (is_proof(options.path)) {
    if (options.game.path.empty()) throw UsageError("a proof needs the GAME that it is about");
    if (!options.output.empty()) throw UsageError("-o: a proof has no game to write");
    return here(parts().check_proof)(options.path, options.game);
  }
  const certificate::Report report = certificate::verify(read_file(options.path), options.path);
  const auto text_of = [](const ir::Game& game) { return certificate::Writer(game).text(); };
  if (!options.game.path.empty() && text_of(report.first) != text_of(options.game.load()))
    throw Error(fmt::format("{}:2: the certificate is about another game than {}", options.path, options.game.path));
  if (!options.output.empty()) write_file(options.output, rg::print(report.last));
  write_file("-", text(report));
  const bool all =
      std::ranges::all_of(report.steps, [](const certificate::CertifiedPass& s) { return s.verdict.confirmed; });
  return all ? kSuccess : kNotConfirmed;
}

}  // namespace

const Command kVerify = {
    "verify", "check the certificate that translate --certify wrote, or the proof that solve --proof wrote",
    "rgtrans verify chess.cert games/rbg/chess.rbg", [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<VerifyArguments>();
      app.add_option("FILE", options->path, "the certificate or proof")->required()->type_name("");
      app.add_option("GAME", options->game.path, "the game that it should be about")->type_name("");
      add_language_options(app, options->game.language, options->game.frontend);
      app.add_option("-o,--output", options->output, "write the game that the passes made, as RG without pragmas")
          ->type_name("FILE");
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
