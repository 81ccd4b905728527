// Conditions told apart alternative by alternative, against trying out all values.
#include "frontends/gdl/circuit/alternatives.hpp"

#include <gtest/gtest.h>

#include "frontends/gdl/gdl.hpp"
#include "tests/support/choices.hpp"

namespace rgtrans::gdl {
namespace {

// Three groups of three facts each, and a role with four moves that are always legal.
struct World {
  World() {
    std::string text = "(role r) (<= terminal (true (a 1))) (<= (goal r 100) (role r)) ";
    for (int i = 1; i <= 4; ++i) text += "(legal r (go " + std::to_string(i) + ")) ";
    for (const char* name : {"a", "b", "c"}) {
      for (int i = 1; i <= 3; ++i) {
        const std::string fact = "(" + std::string(name) + " " + std::to_string(i) + ")";
        text += "(<= (next " + fact + ") (true " + fact + ") (not (does r (go 1)))) (<= (next " + fact +
                ") (does r (go " + std::to_string(i) + "))) ";
      }
    }
    auto sources = std::make_shared<Sources>();
    Diagnostics diagnostics(sources);
    program = ground(sources->add("world.kif", text), diagnostics, {});
    for (std::uint32_t f = 0; f < program.facts.size(); ++f) {
      if (f % 3 == 0) groups.emplace_back();
      groups.back().facts.push_back(f);
    }
  }

  GroundProgram program;
  std::vector<FactGroup> groups;
};

bool holds(const Circuit& circuit, Wire wire, const std::vector<std::uint32_t>& values) {
  const std::uint32_t node = node_of(wire);
  switch (circuit.kind(node)) {
    case Circuit::Kind::constant:
      return wire == kAlways;
    case Circuit::Kind::leaf:
      return circuit.allows(wire, values[circuit.variable(node)]);
    case Circuit::Kind::conjunction:
      return is_inverted(wire) !=
             std::ranges::all_of(circuit.inputs(node), [&](Wire w) { return holds(circuit, w, values); });
    case Circuit::Kind::recursive:
      break;
  }
  return false;
}

// f(values) for all values of the variables.
template <class F>
void for_all(const Circuit& circuit, F&& f) {
  std::vector<std::uint32_t> values(circuit.variables(), 0);
  for (;;) {
    f(values);
    std::uint32_t v = 0;
    while (v < values.size() && ++values[v] == circuit.domain(v)) values[v++] = 0;
    if (v == values.size()) return;
  }
}

class Builder {
 public:
  Builder(Circuit& circuit, test::Choices& choices) : circuit_(circuit), c_(choices) {}

  Wire leaf() {
    const auto variable = static_cast<std::uint32_t>(c_.below(circuit_.variables()));
    std::vector<std::uint32_t> values;
    for (std::uint32_t v = 0; v < circuit_.domain(variable); ++v)
      if (c_.coin(40)) values.push_back(v);
    return circuit_.leaf(variable, std::move(values));
  }
  Wire condition(int depth) {
    if (depth == 0 || c_.coin(30)) return leaf();
    std::vector<Wire> parts;
    for (int n = c_.pick(2, 5); n > 0; --n) parts.push_back(condition(depth - 1));
    const Wire all = circuit_.conjunction(std::move(parts));
    return c_.coin(50) ? invert(all) : all;
  }
  // Deals all values out to the owners, condition by condition.
  void deal(const std::vector<Wire>& path, int depth, std::vector<std::vector<Wire>>& of_owner) {
    if (depth == 0 || c_.coin(20)) {
      of_owner[c_.below(of_owner.size())].push_back(circuit_.conjunction(path));
      return;
    }
    const Wire test = condition(c_.pick(0, 2));
    for (const Wire side : {test, invert(test)}) {
      std::vector<Wire> longer = path;
      longer.push_back(side);
      deal(longer, depth - 1, of_owner);
    }
  }

 private:
  Circuit& circuit_;
  test::Choices& c_;
};

TEST(GdlSeparation, SaysOnlyWhatHoldsForAllValues) {
  const World world;
  std::size_t exclusive = 0, proved = 0, wrong = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    test::Choices choices(seed);
    Conditions conditions(world.program, world.groups);
    Builder builder(conditions.circuit, choices);
    std::vector<std::vector<Wire>> of_owner(static_cast<std::size_t>(choices.pick(2, 5)));
    builder.deal({}, 5, of_owner);
    if (choices.coin(40)) of_owner[0].push_back(builder.condition(1));
    std::vector<Wire> wires;
    for (auto& alternatives : of_owner) wires.push_back(conditions.circuit.disjunction(std::move(alternatives)));
    const std::vector<Wire> known = {choices.coin(50) ? kAlways : builder.condition(1)};
    bool apart = true;
    for_all(conditions.circuit, [&](const std::vector<std::uint32_t>& values) {
      const auto holding =
          std::ranges::count_if(wires, [&](Wire wire) { return holds(conditions.circuit, wire, values); });
      apart = apart && (holding < 2 || !holds(conditions.circuit, known[0], values));
    });
    Effort effort("a test", 1'000'000);
    CircuitRefuter refuter(conditions, effort);
    const bool said = Separation(conditions, refuter, effort).exclusive(wires, known);
    EXPECT_TRUE(apart || !said) << "seed " << seed;
    for (const std::uint64_t little : {10, 20, 40, 80, 160, 320}) {
      Effort soon("a test", little);
      CircuitRefuter tired(conditions, soon);
      EXPECT_TRUE(apart || !Separation(conditions, tired, soon).exclusive(wires, known)) << "seed " << seed;
    }
    exclusive += apart ? 1 : 0;
    proved += said ? 1 : 0;
    wrong += apart ? 0 : 1;
  }
  EXPECT_GT(wrong, 60U);
  EXPECT_GT(proved, exclusive * 9 / 10) << exclusive;
}

TEST(GdlAlternatives, WhatIsLeftIsWhatHoldsBesideWhatIsKnown) {
  const World world;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    test::Choices choices(seed);
    Conditions conditions(world.program, world.groups);
    Circuit& circuit = conditions.circuit;
    Builder builder(circuit, choices);
    const std::vector<Wire> wires = {builder.condition(2), builder.condition(3)};
    const Wire known = builder.condition(choices.pick(0, 1));
    if (is_fixed(known)) continue;
    const Alternatives left = given(circuit, alternatives_of(circuit, wires), known);
    std::vector<std::vector<Wire>> each(wires.size());
    for (const Alternative& alternative : left)
      each[alternative.owner].push_back(circuit.conjunction(alternative.conditions));
    for (std::size_t i = 0; i < wires.size(); ++i) {
      const Wire rest = circuit.disjunction(each[i]);
      for_all(circuit, [&](const std::vector<std::uint32_t>& values) {
        if (!holds(circuit, known, values)) return;
        ASSERT_EQ(holds(circuit, rest, values), holds(circuit, wires[i], values)) << "seed " << seed;
      });
    }
  }
}

}  // namespace
}  // namespace rgtrans::gdl
