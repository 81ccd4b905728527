// Drawings of automata. A chain of edges without branches is one box that lists the labels, a line each; nodes where
// walks part or meet are small boxes with the node's name. Arrows carry no text, so no text can lie on an arrow or on
// another text. The nodes that only a reachability check enters stand in a frame with the check as its title.
//
//     fold()          what is to be drawn: boxes, arrows, frames, with sizes and without places
//     lay_out()       places, in layers from top to bottom
//     graphviz_text() the same boxes for Graphviz, whose places place_as() takes over
//     pair()          two automata in one drawing, so that what they share stands at one place
//     svg()           the picture
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::drawing {

// Which nodes belong together, and how a node looks.
struct Parts {
  struct Check {
    ir::NodeId from, to;
  };
  struct Look {
    bool repeat = false, unique = false;
    std::uint32_t index = 0;  // one more than the index of @tagIndex
  };
  std::vector<Check> checks;        // one for each start
  std::vector<bool> shown;          // by node: has an edge, or a check names it
  std::vector<std::uint32_t> part;  // by node: 0, or one more than the check that adds it to the drawing
  std::vector<Look> looks;          // by node
};
Parts parts_of(const ir::Game& game);

struct Point {
  double x = 0, y = 0;
};

// Which of two automata has an element of their common drawing.
enum class WhichHalf : std::uint8_t { both, before, after };

struct LabelLine {
  std::string text;
  std::string node = {};  // of a chain: the name of the node in front of the label, where no box shows it
  ir::EdgeId edge = {};   // of a chain: whose label this is
  bool cut = false;
  std::string whole = {};  // where the text was cut
  bool changed = false;    // the other automaton has no such edge
};

struct Box {
  enum class Kind : std::uint8_t { node, chain };
  Kind kind = Kind::node;
  ir::NodeId node, end;          // the node; of a chain: where it begins and ends
  std::vector<LabelLine> lines;  // of a node: one, with its name
  Parts::Look look;              // of a node
  bool terminal = false;         // begin or end
  bool stub = false;             // of a node whose edges are drawn in another frame
  std::uint32_t frame = 0;
  WhichHalf side = WhichHalf::both;
  double width = 0, height = 0;
  Point place;  // of the upper left corner
};

struct Arrow {
  std::uint32_t from = 0, to = 0;  // boxes
  ir::EdgeId edge;                 // of an arrow that stands for an edge without a label
  std::vector<Point> points = {};  // a curve: its start, then three points for each cubic piece
  WhichHalf side = WhichHalf::both;
  bool changed = false;  // as of a line
};

struct Frame {
  std::string title;  // empty: the main automaton, which has no border
  double width = 0, height = 0;
  Point place;
};

struct Drawing {
  std::vector<Box> boxes;
  std::vector<Arrow> arrows;
  std::vector<Frame> frames;
  double width = 0, height = 0;
};

// With a filter, only these edges are drawn, and the nodes at their ends. `landmarks`, by node, have boxes of their
// own, though they might be inside of a chain.
Drawing fold(const ir::Game& game, const std::function<bool(ir::EdgeId)>& filter = {},
             const std::vector<bool>& landmarks = {});
void lay_out(Drawing& drawing);
std::string graphviz_text(const Drawing& drawing);

// A game before and after something was done to it: its nodes and edges are known by their ids.
struct Half {
  const ir::Game& game;
  std::function<bool(ir::EdgeId)> filter;
  std::function<bool(ir::EdgeId)> changed;  // the other half has no such edge
};
// With places. What only one half has is marked with its side; a box that looks different in the halves is there twice,
// at one place.
Drawing pair(const Half& before, const Half& after);

// From what `dot -Tjson` makes of that text.
void place_as(Drawing& drawing, std::string_view graphviz_json);
// Every line of a chain and every arrow of an edge is an element of the class e, in the order of edges_in(). In a
// drawing of two automata, what the first one has alone is of the class a, what the second one has alone of the class
// b, and edges that the other one lacks are of the class x.
std::string svg(const Drawing& drawing);
// The same in pieces, so that a page can keep those that are where they were, or have only moved. Each is a <g>, to be
// moved to its place.
struct Fragment {
  int x, y;
  std::string text;
};
struct Fragments {
  int width, height, border;
  std::vector<Fragment> list;
};
Fragments fragments(const Drawing& drawing);
std::vector<ir::EdgeId> edges_in(const Drawing& drawing);

}  // namespace rgtrans::drawing
