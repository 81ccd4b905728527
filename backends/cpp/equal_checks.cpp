// Copies of checks (equal_checks.hpp): what each function is but for its own names, and which explorations meet in it.
#include "backends/cpp/equal_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "backends/cpp/call_graph.hpp"

namespace rgtrans::cpp {
namespace {

using Numbers = std::set<std::uint32_t>;

constexpr std::string_view kNewEpoch = "c.next_epoch()";
constexpr std::string_view kList = "c.work";  // what is left to try has numbers of its own in each check

// What follows a name up to the parenthesis that closes it.
std::string_view arguments_at(std::string_view text) {
  unsigned depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return text.substr(0, i + 1);
  }
  return text;
}

class Copies {
 public:
  Copies(const std::vector<std::string>& functions, const std::vector<CacheField>& fields)
      : texts_(functions), asks_(functions.size()), goes_on_(functions.size()), called_(functions.size()) {
    for (const CacheField& field : fields) fields_.emplace(field.name, &field);
    for (std::uint32_t f = 0; f < texts_.size(); ++f) number_.emplace(check_defined_by(texts_[f]), f);
    number_.erase("");
    for (std::uint32_t f = 0; f < texts_.size(); ++f) note_calls(f);
  }

  EqualChecks find() {
    std::map<std::string, std::uint32_t> first;
    EqualChecks result;
    for (const auto& [name, f] : number_) {
      std::vector<std::string> marks;
      const auto text = but_for_names(f, name, marks);
      if (!text) continue;
      const auto [it, fresh] = first.try_emplace(*text, f);
      if (fresh || (!marks.empty() && meet(it->second, f))) continue;
      result.instead.emplace(name, check_defined_by(texts_[it->second]));
      result.fields.insert(marks.begin(), marks.end());
    }
    return result;
  }

 private:
  void note_calls(std::uint32_t f) {
    const std::string_view text = texts_[f];
    for_each_call(text.substr(std::min(text.size(), text.find('{'))), [&](std::string_view name) {
      const auto it = number_.find(name);
      if (it == number_.end()) return;
      const std::string_view behind(name.data() + name.size(),
                                    static_cast<std::size_t>(text.data() + text.size() - name.data()) - name.size());
      const bool anew = arguments_at(behind).find(kNewEpoch) != std::string_view::npos;
      called_[f].insert(it->second);
      if (anew)
        asks_[f].insert(it->second);
      else
        goes_on_[it->second].insert(f);
    });
  }

  // Nothing for what cannot be joined.
  std::optional<std::string> but_for_names(std::uint32_t f, std::string_view own,
                                           std::vector<std::string>& marks) const {
    const std::string_view text = texts_[f];
    if (text.find(kList) != std::string_view::npos) return {};
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at;
      while (end < text.size() && is_word(text[end])) ++end;
      const std::string_view word = text.substr(at, end - at);
      const auto field = fields_.find(word);
      if (word == own) {
        result += '@';
      } else if (field != fields_.end() && text.substr(0, at).ends_with("c.")) {
        const auto known = std::ranges::find(marks, word);
        result += fmt::format("@{} {} {}", known - marks.begin(), field->second->type, field->second->size);
        if (known == marks.end()) marks.emplace_back(word);
      } else {
        result += word;
      }
      if (end < text.size()) result += text[end];
      at = end + 1;
    }
    return result;
  }

  // Some exploration that comes by one of the two can ask for one of them with another epoch.
  bool meet(std::uint32_t a, std::uint32_t b) const {
    Numbers explorations;
    add_all({a, b}, goes_on_, explorations);
    for (const std::uint32_t f : explorations) {
      Numbers asked;
      add_all(asks_[f], called_, asked);
      if (asked.contains(a) || asked.contains(b)) return true;
    }
    return false;
  }

  // These, and all that can be reached from them.
  static void add_all(const Numbers& from, const std::vector<Numbers>& next, Numbers& into) {
    std::vector<std::uint32_t> pending(from.begin(), from.end());
    while (!pending.empty()) {
      const std::uint32_t f = pending.back();
      pending.pop_back();
      if (into.insert(f).second) pending.insert(pending.end(), next[f].begin(), next[f].end());
    }
  }

  const std::vector<std::string>& texts_;
  std::map<std::string_view, const CacheField*> fields_;
  std::map<std::string_view, std::uint32_t> number_;  // checks by their names
  std::vector<Numbers> asks_;                         // the checks that a function begins
  std::vector<Numbers> goes_on_;                      // the functions whose exploration a check belongs to
  std::vector<Numbers> called_;
};

}  // namespace

std::string_view check_defined_by(std::string_view text) {
  while (text.starts_with("//")) text.remove_prefix(std::min(text.size(), text.find('\n') + 1));
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::size_t open = line.find('(');
  if (open == std::string_view::npos || line.starts_with("template")) return {};
  const std::size_t space = line.rfind(' ', open);
  if (space == std::string_view::npos || !line.substr(0, space).ends_with("bool")) return {};
  const std::string_view name = line.substr(space + 1, open - space - 1);
  return name.starts_with("check_") ? name : std::string_view();
}

EqualChecks find_equal_checks(const std::vector<std::string>& functions, const std::vector<CacheField>& fields) {
  return Copies(functions, fields).find();
}

std::string with_calls_to(std::string_view text, const EqualChecks& equal) {
  std::string result;
  std::size_t done = 0;
  for_each_call(text, [&](std::string_view name) {
    const auto it = equal.instead.find(name);
    if (it == equal.instead.end()) return;
    const auto at = static_cast<std::size_t>(name.data() - text.data());
    result += text.substr(done, at - done);
    result += it->second;
    done = at + name.size();
  });
  result += text.substr(done);
  return result;
}

}  // namespace rgtrans::cpp
