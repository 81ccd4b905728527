// Every command in README.md and docs/ is run, page by page, in a scratch copy in which `rgtrans` is the program just
// built.
//
//   ```sh         run by bash; everything must succeed
//   ```console    lines after "$ " are run; the other lines are their expected output. A line "…" matches any lines, a
//                 number with a decimal point matches any such number (times)
//
// A comment before a block can change that:
//   <!-- not run: REASON -->          for commands that install things or run the tests themselves
//   <!-- needs: PROGRAM... -->        only where these are installed; python3:MODULE is a module of Python
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/cli/run.hpp"

namespace rgtrans::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = RGTRANS_SOURCE_DIR;

struct Block {
  std::size_t line = 0;
  std::string kind, text, skipped;
  std::vector<std::string> needs;
};

std::vector<Block> blocks_of(const std::string& page) {
  std::vector<Block> blocks;
  std::istringstream lines(page);
  Block* open = nullptr;
  std::string line, comment;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.starts_with("```")) {
      if (open != nullptr) {
        open = nullptr;
        comment.clear();
        continue;
      }
      Block block;
      block.line = number;
      block.kind = line.substr(3);
      std::smatch match;
      if (std::regex_search(comment, match, std::regex("<!-- not run: (.+) -->"))) block.skipped = match[1];
      if (std::regex_search(comment, match, std::regex("<!-- needs: (.+) -->"))) {
        std::istringstream words(match[1].str());
        for (std::string word; words >> word;) block.needs.push_back(word);
      }
      blocks.push_back(block);
      open = &blocks.back();
    } else if (open != nullptr) {
      open->text += line + "\n";
    } else if (!line.empty()) {
      comment = line;
    }
  }
  return blocks;
}

// "1\t20\t0.003" and "1\t20\t0.001" say the same.
std::string normal(const std::string& text) {
  static const std::regex kTime("[0-9]+\\.[0-9]+"), kBlanks("[ \t]+"), kEnd(" \n");
  return std::regex_replace(std::regex_replace(std::regex_replace(text, kTime, "#"), kBlanks, " "), kEnd, "\n");
}

bool prints(const std::string& expected, const std::string& actual) {
  std::string pattern;
  std::istringstream lines(normal(expected));
  for (std::string line; std::getline(lines, line);) {
    if (line == "…") {
      pattern += "(?:.*\n)*";
      continue;
    }
    static const std::regex kSpecial(R"([.^$|()\[\]{}*+?\\])");
    pattern += std::regex_replace(line, kSpecial, R"(\$&)") + "\n";
  }
  return std::regex_match(normal(actual), std::regex(pattern));
}

class Scratch {
 public:
  Scratch() {
    for (const char* part : {"games", "docs", "examples", "scripts"})
      fs::copy(kRoot / part, root() / part, fs::copy_options::recursive);
    for (const char* file : {"README.md", "mkdocs.yml"}) fs::copy(kRoot / file, root() / file);
    // scripts/rgtrans finds a build that is up to date.
    fs::create_directories(root() / "build");
    fs::create_symlink(RGTRANS_BINARY, root() / "build/rgtrans");
    const fs::path python = fs::path(RGTRANS_BINARY).parent_path() / "python";
    if (fs::exists(python)) fs::create_directory_symlink(python, root() / "build/python");
    std::ofstream(root() / "build/.built-rgtrans");
  }

  [[nodiscard]] fs::path root() const { return folder_.path(); }

  // Standard output and error together.
  Outcome bash(const std::string& script) const {
    const fs::path file = root() / ".block.sh", out = root() / ".block.out";
    std::ofstream(file) << script;
    const std::string command = fmt::format(
        "cd '{0}' && env -u RGTRANS_SHARED PATH='{0}/build:/usr/bin:'\"$PATH\" PYTHONPATH='{0}/build/python' "
        "PYTHONDONTWRITEBYTECODE=1 "
        "XDG_CACHE_HOME='{3}' RGTRANS_BUILD_DIR='{0}/build' bash -e -o pipefail '{1}' >'{2}' 2>&1 </dev/null",
        root().string(), file.string(), out.string(),
        (fs::path(RGTRANS_BINARY).parent_path() / "tests/cache").string());
    Outcome result;
    const int status = std::system(command.c_str());
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    result.out = read_text(out);
    return result;
  }

  [[nodiscard]] bool has(const std::string& program) const {
    if (program.starts_with("python3:")) return bash("python3 -c 'import " + program.substr(8) + "'").code == 0;
    return bash("command -v " + program).code == 0;
  }

 private:
  TemporaryFolder folder_;
};

void run_console(const Scratch& scratch, const Block& block) {
  std::istringstream lines(block.text);
  std::string command, expected;
  const auto check = [&] {
    if (command.empty()) return;
    const Outcome outcome = scratch.bash(command);
    EXPECT_TRUE(prints(expected, outcome.out)) << "$ " << command << "\nprints\n"
                                               << outcome.out << "instead of\n"
                                               << expected;
    expected.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("$ ")) {
      check();
      command = line.substr(2);
    } else {
      expected += line + "\n";
    }
  }
  check();
}

class Commands : public testing::TestWithParam<std::string> {};

TEST_P(Commands, Work) {
  const Scratch scratch;
  std::string missing;
  for (const Block& block : blocks_of(read_text(kRoot / GetParam()))) {
    if (block.kind != "sh" && block.kind != "console") continue;
    SCOPED_TRACE(fmt::format("{}:{}", GetParam(), block.line));
    if (!block.skipped.empty()) continue;
    bool ready = true;
    for (const std::string& program : block.needs) {
      if (scratch.has(program)) continue;
      missing += fmt::format(" {} (line {})", program, block.line);
      ready = false;
    }
    if (!ready) continue;
    if (block.kind == "console") {
      run_console(scratch, block);
    } else {
      const Outcome outcome = scratch.bash(block.text);
      EXPECT_EQ(outcome.code, 0) << block.text << outcome.out;
    }
  }
  if (!missing.empty()) GTEST_SKIP() << "all run but what needs" << missing;
}

std::vector<std::string> pages() {
  std::vector<std::string> result = {"README.md", "games/README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() == ".md") result.push_back(fs::relative(entry.path(), kRoot).string());
  }
  std::ranges::sort(result);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Pages, Commands, testing::ValuesIn(pages()), [](const auto& info) {
  return std::regex_replace(info.param, std::regex("[^A-Za-z0-9]"), "_");
});

// Commands hide in no other form, and few are left out.
TEST(Documentation, CommandsAreInBlocksThatAreRun) {
  std::size_t run = 0, skipped = 0;
  for (const std::string& page : pages()) {
    const std::string text = read_text(kRoot / page);
    for (const Block& block : blocks_of(text)) {
      if (block.kind != "sh" && block.kind != "console") continue;
      // Another test may run a shorter form of a block. Its comment names the file then.
      static const std::regex kElsewhere("python/tests/[a-z_]+\\.py(?= runs it)");
      std::smatch file;
      const bool elsewhere = std::regex_search(block.skipped, file, kElsewhere);
      if (elsewhere) {
        EXPECT_TRUE(fs::exists(kRoot / file.str())) << page;
      }
      (block.skipped.empty() || elsewhere ? run : skipped) += 1;
    }
    static const std::regex kIndented("(^|\n)    (\\$ |rgtrans |scripts/|cmake |ninja |build/|pip |apt)");
    EXPECT_FALSE(std::regex_search(text, kIndented)) << page << " has commands in an indented block";
  }
  EXPECT_GT(run, 20U);
  EXPECT_LE(skipped, 8U);
}

// The anchors of a page's headings: lower case, hyphens for spaces, no punctuation.
std::set<std::string> anchors_of(const std::string& page) {
  std::set<std::string> anchors;
  std::istringstream lines(page);
  bool code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) code = !code;
    if (code || !line.starts_with("#")) continue;
    std::string anchor;
    for (const char c : line.substr(line.find_first_not_of("# "))) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_') {
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      } else if (c == ' ') {
        anchor += '-';
      }
    }
    anchors.insert(anchor);
  }
  return anchors;
}

// [text](place) and the sources of pictures: the file exists, and so does the heading in it.
TEST(Documentation, LinksLeadSomewhere) {
  const std::regex link(R"lit((?:\]\(|src="|srcset=")([^)"#\s]*)(#[^)"\s]*)?[)"])lit");
  std::size_t headings = 0;
  for (const std::string& page : pages()) {
    const std::string text = read_text(kRoot / page);
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      const std::string target = (*it)[1], heading = (*it)[2];
      if (target.find("://") != std::string::npos) continue;
      const fs::path file = target.empty() ? kRoot / page : (kRoot / page).parent_path() / target;
      EXPECT_TRUE(fs::exists(file)) << page << " links to " << target;
      if (heading.empty() || file.extension() != ".md" || !fs::exists(file)) continue;
      ++headings;
      EXPECT_TRUE(anchors_of(read_text(file)).contains(heading.substr(1))) << page << " links to " << target << heading;
    }
  }
  EXPECT_GT(headings, 10U);
}

// A page says what it is for, fits into one sitting, and is in the navigation of the site.
TEST(Documentation, PagesAreShortAndBeginWithTheirUse) {
  constexpr std::size_t kMostBytes = 25'000;
  const std::string navigation = read_text(kRoot / "mkdocs.yml");
  for (const std::string& page : pages()) {
    const std::string text = read_text(kRoot / page);
    EXPECT_LE(text.size(), kMostBytes) << page;
    if (!page.starts_with("docs/")) continue;
    EXPECT_NE(navigation.find(": " + page.substr(5) + "\n"), std::string::npos) << page << " is not in mkdocs.yml";
    EXPECT_TRUE(std::regex_search(text.substr(0, 1200), std::regex("[Aa]fter\\s(reading\\s)?this\\s(page|tutorial)")))
        << page << " does not say what one can do after reading it";
  }
  const std::string readme = read_text(kRoot / "README.md");
  EXPECT_LE(std::ranges::count(readme, '\n'), 120);
}

TEST(Documentation, SiteBuilds) {
  const Scratch scratch;
  if (!scratch.has("mkdocs")) GTEST_SKIP() << "mkdocs is not installed";
  const Outcome outcome = scratch.bash("mkdocs build --strict --site-dir site");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_TRUE(fs::exists(scratch.root() / "site/batch/index.html"));
}

}  // namespace
}  // namespace rgtrans::test
