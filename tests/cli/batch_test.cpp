// rgtrans batch from outside: trees and archives, games that are converted again or skipped, limits, locks, shards,
// reports, and the remaining files after a kill.
#include "cli/batch/batch.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "cli/batch/inputs.hpp"
#include "tests/cli/run.hpp"
#include "tests/support/instrumented.hpp"

namespace rgtrans::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const fs::path kGames = fs::path(RGTRANS_SOURCE_DIR) / "games";

// Grounding has 60^7 moves to look at.
// Without variables: the rules as they stand are no work.
std::string endless_game() {
  std::string text = "(role p)\n(init (n 0))\n";
  for (int i = 0; i < 60; ++i) text += "(d " + std::to_string(i) + ")\n";
  return text +
         "(<= (legal p (go ?a ?b ?c ?d ?e ?f ?g)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g))\n"
         "(<= (next (n ?a)) (does p (go ?a ?b ?c ?d ?e ?f ?g)))\n(<= terminal (true (n 59)))\n(goal p 100)\n";
}

void put(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

// Path below the folder -> content, without what the run remembers for itself.
std::map<std::string, std::string> tree(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (entry.is_regular_file() && name.find(".rgtrans-batch") == std::string::npos)
      files[name] = read_text(entry.path());
  }
  return files;
}

std::vector<std::string> names(const fs::path& folder) {
  std::vector<std::string> result;
  for (const auto& [name, text] : tree(folder)) result.push_back(name);
  return result;
}

nlohmann::json report_of(const fs::path& path) { return nlohmann::json::parse(read_text(path)).at("games"); }

struct Entry {
  std::string name, text, link;
};

void write_archive(const fs::path& path, bool zip, const std::vector<Entry>& entries) {
  archive* a = archive_write_new();
  if (zip) {
    archive_write_set_format_zip(a);
  } else {
    archive_write_set_format_pax_restricted(a);
    archive_write_add_filter_gzip(a);
  }
  ASSERT_EQ(archive_write_open_filename(a, path.c_str()), ARCHIVE_OK);
  for (const Entry& e : entries) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, e.name.c_str());
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_filetype(entry, e.link.empty() ? AE_IFREG : AE_IFLNK);
    if (!e.link.empty()) archive_entry_set_symlink(entry, e.link.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(e.text.size()));
    archive_write_header(a, entry);
    archive_write_data(a, e.text.data(), e.text.size());
    archive_entry_free(entry);
  }
  archive_write_free(a);
}

pid_t start(const std::vector<std::string>& words) {
  return start_program(RGTRANS_BINARY, words, [] {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
  });
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::vector<pid_t> children_of(pid_t parent) {
  const std::string p = std::to_string(parent);
  std::ifstream file("/proc/" + p + "/task/" + p + "/children");
  std::vector<pid_t> result;
  for (pid_t child = 0; file >> child;) result.push_back(child);
  return result;
}

TEST(Batch, MirrorsTheTree) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in", out = folder.path() / "out";
  put(in / "coin.rg", kCoin);
  put(in / "deep/er/coin.rg", kCoin);
  put(in / "bad.hrg", "nonsense\n");
  put(in / "notes.txt", "no game");
  put(in / "data.json", "{\"no\": \"game\"}");
  put(in / ".git/coin.rg", kCoin);
  const Outcome run = run_rgtrans({"batch", in, "-o", out, "-j", "2"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.out, HasSubstr("2 of 3 games converted"));
  EXPECT_THAT(run.out, HasSubstr("bad.hrg:2:1: error: "));
  EXPECT_THAT(run.err, HasSubstr("[3/3] "));
  EXPECT_THAT(names(out), ElementsAre("coin.rg", "deep/er/coin.rg"));
  EXPECT_EQ(read_text(out / "coin.rg"), run_rgtrans({in / "coin.rg"}).out);
}

TEST(Batch, WritesOtherForms) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in", out = folder.path() / "out";
  put(in / "coin.rg", kCoin);
  EXPECT_EQ(run_rgtrans({"batch", in, "-o", out, "--to", "json", "-O0"}).code, 0);
  EXPECT_EQ(read_text(out / "coin.json"), run_rgtrans({"--to", "json", "-O0", in / "coin.rg"}).out);
  for (int i = 0; i < 2; ++i) {  // the second time a folder is there already
    EXPECT_EQ(run_rgtrans({"batch", in, "-o", out / "cpp", "--to", "cpp"}).code, 0);
    EXPECT_TRUE(fs::exists(out / "cpp/coin/reasoner.hpp"));
  }
  put(out / "cpp/coin/mine.txt", "not to be lost");
  EXPECT_EQ(run_rgtrans({"batch", in, "-o", out / "cpp", "--to", "cpp"}).code, 3);
  EXPECT_EQ(read_text(out / "cpp/coin/mine.txt"), "not to be lost");
}

TEST(Batch, NamesThatClashKeepTheirExtension) {
  const auto plan = [](const std::vector<std::string>& files, const std::string& form) {
    std::vector<batch::Input> inputs;
    for (const std::string& f : files) inputs.push_back({f, f, f, ""});
    std::vector<std::string> outputs;
    for (const batch::Planned& p : batch::plan_names(inputs, form)) outputs.push_back(p.output);
    return outputs;
  };
  EXPECT_THAT(plan({"a.hrg", "a.rbg", "b.hrg"}, "rg"), ElementsAre("a.hrg.rg", "a.rbg.rg", "b.rg"));
  EXPECT_THAT(plan({"a.hrg", "a.hrg"}, "rg"), ElementsAre("a.hrg.rg", "a.hrg~2.rg"));
  EXPECT_THAT(plan({"a.hrg", "a/b.hrg"}, "cpp"), ElementsAre("a.hrg.cpp", "a/b"));
  EXPECT_THAT(plan({"a.hrg", "a.rg/b.hrg"}, "rg"), ElementsAre("a.hrg.rg", "a.rg/b.rg"));
}

TEST(Batch, PathsStayInside) {
  bool climbs = false;
  EXPECT_EQ(batch::safe_relative("../../etc/passwd", &climbs), "etc/passwd");
  EXPECT_TRUE(climbs);
  EXPECT_EQ(batch::safe_relative("/etc/passwd", &climbs), "etc/passwd");
  EXPECT_TRUE(climbs);
  EXPECT_EQ(batch::safe_relative("a/./b/../c.rg", &climbs), "a/c.rg");
  EXPECT_FALSE(climbs);
  EXPECT_EQ(batch::safe_relative("a\n\xff\\b"), "a___b");
  EXPECT_EQ(batch::safe_relative("spiel\xc3\xa4"), "spiel\xc3\xa4");
}

TEST(Batch, ReadsArchivesAndNothingLeavesTheOutputFolder) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in", out = folder.path() / "x/out";
  fs::create_directories(in / "sub");
  const std::string coin(kCoin);
  write_archive(in / "games.zip", true, {{"a/coin.rg", coin, ""}, {"readme.txt", "text", ""}});
  write_archive(in / "sub/more.tar.gz", false,
                {{"coin.rg", coin, ""},
                 {"../../evil.rg", coin, ""},
                 {"/tmp/rgtrans-evil.rg", coin, ""},
                 {"link.rg", "", "/etc/passwd"}});
  put(in / "broken.zip", "PK\x03\x04 and no more");
  const Outcome run = run_rgtrans({"batch", in, "-o", out, "--report", folder.path() / "r.json"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(names(folder.path() / "x"), ElementsAre("out/games.zip/a/coin.rg", "out/sub/more.tar.gz/coin.rg"));
  EXPECT_FALSE(fs::exists("/tmp/rgtrans-evil.rg"));
  EXPECT_THAT(run.out,
              AllOf(HasSubstr("its path leads out of the archive"), HasSubstr("is a link"), HasSubstr("broken.zip: ")));
  // A single archive is mirrored like a folder.
  EXPECT_EQ(run_rgtrans({"batch", in / "games.zip", "-o", folder.path() / "y"}).code, 0);
  EXPECT_THAT(names(folder.path() / "y"), ElementsAre("a/coin.rg"));
}

TEST(Batch, WritesThroughNoLink) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in", out = folder.path() / "out", elsewhere = folder.path() / "elsewhere";
  put(in / "sub/coin.rg", kCoin);
  fs::create_directories(out);
  fs::create_directories(elsewhere);
  fs::create_directory_symlink(elsewhere, out / "sub");
  const Outcome run = run_rgtrans({"batch", in, "-o", out});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.out, HasSubstr("nothing is written through it"));
  EXPECT_TRUE(fs::is_empty(elsewhere));
}

TEST(Batch, InputsAreSafe) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in";
  put(in / "coin.rg", kCoin);
  EXPECT_EQ(run_rgtrans({"batch", in, "-o", in}).code, 2);
  EXPECT_EQ(run_rgtrans({"batch", in / "coin.rg", "-o", in}).code, 3);
  EXPECT_EQ(read_text(in / "coin.rg"), kCoin);
  // Results inside the input folder are no inputs.
  EXPECT_EQ(run_rgtrans({"batch", in, "-o", in / "out"}).code, 0);
  EXPECT_THAT(run_rgtrans({"batch", in, "-o", in / "out"}).out, HasSubstr("1 of 1 games"));
}

// A pipe that nobody writes to would stop everything.
TEST(Batch, PassesOverPipesAndDevices) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in", out = folder.path() / "out";
  put(in / "coin.rg", kCoin);
  for (const char* name : {"pipe.rg", "pipe.zip"}) ASSERT_EQ(::mkfifo((in / name).c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", in / "zero.rg");
  EXPECT_THAT(run_rgtrans({"batch", in, "-o", out}).out, HasSubstr("1 of 1 games"));
  const Outcome named = run_rgtrans({"batch", in / "pipe.rg", in / "pipe.zip", "/dev/zero", in / "coin.rg", "-o", out});
  EXPECT_EQ(named.code, 3);
  EXPECT_THAT(named.out, HasSubstr("1 of 4 games"));
  EXPECT_THAT(named.err, HasSubstr("is no regular file"));
}

// A disk of 300 kB in a name space of its own.
TEST(Batch, AFullDiskIsNoFaultOfTheGames) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in", disk = folder.path() / "disk";
  fs::create_directory(disk);
  for (int i = 0; i < 40; ++i) {
    put(in / fmt::format("g{}.hrg", i), fmt::format("// {}\n", i) + read_text(kGames / "hrg/tic-tac-toe.hrg"));
  }
  const std::string mount = fmt::format("mount -t tmpfs -o size=300k none '{}'", disk.string());
  if (geteuid() != 0 || run_program("/usr/bin/unshare", {"-m", "/bin/sh", "-c", mount}).code != 0)
    GTEST_SKIP() << "file systems cannot be mounted here";
  const std::string batch = fmt::format("{} && '{}' batch --to cpp '{}' -o '{}/out'; code=$?; ls '{}/out'; exit $code",
                                        mount, RGTRANS_BINARY, in.string(), disk.string(), disk.string());
  const Outcome outcome = run_program("/usr/bin/unshare", {"-m", "/bin/sh", "-c", batch});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("the disk is full"));
  EXPECT_THAT(outcome.err, HasSubstr("--resume"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("crashed")));
  EXPECT_THAT(outcome.err, Not(HasSubstr("gave up")));
}

TEST(Batch, AnArchiveOfThousandsOfEntriesIsUnpackedSoon) {
  const TemporaryFolder folder;
  std::vector<Entry> entries;
  for (int i = 0; i < 3000; ++i)
    entries.push_back({fmt::format("folder{}/game.rg", i % 500), fmt::format("// {}\n", i), ""});
  for (Entry& entry : entries) entry.text += kCoin;
  write_archive(folder.path() / "many.zip", true, entries);
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = run_rgtrans({"batch", "--dry-run", folder.path() / "many.zip", "-o", folder.path() / "out"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 3000);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST(Batch, ListsGlobsAndDryRuns) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in", out = folder.path() / "out";
  for (const char* name : {"one.rg", "two.rg", "old/three.rg", "four.txt"}) put(in / name, kCoin);
  const std::string list =
      folder.file("list", "# games\n" + (in / "one.rg").string() + "\n\n" + (in / "four.txt").string() + "\n");
  EXPECT_THAT(run_rgtrans({"batch", "@" + list, "-o", out, "--dry-run"}).out,
              AllOf(HasSubstr("/in/one.rg\n"), HasSubstr("/in/four.rg\n")));
  EXPECT_FALSE(fs::exists(out));
  EXPECT_EQ(run_rgtrans({"batch", "@-", "-o", out}, (in / "two.rg").string() + "\n").code, 0);
  const auto planned = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"batch", in, "-o", out, "--dry-run"};
    words.insert(words.end(), more.begin(), more.end());
    const std::string text = run_rgtrans(words).out;
    return std::ranges::count(text, '\n');
  };
  EXPECT_EQ(planned({}), 3);
  EXPECT_EQ(planned({"--exclude", "old"}), 2);
  EXPECT_EQ(planned({"--include", "t*.rg"}), 2);
  EXPECT_EQ(planned({"--include", "*.txt", "--include", "one*"}), 2);
  EXPECT_EQ(run_rgtrans({"batch", in, "-o", out, "--include", "nothing"}).code, 1);
  EXPECT_EQ(run_rgtrans({"batch", folder.path() / "none", "-o", out}).code, 3);
  EXPECT_EQ(run_rgtrans({"batch", in}).code, 2);
  EXPECT_EQ(run_rgtrans({"batch", in, "-o", out, "--report", "r.pdf"}).code, 2);
  EXPECT_EQ(run_rgtrans({"batch", in, "-o", out, "--shard", "3/2"}).code, 2);
}

TEST(Batch, ResumesByContent) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in", out = folder.path() / "out";
  for (const char* name : {"one.rg", "two.rg", "three.rg"}) put(in / name, kCoin);
  const auto taken_over = [&](std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"batch", in, "-o", out, "--resume"};
    words.insert(words.end(), more.begin(), more.end());
    const std::string text = run_rgtrans(words).out;
    const std::size_t at = text.find(" taken over");
    return at == std::string::npos ? 0 : text[at - 1] - '0';
  };
  EXPECT_EQ(taken_over(), 0);
  EXPECT_EQ(taken_over(), 3);
  EXPECT_EQ(taken_over({"-O1"}), 0) << "other options";
  EXPECT_EQ(taken_over(), 0);
  put(in / "one.rg", std::string(kCoin) + "// changed\n");
  EXPECT_EQ(taken_over(), 2);
  put(out / "two.rg", "damaged");
  fs::remove(out / "three.rg");
  EXPECT_EQ(taken_over(), 1);
  EXPECT_EQ(read_text(out / "two.rg"), run_rgtrans({in / "two.rg"}).out);
  EXPECT_EQ(read_text(out / "three.rg"), run_rgtrans({in / "three.rg"}).out);
  put(in / "one.rg", "broken");
  EXPECT_EQ(taken_over(), 2);
  EXPECT_FALSE(fs::exists(out / "one.rg")) << "the result of what it was";
  EXPECT_EQ(taken_over(), 3) << "a rejected game is rejected again";
  fs::rename(in, folder.path() / "moved");
  fs::rename(folder.path() / "moved", in);
  EXPECT_EQ(taken_over(), 3);
  EXPECT_EQ(taken_over({"--limit", "rg-nesting=200"}), 0) << "a rejected game may pass other limits";
}

TEST(Batch, ResumesByTheContentOfDefines) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in", out = folder.path() / "out";
  put(in / "lines.lud",
      "(game \"Lines\" (players 2) (equipment { (board (square 3)) (piece \"Disc\" Each) })\n"
      "  (rules (play (move Add (to (sites Empty)))) (\"Win\")))\n");
  const auto convert = [&](const std::string& length, std::vector<std::string> more = {}) {
    put(folder.path() / "def" / "win.def", "(define \"Win\" (end (if (is Line " + length + ") (result Mover Win))))\n");
    std::vector<std::string> words = {"batch", in, "-o", out, "--resume"};
    words.insert(words.end(), more.begin(), more.end());
    return run_rgtrans(words).out.find(" taken over") != std::string::npos ? "" : read_text(out / "lines.rg");
  };
  const std::string three = convert("3");
  EXPECT_THAT(three, HasSubstr("end"));
  EXPECT_EQ(convert("3"), "");
  EXPECT_THAT(convert("2"), testing::AllOf(HasSubstr("end"), testing::Ne(three)));
  const std::string option = "ludii=" + (folder.path() / "def").string();
  EXPECT_EQ(convert("3", {"--option", option}), three);
  EXPECT_EQ(convert("3", {"--option", option}), "");
  EXPECT_NE(convert("2", {"--option", option}), "");
}

TEST(Batch, AGameThatNeverEndsCostsItsOwnTimeOnly) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in", out = folder.path() / "out";
  put(in / "coin.rg", kCoin);
  put(in / "endless.kif", endless_game());
  fs::copy(kGames / "hrg/chess.hrg", in / "chess.hrg");
  const std::vector<std::string> common = {"batch",    in,      "-o", out, "--report", folder.path() / "r.json",
                                           "--option", "ground"};
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), common.begin(), common.end());
    return run_rgtrans(more);
  };
  // Grounding gives up by itself, at the rule; everything else is stopped.
  EXPECT_EQ(run({"--timeout", "4", "--memory", "8000", "--exclude", "chess*"}).code, 1);
  nlohmann::json games = report_of(folder.path() / "r.json");
  EXPECT_EQ(games[0].at("status"), "converted");
  EXPECT_THAT(games[1].at("message"), HasSubstr("endless.kif:63:1: error: grounding takes longer than 2 s"));
  EXPECT_EQ(run({"--option", "max-seconds=1000", "--timeout", "0.5", "--memory", "8000", "--exclude", "chess*"}).code,
            3);
  games = report_of(folder.path() / "r.json");
  EXPECT_EQ(games[1].at("status"), "timed out");
  EXPECT_THAT(games[1].at("message"), HasSubstr("/endless.kif: error: took longer than 0.5 s while reading "));
  EXPECT_THAT(games[1].at("message"), HasSubstr("/endless.kif:63:1: grounding, "));
  EXPECT_LT(games[1].at("cpu_seconds"), 2);
  EXPECT_THAT(names(out), ElementsAre("coin.rg"));
  // A conversion is kept even if the count after it does not end.
  EXPECT_EQ(run({"--timeout", "1", "--perft", "20", "--exclude", "endless*"}).code, 1);
  games = report_of(folder.path() / "r.json");
  EXPECT_EQ(games[0].at("status"), "converted");
  EXPECT_GT(games[0].at("perft").size(), 2U);
  EXPECT_EQ(games[0].at("perft")[2], 8902);
  EXPECT_THAT(games[0].at("unfinished"), HasSubstr("took longer than 1 s"));
  EXPECT_THAT(names(out), ElementsAre("chess.rg", "coin.rg"));
}

TEST(Batch, RulesWithoutEndToTheirInstancesAreLifted) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in", out = folder.path() / "out";
  put(in / "endless.kif", endless_game());
  const Outcome run = run_rgtrans(
      {"batch", in, "-o", out, "--timeout", "30", "--memory", "2000", "--report", folder.path() / "r.json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_LT(report_of(folder.path() / "r.json")[0].at("cpu_seconds"), 15);
}

TEST(Batch, AGameThatNeedsTooMuchMemoryIsToldSo) {
  if (kSanitized) GTEST_SKIP() << "no limit on memory under a sanitizer";
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in", out = folder.path() / "out";
  put(in / "coin.rg", kCoin);
  put(in / "endless.kif", endless_game());
  const auto status = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"batch", in, "-o", out, "--memory", "512", "--report", folder.path() / "r.json",
                               "--option", "ground"});
    run_rgtrans(more);
    return report_of(folder.path() / "r.json")[1];
  };
  EXPECT_THAT(status({})["message"], HasSubstr("error: grounding needs more than 307 MiB"));
  const nlohmann::json hard = status({"--option", "max-memory=100000"});
  EXPECT_EQ(hard["status"], "out of memory");
  EXPECT_THAT(hard["message"], HasSubstr("/endless.kif: error: needs more than 512 MiB while reading"));
  EXPECT_THAT(hard["message"], HasSubstr("/endless.kif:63:1: grounding, "));
}

TEST(Batch, OneRunAtATime) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in", out = folder.path() / "out";
  put(in / "endless.kif", endless_game());
  const pid_t first =
      start({"batch", in, "-o", out, "--option", "max-seconds=1000", "--option", "ground", "--memory", "16000"});
  for (int i = 0; i < 200 * kPatience && children_of(first).empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const Outcome second = run_rgtrans({"batch", in, "-o", out});
  EXPECT_EQ(second.code, 1);
  EXPECT_THAT(second.err, HasSubstr("another batch run (process " + std::to_string(first) + ")"));
  const std::vector<pid_t> workers = children_of(first);
  ASSERT_EQ(workers.size(), 1U);
  kill(first, SIGTERM);
  EXPECT_EQ(wait_for(first), 130);
  EXPECT_EQ(kill(workers[0], 0), -1) << "a worker outlives the run";
}

TEST(Batch, ShardsAddUpAndReportsMerge) {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out", whole = folder.path() / "whole";
  const std::string in = kGames / "hrg";
  const auto report = [&](const std::string& name) { return (folder.path() / name).string(); };
  const std::vector<std::string> common = {"--no-times", "--perft",   "1",       "--playouts",
                                           "3",          "--include", "*o*.hrg", "-q"};
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"batch", in});
    words.insert(words.end(), common.begin(), common.end());
    EXPECT_EQ(run_rgtrans(words).code, 0);
  };
  run({"-o", whole, "--report", report("whole.json"), "--report", report("whole.html"), "--report",
       report("whole.csv")});
  std::vector<std::string> merge = {"batch", "--merge", "-q", "--no-times"};
  std::size_t games = 0;
  for (const char* shard : {"1", "2", "3"}) {
    const std::string name = report(std::string(shard) + ".json");
    run({"-o", out, "--shard", std::string(shard) + "/3", "--report", name});
    games += report_of(name).size();
    merge.push_back(name);
  }
  EXPECT_EQ(tree(out), tree(whole));
  EXPECT_EQ(games, tree(whole).size()) << "no game is in two shards";
  for (const char* kind : {"json", "html", "csv"}) {
    merge.insert(merge.end(), {"--report", report(std::string("merged.") + kind)});
  }
  EXPECT_EQ(run_rgtrans(merge).code, 0);
  for (const char* kind : {"json", "html", "csv"})
    EXPECT_EQ(read_text(report(std::string("merged.") + kind)), read_text(report(std::string("whole.") + kind)))
        << kind;
  EXPECT_EQ(run_rgtrans({"batch", "--merge", report("whole.csv")}).code, 1);
}

// Refused games are grouped by the first construct that is missing; other failures are listed one by one.
TEST(Batch, MissingConstructsAreCounted) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in", out = folder.path() / "out";
  const auto game = [](const std::string& end) {
    return "(game \"G\" (players 2) (equipment { (board (square 3)) (piece \"Disc\" Each) })\n (rules (play (move Add "
           "(to "
           "(sites Empty)))) (end (if " +
           end + " (result Mover Win)))))\n";
  };
  put(in / "line.lud", game("(is Line 3)"));
  put(in / "a.lud", game("(is Wonderful)"));
  put(in / "b.lud", game("(or (is Line 3) (is Wonderful 2))"));
  put(in / "c.lud", game("(is Awful)"));
  put(in / "d.lud", "(game \"G\" (players 2)");
  const Outcome run = run_rgtrans({"batch", in, "-o", out, "--report", (folder.path() / "r.json").string()});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.out, AllOf(HasSubstr("Not supported, by the first construct of each game:\n"
                                       "  is Wonderful: 2 games\n  is Awful: "),
                             HasSubstr("What went wrong:\n"), HasSubstr("d.lud:1:1: error: `(game` is not closed"),
                             HasSubstr("1 of 5 games converted")));
  EXPECT_THAT(run.out.substr(run.out.find("What went wrong")), Not(HasSubstr("a.lud")));
  EXPECT_EQ(report_of(folder.path() / "r.json")[0]["diagnostics"][0]["missing"], "is Wonderful");
}

TEST(Batch, ReportsSayEverything) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in", out = folder.path() / "out";
  put(in / "coin.rg", kCoin);
  put(in / "bad, or \"worse\".hrg", "domain Player = a | b\n</script><script>alert(1)</script>\n");
  fs::copy(kGames / "hrg/chess.hrg", in / "chess.hrg");
  const auto report = [&](const char* name) { return (folder.path() / name).string(); };
  run_rgtrans({"batch", in, "-o", out, "--perft", "2", "--playouts", "5", "--report", report("r.json"), "--report",
               report("r.csv"), "--report", report("r.html")});
  const nlohmann::json games = report_of(report("r.json"));
  ASSERT_EQ(games.size(), 3U);
  EXPECT_EQ(games[0]["diagnostics"][0]["line"], 2);
  EXPECT_EQ(games[1]["perft"], nlohmann::json({20, 400}));
  EXPECT_GT(games[1]["stats"]["edges"], 500);
  EXPECT_FALSE(games[1].contains("drawing")) << "too large";
  EXPECT_EQ(games[2]["playouts"]["playouts"], 5);
  EXPECT_EQ(games[2]["playouts"]["histogram"], nlohmann::json::parse(R"({"first": 1, "width": 1, "counts": [5]})"));
  EXPECT_THAT(games[2]["drawing"].get<std::string>(), testing::StartsWith("<svg "));
  EXPECT_THAT(games[1]["board"].get<std::string>(), AllOf(testing::StartsWith("<svg "), HasSubstr("S(5,1)")));
  EXPECT_FALSE(games[2].contains("board")) << "there is none";
  const std::string csv = read_text(report("r.csv"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 4);
  EXPECT_THAT(csv, HasSubstr("bad, or \"\"worse\"\".hrg\","));
  const std::string html = read_text(report("r.html"));
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, Not(HasSubstr(" src=")));
  EXPECT_THAT(html, Not(HasSubstr("https:")));

  if (std::system("command -v node >/dev/null 2>&1") != 0) GTEST_SKIP() << "all but the script of the page: no node";
  const std::string script = std::string(RGTRANS_SOURCE_DIR) + "/tests/cli/report_page.js";
  const std::string shown = (folder.path() / "shown").string();
  EXPECT_EQ(std::system(("node " + script + " " + report("r.html") + " chess >" + shown + " 2>&1").c_str()), 0);
  EXPECT_EQ(read_text(shown), "3 of 3 games; 1 of 3 games\n");
}

// Whatever dies and whenever: going on gives what an undisturbed run gives.
TEST(Batch, SurvivesBeingKilledAtAnyMoment) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in", whole = folder.path() / "whole";
  for (const char* name : {"breakthrough", "connect-four", "hex", "kuhn-poker", "nim", "tic-tac-toe", "clobber"})
    fs::copy(kGames / "hrg" / (std::string(name) + ".hrg"), fs::path(folder.file(name, "")).replace_extension(".tmp"));
  fs::create_directories(in / "archive");
  std::vector<Entry> packed;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    if (entry.path().extension() != ".tmp") continue;
    fs::copy(entry.path(), in / entry.path().filename().replace_extension(".hrg"));
    packed.push_back({entry.path().stem().string() + ".hrg", read_text(entry.path()), ""});
  }
  std::ranges::sort(packed, {}, &Entry::name);
  write_archive(in / "archive/packed.tar.gz", false, packed);
  put(in / "bad.hrg", "nonsense\n");

  const auto words = [&](const fs::path& out, bool resume) {
    std::vector<std::string> result = {
        "batch", in, "-o", out, "-j", "2", "--playouts", "40", "--no-times", "--report", out.string() + ".json"};
    if (resume) result.emplace_back("--resume");
    return result;
  };
  const auto started = std::chrono::steady_clock::now();
  EXPECT_EQ(wait_for(start(words(whole, false))), 1);
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - started);
  const auto expected = tree(whole);
  const std::string expected_report = read_text(whole.string() + ".json");
  ASSERT_EQ(expected.size(), 14U);

  std::mt19937 random(20);
  int worker_kills = 0, parent_kills = 0;
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    const fs::path out = folder.path() / ("out" + std::to_string(round));
    const pid_t run = start(words(out, false));
    std::this_thread::sleep_for(took * std::uniform_int_distribution<>(0, 1000)(random) / 1000);
    const std::vector<pid_t> workers = children_of(run);
    // A worker may have ended since it was found: then it is the whole run that dies.
    const pid_t worker = round % 2 == 0 && !workers.empty() ? workers[random() % workers.size()] : 0;
    if (worker != 0 && kill(worker, SIGKILL) == 0) {
      ++worker_kills;
    } else {
      parent_kills += kill(run, SIGKILL) == 0;
    }
    wait_for(run);
    EXPECT_EQ(wait_for(start(words(out, true))), 1);
    EXPECT_TRUE(tree(out) == expected) << "round " << round;
    EXPECT_EQ(read_text(out.string() + ".json"), expected_report) << "round " << round;
    EXPECT_FALSE(fs::exists(out / ".rgtrans-batch/staging"));
    fs::remove_all(out);
  }
  EXPECT_EQ(parent_kills + worker_kills, kRounds);
}

// Two workers of a cluster on one folder, one of them killed in the middle and started again.
TEST(Batch, AKilledShardLosesNothingAndRepeatsNothing) {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out", whole = folder.path() / "whole";
  const std::string in = kGames / "hrg";
  const auto words = [&](const fs::path& to, const std::string& shard) {
    std::vector<std::string> result = {"batch", in, "-o", to, "--playouts", "2", "--resume", "--include", "*e*.hrg"};
    if (!shard.empty()) result.insert(result.end(), {"--shard", shard});
    return result;
  };
  EXPECT_EQ(wait_for(start(words(whole, ""))), 0);
  const pid_t first = start(words(out, "1/2")), second = start(words(out, "2/2"));
  const auto finished = [&] {  // lines of the journal of the second shard
    const fs::path journal = out / ".rgtrans-batch/shard-2-of-2/journal.jsonl";
    return fs::exists(journal) ? std::ranges::count(read_text(journal), '\n') : 0;
  };
  while (finished() < 2 && kill(second, 0) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(second, SIGKILL);
  wait_for(second);
  const auto done = finished();
  EXPECT_EQ(wait_for(first), 0);
  const Outcome again = run_rgtrans(words(out, "2/2"));
  EXPECT_EQ(again.code, 0);
  EXPECT_THAT(again.out, HasSubstr("(" + std::to_string(done) + " taken over from the last run)"));
  EXPECT_TRUE(tree(out) == tree(whole));
}

}  // namespace
}  // namespace rgtrans::test
