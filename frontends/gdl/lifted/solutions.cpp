#include "frontends/gdl/lifted/solutions.hpp"

#include <algorithm>

#include "core/support/coverage.hpp"
#include "frontends/gdl/cost_model.hpp"

namespace rgtrans::gdl::lifted {

using ir::NodeId;

std::optional<std::uint32_t> Solutions::unknown_role(const BodyState& f) const {
  for (const std::uint32_t i : f.open) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    if (literal.negated || m_.kind(literal) != LiteralKind::does) continue;
    const Pattern p = literal.arguments[0];
    if (p.is_variable() && !f.values[p.number()]) return p.number();
  }
  return std::nullopt;
}

// Adds an edge for the other outcome to every test on the line.
void Solutions::other_outcomes(NodeId first, NodeId last, NodeId out) {
  for (NodeId n = first; n != last;) {
    const ir::EdgeId only = game_.graph.out_edge_list(n)[0];
    ir::Label label = game_.graph.label(only);
    if (auto* compare = std::get_if<ir::Compare>(&label)) {
      compare->negated = !compare->negated;
      w_.edge(n, out, label);
    } else if (auto* check = std::get_if<ir::Reachability>(&label)) {
      check->negated = !check->negated;
      w_.edge(n, out, label);
    }
    n = game_.graph.target(only);
  }
}

void Solutions::line(BodyState& f, NodeId at, NodeId out, const Line& make, const Done& done) {
  const NodeId first = w_.node();
  const NodeId last = make(f, first);
  if (!last.valid()) {
    w_.edge(at, out, ir::Empty());
    return;
  }
  w_.edge(at, first, ir::Empty());
  other_outcomes(first, last, out);
  done(f, last, out);
}

void Solutions::certain(BodyState& f, NodeId at, NodeId out, const Done& done) {
  line(
      f, at, out, [&](BodyState& g, NodeId first) { return w_.run_certain(g, first); }, done);
}

void Solutions::loop(BodyState& f, std::uint32_t variable, NodeId at, NodeId out, const Done& done) {
  const NodeId end = w_.loop_values(f, variable, at, [&](BodyState& next, NodeId begin) {
    const NodeId back = w_.node();
    done(next, begin, back);
    return back;
  });
  w_.edge(end, out, ir::Empty());
}

void Solutions::with_role(BodyState& f, NodeId at, NodeId out, const Done& done) {
  certain(f, at, out, [&](BodyState& g, NodeId inside, NodeId fail) {
    const auto role = unknown_role(g);
    if (!role) {
      done(g, inside, fail);
      return;
    }
    loop(g, *role, inside, fail,
         [&](BodyState& next, NodeId begin, NodeId back) { with_role(next, begin, back, done); });
  });
}

// The wanted variable with the fewest values, or another choice that makes the join of the rest much cheaper. Empty if
// all wanted variables are bound.
Solutions::Next Solutions::next(const BodyState& f) {
  const auto size = [&](std::uint32_t v) { return m_.terms(f.rule->sorts[v]).size(); };
  Next best;
  for (std::uint32_t v = 0; v < f.wanted.size(); ++v)
    if (f.wanted[v] && !f.values[v] && (!best.variable || size(v) < size(*best.variable))) best.variable = v;
  if (!best.variable) return best;
  best.steps = w_.planner.expected_steps(f, *best.variable);
  double least = kPlanCosts.choice * best.steps;
  for (const std::uint32_t v : w_.planner.choosable(f)) {
    const double steps = w_.planner.expected_steps(f, v);
    if (steps >= least) continue;
    least = steps;
    best = {v, {}, steps};
  }
  if (const auto literal = followed(f)) {
    const double steps = steps_following(f, *literal);
    if (steps < least) best = {{}, literal, steps};
  }
  return best;
}

double Solutions::expected_steps(const BodyState& f) {
  const Next first = next(f);
  return first.variable || first.followed ? first.steps : w_.planner.expected(f).steps;
}

void Solutions::each(BodyState& f, NodeId at, NodeId out, const Done& done) {
  with_role(f, at, out, [&](BodyState& g, NodeId inside, NodeId fail) {
    const Next first = next(g);
    if (first.followed) {
      follow(g, *first.followed, inside, fail, done);
      return;
    }
    if (first.variable) {
      loop(g, *first.variable, inside, fail, [&](BodyState& chosen, NodeId begin, NodeId back) {
        const auto narrow = [&](BodyState& h, NodeId from) { return w_.narrow(h, *first.variable, from); };
        line(chosen, begin, back, narrow, [&](BodyState& h, NodeId from, NodeId to) { each(h, from, to, done); });
      });
      return;
    }
    if (g.open.empty()) {
      done(g, inside, fail);
      return;
    }
    const NodeId yes = w_.node();
    w_.branch_rest(g, inside, yes, fail);
    done(g, yes, fail);
  });
}

void Solutions::each_with(BodyState& f, const EngineLiteral& literal, const Values& values, NodeId at, NodeId out,
                          const Done& done) {
  const NodeId first = w_.node();
  const NodeId last = w_.unify(f, literal, values, first);
  if (!last.valid()) {
    w_.edge(at, out, ir::Empty());
  } else if (last == first) {  // no test is necessary
    game_.graph.remove_node(first);
    each(f, at, out, done);
  } else {
    w_.edge(at, first, ir::Empty());
    other_outcomes(first, last, out);
    each(f, last, out, done);
  }
}

void Solutions::each_behind(BodyState& f, const std::vector<std::uint32_t>& literals, NodeId at, NodeId elsewhere,
                            NodeId out, const Done& done) {
  const auto first = [&](std::uint32_t i) { return std::ranges::find(literals, i) != literals.end(); };
  std::vector<std::uint32_t> rest = f.open;
  std::erase_if(rest, first);
  std::erase_if(f.open, [&](std::uint32_t i) { return !first(i); });
  const std::vector<bool> wanted = f.wanted;
  for (const std::uint32_t i : rest)  // the other literals use the variables that these bind
    f.want(f.rule->rule->body[i].arguments);
  certain(f, at, elsewhere, [&](BodyState& g, NodeId inside, NodeId) {
    g.wanted = wanted;
    g.open.insert(g.open.end(), rest.begin(), rest.end());
    std::ranges::sort(g.open);
    each(g, inside, out, done);
  });
}

// --- Chains. ---

// A literal whose relation is a chain, if its steps keep all bound arguments.
std::optional<std::uint32_t> Solutions::followed(const BodyState& f) {
  for (const std::uint32_t i : f.open) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    if (literal.negated || m_.kind(literal) != LiteralKind::derived) continue;
    const std::optional<Chain>& chain = chains_.of(Model::key(literal));
    if (!chain) continue;
    bool open = false;
    bool fits = true;
    for (std::size_t c = 0; c < literal.arguments.size(); ++c) {
      const bool known = w_.value(f, literal.arguments[c]).has_value();
      open = open || !known;
      fits = fits && (!known || chain->kept[c]);
    }
    if (open && fits) return i;
  }
  return std::nullopt;
}

double Solutions::steps_following(const BodyState& f, std::uint32_t literal) {
  const EngineLiteral& call = f.rule->rule->body[literal];
  const std::optional<Chain>& chain = chains_.of(Model::key(call));
  BodyState rest = f;
  std::erase(rest.open, literal);
  for (const Pattern p : call.arguments) w_.planner.suppose(rest, p);
  const double behind = kPlanCosts.element_steps + w_.planner.expected(rest).steps;
  double steps = 0;
  for (const LiftedRule* rule : chain->first) {
    BodyState first = w_.body_state(*rule, 0);
    const auto& head = rule->rule->head.arguments;
    for (std::size_t c = 0; c < head.size(); ++c) {
      if (w_.value(f, call.arguments[c]))
        w_.planner.suppose(first, head[c]);
      else
        first.want(head[c]);
    }
    const BodyPlanner::Estimate own = w_.planner.expected(first);
    steps += own.steps + own.walks * kPlanCosts.chain_length * behind;
  }
  return steps;
}

// Moves the unbound arguments along the chain.
void Solutions::follow(BodyState& f, std::uint32_t literal, NodeId at, NodeId out, const Done& done) {
  const EngineLiteral& call = f.rule->rule->body[literal];
  reached("lifted", "solutions: followed");
  const Chain& chain = *chains_.of(Model::key(call));
  const EngineLiteral& call_of_step = chain.step->rule->body[chain.recursive_literal];
  std::set<ir::VarId> busy = f.busy;
  Values given, there;  // known arguments: at the start, and on the chain
  Places places;
  for (std::uint32_t c = 0; c < call.arguments.size(); ++c) {
    given.push_back(w_.value(f, call.arguments[c]));
    there.push_back(given[c]);
    if (given[c]) continue;
    const Register& r = t_.scratch(m_.name(call.relation), m_.column(call.relation, c), busy, "each");
    busy.insert(r.variable);
    there[c] = Value{{}, r.expression, r.sort, false};
    places.emplace_back(c, &r);
  }
  // `around`: the registers of the walk to the first tuple, which may go on behind the chain.
  const auto found = [&](const std::set<ir::VarId>& around, NodeId from, NodeId to) {
    const NodeId begin = w_.node();
    w_.edge(from, begin, ir::Empty());
    const NodeId step = w_.node();
    BodyState rest = f;
    rest.busy = around;
    std::erase(rest.open, literal);
    const auto take = [&](BodyState& g, NodeId n) { return w_.unify(g, call, there, n); };
    line(rest, begin, step, take, [&](BodyState& g, NodeId n, NodeId fail) { each(g, n, fail, done); });
    BodyState next = w_.body_state(*chain.step, 0);
    next.busy = around;
    for (const auto& [c, place] : places) next.want(chain.step->rule->head.arguments[c]);
    std::erase(next.open, chain.recursive_literal);
    const auto go_on = [&](BodyState& g, NodeId n) {
      n = w_.unify(g, call_of_step, there, n);
      if (n.valid()) n = w_.run_certain(g, n);
      return n;
    };
    line(next, step, to, go_on, [&](BodyState& g, NodeId n, NodeId fail) {
      if (!g.open.empty()) {
        const NodeId yes = w_.node();
        w_.branch_rest(g, n, yes, fail);
        n = yes;
      }
      const auto move = [&](BodyState& h, NodeId m) { return put(h, chain.step->rule->head.arguments, places, m); };
      line(g, n, fail, move, [&](BodyState&, NodeId m, NodeId) { w_.edge(m, begin, ir::Empty()); });
    });
  };
  for (const LiftedRule* rule : chain.first) {
    BodyState first = w_.body_state(*rule, 0);
    first.busy = busy;
    const auto& head = rule->rule->head.arguments;
    for (const auto& [c, place] : places) first.want(head[c]);
    const NodeId behind = w_.node();
    const auto take = [&](BodyState& g, NodeId n) { return w_.unify(g, rule->rule->head, given, n); };
    line(first, at, behind, take, [&](BodyState& g, NodeId n, NodeId fail) {
      each(g, n, fail, [&](BodyState& h, NodeId from, NodeId to) {
        const auto begin = [&](BodyState& state, NodeId m) { return put(state, head, places, m); };
        line(h, from, to, begin, [&](BodyState& state, NodeId m, NodeId end) { found(state.busy, m, end); });
      });
    });
    at = behind;
  }
  w_.edge(at, out, ir::Empty());
}

// Assigns the known arguments of a head to the registers.
NodeId Solutions::put(const BodyState& f, const std::vector<Pattern>& head, const Places& places, NodeId at) {
  std::vector<std::pair<Value, SortId>> guards;
  std::vector<std::pair<const Register*, Value>> moves;
  for (const auto& [c, place] : places) {
    moves.emplace_back(place, *w_.value(f, head[c]));
    guards.emplace_back(moves.back().second, place->sort);
  }
  at = w_.guard(guards, at);
  return at.valid() ? w_.assign(std::move(moves), f.busy, f.pool, at) : at;
}

}  // namespace rgtrans::gdl::lifted
