// Prints the ground description as KIF, so every tool for GDL can read it.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/gdl/gdl.hpp"

namespace rgtrans::gdl {

namespace {

constexpr std::size_t kChunk = 1U << 20;

class Printer {
 public:
  Printer(const GroundProgram& program, const std::function<void(std::string_view)>& write)
      : p_(program), write_(write) {}

  void run() {
    render_atoms();
    for (const TermId role : p_.roles) line("(role ", p_.text(role), ")");
    for (std::size_t f = 0; f < p_.facts.size(); ++f)
      if (p_.initial[f]) line("(init ", p_.text(p_.facts[f]), ")");
    for (std::uint32_t d = 0; d < p_.derived_count(); ++d)
      if (!inlined_[d]) bodies(text(2 * (p_.derived_begin() + d)), d);
    for (std::size_t m = 0; m < p_.moves.size(); ++m)
      output(fmt::format("(legal {} {})", role(p_.moves[m].role), p_.text(p_.moves[m].term)), p_.legal[m]);
    for (std::size_t f = 0; f < p_.facts.size(); ++f)
      output(fmt::format("(next {})", p_.text(p_.facts[f])), p_.next[f]);
    for (const auto& sees : p_.sees)
      output(fmt::format("(sees {} {})", role(sees.role), p_.text(sees.term)), sees.when);
    output("terminal", p_.terminal);
    for (const auto& goal : p_.goals)
      output(fmt::format("(goal {} {})", role(goal.role), p_.text(goal.value)), goal.when);
    flush();
  }

 private:
  [[nodiscard]] std::string role(std::uint32_t r) const { return p_.text(p_.roles[r]); }

  // Renders the text of every atom once. A derived atom whose only use is to define one output is printed as that
  // output.
  void render_atoms() {
    std::vector<std::uint32_t> uses(p_.derived_count());
    const auto use = [&](GroundLiteral l) {
      if (!is_constant(l) && atom_of(l) >= p_.derived_begin()) ++uses[atom_of(l) - p_.derived_begin()];
    };
    for (const GroundLiteral l : p_.literals) use(l);
    std::vector<std::uint32_t> inside = uses;
    std::ranges::for_each(p_.next, use);
    std::ranges::for_each(p_.legal, use);
    use(p_.terminal);
    for (const auto& goal : p_.goals) use(goal.when);
    for (const auto& sees : p_.sees) use(sees.when);
    inlined_.resize(p_.derived_count());
    const auto inline_output = [&](GroundLiteral l) {
      if (is_constant(l) || is_negated(l) || atom_of(l) < p_.derived_begin()) return;
      const std::uint32_t d = atom_of(l) - p_.derived_begin();
      inlined_[d] = uses[d] == 1 && inside[d] == 0;
    };
    std::ranges::for_each(p_.next, inline_output);
    std::ranges::for_each(p_.legal, inline_output);
    inline_output(p_.terminal);
    for (const auto& goal : p_.goals) inline_output(goal.when);
    for (const auto& sees : p_.sees) inline_output(sees.when);

    starts_.reserve(p_.atom_count() + 1);
    for (const TermId f : p_.facts) atom("(true " + p_.text(f) + ")");
    for (const auto& m : p_.moves) atom(fmt::format("(does {} {})", role(m.role), p_.text(m.term)));
    for (std::uint32_t d = 0; d < p_.derived_count(); ++d) atom(inlined_[d] ? "" : derived_name(d));
    starts_.push_back(static_cast<std::uint32_t>(texts_.size()));
  }
  void atom(std::string_view text) {
    starts_.push_back(static_cast<std::uint32_t>(texts_.size()));
    texts_ += text;
  }

  // A relation named like a keyword gets a number, because the printed outputs are rules of their own.
  [[nodiscard]] std::string derived_name(std::uint32_t d) const {
    const auto& name = p_.names[d];
    const std::string_view predicate = p_.symbols.text(name.predicate);
    for (const std::string_view keyword :
         {"next", "legal", "goal", "terminal", "sees", "NEXT", "LEGAL", "GOAL", "TERMINAL", "SEES"})
      if (predicate == keyword) return fmt::format("#{}{}", keyword, d);
    if (name.count == 0) return std::string(predicate);
    std::string out = fmt::format("({}", predicate);
    for (std::uint32_t i = 0; i < name.count; ++i) {
      out += ' ';
      p_.terms.print(p_.name_arguments[name.first + i], p_.symbols, out);
    }
    return out + ')';
  }

  [[nodiscard]] std::string_view text(GroundLiteral literal) const {
    const std::uint32_t begin = starts_[atom_of(literal)];
    return {texts_.data() + begin, starts_[atom_of(literal) + 1] - begin};
  }

  void append(GroundLiteral literal) {
    buffer_ += is_negated(literal) ? " (not " : " ";
    buffer_ += text(literal);
    if (is_negated(literal)) buffer_ += ')';
  }

  void bodies(std::string_view head, std::uint32_t d) {
    for (std::uint32_t b = p_.first_body[d]; b < p_.first_body[d + 1]; ++b) {
      buffer_ += "(<= ";
      buffer_ += head;
      for (const GroundLiteral l : p_.body(b)) append(l);
      buffer_ += ")\n";
      if (buffer_.size() > kChunk) flush();
    }
  }

  void output(std::string_view head, GroundLiteral when) {
    if (when == kFalse) return;
    if (when == kTrue) {
      line("", head, "");
      return;
    }
    if (atom_of(when) >= p_.derived_begin() && inlined_[atom_of(when) - p_.derived_begin()]) {
      bodies(head, atom_of(when) - p_.derived_begin());
      return;
    }
    buffer_ += "(<= ";
    buffer_ += head;
    append(when);
    buffer_ += ")\n";
  }

  void line(std::string_view a, std::string_view b, std::string_view c) {
    buffer_ += a;
    buffer_ += b;
    buffer_ += c;
    buffer_ += '\n';
    if (buffer_.size() > kChunk) flush();
  }
  void flush() {
    write_(buffer_);
    buffer_.clear();
  }

  const GroundProgram& p_;
  const std::function<void(std::string_view)>& write_;
  std::string texts_;
  std::vector<std::uint32_t> starts_;
  std::vector<bool> inlined_;
  std::string buffer_;
};

}  // namespace

void print_ground(const GroundProgram& program, const std::function<void(std::string_view)>& write) {
  Printer(program, write).run();
}

}  // namespace rgtrans::gdl
