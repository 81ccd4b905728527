// Pragmas as texts.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/certificate/certificate.hpp"

namespace rgtrans::certificate {

namespace {

// A pragma about several nodes as pragmas about one node each; none for other kinds.
std::vector<std::string> parts_of(const std::string& pragma) {
  const std::string kind = pragma.substr(0, pragma.find(' '));
  std::vector<std::string> parts;
  if (kind != "unique" && kind != "repeat") return parts;
  const std::size_t colon = std::min(pragma.find(" :"), pragma.size());
  for (std::size_t at = kind.size(); at < colon;) {
    const std::size_t end = std::min(pragma.find(' ', at + 1), colon);
    parts.push_back(kind + pragma.substr(at, end - at) + pragma.substr(colon));
    at = end;
  }
  return parts;
}

}  // namespace

std::string pragma_text(const ir::Pragma& pragma) {
  return std::visit(ir::Overloaded{
                        [](const ir::ArtificialTag& p) { return "artificial" + numbers(p.tags); },
                        [](const ir::Disjoint& p) {
                          return fmt::format("disjoint {} {}", p.exhaustive ? 1 : 0, p.node.value) + numbers(p.targets);
                        },
                        [](const ir::Integer& p) { return fmt::format("integer {}", p.offset) + numbers(p.symbols); },
                        [](const ir::Iterator& p) {
                          return fmt::format("iterator {} {} {} {}", p.a.value, p.b.value, p.c.value, p.variable.value);
                        },
                        [](const ir::Repeat& p) { return "repeat" + numbers(p.nodes) + " :" + numbers(p.variables); },
                        [](const ir::Unique& p) { return "unique" + numbers(p.nodes); },
                        [](const ir::SimpleApply& p) {
                          std::string text =
                              fmt::format("apply {} {} {}", p.exhaustive ? 1 : 0, p.from.value, p.to.value);
                          for (const auto& tag : p.tags) text += fmt::format(" {} {}", tag.name.value, tag.type.value);
                          for (const auto& effect : p.effects)
                            text += fmt::format(" : {} {}", effect.lhs.value, effect.rhs.value);
                          return text;
                        },
                        [](const ir::TagIndex& p) {
                          return fmt::format("tag-index {} {}", p.maximum ? 1 : 0, p.index) + numbers(p.nodes);
                        },
                        [](const ir::TranslatedFromRbg&) -> std::string { return "rbg"; },
                        [](const ir::Unknown& p) {
                          std::string text = p.content;
                          std::ranges::replace_if(
                              text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
                          return text;
                        },
                    },
                    pragma.content);
}

std::string new_pragma(const ir::Game& before, const ir::Game& after) {
  std::set<std::string> then;
  for (const ir::Pragma& pragma : before.pragmas) {
    then.insert(pragma_text(pragma));
    // The same statement about fewer nodes follows.
    for (const std::string& part : parts_of(pragma_text(pragma))) then.insert(part);
  }
  for (const ir::Pragma& pragma : after.pragmas) {
    std::string text = pragma_text(pragma);
    const std::vector<std::string> parts = parts_of(text);
    const bool known = std::ranges::all_of(parts, [&](const std::string& part) { return then.contains(part); });
    if (!then.contains(text) && (parts.empty() || !known)) return text;
  }
  return "";
}

}  // namespace rgtrans::certificate
