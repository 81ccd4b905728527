// One run: find the games, skip what is done, keep the workers busy, put results in their place.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <map>
#include <unordered_set>
#include <vector>

#include "cli/batch/batch.hpp"
#include "cli/batch/inputs.hpp"
#include "cli/batch/journal.hpp"
#include "cli/batch/process.hpp"
#include "cli/batch/progress.hpp"
#include "cli/batch/report.hpp"
#include "cli/batch/worker.hpp"
#include "core/support/clock.hpp"
#include "core/support/digest.hpp"
#include "core/support/json_text.hpp"
#include "core/support/limits.hpp"
#include "core/support/pieces.hpp"
#include "core/support/text.hpp"
#include "frontends/ludii/ludii.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::batch {

namespace {

namespace fs = std::filesystem;

// Of this very program: two builds of one version may differ. Without /proc the version has to do.
std::string program_hash() {
  try {
    return content_hash(read_file("/proc/self/exe"));
  } catch (const Error&) {
    return "";
  }
}

// Everything that a result depends on, apart from the text of the game: this very program and its options.
std::string options_key(const Options& options) {
  std::string text =
      fmt::format("{} {}\n{}\n{} {}\n{}\n{} {} {}\n", RGTRANS_VERSION, program_hash(), options.to, options.language,
                  options.level, fmt::join(options.passes, ","), options.perft, options.playouts, options.seed);
  for (const auto& [name, value] : options.frontend.values) text += fmt::format("{}={}\n", name, value);
  for (const Limit* limit : all_limits()) text += fmt::format("{}={}\n", limit->name(), limit->value());
  return content_hash(text);
}

bool in_shard(const std::string& hash, const Options& options) {
  return std::stoull(hash.substr(0, 15), nullptr, 16) % options.shards == options.shard - 1;
}

// Creates the folders of `path` below `top`. A link on the way could lead anywhere and is refused.
void make_folders(const fs::path& top, const fs::path& path) {
  fs::path folder = top;
  for (const fs::path& part : path.lexically_relative(top).parent_path()) {
    folder /= part;
    std::error_code error;
    if (fs::is_symlink(fs::symlink_status(folder, error)))
      throw Error(fmt::format("{} is a link; nothing is written through it", folder.string()));
    fs::create_directory(folder, error);
    if (error) throw Error(fmt::format("cannot create {}: {}", folder.string(), error.message()));
  }
}

// Whether a folder has nothing in it but what such a result has, so that no work of somebody else is lost with it.
bool like_a_result(const fs::path& folder, const fs::path& staged) {
  return std::ranges::all_of(fs::directory_iterator(folder), [&](const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    return entry.is_regular_file() && (name.starts_with("reasoner") || fs::exists(staged / name));
  });
}

constexpr const char* kMakeRoom = "make room on it; the same command with --resume goes on";

// A complete result takes the place of an old one in one step.
void put_in_place(const fs::path& staged, const fs::path& target) {
  if (fs::is_directory(fs::symlink_status(target))) {
    if (!fs::is_directory(staged) || !like_a_result(target, staged))
      throw Error(fmt::format("{} is in the way: a folder with other things in it", target.string()));
    if (::renameat2(AT_FDCWD, staged.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) {
      fs::remove_all(staged);
      return;
    }
    fs::rename(target, staged.string() + ".old");  // a file system that cannot exchange; swept with the staging folder
  }
  std::error_code error;
  fs::rename(staged, target, error);
  if (error.value() == ENOSPC || error.value() == EDQUOT)
    throw NoSpace(fmt::format("cannot write {}: the disk is full", target.string()), kMakeRoom);
  if (error) throw Error(fmt::format("cannot write {}: {}", target.string(), error.message()));
}

// A report must not replace an input, a result, or another report.
void check_reports(const Options& options, std::unordered_set<std::string> taken) {
  for (const fs::path& report : options.reports) {
    const std::string key = file_key(report, STDOUT_FILENO);
    if (!key.empty() && !taken.insert(key).second)
      throw WrongUse(fmt::format("--report {} would overwrite an input, a result or another report", report.string()));
  }
}

// The plan of a run, by name. A game that cannot be converted has the reason as its problem.
std::vector<Planned> plan_of(const Options& options, const fs::path& spool) {
  Collected found = collect(options, spool);
  if (!found.passed_over.empty() && !options.quiet)
    fmt::print(stderr, "passed over {} that --include matches and that look{} like no game, such as {}\n",
               found.passed_over.size() == 1 ? "a file" : fmt::format("{} files", found.passed_over.size()),
               found.passed_over.size() == 1 ? "s" : "", printable(found.passed_over.front()));
  if (found.inputs.empty())
    throw Error("there are no games in the input", "--include names other files than the usual ones");
  std::vector<Planned> plan = plan_names(std::move(found.inputs), options.to);
  std::unordered_set<std::string> taken = std::move(found.files);
  taken.erase("");  // the key of a name that is no file
  for (Planned& p : plan) {
    if (p.input.problem.empty() && taken.contains(file_key(options.output / p.output, STDOUT_FILENO)))
      p.input.problem = "its result would overwrite an input; name another folder with -o";
  }
  for (const Planned& p : plan) taken.insert(file_key(options.output / p.output, STDOUT_FILENO));
  check_reports(options, std::move(taken));
  if (options.shards == 1) return plan;
  std::erase_if(plan, [&](const Planned& p) {
    std::string text = p.output;  // where the content cannot be read
    try {
      if (p.input.problem.empty()) text = read_regular_file(p.input.file);
    } catch (const Error&) {
      text = p.output;
    }
    return !in_shard(content_hash(text), options);
  });
  return plan;
}

class Run {
 public:
  explicit Run(const Options& options) : options_(options), journal_(options), key_(options_key(options)) {}

  Outcome run() {
    try {
      plan_ = plan_of(options_, journal_.spool());
    } catch (const Interrupted&) {
      fmt::print(stderr, "Interrupted while reading the inputs; nothing was converted.\n");
      return Outcome::interrupted;
    }
    Progress progress(plan_.size(), options_.quiet ? ShowProgress::never : options_.progress);
    progress_ = &progress;
    const auto start = Clock::now();
    work();
    progress.clear();
    progress_ = nullptr;
    if (interrupted_) {
      fmt::print(stderr, "Interrupted after {} of {} games; the same command with --resume goes on.\n", records_.size(),
                 plan_.size());
      return Outcome::interrupted;
    }
    journal_.finish();
    const double seconds = seconds_since(start);
    return tell(seconds);
  }

 private:
  void work() {
    Children children;
    std::size_t next = 0;
    while (!interrupted_ && (next < plan_.size() || children.running() > 0)) {
      while (next < plan_.size() && children.running() < options_.jobs && !children.interrupted())
        begin(children, next++);
      if (children.running() == 0 && !children.interrupted()) continue;
      for (const Ended& ended : children.wait(0.2)) finish(ended);
      progress_->tick();
      interrupted_ = children.interrupted();
    }
    children.kill_all();
  }

  // Starts a worker, or settles a game that needs none.
  void begin(Children& children, std::size_t index) {
    const Planned& planned = plan_[index];
    Job& job = jobs_[index];
    job.name = planned.input.name;
    job.output = planned.output;
    std::string problem = planned.input.problem;
    try {
      if (problem.empty()) {
        std::error_code unknown;
        if (const auto size = fs::file_size(planned.input.file, unknown); !unknown)
          check_text_size(planned.input.name, size);
        job.text = read_regular_file(planned.input.file);
      }
    } catch (const Error& e) {
      problem = e.diagnostics().front().message;
    }
    // The name determines the language and appears in messages; the folder of the library does not matter.
    job.key = content_hash(key_ + others_key(job) + fs::path(job.name).filename().string() + '\0' + job.text);
    const Record* known = journal_.find(job.output, job.key);
    if (problem.empty() && options_.resume && up_to_date(known, job.key)) {
      ++taken_over_;
      Record record = *known;
      record.input = job.name;
      keep(record, false);
      jobs_.erase(index);
      return;
    }
    if (!problem.empty()) {
      Record record = blank(job);
      record.status = Status::unreadable;
      record.message = problem;
      settle(std::move(record));
      jobs_.erase(index);
      return;
    }
    const fs::path base = journal_.staging() / std::to_string(index);
    job.staged = base.string() + ".out";
    job.record = base.string() + ".json";
    children.start(index, {options_.timeout, options_.memory}, base.string() + ".log",
                   [this, &job] { return convert(job, options_); });
    std::string().swap(job.text);  // the worker has its copy
  }

  // Of the files with defines that a game of Ludii may use; "" where there are none.
  std::string others_key(const Job& job) {
    try {
      const Frontend& frontend = frontend_for(options_.language, job.name, job.text);
      if (frontend.name != ludii::frontend().name) return "";
      const std::vector<fs::path> files = ludii::other_files(job.name, options_of(frontend, options_.frontend));
      if (files.empty()) return "";
      const auto [known, fresh] = others_.try_emplace(files);
      if (fresh) {
        Digest digest;
        for (const fs::path& file : files) digest.field(file.filename().string()).field(read_regular_file(file));
        known->second = digest.hex();
      }
      return known->second;
    } catch (const Error&) {
      return "";  // the worker will say so
    }
  }

  [[nodiscard]] bool up_to_date(const Record* known, const std::string& key) const {
    if (known == nullptr || known->key != key || known->worth_another_try()) return false;
    // It may have been rejected for being too large.
    if (known->status == Status::rejected &&
        (options_.timeout > known->timeout || options_.memory > known->memory_limit))
      return false;
    return known->status != Status::converted || output_hash(options_.output / known->output) == known->output_hash;
  }

  static Record blank(const Job& job) {
    Record record;
    record.output = job.output;
    record.input = job.name;
    record.key = job.key;
    return record;
  }

  void finish(const Ended& ended) {
    const Job job = std::move(jobs_.at(ended.id));
    jobs_.erase(ended.id);
    Record record = read_record(job);
    record.seconds = ended.seconds;
    record.cpu_seconds = ended.cpu_seconds;
    record.peak_memory = ended.peak_memory;
    if (ended.signal == 0 && ended.code == kNoSpace)
      throw NoSpace(fmt::format("the disk is full: {} was not converted", job.name), kMakeRoom);
    if (ended.signal != 0 || ended.code != 0) explain(record, ended, job);
    try {
      if (record.status == Status::converted) {
        const fs::path target = options_.output / job.output;
        make_folders(options_.output, target);
        put_in_place(job.staged, target);
      }
    } catch (const NoSpace&) {
      throw;
    } catch (const Error& e) {
      record.status = Status::unreadable;
      record.message = e.diagnostics().front().message;
    }
    std::error_code ignored;
    for (const char* extension : {".out", ".json", ".log"})
      fs::remove_all(journal_.staging() / (std::to_string(ended.id) + extension), ignored);
    settle(std::move(record));
  }

  static Record read_record(const Job& job) {
    std::error_code ignored;
    if (!fs::exists(job.record, ignored)) return blank(job);
    try {
      return record_from(nlohmann::json::parse(read_file(job.record)));
    } catch (const nlohmann::json::exception&) {
      return blank(job);
    }
  }

  // A worker that did not reach its end.
  void explain(Record& record, const Ended& ended, const Job& job) const {
    const bool near_limit = ended.peak_memory > options_.memory / 10 * 9;
    Status status = Status::crashed;
    std::string why;
    if (ended.timed_out) {
      status = Status::timed_out;
      why =
          fmt::format("took longer than {:g} s{}", options_.timeout, ended.signal == SIGKILL ? ", mostly waiting" : "");
    } else if (ended.code == kOutOfMemory || (ended.signal != 0 && near_limit)) {
      status = Status::out_of_memory;
      why = fmt::format("needs more than {} MiB", options_.memory >> 20);
    } else if (ended.signal != 0) {
      why = fmt::format("the worker was ended by signal {} ({})", ended.signal, ::strsignal(ended.signal));
    } else {
      why = "the worker gave up";
    }
    if (status == Status::crashed) {
      std::string said = log_of(job);
      if (!said.empty()) why += ": " + said;
    }
    if (record.status == Status::converted) {  // only perft and playouts are missing
      record.unfinished = why;
    } else {
      record.status = status;
      record.message =
          fmt::format("{}: error: {}{}{}", record.input, why, record.message.empty() ? "" : " ", record.message);
    }
  }

  static std::string log_of(const Job& job) {
    constexpr std::size_t kShown = 2000;
    const std::string log = job.record.string().substr(0, job.record.string().size() - 4) + "log";
    try {
      std::string said = read_file(log);
      if (said.size() > kShown) said = said.substr(said.size() - kShown);
      while (!said.empty() && said.back() == '\n') said.pop_back();
      return said;
    } catch (const Error&) {
      return "";
    }
  }

  void settle(Record record) {
    // The result of an earlier run must not remain when the game now fails.
    if (record.status != Status::converted) {
      const Record* known = journal_.find(record.output, record.key);
      const fs::path old = options_.output / record.output;
      if (known != nullptr && known->status == Status::converted && output_hash(old) == known->output_hash) {
        std::error_code ignored;
        fs::remove_all(old, ignored);
      }
    }
    if (record.status != Status::converted) {
      record.timeout = options_.timeout;
      record.memory_limit = options_.memory;
    }
    journal_.append(record);
    keep(record, true);
  }

  void keep(const Record& record, bool fresh) {
    progress_->done(record, fresh);
    records_.push_back(record);
  }

  Outcome tell(double seconds) {
    std::ranges::sort(records_, {}, &Record::output);
    for (const fs::path& report : options_.reports) write_report(report, records_, options_);
    if (!options_.quiet) write_file("-", summary(records_, taken_over_, seconds));
    Outcome outcome = Outcome::all_converted;
    for (const Record& r : records_) {
      if (r.status == Status::converted && r.unfinished.empty()) continue;
      const bool judged = r.status == Status::converted || r.status == Status::rejected;
      outcome = std::max(outcome, judged ? Outcome::some_rejected : Outcome::some_lost);
    }
    return outcome;
  }

  const Options& options_;
  Journal journal_;
  std::string key_;
  std::map<std::vector<fs::path>, std::string> others_;  // keys of other files
  std::vector<Planned> plan_;
  std::map<std::size_t, Job> jobs_;  // being worked on
  std::vector<Record> records_;
  std::size_t taken_over_ = 0;
  bool interrupted_ = false;
  Progress* progress_ = nullptr;
};

// Shows the plan of a run.
void show_plan(const Options& options) {
  const fs::path spool = fs::temp_directory_path() / fmt::format("rgtrans-batch-{}", ::getpid());
  fs::create_directories(spool);
  std::vector<Planned> plan;
  try {
    plan = plan_of(options, spool);
  } catch (...) {
    fs::remove_all(spool);
    throw;
  }
  fs::remove_all(spool);
  std::string text;
  for (const Planned& p : plan)
    text += fmt::format("{} -> {}\n", p.input.name,
                        p.input.problem.empty() ? (options.output / p.output).string() : p.input.problem);
  write_file("-", text);
}

}  // namespace

Outcome run(const Options& options) {
  for (const fs::path& report : options.reports) check_report_name(report);
  if (options.dry_run) {
    show_plan(options);
    return Outcome::all_converted;
  }
  return Run(options).run();
}

Outcome merge(const std::vector<std::string>& reports, const Options& options) {
  std::unordered_set<std::string> read;
  for (const std::string& name : reports) read.insert(file_key(name, STDIN_FILENO));
  for (const fs::path& report : options.reports) check_report_name(report);
  check_reports(options, std::move(read));
  std::map<std::string, Record> games;
  for (const std::string& name : reports) {
    try {
      const auto report = parse_json<nlohmann::json>(read_file(name));
      for (const auto& object : report.at("games")) {
        Record record = record_from(object);
        const auto it = games.find(record.output);
        if (it != games.end() && it->second.status == Status::converted && record.status != Status::converted) continue;
        games[record.output] = std::move(record);
      }
    } catch (const nlohmann::json::exception&) {
      throw Error(fmt::format("{} is no JSON report of rgtrans batch", name), "make one with --report NAME.json");
    }
  }
  std::vector<Record> records;
  Outcome outcome = Outcome::all_converted;
  for (auto& [output, record] : games) {
    if (record.status != Status::converted)
      outcome = std::max(outcome, record.status == Status::rejected ? Outcome::some_rejected : Outcome::some_lost);
    records.push_back(std::move(record));
  }
  for (const fs::path& report : options.reports) write_report(report, records, options);
  if (!options.quiet) write_file("-", summary(records, 0, 0));
  return outcome;
}

}  // namespace rgtrans::batch
