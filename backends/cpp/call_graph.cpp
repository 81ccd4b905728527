// Calls between functions of generated code (call_graph.hpp).
#include "backends/cpp/call_graph.hpp"

#include <algorithm>
#include <numeric>

#include "core/analysis/analysis.hpp"

namespace rgtrans::cpp {

namespace {

// Lines that are no comments.
std::uint64_t lines_of(std::string_view text) {
  std::uint64_t count = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t word = line.find_first_not_of(' ');
    if (word != std::string_view::npos && !line.substr(word).starts_with("//")) ++count;
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return count;
}

constexpr std::uint64_t kTooMany = std::uint64_t{1} << 40U;  // lines; sums of sums cannot overflow

}  // namespace

CallGraph::CallGraph(const std::vector<std::string>& functions, std::string_view head) : head_(head) {
  for (const std::string& text : functions) {
    number_.emplace(defined_by(text), static_cast<std::uint32_t>(functions_.size()));
    functions_.push_back({defined_by(text), lines_of(text), {}});
  }
  Arcs arcs;
  for (std::uint32_t i = 0; i < functions.size(); ++i) {
    const std::string_view text = functions[i];
    for_each_call(text.substr(std::min(text.size(), text.find('{'))), [&](std::string_view name) {
      const auto it = number_.find(name);
      if (it == number_.end()) return;
      arcs.emplace_back(i, it->second);
      functions_[i].calls.push_back(it->second);
      if (it->second == i) recursive_.insert(name);
    });
  }
  const auto components = strong_components(functions_.size(), arcs);
  std::map<std::uint32_t, unsigned> size;
  for (const std::uint32_t component : components.of) ++size[component];
  for (std::uint32_t i = 0; i < functions_.size(); ++i) {
    if (size[components.of[i]] > 1) recursive_.insert(functions_[i].name);
  }
}

std::string_view CallGraph::defined_by(std::string_view text) const {
  const std::size_t head = text.find(head_);
  if (head == std::string_view::npos) return {};
  const std::size_t open = text.find('(', head);
  const std::size_t space = text.rfind(' ', open);
  return text.substr(space + 1, open - space - 1);
}

std::uint64_t CallGraph::inlined_lines(std::uint32_t function, const std::vector<bool>& apart,
                                       std::vector<std::uint64_t>& known) const {
  std::uint64_t& lines = known[function];
  if (lines > 0) return lines;
  lines = functions_[function].lines;
  std::uint64_t sum = lines;
  for (const std::uint32_t callee : functions_[function].calls) {
    if (apart[callee] || recursive_.contains(functions_[callee].name)) continue;
    sum = std::min(kTooMany, sum + inlined_lines(callee, apart, known));
  }
  return lines = sum;
}

std::uint64_t CallGraph::lines(const std::vector<std::string_view>& entries) const {
  const std::vector<bool> none(functions_.size());
  std::vector<std::uint64_t> known(functions_.size());
  std::uint64_t sum = 0;
  for (std::uint32_t f = 0; f < functions_.size(); ++f) {
    if (std::ranges::find(entries, functions_[f].name) != entries.end()) sum += inlined_lines(f, none, known);
  }
  return sum;
}

std::set<std::string_view> CallGraph::apart(const std::vector<std::string_view>& entries) const {
  constexpr std::uint64_t kWhole = 250;   // lines of all entries together
  constexpr std::uint64_t kShort = 12;    // lines of a function that is copied all the same
  constexpr std::uint64_t kCopies = 100;  // lines of all its copies together
  constexpr std::uint64_t kLong = 1000;   // lines of one that is not, even where it is called once
  // Copies of what calls itself have such calls again: nvcc takes minutes to find an end.
  std::set<std::string_view> result = recursive_;
  if (lines(entries) <= kWhole) return result;
  std::vector<bool> apart(functions_.size());
  std::vector<std::uint64_t> known(functions_.size());
  for (std::uint32_t f = 0; f < functions_.size(); ++f) inlined_lines(f, apart, known);
  std::vector<unsigned> callers(functions_.size());
  for (const Function& function : functions_) {
    for (const std::uint32_t callee : function.calls) ++callers[callee];
  }
  // Callees are decided before those that call them.
  std::vector<std::uint32_t> order(functions_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t f) { return std::pair(known[f], f); });
  std::ranges::fill(known, 0);
  for (const std::uint32_t f : order) {
    const bool entry = std::ranges::find(entries, functions_[f].name) != entries.end();
    const std::uint64_t lines = inlined_lines(f, apart, known);
    apart[f] = entry || recursive_.contains(functions_[f].name) ||
               (callers[f] > 1 && (lines > kShort || callers[f] * lines > kCopies)) || lines > kLong;
    if (apart[f]) result.insert(functions_[f].name);
  }
  return result;
}

}  // namespace rgtrans::cpp
