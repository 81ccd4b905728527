#include "frontends/ludii/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>
#include <vector>

namespace rgtrans::ludii {

namespace {

constexpr std::string_view kLudemes =
    "abs absolute add addScore ahead all allCombinations amount and append apply array arrayValue attract automove "
    "avoidStoredState basis bet between board boardless brick byScore can card cell celtic centrePoint claim clip "
    "column columns complete component concentric coord cos cost count counter custodial deal deck dice die "
    "difference directional directions do domino dominoes dual edge enclose end equipment exact exp expand face fan "
    "firstMoveOnTrack flip flips forAll forEach forget from fromTo game gameEnd games graph hand handSite hex hint "
    "hints hole hop id if info instance intersection intervene is keep last layer layers leap level log makeFaces "
    "mancalaBoard map mapEntry match matchScore max merge meta min mode move moveAgain mover mul next nextPhase no "
    "noRepeat noSuicide not note or pair pass passEnd passesEnd path pathExtent payoff payoffs phase phases pieRule "
    "piece pips place play player players poly pot pow prev priority promote propose push quadhex random range "
    "recoordinate rectangle region regionSite regions regular remember remove renumber repeat result results roll "
    "rotate rotation rotations row rows rules satisfy scale score select seq set shape shift shoot simulate sin "
    "site sites size sizes skew slide sow spiral split splitCrossings sqrt square stack start state step subdivide "
    "subgame surakartaBoard surround swap swapRule take tan team then tile tiling to toFloat toInt topLevel track "
    "trackSite tri trigger trim trumpSuit union value values var vertex vote was wedge what when where while who "
    "xor ";
constexpr std::string_view kConstants =
    "Abandon Active Acute Add Adjacent All Ally Alternating Amount Angled AnyDie Around Array Axial BL BLL BLLL BR "
    "BRR BRRR Backward Backwards Base Bet Between Blocked Board Bottom CCW CW Captures CaterpillarTree Cell Cells "
    "Centre Claim Column Columns ConcaveCorners Concentric Connected Control ConvexCorners Corners Cost Count "
    "Counter Crash Cross Crossing Custom Cycle D DE DN DNE DNW DS DSE DSW DW Decided Diagonal Diamond DiceEqual "
    "DiceUsed Die Different Direction Distance Domino Downward Draw E ENE ESE Each Edge Edges Empty End EndOfTurn "
    "EndSite Enemy Even F FL FLL FLLL FR FRR FRRR False Farthest FirstSite Flat Forward Forwards Friend From Full "
    "Group Groups Hand Hexagon Hidden Hint Hop Horizontal Implied In Incident Infinite Infinity Inner L LargePiece "
    "LastFrom LastTo Layer Leap Left Leftward Leftwards LegalMoves Level LevelFrom LevelTo Liberties Limping Line "
    "LineOfPlay LineOfSight Loop Loss Major Minor Move MoveLimit Mover Moves MovesThisTurn N NE NNE NNW NW "
    "Neighbours Neutral Next NextPlayer NoShape NonMover NotEmpty NotEnemy NotOwn Obtuse Occupied Odd Off "
    "OffDiagonal OppositeDirection Orthogonal Out Outer Own P1 P2 P3 P4 P5 P6 P7 P8 Pass Passed Path Pattern "
    "Pending Perimeter Phase Phases Piece Pieces Pips PipsMatch PlayCard Playable Player Players Polygon Positional "
    "Pot Prev Prism Promote Propose Proposed R Radiating Random Rank Rectangle Reflex Regular RegularGraph Related "
    "RememberValue Remembered Remove Repeat Rhombus Right Rightward Rightwards Rotation Rotational Row Rows S SE "
    "SSE SSW SW SameDirection SameLayer Score Select Set Shared Shoot Side SidesMatch Simulation Simultaneous Site "
    "Sites SitesPlatformBelow Situational SizeBiggestGroup SizeBiggestLine Slash Slide Slosh Solid SolidNoSplit "
    "SpanningTree Spiral Square Stack Star Start StartOfTurn State Step Steps StepsOnTrack Suit Superko Support "
    "Swap T31212 T333333_33434 T33336 T33344 T33434 T3464 T3636 T4612 T488 Target Team Team1 Team10 Team11 Team12 "
    "Team13 Team14 Team15 Team16 Team2 Team3 Team4 Team5 Team6 Team7 Team8 Team9 TeamMover Territory Threatened Tie "
    "To ToClear Top Track Tree TreeCentre Trials Triangle Triggered True TrumpRank TrumpSuit TrumpValue TurnLimit "
    "Turns U UE UN UNE UNW US USE USW UW Undefined Upward Value Values Var Vertex Vertical Vertices Visited Vote W "
    "WNW WSW Wheel Win Winning Within ";

std::vector<std::string_view> sorted_words(std::string_view list) {
  std::vector<std::string_view> words;
  for (std::size_t end = 0; (end = list.find(' ')) != std::string_view::npos; list.remove_prefix(end + 1))
    words.push_back(list.substr(0, end));
  std::ranges::sort(words);
  return words;
}

const std::vector<std::string_view>& ludemes() {
  static const std::vector<std::string_view> words = sorted_words(kLudemes);
  return words;
}
const std::vector<std::string_view>& constants() {
  static const std::vector<std::string_view> words = sorted_words(kConstants);
  return words;
}

bool is_operator(std::string_view name) {
  return std::ranges::none_of(name, [](unsigned char c) { return std::isalpha(c) != 0; });
}

void collect(const Node& node, std::set<std::string, std::less<>>& told, Diagnostics& diagnostics) {
  if (node.is_clause() && !is_ludeme(node.text) && told.insert(node.text).second) {
    // The name is behind the parenthesis.
    const std::uint32_t begin = node.where.begin + 1;
    const Range name{begin, begin + static_cast<std::uint32_t>(node.text.size())};
    diagnostics.error(name, fmt::format("there is no ludeme `{}`", node.text), nearest_word(node.text));
  }
  for (const Node& item : node.items) collect(item, told, diagnostics);
}

// The ludeme in "`(move Step` is not translated yet", or "".
std::string missing_in(std::string_view message) {
  if (!message.starts_with('`') || message.find("not translated yet") == std::string_view::npos) return {};
  message.remove_prefix(message.starts_with("`(") ? 2 : 1);
  return std::string(message.substr(0, message.find('`')));
}

}  // namespace

bool is_ludeme(std::string_view name) { return is_operator(name) || std::ranges::binary_search(ludemes(), name); }

std::string nearest_word(std::string_view word) {
  const bool constant = !word.empty() && std::isupper(static_cast<unsigned char>(word.front())) != 0;
  if (is_ludeme(word) || std::ranges::binary_search(constants(), word)) return {};
  return constant ? did_you_mean(word, constants()) : did_you_mean(word, ludemes());
}

void check_spelling(const Node& game, Diagnostics& diagnostics) {
  std::set<std::string, std::less<>> told;
  collect(game, told, diagnostics);
}

void report(const Refused& refused, Diagnostics& diagnostics) {
  std::string hint = refused.hint;
  const std::string missing = refused.missing.empty() ? missing_in(refused.what()) : refused.missing;
  std::string_view rest = missing;
  while (hint.empty() && !rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    hint = nearest_word(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  diagnostics.error(refused.where, refused.what(), std::move(hint)).missing = missing;
}

}  // namespace rgtrans::ludii
