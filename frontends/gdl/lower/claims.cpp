#include "frontends/gdl/lower/claims.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace rgtrans::gdl {

namespace {

// Rules that derive (NAME k) if sentence k holds.
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
    std::vector<std::string> facts;
    for (const std::uint32_t f : group.facts) facts.push_back(fmt::format("(true {})", program.text(program.facts[f])));
    claim_one(fmt::format("claim-group-{}", g), facts, group.exact, "groups of facts", claims);
  }
}

void claim_forced(const GroundProgram& program, std::span<const FactGroup> groups, const TurnStructure& turns,
                  ir::Claims& claims) {
  std::string text;
  for (const TurnStructure::Phase& phase : turns.phases) {
    for (std::uint32_t role = 0; role < phase.forced.size(); ++role) {
      if (phase.forced[role] == TurnStructure::kDecides) continue;
      const auto forced = [&](const std::string& when) {
        text += fmt::format("(<= violated {}(legal {} ?move) (distinct ?move {}) (not terminal))\n", when,
                            program.text(program.roles[role]), program.text(program.moves[phase.forced[role]].term));
      };
      if (turns.group == kNone) forced("");
      if (turns.group == kNone) continue;
      for (const std::uint32_t value : phase.values)
        forced(fmt::format("(true {}) ", program.text(program.facts[groups[turns.group].facts[value]])));
    }
  }
  if (!text.empty()) claims.add("phases of the game", ir::RuleClaim{"a role has one legal move", std::move(text)});
}

void claim_computed(const GroundProgram& program, std::span<const Conditions::Computed> computed, ir::Claims& claims) {
  std::size_t number = 0;
  for (const Conditions::Computed& variable : computed) {
    std::vector<std::string> sentences;
    for (const std::uint32_t d : variable.atoms) {
      std::string sentence = program.symbols.str(program.names[d].predicate);
      const auto arguments = program.arguments(program.derived_begin() + d);
      for (const TermId argument : arguments) sentence += " " + program.text(argument);
      sentences.push_back(arguments.empty() ? sentence : "(" + sentence + ")");
    }
    if (sentences.size() > 1)
      claim_one(fmt::format("claim-class-{}", number++), sentences, false, "classes of derived atoms", claims);
  }
}

}  // namespace rgtrans::gdl
