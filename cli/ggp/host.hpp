// Matches of players of the Game Manager protocol, from the host's side.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/rules/rules.hpp"
#include "core/support/following.hpp"

namespace rgtrans::cli::ggp {

using rules::MatchRules;

struct HostOptions {
  std::vector<std::string> players;  // host:port, by role without random
  double start_clock = 10;
  double play_clock = 5;
  double grace = 1;  // for the network
  std::uint64_t seed = 1;
  std::uint64_t most_steps = 1000;
  std::string match_id = "match";
  std::string url;  // of the description, for the record
  // Gets a line for everything that a player does wrong.
  std::function<void(const std::string& line)> log;
  Following following{};  // a match that is stopped is aborted after its step
};

struct HostedStep {
  std::vector<std::string> moves;   // by role
  std::vector<std::string> errors;  // by role: "", "timeout", "illegal …", "connection …"
  std::vector<double> seconds;      // until the answer, by role
  std::int64_t time = 0;            // milliseconds since 1970
};
struct HostedMatch {
  std::vector<std::string> roles;
  std::vector<std::vector<std::string>> states;  // the true facts, from the first state on
  std::vector<HostedStep> steps;
  std::vector<std::string> start_errors;
  std::vector<std::optional<int>> goals;  // by role, when it is completed; none where the rules give none
  bool completed = false;
  std::string id, url;
  double start_clock = 0, play_clock = 0;
};

// The rules as text, for players, and as the host follows them. Players get the text in one line, without comments.
HostedMatch host_match(const std::string& text, const std::shared_ptr<const MatchRules>& rules,
                       const HostOptions& options);
// The record in JSON with the usual keys.
std::string record(const HostedMatch& match);

}  // namespace rgtrans::cli::ggp
