// rgtrans batch: whole libraries of games. The work is in cli/batch; this turns arguments into its options.
#include "cli/batch/batch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>

#include "cli/command.hpp"
#include "cli/emit.hpp"

namespace rgtrans::cli {

namespace {

constexpr int kSomeLost = 3;  // a game crashed, took too long or too much memory, or could not be read

struct Arguments {
  batch::Options options;
  std::string shard;
  unsigned jobs = 1;
  std::uint64_t memory = 0;  // MiB; 0: see usual_memory()
  bool merge = false, no_times = false;
};

void read_shard(const std::string& text, batch::Options& options) {
  const char* end = text.data() + text.size();
  const auto [slash, first] = std::from_chars(text.data(), end, options.shard);
  if (first == std::errc{} && slash != end && *slash == '/') {
    const auto [rest, second] = std::from_chars(slash + 1, end, options.shards);
    if (second == std::errc{} && rest == end && options.shard >= 1 && options.shard <= options.shards) return;
  }
  throw UsageError(fmt::format("--shard {}: write it as I/N with I from 1 to N, such as 2/8", text));
}

// Three quarters of the memory of this machine, divided among the jobs.
std::uint64_t usual_memory(unsigned jobs) {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return std::max<std::uint64_t>(pages * page / 4 * 3 / jobs, 512ULL << 20);
}

int run(Arguments& arguments) {
  batch::Options& options = arguments.options;
  options.times = !arguments.no_times;
  options.jobs = workers(arguments.jobs);
  options.memory = arguments.memory > 0 ? arguments.memory << 20 : usual_memory(options.jobs);
  if (!arguments.shard.empty()) read_shard(arguments.shard, options);
  batch::Outcome outcome{};
  try {
    if (arguments.merge) {
      if (!options.output.empty()) throw UsageError("--merge writes reports only: name them with --report, without -o");
      outcome = batch::merge(options.inputs, options);
    } else {
      if (options.output.empty()) throw UsageError("name the output folder with -o");
      outcome = batch::run(options);
    }
  } catch (const batch::WrongUse& e) {
    throw UsageError(e.what());
  }
  switch (outcome) {
    case batch::Outcome::all_converted:
      return kSuccess;
    case batch::Outcome::some_rejected:
      return kInputProblem;
    case batch::Outcome::some_lost:
      return kSomeLost;
    case batch::Outcome::interrupted:
      return kInterrupted;
  }
  return kSuccess;
}

void add_what(OptionSet& app, Arguments& a) {
  batch::Options& o = a.options;
  app.add_option("INPUT", o.inputs,
                 "folders, archives (.zip, .tar.*, .7z), games, or @FILE with a path a line; @- reads the list from "
                 "standard input")
      ->required()
      ->type_name("");
  app.add_option("-o,--output", o.output, "the folder to write to; it mirrors the tree of the inputs")
      ->type_name("FOLDER");
  std::vector<std::string> forms = emitter_names();
  forms.emplace_back("cpp");
  app.add_option("--to", o.to, fmt::format("what to write: {}", fmt::join(forms, ", ")))
      ->one_of(forms)
      ->capture_default_str()
      ->type_name("FORM");
  add_language_options(app, o.language, o.frontend);
  app.add_option("-O", o.level, "optimize: 0 nothing, 1 cheap and readable, 2 everything that is safe")
      ->between(0, 2)
      ->capture_default_str()
      ->type_name("LEVEL");
  add_passes_option(app, o.passes);
  app.add_option("--include", o.include,
                 "convert only files whose path or part of it matches; then any extension counts, if the text looks "
                 "like a game")
      ->type_name("GLOB");
  app.add_option("--exclude", o.exclude, "skip files and folders that match")->type_name("GLOB");
  app.add_option("--perft", o.perft, "also count the positions after 1 to D moves")->between(0U, 1000U)->type_name("D");
  app.add_option("--playouts", o.playouts, "also play each game at random so many times")->type_name("N");
  add_seed(app, o.seed, "of the playouts");
}

void add_how(OptionSet& app, Arguments& a) {
  batch::Options& o = a.options;
  add_jobs(app, a.jobs, "games");
  add_timeout(app, o.timeout, "processor time for one game");
  app.add_option("--memory", a.memory, "memory for one game, by default its share of three quarters of the machine's")
      ->between(std::uint64_t{64}, std::uint64_t{1} << 24)
      ->type_name("MB");
  app.add_flag("--resume", o.resume,
               "skip games that are up to date: same game, options and rgtrans, result unchanged");
  app.add_option("--shard", a.shard, "convert only the I-th of N parts, divided by content")->type_name("I/N");
  app.add_option("--report", o.reports, "also write a report; its name ends in .json, .csv or .html")
      ->type_name("FILE");
  app.add_flag("--no-times", a.no_times, "write no times into the reports, so that equal runs give equal reports");
  app.add_flag("--merge", a.merge, "merge JSON reports, which are the inputs, into one");
  app.add_flag("--dry-run", o.dry_run, "show the files that would be written, and write none");
  app.add_flag("-q,--quiet", o.quiet, "print no progress and no summary");
  add_progress(app, o.progress);
}

}  // namespace

const Command kBatch = {"batch", "convert whole libraries of games",
                        "rgtrans batch -j 0 --resume --report games.html -o converted games",
                        [](OptionSet& app) -> std::function<int()> {
                          auto arguments = std::make_shared<Arguments>();
                          add_what(app, *arguments);
                          add_how(app, *arguments);
                          return [arguments] { return run(*arguments); };
                        }};

}  // namespace rgtrans::cli
