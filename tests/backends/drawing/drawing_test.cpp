#include "backends/drawing/drawing.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "core/passes/passes.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::drawing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kHead = "type Player = {p}; type Score = {0};\n";

ir::Game game(const std::string& text) { return rg::parse_game(kHead + text); }

std::vector<std::vector<std::string>> texts(const Drawing& drawing) {
  std::vector<std::vector<std::string>> all;
  for (const Box& box : drawing.boxes) {
    all.emplace_back();
    for (const LabelLine& line : box.lines) all.back().push_back(line.text);
  }
  return all;
}

bool overlap(Point a, double aw, double ah, Point b, double bw, double bh) {
  return a.x + aw > b.x && b.x + bw > a.x && a.y + ah > b.y && b.y + bh > a.y;
}

// No two boxes overlap, every box is inside the picture and its frame, and no arrow passes through a foreign box.
void expect_readable(const Drawing& drawing) {
  for (std::size_t i = 0; i < drawing.boxes.size(); ++i) {
    const Box& a = drawing.boxes[i];
    ASSERT_GE(a.place.x, 0);
    ASSERT_LE(a.place.x + a.width, drawing.width);
    ASSERT_LE(a.place.y + a.height, drawing.height);
    const Frame& frame = drawing.frames[a.frame];
    ASSERT_GE(a.place.x, frame.place.x - 0.01);
    ASSERT_LE(a.place.y + a.height, frame.place.y + frame.height + 0.01);
    for (std::size_t j = i + 1; j < drawing.boxes.size(); ++j) {
      const Box& b = drawing.boxes[j];
      ASSERT_FALSE(overlap(a.place, a.width, a.height, b.place, b.width, b.height)) << i << " and " << j;
    }
  }
  for (const Arrow& arrow : drawing.arrows) {
    ASSERT_EQ(drawing.boxes[arrow.from].frame, drawing.boxes[arrow.to].frame);
    for (std::size_t k = 3; k < arrow.points.size(); k += 3) {
      const Point p = arrow.points[k];
      for (std::uint32_t b = 0; b < drawing.boxes.size(); ++b) {
        if (b == arrow.from || b == arrow.to) continue;
        const Box& box = drawing.boxes[b];
        ASSERT_FALSE(overlap(p, 0.001, 0.001, box.place, box.width, box.height));
      }
    }
  }
}

TEST(Fold, AChainIsOneBox) {
  const Drawing drawing = fold(game("begin, a: player = p; a, b: $ x; b, c: ; c, end: player = keeper;"));
  EXPECT_THAT(texts(drawing), ElementsAre(ElementsAre("begin"), ElementsAre("end"),
                                          ElementsAre("player = p", "$ x", "player = keeper")));
  ASSERT_EQ(drawing.boxes.size(), 3U);
  EXPECT_EQ(drawing.boxes[2].lines[0].node, "");
  EXPECT_EQ(drawing.boxes[2].lines[1].node, "a");
  EXPECT_EQ(drawing.arrows.size(), 2U);
}

TEST(Fold, BranchesAndChecksAreLandmarks) {
  const Drawing drawing =
      fold(game("begin, a: ? c -> d; a, b: $ x; a, b: $ y; b, end: player = keeper; c, d: player == p;"));
  ASSERT_EQ(drawing.frames.size(), 2U);
  EXPECT_EQ(drawing.frames[1].title, "check c -> d");
  std::size_t inside = 0;
  for (const Box& box : drawing.boxes) inside += box.frame == 1 ? 1 : 0;
  EXPECT_EQ(inside, 3U) << "c, its label, d";
}

TEST(Fold, WhatAnotherFrameHasIsAStub) {
  const Drawing drawing = fold(game("begin, a: ? c -> d; a, end: ! e -> d; c, d: player == p; e, d: player != p;"));
  std::vector<std::uint32_t> frames;
  std::size_t stubs = 0;
  for (const Box& box : drawing.boxes) {
    if (box.lines[0].text != "d") continue;
    frames.push_back(box.frame);
    stubs += box.stub ? 1 : 0;
  }
  EXPECT_THAT(frames, ::testing::UnorderedElementsAre(1, 2));
  EXPECT_EQ(stubs, 1U);
}

TEST(Fold, EveryEdgeIsDrawnOnce) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const ir::Game g = rg::parse_game(test::random_game(seed));
    std::vector<ir::EdgeId> drawn = edges_in(fold(g));
    std::vector<ir::EdgeId> labelled;
    for (const ir::EdgeId edge : g.graph.edges()) {
      if (!std::holds_alternative<ir::Empty>(g.graph.label(edge))) labelled.push_back(edge);
    }
    std::ranges::sort(drawn);
    EXPECT_TRUE(std::ranges::adjacent_find(drawn) == drawn.end());
    EXPECT_TRUE(std::ranges::includes(drawn, labelled));
  }
}

TEST(LayOut, NothingOverlaps) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    Drawing drawing = fold(rg::parse_game(test::random_game(seed)));
    lay_out(drawing);
    expect_readable(drawing);
  }
}

TEST(LayOut, CirclesAndLoopsEnd) {
  Drawing drawing = fold(game("begin, a: ; a, a: $ x; a, b: $ y; b, a: ; b, end: player = keeper; u, v: ; v, u: ;"));
  lay_out(drawing);
  expect_readable(drawing);
  for (const Arrow& arrow : drawing.arrows) EXPECT_FALSE(arrow.points.empty());
}

// Parts that a pass does not change keep their place.
TEST(Pair, WhatIsSharedDoesNotMove) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const ir::Game before = rg::parse_game(test::random_game(seed));
    ir::Game after = before;
    passes::optimize(after, {});
    const auto none = [](ir::EdgeId) { return false; };
    const Drawing both = pair({before, {}, none}, {after, {}, none});
    std::map<std::uint32_t, std::vector<const Box*>> boxes;
    for (const Box& box : both.boxes) {
      if (box.kind == Box::Kind::node && !box.stub) boxes[box.node.value].push_back(&box);
    }
    for (const auto& [node, list] : boxes) {
      if (list.size() < 2 || list[0]->frame != list[1]->frame) continue;
      ASSERT_EQ(list.size(), 2U);
      EXPECT_NE(list[0]->side, list[1]->side) << "one for each half";
      EXPECT_EQ(list[0]->place.x, list[1]->place.x);
      EXPECT_EQ(list[0]->place.y, list[1]->place.y);
    }
    // Each half alone is a readable drawing with all of its edges.
    for (const WhichHalf side : {WhichHalf::before, WhichHalf::after}) {
      Drawing half = both;
      std::erase_if(half.boxes, [&](const Box& box) { return box.side != WhichHalf::both && box.side != side; });
      half.arrows.clear();
      expect_readable(half);
      std::vector<ir::EdgeId> drawn;
      for (const Box& box : half.boxes) {
        for (const LabelLine& line : box.lines) {
          if (line.edge.valid()) drawn.push_back(line.edge);
        }
      }
      const ir::Game& game = side == WhichHalf::before ? before : after;
      std::size_t labelled = 0;
      for (const ir::EdgeId edge : game.graph.edges()) {
        labelled += std::holds_alternative<ir::Empty>(game.graph.label(edge)) ? 0 : 1;
      }
      EXPECT_EQ(drawn.size(), labelled);
    }
  }
}

TEST(Pair, AGameAndItselfAreOneDrawing) {
  const ir::Game g = game("begin, a: ? c -> d; a, b: $ x; a, b: $ y; b, end: player = keeper; c, d: player == p;");
  const auto none = [](ir::EdgeId) { return false; };
  Drawing alone = fold(g);
  lay_out(alone);
  EXPECT_EQ(svg(pair({g, {}, none}, {g, {}, none})), svg(alone));
}

TEST(Svg, TextIsEscapedAndLongLabelsAreCut) {
  Drawing drawing =
      fold(game("type T = {s};\nconst c: T -> T = {:s};\nvar aVeryLongNameOfAVariableThatFillsALine: T = s;\n"
                "begin, end: c[c[c[aVeryLongNameOfAVariableThatFillsALine]]] == c[c[s]];"));
  lay_out(drawing);
  const std::string text = svg(drawing);
  EXPECT_THAT(text, HasSubstr("…<title>c[c[c["));
  EXPECT_THAT(text, ::testing::StartsWith("<svg "));
}

TEST(Graphviz, ItsPlacesAreTaken) {
  Drawing drawing = fold(game("begin, end: player = keeper;"));
  EXPECT_THAT(graphviz_text(drawing), HasSubstr("n0 -> n2 [id=\"0\"];"));
  place_as(drawing, R"({"bb":"0,0,100,200","objects":[{"name":"n0","pos":"50,190"},{"name":"n1","pos":"50,10"},
    {"name":"n2","pos":"50,100"}],"edges":[{"id":"0","pos":"e,50,110 50,180 50,160 50,140 50,120"}]})");
  EXPECT_EQ(drawing.height, 200);
  EXPECT_LT(drawing.boxes[0].place.y, drawing.boxes[1].place.y) << "begin is above end";
  EXPECT_EQ(drawing.arrows[0].points.size(), 7U);
  EXPECT_EQ(drawing.arrows[0].points.back().y, 90);
}

TEST(Graphviz, AFrameWithNothingInItHasNoPlace) {
  Drawing drawing = fold(game("begin, end: player = keeper;"));
  drawing.frames.emplace_back();
  place_as(drawing, R"({"bb":"0,0,100,200","objects":[{"name":"cluster_1"},{"name":"n0","pos":"50,190"}]})");
  EXPECT_EQ(drawing.frames[1].width, 0);
  EXPECT_LT(drawing.boxes[0].place.y, 20);
}

}  // namespace
}  // namespace rgtrans::drawing
