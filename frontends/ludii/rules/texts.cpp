// The texts of moves, the lines along which pieces move, and what every move of a piece has in common.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

namespace {

// Whether an effect may take a piece from a site that is neither (to) nor (between).
bool takes_elsewhere(const Node& node) {
  const auto is_near = [](const Node& item) {
    const auto slot = find_slot(item);
    return slot == Slot::to || slot == Slot::between;
  };
  if (node.is_clause("remove"))
    return std::ranges::none_of(node.items, [&](const Node& item) { return item.label.empty() && is_near(item); });
  if (node.is_clause("fromTo") || node.is_clause("move")) {
    return std::ranges::none_of(node.items, [&](const Node& item) {
      return item.is_clause("from") && std::ranges::any_of(item.items, is_near);
    });
  }
  return names_clause("swap|sow|custodial|surround|enclose|intervene|slide, set Count", node) ||
         std::ranges::any_of(node.items, takes_elsewhere);
}

}  // namespace

Lowering::To Lowering::read_to(const Node* clause) const {
  To result;
  if (clause == nullptr) return result;
  const Call call(*clause, clause->text,
                  "[type] [before:int] [after:int] [range] [site] [level:int] [if:bool] [apply] [trail:int]");
  type_in(call);
  result.clause = clause;
  result.test = call["if"];
  result.region = call["site"];
  result.before = call["before"];
  result.after = call["after"];
  result.range = call["range"];
  if (call["trail"] != nullptr) refuse(*call["trail"]);
  result.level = call["level"];
  if (result.level != nullptr && !has_stacks_) refuse(*result.level);
  if (const Node* const apply = call["apply"]) {
    const Call inner(*apply, "apply", "[if:bool] [moves]");
    result.effect_test = inner["if"];
    result.effect = inner["moves"];
  }
  return result;
}

Lowering::Bounds Lowering::bounds_of(const Node* range, Bounds otherwise, const Env& env) const {
  if (range == nullptr) return otherwise;
  std::vector<int> numbers_;
  for (const Node& item : range->items) {
    const auto value = statics_.integer(item, known(env));
    if (!value) refuse(*range);
    numbers_.push_back(*value);
  }
  if (numbers_.empty()) refuse(*range);
  if (range->text == "exact") return {numbers_[0], numbers_[0]};
  if (range->text == "min") return {numbers_[0], kInfinity};
  if (range->text == "max") return {1, numbers_[0]};
  return {numbers_[0], numbers_.back()};
}

// (from …) of a move that a piece makes, or the iterator.
Value Lowering::start_site(const Node* clause, NodeId& at, Env& env) {
  if (clause == nullptr) return slot_value(Slot::from, env);
  const To from = read_to(clause);
  if (from.region != nullptr && is_region(*from.region)) refuse(*clause);
  Value site = from.region == nullptr ? slot_value(Slot::from, env) : integer(*from.region, env, at);
  // Another piece may stand there, which faces somewhere else.
  if (from.region != nullptr && find_slot(*from.region) != Slot::from) env.component = 0;
  if (from.test == nullptr) return site;
  at = holds(*from.test, at, env.with(Slot::from, site));
  return site;
}

// The site that (from …) names, if the clause has one.
Value Lowering::first_site(const Call& call, const Value& otherwise, NodeId& at, Env& env) {
  return call["from"] == nullptr ? otherwise : start_site(call["from"], at, env);
}

// Whether the numbers of a region are those of sites of another type.
bool Lowering::has_other_type(const Node& area) const {
  const auto is_other = [this](const Node& item) {
    return item.label.empty() && is_site_type(item) && statics_.type_or(&item) != e_.use;
  };
  if (area.is_clause("sites")) return !names_clause("sites Hand", area) && std::ranges::any_of(area.items, is_other);
  return names_clause("union|intersection|difference|forEach|expand", area) &&
         std::ranges::any_of(area.items, [this](const Node& item) { return has_other_type(item); });
}

// A site, or one of the sites of a region.
Value Lowering::pick(const Node& area, const std::string& name, NodeId& at, const Env& env) {
  if (has_other_type(area)) refuse(area);
  if (is_region(area)) return choose(area, fmt::format("{}{}", name, depth_), at, env);
  Value site = integer(area, env, at);
  at = after_test(site, at, NodeId(), [this](int s) { return e_.is_site(s); });
  std::erase_if(site.domain, [this](int s) { return !e_.is_site(s); });
  if (site.domain.empty()) return constant(kOff);
  return site;
}

std::vector<std::vector<Radial>> Lowering::lines_of(const Node* directions, const Env& env, bool one_step) {
  static const Node kAdjacent{Node::Kind::word, {}, {}, "Adjacent", {}};
  const Node& written = directions == nullptr ? kAdjacent : *directions;
  std::vector<std::vector<Radial>> result(static_cast<std::size_t>(e_.board_size()));
  for (int site = 0; site < e_.board_size(); ++site) {
    // A piece that is not known may face anywhere.
    const auto list = statics_.directions(written, env.facing.value_or(e_.facing(env.component)), site, known(env));
    if (!list) refuse(written);
    if (env.component == 0 && !env.facing) {
      const auto other = statics_.directions(written, Direction::e, site, known(env));
      if (!other || *other != *list) refuse(written);
    }
    auto& lines = result[nth(site)];
    for (const Direction direction : *list) {
      // Lines about a pivot also run through it.
      if (is_rotational(direction) || direction == Direction::rotational) refuse(written);
      for (const Radial& radial : e_.topology->radials(e_.use, direction, site)) {
        if (one_step) continue;
        if (std::ranges::find(lines, radial) == lines.end()) lines.push_back(radial);
      }
      if (!one_step) continue;
      for (const Neighbour& step : e_.topology->site(e_.use, site).steps) {
        if (has(step.kinds, direction) && std::ranges::find(lines, Radial{site, step.to}) == lines.end())
          lines.push_back({site, step.to});
      }
    }
  }
  return result;
}

// Whether directions depend on where a piece faces.
bool Lowering::follow_a_piece(const Node* directions, const Env& env) const {
  return directions != nullptr && std::ranges::any_of(statics_.all_sites(e_.use), [&](int site) {
           const auto one = statics_.directions(*directions, Direction::n, site, known(env));
           return !one || one != statics_.directions(*directions, Direction::e, site, known(env));
         });
}

const Node* Lowering::open_direction(const Node& node, const Env& env) const {
  if (node.is_word("SameDirection") || node.is_word("OppositeDirection")) return env.heading ? nullptr : &node;
  if (node.is_clause("if") && !node.items.empty() && !statics_.condition(node.item(0), known(env))) return &node;
  if (node.is_clause("directions") && node.items.size() == 3 && node.item(1).label == "from" &&
      node.item(2).label == "to" && !statics_.directions(node, Direction::n, 0, known(env)))
    return &node;
  for (const Node& item : node.items) {
    if (const Node* const found = open_direction(item, env)) return found;
  }
  return nullptr;
}

void Lowering::for_each_heading(const Node& directions, NodeId at, const Env& env,
                                const std::function<void(NodeId, const Env&)>& body) {
  const Node* const open = open_direction(directions, env);
  if (open == nullptr) return body(at, env);
  if (open->is_clause("if")) {
    const NodeId yes = node(), no = node();
    ask(open->item(0), at, yes, no, env);
    for (const bool holds_ : {true, false}) {
      Env inner = env;
      inner.terms[&open->item(0)] = holds_ ? 1 : 0;
      for_each_heading(directions, holds_ ? yes : no, inner, body);
    }
    return;
  }
  // The directions from one site to another, or the first one for the last move.
  const bool last = open->is_word();
  const SiteType type = last ? e_.use : statics_.type_or(&open->item(0));
  if (type != e_.use && type != SiteType::cell) refuse(*open);
  const Value a = last ? last_from_ : integer(open->item(1), env, at);
  const Value b = last ? last_to_ : integer(open->item(2), env, at);
  const Topology& t = *e_.topology;
  std::vector<std::vector<Direction>> lists = {{}};
  std::vector<std::pair<int, int>> examples = {{kOff, kOff}};
  const Value way = table(a, b, [&](int from, int to) {
    std::vector<Direction> list;
    if (from < 0 || to < 0 || from >= t.count(type)) return 0;
    for (const Direction d : list_of(t.supported(type, Direction::all))) {
      if (last && (!list.empty() || !is_compass(d))) continue;
      for (const Radial& radial : t.radials(type, d, from)) {
        if (std::find(radial.begin() + 1, radial.end(), to) == radial.end()) continue;
        list.push_back(d);
        break;
      }
    }
    const auto it = std::ranges::find(lists, list);
    if (it != lists.end()) return static_cast<int>(it - lists.begin());
    lists.push_back(list);
    examples.emplace_back(from, to);
    return static_cast<int>(lists.size()) - 1;
  });
  for (const int index : way.domain) {
    const auto i = static_cast<std::size_t>(index);
    Env inner = env;
    if (last) {
      inner.heading = lists[i];
    } else {
      inner.terms[&open->item(1)] = examples[i].first;
      inner.terms[&open->item(2)] = examples[i].second;
    }
    for_each_heading(directions, way.constant ? at : check(at, way, index), inner, body);
  }
}

void Lowering::for_each_facing(const Call& call, const Value& from, NodeId at, const Env& given, bool one_step,
                               const std::function<void(NodeId, const Lines&, const Env&)>& body) {
  const Node* const directions = call["dirs"];
  const Env bound = given.with(Slot::from, from);
  if (directions != nullptr && open_direction(*directions, bound) != nullptr) {
    return for_each_heading(*directions, at, bound, [&](NodeId here, const Env& inner) {
      Env with = given;
      with.heading = inner.heading;
      with.terms = inner.terms;
      for_each_facing(call, from, here, with, one_step, body);
    });
  }
  const Env& env = given;
  if (env.component != 0 || env.facing || !follow_a_piece(directions, env))
    return body(at, lines_of(directions, env, one_step), env);
  std::map<Direction, std::vector<int>> pieces;
  for (const int component : pieces_) pieces[component == 0 ? Direction::n : e_.facing(component)].push_back(component);
  for (const auto& group : pieces) {
    const std::vector<int>& components = group.second;
    Env inner = env;
    inner.facing = group.first;
    const NodeId there =
        after_test(what(from), at, NodeId(), [&](int c) { return std::ranges::binary_search(components, c); });
    body(there, lines_of(directions, inner, one_step), inner);
  }
}

// The sites on lines, by the site from which they start, the line, and the index on it.
ExprId Lowering::table_of(const Lines& lines, const std::vector<int>& numbers, const std::vector<int>& indices) {
  const auto site_on = [&](int site, int way, int i) {
    if (!e_.is_board_site(site)) return kOff;
    const auto& list = lines[nth(site)];
    if (static_cast<std::size_t>(way) >= list.size()) return kOff;
    const Radial& radial = list[nth(way)];
    return static_cast<std::size_t>(i) + 1 < radial.size() ? radial[static_cast<std::size_t>(i) + 1] : kOff;
  };
  const ir::ValueId all = map_of(places_, [&](int site) {
    return map_of(numbers,
                  [&](int way) { return map_of(indices, [&](int i) { return number_value(site_on(site, way, i)); }); });
  });
  const ir::TypeId last = arrow_type(indices, type_of(places_));
  const ir::TypeId arrow = arrow_type(places_, arrow_type(numbers, last));
  return g_.constant_ref(DefinedOnce::constant("lines", arrow, all));
}

Lowering::Beam Lowering::choose_beam(const std::string& name, const std::vector<std::vector<Radial>>& lines,
                                     const Value& from, NodeId& at, bool all) {
  std::size_t ways = 0, length = 0;
  for (const auto& list : lines) {
    ways = std::max(ways, list.size());
    for (const Radial& radial : list) length = std::max(length, radial.size() - 1);
  }
  const auto [it, is_new] = beams_.try_emplace(lines);
  auto& [all_lines, sites] = it->second;
  if (is_new) {
    std::set<int> reached;
    for (const auto& list : lines) {
      for (const Radial& radial : list) reached.insert(radial.begin() + 1, radial.end());
    }
    sites.assign(reached.begin(), reached.end());
  }
  Beam result{{}, {}, length, sites};
  if (ways == 0) return result;
  const std::vector<int> numbers = ascending(0, static_cast<int>(ways) - 1);
  const std::vector<int> indices = ascending(0, static_cast<int>(length) - 1);
  result.way = variable(fmt::format("{}_{}", name, ways), numbers, 0);
  if (!all) guess(result.way, numbers, at);
  if (!all_lines.valid()) all_lines = table_of(lines, numbers, indices);
  result.table = g_.access(g_.access(all_lines, from.expr), result.way);
  return result;
}

NodeId Lowering::tag(NodeId at, const Value& value) {
  const NodeId next = node();
  if (value.constant) {
    edge(at, next, ir::Tag{symbol(*value.constant)});
    return next;
  }
  Value shown = value;
  if (g_.expressions().kind(value.expr) != ir::ExprKind::variable) shown = temporary(value, at);
  edge(at, next, ir::TagVariable{g_.expressions().variable(shown.expr)});
  return next;
}

// Behind this word, the text of a move says more than its start and its end.
NodeId Lowering::over(NodeId at) {
  const NodeId next = node();
  const SymbolId word = reserve(g_.symbols.intern("over"));
  asides_.insert(word);
  edge(at, next, ir::Tag{word});
  return next;
}

NodeId Lowering::show(NodeId at, const Value& from, const Value& to, const Env& env, std::string outcome, Pairs pairs) {
  if (env.silent) return at;
  at = from.expr == to.expr ? tag(at, to) : tag(tag(at, from), to);
  // An iterator that is neither end of the move can still change its result.
  for (const Value& one : env.choices) {
    if (one.expr == from.expr || one.expr == to.expr || one.constant) continue;
    at = tag(over(at), one);
  }
  const NodeId behind = node();
  outcomes_.push_back({at, behind, std::move(outcome) + env.then, std::move(pairs), env.component});
  return behind;
}

// Moves with equal tags must have equal results: a further tag tells outcomes apart that may meet.
void Lowering::tell_outcomes_apart() {
  std::map<std::string, int> numbers;
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    const Outcome& one = outcomes_[i];
    const bool may_meet =
        std::any_of(outcomes_.begin(), outcomes_.begin() + static_cast<std::ptrdiff_t>(i), [&](const Outcome& other) {
          if (other.text == one.text) return false;
          if (other.component != one.component && other.component != 0 && one.component != 0) return false;
          const Pairs& few = one.pairs.size() < other.pairs.size() ? one.pairs : other.pairs;
          const Pairs& many = one.pairs.size() < other.pairs.size() ? other.pairs : one.pairs;
          return std::ranges::any_of(few, [&](const auto& pair) { return many.contains(pair); });
        });
    if (!may_meet) {
      jump(one.shown, one.behind);
      continue;
    }
    const int number = numbers.try_emplace(one.text, static_cast<int>(numbers.size()) + 2).first->second;
    const SymbolId symbol = reserve(g_.symbols.intern(fmt::format("alternative_{}", number)));
    asides_.insert(symbol);
    edge(one.shown, one.behind, ir::Tag{symbol});
  }
  outcomes_.clear();
}

Lowering::Pairs Lowering::pairs_of(const std::vector<std::vector<Radial>>& lines, std::size_t first, std::size_t last) {
  Pairs result;
  for (const auto& list : lines) {
    for (const Radial& radial : list) {
      for (std::size_t i = first; i < std::min(radial.size(), last); ++i) result.emplace(radial.front(), radial[i]);
    }
  }
  return result;
}

Lowering::Pairs Lowering::pairs_of(const Value& from, const Value& to) {
  Pairs result;
  for (const int a : from.domain) {
    for (const int b : to.domain) {
      if (from.expr != to.expr || a == b) result.emplace(a, b);
    }
  }
  return result;
}

std::string Lowering::text_of(const std::vector<Applied>& applied, const Node* then) {
  std::string outcome = "move";
  for (const auto& [one, bound] : applied) {
    if (one.effect_test != nullptr) outcome += " if:" + one.effect_test->whole();
    outcome += one.effect == nullptr ? " -" : " " + one.effect->whole();
  }
  if (then != nullptr) outcome += then->whole();
  return outcome;
}

// Behind the text of a move, everything is decided.
NodeId Lowering::to_keeper(NodeId at, const Env& env) {
  return env.silent || env.checked ? at : assign(at, mover(), g_.symbol(g_.keeper()));
}

// Effects before a move, which all see the board before it.
NodeId Lowering::apply_all(const std::vector<Applied>& applied, NodeId at) {
  std::size_t with_effects = 0;
  bool tested = false;
  for (const auto& [one, env] : applied) {
    if (one.effect == nullptr) continue;
    tested = tested || one.effect_test != nullptr || !one.effect->is_clause("remove");
    ++with_effects;
  }
  // Later ones are evaluated first.
  std::vector<Commit> commits;
  for (const auto& [one, env] : applied) {
    if (one.effect == nullptr) continue;
    if (with_effects == 1 || !tested) {
      NodeId holds_ = at, behind = NodeId();
      if (one.effect_test != nullptr) {
        holds_ = node();
        behind = node();
        ask(*one.effect_test, at, holds_, behind, env);
      }
      const NodeId done = effect(*one.effect, holds_, env);
      if (behind.valid()) jump(done, behind);
      at = behind.valid() ? behind : done;
      continue;
    }
    if (one.effect_test == nullptr) {
      commits.push_back(plan(*one.effect, at, env));
      continue;
    }
    const Value chosen = flag(at);
    const NodeId yes = node(), joined = node();
    ask(*one.effect_test, at, yes, joined, env);
    NodeId inside = assign(yes, chosen.expr, number(1));
    const Commit commit = plan(*one.effect, inside, env);
    jump(inside, joined);
    at = joined;
    commits.push_back([this, chosen, commit](NodeId here) { return when(here, equals(chosen, 1), commit); });
  }
  for (const Commit& commit : commits) at = commit(at);
  return at;
}

void Lowering::finish_move(NodeId at, const Value& from, const Value& to, const Env& env,
                           const std::vector<Applied>& applied, const Node* then, Pairs pairs, const Body& behind,
                           const Load& load) {
  const Node* const count = load.count;
  std::string outcome = text_of(applied, then);
  if (count != nullptr) outcome += " count " + count->whole();
  if (load.copy) outcome += " copy";
  if (load.level != nullptr) outcome += " level " + load.level->whole();
  if (load.stack) outcome += " stack";
  at = show(at, from, to, env, std::move(outcome), std::move(pairs));
  const Made made{from, to};
  if (!acts(env)) return behind(at, made);
  at = to_keeper(at, env);
  std::optional<Value> number_;
  if (count != nullptr) {
    // The number of pieces is found before (to) is the target.
    number_ = hold(integer(*count, env.with(Slot::from, from), at), at, true);
  }
  if (has_stacks_) {
    std::optional<Value> level = level_in(load.level, at, env.with(Slot::from, from));
    if (level) level = hold(*level, at, true);
    if (load.copy) throw Refused(where_, "`copy:` with stacks is not translated yet");
    if (load.stack) number_ = temporary(height(from), at);
    at = apply_all(applied, at);
    at = number_ ? restack_block(at, from, to, *number_) : restack(at, from, to, level, load.keeps_state || level);
    return consequences(then, at, made, env, behind);
  }
  const bool may_be_gone = std::ranges::any_of(
      applied, [](const Applied& one) { return one.to.effect != nullptr && takes_elsewhere(*one.to.effect); });
  at = relocate(apply_all(applied, at), from, to, number_, load.copy, false, may_be_gone);
  consequences(then, at, made, env, behind);
}

// A test of the position behind a move still sees the sites that were pending before the move.
NodeId Lowering::keep_pending(NodeId at, const Env& env) {
  if (!old_pending_.valid() || !env.checked) return at;
  return env.within.old_pending ? unite(at, old_pending_, pending_) : assign(at, old_pending_, pending_);
}

// Marks the places that the other map marks.
NodeId Lowering::unite(NodeId at, ExprId map_ref, ExprId other) {
  const Value place = temporary(constant(places_.front()), at, places_);
  return loop(places_, place, at,
              [&](NodeId here) { return when(here, equals(marked(other, place), 1), marking(map_ref, place)); });
}

void Lowering::ask_pending(const Value& site, NodeId from, NodeId yes, NodeId no, const Env& env) {
  const NodeId other = env.within.old_pending && old_pending_.valid() ? node() : no;
  ask_equal(from, yes, other, marked(pending_, site), 1);
  if (other != no) ask_equal(other, yes, no, marked(old_pending_, site), 1);
}

void Lowering::consequences(const Node* then, NodeId at, const Made& made, const Env& env, const Body& behind) {
  if (!acts(env)) return behind(at, made);
  if (env.within_effect) return behind(then == nullptr ? at : consequence(then, at, env), made);
  for (const Value& die : env.dice) at = assign(at, g_.access(die_values_, die.expr), number(0));
  at = assign(at, last_from_.expr, made.from.expr);
  at = assign(at, last_to_.expr, made.to.expr);
  at = note_site(at, made.to);
  at = keep_pending(at, env);
  at = env.planned_pending ? assign(at, pending_, planned_pending_) : clear(at, pending_);
  behind(then == nullptr ? at : consequence(then, at, env), made);
}

NodeId Lowering::consequence(const Node* then, NodeId at, const Env& env) {
  Env bound;
  bound.mover = env.real_mover == 0 ? env.mover : env.real_mover;
  bound.after_move = bound.consequence = bound.counted = true;
  bound.prev = env.real_mover == 0 ? env.prev : env.real_prev;
  bound.within = env.within;
  bound.silent = env.silent;
  const Call call(*then, "then", "moves");
  return effect(call.need("moves"), at, bound);
}

}  // namespace rgtrans::ludii
