// The shortest edit script between two texts, as removed and inserted lines (Myers). For texts with little in common
// the search would take long without helping readers: after kMostChanges, the rest counts as replaced.
#include "backends/trace/difference.hpp"

#include <algorithm>

namespace rgtrans::trace {

namespace {

using Lines = std::vector<std::string_view>;
constexpr int kMostChanges = 1500;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// By line: whether the common subsequence contains it.
struct Kept {
  std::vector<bool> before, after;
};

Kept common(const Lines& a, const Lines& b) {
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
  const auto line = [](const Lines& lines, int i) { return lines[static_cast<std::size_t>(i)]; };
  std::vector<std::vector<int>> rounds;  // by number of changes and diagonal: the furthest position in the first text
  const int most = std::min(n + m, kMostChanges);
  std::vector<int> far(static_cast<std::size_t>(2 * most + 3), 0);
  const auto at = [&](std::vector<int>& v, int k) -> int& { return v[static_cast<std::size_t>(k + most + 1)]; };
  int changes = 0, diagonal = 0;
  bool done = false;
  for (; changes <= most && !done; ++changes) {
    rounds.push_back(far);
    for (int k = -changes; k <= changes; k += 2) {
      const bool put_in = k == -changes || (k != changes && at(far, k - 1) < at(far, k + 1));
      int x = put_in ? at(far, k + 1) : at(far, k - 1) + 1;
      while (x < n && x - k < m && x - k >= 0 && line(a, x) == line(b, x - k)) ++x;
      at(far, k) = x;
      if (x >= n && x - k >= m) {
        diagonal = k;
        done = true;
        break;
      }
    }
  }
  Kept kept{std::vector<bool>(a.size()), std::vector<bool>(b.size())};
  if (!done) return kept;
  int x = n;
  for (int d = changes - 1; d >= 0; --d) {
    auto& v = rounds[static_cast<std::size_t>(d)];
    const int k = diagonal;
    const bool put_in = k == -d || (k != d && at(v, k - 1) < at(v, k + 1));
    const int from = d == 0 ? 0 : put_in ? at(v, k + 1) : at(v, k - 1) + 1;
    for (; x > from; --x) {
      kept.before[static_cast<std::size_t>(x - 1)] = true;
      kept.after[static_cast<std::size_t>(x - 1 - k)] = true;
    }
    if (d == 0) break;
    diagonal = put_in ? k + 1 : k - 1;
    x = put_in ? from : from - 1;
  }
  return kept;
}

}  // namespace

std::vector<LinePair> side_by_side(std::string_view before, std::string_view after, std::size_t context) {
  Lines a = lines_of(before), b = lines_of(after);
  // A common prefix and suffix need no search.
  std::size_t head = 0, tail = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  while (tail + head < a.size() && tail + head < b.size() && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  const Lines middle_a(a.begin() + static_cast<std::ptrdiff_t>(head), a.end() - static_cast<std::ptrdiff_t>(tail));
  const Lines middle_b(b.begin() + static_cast<std::ptrdiff_t>(head), b.end() - static_cast<std::ptrdiff_t>(tail));
  const Kept middle = common(middle_a, middle_b);
  const auto kept_a = [&](std::size_t i) { return i < head || i >= a.size() - tail || middle.before[i - head]; };
  const auto kept_b = [&](std::size_t i) { return i < head || i >= b.size() - tail || middle.after[i - head]; };

  std::vector<LinePair> pairs;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    std::size_t removed = i, fresh = j;
    while (removed < a.size() && !kept_a(removed)) ++removed;
    while (fresh < b.size() && !kept_b(fresh)) ++fresh;
    for (; i < removed || j < fresh;) {
      LinePair& pair = pairs.emplace_back();
      if (i < removed) pair.before = a[i++];
      if (j < fresh) pair.after = b[j++];
    }
    std::size_t same = 0;
    while (i + same < a.size() && j + same < b.size() && kept_a(i + same) && kept_b(j + same)) ++same;
    const std::size_t first = pairs.empty() ? 0 : std::min(context, same);
    const bool last = i + same >= a.size() && j + same >= b.size();
    const std::size_t behind = last ? 0 : std::min(context, same - first);
    for (std::size_t k = 0; k < same; ++k) {
      if (k < first || k >= same - behind) {
        pairs.push_back({a[i + k], b[j + k], 0});
      } else if (k == first) {
        pairs.push_back({{}, {}, same - first - behind});
      }
    }
    i += same;
    j += same;
  }
  return pairs;
}

}  // namespace rgtrans::trace
