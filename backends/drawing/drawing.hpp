// Drawings of automata. A chain of edges without branches is one box with one label per line. Nodes where walks part or
// meet are small boxes with the node's name. Arrows have no text, so no text overlaps an arrow or another text. Nodes
// that only a reachability check enters are in a frame with the check as its title.
//
//     fold()          the elements of the drawing: boxes, arrows, frames, with sizes but without positions
//     lay_out()       positions, in layers from top to bottom
//     graphviz_text() the same boxes for Graphviz, whose positions place_as() reads
//     pair()          two automata in one drawing, with common parts at the same positions
//     svg()           the picture
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::drawing {

// The grouping of nodes into parts, and the look of each node.
struct Parts {
  struct Check {
    ir::NodeId from, to;
  };
  struct Look {
    bool repeat = false, unique = false;
    std::uint32_t index = 0;  // index of @tagIndex plus one
  };
  std::vector<Check> checks;        // one per start
  std::vector<bool> shown;          // by node: it has an edge or is named by a check
  std::vector<std::uint32_t> part;  // by node: 0, or one more than the check that adds it to the drawing
  std::vector<Look> looks;          // by node
};
Parts parts_of(const ir::Game& game);

struct Point {
  double x = 0, y = 0;
};

// The automaton that contains an element of a common drawing.
enum class WhichHalf : std::uint8_t { both, before, after };

struct LabelLine {
  std::string text;
  std::string node = {};  // chain: name of the node before the label, if no box shows it
  ir::EdgeId edge = {};   // chain: the edge of this label
  bool cut = false;
  std::string whole = {};  // the full text, if it was shortened
  bool changed = false;    // the other automaton has no such edge
};

struct Box {
  enum class Kind : std::uint8_t { node, chain };
  Kind kind = Kind::node;
  ir::NodeId node, end;          // the node, or the first and last node of a chain
  std::vector<LabelLine> lines;  // node: one line, with its name
  Parts::Look look;              // the look of a node
  bool terminal = false;         // begin or end
  bool stub = false;             // represents a node that another frame draws
  std::uint32_t frame = 0;
  WhichHalf side = WhichHalf::both;
  double width = 0, height = 0;
  Point place;  // upper left corner
};

struct Arrow {
  std::uint32_t from = 0, to = 0;  // boxes
  ir::EdgeId edge;                 // the edge, if the arrow is an edge without a label
  std::vector<Point> points = {};  // a curve: its start, then three points for each cubic piece
  WhichHalf side = WhichHalf::both;
  bool changed = false;  // as in LabelLine
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

// With a filter, only these edges and their end nodes are drawn. `landmarks`, by node, get boxes of their own even
// inside a chain.
Drawing fold(const ir::Game& game, const std::function<bool(ir::EdgeId)>& filter = {},
             const std::vector<bool>& landmarks = {});
void lay_out(Drawing& drawing);
std::string graphviz_text(const Drawing& drawing);

// A game before or after a change. Nodes and edges are identified by their ids.
struct Half {
  const ir::Game& game;
  std::function<bool(ir::EdgeId)> filter;
  std::function<bool(ir::EdgeId)> changed;  // the other half has no such edge
};
// Draws both halves with positions. Elements of one half only are marked with it. A box that differs between the halves
// occurs twice, at the same position.
Drawing pair(const Half& before, const Half& after);

// Reads positions from the output of `dot -Tjson` for graphviz_text().
void place_as(Drawing& drawing, std::string_view graphviz_json);
// Every line of a chain and every arrow of an edge has the class e, in the order of edges_in(). In a drawing of two
// automata, elements of the first one only have the class a, and those of the second one only the class b. Edges that
// the other automaton lacks have the class x.
std::string svg(const Drawing& drawing);
// The same as fragments, so that a page can keep fragments that are unchanged or only moved. Each is a <g> to be moved
// to its position.
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
