// What sets ask about all values of a choice (sets.hpp) is asked about one of them. That costs a look at one cell, not
// at a board that was just written to, for which a processor waits.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

namespace {
class GuessWriter : CodeWriter {
 public:
  using CodeWriter::CodeWriter;
  // Whether one of the conditions holds for the value, which is one of the possible ones.
  std::string condition(const SetWalks& walks, const std::vector<SetCondition>& conditions, const Bits& possible,
                        const std::string& x) {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " || ") + part; };
    for (const SetCondition& one : conditions) {
      if (one.sure.contains(possible)) return "true";
      if (one.sure.intersects(possible)) add(expressions_.member(one.sure, x));
      for (const Shifted& asked : one.asked) {
        if (!asked.where.intersects(possible)) continue;
        std::string cell =
            asked.delta == 0 ? x : fmt::format("{} {} {}u", x, asked.delta < 0 ? '-' : '+', std::abs(asked.delta));
        if (!asked.cell.empty()) {
          const char* const type = std::ranges::max(asked.cell) < 256 ? "std::uint8_t" : "std::uint16_t";
          cell = fmt::format("{}[{}]", shared_.number_list(asked.cell, type, "from"), x);
        }
        const std::string content = expressions_.holds(walks.sources[asked.source], cell);
        add(asked.where.contains(possible) ? content
                                           : fmt::format("({} && {})", expressions_.member(asked.where, x), content));
      }
    }
    return text.empty() ? "false" : text;
  }

  void write_items(const SetWalks& walks, const std::vector<SetItem>& items, const std::string& x) {
    for (const SetItem& item : items) {
      if (is_end(item)) return at_.success();
      block("if (" + item_condition(walks, item, item.possible, x) + ") {",
            [&] { write_items(walks, item.inside, x); });
    }
  }

  Code item_condition(const SetWalks& walks, const SetItem& item, const Bits& possible, const std::string& x) {
    if (item.kind == SetItem::Kind::narrow) return condition(walks, item.conditions, possible, x);
    return item.split ? Code(split_condition(item)) : expressions_.condition(*item.step);
  }

  Code write_witness(const SetWalks& walks, const Bits& all) {
    const Code field = "c." + shared_.functions.add_field({"std::uint16_t", shared_.unique("witness")}) + "[0]";
    const std::string x = fresh("x");
    comment("What held last time may well hold again.");
    open("{");
    line("const unsigned " + x + " = " + field +
         (all.test(0) ? Code() : " != 0 ? " + field + fmt::format(" : {}u", *all.first())) + ";");
    write_items(walks, walks.items, x);
    close();
    return field;
  }

  // All moves that there might be at a node: one of them is picked before it is known whether it is a move.
  void write(const Guesses& all, Text& text) {
    for (std::uint32_t v = 0; v < scope_.env.size(); ++v)
      scope_.env[v] = facts_.state.test(v) && model_.scalar(VarId(v)) ? "s." + model_.identifiers[v] : std::string();
    scope_.locals.clear();
    for (const char* name : {"move", "number"}) scope_.locals[name] = 1;
    scope_.text = Text();
    scope_.text.set_indent(text.indent());
    const std::vector<Guess>& guesses = all.guesses;
    line("choices = {};", all.total);
    line("{}unsigned number = random.uniform({});", guesses.size() > 1 ? "" : "const ", all.total);
    for (std::size_t i = 0; i < guesses.size(); ++i) write_guess(guesses[i], i + 1 == guesses.size());
    text.add(std::exchange(scope_.text, Text()));
  }

  // Draws one value of the guess, writes its conditions, and then its move.
  void write_guess(const Guess& guess, bool last) {
    const SetItem& end = *guess.end;
    const std::uint32_t bits = shared_.layout.bits_in_word();
    const auto before = static_cast<std::uint32_t>(guess.tags.size());
    std::vector<std::uint64_t> values;
    std::vector<std::uint64_t> shown;
    std::string base = "0";
    const auto outer = [&](const SetTag& tag, std::uint32_t place) {
      base += fmt::format(" | with_tag({}, {})", tag_of(tag.outer), place);
    };
    for (std::uint32_t i = 0; i < before; ++i) {
      if (guess.tags[i].outer.valid())
        outer(guess.tags[i], i);
      else
        base += fmt::format(" | with_tag({}u, {})", guess.tags[i].tags[0], i);
    }
    for (std::uint32_t i = 0; i < end.tags.size(); ++i) {
      if (end.tags[i].outer.valid()) outer(end.tags[i], before + i);
    }
    const std::uint32_t shift = shared_.layout.wide ? 0 : before;
    for (const std::size_t x : end.possible) {
      values.push_back(x);
      std::uint64_t word = 0;
      for (std::uint32_t i = 0; i < end.tags.size(); ++i) {
        if (!end.tags[i].outer.valid()) word |= std::uint64_t{end.tags[i].tags[x]} << ((shift + i) * bits);
      }
      shown.push_back(word);
    }
    if (!last) open("if (number < {}) {{", guess.count);
    const bool run = values.back() - values.front() + 1 == values.size();
    const std::string x = fresh("x");
    line("const unsigned {} = {};", x,
         run ? values.front() == 0 ? "number" : fmt::format("number + {}u", values.front())
             : shared_.number_list(values, "std::uint16_t", "values") + "[number]");
    Code all;
    for (const SetItem* item : guess.way) {
      const Code holds = item_condition(*guess.walks, *item, end.possible, x);
      if (holds.text() == "true") continue;
      if (!all.empty()) all += " && ";
      all += "(" + holds + ")";
    }
    const std::string table = shared_.number_list(shown, "std::uint64_t", "shown");
    const std::string word =
        fmt::format("static_cast<Packed>({}[number]) << {}", table, shared_.layout.wide ? before * bits : 0);
    line("move.set(({}) + ({}));", base, word);
    line("return " + (all.empty() ? Code("true") : all) + ";");
    if (last) return;
    close();
    line("number -= {};", guess.count);
  }
};

}  // namespace

Code write_witness(Workplace& at, const SetWalks& walks, const Bits& all) {
  return GuessWriter(at).write_witness(walks, all);
}

void write_guesses(Workplace& at, const Guesses& guesses, Text& text) { GuessWriter(at).write(guesses, text); }

}  // namespace rgtrans::cpp
