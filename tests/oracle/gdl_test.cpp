// The grounder and the network against playouts and joint-move counts that independent provers made.
#include "frontends/gdl/gdl.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "frontends/gdl/machine.hpp"

namespace rgtrans::gdl {
namespace {

namespace fs = std::filesystem;

fs::path shared_folder() {
  if (const char* set = std::getenv("RGTRANS_SHARED")) return set;
  return fs::path(RGTRANS_SOURCE_DIR) / ".." / "shared";
}
bool full() { return std::getenv("RGTRANS_FULL") != nullptr; }

std::uint32_t crc32(std::string_view text) {
  std::uint32_t crc = 0xffffffffU;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int k = 0; k < 8; ++k) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~crc;
}

std::string hash_of(std::vector<std::string> lines) {
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return fmt::format("{:08x}", crc32(text));
}

std::vector<std::string> state_of(const GroundProgram& program, const Machine& machine) {
  std::vector<std::string> facts;
  for (std::uint32_t f = 0; f < program.facts.size(); ++f)
    if (machine.fact(f)) facts.push_back(program.text(program.facts[f]));
  return facts;
}

// Replays one playout; the first difference, or "".
std::string replay(const GroundProgram& program, Machine& machine, const nlohmann::json& trace) {
  machine.set_state(machine.initial());
  const auto& steps = trace["steps"];
  const std::size_t roles = program.roles.size();
  std::vector<std::uint32_t> legal;
  const auto check_state = [&](const nlohmann::json& record, const char* key) {
    if (!record.contains(key)) return true;
    const nlohmann::json& expected = record[key];
    const std::vector<std::string> facts = state_of(program, machine);
    if (!expected.is_array()) return facts.size() == expected.get<std::size_t>();
    return facts.size() == expected[0].get<std::size_t>() && hash_of(facts) == expected[1].get<std::string>();
  };
  for (std::size_t s = 0; s < steps.size(); ++s) {
    if (machine.terminal()) return fmt::format("step {}: terminal too early", s);
    if (!check_state(steps[s], "s")) return fmt::format("step {}: other state", s);
    std::vector<std::uint32_t> joint(roles);
    for (std::uint32_t r = 0; r < roles; ++r) {
      machine.legal(r, legal);
      std::vector<std::string> moves;
      // Where somebody is stuck there is no joint move.
      const bool stuck = !steps[s].contains("move");
      const std::string chosen = stuck ? "" : steps[s]["move"][r].get<std::string>();
      bool found = stuck;
      for (const std::uint32_t m : legal) {
        moves.push_back(program.text(program.moves[m].term));
        if (moves.back() != chosen) continue;
        joint[r] = m;
        found = true;
      }
      if (moves.size() != steps[s]["n"][r].get<std::size_t>() ||
          hash_of(moves) != steps[s]["h"][r].get<std::string>()) {
        return fmt::format("step {}: other legal moves of {}: {} for {}", s, program.text(program.roles[r]),
                           moves.size(), steps[s]["n"][r].get<std::size_t>());
      }
      if (!found) return fmt::format("step {}: {} is not legal", s, chosen);
    }
    if (steps[s].contains("move")) machine.step(joint);
  }
  if (trace["end"] == "terminal") {
    if (!machine.terminal()) return "the last state is not terminal";
    if (!check_state(trace, "final")) return "other last state";
    for (std::uint32_t r = 0; r < roles; ++r) {
      const std::string role = program.text(program.roles[r]);
      if (!trace["goals"].contains(role)) continue;
      const nlohmann::json& expected = trace["goals"][role];
      const std::vector<TermId> goals = machine.goals(r);
      const bool same = expected.is_null()
                            ? goals.size() != 1
                            : goals.size() == 1 && program.text(goals[0]) == std::to_string(expected.get<int>());
      if (!same && !(program.random == r)) return fmt::format("other goal of {}", role);
    }
  }
  return "";
}

// Descriptions that are not safe: what a prover makes of them is an accident of its search.
bool is_unsafe(const std::string& game) {
  return game == "ggpserver/bender_DresdenSinglePlayer1" || game == "ggpserver/bender_DresdenSinglePlayer2" ||
         game == "ggp-base/test_case_3f";
}

std::map<std::string, std::map<unsigned, std::uint64_t>> read_perft(const fs::path& path, std::uint64_t limit) {
  std::map<std::string, std::map<unsigned, std::uint64_t>> result;
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string game, depth, leaves, distinct;
    std::getline(fields, game, '\t');
    std::getline(fields, depth, '\t');
    std::getline(fields, leaves, '\t');
    std::getline(fields, distinct, '\t');
    if (distinct.empty() || std::stoull(distinct) > limit) continue;
    result[game][static_cast<unsigned>(std::stoul(depth))] = std::stoull(leaves);
  }
  return result;
}

std::string compare_perft(const GroundProgram& program, const std::map<unsigned, std::uint64_t>& expected) {
  const JointPerft perft = joint_perft(program, expected.rbegin()->first);
  for (const auto& [depth, leaves] : expected) {
    const std::uint64_t ours = depth < perft.rows.size() ? perft.rows[depth].leaves : 0;
    if (ours != leaves) return fmt::format("perft {}: {} for {}", depth, ours, leaves);
  }
  return "";
}

TEST(GdlOracle, TracesAndJointPerft) {
  const fs::path shared = shared_folder();
  if (!fs::exists(shared / "oracle" / "gdl_traces")) GTEST_SKIP() << "no oracle at " << shared;
  const char* only = std::getenv("RGTRANS_GAME");
  std::map<std::string, std::vector<fs::path>> traces;
  for (const auto& entry : fs::recursive_directory_iterator(shared / "oracle" / "gdl_traces")) {
    if (entry.path().extension() != ".jsonl") continue;
    std::ifstream in(entry.path());
    std::string line;
    if (std::getline(in, line)) traces[nlohmann::json::parse(line)["game"]].push_back(entry.path());
  }
  const auto perft = read_perft(shared / "oracle" / "gdl_perft.tsv", full() ? 20'000 : 300);
  std::size_t compared = 0, playouts = 0, left_out = 0;
  const auto start = std::chrono::steady_clock::now();
  for (const auto& [game, files] : traces) {
    if (only != nullptr && game != only) continue;
    const fs::path path = shared / "corpus" / "gdl" / (game + ".kif");
    if (!fs::exists(path) || is_unsafe(game)) continue;
    auto sources = std::make_shared<Sources>();
    Diagnostics diagnostics(sources);
    GroundOptions options;
    if (!full()) options.max_rules = 60'000;
    const GroundProgram program = ground(sources->add(path.string(), read_file(path)), diagnostics, options);
    if (diagnostics.has_errors()) {
      ++left_out;
      if (full()) std::cout << "left out " << game << ": " << diagnostics.all().back().message << "\n";
      continue;
    }
    const Network network(program);
    Machine machine(program, network);
    ++compared;
    const auto one = std::chrono::steady_clock::now();
    for (const fs::path& file : files) {
      std::ifstream in(file);
      for (std::string line; std::getline(in, line);) {
        const std::string difference = replay(program, machine, nlohmann::json::parse(line));
        ++playouts;
        if (!difference.empty()) {
          ADD_FAILURE() << game << ": " << difference;
          break;
        }
        if (!full()) break;
      }
    }
    if (const auto found = perft.find(game); found != perft.end()) {
      const std::string difference = compare_perft(program, found->second);
      if (!difference.empty()) ADD_FAILURE() << game << ": " << difference;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - one).count();
    if (seconds > 2) std::cout << fmt::format("{}: {:.1f} s\n", game, seconds);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::cout << fmt::format("{} games, {} playouts compared, {} games left out by the limits, {:.1f} s\n", compared,
                           playouts, left_out, seconds);
}

}  // namespace
}  // namespace rgtrans::gdl
