#include "frontends/rbg/board/relations.hpp"

#include <algorithm>
#include <numeric>

#include "core/analysis/analysis.hpp"
#include "frontends/rbg/limits.hpp"

namespace rgtrans::rbg {

namespace {

std::uint64_t hash_members(std::span<const std::uint32_t> members) {
  std::uint64_t hash = members.size();
  for (std::uint32_t member : members) hash = combine_hash(hash, member);
  return hash;
}

}  // namespace

Relations::Relations(const Description& description)
    : d_(description),
      size_(description.board.size()),
      singletons_(size_),
      shift_pattern_(description.expressions.shape_count()),
      epoch_(size_),
      members_touched_("tables of successors on the board", kBoardLimits.members, limits::effort) {
  std::iota(singletons_.begin(), singletons_.end(), 0U);
}

void Relations::spend(std::size_t amount) {
  if (!members_touched_.spend(amount)) throw TooLarge{};
}

bool Relations::is_shift_pattern(ExprId expression) {
  const ExprNode& node = d_.expressions[expression];
  char& known = shift_pattern_[node.shape];
  if (known != 0) return known == 2;
  bool result = false;
  switch (node.kind) {
    case Kind::shift:
    case Kind::noop:
      result = true;
      break;
    case Kind::sum:
    case Kind::concat:
    case Kind::star:
    case Kind::pattern:
      result =
          std::ranges::all_of(d_.expressions.children(expression), [&](ExprId part) { return is_shift_pattern(part); });
      break;
    default:
      break;
  }
  known = result ? 2 : 1;
  return result;
}

std::size_t Relations::size(SetId set) const {
  if (set.value < size_) return 1;
  if (set.value == size_) return 0;
  const std::size_t row = set.value - size_ - 1;
  return starts_[row + 1] - starts_[row];
}

std::span<const std::uint32_t> Relations::members(SetId set) const {
  if (set.value < size_) return {singletons_.data() + set.value, 1};
  if (set.value == size_) return {};
  const std::size_t row = set.value - size_ - 1;
  return {members_.data() + starts_[row], starts_[row + 1] - starts_[row]};
}

SetId Relations::intern(std::span<const std::uint32_t> sorted_members) {
  if (sorted_members.empty()) return empty();
  if (sorted_members.size() == 1) return SetId(sorted_members.front());
  const auto fresh = static_cast<std::uint32_t>(starts_.size() - 1);
  const std::uint32_t row = set_index_.find_or_insert(hash_members(sorted_members), fresh, [&](std::uint32_t r) {
    return std::ranges::equal(members(SetId(r + size_ + 1)), sorted_members);
  });
  if (row == fresh) {
    members_.insert(members_.end(), sorted_members.begin(), sorted_members.end());
    starts_.push_back(members_.size());
  }
  return SetId(row + size_ + 1);
}

void Relations::gather(SetId set) {
  const auto list = members(set);
  spend(list.size());
  for (std::uint32_t member : list) {
    if (epoch_[member] == now_) continue;
    epoch_[member] = now_;
    gathered_.push_back(member);
  }
}

SetId Relations::take_gathered() {
  if (!std::ranges::is_sorted(gathered_)) std::ranges::sort(gathered_);
  const SetId set = intern(gathered_);
  gathered_.clear();
  ++now_;
  return set;
}

RelationId Relations::store(Row row) {
  std::uint64_t hash = 5;
  for (SetId set : row) hash = combine_hash(hash, set.value);
  const auto fresh = static_cast<std::uint32_t>(relations_.size());
  const std::uint32_t id =
      relation_index_.find_or_insert(hash, fresh, [&](std::uint32_t r) { return relations_[r] == row; });
  if (id == fresh) relations_.push_back(std::move(row));
  return RelationId(id);
}

std::uint32_t Relations::function(std::vector<std::uint32_t> values, std::string_view name) {
  const auto fresh = static_cast<std::uint32_t>(functions_.size());
  const std::uint32_t id = function_index_.find_or_insert(hash_members(values), fresh,
                                                          [&](std::uint32_t f) { return functions_[f] == values; });
  if (id == fresh) {
    functions_.push_back(std::move(values));
    function_names_.emplace_back(name);
  } else if (function_names_[id].empty()) {
    function_names_[id] = name;
  }
  return id;
}

RelationId Relations::identity() {
  Row row(size_);
  for (std::uint32_t v = 0; v < size_; ++v) row[v] = SetId(v);
  return store(std::move(row));
}

std::optional<RelationId> Relations::of(std::span<const ExprId> factors) {
  now_ = now_ == 0 ? 1 : now_;
  try {
    RelationId result = of(factors.front());
    for (ExprId factor : factors.subspan(1)) result = compose(result, of(factor));
    return result;
  } catch (const TooLarge&) {
    gathered_.clear();
    ++now_;
    return std::nullopt;
  }
}

RelationId Relations::of(ExprId expression) {
  const ExprNode& node = d_.expressions[expression];
  if (const auto it = by_shape_.find(node.shape); it != by_shape_.end()) return it->second;
  RelationId result;
  const auto parts = d_.expressions.children(expression);
  switch (node.kind) {
    case Kind::shift: {
      Row row(size_);
      for (std::uint32_t v = 0; v < size_; ++v) {
        const std::uint32_t target = d_.neighbour(node.index, v);
        row[v] = target == kNone ? empty() : SetId(target);
      }
      result = store(std::move(row));
      break;
    }
    case Kind::sum:
      result = of(parts.front());
      for (ExprId part : parts.subspan(1)) result = unite(result, of(part));
      break;
    case Kind::concat:
      result = of(parts.front());
      for (ExprId part : parts.subspan(1)) result = compose(result, of(part));
      break;
    case Kind::star:
      result = closure(of(parts.front()));
      break;
    case Kind::pattern:
      result = restrict_identity(of(parts.front()), node.negated);
      break;
    default:
      result = identity();
      break;
  }
  by_shape_.emplace(node.shape, result);
  return result;
}

RelationId Relations::compose(RelationId first, RelationId second) {
  spend(size_);
  const Row a = relations_[first.value];
  const Row b = relations_[second.value];
  Row row(size_);
  std::unordered_map<SetId, SetId> images;  // images of the sets of `first` with several members
  for (std::uint32_t v = 0; v < size_; ++v) {
    const SetId set = a[v];
    if (set.value < size_) {
      row[v] = b[set.value];
    } else if (set == empty()) {
      row[v] = set;
    } else if (const auto it = images.find(set); it != images.end()) {
      row[v] = it->second;
    } else {
      SetId last;
      for (std::uint32_t u : std::vector<std::uint32_t>(members(set).begin(), members(set).end())) {
        if (b[u] != last) gather(b[u]);
        last = b[u];
      }
      spend(size(set));
      row[v] = take_gathered();
      images.emplace(set, row[v]);
    }
  }
  return store(std::move(row));
}

RelationId Relations::unite(RelationId first, RelationId second) {
  spend(size_);
  const Row a = relations_[first.value];
  const Row b = relations_[second.value];
  Row row(size_);
  for (std::uint32_t v = 0; v < size_; ++v) {
    if (a[v] == b[v] || b[v] == empty()) {
      row[v] = a[v];
    } else if (a[v] == empty()) {
      row[v] = b[v];
    } else {
      gather(a[v]);
      gather(b[v]);
      row[v] = take_gathered();
    }
  }
  return store(std::move(row));
}

RelationId Relations::closure(RelationId relation) {
  const Row direct = relations_[relation.value];
  Arcs arcs;
  for (std::uint32_t v = 0; v < size_; ++v) {
    spend(size(direct[v]) + 1);
    for (std::uint32_t u : members(direct[v])) arcs.emplace_back(v, u);
  }
  const Components components = strong_components(size_, arcs);
  const Grouped vertices = components.members();
  const std::vector<std::uint32_t>& component = components.of;
  std::vector<SetId> reached(components.count);
  for (std::uint32_t c = 0; c < components.count; ++c) {
    for (std::uint32_t v : vertices[c]) {
      gather(SetId(v));
      for (std::uint32_t u : std::vector<std::uint32_t>(members(direct[v]).begin(), members(direct[v]).end())) {
        if (component[u] != c) gather(reached[component[u]]);
      }
    }
    reached[c] = take_gathered();
  }
  Row row(size_);
  for (std::uint32_t v = 0; v < size_; ++v) row[v] = reached[component[v]];
  return store(std::move(row));
}

RelationId Relations::restrict_identity(RelationId relation, bool negated) {
  const Row row = relations_[relation.value];
  Row result(size_);
  for (std::uint32_t v = 0; v < size_; ++v) result[v] = (row[v] == empty()) == negated ? SetId(v) : empty();
  return store(std::move(result));
}

std::uint32_t compose(Relations& relations, std::uint32_t first, std::uint32_t second) {
  if (first == kNone) return second;
  if (second == kNone) return first;
  const std::vector<std::uint32_t>& f = relations.function(first);
  const std::vector<std::uint32_t>& g = relations.function(second);
  std::vector<std::uint32_t> values(f.size(), kNone);
  for (std::size_t v = 0; v < f.size(); ++v) {
    if (f[v] != kNone) values[v] = g[f[v]];
  }
  std::string name;
  const std::string& a = relations.function_name(first);
  const std::string& b = relations.function_name(second);
  if (!a.empty() && !b.empty() && a.size() + b.size() < 40) name = a + "_" + b;
  return relations.function(std::move(values), name);
}

std::uint32_t follow(const Relations& relations, std::uint32_t function, std::uint32_t vertex) {
  return function == kNone ? vertex : relations.function(function)[vertex];
}

}  // namespace rgtrans::rbg
