// Options, rulesets, defines and how a text is recognised, with the messages for mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "frontends/ludii/limits.hpp"
#include "frontends/ludii/ludii.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kGame =
    "(define \"Drop\" (move Add (to (sites Empty))))\n"
    "(game \"G\"\n"
    " (players 2)\n"
    " (equipment { (board (square <Size:n>)) (piece \"Disc\" Each) })\n"
    " (rules (play \"Drop\") (end (if <Goal> (result Mover Win)))))\n"
    "(option \"Board Size\" <Size> args:{ <n> } {\n"
    "  (item \"2x2\" <2> \"small\")\n"
    "  (item \"3x3\" <3> \"usual\")**\n"
    "  (item \"4x4\" <4> \"large\")*\n"
    "})\n"
    "(option \"Goal\" <Goal> args:{ <g> } {\n"
    "  (item \"Line\" <(is Line 2)> \"two\")\n"
    "  (item \"Comparison\" <(> (last To) 0)> \"any but the first\")\n"
    "})\n"
    "(rulesets {\n"
    "  (ruleset \"Ruleset/Little\" { \"Board Size/2x2\" \"Goal/Comparison\" })\n"
    "  (ruleset \"Ruleset/Wrong\" { \"Colour/Red\" })\n"
    "})\n";

struct Loaded {
  std::string messages;
  std::size_t sites = 0;
};

Loaded load(const std::string& text, std::map<std::string, std::string, std::less<>> options = {},
            const std::string& name = "g.lud") {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add(name, text);
  const ir::Game game = ludii::frontend().load(file, diagnostics, {.values = std::move(options)});
  Loaded result{render(diagnostics.all(), *diagnostics.sources()), 0};
  if (game.words != nullptr) result.sites = game.words->places.size();
  return result;
}
Loaded choose(std::map<std::string, std::string, std::less<>> options) {
  return load(std::string(kGame), std::move(options));
}

template <class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return render(error.diagnostics(), *error.sources());
  }
  return "";
}

TEST(LudiiOptions, TheItemWithMostStarsIsTheDefault) {
  EXPECT_EQ(choose({}).messages, "");
  EXPECT_EQ(choose({}).sites, 9U);
}

TEST(LudiiOptions, AreChosenByTheirNames) {
  EXPECT_EQ(choose({{"Board Size", "4x4"}}).sites, 16U);
  EXPECT_EQ(choose({{"Board Size", "2x2"}, {"Goal", "Comparison"}}).sites, 4U);
  EXPECT_EQ(choose({{"Ruleset", "Little"}}).sites, 4U);
  EXPECT_EQ(choose({{"Ruleset", "Little"}, {"Board Size", "4x4"}}).sites, 16U) << "an option overrides its ruleset";
}

TEST(LudiiOptions, MistakesAreNamed) {
  EXPECT_EQ(choose({{"Board Size", "5x5"}}).messages,
            "g.lud:6:1: error: the option Board Size has no choice 5x5\n"
            "  (option \"Board Size\" <Size> args:{ <n> } {\n"
            "  ^~~~~~~\n"
            "  hint: there are 2x2, 3x3, 4x4\n");
  EXPECT_THAT(choose({{"Board", "3x3"}}).messages,
              AllOf(StartsWith("g.lud:2:1: error: this game has no option Board\n"),
                    HasSubstr("hint: there are Board Size, Goal\n")));
  EXPECT_THAT(choose({{"Ruleset", "Big"}}).messages,
              AllOf(HasSubstr("this game has no ruleset Big"), HasSubstr("there are Little, Wrong")));
  EXPECT_THAT(choose({{"Ruleset", "Wrong"}}).messages, StartsWith("g.lud:17:30: error: no option has that name\n"));
}

TEST(LudiiOptions, OtherLanguagesHaveNone) {
  Diagnostics diagnostics;
  EXPECT_THAT(message_of([&] {
                load_text("g.ldx", "(game)", *find_frontend("ludax"), diagnostics,
                          {.values = {{"Board Size", "3x3"}}, .claims = false});
              }),
              HasSubstr("ludax has no option Board Size"));
  EXPECT_THAT(message_of([] { check_option("Board Size", ""); }), HasSubstr("needs a value"));
  EXPECT_THAT(message_of([] { check_option("board size", "3"); }), HasSubstr("no language has an option"));
}

TEST(LudiiDefines, AreReadFromAFolder) {
  const std::string text =
      "(game \"G\" (players 2) (equipment { (board (square 3)) (piece \"Disc\" Each) })\n"
      " (rules (play (\"Put\" (sites Empty))) (end (if (is Line 3) (result Mover Win)))))\n";
  EXPECT_EQ(load(text).messages,
            "g.lud:2:16: error: there is no define \"Put\"\n"
            "   (rules (play (\"Put\" (sites Empty))) (end (if (is Line 3) (result Mover Win)))))\n"
            "                 ^~~~~\n"
            "  hint: --ludii PATH reads the defines of Ludii, from a folder or from Ludii.jar\n");
  const fs::path folder = fs::temp_directory_path() / fs::path("rgtrans-ludii-" + std::to_string(::getpid()));
  fs::create_directories(folder / "def" / "moves");
  std::ofstream(folder / "def" / "moves" / "any-name.def") << "// A define.\n(define \"Put\" (move Add (to #1)))\n";
  EXPECT_EQ(load(text, {{"ludii", folder.string()}}).messages, "");
  EXPECT_EQ(load(text, {{"ludii", (folder / "def").string()}}).messages, "");
  EXPECT_EQ(load(text, {}, (folder / "games" / "deep" / "g.lud").string()).messages, "") << "upward from the file";
  std::ofstream(folder / "def" / "other.def") << "(define \"Other\" 1)\n";
  ludii::limits::define_files.set(1);
  EXPECT_THAT(message_of([&] { load(text, {{"ludii", folder.string()}}); }), HasSubstr("more than 1 files of defines"));
  ludii::limits::define_files.set(ludii::limits::define_files.standard());
  // A mistake within a define is shown where the define has it.
  std::ofstream(folder / "def" / "moves" / "any-name.def") << "(define \"Put\" (move Ad (to #1)))\n";
  EXPECT_THAT(load(text, {{"ludii", folder.string()}}).messages, HasSubstr("any-name.def:1:21: error: "));
  fs::remove_all(folder);
  EXPECT_THAT(message_of([&] { load(text, {{"ludii", folder.string()}}); }), HasSubstr("no folder of Ludii's defines"));
}

// A zip archive with def/moves/Put.def, and other/Not.def outside of the folder of defines.
constexpr unsigned char kArchive[] = {
    0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x50, 0x83, 0x16, 0xdc, 0x8c, 0x03,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x4d, 0x45, 0x54, 0x41, 0x2d, 0x49, 0x4e, 0x46,
    0x2f, 0x4d, 0x41, 0x4e, 0x49, 0x46, 0x45, 0x53, 0x54, 0x2e, 0x4d, 0x46, 0xab, 0x00, 0x00, 0x50, 0x4b, 0x03, 0x04,
    0x14, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x50, 0x8d, 0x15, 0x35, 0xec, 0x24, 0x00, 0x00, 0x00, 0x22,
    0x00, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00, 0x64, 0x65, 0x66, 0x2f, 0x6d, 0x6f, 0x76, 0x65, 0x73, 0x2f, 0x50, 0x75,
    0x74, 0x2e, 0x64, 0x65, 0x66, 0xd3, 0x48, 0x49, 0x4d, 0xcb, 0xcc, 0x4b, 0x55, 0x50, 0x0a, 0x28, 0x2d, 0x51, 0x52,
    0xd0, 0xc8, 0xcd, 0x2f, 0x4b, 0x55, 0x70, 0x4c, 0x49, 0x51, 0xd0, 0x28, 0xc9, 0x57, 0x50, 0x36, 0xd4, 0xd4, 0xd4,
    0xe4, 0x02, 0x00, 0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x50, 0x42, 0xb1,
    0x4e, 0x57, 0x13, 0x00, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00, 0x0d, 0x00, 0x00, 0x00, 0x6f, 0x74, 0x68, 0x65, 0x72,
    0x2f, 0x4e, 0x6f, 0x74, 0x2e, 0x64, 0x65, 0x66, 0xd3, 0x48, 0x49, 0x4d, 0xcb, 0xcc, 0x4b, 0x55, 0x50, 0xf2, 0xcb,
    0x2f, 0x51, 0x52, 0xa8, 0xd0, 0xe4, 0x02, 0x00, 0x50, 0x4b, 0x01, 0x02, 0x14, 0x03, 0x14, 0x00, 0x00, 0x00, 0x08,
    0x00, 0x00, 0x00, 0x21, 0x50, 0x83, 0x16, 0xdc, 0x8c, 0x03, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x14, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x01, 0x00, 0x00, 0x00, 0x00, 0x4d, 0x45, 0x54,
    0x41, 0x2d, 0x49, 0x4e, 0x46, 0x2f, 0x4d, 0x41, 0x4e, 0x49, 0x46, 0x45, 0x53, 0x54, 0x2e, 0x4d, 0x46, 0x50, 0x4b,
    0x01, 0x02, 0x14, 0x03, 0x14, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x50, 0x8d, 0x15, 0x35, 0xec, 0x24,
    0x00, 0x00, 0x00, 0x22, 0x00, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x80, 0x01, 0x35, 0x00, 0x00, 0x00, 0x64, 0x65, 0x66, 0x2f, 0x6d, 0x6f, 0x76, 0x65, 0x73, 0x2f, 0x50, 0x75, 0x74,
    0x2e, 0x64, 0x65, 0x66, 0x50, 0x4b, 0x01, 0x02, 0x14, 0x03, 0x14, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21,
    0x50, 0x42, 0xb1, 0x4e, 0x57, 0x13, 0x00, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00, 0x0d, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x01, 0x88, 0x00, 0x00, 0x00, 0x6f, 0x74, 0x68, 0x65, 0x72, 0x2f, 0x4e,
    0x6f, 0x74, 0x2e, 0x64, 0x65, 0x66, 0x50, 0x4b, 0x05, 0x06, 0x00, 0x00, 0x00, 0x00, 0x03, 0x00, 0x03, 0x00, 0xbc,
    0x00, 0x00, 0x00, 0xc6, 0x00, 0x00, 0x00, 0x00, 0x00};

TEST(LudiiDefines, AreReadFromAnArchive) {
  const fs::path path = fs::temp_directory_path() / ("rgtrans-ludii-" + std::to_string(::getpid()) + ".jar");
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(kArchive), sizeof(kArchive));
  const auto game = [](const std::string& name) {
    return "(game \"G\" (players 2) (equipment { (board (square 3)) (piece \"Disc\" Each) })\n (rules (play (\"" +
           name + "\" (sites Empty))) (end (if (is Line 3) (result Mover Win)))))\n";
  };
  EXPECT_EQ(load(game("Put"), {{"ludii", path.string()}}).messages, "");
  EXPECT_THAT(load(game("Not"), {{"ludii", path.string()}}).messages, HasSubstr("there is no define \"Not\""));
  std::ofstream(path, std::ios::binary) << "no archive";
  EXPECT_THAT(message_of([&] { load(game("Put"), {{"ludii", path.string()}}); }), HasSubstr(path.string() + ": "));
  fs::remove(path);
}

TEST(Ludii, IsRecognisedByItsText) {
  EXPECT_EQ(choose_frontend("game", kGame).name, "ludii");
  EXPECT_EQ(choose_frontend("game.lud", "nothing").name, "ludii");
  EXPECT_EQ(choose_frontend("game",
                            "(game \"G\" (players 2) (equipment (board (square 3))) (rules (play (repeat (P1 P2) "
                            "(place (destination empty)))) (end (if (full_board) (draw)))))")
                .name,
            "ludax");
}

}  // namespace
}  // namespace rgtrans
