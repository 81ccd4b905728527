#include "frontends/gdl/lower/claims.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace rgtrans::gdl {

namespace {

// Rules that number the sentences of a set that hold: (NAME k).
std::string numbered(const std::string& name, std::span<const std::string> sentences) {
  std::string text;
  for (std::size_t k = 0; k < sentences.size(); ++k) text += fmt::format("(<= ({} {}) {})\n", name, k, sentences[k]);
  return text;
}

void claim_one(const std::string& name, std::span<const std::string> sentences, bool exactly, std::string_view rewrite,
               ir::Claims& claims) {
  std::string text = numbered(name, sentences);
  if (sentences.size() > 1) text += fmt::format("(<= violated ({0} ?a) ({0} ?b) (distinct ?a ?b))\n", name);
  if (exactly) text += fmt::format("(<= {0}-any ({0} ?a))\n(<= violated (not {0}-any))\n", name);
  claims.add(rewrite, ir::RuleClaim{exactly ? "exactly one fact holds" : "facts exclude each other", std::move(text)});
}

}  // namespace

void claim_groups(const GroundProgram& program, std::span<const FactGroup> groups, ir::Claims& claims) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const FactGroup& group = groups[g];
    if (group.facts.size() < 2 && !group.exact) continue;
    std::vector<std::string> now, later;
    for (const std::uint32_t f : group.facts) {
      now.push_back(fmt::format("(true {})", program.text(program.facts[f])));
      later.push_back(fmt::format("(next {})", program.text(program.facts[f])));
    }
    const std::string name = fmt::format("claim-group-{}", g);
    claim_one(name, now, group.exact, "groups of facts", claims);
    if (!group.deterministic) continue;
    // The fact that holds alone tells the next one, whatever is done, unless the game is over.
    std::string text = numbered(name + "-now", now) + numbered(name + "-next", later);
    for (std::size_t k = 0; k < group.successor.size(); ++k)
      text += fmt::format("({}-successor {} {})\n", name, k, group.successor[k]);
    text += fmt::format(
        "(<= violated ({0}-now ?a) ({0}-next ?b) ({0}-successor ?a ?c) (distinct ?b ?c) (not terminal))\n", name);
    claims.add("groups of facts", ir::RuleClaim{"one fact determines the next", std::move(text)});
  }
}

void claim_derived_groups(const GroundProgram& program, std::span<const DerivedGroups> derived, ir::Claims& claims) {
  std::size_t number = 0;
  for (const DerivedGroups& groups : derived) {
    for (const std::vector<std::uint32_t>& atoms : groups.classes) {
      std::vector<std::string> sentences;
      for (const std::uint32_t d : atoms) {
        std::string sentence = program.symbols.str(program.names[d].predicate);
        const auto arguments = program.arguments(program.derived_begin() + d);
        for (const TermId argument : arguments) sentence += " " + program.text(argument);
        sentences.push_back(arguments.empty() ? sentence : "(" + sentence + ")");
      }
      if (sentences.size() > 1)
        claim_one(fmt::format("claim-class-{}", number++), sentences, false, "classes of derived atoms", claims);
    }
  }
}

}  // namespace rgtrans::gdl
