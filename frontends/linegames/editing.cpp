// The definition of a line game is a JSON tree. Its symbols are the nested keys and the names of points.
#include "frontends/linegames/editing.hpp"

#include <algorithm>
#include <array>

#include "frontends/linegames/linegames.hpp"
#include "frontends/nesting.hpp"

namespace rgtrans::linegames {

namespace {

using namespace outline;

const Lexicon kLexicon{.line_comment = {}, .name_characters = ".-+", .strings = true};

enum Spot : unsigned {
  kRoot = 1,
  kBoard = 2,
  kPieces = 4,
  kRules = 8,
  kTriangle = 16,
  kPoint = 32,
  kLine = 64,
  kKind = 128,
  kDirection = 256,
  kPlayer = 512,
  kCaptures = 1024
};

constexpr std::array<LanguageWord, 52> kWords = {{
    {"\"name\"", "The name of the game.", "\"name\": \"${1}\"", kRoot},
    {"\"title\"", "For people; it changes nothing.", "\"title\": \"${1}\"", kRoot},
    {"\"board\"", "The points and lines: `kind`, sizes, `triangles`, `points`, `lines`, `remove`.",
     "\"board\": { \"kind\": \"${1:alquerque}\", \"width\": ${2:5}, \"height\": ${3:5} }", kRoot},
    {"\"pieces\"", "Where pieces stand at first, put one after the other.",
     "\"pieces\": [{ \"player\": \"black\", \"rows\": { \"first\": 1, \"last\": 2 } }]", kRoot},
    {"\"rules\"", "`captures`, `sequence` and options.", "\"rules\": { \"captures\": \"${1:mandatory}\" }", kRoot},
    {"\"kind\"", "`point`, `grid`, `alquerque`, `square_with_diagonals`, `circle`, `custom`.",
     "\"kind\": \"${1:alquerque}\"", kBoard},
    {"\"width\"", "Points in a row.", "\"width\": ${1:5}", kBoard},
    {"\"height\"", "Rows.", "\"height\": ${1:5}", kBoard},
    {"\"squares_x\"", "Squares in a row.", "\"squares_x\": ${1:4}", kBoard},
    {"\"squares_y\"", "Rows of squares.", "\"squares_y\": ${1:4}", kBoard},
    {"\"spokes\"", "2, 4, 6 or 8 of a circle; or pieces along spokes.", "\"spokes\": ${1:8}", kBoard | kPieces},
    {"\"rings\"", "Circles around the centre.", "\"rings\": ${1:3}", kBoard},
    {"\"triangles\"", "Triangles that hang from a side, a corner or a named point.",
     "\"triangles\": [{ \"side\": \"${1:south}\", \"rows\": ${2:2} }]", kBoard},
    {"\"points\"", "Points that come to the board; or those on which pieces stand.", "\"points\": [${1}]",
     kBoard | kPieces},
    {"\"lines\"", "Lines that come to the board.",
     "\"lines\": [{ \"from\": \"${1}\", \"to\": \"${2}\", \"direction\": \"${3:east}\" }]", kBoard},
    {"\"remove\"", "Points that the board does not have.", "\"remove\": [\"${1}\"]", kBoard},
    {"\"side\"", "Where a triangle hangs.", "\"side\": \"${1:south}\"", kTriangle},
    {"\"rows\"", "Of a triangle; or `first` and `last` row of pieces.", "\"rows\": ${1:2}", kTriangle | kPieces},
    {"\"root\"", "The point from which a triangle hangs.", "\"root\": \"${1}\"", kTriangle},
    {"\"edges\"", "The neighbours of a point by direction.", "\"edges\": { \"${1:east}\": \"${2}\" }", kPoint},
    {"\"at\"", "Where a point is drawn: to the east, to the south.", "\"at\": [${1:0}, ${2:0}]", kPoint},
    {"\"from\"", "A point.", "\"from\": \"${1}\"", kLine},
    {"\"to\"", "A point.", "\"to\": \"${1}\"", kLine},
    {"\"direction\"", "What the line is called; along one name it is straight.", "\"direction\": \"${1:east}\"", kLine},
    {"\"player\"", "`white` begins in the south and moves first.", "\"player\": \"${1:white}\"", kPieces},
    {"\"king\"", "The pieces are kings.", "\"king\": true", kPieces},
    {"\"replace\"", "The pieces take the places of others.", "\"replace\": true", kPieces},
    {"\"halves\"", "Each player fills a half.", "\"halves\": {}", kPieces},
    {"\"triangle\"", "The pieces fill a triangle.", "\"triangle\": \"${1:south}\"", kPieces},
    {"\"clear\"", "Points that become empty.", "\"clear\": [\"${1}\"]", kPieces},
    {"\"captures\"", "`mandatory` or `optional`.", "\"captures\": \"${1:mandatory}\"", kRules},
    {"\"sequence\"", "`single`, `whole` or `stepwise`.", "\"sequence\": \"${1:whole}\"", kRules},
    {"\"flying\"", "How pieces move over empty points.", "\"flying\": \"${1}\"", kRules},
    {"\"promotion\"", "Where a piece becomes a king: `far-row`, or points.", "\"promotion\": \"far-row\"", kRules},
    {"\"goals\"", "Where a piece wins: `far-row`, or points.", "\"goals\": \"far-row\"", kRules},
    {"\"min_pieces\"", "A player with fewer pieces loses.", "\"min_pieces\": ${1:1}", kRules},
    {"\"max_turns\"", "When a play ends without a winner.", "\"max_turns\": ${1:100}", kRules},
    {"\"stagnation\"", "Turns without a capture after which a play ends.", "\"stagnation\": ${1:20}", kRules},
    {"\"point\"", "A single point, for triangles to hang from.", {}, kKind},
    {"\"grid\"", "Orthogonal lines.", {}, kKind},
    {"\"alquerque\"", "Diagonals through every second point.", {}, kKind},
    {"\"square_with_diagonals\"", "Squares whose centres are points, too.", {}, kKind},
    {"\"circle\"", "Spokes through a centre, circles around it.", {}, kKind},
    {"\"custom\"", "Only the points and lines of `points` and `lines`.", {}, kKind},
    {"\"white\"", "Begins in the south and moves first.", {}, kPlayer},
    {"\"black\"", "Begins in the north.", {}, kPlayer},
    {"\"north\"", "A direction.", {}, kDirection},
    {"\"south\"", "A direction.", {}, kDirection},
    {"\"east\"", "A direction.", {}, kDirection},
    {"\"west\"", "A direction.", {}, kDirection},
    {"\"mandatory\"", "Who can capture has to.", {}, kCaptures},
    {"\"optional\"", "Captures are moves like others.", {}, kCaptures},
}};

Outline read(std::string_view text) {
  Outliner out(text, kLexicon);
  Nesting nesting;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!out.is_string(i)) continue;
    const bool key = out.is(i + 1, ":");
    if (!key) {
      if (const NameId point = out.find(out.text(i)); point != kNone) out.use(i, point);
      continue;
    }
    const std::size_t end = out.is(i + 2, "{") || out.is(i + 2, "[") ? out.closing(i + 2, out.size()) + 1 : i + 3;
    const NameId owner = nesting.around(i);
    auto& declared = out.declare(DeclaredKind::key, i, out.span(i, end), owner);
    declared.name = unquoted(declared.name, "key");
    declared.signature = out.line(i, std::min(end, i + 30));
    declared.needed = true;
    const NameId self = out.last();
    if (out.is(i, "\"name\"") && out.is_string(i + 2) && owner != kNone) {
      auto& point = out.declare(DeclaredKind::node, i + 2, out.span(i, end), owner);
      point.signature = out.line(i, end);
      point.needed = true;
      point.listed = false;
      out.publish(out.last());
      ++i;
    }
    if (end > i + 3) nesting.enter(self, end - 1);
  }
  return out.finish();
}

// The key that contains the place determines the possible words.
Wanted wanted(const Outline& outline, std::string_view text, std::size_t at) {
  std::string_view last, before;
  std::string_view around;
  int depth = 0;
  for (std::size_t i = outline.lexemes_before(at); i-- > 0;) {
    const std::string_view word = outline.lexemes[i].at.of(text);
    if (last.empty()) {
      last = word;
      if (word == ":" && i > 0) before = outline.lexemes[i - 1].at.of(text);
    }
    if (word == "}" || word == "]") ++depth;
    if ((word == "{" || word == "[") && depth-- == 0) {
      depth = 0;
      if (i > 1 && outline.lexemes[i - 1].at.of(text) == ":") {
        around = outline.lexemes[i - 2].at.of(text);
        break;
      }
    }
  }
  if (!before.empty()) {
    if (before == "\"kind\"") return {0, kKind};
    if (before == "\"player\"") return {0, kPlayer};
    if (before == "\"direction\"" || before == "\"side\"" || before == "\"triangle\"") return {0, kDirection};
    if (before == "\"captures\"") return {0, kCaptures};
    return {kind_bits(DeclaredKind::node), 0};
  }
  static constexpr std::pair<std::string_view, unsigned> kInside[] = {
      {"\"board\"", kBoard},        {"\"pieces\"", kPieces}, {"\"rules\"", kRules},
      {"\"triangles\"", kTriangle}, {"\"points\"", kPoint},  {"\"lines\"", kLine}};
  for (const auto& [key, places] : kInside) {
    if (key == around) return {kind_bits(DeclaredKind::node), places};
  }
  return {kind_bits(DeclaredKind::node), around.empty() ? unsigned{kRoot} : 0U};
}

bool is_name(std::string_view name) {
  return name.size() > 2 && name.front() == '"' && name.back() == '"' && name.find('"', 1) == name.size() - 1;
}

}  // namespace

const Editing kEditing{
    .words = kWords, .outline = read, .wanted = wanted, .is_name = is_name, .line_comment = {}, .triggers = "\""};

}  // namespace rgtrans::linegames
