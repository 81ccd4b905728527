// Copies of checks (equal_checks.hpp): the code of each but for its own names, and which explorations meet in it.
#include "backends/cpp/equal_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace rgtrans::cpp {
namespace {

using Ids = std::set<FunctionId>;

class Copies {
 public:
  explicit Copies(FunctionTable& table) : table_(table) {
    for (const FunctionId id : table.defined()) note_calls(id);
  }

  bool join() {
    std::map<std::string_view, FunctionId> checks;  // by their names
    for (const FunctionId id : table_.defined()) {
      if (is_check(id)) checks.emplace(table_.name(id), id);
    }
    std::map<Form, FunctionId> first;
    std::vector<std::pair<FunctionId, FunctionId>> copies;
    std::set<std::uint32_t> dropped;
    for (const auto& [name, id] : checks) {
      if (table_.at(id).keeps_list) continue;
      std::vector<std::uint32_t> marks;
      const auto [it, fresh] = first.try_emplace(form(id, marks), id);
      if (fresh || (!marks.empty() && meet(it->second, id))) continue;
      copies.emplace_back(id, it->second);
      dropped.insert(marks.begin(), marks.end());
    }
    for (const auto& [copy, original] : copies) table_.redirect(copy, original);
    for (const std::uint32_t field : dropped) table_.drop_field(field);
    return !copies.empty();
  }

 private:
  // Equal for equal checks.
  using Form = std::tuple<std::string, Parameters, bool, std::string>;

  [[nodiscard]] bool is_check(FunctionId id) const { return table_.at(id).purpose == Purpose::check; }

  void note_calls(FunctionId f) {
    for (const Reference& reference : table_.at(f).body.references()) {
      if (reference.kind != Reference::Kind::call) continue;
      const FunctionId callee = table_.resolved(FunctionId(reference.number));
      if (!is_check(callee)) continue;
      called_[f].insert(callee);
      if (reference.new_epoch)
        asks_[f].insert(callee);
      else
        continues_[callee].insert(f);
    }
  }

  Form form(FunctionId id, std::vector<std::uint32_t>& marks) const {
    const FunctionRecord& function = table_.at(id);
    std::string body = function.body.with_names([&](const Reference& reference) -> std::string {
      if (reference.kind == Reference::Kind::jump) return fmt::format("@to {}", reference.number);
      if (reference.kind == Reference::Kind::call) {
        const FunctionId callee = table_.resolved(FunctionId(reference.number));
        return callee == id ? "@" : table_.name(callee);
      }
      const auto known = std::ranges::find(marks, reference.number);
      const CacheField& field = table_.all_fields()[reference.number];
      std::string text = fmt::format("@{} {} {}", known - marks.begin(), field.type, field.size);
      if (known == marks.end()) marks.push_back(reference.number);
      return text;
    });
    return {function.comment, function.parameters, function.floods, std::move(body)};
  }

  // Some exploration that comes by one of the two can ask for one of them with another epoch.
  bool meet(FunctionId a, FunctionId b) const {
    Ids explorations;
    add_all({a, b}, continues_, explorations);
    for (const FunctionId f : explorations) {
      Ids asked;
      if (const auto it = asks_.find(f); it != asks_.end()) add_all(it->second, called_, asked);
      if (asked.contains(a) || asked.contains(b)) return true;
    }
    return false;
  }

  // These, and all that can be reached from them.
  static void add_all(const Ids& from, const std::map<FunctionId, Ids>& next, Ids& into) {
    std::vector<FunctionId> pending(from.begin(), from.end());
    while (!pending.empty()) {
      const FunctionId f = pending.back();
      pending.pop_back();
      const auto it = next.find(f);
      if (into.insert(f).second && it != next.end())
        pending.insert(pending.end(), it->second.begin(), it->second.end());
    }
  }

  FunctionTable& table_;
  std::map<FunctionId, Ids> asks_;       // the checks that a function begins
  std::map<FunctionId, Ids> continues_;  // the functions whose exploration a check belongs to
  std::map<FunctionId, Ids> called_;
};

}  // namespace

bool join_equal_checks(FunctionTable& table) { return Copies(table).join(); }

}  // namespace rgtrans::cpp
