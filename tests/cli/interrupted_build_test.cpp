// A build that is ended, however that comes about, leaves no compiler at work and nothing half made.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/cli/run.hpp"

extern char** environ;

namespace rgtrans::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kGame =
    "type Player = { p };\ntype Score = { 0, 100 };\nbegin, a: player = p;\na, b: $ go;\nb, end: player = keeper;\n";

template <class F>
bool soon(F&& condition) {
  for (int i = 0; i < 300; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

// A process that has ended may stay in the table until somebody asks for it.
bool running(pid_t process) {
  const std::string status = read_text("/proc/" + std::to_string(process) + "/stat");
  const std::size_t name = status.rfind(')');
  return name != std::string::npos && name + 2 < status.size() && status[name + 2] != 'Z' && status[name + 2] != 'X';
}

class InterruptedBuild : public testing::TestWithParam<int> {};

TEST_P(InterruptedBuild, EndsTheCompilersAndLeavesNothing) {
  const TemporaryFolder folder;
  const std::string game = folder.file("game.rg", kGame), program = (folder.path() / "program").string();
  // A compiler that starts another process, says who that is, and never ends.
  const std::string compiler =
      folder.file("compiler", "#!/bin/sh\nsleep 600 &\necho $! >> \"$(dirname \"$0\")/started\"\nwait\n");
  ::chmod(compiler.c_str(), 0755);
  const fs::path cache = folder.path() / "cache" / "rgtrans" / "cpp";
  std::vector<std::string> variables = {"CXX=" + compiler, "XDG_CACHE_HOME=" + (folder.path() / "cache").string()};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with("CXX=") && !text.starts_with("XDG_CACHE_HOME=")) variables.emplace_back(text);
  }
  std::vector<std::string> words = {RGTRANS_BINARY, "build", "-o", program, game};
  std::vector<char*> arguments, environment;
  for (std::string& word : words) arguments.push_back(word.data());
  for (std::string& variable : variables) environment.push_back(variable.data());
  arguments.push_back(nullptr), environment.push_back(nullptr);
  pid_t build = 0;
  ASSERT_EQ(::posix_spawn(&build, RGTRANS_BINARY, nullptr, nullptr, arguments.data(), environment.data()), 0);
  const std::string started = (folder.path() / "started").string();
  ASSERT_TRUE(soon([&] { return fs::exists(started) && !read_text(started).empty() && !fs::is_empty(cache); }));
  ::kill(build, GetParam());
  ::waitpid(build, nullptr, 0);
  const pid_t sleeper = std::stoi(read_text(started));
  EXPECT_TRUE(soon([&] { return !running(sleeper); })) << "the compiler goes on";
  EXPECT_TRUE(soon([&] { return fs::is_empty(cache); })) << "its folder stays";
  EXPECT_FALSE(fs::exists(program));
}

// Some parents ignore the ends of children, and that is inherited.
TEST(Build, HearsThatTheCompilerFailsWhateverItsParentIgnores) {
  const TemporaryFolder folder;
  const std::string game = folder.file("game.rg", kGame), compiler = folder.file("compiler", "#!/bin/sh\nexit 1\n");
  ::chmod(compiler.c_str(), 0755);
  const std::string said = (folder.path() / "said").string();
  const pid_t build = start_program(RGTRANS_BINARY, {"build", "-o", (folder.path() / "program").string(), game}, [&] {
    ::signal(SIGCHLD, SIG_IGN);
    ::setenv("CXX", compiler.c_str(), 1);
    ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
    ::dup2(::open(said.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
  });
  int status = 0;
  ::waitpid(build, &status, 0);
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 1);
  EXPECT_NE(read_text(said).find("the compiler failed: "), std::string::npos) << read_text(said);
}

// A test that is killed leaves no program of its own, however long that would run.
TEST(StartedProgram, EndsWithTheTest) {
  const TemporaryFolder folder;
  const std::string started = (folder.path() / "started").string();
  const pid_t test = ::fork();
  if (test == 0) {
    run_program("/bin/sh", {"-c", "echo $$ > " + started + "; exec sleep 600"});
    ::_exit(0);
  }
  const bool begun = soon([&] { return fs::exists(started) && !read_text(started).empty(); });
  ::kill(test, SIGKILL);
  ::waitpid(test, nullptr, 0);
  ASSERT_TRUE(begun);
  const pid_t program = std::stoi(read_text(started));
  EXPECT_TRUE(soon([&] { return !running(program); }));
}

INSTANTIATE_TEST_SUITE_P(Signals, InterruptedBuild, testing::Values(SIGTERM, SIGINT, SIGKILL));

}  // namespace
}  // namespace rgtrans::test
