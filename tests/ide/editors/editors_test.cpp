// The language server in the hands of others: Neovim, and the protocol's own client library in Node, Emacs, Kate, VS
// Code. Each is skipped where it is not installed.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

const std::string kRoot = RGTRANS_SOURCE_DIR;

struct Outcome {
  int code = -1;
  std::string output;
};

Outcome run(const std::string& command) {
  Outcome outcome;
  std::FILE* pipe = ::popen((command + " 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) return outcome;
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) outcome.output.append(buffer, n);
  const int status = ::pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

bool installed(const std::string& program) { return run("command -v " + program).code == 0; }

// A place in which the program is called as users call it, and a home of its own.
std::string surroundings() {
  return "HOME=$(mktemp -d) PATH='" + std::filesystem::path(RGTRANS_BINARY).parent_path().string() +
         "':$PATH RGTRANS=" RGTRANS_BINARY " RGTRANS_SOURCE='" + kRoot + "' timeout 300 ";
}

void run_neovim(const std::string& script) {
  if (!installed("nvim")) GTEST_SKIP() << "nvim is not installed";
  const Outcome outcome = run(surroundings() + "nvim --headless -u NONE -i NONE -n -c 'luafile " + kRoot +
                              "/tests/ide/editors/" + script + "'");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("neovim: all well"), std::string::npos) << outcome.output;
}

TEST(Editors, NeovimOpensEveryGameAndEdits) { run_neovim("neovim.lua"); }
TEST(Editors, NeovimTakesTheConfigurationOfTheManual) { run_neovim("neovim_configuration.lua"); }

TEST(Editors, EmacsTakesTheConfigurationOfTheManual) {
  if (!installed("emacs")) GTEST_SKIP() << "emacs is not installed";
  const Outcome outcome =
      run(surroundings() + "emacs --batch -l '" + kRoot + "/tests/ide/editors/emacs_configuration.el'");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  if (outcome.output.find("there is no eglot") != std::string::npos) GTEST_SKIP() << "eglot is not installed";
  EXPECT_NE(outcome.output.find("emacs: all well"), std::string::npos) << outcome.output;
}

TEST(Editors, KateTakesTheConfigurationOfTheManual) {
  if (!installed("kate")) GTEST_SKIP() << "kate is not installed";
  const Outcome outcome = run(surroundings() + "'" + kRoot + "/tests/ide/editors/kate.sh'");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("kate: all well"), std::string::npos) << outcome.output;
}

TEST(Editors, ClientLibraryOfTheProtocol) {
  if (!installed("node")) GTEST_SKIP() << "node is not installed";
  if (!std::filesystem::exists(kRoot + "/ide/vscode/node_modules/vscode-languageserver-protocol"))
    GTEST_SKIP() << "run npm ci in ide/vscode first";
  const Outcome outcome = run("cd '" + kRoot +
                              "/ide/vscode' && RGTRANS=" RGTRANS_BINARY
                              " timeout 300 node --test test/manifest.test.mjs test/server.test.mjs");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
}

// VSCODE_SERVER names a server of VS Code; the script says where to get one.
TEST(Editors, VisualStudioCodeItself) {
  if (!installed("node")) GTEST_SKIP() << "node is not installed";
  const Outcome outcome =
      run("cd '" + kRoot + "/ide/vscode' && RGTRANS=" RGTRANS_BINARY " timeout 300 node test/host.mjs");
  constexpr int kSkipped = 77;
  if (outcome.code == kSkipped) GTEST_SKIP() << outcome.output;
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("vscode: all well"), std::string::npos) << outcome.output;
}

TEST(Editors, GrammarsColourTheirSamples) {
  const std::string tester = kRoot + "/ide/vscode/node_modules/.bin/vscode-tmgrammar-test";
  if (!installed("node") || !std::filesystem::exists(tester)) GTEST_SKIP() << "run npm ci in ide/vscode first";
  const Outcome outcome = run("cd '" + kRoot + "/ide/vscode' && " + tester + " 'test/grammars/*'");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
}

}  // namespace
