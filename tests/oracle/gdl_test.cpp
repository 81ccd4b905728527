// The grounder and the network against playouts and joint-move counts that independent provers made.
#include "frontends/gdl/gdl.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/gdl/lower/lower.hpp"
#include "frontends/gdl/network/machine.hpp"
#include "tests/support/checksum.hpp"
#include "tests/support/gdl_lock_step.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::gdl {
namespace {

using namespace corpus;

// The games are divided among this many tests, which run in parallel.
constexpr std::size_t kShards = 8;
// Processor seconds of one shard; games beyond it are counted and named.
double budget() {
  if (const char* set = std::getenv("RGTRANS_SECONDS")) return std::atof(set);
  return full() ? 900 : 3;
}

std::vector<std::string> state_of(const GroundProgram& program, const NetworkMachine& machine) {
  std::vector<std::string> facts;
  for (std::uint32_t f = 0; f < program.facts.size(); ++f)
    if (machine.fact(f)) facts.push_back(program.text(program.facts[f]));
  return facts;
}

// Replays one playout; the first difference, or "".
std::string replay(const GroundProgram& program, NetworkMachine& machine, const nlohmann::json& trace) {
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

// If the two engines behind the oracle disagree, the row of the grounder has this mark. The playouts come from the
// other engine, so they are no evidence for goals: game -> goals of the only state.
std::map<std::string, std::string> read_disputed() {
  std::map<std::string, std::string> result;
  for (Row& row : table(shared() / "oracle" / "gdl_perft.tsv"))
    if (row["source"] == "CONFLICT-ground" && row["distinct_states"] == "1") result[row["game"]] = row["goal_sums"];
  return result;
}

std::string goals_of(const GroundProgram& program, const NetworkMachine& machine) {
  std::string text;
  for (std::uint32_t r = 0; r < program.roles.size(); ++r) {
    int sum = 0;
    for (const TermId g : machine.goals(r)) sum += std::stoi(program.text(g));
    text += fmt::format("{}{}", r == 0 ? "" : ",", sum);
  }
  return text;
}

// Descriptions that no grounder of the oracle takes, because a rule is not safe.
std::set<std::string> read_unsafe() {
  std::set<std::string> result;
  for (Row& row : table(shared() / "oracle" / "gdl_ground.tsv"))
    if (row["status"].find("unsafe rule") != std::string::npos) result.insert(row["game"]);
  return result;
}

Counts read_perft(std::uint64_t most_states) {
  Counts result;
  for (Row& row : table(shared() / "oracle" / "gdl_perft.tsv")) {
    if (row["distinct_states"].empty() || std::stoull(row["distinct_states"]) > most_states) continue;
    result[row["game"]][static_cast<unsigned>(std::stoul(row["depth"]))] = std::stoull(row["leaves"]);
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

// Game -> files of playouts.
std::map<std::string, std::vector<fs::path>> read_trace_names(const fs::path& folder) {
  std::map<std::string, std::vector<fs::path>> traces;
  if (!fs::exists(folder)) return traces;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl") continue;
    std::ifstream in(entry.path());
    std::string line;
    if (std::getline(in, line)) traces[nlohmann::json::parse(line)["game"]].push_back(entry.path());
  }
  return traces;
}

// The playouts in some files; outside of full runs only the first of each.
std::vector<nlohmann::json> read_traces(const std::vector<fs::path>& files) {
  std::vector<nlohmann::json> result;
  for (const fs::path& file : files) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      result.push_back(nlohmann::json::parse(line));
      if (!full()) break;
    }
  }
  return result;
}

class GdlOracle : public testing::TestWithParam<std::size_t> {
 protected:
  // The file in RGTRANS_GAME, or the games of this shard, in an order in which small and large ones are mixed.
  std::vector<std::string> games() const {
    const fs::path folder = shared() / "corpus" / "gdl";
    std::vector<std::pair<std::uint32_t, std::string>> all;
    if (!fs::exists(folder)) return {};
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".kif") continue;
      const std::string game = fs::relative(entry.path(), folder).replace_extension().string();
      all.emplace_back(crc32(game), game);
    }
    std::ranges::sort(all);
    const char* const given = std::getenv("RGTRANS_GAME");
    const std::string only = given != nullptr ? fs::relative(given, folder).replace_extension().string() : "";
    std::vector<std::string> result;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (given == nullptr ? i % kShards == GetParam() : GetParam() == 0 && all[i].second == only)
        result.push_back(all[i].second);
    return result;
  }
  bool in_time() { return processor_seconds() - begin_ < budget(); }
  void leave_out(const std::string& game, const std::string& why) {
    ++left_out_;
    if (full()) std::cout << "left out " << game << ": " << why << "\n";
  }
  void report(std::size_t games, std::size_t playouts) const {
    std::cout << fmt::format("{} games, {} playouts compared, {} games left out by the limits, {:.1f} s\n", games,
                             playouts, left_out_, processor_seconds() - begin_);
  }

  double begin_ = processor_seconds();
  std::size_t left_out_ = 0;
};

TEST_P(GdlOracle, TracesAndJointPerft) {
  SKIP_WITHOUT_SHARED();
  const auto traces = read_trace_names(shared() / "oracle" / "gdl_traces");
  const Counts perft = read_perft(full() ? 20'000 : 300);
  const auto disputed = read_disputed();
  const auto unsafe = read_unsafe();
  std::size_t compared = 0, playouts = 0;
  for (const std::string& game : games()) {
    const auto files = traces.find(game);
    if (files == traces.end()) continue;
    if (!in_time()) {
      leave_out(game, "no time");
      continue;
    }
    const fs::path path = shared() / "corpus" / "gdl" / (game + ".kif");
    auto sources = std::make_shared<Sources>();
    Diagnostics diagnostics(sources);
    GroundOptions options;
    if (!full()) options.max_rules = 20'000;
    const std::string source = read_file(path);
    const GroundProgram program = ground(sources->add(path.string(), source), diagnostics, options);
    if (diagnostics.has_errors()) {
      leave_out(game, diagnostics.all().back().message);
      const Diagnostic& first = diagnostics.all().front();
      if (unsafe.contains(game)) {
        EXPECT_TRUE(first.message.find("is not bound by any positive sentence") != std::string::npos &&
                    first.where.known())
            << game << ": " << first.message;
      } else {
        EXPECT_TRUE(diagnostics.all().back().message.find("more than") != std::string::npos)
            << game << ": " << diagnostics.all().back().message;
      }
      continue;
    }
    const Network network(program);
    NetworkMachine machine(program, network);
    ++compared;
    for (nlohmann::json& trace : read_traces(files->second)) {
      if (disputed.contains(game)) trace["goals"] = nlohmann::json::object();
      const std::string difference = replay(program, machine, trace);
      ++playouts;
      if (difference.empty()) continue;
      // The prover of the playouts takes `(terminal)` for another relation than `terminal`; that of the counts does
      // not.
      if (difference.ends_with("terminal too early") && source.find("(terminal)") != std::string::npos) {
        leave_out(game, difference);
        continue;
      }
      ADD_FAILURE() << game << ": " << difference;
      break;
    }
    if (const auto found = disputed.find(game); found != disputed.end()) {
      machine.set_state(machine.initial());
      EXPECT_EQ(goals_of(program, machine), found->second) << game;
    }
    if (const auto found = perft.find(game); found != perft.end()) {
      const std::string difference = compare_perft(program, found->second);
      if (!difference.empty()) ADD_FAILURE() << game << ": " << difference;
    }
  }
  report(compared, playouts);
}

TEST_P(GdlOracle, LoweringInLockStep) {
  SKIP_WITHOUT_SHARED();
  const auto traces = read_trace_names(shared() / "oracle" / "gdl_traces");
  const Counts perft = read_perft(full() ? 20'000 : 300);
  std::size_t compared = 0, playouts = 0;
  for (const std::string& game : games()) {
    if (!in_time()) {
      leave_out(game, "no time");
      continue;
    }
    const double start = processor_seconds();
    const auto seconds = [&] { return processor_seconds() - start; };
    auto sources = std::make_shared<Sources>();
    Diagnostics diagnostics(sources);
    GroundOptions options;
    options.max_rules = full() ? 5'000'000 : 2'000;
    const fs::path path = shared() / "corpus" / "gdl" / (game + ".kif");
    const Sources::File& file = sources->add(path.string(), read_file(path));
    const GroundProgram plain = ground(file, diagnostics, options);
    if (diagnostics.has_errors()) {
      leave_out(game, diagnostics.all().back().message);
      continue;
    }
    options.cone = true;
    const GroundProgram small = ground(file, diagnostics, options);
    LoweredNames names;
    ir::Game rg = lower(small, sources, {}, diagnostics, &names);
    ir::VerifyOptions verify_options;
    verify_options.warnings = false;
    if (!diagnostics.has_errors()) ir::verify(rg, diagnostics, verify_options);
    if (diagnostics.has_errors()) {
      ADD_FAILURE() << game << ": " << render(diagnostics.all(), *sources);
      continue;
    }
    ++compared;
    try {
      LockStep lock(plain, small, names, rg);
      const auto found = traces.find(game);
      if (found != traces.end()) {
        for (const nlohmann::json& trace : read_traces(found->second)) {
          const std::string difference = lock.play(1, 1000, &trace);
          ++playouts;
          if (difference.empty()) continue;
          ADD_FAILURE() << game << ", recorded playout: " << difference;
          break;
        }
      }
      if (const auto leaves = perft.find(game); leaves != perft.end()) {
        const std::string difference = lock.perft(leaves->second, full() ? 1'000'000 : 2'000);
        if (!difference.empty()) ADD_FAILURE() << game << ": " << difference;
      }
      for (unsigned i = 1; i <= (full() ? 10U : 2U) && seconds() < (full() ? 60 : 0.2); ++i) {
        const std::string difference = lock.play(i, full() ? 500 : 40);
        ++playouts;
        if (difference.empty()) continue;
        if (difference.ends_with("stuck")) break;
        ADD_FAILURE() << game << ": " << difference;
        break;
      }
    } catch (const Error& error) {
      ADD_FAILURE() << game << ": " << error.what();
    }
  }
  report(compared, playouts);
}

INSTANTIATE_TEST_SUITE_P(Shard, GdlOracle, testing::Range(std::size_t{0}, kShards));

}  // namespace
}  // namespace rgtrans::gdl
