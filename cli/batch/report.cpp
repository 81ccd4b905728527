#include "cli/batch/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "core/support/json_integer.hpp"
#include "core/support/support.hpp"

namespace rgtrans::batch {

namespace {

struct Totals {
  std::array<std::size_t, kStatuses> by_status{};
  std::size_t games = 0;
  std::uint64_t nodes = 0, edges = 0;
  double state = 0;  // a sum may not fit into an integer

  void add(const Record& r) {
    ++games;
    ++by_status[static_cast<std::size_t>(r.status)];
    nodes += integer_at<std::uint64_t>(r.stats, "nodes");
    edges += integer_at<std::uint64_t>(r.stats, "edges");
    state += r.stats.value("state_size", 0.0);
  }
};

// Reasons for which nothing failed get no column.
bool has_column(const Totals& all, std::size_t status) { return status == 0 || all.by_status[status] > 0; }

void row(std::string& text, const std::string& name, const Totals& t, const Totals& all) {
  fmt::format_to(std::back_inserter(text), "{:<12}{:>7}", name, t.games);
  for (std::size_t i = 0; i < kStatuses; ++i) {
    if (has_column(all, i)) fmt::format_to(std::back_inserter(text), "{:>15}", t.by_status[i]);
  }
  fmt::format_to(std::back_inserter(text), "{:>11}{:>11}{:>13.0f}\n", t.nodes, t.edges, t.state);
}

constexpr std::size_t kShownFailures = 20;
constexpr std::size_t kShownConstructs = 40;

// The construct that is the first reason for refusing the game, or "".
std::string missing_in(const Record& r) {
  if (r.status != Status::rejected) return "";
  for (const nlohmann::json& diagnostic : r.diagnostics) {
    if (diagnostic.value("severity", "") == "error") return diagnostic.value("missing", "");
  }
  return "";
}

// Games by the first construct that is not supported, the most frequent one first.
void missing(std::string& text, const std::vector<Record>& records) {
  std::map<std::string, std::vector<const Record*>> games;
  for (const Record& r : records) {
    if (std::string what = missing_in(r); !what.empty()) games[std::move(what)].push_back(&r);
  }
  using Entry = std::pair<std::string, std::vector<const Record*>>;
  std::vector<Entry> entries(games.begin(), games.end());
  std::ranges::stable_sort(entries, std::greater<>{}, [](const Entry& entry) { return entry.second.size(); });
  if (!entries.empty()) text += "\nNot supported, by the first construct of each game:\n";
  const std::size_t all = entries.size();
  entries.resize(std::min(all, kShownConstructs));
  for (const auto& [what, list] : entries) {
    fmt::format_to(std::back_inserter(text), "  {}: {}\n", what,
                   list.size() == 1 ? list.front()->input : fmt::format("{} games", list.size()));
  }
  if (all > kShownConstructs) fmt::format_to(std::back_inserter(text), "  … and {} more\n", all - kShownConstructs);
}

void failures(std::string& text, const std::vector<Record>& records) {
  std::size_t shown = 0, all = 0;
  for (const Record& r : records) {
    const std::string what = r.status != Status::converted ? r.message : r.unfinished;
    if (what.empty() || !missing_in(r).empty()) continue;
    ++all;
    if (++shown > kShownFailures) continue;
    if (shown == 1) text += "\nWhat went wrong:\n";
    const std::string line = first_line(what);
    const bool named = line.starts_with(r.input);
    fmt::format_to(std::back_inserter(text), "  {}{}\n", named ? "" : r.input + ": ", line);
  }
  if (all > kShownFailures)
    fmt::format_to(std::back_inserter(text), "  … and {} more; --report lists them all\n", all - kShownFailures);
}

// A cell of a CSV file (RFC 4180).
std::string cell(std::string text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, 1, '"');
  return "\"" + text + "\"";
}

std::string number(const nlohmann::json& object, const char* key) {
  const auto it = object.find(key);
  return it == object.end() || !it->is_number() ? "" : it->dump();
}

}  // namespace

std::string summary(const std::vector<Record>& records, std::size_t taken_over, double seconds) {
  std::map<std::string, Totals> languages;
  Totals all;
  for (const Record& r : records) {
    languages[r.language.empty() ? "unknown" : r.language].add(r);
    all.add(r);
  }
  std::string text = fmt::format("{:<12}{:>7}", "language", "games");
  for (std::size_t i = 0; i < kStatuses; ++i) {
    if (has_column(all, i)) fmt::format_to(std::back_inserter(text), "{:>15}", name_of(static_cast<Status>(i)));
  }
  text += fmt::format("{:>11}{:>11}{:>13}\n", "nodes", "edges", "state");
  for (const auto& [name, totals] : languages) row(text, name, totals, all);
  if (languages.size() > 1) row(text, "all", all, all);

  std::vector<const Record*> slow;
  for (const Record& r : records) slow.push_back(&r);
  const std::size_t count = std::min<std::size_t>(5, slow.size());
  std::ranges::partial_sort(slow, slow.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>{},
                            &Record::seconds);
  if (count > 0) text += "\nSlowest:\n";
  for (std::size_t i = 0; i < count; ++i) {
    fmt::format_to(std::back_inserter(text), "  {:8.3f} s {:7.0f} MiB  {}\n", slow[i]->seconds,
                   static_cast<double>(slow[i]->peak_memory) / (1 << 20), slow[i]->input);
  }
  missing(text, records);
  failures(text, records);
  fmt::format_to(std::back_inserter(text), "\n{} of {} games converted", all.by_status[0], all.games);
  if (taken_over > 0) fmt::format_to(std::back_inserter(text), " ({} taken over from the last run)", taken_over);
  if (seconds > 0) fmt::format_to(std::back_inserter(text), " in {:.1f} s", seconds);
  return text + "\n";
}

void check_report_name(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension != ".json" && extension != ".csv" && extension != ".html")
    throw WrongUse(fmt::format("--report {}: its name must end in .json, .csv or .html", path.string()));
}

void write_report(const std::filesystem::path& path, const std::vector<Record>& records, const Options& options) {
  const std::string extension = path.extension().string();
  write_file(path, extension == ".json"  ? json_report(records, options)
                   : extension == ".csv" ? csv_report(records, options.times)
                                         : html_report(records, options));
}

std::string json_report(const std::vector<Record>& records, const Options& options) {
  // One game a line, so that reports can be compared and searched by line.
  std::string text = fmt::format("{{\"tool\": \"rgtrans\", \"version\": \"{}\", \"form\": \"{}\", \"games\": [",
                                 RGTRANS_VERSION, options.to);
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::string line = line_of(to_json(records[i], options.times));
    line.pop_back();
    text += (i == 0 ? "\n" : ",\n") + line;
  }
  return text + "\n]}\n";
}

std::string csv_report(const std::vector<Record>& records, bool times) {
  std::string text =
      "input,output,language,status,nodes,edges,variables,state_size,perft,mean_length,mean_branching,message";
  text += times ? ",seconds,cpu_seconds,peak_memory\n" : "\n";
  for (const Record& r : records) {
    const nlohmann::json empty = nlohmann::json::object();
    const auto part = [&](const char* key) { return r.playouts.contains(key) ? r.playouts.at(key) : empty; };
    const std::string message = first_line(r.message.empty() ? r.unfinished : r.message);
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}", cell(r.input), cell(r.output), r.language,
                        name_of(r.status), number(r.stats, "nodes"), number(r.stats, "edges"),
                        number(r.stats, "variables"), number(r.stats, "state_size"), fmt::join(r.perft, " "),
                        number(part("length"), "mean"), number(part("branching"), "mean"), cell(message));
    if (times) text += fmt::format(",{:.4f},{:.4f},{}", r.seconds, r.cpu_seconds, r.peak_memory);
    text += "\n";
  }
  return text;
}

}  // namespace rgtrans::batch
