// Conditions and regions.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

void Lowering::ask_test(const Value& value, const std::function<bool(int)>& test, NodeId from, NodeId yes, NodeId no) {
  const Value result = table(value, [&](int v) { return test(v) ? 1 : 0; });
  if (result.constant) return jump(from, *result.constant == 1 ? yes : no);
  ask_equal(from, yes, no, result.expr, number(1));
}

void Lowering::ask_parts(const std::vector<const Node*>& parts, bool every, NodeId from, NodeId yes, NodeId no,
                         const Env& env) {
  if (parts.empty()) return jump(from, every ? yes : no);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const NodeId next = node();
    ask(*parts[i], from, every ? next : yes, every ? no : next, env);
    from = next;
  }
  ask(*parts.back(), from, yes, no, env);
}

void Lowering::ask_exists(NodeId from, NodeId yes, NodeId no, const std::function<void(NodeId, NodeId)>& build) {
  const NodeId start = node(), found = node();
  build(start, found);
  if (yes.valid()) edge(from, yes, ir::Reachability{start, found, false});
  if (no.valid()) edge(from, no, ir::Reachability{start, found, true});
}

void Lowering::ask(const Node& condition, NodeId from, NodeId yes, NodeId no, const Env& env) {
  const Range before = where_;
  where_ = condition.where;
  const std::string& name = condition.text;
  if (const auto value = statics_.condition(condition, known(env))) {
    jump(from, *value ? yes : no);
  } else if (!condition.is_clause()) {
    throw Refused(condition.where, fmt::format("`{}` is not a condition", condition.shown()));
  } else if (name == "not") {
    Arguments arguments(condition);
    const Node& inner = arguments.need("a condition");
    arguments.finish();
    ask(inner, from, no, yes, env);
  } else if (name == "and" || name == "or") {
    std::vector<const Node*> parts;
    for (const Node& item : condition.items) {
      if (!item.is_array()) {
        parts.push_back(&item);
        continue;
      }
      for (const Node& part : item.items) parts.push_back(&part);
    }
    ask_parts(parts, name == "and", from, yes, no, env);
  } else if (name == "if") {
    Arguments arguments(condition);
    const Node& test = arguments.need("a condition");
    const Node& then = arguments.need("a condition");
    const Node* const otherwise = arguments.next();
    arguments.finish();
    const NodeId holds = node(), fails = otherwise == nullptr ? no : node();
    ask(test, from, holds, fails, env);
    ask(then, holds, yes, no, env);
    if (otherwise != nullptr) ask(*otherwise, fails, yes, no, env);
  } else if (name == "is") {
    ask_is(condition, from, yes, no, env);
  } else if (name == "no") {
    ask_no(condition, from, yes, no, env);
  } else if (name == "all") {
    ask_all_sites(condition, from, yes, no, env);
  } else if (name == "can") {
    Arguments arguments(condition);
    if (!arguments.take("Move")) refuse(condition);
    const Node& move = arguments.need("a move");
    arguments.finish();
    ask_exists(from, yes, no, [&](NodeId start, NodeId found) {
      Env inner = env;
      inner.silent = true;
      moves(move, start, inner, [&](NodeId at, const Env&) { jump(at, found); });
    });
  } else if (name == "=" || name == "!=" || name == "<" || name == ">" || name == "<=" || name == ">=") {
    Arguments arguments(condition);
    const Node& left = arguments.need("a number");
    const Node& right = arguments.need("a number");
    arguments.finish();
    const Value a = integer(left, env), b = integer(right, env);
    const bool equality = name == "=" || name == "!=";
    const auto overlap = [&] { return std::ranges::any_of(a.domain, [&](int v) { return b.may_be(v); }); };
    if (equality && overlap()) {
      ask_equal(from, name == "=" ? yes : no, name == "=" ? no : yes, a.expr, b.expr);
    } else {
      limit_size(condition, a.domain.size() * b.domain.size());
      const Value result = table(a, b, [&](int x, int y) {
        return (name == "="    ? x == y
                : name == "!=" ? x != y
                : name == "<"  ? x < y
                : name == ">"  ? x > y
                : name == "<=" ? x <= y
                               : x >= y)
                   ? 1
                   : 0;
      });
      ask_test(
          result, [](int v) { return v == 1; }, from, yes, no);
    }
  } else {
    refuse(condition);
  }
  where_ = before;
}

void Lowering::ask_is(const Node& condition, NodeId from, NodeId yes, NodeId no, const Env& env) {
  Arguments arguments(condition);
  const std::string word = arguments.need("a kind of condition").text;
  if (word == "Empty" || word == "Occupied") {
    if (statics_.take_type(arguments) != e_.use) refuse(condition);
    const Value site = integer(arguments.need("a site"), env);
    arguments.finish();
    // A site that does not exist is neither empty nor occupied.
    const bool may_be_off = std::ranges::any_of(site.domain, [this](int s) { return !e_.is_site(s); });
    if (may_be_off) {
      const NodeId there = node();
      ask_test(
          site, [this](int s) { return e_.is_site(s); }, from, there, no);
      from = there;
    }
    if (site.constant && !e_.is_site(*site.constant)) return;
    const bool empty = word == "Empty";
    return ask_equal(from, empty ? yes : no, empty ? no : yes, piece_on(site.expr), number(0));
  }
  if (word == "Enemy" || word == "Friend") {
    const Value player = integer(arguments.need("a player"), env);
    arguments.finish();
    const int mover = env.mover;
    if (word == "Friend")
      return ask_test(
          player, [mover](int p) { return p == mover; }, from, yes, no);
    return ask_test(
        player, [mover](int p) { return p != mover && p != 0; }, from, yes, no);
  }
  if (word == "In") {
    const Node& first = arguments.need("a region");
    const Node* const second = arguments.next();
    arguments.finish();
    if (second != nullptr && first.is_array()) refuse(condition);
    const Value site = second == nullptr ? slot_value(Slot::to, env) : integer(first, env);
    return ask_member(second == nullptr ? first : *second, site, from, yes, no, env);
  }
  if (word == "Mover" || word == "Next" || word == "Prev") {
    const Value player = integer(arguments.need("a player"), env);
    arguments.finish();
    const Value is = slot_value(word == "Mover" ? Slot::mover : word == "Next" ? Slot::next : Slot::prev, env);
    return ask_test(
        table(is, player, [](int a, int b) { return a == b ? 1 : 0; }), [](int v) { return v == 1; }, from, yes, no);
  }
  if (word == "Line") return ask_line(condition, from, yes, no, env);
  if (word == "Even" || word == "Odd") {
    const Value value = integer(arguments.need("a number"), env);
    arguments.finish();
    return ask_test(
        value, [&](int v) { return ((v & 1) == 0) == (word == "Even"); }, from, yes, no);
  }
  refuse(condition);
}

void Lowering::ask_no(const Node& condition, NodeId from, NodeId yes, NodeId no, const Env& env) {
  Arguments arguments(condition);
  if (arguments.take("Moves")) {
    const Node& who = arguments.need("a player");
    arguments.finish();
    if (!env.after_move || env.silent) refuse(condition);
    if (who.is_word("Next")) {
      // With moveAgain the mover is asked whether it can go on.
      const auto without = [&](int player, NodeId at) {
        ask_exists(at, no, yes, [&](NodeId start, NodeId found) {
          Env inner;
          inner.mover = player;
          inner.silent = true;
          inner.prev = constant(env.mover);
          moves(*play_, start, inner, [&](NodeId end, const Env&) { jump(end, found); });
        });
      };
      if (!uses_next_) return without(3 - env.mover, from);
      for (const int player : {1, 2}) without(player, check(from, next_.expr, number(player)));
      return;
    }
    const auto player = statics_.role(who.text, known(env));
    if (!player || *player < 1 || *player > 2) refuse(condition);
    if (*player == env.mover) return jump(from, env.forced_pass ? yes : no);
    const ExprId stuck = stuck_[static_cast<std::size_t>(*player)];
    if (!stuck.valid()) refuse(condition);
    return ask_equal(from, yes, no, stuck, number(1));
  }
  if (!arguments.take("Pieces")) refuse(condition);
  const Node* const in = arguments.named("in");
  const std::string role = arguments.peek() != nullptr && arguments.peek()->is_word() ? arguments.next()->text : "All";
  const Node* const name = arguments.take_string();
  arguments.finish();
  std::set<int> wanted = components_of(role, env);
  if (name != nullptr)
    std::erase_if(wanted, [&](int c) { return e_.component(c).name.find(name->text) == std::string::npos; });
  if (wanted.empty()) return jump(from, yes);
  ask_exists(from, no, yes, [&](NodeId start, NodeId found) {
    NodeId at = start;
    Value site;
    if (in != nullptr) {
      std::tie(site, at) = choose(*in, "any", at, env);
    } else {
      std::vector<int> all;
      for (const int s : places_) {
        if (s >= 0) all.push_back(s);
      }
      const ExprId any = variable("any", places_, kOff);
      const NodeId chosen = node();
      edge(at, chosen, ir::AssignAny{any, type_of(all)});
      at = chosen;
      site = value_of(any, all);
    }
    ask_test(
        what(site), [&](int c) { return wanted.contains(c); }, at, found, NodeId());
  });
}

void Lowering::ask_all_sites(const Node& condition, NodeId from, NodeId yes, NodeId no, const Env& env) {
  Arguments arguments(condition);
  if (!arguments.take("Sites")) refuse(condition);
  const Node& region = arguments.need("a region");
  const Node* const test = arguments.named("if");
  arguments.finish();
  if (test == nullptr) refuse(condition);
  ask_exists(from, no, yes, [&](NodeId start, NodeId found) {
    const auto [site, chosen] = choose(region, fmt::format("site{}", depth_), start, env);
    Env inner = env;
    inner[Slot::site] = site;
    ++depth_;
    ask(*test, chosen, NodeId(), found, inner);
    --depth_;
  });
}

// The windows of k sites on a line through a site.
void Lowering::ask_line(const Node& condition, NodeId from, NodeId yes, NodeId no, const Env& env) {
  Arguments arguments(condition);
  arguments.take("Line");
  const Node* const through = arguments.named("through");
  const bool exact = arguments.flag("exact");
  const auto length = statics_.integer(arguments.need("a length"), known(env));
  if (!length || *length < 2 || *length > 20) refuse(condition);
  const auto k = static_cast<std::size_t>(*length);
  Direction direction = Direction::adjacent;
  std::optional<std::set<int>> wanted;
  while (const Node* const word = arguments.next()) {
    if (!word->is_word()) refuse(*word);
    if (const auto found = find_direction(word->text)) {
      direction = *found;
    } else {
      const auto role = statics_.role(word->text, known(env));
      if (!role || *role < 1 || *role > 2) refuse(*word);
      wanted = components_of(word->text, env);
    }
  }
  arguments.finish();
  if (is_rotational(direction)) refuse(condition);
  const Topology& t = *e_.topology;
  const Value pivot = through == nullptr ? last_to_ : integer(*through, env);
  // By site: the windows, each with the sites before and behind it if the length is exact.
  std::map<int, std::set<std::vector<int>>> windows;
  std::size_t most = 0;
  const auto heading = [&](const Radial& radial) {
    return t.site(e_.use, radial[1]).at - t.site(e_.use, radial[0]).at;
  };
  for (int p = 0; p < e_.board_size(); ++p) {
    const auto& radials = t.radials(e_.use, direction, p);
    std::vector<std::vector<int>> lines;
    const auto opposites_of = [&](const Radial& radial, std::vector<Radial>& result) {
      const Direction wanted_direction = is_compass(direction) ? turned(direction, kCompass / 2) : direction;
      if (!is_compass(direction) && !is_relation(direction)) refuse(condition);
      for (const Radial& other : t.radials(e_.use, wanted_direction, p)) {
        const Vector a = heading(radial), b = heading(other);
        if (dot(a, b) + a.z * b.z < 0 && flat_length(a) > 0 && std::abs(cross(a, b)) < 0.1 * -dot(a, b))
          result.push_back(other);
      }
    };
    for (const Radial& radial : radials) {
      std::vector<Radial> opposites;
      opposites_of(radial, opposites);
      if (opposites.empty()) opposites.push_back({p});
      for (const Radial& opposite : opposites) {
        std::vector<int> line(opposite.rbegin(), opposite.rend() - 1);
        line.insert(line.end(), radial.begin(), radial.end());
        lines.push_back(std::move(line));
      }
    }
    for (const std::vector<int>& line : lines) {
      for (std::size_t i = 0; i + k <= line.size(); ++i) {
        std::vector<int> window(line.begin() + static_cast<std::ptrdiff_t>(i),
                                line.begin() + static_cast<std::ptrdiff_t>(i + k));
        if (std::ranges::find(window, p) == window.end()) continue;
        std::ranges::sort(window);
        if (exact) {
          int before = i > 0 ? line[i - 1] : kOff, behind = i + k < line.size() ? line[i + k] : kOff;
          if (before > behind) std::swap(before, behind);
          window.push_back(before);
          window.push_back(behind);
        }
        windows[p].insert(std::move(window));
      }
    }
    most = std::max(most, windows[p].size());
  }
  if (most == 0) return jump(from, no);
  std::vector<int> numbers(most);
  for (std::size_t i = 0; i < most; ++i) numbers[i] = static_cast<int>(i);
  const ExprId choice = variable(fmt::format("line_{}", most), numbers, 0);
  limit_size(condition, static_cast<std::size_t>(e_.board_size()) * most * (k + 2));
  ask_exists(from, yes, no, [&](NodeId start, NodeId found) {
    NodeId at = node();
    edge(start, at, ir::AssignAny{choice, type_of(numbers)});
    const Value way = value_of(choice, numbers);
    for (std::size_t j = 0; j < k + (exact ? 2U : 0U); ++j) {
      const Value site = table(pivot, way, [&](int p, int w) {
        const auto list = windows.find(p);
        if (list == windows.end() || static_cast<std::size_t>(w) >= list->second.size()) return kOff;
        return (*std::next(list->second.begin(), w))[j];
      });
      const bool inside = j < k;
      const NodeId next = node();
      if (inside) {
        const NodeId there = site.may_be(kOff) ? check(at, site.expr, number(kOff), false) : at;
        if (wanted) {
          ask_test(
              what(site), [&](int c) { return wanted->contains(c); }, there, next, NodeId());
        } else {
          edge(there, next, ir::Compare{piece_on(site.expr), piece_on(pivot.expr), false});
        }
      } else if (wanted) {
        ask_test(
            what(site), [&](int c) { return wanted->contains(c); }, at, NodeId(), next);
      } else {
        edge(at, next, ir::Compare{piece_on(site.expr), piece_on(pivot.expr), true});
      }
      at = next;
    }
    jump(at, found);
  });
}

// --- Regions. ---

std::set<int> Lowering::components_of(std::string_view role, const Env& env) {
  std::set<int> result;
  for (std::size_t i = 0; i < e_.components.size(); ++i) {
    const int owner = e_.components[i].owner;
    bool fits = false;
    if (role == "All" || role == "Each") {
      fits = true;
    } else if (role == "NonMover" || role == "Enemy") {
      fits = owner == 3 - env.mover;
    } else if (role == "Friend") {
      fits = owner == env.mover;
    } else {
      const auto number = statics_.role(role, known(env));
      if (!number) throw Refused(where_, fmt::format("`{}` is not translated yet here", role));
      fits = owner == *number;
    }
    if (fits) result.insert(static_cast<int>(i) + 1);
  }
  return result;
}

std::vector<int> Lowering::possible_sites(const Node& region, const Env& env) {
  if (const auto sites = statics_.region(region, known(env))) {
    for (const int site : *sites) {
      if (!e_.is_site(site)) throw Refused(region.where, fmt::format("there is no site {}", site));
    }
    return *sites;
  }
  return statics_.all_sites(e_.use);
}

std::pair<Value, NodeId> Lowering::choose(const Node& region, const std::string& name, NodeId from, const Env& env) {
  const std::vector<int> sites = possible_sites(region, env);
  const ExprId chosen = variable(name, places_, kOff);
  const NodeId at = node();
  const Value site = value_of(chosen, sites);
  if (sites.empty()) return {constant(kOff), at};
  edge(from, at, ir::AssignAny{chosen, type_of(sites)});
  if (statics_.region(region, known(env))) return {site, at};
  const NodeId inside = node();
  ask_member(region, site, at, inside, NodeId(), env);
  return {site, inside};
}

void Lowering::ask_member(const Node& region, const Value& site, NodeId from, NodeId yes, NodeId no, const Env& env) {
  if (const auto sites = statics_.region(region, known(env)))
    return ask_test(
        site, [&](int s) { return std::ranges::binary_search(*sites, s); }, from, yes, no);
  // Regions around an iterator are tables over both.
  const auto result = tabulate(
      region, env,
      [&](const Known& here) -> std::optional<int> {
        Known outer = here;
        outer[Slot::pips] = known(env)[Slot::pips];
        const auto sites = statics_.region(region, outer);
        if (!sites) return std::nullopt;
        return std::ranges::binary_search(*sites, here[Slot::pips].value_or(kOff)) ? 1 : 0;
      },
      std::pair(Slot::pips, site));
  if (result)
    return ask_test(
        *result, [](int v) { return v == 1; }, from, yes, no);
  if (!region.is_clause()) refuse(region);
  Arguments arguments(region);
  if (region.text == "sites") {
    if (arguments.take("Empty")) {
      if (statics_.take_type(arguments) != e_.use) refuse(region);
      arguments.finish();
      const NodeId there = node();
      ask_test(
          site, [this](int s) { return e_.is_board_site(s); }, from, there, no);
      return ask_equal(there, yes, no, piece_on(site.expr), number(0));
    }
    if (arguments.take("Occupied")) {
      const Node* const by = arguments.named("by");
      const Node* const component = arguments.named("component");
      arguments.finish();
      // Hands are included on boards of cells only.
      if (by == nullptr || (e_.containers.size() > 1 && e_.use == SiteType::cell)) refuse(region);
      std::set<int> wanted = components_of(by->text, env);
      if (component != nullptr) {
        if (!component->is_string()) refuse(*component);
        std::erase_if(wanted, [&](int c) { return e_.component(c).name.find(component->text) == std::string::npos; });
      }
      const NodeId there = node();
      ask_test(
          site, [this](int s) { return e_.is_board_site(s); }, from, there, no);
      return ask_test(
          what(site), [&](int c) { return wanted.contains(c); }, there, yes, no);
    }
    refuse(region);
  }
  if (region.text == "union" || region.text == "intersection" || region.text == "difference") {
    const std::vector<const Node*> parts = arguments.rest();
    arguments.finish();
    const bool first_wins = region.text == "union";
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool last = i + 1 == parts.size(), minus = region.text == "difference" && i > 0;
      const NodeId next = last ? NodeId() : node();
      const NodeId in = minus ? no : first_wins || last ? yes : next;
      const NodeId out = minus ? (last ? yes : next) : first_wins && !last ? next : no;
      const bool is_site =
          !parts[i]->is_array() && !parts[i]->is_clause("sites") && parts[i]->is_clause() && find_slot(*parts[i]);
      if (is_site) {
        const Value other = integer(*parts[i], env);
        limit_size(region, other.domain.size() * site.domain.size());
        ask_test(
            table(site, other, [](int a, int b) { return a == b ? 1 : 0; }), [](int v) { return v == 1; }, from, in,
            out);
      } else {
        ask_member(*parts[i], site, from, in, out, env);
      }
      from = next;
    }
    return;
  }
  if (region.text == "if") {
    const Node& test = arguments.need("a condition");
    const Node& then = arguments.need("a region");
    const Node* const otherwise = arguments.next();
    arguments.finish();
    const NodeId holds = node(), fails = otherwise == nullptr ? no : node();
    ask(test, from, holds, fails, env);
    ask_member(then, site, holds, yes, no, env);
    if (otherwise != nullptr) ask_member(*otherwise, site, fails, yes, no, env);
    return;
  }
  if (region.text == "forEach") {
    const Node* const test = arguments.named("if");
    const Node& inner = arguments.need("a region");
    arguments.finish();
    if (test == nullptr) refuse(region);
    const NodeId in = node();
    ask_member(inner, site, from, in, no, env);
    Env bound = env;
    bound[Slot::site] = site;
    return ask(*test, in, yes, no, bound);
  }
  refuse(region);
}

}  // namespace rgtrans::ludii
