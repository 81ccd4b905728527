// Proofs of exact values.
#pragma once

#include <string>

#include "backends/search/search.hpp"
#include "cli/engine.hpp"

namespace rgtrans::cli {

// Verifies a proof about the position from which the engine starts, by the game as it is written: neither the optimizer
// nor an engine takes part. Prints the proven statement; throws Error if the proof is wrong.
int check_proof(const std::string& file, const EngineArguments& engine, const search::SolveOptions& limits);

}  // namespace rgtrans::cli
