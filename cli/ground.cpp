// rgtrans ground: a GDL description without variables.
#include <fmt/format.h>

#include <limits>

#include "cli/command.hpp"
#include "frontends/gdl/gdl.hpp"

namespace rgtrans::cli {

namespace {

struct Options {
  std::string path;
  std::string output = "-";
  std::uint64_t max_rules = gdl::GroundOptions{}.max_rules;
  std::uint64_t max_memory_mib = gdl::GroundOptions{}.max_memory >> 20U;
  bool fold_case = false;
};

int run(const Options& options) {
  FileRoles().reads(options.path).writes(options.output, "-o");
  Diagnostics diagnostics;
  const Sources::File& file =
      diagnostics.sources()->add(options.path == "-" ? "<stdin>" : options.path, read_file(options.path));
  gdl::GroundOptions ground_options;
  ground_options.max_rules = options.max_rules;
  ground_options.max_memory = options.max_memory_mib << 20U;
  ground_options.fold_case = options.fold_case;
  const bool terminal = standard_error_is_terminal();
  if (terminal) {
    ground_options.progress = [](std::uint64_t rules) { fmt::print(stderr, "\r\033[K{} ground rules", rules); };
  }
  const gdl::GroundProgram program = gdl::ground(file, diagnostics, ground_options);
  if (terminal) fmt::print(stderr, "\r\033[K");
  diagnostics.throw_if_errors();
  show(diagnostics.all(), *diagnostics.sources(), false);
  std::string text;
  gdl::print_ground(program, [&](std::string_view piece) { text += piece; });
  write_file(options.output, text);
  return kSuccess;
}

}  // namespace

const Command kGround = {
    "ground", "write a GDL description without variables", "rgtrans ground -o ground.kif game.kif",
    [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      app.add_option("FILE", options->path, "the description, or - for standard input")->required()->type_name("");
      app.add_option("-o,--output", options->output, "file to write, by default standard output")->type_name("FILE");
      app.add_option("--max-rules", options->max_rules, "give up after so many ground rules")
          ->between(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max())
          ->capture_default_str()
          ->type_name("N");
      app.add_option("--max-memory", options->max_memory_mib, "give up at so much memory")
          ->between(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max() >> 20U)
          ->capture_default_str()
          ->type_name("MiB");
      app.add_flag("--fold-case", options->fold_case, "upper and lower case are the same");
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
