// Lines of pieces through a site, as windows on the lines of the board.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

// By site: the windows of k sites, each with the sites before and behind it if the length is exact.
std::map<int, std::set<std::vector<int>>> Lowering::lines_through(Direction direction, std::size_t k, bool exact,
                                                                  bool contiguous) const {
  const Topology& t = *e_.topology;
  std::map<int, std::set<std::vector<int>>> windows;
  const auto heading = [&](const Radial& radial) {
    return t.site(e_.use, radial[1]).at - t.site(e_.use, radial[0]).at;
  };
  for (int p = 0; p < e_.board_size(); ++p) {
    std::vector<std::vector<int>> lines;
    for (const Radial& radial : t.radials(e_.use, direction, p)) {
      std::vector<Radial> opposites;
      const Direction backwards = is_compass(direction) ? turned(direction, kCompass / 2) : direction;
      for (const Radial& other : t.radials(e_.use, backwards, p)) {
        const Vector a = heading(radial), b = heading(other);
        if (dot(a, b) + a.z * b.z < 0 && flat_length(a) > 0 && std::abs(cross(a, b)) < 0.1 * -dot(a, b))
          opposites.push_back(other);
      }
      if (opposites.empty()) opposites.push_back({p});
      for (const Radial& opposite : opposites) {
        std::vector<int> line(opposite.rbegin(), opposite.rend() - 1);
        line.insert(line.end(), radial.begin(), radial.end());
        lines.push_back(std::move(line));
      }
    }
    for (const std::vector<int>& line : lines) {
      if (!contiguous) {
        // Any k sites of the line that include this one.
        constexpr std::size_t kLongest = 12;
        if (line.size() > kLongest) throw Refused(where_, "`contiguous:False` is not translated yet for long lines");
        for (std::uint32_t set = 0; set < (1U << line.size()); ++set) {
          if (static_cast<std::size_t>(std::popcount(set)) != k) continue;
          std::vector<int> window;
          for (std::size_t i = 0; i < line.size(); ++i) {
            if ((set >> i & 1U) != 0) window.push_back(line[i]);
          }
          if (std::ranges::find(window, p) == window.end()) continue;
          std::ranges::sort(window);
          windows[p].insert(std::move(window));
        }
        continue;
      }
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
  }
  return windows;
}

namespace {

// Whether the condition is that there is a single piece on the site.
bool asks_for_single(const Node* test) {
  return test != nullptr && test->is_clause("=") && test->items.size() == 2 &&
         std::ranges::any_of(test->items, [](const Node& item) { return item.is_word("1"); }) &&
         std::ranges::any_of(test->items, [](const Node& item) {
           const Node* const at = item.labelled("at");
           return names_clause("size Stack", item) && at != nullptr && find_slot(*at) == Slot::to;
         });
}

}  // namespace

void Lowering::is_line(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  type_in(call);
  // In a game with stacks, all levels of a site count, unless there is only one.
  const bool top = !has_stacks_ || call.flag("top") || asks_for_single(call["if"]);
  const bool exact = call.flag("exact");
  const bool contiguous = call.flag("contiguous", true);
  if ((!contiguous && exact) || !top || (call.flag("top") && !has_stacks_) || !call.flag("useOpposites", true))
    refuse(call.clause());
  const auto length = statics_.integer(call.need("int"), known(env));
  if (!length || *length < 2 || *length > 20) refuse(call.clause());
  const auto k = static_cast<std::size_t>(*length);
  Direction direction = Direction::adjacent;
  if (const Node* const word = call["dirs"]) {
    const auto found = word->is_word() ? find_direction(word->text) : std::nullopt;
    if (!found || is_rotational(*found) || (!is_compass(*found) && !is_relation(*found))) refuse(*word);
    direction = *found;
  }
  std::optional<Owned> owned;
  std::optional<Value> component;
  // Ludii takes a role of several players for no player here.
  if (const Node* const role = call["role"]; role != nullptr) {
    for (const std::string_view word : {"NonMover", "Enemy", "Friend", "Ally", "All", "Each"}) {
      if (role->is_word(word)) refuse(*role);
    }
    owned = owned_by(role, env, from);
  }
  if (call["what"] != nullptr) component = integer(*call["what"], env, from);
  if (const Node* const list = call["whats"]) {
    std::vector<int> components;
    for (const Node& item : list->items) {
      const auto one = statics_.integer(item, known(env));
      if (!one) refuse(item);
      components.push_back(*one);
    }
    owned = Owned{[components](int c, int) { return std::ranges::find(components, c) != components.end(); }, {}};
  }
  if (const Node* const any = call["throughAny"]) {
    // Some site of a region is on such a line.
    if (call["if"] != nullptr || (!owned && !component)) refuse(*any);
    const Value each = value_of(variable(fmt::format("pivot{}", depth_), places_, kOff), all_sites_);
    const auto lines = lines_through(direction, k, exact, contiguous);
    return ask_some(*any, from, yes, no, env, [&](const Value& site, NodeId start, NodeId found) {
      const NodeId named = assign(start, each.expr, site.expr);
      ask_line(call, lines, k, each, owned, component, named, found, NodeId(), env);
    });
  }
  const Value pivot = integer_or(call["through"], last_to_, env, from);
  ask_line(call, lines_through(direction, k, exact, contiguous), k, pivot, owned, component, from, yes, no, env);
}

void Lowering::ask_line(const Call& call, const std::map<int, std::set<std::vector<int>>>& windows, std::size_t k,
                        const Value& pivot, const std::optional<Owned>& owned, const std::optional<Value>& component,
                        NodeId from, NodeId yes, NodeId no, const Env& env) {
  const bool exact = call.flag("exact");
  std::size_t most = 0;
  for (const auto& [site, list] : windows) most = std::max(most, list.size());
  if (most == 0) return jump(from, no);
  if (const Node* const test = call["if"]) {
    const NodeId fits = node();
    ask(*test, from, fits, no, env.with(Slot::to, pivot));
    from = fits;
  }
  const std::vector<int> numbers = ascending(0, static_cast<int>(most) - 1);
  const ExprId way_ = variable(fmt::format("line_{}", most), numbers, 0);
  limit_size(call.clause(), static_cast<std::size_t>(e_.board_size()) * most * (k + 2));
  ask_exists(from, yes, no, [&](NodeId start, NodeId found) {
    NodeId at = start;
    const Value way = guess(way_, numbers, at);
    for (std::size_t j = 0; j < k + (exact ? 2U : 0U); ++j) {
      const Value site = table(pivot, way, [&](int p, int w) {
        const auto list = windows.find(p);
        if (list == windows.end() || static_cast<std::size_t>(w) >= list->second.size()) return kOff;
        return (*std::next(list->second.begin(), w))[j];
      });
      const bool inside = j < k;
      const NodeId next = node(), other = inside ? NodeId() : next;
      NodeId there = at;
      if (inside && site.may_be(kOff)) there = check(at, site, kOff, false);
      const NodeId hit = inside ? next : NodeId();
      const NodeId fits = call["if"] == nullptr ? hit : node();
      if (owned) {
        ask_owned(*owned, what(site), there, fits, other);
      } else if (component) {
        ask_equal(there, fits, other, what(site), *component);
      } else {
        ask_equal(there, fits, other, what(site), what(pivot));
      }
      if (call["if"] != nullptr) ask(*call["if"], fits, hit, other, env.with(Slot::to, site));
      at = next;
    }
    jump(at, found);
  });
}

// Walks from a site over pieces of one kind.
void Lowering::is_pattern(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  type_in(call);
  std::map<int, std::set<std::vector<int>>> windows;
  std::size_t length = 1;
  for (int site = 0; site < e_.board_size(); ++site) {
    for (Sites& path : statics_.walk_paths(call.need("array"), site, true)) {
      length = path.size();
      windows[site].insert(std::move(path));
    }
  }
  const Value pivot = integer_or(call["from"], last_to_, env, from);
  std::optional<Value> component;
  if (call["what"] != nullptr) component = integer(*call["what"], env, from);
  ask_line(call, windows, length, pivot, {}, component, from, yes, no, env);
}

}  // namespace rgtrans::ludii
