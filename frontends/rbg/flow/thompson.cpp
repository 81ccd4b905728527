#include "frontends/rbg/flow/thompson.hpp"

#include <algorithm>
#include <unordered_map>

#include "frontends/rbg/limits.hpp"

namespace rgtrans::rbg {

namespace {

class Builder {
 public:
  Builder(const Description& description, Relations& relations)
      : d_(description), e_(description.expressions), r_(relations) {}

  FlowGraph run() {
    flow_.begin = flow_.add_node();
    flow_.end = flow_.add_node();
    build(d_.rules, flow_.begin, flow_.add_node());
    // Building a pattern can discover further patterns inside it.
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      const auto [body, pattern] = pending_[i];
      in_pattern_ = true;
      build(body, flow_.patterns[pattern].start, flow_.patterns[pattern].end);
    }
    return std::move(flow_);
  }

 private:
  FlowStep step(ExprId id, Do kind) const {
    FlowStep made;
    made.kind = kind;
    made.index = e_[id].index;
    made.where = e_[id].where;
    return made;
  }
  void edge(NodeId from, NodeId to, const FlowStep& step) { flow_.add_edge(from, to, step); }
  void skip(NodeId from, NodeId to, Range where) {
    FlowStep step;
    step.where = where;
    edge(from, to, step);
  }

  void build(ExprId id, NodeId from, NodeId to) {
    if (r_.is_shift_pattern(id) && build_run(std::span(&id, 1), from, to)) return;
    const ExprNode& node = e_[id];
    switch (node.kind) {
      case Kind::shift:
        edge(from, to, shift(id));
        break;
      case Kind::noop:
        skip(from, to, node.where);
        break;
      case Kind::on:
        if (!e_.pieces(node.index).empty()) edge(from, to, step(id, Do::on));
        break;
      case Kind::off:
        edge(from, to, modifier(id, Do::off));
        break;
      case Kind::assign: {
        FlowStep made = modifier(id, Do::assign);
        made.left = node.left;
        edge(from, to, made);
        break;
      }
      case Kind::compare: {
        FlowStep made = step(id, Do::compare);
        made.left = node.left;
        made.right = node.right;
        made.relation = node.relation;
        edge(from, to, made);
        break;
      }
      case Kind::to_player:
        edge(from, to, modifier(id, Do::to_player));
        break;
      case Kind::to_keeper:
        edge(from, to, modifier(id, Do::to_keeper));
        break;
      case Kind::pattern: {
        FlowStep made = step(id, Do::check);
        made.index = pattern(e_.child(id)).value;
        made.negated = node.negated;
        edge(from, to, made);
        break;
      }
      case Kind::sum:
        for (ExprId part : e_.children(id)) build(part, from, to);
        break;
      case Kind::concat:
        build_concat(id, from, to);
        break;
      case Kind::star: {
        const NodeId loop = flow_.add_node();
        skip(from, loop, node.where);
        build(e_.child(id), loop, loop);
        skip(loop, to, node.where);
        break;
      }
    }
  }

  void build_concat(ExprId id, NodeId from, NodeId to) {
    const auto parts = e_.children(id);
    for (std::size_t i = 0; i < parts.size();) {
      std::size_t end = i;
      while (end < parts.size() && r_.is_shift_pattern(parts[end])) ++end;
      const std::size_t next = std::max(end, i + 1);
      if (end > i) {
        const NodeId middle = next == parts.size() ? to : flow_.add_node();
        if (build_run(parts.subspan(i, end - i), from, middle)) {
          from = middle;
          i = next;
          continue;
        }
        // The table would be too large: build one step per part.
        for (; i < end; ++i) {
          const NodeId target = i + 1 == end ? middle : flow_.add_node();
          build(parts[i], from, target);
          from = target;
        }
        continue;
      }
      const NodeId middle = next == parts.size() ? to : flow_.add_node();
      build(parts[i], from, middle);
      from = middle;
      i = next;
    }
  }

  FlowStep modifier(ExprId id, Do kind) {
    FlowStep made = step(id, kind);
    if (!in_pattern_) made.modifier = ++modifiers_;
    return made;
  }

  FlowStep shift(ExprId id) {
    std::vector<std::uint32_t> values(d_.board.size());
    for (std::uint32_t v = 0; v < values.size(); ++v) values[v] = d_.neighbour(e_[id].index, v);
    FlowStep made = step(id, Do::move);
    made.index = r_.function(std::move(values), d_.symbols.text(d_.labels[e_[id].index].name));
    return made;
  }

  PatternId pattern(ExprId body) {
    const auto [it, fresh] = by_shape_.try_emplace(e_[body].shape, flow_.patterns.next());
    if (fresh) {
      flow_.patterns.push_back({flow_.add_node(), flow_.add_node(), true});
      pending_.emplace_back(body, it->second);
    }
    return it->second;
  }

  // Builds a run of shift patterns as one step, two, or a few parallel ones. Returns false if it has no table.
  bool build_run(std::span<const ExprId> run, NodeId from, NodeId to) {
    const auto relation = r_.of(run);
    if (!relation) return false;
    const std::size_t size = r_.vertex_count();
    std::vector<std::uint32_t> domain;
    std::size_t most = 0;
    bool stays = true;
    SetId common;
    bool constant = true;
    for (std::uint32_t v = 0; v < size; ++v) {
      const SetId set = r_.at(*relation, v);
      if (set == r_.empty()) continue;
      domain.push_back(v);
      most = std::max(most, r_.size(set));
      stays = stays && set == SetId(v);
      if (!common.valid()) common = set;
      constant = constant && common == set;
    }
    const FlowStep base = step(run.front(), Do::skip);
    if (domain.empty()) return true;  // the run has no walk
    if (stays || (constant && domain.size() > 1)) {
      from = restrict(domain, from, stays ? to : NodeId(), base);
      if (stays) return true;
      FlowStep any = base;
      any.kind = Do::any;
      any.index = common.value;
      edge(from, to, any);
      return true;
    }
    if (most <= kBoardLimits.parallel) {
      if (build_alternatives(run, from, to)) return true;
      for (std::size_t k = 0; k < most; ++k) edge(from, to, choice(*relation, k, base, most == 1 ? name_of(run) : ""));
      return true;
    }
    if (most * size > kBoardLimits.table_entries) return false;
    FlowStep select = base;
    select.kind = Do::select;
    select.index = relation->value;
    edge(from, to, select);
    return true;
  }

  // Keeps the parts of a sum of functions separate, so that they keep their names and are shared.
  bool build_alternatives(std::span<const ExprId> run, NodeId from, NodeId to) {
    if (run.size() != 1 || e_[run.front()].kind != Kind::sum) return false;
    const auto parts = e_.children(run.front());
    if (parts.size() > kBoardLimits.parallel) return false;
    std::vector<RelationId> relations;
    for (ExprId part : parts) {
      const auto relation = r_.of(std::span(&part, 1));
      if (!relation) return false;
      for (std::uint32_t v = 0; v < r_.vertex_count(); ++v) {
        if (r_.size(r_.at(*relation, v)) > 1) return false;
      }
      relations.push_back(*relation);
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      edge(from, to, choice(relations[i], 0, step(parts[i], Do::skip), name_of(parts.subspan(i, 1))));
    }
    return true;
  }

  // A name such as "up_left" for a short sequence of shifts; "" for other runs.
  std::string name_of(std::span<const ExprId> run) const {
    std::vector<ExprId> flat;
    for (ExprId part : run) {
      if (e_[part].kind == Kind::concat) {
        flat.insert(flat.end(), e_.children(part).begin(), e_.children(part).end());
      } else {
        flat.push_back(part);
      }
    }
    std::string name;
    for (ExprId part : flat) {
      if (e_[part].kind != Kind::shift || flat.size() > 4) return {};
      name += name.empty() ? "" : "_";
      name += d_.symbols.text(d_.labels[e_[part].index].name);
    }
    return name;
  }

  // The k-th member of each set as a function.
  FlowStep choice(RelationId relation, std::size_t k, FlowStep base, const std::string& name = {}) {
    std::vector<std::uint32_t> values(r_.vertex_count(), kNone);
    for (std::uint32_t v = 0; v < values.size(); ++v) {
      const auto members = r_.members(r_.at(relation, v));
      if (k < members.size()) values[v] = members[k];
    }
    base.kind = Do::move;
    base.index = r_.function(std::move(values), name);
    return base;
  }

  // Adds a test that the cursor is in `domain`, leading to `to` or else to a new node. Returns that node.
  NodeId restrict(const std::vector<std::uint32_t>& domain, NodeId from, NodeId to, FlowStep base) {
    if (domain.size() == r_.vertex_count()) {
      if (!to.valid()) return from;
      skip(from, to, base.where);
      return to;
    }
    if (!to.valid()) to = flow_.add_node();
    base.kind = Do::where;
    base.index = r_.intern(domain).value;
    edge(from, to, base);
    return to;
  }

  const Description& d_;
  const RuleExpressions& e_;
  Relations& r_;
  FlowGraph flow_;
  std::unordered_map<std::uint32_t, PatternId> by_shape_;
  std::vector<std::pair<ExprId, PatternId>> pending_;
  std::uint32_t modifiers_ = 0;
  bool in_pattern_ = false;
};

}  // namespace

FlowGraph build_flow(const Description& description, Relations& relations) {
  return Builder(description, relations).run();
}

}  // namespace rgtrans::rbg
