// Draws two automata in one drawing. A node with a box in one of them gets a box in the other, so that chains begin and
// end at the same nodes. During layout, boxes of the same node, and chains between the same nodes, are one box of the
// larger size. Each half then gets its own boxes and arrows there, so common parts have the same position in both.
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "backends/drawing/drawing.hpp"

namespace rgtrans::drawing {

namespace {

bool same_lines(const Box& a, const Box& b) {
  return std::ranges::equal(a.lines, b.lines, [](const LabelLine& l, const LabelLine& r) {
    return l.text == r.text && l.node == r.node && l.whole == r.whole && l.changed == r.changed;
  });
}

bool same_look(const Box& a, const Box& b) {
  return a.look.repeat == b.look.repeat && a.look.unique == b.look.unique && a.look.index == b.look.index &&
         a.terminal == b.terminal;
}

class Pairing {
 public:
  Pairing(Drawing before, Drawing after) : halves_{std::move(before), std::move(after)} {}

  Drawing run() {
    join_frames();
    join_boxes();
    join_arrows();
    lay_out(joint_);
    return drawn();
  }

 private:
  // Merges frames of the same check.
  void join_frames() {
    joint_.frames = halves_[0].frames;
    for (std::size_t f = 0; f < halves_[1].frames.size(); ++f) {
      const auto known = std::ranges::find(joint_.frames, halves_[1].frames[f].title, &Frame::title);
      frame_of_.push_back(static_cast<std::uint32_t>(known - joint_.frames.begin()));
      if (known == joint_.frames.end()) joint_.frames.push_back(halves_[1].frames[f]);
    }
  }

  // Several chains may connect the same nodes: pairs equal ones first, then those with the same first edge, then the
  // rest.
  void join_boxes() {
    using Key = std::tuple<std::uint32_t, Box::Kind, bool, ir::NodeId, ir::NodeId>;
    const auto key = [](const Box& box, std::uint32_t frame) {
      return Key{frame, box.kind, box.stub, box.node, box.end};
    };
    std::map<Key, std::vector<std::uint32_t>> alone;  // joint boxes of the first half only
    for (std::uint32_t i = 0; i < halves_[0].boxes.size(); ++i) {
      const Box& box = halves_[0].boxes[i];
      alone[key(box, box.frame)].push_back(add(box, box.frame, {i, kNone}));
    }
    auto& others = halves_[1].boxes;
    joint_of_.assign(others.size(), kNone);
    for (int round = 0; round < 3; ++round) {
      for (std::uint32_t i = 0; i < others.size(); ++i) {
        if (joint_of_[i] != kNone) continue;
        auto& list = alone[key(others[i], frame_of_[others[i].frame])];
        const auto partner = std::ranges::find_if(list, [&](std::uint32_t joint) {
          const Box& box = joint_.boxes[joint];
          return round == 2 || (round == 1 && box.lines[0].edge == others[i].lines[0].edge) ||
                 same_lines(box, others[i]);
        });
        if (partner == list.end()) continue;
        joint_of_[i] = *partner;
        of_half_[*partner][1] = i;
        list.erase(partner);
      }
    }
    for (std::uint32_t i = 0; i < others.size(); ++i) {
      if (joint_of_[i] == kNone) joint_of_[i] = add(others[i], frame_of_[others[i].frame], {kNone, i});
      Box& box = joint_.boxes[joint_of_[i]];
      box.width = std::max(box.width, others[i].width);
      box.height = std::max(box.height, others[i].height);
    }
  }

  std::uint32_t add(const Box& box, std::uint32_t frame, std::array<std::uint32_t, 2> of_half) {
    joint_.boxes.push_back(box);
    joint_.boxes.back().frame = frame;
    of_half_.push_back(of_half);
    return static_cast<std::uint32_t>(joint_.boxes.size() - 1);
  }

  void join_arrows() {
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool, bool>, std::vector<std::size_t>> alone;
    for (Arrow arrow : halves_[0].arrows) {
      alone[{arrow.from, arrow.to, arrow.edge.valid(), arrow.changed}].push_back(joint_.arrows.size());
      arrow.side = WhichHalf::before;
      joint_.arrows.push_back(std::move(arrow));
    }
    for (Arrow arrow : halves_[1].arrows) {
      arrow.from = joint_of_[arrow.from];
      arrow.to = joint_of_[arrow.to];
      auto& list = alone[{arrow.from, arrow.to, arrow.edge.valid(), arrow.changed}];
      if (!list.empty() && !arrow.changed) {
        joint_.arrows[list.front()].side = WhichHalf::both;
        list.erase(list.begin());
        continue;
      }
      arrow.side = WhichHalf::after;
      joint_.arrows.push_back(std::move(arrow));
    }
  }

  // Both halves with their own boxes, at the common positions.
  Drawing drawn() {
    Drawing drawing;
    drawing.width = joint_.width;
    drawing.height = joint_.height;
    drawing.frames = joint_.frames;
    for (std::uint32_t joint = 0; joint < joint_.boxes.size(); ++joint) {
      const auto [a, b] = of_half_[joint];
      const Box* before = a == kNone ? nullptr : &halves_[0].boxes[a];
      const Box* after = b == kNone ? nullptr : &halves_[1].boxes[b];
      const bool same =
          before != nullptr && after != nullptr && same_lines(*before, *after) && same_look(*before, *after);
      const auto put = [&](const Box* box, WhichHalf side) {
        if (box == nullptr) return;
        Box& copy = drawing.boxes.emplace_back(*box);
        copy.side = side;
        copy.frame = joint_.boxes[joint].frame;
        copy.place = joint_.boxes[joint].place;
        copy.width = joint_.boxes[joint].width;
        copy.height = joint_.boxes[joint].height;
      };
      put(before, same ? WhichHalf::both : WhichHalf::before);
      if (!same) put(after, WhichHalf::after);
    }
    // The arrows' box numbers are invalid from here on, since a box may occur twice.
    drawing.arrows = joint_.arrows;
    return drawing;
  }

  std::array<Drawing, 2> halves_;
  Drawing joint_;
  std::vector<std::uint32_t> frame_of_;                // joint frame, by frame of the second half
  std::vector<std::uint32_t> joint_of_;                // by box of the second half
  std::vector<std::array<std::uint32_t, 2>> of_half_;  // by joint box: the boxes that it represents
};

Drawing marked(const Half& half, const std::vector<bool>& landmarks) {
  Drawing drawing = fold(half.game, half.filter, landmarks);
  for (Box& box : drawing.boxes) {
    for (LabelLine& line : box.lines) line.changed = line.edge.valid() && half.changed(line.edge);
  }
  for (Arrow& arrow : drawing.arrows) arrow.changed = arrow.edge.valid() && half.changed(arrow.edge);
  return drawing;
}

}  // namespace

Drawing pair(const Half& before, const Half& after) {
  std::vector<bool> landmarks(std::max(before.game.graph.node_bound(), after.game.graph.node_bound()));
  for (const Half* half : {&before, &after}) {
    for (const Box& box : fold(half->game, half->filter).boxes) {
      if (box.kind == Box::Kind::node) landmarks[box.node.value] = true;
    }
  }
  return Pairing(marked(before, landmarks), marked(after, landmarks)).run();
}

}  // namespace rgtrans::drawing
