// A text of Ludii declares its game, defines, options, pieces and regions; their names are strings. The constructs
// around a place determine which words can occur there.
#include "frontends/ludii/editing.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "frontends/ludii/description.hpp"
#include "frontends/ludii/equipment/equipment.hpp"
#include "frontends/ludii/spelling.hpp"
#include "frontends/nesting.hpp"

namespace rgtrans::ludii {

namespace {

using namespace outline;

const Lexicon kLexicon{.line_comment = "//", .name_characters = "", .strings = true};

enum Place : unsigned {
  kAtTop = 1,
  kInGame = 2,
  kInEquipment = 4,
  kInBoard = 8,
  kInRules = 16,
  kInStart = 32,
  kInRule = 64,
  kInEnd = 128,
  kInOption = 256,
};

constexpr auto kWords = std::to_array<LanguageWord>({
    {"game", "`(game \"Name\" (players 2) (equipment {…}) (rules …))`",
     "game \"${1:Name}\"\n    (players 2)\n    (equipment {\n        (board (square ${2:3}))\n        (piece "
     "\"${3:Disc}\" Each)\n    })\n    (rules\n        (play (move Add (to (sites Empty))))\n        (end (if (is Line "
     "3) (result Mover Win)))\n    )\n",
     kAtTop},
    {"define", "`(define \"Name\" text)`: a name for a piece of text, in which #1 is the first argument of its use.",
     "define \"${1:Name}\" ${2}", kAtTop},
    {"option", "`(option \"Name\" <Tag> args:{ <a> } { (item \"Choice\" <text> \"…\") })`: a choice, for --option.",
     "option \"${1:Board Size}\" <${2:Size}> args:{ <a> } {\n    (item \"${3:8x8}\" <${4:8}> \"\")*\n}", kAtTop},
    {"rulesets", "`(rulesets { (ruleset \"Ruleset/Name\" { \"Option/Choice\" }) })`: combinations of choices.",
     "rulesets {\n    (ruleset \"Ruleset/${1:Name}\" { \"${2:Board Size}/${3:8x8}\" })\n}", kAtTop},
    {"item", "`(item \"Choice\" <text> \"description\")`; stars behind it mark the default.",
     "item \"${1:Choice}\" <${2}> \"\"", kInOption},
    {"ruleset", "`(ruleset \"Ruleset/Name\" { \"Option/Choice\" })`", "ruleset \"Ruleset/${1:Name}\" { $2 }",
     kInOption},
    {"players", "`(players 2)`, or `(players {(player N) (player S)})` with the directions that their pieces face.",
     "players ${1:2}", kInGame},
    {"player", "`(player N)`: the pieces of the player face north.", "player ${1:N}", kInGame},
    {"equipment", "`(equipment { (board …) (piece …) })`", "equipment {\n    (board (square ${1:8}))\n    $2\n}",
     kInGame},
    {"rules", "`(rules (start …) (play …) (end …))`", "rules\n    (play $1)\n    (end $2)\n", kInGame},
    {"board", "`(board graph use:Vertex)`: pieces stand on cells, or on vertices or edges.", "board (${1:square 8})",
     kInEquipment},
    {"piece", "`(piece \"Name\" Each moves)`: a kind of piece, and how it moves for `(forEach Piece)`.",
     "piece \"${1:Disc}\" ${2:Each}", kInEquipment},
    {"regions", "`(regions \"Name\" P1 sites)`: named sites, perhaps of a player.", "regions ${1:P1} (sites ${2:Top})",
     kInEquipment},
    {"map", "`(map \"Name\" {(pair 1 2)})`: numbers by numbers.", "map \"${1:Name}\" {(pair $2 $3)}", kInEquipment},
    {"hand", "`(hand Each)`: a place of the player beside the board.", "hand ${1:Each}", kInEquipment},
    {"dice", "`(dice d:6 num:2)`", "dice d:${1:6} num:${2:2}", kInEquipment},
    {"track", "`(track \"Name\" \"0,E,N,W\" loop:True)`: sites in an order.", "track \"${1:Track}\" \"${2}\"",
     kInEquipment | kInBoard},
    {"square", "`(square n)`: n rows of n sites; `diagonals:Alternating` and the like add lines.", "square ${1:8}",
     kInBoard},
    {"rectangle", "`(rectangle rows columns)`", "rectangle ${1:6} ${2:7}", kInBoard},
    {"hex", "`(hex n)`: a hexagon of hexagons with n at each side; also `(hex Diamond n)`, `(hex Triangle n)`.",
     "hex ${1:5}", kInBoard},
    {"tri", "`(tri n)`: triangles; `use:Vertex` makes their corners the sites.", "tri ${1:5}", kInBoard},
    {"concentric", "`(concentric Square rings:3)`, `(concentric {8 8 8})`: rings about a centre.",
     "concentric ${1:Square} rings:${2:3}", kInBoard},
    {"spiral", "`(spiral turns:4 sites:80)`", "spiral turns:${1:4} sites:${2:80}", kInBoard},
    {"wedge", "`(wedge rows columns)`: lines from a point.", "wedge ${1:3}", kInBoard},
    {"tiling", "`(tiling T488 n)`: a tiling by regular polygons.", "tiling ${1:T488} ${2:4}", kInBoard},
    {"graph", "`(graph vertices:{{0 0}…} edges:{{0 1}…})`: any graph.", "graph vertices:{${1}} edges:{${2}}", kInBoard},
    {"mancalaBoard", "`(mancalaBoard rows columns …)`: rows of pits.", "mancalaBoard ${1:2} ${2:6}", kInEquipment},
    {"add", "`(add graph vertices:{…} edges:{…})`", "add ($1) edges:{$2}", kInBoard},
    {"remove", "`(remove graph cells:{…})`", "remove ($1) cells:{$2}", kInBoard},
    {"merge", "`(merge graph graph)`: joins graphs; equal places become one.", "merge ($1) ($2)", kInBoard},
    {"union", "`(union graph graph)`: puts graphs side by side.", "union ($1) ($2)", kInBoard},
    {"shift", "`(shift x y graph)`", "shift ${1:1} ${2:0} ($3)", kInBoard},
    {"rotate", "`(rotate degrees graph)`", "rotate ${1:90} ($2)", kInBoard},
    {"scale", "`(scale x y graph)`", "scale ${1:2} ($2)", kInBoard},
    {"dual", "`(dual graph)`: cells become vertices.", "dual ($1)", kInBoard},
    {"subdivide", "`(subdivide graph min:n)`: cells become triangles about their centres.", "subdivide ($1)", kInBoard},
    {"trim", "`(trim graph)`: removes edges that border no cell.", "trim ($1)", kInBoard},
    {"keep", "`(keep graph (poly …))`: removes all that is outside of a polygon.", "keep ($1) (poly {$2})", kInBoard},
    {"hole", "`(hole graph (poly …))`: removes cells within a polygon.", "hole ($1) (poly {$2})", kInBoard},
    {"start", "`(start { (place \"Disc1\" (sites Bottom)) })`",
     "start {\n    (place \"${1:Disc1}\" (sites "
     "${2:Bottom}))\n}",
     kInRules},
    {"play", "`(play moves)`: the moves of the player whose turn it is.", "play ${1:(forEach Piece)}", kInRules},
    {"phases", "`phases:{ (phase \"Name\" (play …) (nextPhase …)) }`",
     "phases:{\n    (phase \"${1:Name}\" (play $2))\n}", kInRules},
    {"end", "`(end { (if condition (result Mover Win)) })`: tried in this order after each move.",
     "end (if ${1:(is Line 3)} (result ${2:Mover} ${3:Win}))", kInRules},
    {"meta", "`(meta …)`: rules about all moves.", "meta ($1)", kInRules},
    {"place", "`(place \"Disc1\" sites)`: pieces that are there at first.", "place \"${1:Disc1}\" (sites ${2:Bottom})",
     kInStart},
    {"if", "`(if condition then else)`", "if ($1) ($2)", kInRule | kInEnd},
    {"result", "`(result Mover Win)`: how the play ends.", "result ${1:Mover} ${2:Win}", kInEnd},
});

bool is_word(std::string_view text) { return std::ranges::find(kWords, text, &LanguageWord::text) != kWords.end(); }
bool is_section(std::string_view text) {
  return text == "equipment" || text == "rules" || text == "play" || text == "end" || text == "start" ||
         text == "phase";
}

// Defines take the arguments #1 … #9, and pieces get the numbers of their owners.
class OutlineReader {
 public:
  explicit OutlineReader(std::string_view text) : out_(text, kLexicon), text_(text) {}

  Outline run() {
    for (std::size_t i = 1; i < out_.size(); ++i) {
      if (out_.is(i - 1, "(")) declare(i);
    }
    for (std::size_t i = 0; i < out_.size(); ++i) {
      if (out_.is_string(i)) use(i);
      if (out_.is(i, "<") && out_.is_name(i + 1) && adjacent(i) && (out_.is(i + 2, ">") || out_.is(i + 2, ":")) &&
          adjacent(i + 1)) {
        if (const NameId tag = out_.find(out_.text(i + 1), 1); tag != kNone) refer(i + 1, tag);
      }
      if (i > 0 && out_.is(i - 1, "(") && out_.is_name(i) && is_word(out_.text(i))) out_.keyword(i);
    }
    Outline outline = out_.finish();
    std::ranges::sort(outline.occurrences, {}, [](const Occurrence& o) { return o.at.begin; });
    return outline;
  }

 private:
  [[nodiscard]] bool adjacent(std::size_t word) const { return out_.at(word).end == out_.at(word + 1).begin; }

  void declare(std::size_t i) {
    const std::string_view head = out_.text(i);
    const std::size_t close = out_.closing(i - 1, out_.size());
    const Span whole = out_.span(i - 1, close + 1);
    const NameId parent = nesting_.around(i);
    const bool named = out_.is_string(i + 1) && i + 1 < close;
    if (named && (head == "game" || head == "match")) {
      add(DeclaredKind::game, i + 1, whole, parent, i - 1).needed = true;
      out_.declaration(out_.last()).name = unquoted(out_.text(i + 1), "game");
      nesting_.enter(out_.last(), close);
    } else if (named && head == "define") {
      Declaration& define = add(DeclaredKind::macro, i + 1, whole, parent, i - 1);
      define.signature = out_.line(i - 1, close + 1);
      for (char number = '1'; number <= '9'; ++number) {
        if (whole.of(text_).find(std::string{'#', number}) != std::string_view::npos)
          define.parameters = parameters(number);
      }
      define.callable = !define.parameters.empty();
      publish();
    } else if (named && head == "option") {
      if (!out_.is(i + 2, "<") || !out_.is_name(i + 3)) return;
      Declaration& tag = add(DeclaredKind::constant, i + 3, whole, parent, i - 1);
      tag.signature = out_.line(i - 1, i + 5);
      out_.publish(out_.last(), 1);
    } else if (named && (head == "piece" || head == "regions" || head == "track" || head == "map") && parent != kNone &&
               out_.declaration(parent).name == "equipment") {
      add(DeclaredKind::element, i + 1, whole, parent, i - 1).needed = true;
      publish();
    } else if (is_section(head)) {
      add(DeclaredKind::key, i, whole, parent, i - 1).needed = true;
      nesting_.enter(out_.last(), close);
    }
  }

  Declaration& add(DeclaredKind kind, std::size_t word, Span whole, NameId parent, std::size_t first) {
    Declaration& declared = out_.declare(kind, word, whole, parent);
    declared.signature = out_.line(first, word + 1);
    declared_.push_back(word);
    return declared;
  }
  void publish() { out_.publish(out_.last()); }

  static std::vector<std::string> parameters(char last) {
    std::vector<std::string> result;
    for (char number = '1'; number <= last; ++number) result.push_back({'#', number});
    return result;
  }

  void use(std::size_t i) {
    if (std::ranges::binary_search(declared_, i)) return;
    const std::string_view written = out_.text(i);
    NameId name = out_.find(written);
    if (name != kNone) return refer(i, name);
    // "Disc2" is the disc of the second player.
    std::string_view inner = written.substr(1, written.size() - (written.ends_with('"') ? 2 : 1));
    std::size_t length = inner.size();
    while (length > 0 && std::isdigit(static_cast<unsigned char>(inner[length - 1])) != 0) --length;
    name = out_.find('"' + std::string(inner.substr(0, length)) + '"');
    if (name == kNone || length == inner.size()) return;
    const std::uint32_t begin = out_.at(i).begin + 1;
    out_.use({begin, begin + static_cast<std::uint32_t>(length)}, name, Use::reads);
  }
  void refer(std::size_t i, NameId name) {
    if (std::ranges::binary_search(declared_, i)) return;
    const bool called = i > 0 && out_.is(i - 1, "(");
    out_.use(i, name, called ? Use::calls : Use::reads);
  }

  Outliner out_;
  std::string_view text_;
  Nesting nesting_;
  std::vector<std::size_t> declared_;  // the words that declare, in ascending order
};

Outline read(std::string_view text) { return OutlineReader(text).run(); }

// The list around a place determines the possible words.
Wanted wanted(const Outline& outline, std::string_view text, std::size_t at) {
  const std::vector<std::string_view> heads = heads_around(outline, text, at);
  const bool at_head = !heads.empty() && heads.front().empty();
  constexpr unsigned kNames = kind_bits(DeclaredKind::macro);
  if (!at_head) return {kind_bits(DeclaredKind::macro, DeclaredKind::element, DeclaredKind::constant), 0};
  if (heads.size() == 1) return {0, kAtTop};
  static constexpr std::pair<std::string_view, unsigned> kInside[] = {
      {"game", kInGame},       {"players", kInGame}, {"equipment", kInEquipment}, {"board", kInBoard},
      {"rules", kInRules},     {"start", kInStart},  {"phase", kInRules},         {"option", kInOption},
      {"rulesets", kInOption}, {"end", kInEnd}};
  for (std::size_t i = 1; i < heads.size(); ++i) {
    for (const auto& [name, places] : kInside) {
      if (heads[i] != name) continue;
      // Conditions and moves may be anywhere below the rules.
      const bool deeper = i > 1;
      if (name == "board") return {kNames, kInBoard};
      if (name == "end") return {kNames, deeper ? kInRule | kInEnd : kInEnd};
      return {kNames, deeper && name != "game" ? static_cast<unsigned>(kInRule) : places};
    }
  }
  return {kNames, kInRule};
}

bool is_name(std::string_view name) {
  const std::size_t inner =
      name.size() > 1 && name.front() == '"' && name.back() == '"' ? name.size() - 2 : name.size();
  const std::size_t first = inner == name.size() ? 0 : 1;
  return inner > 0 && name.substr(first, inner).find_first_of("\"\n") == std::string_view::npos;
}

// Stops before the lowering, which may take long.
void check(const Sources::File& file, Diagnostics& diagnostics) {
  try {
    const Description description = read_description(file, *diagnostics.sources());
    check_spelling(*description.game, diagnostics);
    if (!diagnostics.has_errors()) read_equipment(*description.players, *description.equipment);
  } catch (const Refused& refused) {
    report(refused, diagnostics);
  }
}

}  // namespace

const Editing& editing() {
  static const Editing kEditing{.words = kWords,
                                .outline = read,
                                .wanted = wanted,
                                .is_name = is_name,
                                .triggers = "(\"<",
                                .separator = " ",
                                .lists = true,
                                .check = check};
  return kEditing;
}

}  // namespace rgtrans::ludii
