// Moves and their effects.
#include <fmt/format.h>

#include <algorithm>

#include "core/support/depth.hpp"
#include "frontends/ludii/limits.hpp"
#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

void Lowering::moves(const Node& node_, NodeId from, const Env& env, const Body& behind) {
  const Range before = where_;
  where_ = node_.where;
  Arguments arguments(node_);
  const std::string& name = node_.text;
  if (!node_.is_clause()) refuse(node_);
  if (name == "or" || name == "and") {
    if (name == "and" && !env.silent) refuse(node_);
    while (const Node* const item = arguments.next()) {
      if (!item->is_array()) {
        moves(*item, from, env, behind);
        continue;
      }
      for (const Node& part : item->items) moves(part, from, env, behind);
    }
    arguments.finish();
  } else if (name == "if") {
    const Node& test = arguments.need("a condition");
    const Node& then = arguments.need("a move");
    const Node* const otherwise = arguments.next();
    arguments.finish();
    if (otherwise != nullptr && otherwise->is_clause("then")) refuse(*otherwise);
    const NodeId holds = node(), fails = otherwise == nullptr ? NodeId() : node();
    ask(test, from, holds, fails, env);
    moves(then, holds, env, behind);
    if (otherwise != nullptr) moves(*otherwise, fails, env, behind);
  } else if (name == "priority") {
    const Node& list = arguments.need("moves");
    std::vector<const Node*> parts;
    if (list.is_array()) {
      for (const Node& part : list.items) parts.push_back(&part);
    } else {
      parts.push_back(&list);
      while (const Node* const more = arguments.next()) parts.push_back(more);
    }
    arguments.finish();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i]->is_clause("then")) refuse(*parts[i]);
      moves(*parts[i], from, env, behind);
      if (i + 1 == parts.size()) break;
      const NodeId next = node();
      ask_exists(from, NodeId(), next, [&](NodeId start, NodeId found) {
        Env inner = env;
        inner.silent = true;
        moves(*parts[i], start, inner, [&](NodeId at, const Env&) { jump(at, found); });
      });
      from = next;
    }
  } else if (name == "forEach") {
    if (!arguments.take("Piece")) refuse(node_);
    for_each_piece(node_, from, env, behind);
  } else if (name == "move" || name == "step" || name == "slide" || name == "hop" || name == "leap" ||
             name == "fromTo" || name == "remove" || name == "add") {
    move_clause(node_, from, env, behind);
  } else {
    refuse(node_);
  }
  where_ = before;
}

void Lowering::move_clause(const Node& clause, NodeId from, const Env& env, const Body& behind) {
  Arguments arguments(clause);
  struct Row {
    std::string_view word, name;
    void (Lowering::*lower)(Arguments&, NodeId, const Env&, const Body&);
  };
  static constexpr std::array<Row, 7> kRows = {{{"Add", "add", &Lowering::add},
                                                {"Step", "step", &Lowering::step},
                                                {"Slide", "slide", &Lowering::slide},
                                                {"Hop", "hop", &Lowering::hop},
                                                {"Leap", "leap", &Lowering::leap},
                                                {"Remove", "remove", &Lowering::remove},
                                                {"Select", "", &Lowering::select}}};
  for (const Row& row : kRows) {
    if (clause.text == "move" ? !arguments.take(row.word) : clause.text != row.name) continue;
    return (this->*row.lower)(arguments, from, env, behind);
  }
  if (clause.text == "move" && arguments.take("Pass")) {
    const Node* const then = arguments.take_clause("then");
    arguments.finish();
    if (then != nullptr) refuse(*then);
    if (env.silent) return behind(from, env);
    refuse(clause);
  }
  const Node* const first = arguments.peek();
  if (first == nullptr || !first->is_clause("from")) refuse(clause);
  from_to(arguments, from, env, behind);
}

void Lowering::for_each_piece(const Node& clause, NodeId from, const Env& env, const Body& behind) {
  Arguments arguments(clause);
  arguments.take("Piece");
  const Node* const name = arguments.take_string();
  const Node* const own =
      arguments.peek() != nullptr && arguments.peek()->is_clause() && !arguments.peek()->is_clause("then")
          ? arguments.next()
          : nullptr;
  const Node* const role = arguments.next();
  arguments.finish();
  if (role != nullptr && !role->is_word("Mover") && !role->is_word("Shared") && !role->is_word("Neutral"))
    refuse(*role);
  for (const int component : components_of(role == nullptr ? "Mover" : role->text, env)) {
    const Component& one = e_.component(component);
    if (name != nullptr && one.base != name->text) continue;
    const Node* const generator = own == nullptr ? one.moves : own;
    if (generator == nullptr) continue;
    const Deeper deeper(depth_);
    const ExprId chosen = variable(fmt::format("from{}", depth_), places_, kOff);
    const NodeId at = node();
    const std::vector<int> sites = statics_.all_sites(e_.use);
    edge(from, at, ir::AssignAny{chosen, type_of(sites)});
    Env inner = env;
    inner.component = component;
    inner[Slot::from] = value_of(chosen, sites);
    moves(*generator, check(at, piece_on(chosen), number(component)), inner, behind);
  }
}

Lowering::To Lowering::read_to(const Node* clause) {
  To result;
  if (clause == nullptr) return result;
  Arguments arguments(*clause);
  result.test = arguments.named("if");
  statics_.take_type(arguments);
  if (arguments.peek() != nullptr && !arguments.peek()->is_clause("apply")) result.region = arguments.next();
  if (const Node* const apply = arguments.take_clause("apply")) {
    Arguments inner(*apply);
    result.effect_test = inner.named("if");
    result.effect = inner.next();
    inner.finish();
  }
  arguments.finish();
  return result;
}

Lowering::Route Lowering::read_route(Arguments& arguments) {
  Route route{};
  route.directions = arguments.next_unless({"between", "to", "then"});
  route.between_clause = arguments.take_clause("between");
  route.between = read_to(route.between_clause);
  route.to = read_to(arguments.take_clause("to"));
  route.then = arguments.take_clause("then");
  arguments.finish();
  return route;
}

// (from …) of a move that a piece makes, or the iterator.
Value Lowering::start_site(Arguments& arguments, NodeId& at, Env& env) {
  const Node* const clause = arguments.take_clause("from");
  if (clause == nullptr) return slot_value(Slot::from, env);
  Arguments inner(*clause);
  const Node* const test = inner.named("if");
  const Node* const site = inner.next();
  inner.finish();
  Value from = site == nullptr ? slot_value(Slot::from, env) : integer(*site, env);
  // Another piece may stand there, which faces somewhere else.
  if (site != nullptr) env.component = 0;
  if (test == nullptr) return from;
  Env bound = env;
  bound[Slot::from] = from;
  const NodeId holds = node();
  ask(*test, at, holds, NodeId(), bound);
  at = holds;
  return from;
}

std::vector<std::vector<Radial>> Lowering::lines_of(const Node* directions, const Env& env, bool one_step) {
  static const Node kAdjacent{Node::Kind::word, {}, {}, "Adjacent", {}};
  const Node& written = directions == nullptr ? kAdjacent : *directions;
  std::vector<std::vector<Radial>> result(static_cast<std::size_t>(e_.board_size()));
  for (int site = 0; site < e_.board_size(); ++site) {
    // A piece that is not known may face anywhere.
    const auto list = statics_.directions(written, e_.facing(env.component), site, known(env));
    if (!list) refuse(written);
    if (env.component == 0) {
      const auto other = statics_.directions(written, Direction::e, site, known(env));
      if (!other || *other != *list) refuse(written);
    }
    auto& lines = result[static_cast<std::size_t>(site)];
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

Lowering::Beam Lowering::choose_beam(const std::string& name, const std::vector<std::vector<Radial>>& lines,
                                     const Value& from, NodeId& at) {
  std::size_t ways = 0, length = 0;
  for (const auto& list : lines) {
    ways = std::max(ways, list.size());
    for (const Radial& radial : list) length = std::max(length, radial.size() - 1);
  }
  Beam result{{}, {}, length};
  if (ways == 0) return result;
  std::vector<int> numbers, indices;
  for (std::size_t i = 0; i < ways; ++i) numbers.push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < length; ++i) indices.push_back(static_cast<int>(i));
  result.way = variable(fmt::format("{}_{}", name, ways), numbers, 0);
  const NodeId chosen = node();
  edge(at, chosen, ir::AssignAny{result.way, type_of(numbers)});
  at = chosen;
  // table[from][way][index]
  std::vector<SymbolId> from_keys, way_keys, index_keys;
  std::vector<ir::ValueId> by_from;
  for (const int way : numbers) way_keys.push_back(DefinedOnce::number(way));
  for (const int i : indices) index_keys.push_back(DefinedOnce::number(i));
  for (const int site : places_) {
    std::vector<ir::ValueId> by_way;
    for (const int way : numbers) {
      std::vector<ir::ValueId> by_index;
      for (const int i : indices) {
        int to = kOff;
        if (e_.is_board_site(site)) {
          const auto& list = lines[static_cast<std::size_t>(site)];
          if (static_cast<std::size_t>(way) < list.size() &&
              static_cast<std::size_t>(i) + 1 < list[static_cast<std::size_t>(way)].size())
            to = list[static_cast<std::size_t>(way)][static_cast<std::size_t>(i) + 1];
        }
        by_index.push_back(number_value(to));
      }
      by_way.push_back(map(index_keys, by_index));
    }
    from_keys.push_back(DefinedOnce::number(site));
    by_from.push_back(map(way_keys, by_way));
  }
  const ir::TypeId last = g_.types.arrow(type_of(indices), type_of(places_));
  const ir::TypeId arrow = g_.types.arrow(type_of(places_), g_.types.arrow(type_of(numbers), last));
  const ExprId all = g_.constant_ref(DefinedOnce::constant("lines", arrow, map(from_keys, by_from)));
  result.table = g_.access(g_.access(all, from.expr), result.way);
  return result;
}

NodeId Lowering::show(NodeId at, const Value& from, const Value& to, const Env& env, std::string outcome, Pairs pairs) {
  const auto tag = [&](NodeId here, const Value& value) {
    const NodeId next = node();
    if (value.constant) {
      edge(here, next, ir::Tag{DefinedOnce::number(*value.constant)});
    } else {
      edge(here, next, ir::TagVariable{g_.expressions().variable(value.expr)});
    }
    return next;
  };
  if (env.silent) return at;
  at = from.expr == to.expr ? tag(at, to) : tag(tag(at, from), to);
  const NodeId behind = node();
  outcomes_.push_back({at, behind, std::move(outcome), std::move(pairs), env.component});
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

Lowering::Pairs Lowering::pairs_of(const Value& from, const Value& to) const {
  Pairs result;
  for (const int a : from.domain) {
    for (const int b : to.domain) {
      if (from.expr != to.expr || a == b) result.emplace(a, b);
    }
  }
  return result;
}

void Lowering::finish_move(const Node& where, NodeId at, const Value& from, const Value& to, const Env& env,
                           const std::vector<std::pair<const To*, Env>>& effects, const Node* then, Pairs pairs,
                           const Body& behind) {
  std::string outcome = "move";
  for (const auto& [one, bound] : effects) {
    if (one->effect_test != nullptr) outcome += " if:" + one->effect_test->whole();
    outcome += one->effect == nullptr ? " -" : " " + one->effect->whole();
  }
  if (then != nullptr) outcome += then->whole();
  at = show(at, from, to, env, std::move(outcome), std::move(pairs));
  if (env.silent) return behind(at, env);
  at = assign(at, mover(), g_.symbol(g_.keeper()));
  std::size_t with_tests = 0, with_effects = 0;
  for (const auto& [one, bound] : effects) {
    if (one->effect == nullptr) continue;
    ++with_effects;
    with_tests += one->effect_test != nullptr || one->effect->is_clause("if") ? 1 : 0;
  }
  // A test behind another effect would see a changed board.
  if (with_tests > 0 && with_effects > 1) refuse(where);
  for (const auto& [one, bound] : effects) {
    if (one->effect == nullptr) continue;
    if (one->effect_test == nullptr) {
      at = effect(*one->effect, at, bound);
      continue;
    }
    const NodeId holds = node(), behind_effect = node();
    ask(*one->effect_test, at, holds, behind_effect, bound);
    jump(effect(*one->effect, holds, bound), behind_effect);
    at = behind_effect;
  }
  at = assign(at, piece_on(to.expr), piece_on(from.expr));
  at = assign(at, piece_on(from.expr), number(0));
  consequences(then, at, from, to, env, behind);
}

void Lowering::consequences(const Node* then, NodeId at, const Value& from, const Value& to, const Env& env,
                            const Body& behind) {
  if (env.silent) return behind(at, env);
  if (uses_last_) {
    at = assign(at, last_from_.expr, from.expr);
    at = assign(at, last_to_.expr, to.expr);
  }
  if (then != nullptr) {
    Env bound;
    bound.mover = env.mover;
    bound.after_move = true;
    bound.prev = env.prev;
    Arguments arguments(*then);
    const Node& list = arguments.need("a consequence");
    arguments.finish();
    at = effect(list, at, bound);
  }
  behind(at, env);
}

}  // namespace rgtrans::ludii
