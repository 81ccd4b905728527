// Flags that several commands share: a thing has one name, one check and one meaning in all of them. Names of earlier
// versions are accepted and shown nowhere. A test fails where a command declares one of these by itself;
// docs/commands.md has the table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "core/support/progress_line.hpp"

namespace rgtrans::cli {

struct SharedFlag {
  const char* name;       // "--jobs"
  const char* shorthand;  // "-j", or ""
  const char* old_names;  // "--threads,--parallel", or ""
  const char* value;      // "N", or "" for a flag without a value
  const char* meaning;
};
std::span<const SharedFlag> shared_flags();

// Each adds what a command has to say to the meaning; `detail` may be empty.
Option* add_jobs(OptionSet& app, unsigned& target, const std::string& detail);
// The number of threads for --jobs: 0 is one per core.
unsigned workers(unsigned jobs);
Option* add_count(OptionSet& app, std::uint64_t& target, const std::string& detail);
Option* add_seed(OptionSet& app, std::uint64_t& target, const std::string& detail);
// A seed that players must not guess: it is drawn unless it is given.
Option* add_secret_seed(OptionSet& app, std::uint64_t& target, const std::string& detail);
Option* add_seconds(OptionSet& app, double& target, const std::string& detail, double least = 0.001);
Option* add_timeout(OptionSet& app, double& target, const std::string& detail);
Option* add_max_moves(OptionSet& app, std::uint64_t& target, const std::string& detail);
Option* add_engine(OptionSet& app, std::string& target, const std::vector<std::string>& engines);
Option* add_json(OptionSet& app, bool& target);
// A command that takes seconds makes a ProgressLine of `target`.
Option* add_progress(OptionSet& app, ShowProgress& target);

}  // namespace rgtrans::cli
