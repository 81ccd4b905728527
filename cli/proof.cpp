#include "cli/proof.hpp"

#include <fmt/format.h>

#include "backends/interpreter/interpreter.hpp"
#include "core/support/pieces.hpp"

namespace rgtrans::cli {

int check_proof(const std::string& file, const EngineArguments& engine, const search::SolveOptions& limits) {
  const ir::Game written = engine.load();
  std::vector<std::string> path;
  if (!engine.at_start()) path = engine.go_to_start(*make_interpreter(written), written);
  const search::ProofChecker checker(written, std::move(path));
  FileLines lines(file);
  std::string confirmed;
  try {
    confirmed = checker.check(lines, limits);
  } catch (const Error& e) {
    const std::string hint = e.diagnostics().empty() ? "" : e.diagnostics()[0].hint;
    throw Error(fmt::format("{}: {}", file, e.what()), hint);
  }
  write_file("-", confirmed);
  return kSuccess;
}

}  // namespace rgtrans::cli
