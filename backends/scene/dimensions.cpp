#include "backends/scene/dimensions.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "backends/scene/terms.hpp"

namespace rgtrans::scene {

namespace {

constexpr std::size_t kMaxCells = 40'000;

// A member of a domain that has a place.
struct Member {
  SymbolId symbol;
  std::vector<std::string> parts;
};

// "34" is a kind of place: two digits that take all values independently.
void split_digits(std::vector<Member>& members) {
  if (members.size() < 9) return;
  const std::size_t last = members.front().parts.size() - 1;
  std::set<char> tens, units;
  for (const Member& member : members) {
    const std::string& part = member.parts[last];
    if (part.size() != 2 || !is_number(part)) return;
    tens.insert(part[0]);
    units.insert(part[1]);
  }
  if (tens.size() < 2 || units.size() < 2 || tens.size() * units.size() != members.size()) return;
  for (Member& member : members) {
    const std::string part = member.parts[last];
    member.parts[last] = part.substr(0, 1);
    member.parts.push_back(part.substr(1));
  }
}

// The members that are written alike, if they are most; the rest is added to `others`.
std::vector<Member> placed(const ir::Game& game, std::span<const SymbolId> members, std::vector<SymbolId>& others) {
  std::map<std::pair<std::string, std::size_t>, std::vector<Member>> classes;
  for (const SymbolId symbol : members) {
    const NameTerm term = read_term(written(game, symbol));
    classes[{term.parts.size() > 1 || !term.functor.empty() ? term.functor : "", term.parts.size()}].push_back(
        {symbol, term.parts});
  }
  auto most = std::ranges::max_element(classes, {}, [](const auto& entry) { return entry.second.size(); });
  // If some members have parts, single words are not places, even if they are more.
  for (auto it = classes.begin(); it != classes.end(); ++it) {
    if (it->first.second > most->first.second && it->second.size() >= 4) most = it;
  }
  // Names are names, whether or not some end in a number.
  const auto coordinate = [](const Member& member) {
    return is_number(member.parts.front()) || is_letter(member.parts.front());
  };
  const bool names =
      most->first.first.empty() && most->first.second == 1 && std::ranges::none_of(most->second, coordinate);
  for (auto it = classes.begin(); it != classes.end(); ++it) {
    if (it == most) continue;
    if (names) {
      for (const Member& member : it->second) most->second.push_back({member.symbol, {written(game, member.symbol)}});
      continue;
    }
    for (const Member& member : it->second) others.push_back(member.symbol);
  }
  std::vector<Member> result = std::move(most->second);
  if (!result.front().parts.empty()) split_digits(result);
  return result;
}

Dimension read_dimension(const ir::Game& game, const std::vector<Member>& members, std::size_t part, std::size_t key) {
  Dimension dimension;
  dimension.key = key;
  for (const Member& member : members) {
    if (std::ranges::find(dimension.values, member.parts[part]) == dimension.values.end()) {
      dimension.values.push_back(member.parts[part]);
    }
  }
  const auto all = [&](auto&& test) { return std::ranges::all_of(dimension.values, test); };
  const auto player = [&](const std::string& value) {
    return std::ranges::any_of(game.players(), [&](SymbolId p) { return written(game, p) == value; });
  };
  if (all(player)) {
    dimension.kind = Dimension::Kind::player;
  } else if (all(is_number)) {
    dimension.kind = Dimension::Kind::number;
    std::ranges::sort(dimension.values, {}, [](const std::string& v) { return std::stoi(v); });
  } else if (all(is_letter)) {
    dimension.kind = Dimension::Kind::letter;
    std::ranges::sort(dimension.values);
  }
  return dimension;
}

}  // namespace

double Dimension::offset(std::size_t index) const {
  constexpr int kMaxRange = 64;
  if (kind == Kind::letter) return values[index][0] - values[0][0];
  if (kind != Kind::number || std::stoi(values.back()) - std::stoi(values.front()) > kMaxRange) {
    return static_cast<double>(index);
  }
  return std::stoi(values[index]) - std::stoi(values[0]);
}

Dimensions read_dimensions(const ir::Game& game, ir::TypeId type) {
  Dimensions result;
  std::uint64_t count = 1;
  result.keys = game.keys(type);
  result.value = game.value_type(type);
  for (const ir::TypeId key : result.keys) {
    count *= std::max<std::size_t>(game.members(key).size(), 1);
    if (count > kMaxCells) break;
  }
  if (count > kMaxCells || result.keys.empty()) return result;
  std::vector<std::vector<Member>> members;
  std::vector<std::vector<std::size_t>> dimension_of;  // by key and part; none for one that never changes
  for (std::size_t k = 0; k < result.keys.size(); ++k) {
    std::vector<SymbolId> others;
    members.push_back(placed(game, game.members(result.keys[k]), others));
    std::vector<std::size_t> row;
    for (std::size_t part = 0; part < members.back().front().parts.size(); ++part) {
      Dimension dimension = read_dimension(game, members.back(), part, k);
      row.push_back(dimension.values.size() > 1 ? result.all.size() : SIZE_MAX);
      if (dimension.values.size() > 1) result.all.push_back(std::move(dimension));
    }
    dimension_of.push_back(std::move(row));
    if (result.keys.size() == 1) {
      for (const SymbolId other : others) result.others.push_back({other});
    } else if (k + 1 == result.keys.size() && result.keys.size() == 2) {
      for (const SymbolId first : game.members(result.keys[0])) {
        for (const SymbolId other : others) result.others.push_back({first, other});
      }
    }
  }
  // The product of the members of all keys.
  result.cells.push_back({{}, std::vector<std::size_t>(result.all.size(), 0)});
  for (std::size_t k = 0; k < members.size(); ++k) {
    std::vector<KeyCell> longer;
    longer.reserve(result.cells.size() * members[k].size());
    for (const KeyCell& cell : result.cells) {
      for (const Member& member : members[k]) {
        KeyCell& next = longer.emplace_back(cell);
        next.keys.push_back(member.symbol);
        for (std::size_t part = 0; part < member.parts.size(); ++part) {
          const std::size_t d = dimension_of[k][part];
          if (d == SIZE_MAX) continue;
          const auto& values = result.all[d].values;
          next.at[d] = static_cast<std::size_t>(std::ranges::find(values, member.parts[part]) - values.begin());
        }
      }
    }
    result.cells = std::move(longer);
  }
  return result;
}

}  // namespace rgtrans::scene
