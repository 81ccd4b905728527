// Writes walks that are followed by sets; see sets.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/writer.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::cpp {

namespace {

// Nothing is done when there is nothing, so that what is cheap needs no branch, which would often be guessed wrong.
bool needs_no_branch(const std::vector<SetItem>& items, std::size_t words) {
  const bool plain = std::ranges::none_of(items, [](const SetItem& item) {
    using enum SetItem::Kind;
    return item.kind == when || item.kind == scalarize || item.kind == check_deferrable;
  });
  return plain && cost_of(items) * words <= kCosts.without_branch;
}

bool comes_back(const std::vector<SetItem>& items) {
  return std::ranges::all_of(items, [](const SetItem& item) {
    return item.inside.empty() ? item.kind == SetItem::Kind::loop_back : comes_back(item.inside);
  });
}

// table[x] == offset + scale * x for all x of the set.
struct Line {
  std::uint64_t scale = 0, offset = 0;
};
Line line_through(const std::vector<std::uint64_t>& table, const Bits& set) {
  if (set.count() < 2) return {};
  const std::size_t first = *set.begin();
  const std::size_t second = *++set.begin();
  if ((table[second] - table[first]) % (second - first) != 0) return {};
  Line line;
  line.scale = (table[second] - table[first]) / (second - first);
  line.offset = table[first] - line.scale * first;
  for (const std::size_t x : set) {
    if (table[x] != line.offset + line.scale * x) return {};
  }
  return line;
}

}  // namespace

void SetWriter::write(const SetChoice& choice) {
  words_ = choice.walks.words;
  choice_ = choice.any->to;
  if (choice.walks.lists) shared_.lists_sets = true;
  witness_ = choice.remembers ? GuessWriter(*this, success_).write_witness(choice.walks, choice.all) : Code();
  scope_.text.open("{");
  sources_ = write_masks(choice.walks.sources, words_);
  const std::string set = expressions_.fresh("all");
  scope_.text.line(fmt::format("const auto {} = {};", set, cells(choice.all)));
  write_items(choice.walks.items, set, "");
  scope_.text.close();
  witness_ = Code();
}

void SetWriter::write(const Around& around) {
  const bool moves = context_.purpose == Purpose::moves;
  const VarId key = around.key;
  const SetWalks* const walks = &around.walks;
  const std::optional<Rounds>& rounds = around.rounds;
  words_ = walks->words;
  if (walks->lists) shared_.lists_sets = true;
  shared_.marks_visits = shared_.keeps_cells = true;
  const Code reached =
      "c." + shared_.functions.add_field({fmt::format("Reached<{}>", words_), shared_.unique("reached")});
  const std::string seen = expressions_.fresh("seen");
  const std::string at = expressions_.fresh("at");
  const std::string set = fmt::format("Cells<{}>", words_);
  scope_.text.line(fmt::format("const {} before = ", set) + reached + "[0].since(epoch);");
  scope_.text.line(fmt::format("{} {} = before;", set, seen));
  const std::string start = expressions_.variable(key);
  scope_.text.line(fmt::format("{} {} = {} & ~{};", set, at,
                               moves ? fmt::format("one_cell<{}>({})", words_, start) : start + ".cells", seen));
  scope_.text.line(fmt::format("if (!{}.any()) return {};", at, moves ? "out" : "false"));
  sources_ = write_masks(walks->sources, words_);
  const bool own = rounds && needs_only_itself(*rounds);
  const std::string have = walks->shifts || own ? "" : write_have(sources_, words_);
  next_ = expressions_.fresh("next");
  scope_.text.open("do {");
  scope_.text.line(fmt::format("{0} = {0} | {1};", seen, at));
  // A check is answered as soon as something is found.
  if (!moves) write_items(part_of(walks->items, false), at, "");
  scope_.text.line(fmt::format("{} {};", set, next_));
  if (walks->shifts)
    write_items(part_of(walks->items, true), at, "");
  else if (own)
    write_steps(*rounds, at);
  else
    write_round(*rounds, at, have);
  scope_.text.line(fmt::format("{} = {} & ~{};", at, next_, seen));
  scope_.text.close(fmt::format("}} while ({}.any());", at));
  scope_.text.line(reached + fmt::format("[0].cells = {};", seen));
  next_.clear();
  if (moves) {
    scope_.text.line(fmt::format("const {} all = {} & ~before;", set, seen));
    write_items(part_of(walks->items, false), "all", "");
  }
}

// What comes next needs nothing but that its own cell holds the same, whichever it is.
bool SetWriter::needs_only_itself(const Rounds& rounds) {
  std::optional<std::size_t> source;
  return std::ranges::all_of(rounds, [&](const std::vector<NextValue>& of_value) {
    return std::ranges::all_of(of_value, [&](const NextValue& next) {
      for (std::size_t i = 0; i < next.needs.size(); ++i) {
        if (next.needs[i].none()) continue;
        if (next.needs[i].single() != next.value || source.value_or(i) != i) return false;
        source = i;
      }
      return source.has_value();
    });
  });
}

void SetWriter::write_steps(const Rounds& rounds, const std::string& set) {
  std::vector<std::uint64_t> table;
  std::size_t source = 0;
  for (const std::vector<NextValue>& of_value : rounds) {
    Bits to(words_ * 64);
    for (const NextValue& next : of_value) {
      to.set(next.value);
      while (next.needs[source].none()) ++source;
    }
    std::vector<std::uint64_t> words = to.to_words();
    words.resize(words_);
    table.insert(table.end(), words.begin(), words.end());
  }
  const std::string name = shared_.number_table(table, {rounds.size(), words_}, "std::uint64_t", "next");
  const std::string x = expressions_.fresh("x");
  scope_.text.line(fmt::format("each_cell({0}, [&](unsigned {1}) {{ {2} = {2} | cells_of<{3}>({4}[{1}]); }});", set, x,
                               next_, words_, name));
  scope_.text.line(fmt::format("{0} = {0} & {1};", next_, sources_[source]));
}

void SetWriter::write_round(const Rounds& rounds, const std::string& set, const std::string& have) {
  const RoundTables tables = round_tables(rounds, sources_.size(), words_);
  const std::string x = expressions_.fresh("x");
  const std::string ways = expressions_.fresh("ways");
  scope_.text.open(fmt::format("each_cell({}, [&](unsigned {}) {{", set, x));
  scope_.text.line(fmt::format("unsigned {} = possible_targets({}[{}], {}, 0) & {}[{}];", ways, tables.needs, x, have,
                               tables.valid, x));
  scope_.text.line(fmt::format("for (; {0} != 0; {0} &= {0} - 1) add_cell({1}, {2}[{3}][lowest_bit({0})]);", ways,
                               next_, tables.to, x));
  scope_.text.close("});");
}

std::string SetWriter::cells(const Bits& set) const {
  std::vector<std::uint64_t> words = set.to_words();
  words.resize(words_);
  std::string text;
  for (const std::uint64_t word : words) text += fmt::format("{}0x{:x}u", text.empty() ? "" : ", ", word);
  return fmt::format("Cells<{}>{{{{{}}}}}", words_, text);
}

// Bit x of the result is bit x + delta of the set, or the bit of a cell.
std::string SetWriter::moved(const Shifted& by, const std::string& set) {
  if (const auto cell = sole_cell(by); cell && by.where.count() > 1)
    return fmt::format("everywhere({}, {})", set, *cell);
  if (by.cell.empty()) return by.delta != 0 ? fmt::format("shifted<{}>({})", by.delta, set) : set;
  const std::vector<std::uint64_t> from(by.cell.begin(), by.cell.end());
  return fmt::format("gathered({}, {})", set, shared_.number_table(from, {from.size()}, "std::uint8_t", "from"));
}

// An expression that says, for the possible values, whether the condition holds.
std::string SetWriter::condition(const SetCondition& condition, const Bits& possible) {
  std::string text;
  for (const Shifted& asked : condition.asked) {
    const std::string part = moved(asked, sources_[asked.source]);
    const bool whole = asked.where.contains(possible);
    text += (text.empty() ? "" : " | ") + (whole ? part : fmt::format("({} & {})", part, cells(asked.where)));
  }
  if (condition.sure.any()) text += (text.empty() ? "" : " | ") + cells(condition.sure);
  return text;
}

// `set` has the values that come here; `found` those for which the check holds that is asked, or is empty.
void SetWriter::write_items(const std::vector<SetItem>& items, const std::string& set, const std::string& found) {
  for (const SetItem& item : items) {
    if (item.step != nullptr && item.kind != SetItem::Kind::moves) comment_step(*item.step);
    switch (item.kind) {
      case SetItem::Kind::narrow:
        write_narrow(item, set, found);
        break;
      case SetItem::Kind::when:
        scope_.text.open("if (" + (item.split ? Code(split_condition(item)) : expressions_.condition(*item.step)) +
                         ") {");
        write_items(item.inside, set, found);
        scope_.text.close();
        break;
      case SetItem::Kind::check:
        write_check(item, set, found);
        break;
      case SetItem::Kind::moves:
        write_moves(item, set);
        break;
      case SetItem::Kind::scalarize:
        write_each(item, set);
        break;
      case SetItem::Kind::check_deferrable:
        write_asked(item, set, found);
        break;
      case SetItem::Kind::loop_back:
        for (const Shifted& image : item.images) {
          const std::string from = fmt::format("({} & {})", set, cells(image.where));
          scope_.text.line(fmt::format("{0} = {0} | {1};", next_, moved(image, from)));
        }
        break;
      case SetItem::Kind::goal:
        if (found.empty()) {
          scope_.text.open("if (" + set + ".any()) {");
          if (!witness_.empty())
            scope_.text.line(witness_ + fmt::format(" = static_cast<std::uint16_t>(first_cell({}));", set));
          success_();
          scope_.text.close();
        } else {
          scope_.text.line(fmt::format("{0} = {0} | {1};", found, set));
        }
        break;
    }
  }
}

std::string SetWriter::split_condition(const SetItem& item) {
  const std::uint32_t universe = model_.variable_shape(item.split->first).leaf;
  return fmt::format("{} == {}", expressions_.variable(item.split->first),
                     shared_.enumerator(universe, item.split->second));
}

void SetWriter::write_narrow(const SetItem& item, const std::string& set, const std::string& found) {
  std::string text;
  for (const SetCondition& one : item.conditions) text += (text.empty() ? "" : " | ") + condition(one, item.possible);
  const std::string name = expressions_.fresh("ways");
  const bool plain = !next_.empty() ? comes_back(item.inside) : needs_no_branch(item.inside, words_);
  scope_.text.open("{");
  scope_.text.line(fmt::format("const auto {} = {} & ({});", name, set, text));
  if (!plain) scope_.text.open(fmt::format("if ({}.any()) {{", name));
  write_items(item.inside, name, found);
  if (!plain) scope_.text.close();
  scope_.text.close();
}

void SetWriter::write_check(const SetItem& item, const std::string& set, const std::string& found) {
  const std::string holds = expressions_.fresh("holds");
  const std::string name = expressions_.fresh("ways");
  scope_.text.open("{");
  if (item.full) {
    const std::vector<std::uint64_t>& sets = item.full->sets;
    scope_.text.line(fmt::format("const auto {} = nearly_full({}, {}, 0x{:x}u);", holds,
                                 shared_.number_table(sets, {sets.size()}, "std::uint64_t", "sets"),
                                 sources_[item.full->source], item.full->own));
  } else {
    scope_.text.line(fmt::format("Cells<{}> {};", words_, holds));
    write_items(item.check, set, holds);
  }
  scope_.text.line(fmt::format("const auto {} = {} & {}{};", name, set, item.negated ? "~" : "", holds));
  const bool plain = !next_.empty() ? comes_back(item.inside) : needs_no_branch(item.inside, words_);
  if (!plain) scope_.text.open(fmt::format("if ({}.any()) {{", name));
  write_items(item.inside, name, found);
  if (!plain) scope_.text.close();
  scope_.text.close();
}

// The tags that were passed before, and those that do not depend on the value.
std::string SetWriter::packed_base(const SetItem& item, std::uint32_t count) {
  std::string base = shared_.layout.packed ? scope_.moved : fmt::format("c.passed({})", count);
  for (std::uint32_t i = 0; i < item.tags.size(); ++i) {
    const VarId outer = item.tags[i].outer;
    if (!outer.valid()) continue;
    const std::string tag = expressions_.encode(model_.variable_shape(outer).leaf, expressions_.variable(outer));
    base += fmt::format(" | with_tag({}, {})", tag, count + i);
  }
  return base;
}

void SetWriter::write_moves(const SetItem& item, const std::string& set) {
  const std::uint32_t bits = shared_.layout.bits_in_word();
  const auto fits = [&](std::size_t count) {
    return ((shared_.layout.wide ? 0 : count) + item.tags.size()) * bits <= 64;
  };
  const std::optional<std::uint32_t> known = scope_.count.known;
  if (shared_.words() && known && fits(*known)) return write_moves(item, set, *known);
  const Bits counts = choice_ && shared_.words() && !known ? plan_.tag_counts(*choice_) : Bits();
  if (counts.none() || counts.count() > kCosts.tag_counts || !std::ranges::all_of(counts, fits)) {
    write_singly(item, set);
    return;
  }
  scope_.text.open(fmt::format("switch ({}) {{", scope_.count.text));
  for (const std::size_t count : counts) {
    scope_.text.open(fmt::format("case {}:", count));
    write_moves(item, set, static_cast<std::uint32_t>(count));
    scope_.text.line("break;");
    scope_.text.close("");
  }
  scope_.text.line("default: break;");
  scope_.text.close();
}

// When so many tags were passed before.
void SetWriter::write_moves(const SetItem& item, const std::string& set, std::uint32_t count) {
  const std::uint32_t bits = shared_.layout.bits_in_word();
  // Of wide moves the table has the tags behind those that were passed.
  const bool wide = shared_.layout.wide;
  const std::uint32_t before = wide ? 0 : count;
  std::vector<std::uint64_t> table(item.possible.words() * 64, 0);
  for (const std::size_t x : item.possible) {
    for (std::uint32_t i = 0; i < item.tags.size(); ++i) {
      if (!item.tags[i].outer.valid()) table[x] |= std::uint64_t{item.tags[i].tags[x]} << ((before + i) * bits);
    }
  }
  ++shared_.set_ends;
  // Few moves are written one by one.
  const Line line = item.possible.count() <= kCosts.few_moves ? Line() : line_through(table, item.possible);
  comment_step(*item.step);
  scope_.text.line(fmt::format("out = add_set<0x{:x}u, 0x{:x}u, {}>(c, out, {}, {}, {});", line.scale, line.offset,
                               wide ? count * bits : 0, packed_base(item, count),
                               shared_.number_table(table, {table.size()}, "std::uint64_t", "shown"), set));
}

// From here on one value after the other is followed, as if there had been an ordinary loop.
void SetWriter::write_each(const SetItem& item, const std::string& set) {
  const std::size_t words = words_;
  const std::vector<std::string> sources = sources_;
  const std::string x = expressions_.fresh("x");
  if (item.most_deferred > 0) {
    write_values(*choice_, x, words_, WordCode(set + ".words[", "]"), [&] {
      write_value(item, x);
      return item.most_deferred;
    });
  } else {
    const std::string word = expressions_.fresh("word");
    const std::string mask = expressions_.fresh("mask");
    scope_.text.open(fmt::format("for (unsigned {0} = 0; {0} < {1}; ++{0}) {{", word, words_));
    scope_.text.open(
        fmt::format("for (std::uint64_t {0} = {1}.words[{2}]; {0} != 0; {0} &= {0} - 1) {{", mask, set, word));
    scope_.text.line(fmt::format("const unsigned {} = 64 * {} + lowest_bit({});", x, word, mask));
    write_value(item, x);
    scope_.text.close();
    scope_.text.close();
  }
  words_ = words;
  sources_ = sources;
}

// Where moves are drawn, it is asked only for the value that is drawn, if that is much less.
void SetWriter::write_asked(const SetItem& item, const std::string& set, const std::string& found) {
  if (item.most_deferred == 0) return write_items(item.inside, set, found);
  const std::size_t words = words_;
  const std::vector<std::string> sources = sources_;
  const std::string x = expressions_.fresh("x");
  scope_.text.open("if constexpr (decltype(out)::kCandidates) {");
  write_values(*choice_, x, words_, WordCode(set + ".words[", "]"), [&] {
    write_value(item, x);
    return item.most_deferred;
  });
  words_ = words;
  sources_ = sources;
  scope_.text.close("} else {");
  scope_.text.set_indent(scope_.text.indent() + 1);
  write_items(item.inside, set, found);
  scope_.text.close();
}

// What follows for one value.
void SetWriter::write_value(const SetItem& item, const std::string& x) {
  const std::vector<LocalValue> env = scope_.env;
  const std::string moved = scope_.moved;
  const TagCount count = scope_.count;
  for (const auto& [v, codes] : item.way->values) {
    if (!context_.live_at(item.node).test(v)) continue;
    const std::uint32_t universe = model_.variable_shape(VarId(v)).leaf;
    const std::string name = expressions_.fresh(model_.identifiers[v]);
    scope_.text.line(fmt::format("const unsigned {} = {};", name, of_value(codes, item.possible, universe, x)));
    scope_.env[v] = name;
  }
  add_tags(item, x);
  const bool may_duplicate = scope_.may_duplicate;
  const std::optional<std::uint32_t> choice = std::exchange(choice_, std::nullopt);
  scope_.may_duplicate = item.way->may_duplicate;
  write_way(item, x, 0);
  scope_.may_duplicate = may_duplicate;
  choice_ = choice;
  scope_.env = env;
  scope_.moved = moved;
  scope_.count = count;
}

// Tags behind those that were passed: the packed tags with them, or lines that add them.
std::string SetWriter::pass_tags(const std::vector<SetTag>& tags, const std::string& x) {
  std::string bits = scope_.moved;
  for (std::uint32_t i = 0; i < tags.size(); ++i) {
    std::string tag;
    if (const VarId outer = tags[i].outer; outer.valid()) {
      tag = expressions_.encode(model_.variable_shape(outer).leaf, expressions_.variable(outer));
    } else {
      const std::vector<std::uint64_t> numbers(tags[i].tags.begin(), tags[i].tags.end());
      tag = shared_.number_table(numbers, {numbers.size()}, "std::uint16_t", "shown") + "[" + x + "]";
    }
    if (shared_.layout.packed)
      bits += fmt::format(" | with_tag({}, {} + {})", tag, scope_.count.text, i);
    else
      scope_.text.line(fmt::format("c.add_tag({} + {}, {});", scope_.count.text, i, tag));
  }
  return bits;
}

void SetWriter::add_tags(const SetItem& item, const std::string& x) {
  const std::string bits = pass_tags(item.way->tags, x);
  if (item.way->tags.empty()) return;
  if (shared_.layout.packed) {
    const std::string name = expressions_.fresh("moved");
    scope_.text.line(fmt::format("const Packed {} = {};", name, bits));
    scope_.moved = name;
  }
  if (context_.tags_static(item.node)) {
    scope_.count = TagCount(context_.at(item.node).tags_max);
  } else {
    const std::string name = expressions_.fresh("count");
    scope_.text.line(fmt::format("const unsigned {} = {} + {};", name, scope_.count.text, item.way->tags.size()));
    scope_.count = name;
  }
}

// The cells that the walk has written, then what follows.
void SetWriter::write_way(const SetItem& item, const std::string& x, std::size_t done) {
  if (done == item.way->writes.size()) {
    enter_(item.node);
    return;
  }
  const SetWay::Write& write = item.way->writes[done];
  const ArrayShape& shape = model_.variable_shape(write.map);
  const std::string place = fmt::format("s.{}[{}]", model_.identifiers[write.map.value],
                                        of_value(write.cell, item.possible, shape.keys[0], x));
  const std::string value =
      write.value ? of_value(*write.value, item.possible, shape.leaf, x) : expressions_.value(write.outer, shape.leaf);
  scope_.text.open("{");
  const WrittenCell cell = write_cell(place, value);
  scope_.undo.push_back(cell.undo);
  note_write(item.node, cell.name);
  write_way(item, x, done + 1);
  forget_write(item.node);
  scope_.text.line(scope_.undo.back());
  scope_.undo.pop_back();
  scope_.text.close();
}

// One move after the other, where they are no 64 bits.
void SetWriter::write_singly(const SetItem& item, const std::string& set) {
  const std::string x = expressions_.fresh("x");
  if (item.most_deferred > 0) {
    write_values(*choice_, x, words_, WordCode(set + ".words[", "]"), [&] {
      write_move(item, x);
      return item.most_deferred;
    });
    return;
  }
  scope_.text.open(fmt::format("each_cell({}, [&](unsigned {}) {{", set, x));
  write_move(item, x);
  scope_.text.close("});");
}

void SetWriter::write_move(const SetItem& item, const std::string& x) {
  const std::string bits = pass_tags(item.tags, x);
  comment_step(*item.step);
  scope_.text.line(shared_.layout.packed
                       ? fmt::format("out = add_move(c, out, {});", bits)
                       : fmt::format("out = add_move(c, out, {} + {});", scope_.count.text, item.tags.size()));
}

}  // namespace rgtrans::cpp
