// Canonical forms: equal for renamed and reordered games, different for games that differ in play.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "backends/rg/rg.hpp"
#include "core/form/form.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/naive_evaluator.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::form {
namespace {

// Renames what has no meaning in RG and reorders all lists of a printed game. It works on the text, so it shares
// nothing with the code under test.
class Disguise {
 public:
  Disguise(const ir::Game& game, std::uint64_t seed) : text_(rg::print(game)), random_(seed) {
    for (const char* word : {"begin",  "end",        "goals",          "player", "visible",
                             "keeper", "random",     "const",          "type",   "var",
                             "0",      "1",          "Player",         "Score",  "Bool",
                             "Goals",  "Visibility", "PlayerOrSystem", "any",    "artificialTag"})
      names_[word] = word;
    for (const SymbolId score : game.scores()) names_[game.symbols.str(score)] = game.symbols.str(score);
  }

  std::string run() {
    std::vector<std::string> statements;
    std::string statement;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_.compare(i, 2, "//") == 0) {
        i = text_.find('\n', i);
        continue;
      }
      if (text_[i] != '\n') statement += text_[i];
      if (text_[i] != ';') continue;
      // Other pragmas say what engines may rely on, and a form does not depend on them.
      if (!statement.starts_with("@") || statement.starts_with("@artificialTag"))
        statements.push_back(renamed(statement));
      statement.clear();
    }
    std::ranges::shuffle(statements, random_);
    std::string out;
    for (const std::string& s : statements) out += s + "\n";
    return out;
  }

 private:
  static bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

  std::string name_of(const std::string& old) {
    std::string& name = names_[old];
    while (name.empty()) {
      name = "x" + std::to_string(random_() % 100'000'000);
      if (!taken_.insert(name).second) name.clear();
    }
    return name;
  }
  std::string renamed(const std::string& from) {
    std::string out;
    for (std::size_t i = 0; i < from.size();) {
      if (from[i] == '{') {
        std::size_t end = i;
        for (int depth = 0; end == i || depth > 0; ++end) depth += from[end] == '{' ? 1 : from[end] == '}' ? -1 : 0;
        out += reordered(from.substr(i + 1, end - i - 2));
        i = end;
      } else if (in_name(from[i])) {
        std::size_t end = i;
        while (end < from.size() && in_name(from[end])) ++end;
        out += name_of(from.substr(i, end - i));
        i = end;
      } else {
        out += from[i++];
      }
    }
    return out;
  }
  std::string reordered(const std::string& list) {
    std::vector<std::string> parts(1);
    int depth = 0;
    for (const char c : list) {
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (c == ',' && depth == 0) {
        parts.emplace_back();
      } else {
        parts.back() += c;
      }
    }
    std::ranges::shuffle(parts, random_);
    std::string out;
    for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + renamed(part);
    return "{ " + out + " }";
  }

  std::string text_;
  std::mt19937_64 random_;
  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
};

struct Language {
  const char* name;
  std::string (*generate)(test::Choices& choices);
};
constexpr std::array kLanguages = {
    Language{"rg", [](test::Choices& choices) { return test::random_game(choices); }},
    Language{"hrg", test::random_hrg},
    Language{"rbg", [](test::Choices& choices) { return test::random_rbg(choices); }},
    Language{"ludax", test::random_ludax},
    Language{"linegames", test::random_line_game},
};

// The game of a number, or none if it is not accepted.
std::optional<ir::Game> game_of(std::uint64_t number, int level) {
  const Language& language = kLanguages[number % kLanguages.size()];
  test::Choices choices(number);
  try {
    Diagnostics diagnostics;
    ir::Game game = load_text("game", language.generate(choices), *find_frontend(language.name), diagnostics);
    passes::OptimizeOptions options;
    options.level = level;
    passes::optimize(game, options);
    return game;
  } catch (const Error&) {
    return std::nullopt;
  }
}

TEST(CanonicalForm, IsThatOfEveryRenamingAndReordering) {
  std::uint64_t compared = 0, complete = 0;
  const std::uint64_t count = test::random_count(1000);
  for (std::uint64_t number = 0; compared < count && number < 4 * count; ++number) {
    const std::optional<ir::Game> game = game_of(number, number % 2 == 0 ? 0 : 2);
    if (!game) continue;
    const ir::Game other = rg::parse_game(Disguise(*game, number).run());
    const CanonicalForm form = canonical_form(*game), disguised = canonical_form(other);
    ++compared;
    complete += form.complete ? 1 : 0;
    EXPECT_EQ(form.complete, disguised.complete) << number;
    if (form.complete) {
      ASSERT_TRUE(form.text == disguised.text) << "game " << number << "\n"
                                               << rg::print(*game) << "\n"
                                               << rg::print(other);
      ASSERT_EQ(form.hash(), disguised.hash());
    }
  }
  EXPECT_EQ(compared, count);
  EXPECT_GE(complete * 100, compared * 99) << "the search ends for nearly all games";
}

// The same game with one small change of its text, or none where it is not a game then.
std::optional<ir::Game> changed(const ir::Game& game, test::Choices& choices) {
  std::string text = rg::print(game);
  std::vector<std::pair<std::size_t, std::size_t>> words;
  for (std::size_t i = text.find('\n'); i < text.size(); ++i) {
    std::size_t end = i;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
    if (end > i) words.emplace_back(i, end - i);
    i = end;
  }
  const std::size_t equals = text.find(choices.coin(50) ? " == " : " != ", choices.below(text.size()));
  if (equals != std::string::npos && choices.coin(30)) text[equals + 1] = text[equals + 1] == '=' ? '!' : '=';
  const auto [to, old_size] = words[choices.below(words.size())];
  const auto [from, size] = words[choices.below(words.size())];
  const std::string word = text.substr(from, size);
  text.replace(to, old_size, word);
  try {
    Diagnostics diagnostics;
    return load_text("changed", text, rg::frontend(), diagnostics);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// The numbers of walks of each length, by results.
std::string plays_of(const ir::Game& game) {
  naive::Options options;
  options.steps = 2'000;
  naive::Evaluator evaluator(game, options);
  std::string out;
  for (unsigned depth = 1; depth <= 4; ++depth) {
    try {
      out += std::to_string(evaluator.perft(evaluator.initial(), depth)) + " ";
    } catch (const naive::TooHard&) {
      break;
    }
  }
  return out;
}

TEST(CanonicalForm, DiffersWherePlaysDiffer) {
  std::uint64_t different = 0;
  const std::uint64_t count = test::random_count(1000);
  for (std::uint64_t number = 0; different < count && number < 10 * count; ++number) {
    const std::optional<ir::Game> game = game_of(number, 0);
    if (!game || game->graph.edge_count() > 300) continue;
    const std::string plays = plays_of(*game);
    const std::string text = canonical_form(*game).text;
    test::Choices choices(number + 77);
    for (int i = 0; i < 10 && different < count; ++i) {
      const std::optional<ir::Game> other = changed(*game, choices);
      if (!other) continue;
      const std::string other_plays = plays_of(*other);
      const std::size_t known = std::min(plays.size(), other_plays.size());
      if (plays.compare(0, known, other_plays, 0, known) == 0) continue;
      ++different;
      EXPECT_FALSE(text == canonical_form(*other).text) << rg::print(*game) << rg::print(*other);
    }
  }
  EXPECT_EQ(different, count);
}

// Each symbol of a cell can take the place of each other one: the search would visit 12! orders without automorphisms.
TEST(CanonicalForm, AutomorphismsPruneTheSearch) {
  std::string text = "type Player = { p, q }; type Score = { 0 }; type T = { ";
  for (int i = 0; i < 12; ++i) text += (i == 0 ? "a" : ", a") + std::to_string(i);
  text += " }; var v: T = a0; begin, n: player = p; n, m: v = T(*); m, o: $$ v; o, end: player = keeper;";
  const ir::Game game = rg::parse_game(text);
  const CanonicalForm form = canonical_form(game, 1'000'000);
  EXPECT_TRUE(form.complete);
  EXPECT_TRUE(form.text == canonical_form(rg::parse_game(Disguise(game, 3).run())).text);
  const CanonicalForm bounded = canonical_form(game, 1);
  EXPECT_FALSE(bounded.complete);
  EXPECT_FALSE(bounded.text.empty());
}

// Scores and the meaning of 0 and 1 are no names.
TEST(CanonicalForm, KeepsScores) {
  const auto form = [](const std::string& scores, const std::string& won) {
    return canonical_form(rg::parse_game("type Player = { p, q }; type Score = { " + scores +
                                         " }; begin, n: player = p; n, m: $ a; m, o: goals[p] = " + won +
                                         "; o, end: player = keeper;"))
        .text;
  };
  EXPECT_TRUE(form("0, 100", "100") == form("0, 100", "100"));
  EXPECT_FALSE(form("0, 100", "100") == form("0, 100", "0"));
  EXPECT_FALSE(form("0, 100", "100") == form("0, 50", "50"));
}

}  // namespace
}  // namespace rgtrans::form
