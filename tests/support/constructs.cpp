#include "tests/support/constructs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <regex>

namespace rgtrans::test {

namespace {

// The numbers behind "more than" are those from which a set has a second word, and a value two bytes.
constexpr std::array kRg = std::to_array<Construct>({
    {"comment", R"(^//)"},
    {"set type", R"(type \w+ = \{)"},
    {"alias of a type", R"(type \w+ = \w+;)"},
    {"arrow type", R"(type \w+ = \w+ -> \w+;)"},
    {"nested arrow type", R"(-> \w+ -> )"},
    {"set type without a name", R"((const|var) \w+: \{)"},
    {"source of a map without a name", R"(\} -> )"},
    {"type used before its definition", R"(type \w+ = Later -> )"},
    {"built-in type is declared", R"(type (Bool|Goals|Visibility|PlayerOrSystem) =)"},
    {"built-in variable is declared", R"(var (goals|player|visible):)"},
    {"constant that is a value", R"(const \w+: \w+ = \w+;)"},
    {"constant that is a map", R"(const \w+: [^=]* = \{)"},
    {"constant that names a constant", R"(const \w+: [^=]* = (\{[^;]*[ {:])?(one|way1|plus)\b)"},
    {"initial value that names a constant", R"(var \w+: [^=]* = (way1|one|plus|start);)"},
    {"nested map literal", R"(\{[^}]*\{)"},
    {"default entry first", R"(\{ :[^;]*, )"},
    {"skip", R"(: ;)"},
    {"comparison", R"(: [^;$]+ == )"},
    {"negated comparison", R"(: [^;$]+ != )"},
    {"comparison of maps", R"(: (m|n|board|before|w|way\d|owned\[\w+\]) [=!]= \w+(\[\w+\])?;)"},
    {"assignment", R"(: \w+ = \w+;)"},
    {"assignment to a cell", R"(: \w+\[[^\]]*\] = )"},
    {"assignment to a cell of a map of maps", R"(: \w+(\[\w+\]){2} = )"},
    {"assignment of a map", R"(: (m|n|board|before|w) = )"},
    {"assignment of a part of a map", R"(: (o|w|owned)\[\w+\] = (m|n|w\[|owned|f))"},
    {"any value of a type", R"(= \w+\(\*\);)"},
    {"any value of a type without a name", R"(= \{[^}]*\}\(\*\);)"},
    {"any value into a cell", R"(\] = \w+\(\*\);)"},
    {"check", R"(: \? \w+ -> )"},
    {"negated check", R"(: ! \w+ -> )"},
    {"empty check", R"(: [?!] (\w+) -> \1;)"},
    {"tag", R"(: \$ )"},
    {"tag of a variable", R"(: \$\$ )"},
    {"cast", R"([ \[]\w+\(\w)"},
    {"cast on the left", R"(: \w+\([^*][^;]*\)[^;]* = )"},
    {"index that is a lookup", R"(\[\w+\[)"},
    {"tag that some do not see", R"(visible\[[^\]]*\] = 0)"},
    {"keeper moves", R"(player = keeper)"},
    {"random moves", R"(player = random)"},
    {"the mover is computed", R"(player = (who|PlayerOrSystem|turn))"},
    {"the mover is compared", R"(: player [=!]= )"},
    {"goals are compared", R"(: goals\[[^;]*[=!]=)"},
    {"several edges between two nodes", R"(^(\w+, \w+):[^;]*;[\r\n]+\1:)"},
    {"pragma", R"(^@)"},
    {"unknown pragma", R"(^@note )"},
    {"type of more than 64 values", R"(type \w+ = \{( \w+,){64})"},
    {"type of more than 256 values", R"(type \w+ = \{( \w+,){256})"},
    {"more than 64 players", R"(type Player = \{( \w+,){64})"},
    {"more than 64 scores", R"(type Score = \{( \w+,){64})"},
    {"more than 64 nodes", R"(^\w+, \w+:)", 64},
});

constexpr std::array kHrg = std::to_array<Construct>({
    {"comment", R"(//)"},
    {"plain element", R"(domain \w+ = \w+)"},
    {"upper-case plain element", R"(domain \w+ = (\w+ \| )*[A-Z]\w* ?(\||\n))"},
    {"element that is a domain", R"(domain \w+ = [^\n]*\| (Cell|Player|Square|Place|Spot)\b)"},
    {"generator of one argument", R"(domain \w+ = \w+\(\w+\) where)"},
    {"generator of two arguments", R"(domain \w+ = \w+\(\w+, \w+\) where)"},
    {"generator of three arguments", R"(\w+\(\w+, \w+, \w+\) where)"},
    {"generator with a literal", R"(domain [^\n]*\w+\([A-Z]\w*, [a-z0-9]\w*\) where)"},
    {"several generators in a domain", R"(domain [^\n]*where[^\n]*\| \w+\([^\n]*where)"},
    {"range", R"( in \d+\.\.\d+)"},
    {"set of values in a where", R"(where [^\n]*in \{)"},
    {"domain of integers", R"(domain \w+ = \w+\([A-Z]\) where [A-Z] in \d+\.\.\d+\n)"},
    {"domain after its use", R"(\n\w+ : Late\b[^]*domain Late\b)"},
    {"type without a name", R"(: \{\w+)"},
    {"map of maps", R"(\w+ : \w+ -> \w+ -> )"},
    {"function of one pattern", R"(\n\w+\([^,()\n]+(\([^()\n]*\))?\) = )"},
    {"function of two patterns", R"(\n\w+\(\w+(\([^()\n]*\))?, \w+(\([^()\n]*\))?\) = )"},
    {"function of three patterns", R"(\n\w+\(\w+(\([^()\n]*\))?, \w+(\([^()\n]*\))?, \w+(\([^()\n]*\))?\) = )"},
    {"function that names a function", R"(\n\w+\(\w+\) = (up|side|ahead|flat)\n)"},
    {"function as an alias", R"(\n\w+\(\) = )"},
    {"recursive function", R"(\n(\w+)\([^\n]*\) = [^\n]*\b\1\()"},
    {"wildcard as a pattern", R"(\n\w+\((\w+, )*_(, \w+)*\) = )"},
    {"wildcard inside a pattern", R"(\n\w+\([^=\n]*\w\([^()\n]*_[^()\n]*\)[^=\n]*\) = )"},
    {"literal inside a pattern", R"(\n\w+\([^=\n]*[A-Z]\w*\((\w+, )*[a-z0-9]\w*[,)][^=\n]*\) = )"},
    {"variable as a pattern", R"(\n\w+\((\w+, )*[A-Z]\w*(, \w+)*\) = )"},
    {"call of a function in a function", R"(\n\w+\([^\n]*\) = [^\n]*\b(forward|ahead|inc|shift|more)\()"},
    {"if in a function", R"(\) = [^\n]*if )"},
    {"operator +", R"(\w \+ \w)"},
    {"operator -", R"(\w - \w)"},
    {"operator %", R"( % )"},
    {"operator <", R"( < )"},
    {"operator <=", R"( <= )"},
    {"operator >", R"( > )"},
    {"operator >=", R"( >= )"},
    {"operator in", R"(\) in [A-Z])"},
    {"operator && in a function", R"(\) = [^\n]* && )"},
    {"operator || in a function", R"(\) = [^\n]* \|\| )"},
    {"!= in a function", R"(\) = if [^\n]*!= )"},
    {"variable without an initial value", R"(\n\w+ : \w+\n)"},
    {"map without an initial value", R"(\n\w+ : \w+ -> \w+\n(?!\w+\())"},
    {"initial value that is a map", R"(\n\w+ : [^=\n]* = \{)"},
    {"initial value that is a function", R"(\n\w+ : \w+ -> \w+ = \w+\n)"},
    {"initial value that is a call", R"(\n\w+ : \w+ = [a-z]\w*\()"},
    {"default entry", R"(\{ : )"},
    {"wildcard entry", R"(\{ _ = )"},
    {"literal without a default", R"( = \{ [\w(), ]+ = )"},
    {"entry with a where", R"(\) = [^;{}\n]+ where )"},
    {"nested literal", R"(= \{[^}\n]*\{)"},
    {"goals are declared", R"(\ngoals : )"},
    {"player is declared", R"(\nplayer : )"},
    {"visible is declared", R"(\nvisible : )"},
    {"graph with parameters", R"(graph \w+\(\w+ : )"},
    {"reusable graph", R"(reusable graph)"},
    {"parameter that is a map", R"(graph \w+\([^)]*->)"},
    {"parameter named like a variable", R"(graph \w+\([^)]*\b(here|num) : )"},
    {"inner map as an argument", R"(\b\w+\([^\n()]*(count2|owns)\[\w+\])"},
    {"assignment", R"(\n\s*\w+ = )"},
    {"assignment to a cell", R"(\n\s*\w+\[[^\]]*\] = )"},
    {"assignment to a cell of a map of maps", R"(\n\s*\w+\[[^\]]*\]\[[^\]]*\] = )"},
    {"assignment of a map", R"(\n\s*(keep|dir) = )"},
    {"any value", R"(= \w+\(\*\))"},
    {"any value of a type without a name", R"(= \{[^}]*\}\(\*\))"},
    {"any value into a cell", R"(\] = \w+\(\*\))"},
    {"branch", R"(branch \{)"},
    {"branch with an empty arm", R"(or \{\s*\})"},
    {"branch over a set", R"(branch \w+ in \{)"},
    {"branch over a domain", R"(branch \w+ in \w)"},
    {"loop", R"(loop \{)"},
    {"repeat with a number", R"(repeat \d+ \{)"},
    {"repeat 0", R"(repeat 0 \{)"},
    {"repeat over a set", R"(repeat \w+ in \{)"},
    {"repeat over a domain", R"(repeat \w+ in \w)"},
    {"while", R"(while )"},
    {"while at the start of an arm", R"(branch \{\s*while)"},
    {"forall", R"(forall )"},
    {"if", R"(\n\s*if )"},
    {"if with else", R"(\} else \{)"},
    {"else if", R"(\} else if )"},
    {"end()", R"(end\(\))"},
    {"return()", R"(return\(\))"},
    {"break()", R"(break\(\))"},
    {"continue()", R"(continue\(\))"},
    {"tag", R"(\$ \w)"},
    {"tag of several words", R"(\$ \()"},
    {"artificial tag", R"(\$_)"},
    {"tag with the name of a loop", R"(branch (\w+) in [^$]*\$ (\1|\(\w+ \1\))\s)"},
    {"tag of a variable", R"(\$\$ )"},
    {"access by call", R"(= \w+\(\w+\)\n|== \w+\(\w+\)|\[\w+\(\w+\)\])"},
    {"access by call of several arguments", R"(less\([\w\[\]]+, [\w\[\]]+\))"},
    {"chained call", R"(\w\([\w\[\]]+\)\()"},
    {"arithmetic in a constructor in a graph", R"(\[[A-Z]\w*\([^)]*[A-Z0-9] [+-] \w+[^)]*\)\])"},
    {"and in a condition", R"((check|if|while)[^\n]* && )"},
    {"or in a condition", R"((check|if|while)[^\n]* \|\| )"},
    {"not", R"(not\()"},
    {"!", R"(!\()"},
    {"true()", R"(true\(\))"},
    {"false()", R"(false\(\))"},
    {"reachable", R"(reachable\()"},
    {"comparison of maps", R"((keep|dir) [=!]= )"},
    {"random moves", R"(player = random)"},
    {"the mover is computed", R"(player = (me|who))"},
    {"tag that some do not see", R"(visible\[[^\]]*\] = 0)"},
    {"domain of more than 64 elements", R"(\(\w+, \w+\) where \w+ in \d\.\.([7-9]|1\d), \w+ in \d\.\.([89]|1\d))"},
    {"domain of more than 256 elements", R"(\(\w+, \w+\) where \w+ in \d\.\.16, \w+ in \d\.\.15)"},
    {"integers beyond 64", R"( in 0\.\.([7-9]\d|\d{3}))"},
    {"more than 64 players", R"(domain Player = \w+\(\w+\) where \w+ in 0\.\.([7-9]\d))"},
});

constexpr std::array kRbg = std::to_array<Construct>({
    {"comment to the end of a line", R"(//)"},
    {"comment between marks", R"(/\*)"},
    {"sections in another order", R"(#rules[^]*#(pieces|players|variables|board))"},
    {"macro", R"(#(?!players|pieces|variables|board|rules)\w+ =)"},
    {"macro with parameters", R"(#\w+\(\w)"},
    {"macros of one name", R"(#(\w+)\(\w+\) =[^]*#\1\(\w+; ?\w+\) =)"},
    {"gluing", R"(~)"},
    {"empty argument", R"(\w\(\)|; ?\)|\( ?;)"},
    {"unbalanced argument", R"(\(\{; ?\}\))"},
    {"three players or more", R"(#players = \w+\(\d+\), \w+\(\d+\), \w)"},
    {"player with a name of the system", R"(#players = [^#]*\b(keeper|random)\b)"},
    {"name that is a word of RG", R"(\b(const|type|var|begin|end)\b)"},
    {"no variables", R"(#variables =\s*#)"},
    {"graph", R"(\]\{\w+:)"},
    {"vertex without edges", R"(\]\{\})"},
    {"rectangle", R"(rectangle\()"},
    {"hexagon", R"(hexagon\()"},
    {"cuboid", R"(cuboid\()"},
    {"hole", R"(\[,|, ?,|, ?\])"},
    {"shift", R"(\b(l|r|up|left|ne|front)\b)"},
    {"sum", R"( \+ )"},
    {"star", R"(\)\*)"},
    {"star of a label", R"(\w\*)"},
    {"power", R"(\^\d)"},
    {"on", R"(\{\w+\})"},
    {"on of several", R"(\{\w+, ?\w+\})"},
    {"on of none", R"(\{\})"},
    {"off", R"(\[\w+\])"},
    {"off of several", R"( \[\w+, ?\w+\] )"},
    {"assignment", R"(\[\$ )"},
    {"several assignments", R"(\[\$ [^\]]*,)"},
    {"comparison ==", R"(\{\$ [^}]*==)"},
    {"comparison !=", R"(\{\$ [^}]*!=)"},
    {"comparison <", R"(\{\$ [^}=]*< )"},
    {"comparison <=", R"(\{\$ [^}]*<=)"},
    {"comparison >", R"(\{\$ [^}=]*> )"},
    {"comparison >=", R"(\{\$ [^}]*>=)"},
    {"operator +", R"([{\[]\$ [^}\]]* \+ )"},
    {"operator -", R"([{\[]\$ [^}\]]* - )"},
    {"operator *", R"([{\[]\$ [^}\]]* \* )"},
    {"operator /", R"([{\[]\$ [^}\]]* / )"},
    {"unary +", R"([{\[]\$ [^}\]]*(=|\() ?\+\d)"},
    {"piece in arithmetic", R"([{\[]\$ [^}\]]*(\be\b|\bx\b|\bo\b))"},
    {"player in arithmetic", R"([{\[]\$ ([^}\]]*[ (])?[ab]\b)"},
    {"question", R"(\{\? )"},
    {"negated question", R"(\{! )"},
    {"question in a question", R"(\{[?!][^}]*\{[?!])"},
    {"change in a question", R"(\{[?!] [^}\]]*\[)"},
    {"switch to a player", R"(->\w)"},
    {"switch to the keeper", R"(->>)"},
    {"power of a switch", R"(->>\^)"},
    {"noop", R"( \. )"},
    {"end of the play", R"(->> \{\})"},
    {"bound of more than 255", R"(\((2[6-9]\d|[3-9]\d\d|\d{4,})\))"},
    {"more than 64 pieces", R"(#pieces = (\w+, ){64})"},
    {"more than 64 vertices", R"(\[[exow]\]\{|[\[,] ?[exow](?=[,\]]))", 64},
    {"more than 256 vertices", R"(\[[exow]\]\{|[\[,] ?[exow](?=[,\]]))", 256},
});

constexpr std::array kLudax = std::to_array<Construct>({
    {"comment", R"(//|;;)"},
    {"square", R"(\(square )"},
    {"rectangle", R"(\(rectangle )"},
    {"hexagon", R"(\(hexagon )"},
    {"hex_rectangle", R"(\(hex_rectangle )"},
    {"start", R"(\(start )"},
    {"once-through", R"(once-through)"},
    {"once_through", R"(once_through)"},
    {"repeat", R"(\(repeat )"},
    {"several phases", R"(\((once-through|repeat) [^]*\((once-through|repeat) )"},
    {"P2 moves first", R"(\((once-through|repeat) \(P2)"},
    {"two moves in a row", R"(\((once-through|repeat) \([^)]*(P1 P1|P2 P2))"},
    {"place opponent", R"(\(place opponent)"},
    {"place mover", R"(\(place mover)"},
    {"result", R"(\(result )"},
    {"effects", R"(\(effects )"},
    {"force_pass", R"(\(force_pass\))"},
    {"capture", R"(\(capture )"},
    {"capture of a side",
     R"(\(capture ((?!\(capture|\(flip|_score)[^\n])* (mover|opponent)( increment_score:true)?\))"},
    {"capture that counts", R"(increment_score:true)"},
    {"capture that does not count", R"(increment_score:false)"},
    {"flip", R"(\(flip )"},
    {"increment_score", R"(\(increment_score )"},
    {"set_score", R"(\(set_score )"},
    {"destination that is occupied", R"(destination (occupied|\(occupied))"},
    {"empty", R"(\bempty\b)"},
    {"occupied", R"( occupied\b)"},
    {"occupied by a side", R"(\(occupied )"},
    {"center", R"(\bcenter\b)"},
    {"corners", R"(\bcorners\b)"},
    {"and, or, not of masks", R"(\(and \w+ \(or[^]*\(not|\(not[^]*\(or[^]*\(and|\(or[^]*\(and[^]*\(not)"},
    {"and of one", R"(\(and( \w+| \(\w+ \w+\))\))"},
    {"adjacent", R"(\(adjacent )"},
    {"adjacent in a direction", R"(\(adjacent [^\n]* direction:)"},
    {"custodial with a number", R"(\(custodial \d)"},
    {"custodial any", R"(\(custodial any)"},
    {"custodial of a side", R"(\(custodial \w+ (mover|opponent))"},
    {"custodial in an orientation", R"(\(custodial \w+( \w+)? orientation:)"},
    {"edge", R"(\(edge )"},
    {"edge of a hexagon", R"(\(edge \w+_)"},
    {"prev_move", R"(\(prev_move )"},
    {"number", R"(>= \d|= \d)"},
    {"add", R"(\(add )"},
    {"multiply", R"(\(multiply )"},
    {"subtract", R"(\(subtract )"},
    {"count", R"(\(count )"},
    {"score", R"(\(score )"},
    {"line", R"(\(line )"},
    {"line in an orientation", R"(\(line \d+ orientation:)"},
    {"line that is exact", R"(exact:true)"},
    {"line that need not be exact", R"(exact:false)"},
    {"connected corners", R"(\(connected corners)"},
    {"connected edges", R"(\(connected edges )"},
    {"connected edgesNoCorners", R"(\(connected edgesNoCorners)"},
    {"connected masks", R"(\(connected \()"},
    {"connected in a direction", R"(\(connected [^\n]* direction:)"},
    {"predicate that is a function", R"(\(if \((line|count|connected|score|add|subtract|multiply) )"},
    {"not of a predicate", R"(\(not \((=|>=|<=|exists|full_board|mover_is|passed|line|not))"},
    {"=", R"(\(= )"},
    {">=", R"(\(>= )"},
    {"<=", R"(\(<= )"},
    {"exists", R"(\(exists )"},
    {"full_board", R"(\(full_board\))"},
    {"mover_is", R"(\(mover_is )"},
    {"passed by a side", R"(\(passed (mover|opponent))"},
    {"passed by both", R"(\(passed both)"},
    {"win", R"(win\))"},
    {"lose", R"(lose\))"},
    {"draw", R"(\(draw\))"},
    {"by_score", R"(\(by_score\))"},
    {"more than 64 cells", R"(\(square (9|1\d)\)|\(hexagon (11|13)\)|rectangle (9|1\d) (9|1\d)\))"},
    {"more than 256 cells", R"(\(square 17\)|rectangle 17 17\))"},
});

constexpr std::array kLineGames = std::to_array<Construct>({
    {"point", R"("kind": "point")"},
    {"grid", R"("kind": "grid")"},
    {"alquerque", R"("kind": "alquerque")"},
    {"square_with_diagonals", R"("kind": "square_with_diagonals")"},
    {"circle", R"("kind": "circle")"},
    {"custom", R"("kind": "custom")"},
    {"directions of a custom board", R"("directions": )"},
    {"triangle", R"("triangles": )"},
    {"triangle at a point", R"("root": )"},
    {"more points", R"("points": \[\{"name")"},
    {"place of a point", R"("at": )"},
    {"more lines", R"("lines": )"},
    {"fewer points", R"("remove": )"},
    {"title", R"("title": )"},
    {"rows", R"("rows": \{)"},
    {"halves", R"("halves": )"},
    {"middle row empty", R"("middle_row": "empty")"},
    {"middle row of the west", R"("middle_row": "west-north")"},
    {"middle row of the east", R"("middle_row": "east-north")"},
    {"spokes", R"("player": "\w+", "spokes": )"},
    {"pieces of a triangle", R"("triangle": )"},
    {"pieces on points", R"("player": "\w+", "points": )"},
    {"clear", R"("clear": )"},
    {"replace", R"("replace": )"},
    {"king at the start", R"("king": true)"},
    {"no captures", R"("captures": "none")"},
    {"optional captures", R"("captures": "optional")"},
    {"mandatory captures", R"("captures": "mandatory")"},
    {"single capture", R"("sequence": "single")"},
    {"whole sequences", R"("sequence": "whole")"},
    {"stepwise sequences", R"("sequence": "stepwise")"},
    {"steps forward", R"("steps": "forward")"},
    {"steps not backward", R"("steps": "not-backward")"},
    {"jumps forward", R"("jumps": "forward")"},
    {"jumps not backward", R"("jumps": "not-backward")"},
    {"flying kings", R"("flying": "kings")"},
    {"all fly", R"("flying": "all")"},
    {"promotion on the far row", R"("promotion": "far-row")"},
    {"promotion on points", R"("promotion": \{)"},
    {"goals", R"("goals": )"},
    {"fewest pieces", R"("min_pieces": )"},
    {"no move is a draw", R"("no_move": "draw")"},
    {"no move wins", R"("no_move": "win")"},
    {"stagnation", R"("stagnation": )"},
    {"limit of turns", R"("max_turns": )"},
    {"no limit of turns", R"(^((?!max_turns)[^])*$)"},
    {"draw at the limit", R"("on_limit": "draw")"},
    {"black begins", R"("first": "black")"},
    {"scores", R"("scores": )"},
    {"published labels", R"("compat": "published")"},
    {"more than 64 points",
     R"("width": (9|1\d), "height": (9|1\d)|"squares_x": [5-9], "squares_y": [5-9]|"rings": (9|1\d))"},
    {"more than 256 points", R"("width": 17, "height": 1[79]|"rings": 3\d)"},
    {"more than 256 turns", R"("max_turns": \d{3})"},
});

// Searching all of a long text for "anything but" takes regular expressions of this library a deep stack.
constexpr std::size_t kMostRead = 12'000;

struct Compiled {
  std::vector<std::regex> patterns;
};

const Compiled& compiled(std::string_view language) {
  static std::map<std::string, Compiled, std::less<>> all;
  const auto [found, added] = all.try_emplace(std::string(language));
  if (added) {
    for (const Construct& construct : constructs_of(language))
      found->second.patterns.emplace_back(std::string(construct.pattern),
                                          std::regex::ECMAScript | std::regex::optimize | std::regex::multiline);
  }
  return found->second;
}

}  // namespace

std::span<const Construct> constructs_of(std::string_view language) {
  if (language == "rg") return kRg;
  if (language == "hrg") return kHrg;
  if (language == "rbg") return kRbg;
  if (language == "ludax") return kLudax;
  return kLineGames;
}

ConstructCount::ConstructCount(std::string_view language)
    : language_(language), constructs_(constructs_of(language)), counts_(constructs_.size()) {}

void ConstructCount::add(const std::string& text) {
  ++games_;
  const std::string read = text.substr(0, kMostRead);
  const Compiled& patterns = compiled(language_);
  for (std::size_t i = 0; i < constructs_.size(); ++i) {
    const std::size_t needed = constructs_[i].more_than + 1;
    const std::sregex_iterator first(read.begin(), read.end(), patterns.patterns[i]);
    std::size_t found = 0;
    for (std::sregex_iterator it = first; it != std::sregex_iterator() && found < needed; ++it) ++found;
    if (found >= needed) ++counts_[i];
  }
}

std::vector<std::string> ConstructCount::missing() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < constructs_.size(); ++i) {
    if (counts_[i] == 0) names.emplace_back(constructs_[i].name);
  }
  return names;
}

std::string ConstructCount::report() const {
  std::string text;
  for (std::size_t i = 0; i < constructs_.size(); ++i)
    text += fmt::format("{:8} {}\n", counts_[i], constructs_[i].name);
  return text;
}

}  // namespace rgtrans::test
