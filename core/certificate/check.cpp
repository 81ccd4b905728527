// Decides whether a pass kept the game. The pairs that are needed are found from the begin; a pair whose walks do not
// correspond is banned, and those that relied on it are examined again with longer walks.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/certificate/certificate.hpp"
#include "core/certificate/facts.hpp"
#include "core/certificate/terms.hpp"
#include "core/certificate/walks.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::certificate {

namespace {

// Why the ids of both versions have different meanings, or "".
std::string different_ids(const ir::Game& before, const ir::Game& after) {
  const auto sizes = [](const ir::Game& g) {
    return std::array{std::size_t{g.symbols.size()},
                      std::size_t{g.values.size()},
                      std::size_t{g.expressions().size()},
                      g.constants().size(),
                      g.variables().size(),
                      std::size_t{g.graph.edge_bound()},
                      std::size_t{g.graph.node_bound()}};
  };
  if (!std::ranges::equal(sizes(before), sizes(after), std::less_equal())) return "entries are missing";
  for (std::uint32_t i = 0; i < before.symbols.size(); ++i)
    if (before.symbols.text(SymbolId(i)) != after.symbols.text(SymbolId(i))) return "symbols are renamed";
  const ir::Values &v = before.values, &w = after.values;
  for (std::uint32_t i = 0; i < v.size(); ++i) {
    const ir::ValueId id(i);
    const bool same = v.is_symbol(id) == w.is_symbol(id) &&
                      (v.is_symbol(id) ? v.as_symbol(id) == w.as_symbol(id)
                                       : v.default_of(id) == w.default_of(id) &&
                                             std::ranges::equal(v.exceptions(id), w.exceptions(id)));
    if (!same) return "values have changed";
  }
  const ir::Expressions &e = before.expressions(), &f = after.expressions();
  for (std::uint32_t i = 0; i < e.size(); ++i) {
    const ir::ExprId id(i);
    const bool inner = e.kind(id) != ir::ExprKind::access || e.index(id) == f.index(id);
    if (e.kind(id) != f.kind(id) || e.symbol(id) != f.symbol(id) || !inner) return "expressions have changed";
  }
  for (std::uint32_t i = 0; i < before.constants().size(); ++i) {
    const ir::Constant &c = before.constant(ir::ConstId(i)), &d = after.constant(ir::ConstId(i));
    if (c.value != d.value) return fmt::format("the constant {} has changed", before.symbols.text(c.name));
  }
  const auto built_in = [](const ir::Game& g) {
    return std::tuple(g.begin(), g.end(), g.player(), g.goals(), g.visible(), g.keeper(), g.random());
  };
  if (built_in(before) != built_in(after)) return "built-in names have changed";
  if (!std::ranges::equal(before.players(), after.players()) || !std::ranges::equal(before.scores(), after.scores()))
    return "players or scores have changed";
  auto tags = ir::artificial_tags(before), now = ir::artificial_tags(after);
  tags.resize(std::max(tags.size(), now.size()));
  now.resize(tags.size());
  return tags == now ? "" : "artificial tags have changed";
}

// Why a variable may get a value outside of its new type, or "". If the facts leave that open, it is a doubtful one.
std::string narrow_types(const ir::Game& before, Version& version, SideBySide::Doubtful& doubtful) {
  const ir::Game& after = version.game();
  for (std::uint32_t i = 0; i < after.variables().size(); ++i) {
    const ir::Variable& now = after.variable(ir::VarId(i));
    if (!now.alive) continue;
    const bool old = i < before.variables().size() && before.variable(ir::VarId(i)).alive;
    if (old) {
      const ir::TypeId then = before.variable(ir::VarId(i)).type;
      const bool same = std::ranges::equal(after.keys(now.type), before.keys(then), [&](TypeId a, TypeId b) {
        return std::ranges::equal(after.members(a), before.members(b));
      });
      if (!same) return fmt::format("the keys of {} have changed", after.symbols.text(now.name));
      if (std::ranges::equal(after.members(after.value_type(now.type)), before.members(before.value_type(then))))
        continue;
    }
    const auto all = after.members(after.value_type(now.type));
    SymbolSet members{{all.begin(), all.end()}, false};
    sort_unique(members.symbols);
    Facts& facts = version.facts();
    for (const NodeId node : after.graph.nodes()) {
      if (!facts.reached(node) || inside(facts.values(node, ir::VarId(i)), members)) continue;
      const ValueId first = now.initial;
      if (!after.values.is_symbol(first) || !members.has(after.values.as_symbol(first)))
        return fmt::format("{} may get a value that its type lacks", after.symbols.text(now.name));
      doubtful.emplace(i, members);
      break;
    }
  }
  return "";
}

// Whether a pragma of the game after follows from those of the game before. A statement about some nodes follows from
// statements about each of them.
bool follows(const ir::Game& before, const ir::PragmaContent& content) {
  const auto each_node = [&](const auto& of, const auto& same) {
    return std::ranges::all_of(of.nodes, [&](NodeId node) {
      return std::ranges::any_of(before.pragmas, [&](const ir::Pragma& pragma) {
        const auto* known = std::get_if<std::decay_t<decltype(of)>>(&pragma.content);
        return known != nullptr && same(*known) && std::ranges::find(known->nodes, node) != known->nodes.end();
      });
    });
  };
  if (const auto* unique = std::get_if<ir::Unique>(&content))
    return each_node(*unique, [](const ir::Unique&) { return true; });
  if (const auto* repeat = std::get_if<ir::Repeat>(&content))
    return each_node(*repeat, [&](const ir::Repeat& other) { return other.variables == repeat->variables; });
  return std::ranges::find(before.pragmas, content, &ir::Pragma::content) != before.pragmas.end();
}

class Checker {
 public:
  Checker(Version& before, Version& after, const PassRecord& record, const SideBySide::Doubtful& doubtful, bool merges)
      : before_(before.game()), after_(after.game()), walks_(before, after, record, doubtful, merges) {}

  PassVerdict run(const SideBySide::Limits& limits) {
    if (!walks_.same_begin()) return {false, "the games begin in different states"};
    const Pair begin{after_.begin(), before_.begin(), {}, {}};
    if (refuted_.contains(begin)) return {false, first_};
    walks_.restart(limits);
    for (const Pair& pair : refuted_) walks_.ban(pair);
    std::vector<Pair> work{begin};
    std::set<Pair> known;
    std::map<Pair, std::vector<Pair>> users;
    bool certain = true;  // whether no limit has caused a ban
    std::size_t effort = 40 * (before_.graph.node_count() + 100);
    while (!work.empty()) {
      const Pair pair = work.back();
      work.pop_back();
      if (known.contains(pair)) continue;
      if (effort-- == 0) return {false, "too many pairs of nodes"};
      std::set<Pair>& used = proofs_[pair];
      const bool proved = !used.empty() && std::ranges::none_of(used, [&](const Pair& p) { return walks_.banned(p); });
      if (!proved) used.clear();
      if (proved || walks_.correspond(pair, used)) {
        known.insert(pair);
        for (const Pair& next : used) {
          users[next].push_back(pair);
          if (!known.contains(next)) work.push_back(next);
        }
        continue;
      }
      used.clear();
      certain = certain && !walks_.limited();
      if (certain) refuted_.insert(pair);
      if (first_.empty()) first_ = place(pair);
      if (pair == begin || walks_.exhausted()) return {false, first_};
      walks_.ban(pair);
      for (const Pair& user : users[pair]) {
        if (known.erase(user) > 0) work.push_back(user);
      }
      users.erase(pair);
    }
    return {true, ""};
  }

 private:
  std::string place(const Pair& pair) const {
    const SymbolId name = after_.graph.name(pair.after);
    const std::string node = name.valid() ? fmt::format("node {}", after_.symbols.text(name))
                                          : fmt::format("node number {}", pair.after.value);
    return fmt::format("walks{} from {} differ, or are too many", pair.after_target.valid() ? " of a check" : "", node);
  }

  const ir::Game& before_;
  const ir::Game& after_;
  SideBySide walks_;
  // What pairs rely on that correspond, and pairs that do not. Both outlast the limits.
  std::map<Pair, std::set<Pair>> proofs_;
  std::set<Pair> refuted_;
  std::string first_;
};

}  // namespace

PassVerdict check(Version& version_before, Version& version_after, const PassRecord& record) {
  const ir::Game &before = version_before.game(), &after = version_after.game();
  if (std::string problem = different_ids(before, after); !problem.empty()) return {false, std::move(problem)};
  for (const ir::Pragma& pragma : after.pragmas)
    if (!follows(before, pragma.content))
      return {false, fmt::format("the pragma {} is not checked", ir::name_of(pragma.content))};
  PassVerdict verdict;
  SideBySide::Doubtful doubtful;
  std::optional<Checker> checkers[2];
  try {
    verdict.reason = narrow_types(before, version_after, doubtful);
    if (!verdict.reason.empty()) return verdict;
    // Short tries first, because a pair that does not correspond may take long.
    for (const SideBySide::Limits& limits :
         {SideBySide::Limits{150, 4'000}, {1'000, 20'000}, {5'000, 60'000}, {10'000, 120'000}}) {
      for (const bool merges : {false, true}) {
        if (merges && record.origins.empty()) break;
        std::optional<Checker>& checker = checkers[merges ? 1 : 0];
        if (!checker) checker.emplace(version_before, version_after, record, doubtful, merges);
        if (verdict = checker->run(limits); verdict.confirmed) return verdict;
      }
    }
  } catch (const TooHard&) {
    verdict.reason = "a construct is not understood";
  }
  return verdict;
}

}  // namespace rgtrans::certificate
