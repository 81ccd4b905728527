// Writes cycles that go round by round: all values that a round reaches at once. See set_plan.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

namespace {

class RoundWriter : CodeWriter {
 public:
  using CodeWriter::CodeWriter;
  void write(const Around& around) {
    const bool moves = context_.purpose == Purpose::moves;
    const VarId key = around.key;
    const SetWalks* const walks = &around.walks;
    const std::optional<Subsets>& rounds = around.rounds;
    names_.words = walks->words;
    if (walks->lists) shared_.lists_sets = true;
    shared_.marks_visits = shared_.keeps_cells = true;
    const Code reached =
        "c." + shared_.functions.add_field({fmt::format("Reached<{}>", words()), shared_.unique("reached")});
    const std::string seen = fresh("seen");
    const std::string at = fresh("at");
    const std::string set = fmt::format("Cells<{}>", words());
    line(fmt::format("const {} before = ", set) + reached + "[0].since(epoch);");
    line("{} {} = before;", set, seen);
    const std::string start = expressions_.variable(key);
    line("{} {} = {} & ~{};", set, at, moves ? fmt::format("one_cell<{}>({})", words(), start) : start + ".cells",
         seen);
    line("if (!{}.any()) return {};", at, moves ? "out" : "false");
    names_.sources = write_masks(walks->sources, words());
    const bool own = rounds && needs_only_itself(*rounds);
    const std::string have = walks->shifts || own ? "" : write_have(names_.sources, words());
    if (around.spread) return write_spread(*around.spread, {reached, seen, at});
    names_.next = fresh("next");
    open("do {");
    line("{0} = {0} | {1};", seen, at);
    // A check is answered as soon as something is found.
    if (!moves) write_items(at_, names_, part_of(walks->items, false), at);
    line("{} {};", set, names_.next);
    if (walks->shifts)
      write_items(at_, names_, part_of(walks->items, true), at);
    else if (own)
      write_steps(*rounds, at);
    else
      write_round(*rounds, at, have);
    line("{} = {} & ~{};", at, names_.next, seen);
    close("}} while ({}.any());", at);
    line(reached + fmt::format("[0].cells = {};", seen));
    names_.next.clear();
    if (moves) {
      line("const {} all = {} & ~before;", set, seen);
      write_items(at_, names_, part_of(walks->items, false), "all");
    }
  }

  // Where a check marks what it has reached, and the names of that and of the last round.
  struct Flooded {
    Code reached;
    std::string seen, at;
  };
  void write_spread(const Spread& spread, const Flooded& of) {
    const auto any_of = [&](const std::vector<std::size_t>& sources) {
      std::string text;
      for (const std::size_t source : sources) text += (text.empty() ? "" : " | ") + names_.sources[source];
      return text;
    };
    open("do {");
    line("{0} = {0} | {1};", of.seen, of.at);
    std::string text;
    for (const auto& [delta, from] : spread.neighbours)
      text +=
          fmt::format("{}shifted<{}>({} & {})", text.empty() ? "" : " | ", -delta, of.at, cells_text(from, words()));
    const std::string neighbours = fresh("neighbours");
    line("const auto {} = {};", neighbours, text);
    if (!spread.goal.empty())
      block(Code(fmt::format("if (({} & ({})).any()) {{", neighbours, any_of(spread.goal))), [&] { at_.success(); });
    write_items(at_, names_, spread.rest, of.at);
    line("{} = {} & ({}) & ~{};", of.at, neighbours, any_of(spread.next), of.seen);
    close("}} while ({}.any());", of.at);
    line(of.reached + fmt::format("[0].cells = {};", of.seen));
  }

  // What comes next needs nothing but that its own cell holds the same, whichever it is.
  static bool needs_only_itself(const Subsets& rounds) {
    std::optional<std::size_t> source;
    return std::ranges::all_of(rounds, [&](const std::vector<Subset>& of_value) {
      return std::ranges::all_of(of_value, [&](const Subset& next) {
        bool needs = false;
        for (std::size_t i = 0; i < next.needs.size(); ++i) {
          if (next.needs[i].none()) continue;
          if (next.needs[i].single() != next.to || source.value_or(i) != i) return false;
          source = i;
          needs = true;
        }
        return needs;
      });
    });
  }

  void write_steps(const Subsets& rounds, const std::string& set) {
    std::vector<std::uint64_t> table;
    std::size_t source = 0;
    for (const std::vector<Subset>& of_value : rounds) {
      Bits to(words() * 64);
      for (const Subset& next : of_value) {
        to.set(next.to);
        while (next.needs[source].none()) ++source;
      }
      std::vector<std::uint64_t> numbers = to.to_words();
      numbers.resize(words());
      table.insert(table.end(), numbers.begin(), numbers.end());
    }
    const std::string name = shared_.number_table(table, {rounds.size(), words()}, "std::uint64_t", "next");
    const std::string x = fresh("x");
    line("each_cell({0}, [&](unsigned {1}) {{ {2} = {2} | cells_of<{3}>({4}[{1}]); }});", set, x, names_.next, words(),
         name);
    line("{0} = {0} & {1};", names_.next, names_.sources[source]);
  }

  void write_round(const Subsets& rounds, const std::string& set, const std::string& have) {
    const SubsetTables tables = subset_tables(rounds, kLanes, names_.sources.size(), words());
    const std::string x = fresh("x");
    const std::string ways = fresh("ways");
    open("each_cell({}, [&](unsigned {}) {{", set, x);
    line("unsigned {} = possible_targets({}[{}], {}, 0) & {}[{}];", ways, tables.needs, x, have, tables.valid, x);
    line("for (; {0} != 0; {0} &= {0} - 1) add_cell({1}, {2}[{3}][lowest_bit({0})]);", ways, names_.next, tables.to, x);
    close("});");
  }

 private:
  [[nodiscard]] std::size_t words() const { return names_.words; }

  SetNames names_;
};

}  // namespace

void write_rounds(Workplace& at, const Around& around) { RoundWriter(at).write(around); }

}  // namespace rgtrans::cpp
