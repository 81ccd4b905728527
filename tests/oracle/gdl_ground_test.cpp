// Reading, formatting and instantiating the corpus: the formatted text is the same description, and the facts and moves
// that may come up are as many as an independent grounder found.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/ground/grounder.hpp"
#include "frontends/gdl/syntax/format.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::gdl {
namespace {

using namespace corpus;

std::vector<fs::path> corpus_files() {
  std::vector<fs::path> files;
  const fs::path folder = shared() / "corpus" / "gdl";
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".kif") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

// A tree as text: structure and words, without layout.
void write(const Tree& tree, const Symbols& symbols, const Node& node, std::string& out) {
  if (node.kind != Node::Kind::list) {
    out += node.kind == Node::Kind::variable ? "?" : "";
    out += symbols.text(node.symbol);
    return;
  }
  out += '(';
  for (const Node& element : tree.elements(node)) {
    write(tree, symbols, element, out);
    out += ' ';
  }
  out += ')';
}

std::string tree_of(const std::string& text, Diagnostics& diagnostics) {
  Symbols symbols;
  const Tree tree = read_tree(diagnostics.sources()->add("game.kif", text), symbols, diagnostics, false);
  std::string out;
  for (const Node& statement : tree.statements) {
    write(tree, symbols, statement, out);
    out += '\n';
  }
  return out;
}

TEST(GdlCorpus, FormattingKeepsEveryDescription) {
  const std::vector<fs::path> files = corpus_files();
  if (files.empty()) GTEST_SKIP() << "no corpus at " << shared();
  for (const fs::path& path : files) {
    const std::string text = read_file(path);
    Diagnostics diagnostics;
    const std::string once = format(diagnostics.sources()->add("game.kif", text), diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << path << render(diagnostics.all(), *diagnostics.sources());
    EXPECT_EQ(format(diagnostics.sources()->add("game.kif", once), diagnostics), once) << path;
    EXPECT_EQ(tree_of(once, diagnostics), tree_of(text, diagnostics)) << path;
    EXPECT_EQ(std::ranges::count(once, ';'), std::ranges::count(text, ';')) << path;
  }
  std::cout << files.size() << " files\n";
}

// The number behind a word of the last column, as in "BASE 107 INPUT 496".
std::size_t number_after(const std::string& text, const std::string& word) {
  const std::size_t at = text.find(word + " ");
  return at == std::string::npos ? 0 : std::stoull(text.substr(at + word.size() + 1));
}

TEST(GdlCorpus, AsManyFactsAndMovesAsTheOracle) {
  SKIP_WITHOUT_SHARED();
  const std::uint64_t limit = full() ? 20'000'000 : 30'000;
  std::size_t compared = 0;
  for (Row& row : table(shared() / "oracle" / "gdl_ground.tsv")) {
    if (row["method"] != "gringo-inst" || row["status"] != "ok") continue;
    if (std::stoull(row["ground_rules_or_components"]) > limit) continue;
    const fs::path path = shared() / "corpus" / "gdl" / (row["game"] + ".kif");
    if (!fs::exists(path)) continue;
    Diagnostics diagnostics;
    Symbols symbols;
    const Sources::File& file = diagnostics.sources()->add(path.string(), read_file(path));
    const Tree tree = read_tree(file, symbols, diagnostics, false);
    Program program = normalise(tree, std::move(symbols), diagnostics);
    check(program, diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << path;
    const RawGround raw = instantiate(program, {}, diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << path;
    std::size_t facts = 0, moves = 0;
    for (const RelationInfo& info : raw.engine->relations) {
      if (info.kind == RelationInfo::Kind::fact) facts += info.tuples->size();
      if (info.kind == RelationInfo::Kind::move) moves += info.tuples->size();
    }
    EXPECT_EQ(facts, number_after(row["detail"], "BASE")) << row["game"];
    EXPECT_EQ(moves, number_after(row["detail"], "INPUT")) << row["game"];
    ++compared;
  }
  std::cout << compared << " descriptions compared\n";
}

}  // namespace
}  // namespace rgtrans::gdl
