// Writes walks that are followed by sets; see sets.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

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

static std::string cells_text(std::span<const std::uint64_t> words) {
  std::string text;
  for (const std::uint64_t word : words) text += fmt::format("{}0x{:x}u", text.empty() ? "" : ", ", word);
  return fmt::format("Cells<{}>{{{{{}}}}}", words.size(), text);
}

std::string cells_text(const Bits& set, std::size_t words) {
  std::vector<std::uint64_t> numbers = set.to_words();
  numbers.resize(words);
  return cells_text(numbers);
}

namespace {

class SetWriter : CodeWriter {
 public:
  using CodeWriter::CodeWriter;
  void write(const SetChoice& choice) {
    words_ = choice.walks.words;
    choice_ = choice.any;
    if (choice.walks.lists) shared_.lists_sets = true;
    witness_ = choice.remembers ? write_witness(at_, choice.walks, choice.all) : Code();
    open("{");
    sources_ = write_masks(choice.walks.sources, words_);
    const std::string set = fresh("all");
    line("const auto {} = {};", set, cells(choice.all));
    write_items(choice.walks.items, set, "");
    close();
    witness_ = Code();
  }

  // What is done with a set where a cycle goes round by round.
  void write(const SetNames& names, const std::vector<SetItem>& items, const std::string& set) {
    words_ = names.words;
    sources_ = names.sources;
    next_ = names.next;
    write_items(items, set, "");
  }

  std::string cells(const Bits& set) const { return cells_text(set, words_); }

  // Bit x of the result is bit x + delta of the set, or the bit of a cell.
  std::string moved(const Shifted& by, const std::string& set) {
    if (const auto cell = sole_cell(by); cell && by.where.count() > 1)
      return fmt::format("everywhere({}, {})", set, *cell);
    if (by.cell.empty()) return by.delta != 0 ? fmt::format("shifted<{}>({})", by.delta, set) : set;
    return fmt::format("gathered({}, {})", set, shared_.number_list(by.cell, "std::uint8_t", "from"));
  }

  // An expression that says, for the possible values, whether the condition holds.
  std::string condition(const SetCondition& condition, const Bits& possible) {
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
  void write_items(const std::vector<SetItem>& items, const std::string& set, const std::string& found) {
    for (const SetItem& item : items) {
      if (item.step != nullptr && item.kind != SetItem::Kind::moves) comment_step(*item.step);
      switch (item.kind) {
        case SetItem::Kind::narrow:
          write_narrow(item, set, found);
          break;
        case SetItem::Kind::when:
          block("if (" + (item.split ? Code(split_condition(item)) : expressions_.condition(*item.step)) + ") {",
                [&] { write_items(item.inside, set, found); });
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
        case SetItem::Kind::lanes:
          write_lanes(item, set, found);
          break;
        case SetItem::Kind::loop_back:
          for (const Shifted& image : item.images) {
            const std::string from = fmt::format("({} & {})", set, cells(image.where));
            line("{0} = {0} | {1};", next_, moved(image, from));
          }
          break;
        case SetItem::Kind::goal:
          write_goal(set, found);
          break;
      }
    }
  }

  void write_goal(const std::string& set, const std::string& found) {
    if (!found.empty()) return line("{0} = {0} | {1};", found, set);
    open("if (" + set + ".any()) {");
    if (!witness_.empty()) line(witness_ + fmt::format(" = static_cast<std::uint16_t>(first_cell({}));", set));
    at_.success();
    close();
  }

  void write_lanes(const SetItem& item, const std::string& set, const std::string& found) {
    const std::string lanes = fresh("lanes");
    const std::string reached = fresh("reached");
    open("{");
    line("const Cells<8> {} = in_lanes({});", lanes, set);
    line("Cells<8> {};", reached);
    write_lanes(item.lanes, lanes, reached);
    write_goal(fmt::format("of_lanes({})", reached), found);
    close();
  }

  void write_lanes(const std::vector<LaneItem>& items, const std::string& set, const std::string& reached) {
    for (const LaneItem& item : items) {
      const auto numbers = [&](auto&& of_lane) {
        std::array<std::uint64_t, 8> words{};
        std::ranges::transform(item.lanes, words.begin(), of_lane);
        return cells_text(words);
      };
      const auto up = [](const LaneItem::Lane& lane) {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(lane.delta, 0));
      };
      const auto down = [](const LaneItem::Lane& lane) {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(-lane.delta, 0));
      };
      const std::string name = fresh("ways");
      comment_step(*item.step);
      open("{");
      std::string holds = fmt::format("moved_lanes(in_lanes({}), {}, {}) & {}", sources_[item.source], numbers(up),
                                      numbers(down), numbers(&LaneItem::Lane::where));
      if (std::ranges::any_of(item.lanes, &LaneItem::Lane::sure))
        holds = fmt::format("({} | {})", holds, numbers(&LaneItem::Lane::sure));
      line("const Cells<8> {} = {} & {};", name, set, holds);
      const auto goal = [](const LaneItem::Lane& lane) { return lane.goal ? ~std::uint64_t{0} : 0; };
      const auto ends = [](const LaneItem::Lane& lane) { return lane.goal || (lane.where | lane.sure) == 0; };
      if (std::ranges::all_of(item.lanes, ends))
        line("{0} = {0} | {1};", reached, name);
      else if (std::ranges::any_of(item.lanes, &LaneItem::Lane::goal))
        line("{0} = {0} | ({1} & {2});", reached, name, numbers(goal));
      write_lanes(item.inside, name, reached);
      close();
    }
  }

  void write_narrow(const SetItem& item, const std::string& set, const std::string& found) {
    std::string text;
    for (const SetCondition& one : item.conditions) text += (text.empty() ? "" : " | ") + condition(one, item.possible);
    const std::string name = fresh("ways");
    open("{");
    line("const auto {} = {} & ({});", name, set, text);
    write_inside(item, name, found);
  }

  // What follows the item, for those of this name, which go on there; then the end of a block.
  void write_inside(const SetItem& item, const std::string& name, const std::string& found) {
    const bool plain = !next_.empty() ? comes_back(item.inside) : needs_no_branch(item.inside, words_);
    if (!plain) open("if ({}.any()) {{", name);
    write_items(item.inside, name, found);
    if (!plain) close();
    close();
  }

  void write_check(const SetItem& item, const std::string& set, const std::string& found) {
    const std::string holds = fresh("holds");
    const std::string name = fresh("ways");
    open("{");
    if (item.full) {
      line("const auto {} = nearly_full({}, {}, 0x{:x}u);", holds,
           shared_.number_list(item.full->sets, "std::uint64_t", "sets"), sources_[item.full->source], item.full->own);
    } else {
      line("Cells<{}> {};", words_, holds);
      write_items(item.check, set, holds);
    }
    line("const auto {} = {} & {}{};", name, set, item.negated ? "~" : "", holds);
    write_inside(item, name, found);
  }

  // The tags that were passed before, and those that do not depend on the value.
  std::string packed_base(const SetItem& item, std::uint32_t count) {
    std::string base = shared_.layout.packed ? scope_.moved : fmt::format("c.passed({})", count);
    for (std::uint32_t i = 0; i < item.tags.size(); ++i) {
      const VarId outer = item.tags[i].outer;
      if (!outer.valid()) continue;
      base += fmt::format(" | with_tag({}, {})", tag_of(outer), count + i);
    }
    return base;
  }

  void write_moves(const SetItem& item, const std::string& set) {
    const std::uint32_t bits = shared_.layout.bits_in_word();
    const auto fits = [&](std::size_t count) {
      return ((shared_.layout.wide ? 0 : count) + item.tags.size()) * bits <= 64;
    };
    const std::optional<std::uint32_t> known = scope_.count.known;
    if (shared_.words() && known && fits(*known)) return write_moves(item, set, *known);
    const Bits counts = choice_ != nullptr && shared_.words() && !known ? plan_.tag_counts(choice_->to) : Bits();
    if (counts.none() || counts.count() > kCosts.tag_counts || !std::ranges::all_of(counts, fits))
      return write_singly(item, set);
    open("switch ({}) {{", scope_.count.text);
    for (const std::size_t count : counts) {
      open("case {}:", count);
      write_moves(item, set, static_cast<std::uint32_t>(count));
      line("break;");
      close("");
    }
    line("default: break;");
    close();
  }

  // When so many tags were passed before.
  void write_moves(const SetItem& item, const std::string& set, std::uint32_t count) {
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
    const Line through = item.possible.count() <= kCosts.few_moves ? Line() : line_through(table, item.possible);
    comment_step(*item.step);
    line("out = add_set<0x{:x}u, 0x{:x}u, {}>(c, out, {}, {}, {});", through.scale, through.offset,
         wide ? count * bits : 0, packed_base(item, count), shared_.number_list(table, "std::uint64_t", "shown"), set);
  }

  // From here on one value after the other is followed, as if there had been an ordinary loop.
  void write_each(const SetItem& item, const std::string& set) {
    const std::string x = fresh("x");
    if (item.most_deferred > 0) return write_deferred(item, set, x, [&] { write_value(item, x); });
    const std::string word = fresh("word");
    const std::string mask = fresh("mask");
    open("for (unsigned {0} = 0; {0} < {1}; ++{0}) {{", word, words_);
    open("for (std::uint64_t {0} = {1}.words[{2}]; {0} != 0; {0} &= {0} - 1) {{", mask, set, word);
    line("const unsigned {} = 64 * {} + lowest_bit({});", x, word, mask);
    write_value(item, x);
    close();
    close();
  }

  // Where moves are drawn, the values wait for what body() writes for one of them.
  template <class Body>
  void write_deferred(const SetItem& item, const std::string& set, const std::string& x, Body&& body) {
    write_values({*choice_, x, words_, WordCode(set + ".words[", "]")}, [&] {
      body();
      return item.most_deferred;
    });
  }

  // Where moves are drawn, it is asked only for the value that is drawn, if that is much less.
  void write_asked(const SetItem& item, const std::string& set, const std::string& found) {
    if (item.most_deferred == 0) return write_items(item.inside, set, found);
    const std::string x = fresh("x");
    write_sampled([&] { write_deferred(item, set, x, [&] { write_value(item, x); }); },
                  [&] { write_items(item.inside, set, found); });
  }

  // What follows for one value.
  void write_value(const SetItem& item, const std::string& x) {
    const Restored restored(scope_.env, scope_.moved, scope_.count, scope_.may_duplicate);
    // What the walk shows and writes of variables that were set before is read before it sets them.
    add_tags(item, x);
    std::vector<std::string> written;
    for (const SetWay::Write& write : item.way->writes) {
      const std::uint32_t leaf = model_.variable_shape(write.map).leaf;
      written.push_back(write.value ? of_value(*write.value, item.possible, leaf, x)
                                    : expressions_.value(write.outer, leaf));
    }
    for (const auto& [v, codes] : item.way->values) {
      if (!context_.live_at(item.node).test(v)) continue;
      const std::uint32_t universe = model_.variable_shape(VarId(v)).leaf;
      scope_.env[v] = define("unsigned", model_.identifiers[v], of_value(codes, item.possible, universe, x));
    }
    scope_.may_duplicate = item.way->may_duplicate;
    write_way(item, x, written, 0);
  }

  // Tags behind those that were passed: the packed tags with them, or lines that add them.
  std::string pass_tags(const std::vector<SetTag>& tags, const std::string& x) {
    std::string bits = scope_.moved;
    for (std::uint32_t i = 0; i < tags.size(); ++i) {
      const std::string tag = tags[i].outer.valid()
                                  ? tag_of(tags[i].outer)
                                  : shared_.number_list(tags[i].tags, "std::uint16_t", "shown") + "[" + x + "]";
      if (shared_.layout.packed)
        bits += fmt::format(" | with_tag({}, {} + {})", tag, scope_.count.text, i);
      else
        line("c.add_tag({} + {}, {});", scope_.count.text, i, tag);
    }
    return bits;
  }

  void add_tags(const SetItem& item, const std::string& x) {
    const std::string bits = pass_tags(item.way->tags, x);
    if (item.way->tags.empty()) return;
    if (shared_.layout.packed) scope_.moved = define("Packed", "moved", bits);
    scope_.count =
        context_.tags_static(item.node)
            ? TagCount(context_.at(item.node).tags_max)
            : TagCount(define("unsigned", "count", fmt::format("{} + {}", scope_.count.text, item.way->tags.size())));
  }

  // The cells that the walk has written, then what follows.
  void write_way(const SetItem& item, const std::string& x, const std::vector<std::string>& written, std::size_t done) {
    if (done == item.way->writes.size()) return at_.enter(item.node);
    open("{");
    const WrittenCell cell =
        write_cell(item.way->writes[done].map, place_of(item.way->writes[done], item.possible, x), written[done]);
    scope_.undo.push_back(cell.undo);
    note_write(item.node, cell.name);
    write_way(item, x, written, done + 1);
    forget_write(item.node);
    line(scope_.undo.back());
    scope_.undo.pop_back();
    close();
  }

  // One move after the other, where they are no 64 bits.
  void write_singly(const SetItem& item, const std::string& set) {
    const std::string x = fresh("x");
    if (item.most_deferred > 0) return write_deferred(item, set, x, [&] { write_move(item, x); });
    open("each_cell({}, [&](unsigned {}) {{", set, x);
    write_move(item, x);
    close("});");
  }

  void write_move(const SetItem& item, const std::string& x) {
    const std::string bits = pass_tags(item.tags, x);
    comment_step(*item.step);
    line(shared_.layout.packed ? fmt::format("out = add_move(c, out, {});", bits)
                               : fmt::format("out = add_move(c, out, {} + {});", scope_.count.text, item.tags.size()));
  }

 private:
  std::size_t words_ = 1;             // of sets, where something is being written
  const Step* choice_ = nullptr;      // the sets have its values
  std::string next_;                  // what is reached by one more round
  Code witness_;                      // where a value is kept for which a check holds
  std::vector<std::string> sources_;  // names
};

}  // namespace

void write_sets(Workplace& at, const SetChoice& choice) { SetWriter(at).write(choice); }

void write_items(Workplace& at, const SetNames& names, const std::vector<SetItem>& items, const std::string& set) {
  SetWriter(at).write(names, items, set);
}

}  // namespace rgtrans::cpp
