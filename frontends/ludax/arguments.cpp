#include "frontends/ludax/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ludax/words.hpp"

namespace rgtrans::ludax {

Arguments::Arguments(const Node& list, Diagnostics& diagnostics) : list_(list), diagnostics_(diagnostics) {
  for (std::size_t i = 1; i < list.items.size(); ++i) {
    const Node& item = list.items[i];
    if (item.kind != Node::Kind::name) {
      positional_.push_back(&item);
      continue;
    }
    if (i + 1 == list.items.size() || list.items[i + 1].kind == Node::Kind::name) {
      diagnostics.error(item.where, fmt::format("`{}:` has no value", item.text));
      throw Failed();
    }
    const auto twice = std::ranges::find(named_, item.text, [](const Named& n) { return n.name->text; });
    if (twice != named_.end()) {
      diagnostics.error(item.where, fmt::format("`{}:` is given twice", item.text))
          .notes.push_back({twice->name->where, "first here"});
      throw Failed();
    }
    named_.push_back({&item, &list.items[++i]});
  }
}

const Node& Arguments::need(std::string_view what) {
  if (const Node* node = next()) return *node;
  diagnostics_.error(closing(), fmt::format("`{}` needs {}", head(), what));
  throw Failed();
}

const Node* Arguments::named(std::string_view name) {
  const auto it = std::ranges::find(named_, name, [](const Named& n) { return n.name->text; });
  if (it == named_.end()) return nullptr;
  it->used = true;
  return it->value;
}

void Arguments::finish() {
  bool failed = false;
  for (const Named& named : named_) {
    if (named.used) continue;
    failed = true;
    const std::string_view owners = owners_of_argument(named.name->text);
    static constexpr std::array<std::string_view, 5> kNames = {"direction", "orientation", "exact", "increment_score",
                                                               "rotate"};
    if (owners.empty()) {
      diagnostics_.error(named.name->where, fmt::format("unknown argument `{}:`", named.name->text),
                         did_you_mean(named.name->text, kNames));
    } else {
      diagnostics_.error(named.name->where,
                         fmt::format("`{}:` belongs to {}, not to `{}`", named.name->text, owners, list_.head()));
    }
  }
  if (const Node* extra = peek()) {
    failed = true;
    diagnostics_.error(extra->where, fmt::format("unexpected {} in `({} …)`", shown(*extra), list_.head()));
  }
  if (failed) throw Failed();
}

std::string shown(const Node& node) {
  if (node.kind == Node::Kind::name) return fmt::format("`{}:`", node.text);
  if (!node.is_list()) return fmt::format("`{}`", node.text);
  if (node.items.empty()) return "`()`";
  if (node.head().empty()) return "`(…)`";
  return node.items.size() == 1 ? fmt::format("`({})`", node.head()) : fmt::format("`({} …)`", node.head());
}

}  // namespace rgtrans::ludax
