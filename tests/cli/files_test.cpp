// Files that must survive, whatever the command line says: inputs, other results, files of somebody else; and results
// that must not get lost without a word.
#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>

#include "cli/definition.hpp"
#include "tests/cli/run.hpp"

namespace rgtrans::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kNim =
    "(role a)\n(role b)\n(init (heap 3))\n(init (control a))\n(succ 0 1)\n(succ 1 2)\n(succ 2 3)\n"
    "(<= (legal ?p take) (true (control ?p)))\n(<= (legal a noop) (true (control b)))\n"
    "(<= (legal b noop) (true (control a)))\n(<= (next (heap ?m)) (true (heap ?n)) (succ ?m ?n))\n"
    "(<= (next (control a)) (true (control b)))\n(<= (next (control b)) (true (control a)))\n"
    "(<= terminal (true (heap 0)))\n(<= (goal a 100) (true (control b)))\n(<= (goal b 0) (true (control b)))\n"
    "(<= (goal a 0) (true (control a)))\n(<= (goal b 100) (true (control a)))\n";

// The arguments that a command needs apart from the file.
const std::map<std::string, std::vector<std::string>>& more_arguments() {
  static const std::map<std::string, std::vector<std::string>> kMore = {
      {"perft", {"2"}},
      {"playouts", {"--count", "2"}},
      {"play", {"--watch"}},
      {"batch", {"-q"}},
      {"completion", {}},
      {"match", {"random", "random", "--count", "2"}},
      {"analyze", {"--count", "1", "--simulations", "2"}}};
  return kMore;
}

bool reads_a_file(const cli::CommandText& command) {
  return !command.options.empty() && command.options.front().positional() && command.name != "completion";
}

// Every option of every command that names a file, now and in future.
TEST(Files, NoOptionOverwritesAnInput) {
  const TemporaryFolder folder;
  std::size_t tried = 0;
  for (const cli::CommandText& command : cli::definition()) {
    if (!reads_a_file(command)) continue;
    const bool gdl = command.name == "ground" || command.name == "ggp-host";
    const std::string source = folder.file(gdl ? "mine.kif" : "mine.rg", gdl ? kNim : kCoin);
    const std::string before = read_text(source);
    const std::string hard = (folder.path() / "hard").string(), soft = (folder.path() / "soft").string();
    for (const cli::OptionText& option : command.options) {
      if (option.value != "FILE" && option.value != "NAME") continue;
      for (const std::string& name : option.names) {
        for (const std::string& output : {source, hard, soft}) {
          fs::remove(hard), fs::remove(soft);
          fs::create_hard_link(source, hard), fs::create_symlink(source, soft);
          std::vector<std::string> words = {command.name, source, name, output};
          if (const auto more = more_arguments().find(command.name); more != more_arguments().end())
            words.insert(words.end(), more->second.begin(), more->second.end());
          if (command.name == "batch" || command.name == "rank")
            words.insert(words.end(), {"-o", (folder.path() / "out").string()});
          const Outcome run = run_rgtrans(words);
          ++tried;
          EXPECT_EQ(run.code, 2) << command.name << " " << name << " " << output << "\n" << run.err;
          for (const std::string& file : {source, hard, soft}) EXPECT_EQ(read_text(file), before) << file;
        }
      }
    }
    fs::remove(hard), fs::remove(soft);
  }
  EXPECT_GE(tried, 30U);
}

TEST(Files, StandardStreamsAreFilesToo) {
  const TemporaryFolder folder;
  const std::string source = folder.file("mine.rg", kCoin);
  const Outcome run = run_rgtrans({source}, {}, source.c_str());
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("standard output would overwrite the input"));
  EXPECT_EQ(read_text(source), kCoin);
}

TEST(Files, ResultsDoNotOverwriteEachOther) {
  const TemporaryFolder folder;
  const std::string source = folder.file("mine.rg", kCoin), output = (folder.path() / "out.html").string();
  const Outcome run = run_rgtrans({source, "-o", output, "--html-trace", output});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("would overwrite what --html-trace"));
  EXPECT_FALSE(fs::exists(output));
}

TEST(Files, AReasonerReplacesAnEarlierOneOnly) {
  const TemporaryFolder folder;
  const std::string source = folder.file("mine.rg", kCoin), output = (folder.path() / "project").string();
  fs::create_directory(output);
  std::ofstream(fs::path(output) / "CMakeLists.txt") << "project(mine)\n";
  const Outcome refused = run_rgtrans({source, "--to", "cpp", "-o", output});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("CMakeLists.txt would be overwritten"));
  EXPECT_EQ(read_text(fs::path(output) / "CMakeLists.txt"), "project(mine)\n");
  const std::string fresh = (folder.path() / "fresh").string();
  EXPECT_EQ(run_rgtrans({source, "--to", "cpp", "-o", fresh}).code, 0);
  EXPECT_EQ(run_rgtrans({source, "--to", "cpp", "-O1", "-o", fresh}).code, 0) << "its own files";
}

TEST(Files, BuildReplacesNothingUnasked) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  const std::string source = folder.file("mine.rg", kCoin);
  folder.file("mine", "a diary");
  fs::current_path(folder.path());
  const Outcome run = run_rgtrans({"build", source});
  fs::current_path(before);
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("name the program with -o"));
  EXPECT_EQ(read_text(folder.path() / "mine"), "a diary");
}

TEST(Files, ReportsAndResultsOfABatchSpareItsInputs) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in";
  fs::create_directory(in);
  std::ofstream(in / "coin.rg") << kCoin;
  fs::create_hard_link(in / "coin.rg", folder.path() / "coin.rg");
  // The result would be a name of the input.
  const Outcome linked = run_rgtrans({"batch", (in / "coin.rg").string(), "-o", folder.path().string()});
  EXPECT_EQ(linked.code, 3);
  EXPECT_THAT(linked.out, HasSubstr("its result would overwrite an input"));
  EXPECT_EQ(read_text(folder.path() / "coin.rg"), kCoin);
  const std::string list = folder.file("list.csv", (in / "coin.rg").string() + "\n");
  const std::string out = (folder.path() / "out").string();
  EXPECT_EQ(run_rgtrans({"batch", "@" + list, "-o", out, "--report", list}).code, 2);
  EXPECT_EQ(run_rgtrans({"batch", "--to", "json", in.string(), "-o", out, "--report", out + "/coin.json"}).code, 2);
  const std::string report = (folder.path() / "report.json").string();
  EXPECT_EQ(run_rgtrans({"batch", "-q", in.string(), "-o", out, "--report", report, "--report", report}).code, 2);
  EXPECT_EQ(run_rgtrans({"batch", "-q", in.string(), "-o", out, "--report", report}).code, 0);
  const std::string text = read_text(report);
  EXPECT_EQ(run_rgtrans({"batch", "-q", "--merge", report, "--report", report}).code, 2);
  EXPECT_EQ(read_text(report), text);
}

// Every command, now and in future, reports that its output cannot be written.
// The first message of an editor.
constexpr std::string_view kHello =
    R"({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})";

TEST(Files, AFullDiskIsNoSuccess) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const TemporaryFolder folder;
  const std::string source = folder.file("mine.rg", kCoin), description = folder.file("mine.kif", kNim);
  std::vector<std::vector<std::string>> runs = {
      {"--help"}, {"--version"}, {"perft", source, "2", "--divide"}, {"translate", "--to", "dot", source}};
  for (const cli::CommandText& command : cli::definition()) {
    runs.push_back({command.name, "--help"});
    std::vector<std::string> words = {command.name};
    if (command.name == "completion") words.emplace_back("bash");
    if (reads_a_file(command)) words.push_back(command.name == "ground" ? description : source);
    if (const auto more = more_arguments().find(command.name); more != more_arguments().end())
      words.insert(words.end(), more->second.begin(), more->second.end());
    // One compiles for seconds, the others need other programs; they print as all do.
    if (command.name == "build" || command.name == "rank" || command.name.starts_with("ggp-")) continue;
    if (command.name == "batch") words = {"batch", source, "-o", (folder.path() / "out").string()};
    if (command.name == "verify") {
      words.back() = (folder.path() / "mine.cert").string();
      EXPECT_EQ(run_rgtrans({"--certify", words.back(), source}).code, 0);
    }
    runs.push_back(words);
  }
  for (const std::vector<std::string>& words : runs) {
    const std::string input =
        words[0] == "lsp" ? fmt::format("Content-Length: {}\r\n\r\n{}", kHello.size(), kHello) : "";
    const Outcome run = run_rgtrans(words, input, "/dev/full");
    EXPECT_EQ(run.code, 1) << testing::PrintToString(words);
    EXPECT_THAT(run.err, HasSubstr("cannot write standard output")) << testing::PrintToString(words);
  }
}

}  // namespace
}  // namespace rgtrans::test
