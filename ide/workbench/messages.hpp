// The messages of a workbench: the request, reply and progress of each verb. Here are those about texts and automata;
// play_messages.hpp has those about plays. ide/studio/src/messages.ts is generated from them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "ide/workbench/wire.hpp"

namespace rgtrans::ide {

// --- Places in a text. ---

// For people: lines and columns from 1, columns in code points.
struct TextPlace {
  static constexpr std::string_view kName = "TextPlace";
  std::uint32_t line = 0, column = 0, end_line = 0, end_column = 0;
  static void fields(auto& visit) {
    visit("line", &TextPlace::line, "from 1");
    visit("column", &TextPlace::column, "from 1, in code points");
    visit("endLine", &TextPlace::end_line);
    visit("endColumn", &TextPlace::end_column);
  }
};

// For editors: lines from 0, characters in the units that client and server have agreed on.
struct TextPosition {
  static constexpr std::string_view kName = "TextPosition";
  std::uint32_t line = 0, character = 0;
  static void fields(auto& visit) {
    visit("line", &TextPosition::line, "from 0");
    visit("character", &TextPosition::character, "from 0, in the units of the editor");
  }
};
struct TextRange {
  static constexpr std::string_view kName = "TextRange";
  TextPosition start, end;
  static void fields(auto& visit) {
    visit("start", &TextRange::start);
    visit("end", &TextRange::end);
  }
};

// --- Documents. ---

struct Nothing {
  static constexpr std::string_view kName = "Nothing";
  static void fields(auto& /*visit*/) {}
};

struct LanguageEntry {
  static constexpr std::string_view kName = "LanguageEntry";
  std::string name, title;
  std::vector<std::string> extensions;
  static void fields(auto& visit) {
    visit("name", &LanguageEntry::name);
    visit("title", &LanguageEntry::title);
    visit("extensions", &LanguageEntry::extensions, "with the dot");
  }
};
struct PassEntry {
  static constexpr std::string_view kName = "PassEntry";
  std::string name, help;
  int level = 0;
  static void fields(auto& visit) {
    visit("name", &PassEntry::name);
    visit("help", &PassEntry::help);
    visit("level", &PassEntry::level, "from which on it runs without being named");
  }
};
struct HelloReply {
  static constexpr std::string_view kName = "HelloReply";
  std::vector<LanguageEntry> languages;
  std::vector<std::string> presets;
  std::vector<PassEntry> passes;
  std::string folder;
  std::vector<std::string> files;
  static void fields(auto& visit) {
    visit("languages", &HelloReply::languages);
    visit("presets", &HelloReply::presets, "games that come with the program");
    visit("passes", &HelloReply::passes);
    visit("folder", &HelloReply::folder);
    visit("files", &HelloReply::files, "of the folder");
  }
};

struct ReadRequest {
  static constexpr std::string_view kName = "ReadRequest";
  std::optional<std::string> preset, name;
  static void fields(auto& visit) {
    visit("preset", &ReadRequest::preset);
    visit("name", &ReadRequest::name, "of a file of the folder");
  }
};
struct TextReply {
  static constexpr std::string_view kName = "TextReply";
  std::string text;
  static void fields(auto& visit) { visit("text", &TextReply::text); }
};
struct SaveRequest {
  static constexpr std::string_view kName = "SaveRequest";
  std::string name, text;
  static void fields(auto& visit) {
    visit("name", &SaveRequest::name);
    visit("text", &SaveRequest::text);
  }
};

// The settings of the optimizer.
struct OptimizerSettings {
  static constexpr std::string_view kName = "OptimizerSettings";
  int level = 2;
  std::optional<std::vector<std::string>> passes;
  static void fields(auto& visit) {
    visit.maybe("level", &OptimizerSettings::level, "0 to 2", Between{0, 2});
    visit("passes", &OptimizerSettings::passes, "exactly these, once each");
  }
};

// A position that somebody set up, in the names of RG.
struct CellValue {
  static constexpr std::string_view kName = "CellValue";
  std::string variable, key, value;
  static void fields(auto& visit) {
    visit("variable", &CellValue::variable);
    visit("key", &CellValue::key, "keys of a map with blanks between them; empty for a scalar");
    visit("value", &CellValue::value);
  }
};
struct PositionSetup {
  static constexpr std::string_view kName = "PositionSetup";
  std::string node, player;
  std::vector<std::string> goals;
  std::vector<CellValue> cells;
  static void fields(auto& visit) {
    visit("node", &PositionSetup::node, "where the next move begins");
    visit("player", &PositionSetup::player);
    visit("goals", &PositionSetup::goals, "by player");
    visit("cells", &PositionSetup::cells, "that differ from those of the text");
  }
};

struct OpenRequest : OptimizerSettings {
  static constexpr std::string_view kName = "OpenRequest";
  std::string name, language, text;
  std::optional<PositionSetup> setup;
  static void fields(auto& visit) {
    OptimizerSettings::fields(visit);
    visit.maybe("name", &OpenRequest::name, "for messages, and to determine the language");
    visit.maybe("language", &OpenRequest::language);
    visit("text", &OpenRequest::text);
    visit("setup", &OpenRequest::setup, "where plays begin instead");
  }
};

enum class ComplaintGrade : std::uint8_t { error, warning };
template <>
struct EnumWords<ComplaintGrade> {
  static constexpr std::array<std::string_view, 2> kWords = {"error", "warning"};
};
// Something is wrong with a text, or suspicious.
struct Complaint {
  static constexpr std::string_view kName = "Complaint";
  std::string message, hint;
  ComplaintGrade severity = ComplaintGrade::error;
  std::optional<TextPlace> place;
  static void fields(auto& visit) {
    visit("message", &Complaint::message);
    visit("hint", &Complaint::hint);
    visit("severity", &Complaint::severity);
    visit("place", &Complaint::place);
  }
};
struct OpenReply {
  static constexpr std::string_view kName = "OpenReply";
  std::vector<std::string> players;
  std::vector<Complaint> warnings;
  bool hides = false;
  std::size_t nodes = 0, edges = 0;
  static void fields(auto& visit) {
    visit("players", &OpenReply::players);
    visit("warnings", &OpenReply::warnings, "about display hints");
    visit("hides", &OpenReply::hides, "not everybody sees every move");
    visit("nodes", &OpenReply::nodes);
    visit("edges", &OpenReply::edges);
  }
};

// --- The automaton. ---

// Which form of the game: that of a level of optimization, that of the settings it was opened with, or as written.
struct WhichGame {
  static constexpr std::string_view kName = "WhichGame";
  std::optional<int> level;
  bool optimized = false;
  static void fields(auto& visit) {
    visit("level", &WhichGame::level, "of the optimizer, 0 to 2", Between{0, 2});
    visit.maybe("optimized", &WhichGame::optimized, "as the game was opened");
  }
};

struct TranslateRequest : WhichGame {
  static constexpr std::string_view kName = "TranslateRequest";
  std::string to = "rg";
  static void fields(auto& visit) {
    WhichGame::fields(visit);
    visit.maybe("to", &TranslateRequest::to, "rg, json, dot, stats, page, or a form of the language");
  }
};

struct ExplainRequest : WhichGame {
  static constexpr std::string_view kName = "ExplainRequest";
  std::string node;
  static void fields(auto& visit) {
    WhichGame::fields(visit);
    visit("node", &ExplainRequest::node);
  }
};

struct EdgeInText {
  static constexpr std::string_view kName = "EdgeInText";
  std::string text;
  std::optional<TextRange> range;
  static void fields(auto& visit) {
    visit("text", &EdgeInText::text, "in RG");
    visit("range", &EdgeInText::range, "from which it comes");
  }
};
struct AutomatonRequest : WhichGame {
  static constexpr std::string_view kName = "AutomatonRequest";
  std::string focus = "begin";
  static void fields(auto& visit) {
    WhichGame::fields(visit);
    visit.maybe("focus", &AutomatonRequest::focus, "of a large automaton, the part around this node is drawn");
  }
};
struct AutomatonReply {
  static constexpr std::string_view kName = "AutomatonReply";
  std::string svg;
  std::vector<EdgeInText> edges;
  bool whole = true;
  static void fields(auto& visit) {
    visit("svg", &AutomatonReply::svg);
    visit("edges", &AutomatonReply::edges, "one for each element of the class e");
    visit("whole", &AutomatonReply::whole);
  }
};

struct DrawingRequest : AutomatonRequest {
  static constexpr std::string_view kName = "DrawingRequest";
  int known = 0;
  static void fields(auto& visit) {
    AutomatonRequest::fields(visit);
    visit.maybe("known", &DrawingRequest::known, "the drawing that the client has");
  }
};
struct DrawingPiece {
  static constexpr std::string_view kName = "DrawingPiece";
  static constexpr bool kTuple = true;
  int x = 0, y = 0;
  std::variant<std::string, std::size_t> content;  // or its number in the drawing that the client has
  static void fields(auto& visit) {
    visit("x", &DrawingPiece::x);
    visit("y", &DrawingPiece::y);
    visit("content", &DrawingPiece::content);
  }
};
struct DrawingElement {
  static constexpr std::string_view kName = "DrawingElement";
  static constexpr bool kTuple = true;
  std::size_t edge = 0;  // in the JSON form of the game
  std::string from, to;
  std::optional<std::uint32_t> line, column, end_line, end_column;
  static void fields(auto& visit) {
    visit("edge", &DrawingElement::edge);
    visit("from", &DrawingElement::from);
    visit("to", &DrawingElement::to);
    visit("line", &DrawingElement::line);
    visit("column", &DrawingElement::column);
    visit("endLine", &DrawingElement::end_line);
    visit("endColumn", &DrawingElement::end_column);
  }
};
struct DrawingReply {
  static constexpr std::string_view kName = "DrawingReply";
  int id = 0;
  std::vector<DrawingPiece> pieces;
  int width = 0, height = 0, border = 0;
  std::vector<DrawingElement> elements;
  std::size_t node_count = 0, edge_count = 0;
  bool whole = true;
  static void fields(auto& visit) {
    visit("id", &DrawingReply::id);
    visit("pieces", &DrawingReply::pieces);
    visit("width", &DrawingReply::width);
    visit("height", &DrawingReply::height);
    visit("border", &DrawingReply::border);
    visit("elements", &DrawingReply::elements, "one for each element of the class e");
    visit("nodeCount", &DrawingReply::node_count);
    visit("edgeCount", &DrawingReply::edge_count);
    visit("whole", &DrawingReply::whole);
  }
};

struct NodesRequest {
  static constexpr std::string_view kName = "NodesRequest";
  std::uint32_t line = 0;
  static void fields(auto& visit) { visit.maybe("line", &NodesRequest::line, "from 0"); }
};
struct NodeInText {
  static constexpr std::string_view kName = "NodeInText";
  std::string node;
  std::vector<EdgeInText> edges;
  static void fields(auto& visit) {
    visit("node", &NodeInText::node);
    visit("edges", &NodeInText::edges);
  }
};
struct NodesReply {
  static constexpr std::string_view kName = "NodesReply";
  std::vector<NodeInText> nodes;
  static void fields(auto& visit) { visit("nodes", &NodesReply::nodes); }
};
struct SourceRequest {
  static constexpr std::string_view kName = "SourceRequest";
  std::string node = "begin";
  static void fields(auto& visit) { visit.maybe("node", &SourceRequest::node); }
};
struct SourceReply {
  static constexpr std::string_view kName = "SourceReply";
  std::string uri;
  std::vector<TextRange> ranges;
  static void fields(auto& visit) {
    visit("uri", &SourceReply::uri);
    visit("ranges", &SourceReply::ranges);
  }
};

// --- The optimizer. ---

struct OptimizeRequest : OptimizerSettings {
  static constexpr std::string_view kName = "OptimizeRequest";
  bool texts = true, trace = false;
  static void fields(auto& visit) {
    OptimizerSettings::fields(visit);
    visit.maybe("texts", &OptimizeRequest::texts, "report the result, and the lines that each pass changed");
    visit.maybe("trace", &OptimizeRequest::trace, "make a page of it");
  }
};
// A pass that changed something.
struct OptimizerStep {
  static constexpr std::string_view kName = "OptimizerStep";
  std::size_t number = 0;
  std::string pass, help;
  std::size_t changes = 0, nodes = 0, edges = 0;
  std::optional<std::string> difference;
  static void fields(auto& visit) {
    visit("number", &OptimizerStep::number);
    visit("pass", &OptimizerStep::pass);
    visit("help", &OptimizerStep::help);
    visit("changes", &OptimizerStep::changes);
    visit("nodes", &OptimizerStep::nodes, "that are left");
    visit("edges", &OptimizerStep::edges);
    visit("difference", &OptimizerStep::difference);
  }
};
struct PassTotals {
  static constexpr std::string_view kName = "PassTotals";
  std::string pass;
  std::size_t runs = 0, changes = 0;
  double seconds = 0;
  std::int64_t nodes = 0, edges = 0;
  static void fields(auto& visit) {
    visit("pass", &PassTotals::pass);
    visit("runs", &PassTotals::runs);
    visit("changes", &PassTotals::changes);
    visit("seconds", &PassTotals::seconds);
    visit("nodes", &PassTotals::nodes, "that it added");
    visit("edges", &PassTotals::edges);
  }
};
struct OptimizerRun {
  static constexpr std::string_view kName = "OptimizerRun";
  std::vector<OptimizerStep> steps;
  std::vector<PassTotals> timings;
  std::vector<std::string> notes;
  double seconds = 0;
  std::map<std::string, double> before, after;
  static void fields(auto& visit) {
    visit("rows", &OptimizerRun::steps);
    visit("timings", &OptimizerRun::timings);
    visit("notes", &OptimizerRun::notes);
    visit("seconds", &OptimizerRun::seconds);
    visit("before", &OptimizerRun::before, "statistics, by name");
    visit("after", &OptimizerRun::after);
  }
};
struct OptimizeReply : OptimizerRun {
  static constexpr std::string_view kName = "OptimizeReply";
  std::optional<std::string> text, html;
  static void fields(auto& visit) {
    OptimizerRun::fields(visit);
    visit("text", &OptimizeReply::text);
    visit("html", &OptimizeReply::html, "a page, unless the game is too large for one");
  }
};

struct PassRequest : OptimizerSettings {
  static constexpr std::string_view kName = "PassRequest";
  std::size_t number = 0;
  static void fields(auto& visit) {
    OptimizerSettings::fields(visit);
    visit("number", &PassRequest::number);
  }
};
struct PragmaChange {
  static constexpr std::string_view kName = "PragmaChange";
  std::string name;
  std::vector<std::string> nodes;
  std::string why;
  bool gained = false;
  static void fields(auto& visit) {
    visit("name", &PragmaChange::name);
    visit("nodes", &PragmaChange::nodes);
    visit("why", &PragmaChange::why);
    visit("gained", &PragmaChange::gained);
  }
};
// One change in full.
struct PassReply {
  static constexpr std::string_view kName = "PassReply";
  // The number of omitted lines; a line of both texts; the lines of either.
  using Line = std::variant<std::size_t, std::tuple<std::string>,
                            std::tuple<std::optional<std::string>, std::optional<std::string>>>;
  std::vector<Line> lines;
  std::string svg;
  bool part = false;
  std::vector<PragmaChange> pragmas;
  static void fields(auto& visit) {
    visit("lines", &PassReply::lines, "left out, of both texts, or of either");
    visit("svg", &PassReply::svg, "both automata in one drawing");
    visit("part", &PassReply::part, "only what changed and its neighbours are drawn");
    visit("pragmas", &PassReply::pragmas);
  }
};

// --- Messages besides the verbs. ---

struct CancelRequest {
  static constexpr std::string_view kName = "CancelRequest";
  Json id;
  static void fields(auto& visit) {
    visit.maybe("id", &CancelRequest::id, "of the request that nobody waits for any more");
  }
};

}  // namespace rgtrans::ide
