// Prints the propositional network as a Graphviz drawing.
#include <fmt/format.h>

#include "core/support/text.hpp"
#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/network/network.hpp"

namespace rgtrans::gdl {

void print_network(const GroundProgram& program, const std::function<void(std::string_view)>& write) {
  const Network network(program);

  std::string out = "digraph propnet {\n  rankdir=LR;\n";
  const auto flush = [&] {
    write(out);
    out.clear();
  };
  const auto wire = [&](GroundLiteral from, const std::string& to) {
    if (is_constant(from)) {
      out += fmt::format("  {} -> {};\n", from == kTrue ? "true" : "false", to);
    } else {
      out += fmt::format("  n{} -> {}{};\n", atom_of(from), to, is_negated(from) ? " [arrowhead=odot]" : "");
    }
    if (out.size() > (1U << 20)) flush();
  };
  const auto role = [&](std::uint32_t r) { return program.text(program.roles[r]); };
  for (std::uint32_t f = 0; f < program.facts.size(); ++f) {
    out += fmt::format("  n{} [shape=box{}, label={}];\n", f, program.initial[f] ? ", style=filled" : "",
                       dot_quoted(program.text(program.facts[f])));
  }
  for (std::uint32_t m = 0; m < program.moves.size(); ++m) {
    out += fmt::format("  n{} [shape=diamond, label={}];\n", program.move_begin() + m,
                       dot_quoted("does " + role(program.moves[m].role) + " " + program.text(program.moves[m].term)));
  }
  for (std::uint32_t node = network.inputs(); node < network.size(); ++node) {
    out +=
        fmt::format("  n{} [label=\"{}\"];\n", node, network.gate(node) == Network::Gate::conjunction ? "and" : "or");
    for (const GroundLiteral l : network.inputs_of(node)) wire(l, fmt::format("n{}", node));
  }
  const auto output = [&](const std::string& id, const std::string& label, GroundLiteral when) {
    if (when == kFalse) return;
    out += fmt::format("  {} [shape=box, style=rounded, label={}];\n", id, dot_quoted(label));
    wire(network.literal(when), id);
  };
  for (std::uint32_t f = 0; f < program.facts.size(); ++f)
    output(fmt::format("x{}", f), "next " + program.text(program.facts[f]), program.next[f]);
  for (std::uint32_t m = 0; m < program.moves.size(); ++m) {
    output(fmt::format("l{}", m), "legal " + role(program.moves[m].role) + " " + program.text(program.moves[m].term),
           program.legal[m]);
  }
  for (std::size_t g = 0; g < program.goals.size(); ++g)
    output(fmt::format("g{}", g), "goal " + role(program.goals[g].role) + " " + program.text(program.goals[g].value),
           program.goals[g].when);
  for (std::size_t s = 0; s < program.sees.size(); ++s)
    output(fmt::format("s{}", s), "sees " + role(program.sees[s].role) + " " + program.text(program.sees[s].term),
           program.sees[s].when);
  output("t", "terminal", program.terminal);
  out += "}\n";
  flush();
}

}  // namespace rgtrans::gdl
