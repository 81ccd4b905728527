// Reading, formatting and instantiating the corpus: the formatted text is the same description, and the facts and moves
// that may come up are as many as an independent grounder found.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "frontends/gdl/format.hpp"
#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/grounder.hpp"

namespace rgtrans::gdl {
namespace {

namespace fs = std::filesystem;

fs::path shared_folder() {
  if (const char* set = std::getenv("RGTRANS_SHARED")) return set;
  return fs::path(RGTRANS_SOURCE_DIR) / ".." / "shared";
}
bool full() { return std::getenv("RGTRANS_FULL") != nullptr; }

std::vector<fs::path> corpus_files() {
  std::vector<fs::path> files;
  const fs::path corpus = shared_folder() / "corpus" / "gdl";
  if (!fs::exists(corpus)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(corpus))
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
  if (files.empty()) GTEST_SKIP() << "no corpus at " << shared_folder();
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
  const fs::path oracle = shared_folder() / "oracle" / "gdl_ground.tsv";
  if (!fs::exists(oracle)) GTEST_SKIP() << "no oracle at " << oracle;
  const std::uint64_t limit = full() ? 20'000'000 : 30'000;
  std::ifstream in(oracle);
  std::size_t compared = 0;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> fields;
    std::istringstream row(line);
    for (std::string field; std::getline(row, field, '\t');) fields.push_back(field);
    if (fields.size() < 8 || fields[1] != "gringo-inst" || fields[6] != "ok") continue;
    if (std::stoull(fields[4]) > limit) continue;
    const fs::path path = shared_folder() / "corpus" / "gdl" / (fields[0] + ".kif");
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
    EXPECT_EQ(facts, number_after(fields[7], "BASE")) << fields[0];
    EXPECT_EQ(moves, number_after(fields[7], "INPUT")) << fields[0];
    ++compared;
  }
  std::cout << compared << " descriptions compared\n";
}

}  // namespace
}  // namespace rgtrans::gdl
