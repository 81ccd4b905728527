// What sets ask about all values of a choice (sets.hpp) is asked about one of them. That costs a look at one cell, not
// at a board that was just written to, for which a processor waits.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

namespace {

bool is_end(const SetItem& item) { return item.kind == SetItem::Kind::moves || item.kind == SetItem::Kind::goal; }

// Of a table of words.
std::string bit(const std::string& words, const std::string& x) {
  return fmt::format("({0}[{1} / 64] >> ({1} % 64) & 1u) != 0", words, x);
}

}  // namespace

bool GuessWriter::pays(const SetWalks& walks) const {
  if (walks.words < 2 || walks.items.size() != 1) return false;
  const SetItem& item = walks.items[0];
  return item.kind == SetItem::Kind::narrow && item.conditions.size() == 1 && item.conditions[0].asked.size() == 1 &&
         item.inside.size() == 1 && is_end(item.inside[0]) && holds_mostly(walks, item.conditions[0].asked[0]);
}

// At first, for half of the values or more.
bool GuessWriter::holds_mostly(const SetWalks& walks, const Shifted& asked) const {
  const CellSource& source = walks.sources[asked.source];
  const auto& e = model_.game.expressions();
  if (source.kind != CellSource::Kind::contents || e.kind(source.board) != ir::ExprKind::variable) return false;
  const VarId board = e.variable(source.board);
  std::size_t holding = 0;
  for (const std::size_t x : asked.where) holding += source.holds(model_.initial_code(board, asked.cell_of(x))) ? 1 : 0;
  return 2 * holding >= asked.where.count();
}

bool GuessWriter::may_ask_one(const std::vector<SetItem>& items) {
  return std::ranges::all_of(items, [](const SetItem& item) {
    const bool asks = item.kind == SetItem::Kind::narrow || item.kind == SetItem::Kind::when;
    return is_end(item) || (asks && may_ask_one(item.inside));
  });
}

// Whether the value is one of a set.
std::string GuessWriter::member(const Bits& set, const std::string& x) {
  const std::vector<std::uint64_t> words = set.to_words();
  std::size_t last = 0;
  for (const std::size_t i : set) last = i;
  if (last < 64) return fmt::format("(0x{:x}u >> {} & 1u) != 0", words[0], x);
  return bit(shared_.number_table(words, {words.size()}, "std::uint64_t", "values"), x);
}

// Whether one cell holds what a source asks for.
std::string GuessWriter::holds(const CellSource& source, const std::string& cell) {
  const auto& e = model_.game.expressions();
  if (source.kind == CellSource::Kind::table) return bit(source_row(source), cell);
  const std::uint32_t leaf = model_.variable_shape(e.variable(e.root(source.board))).leaf;
  const std::string content = fmt::format("{}[{}]", expressions_.value(source.board, leaf), cell);
  if (source.kind == CellSource::Kind::kinds) return fmt::format("{}[{}] != 0", source_row(source), content);
  if (source.kind == CellSource::Kind::expression)
    return fmt::format("{} {} {}", content, source.negated ? "!=" : "==", expressions_.value(source.expression, leaf));
  std::string text;
  for (const std::uint32_t code : source.codes) {
    text += fmt::format("{}{} {} {}",
                        text.empty()     ? ""
                        : source.negated ? " && "
                                         : " || ",
                        content, source.negated ? "!=" : "==", shared_.enumerator(leaf, code));
  }
  return source.codes.size() > 1 ? "(" + text + ")" : text;
}

// Whether one of the conditions holds for the value, which is one of the possible ones.
std::string GuessWriter::condition(const SetWalks& walks, const std::vector<SetCondition>& conditions,
                                   const Bits& possible, const std::string& x) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " || ") + part; };
  for (const SetCondition& one : conditions) {
    if (one.sure.contains(possible)) return "true";
    if (one.sure.intersects(possible)) add(member(one.sure, x));
    for (const Shifted& asked : one.asked) {
      if (!asked.where.intersects(possible)) continue;
      std::string cell =
          asked.delta == 0 ? x : fmt::format("{} {} {}u", x, asked.delta < 0 ? '-' : '+', std::abs(asked.delta));
      if (!asked.cell.empty()) {
        const std::vector<std::uint64_t> from(asked.cell.begin(), asked.cell.end());
        const char* const type = std::ranges::max(from) < 256 ? "std::uint8_t" : "std::uint16_t";
        cell = fmt::format("{}[{}]", shared_.number_table(from, {from.size()}, type, "from"), x);
      }
      const std::string content = holds(walks.sources[asked.source], cell);
      add(asked.where.contains(possible) ? content : fmt::format("({} && {})", member(asked.where, x), content));
    }
  }
  return text.empty() ? "false" : text;
}

void GuessWriter::write_items(const SetWalks& walks, const std::vector<SetItem>& items, const std::string& x) {
  for (const SetItem& item : items) {
    if (is_end(item)) {
      success_();
      return;
    }
    scope_.text.open("if (" + item_condition(walks, item, item.possible, x) + ") {");
    write_items(walks, item.inside, x);
    scope_.text.close();
  }
}

Code GuessWriter::item_condition(const SetWalks& walks, const SetItem& item, const Bits& possible,
                                 const std::string& x) {
  if (item.kind == SetItem::Kind::narrow) return condition(walks, item.conditions, possible, x);
  if (!item.split) return expressions_.condition(*item.step);
  const std::uint32_t universe = model_.variable_shape(item.split->first).leaf;
  return fmt::format("{} == {}", expressions_.variable(item.split->first),
                     shared_.enumerator(universe, item.split->second));
}

Code GuessWriter::write_witness(const SetWalks& walks, const Bits& all) {
  const Code field = "c." + shared_.functions.add_field({"std::uint16_t", shared_.unique("witness")}) + "[0]";
  const std::string x = expressions_.fresh("x");
  scope_.text.comment("What held last time may well hold again.");
  scope_.text.open("{");
  scope_.text.line("const unsigned " + x + " = " + field +
                   (all.test(0) ? Code() : " != 0 ? " + field + fmt::format(" : {}u", *all.first())) + ";");
  write_items(walks, walks.items, x);
  scope_.text.close();
  return field;
}

// --- Moves that are picked before it is asked whether there are such. ---

std::shared_ptr<const GuessWriter::Guesses> GuessWriter::choose(std::uint32_t node) {
  auto result = std::make_shared<Guesses>();
  if (!collect(node, {}, *result) || result->guesses.empty() || result->guesses.size() > kEfforts.guessed_sets)
    return nullptr;
  return result;
}

void GuessWriter::write(const Guesses& all, Text& text) {
  for (std::uint32_t v = 0; v < scope_.env.size(); ++v)
    scope_.env[v] = facts_.state.test(v) && model_.scalar(VarId(v)) ? "s." + model_.identifiers[v] : std::string();
  scope_.locals.clear();
  for (const char* name : {"move", "number"}) scope_.locals[name] = 1;
  scope_.text = Text();
  scope_.text.set_indent(text.indent());
  const std::vector<Guess>& guesses = all.guesses;
  scope_.text.line(fmt::format("choices = {};", all.total));
  scope_.text.line(
      fmt::format("{}unsigned number = random.uniform({});", guesses.size() > 1 ? "" : "const ", all.total));
  for (std::size_t i = 0; i < guesses.size(); ++i) write_guess(guesses[i], i + 1 == guesses.size());
  text.add(std::exchange(scope_.text, Text()));
}

bool GuessWriter::collect(std::uint32_t node, const std::vector<SetTag>& tags, Guesses& into) {
  if (!context_.contains(node)) return true;
  const CodeContext::Node& info = context_.at(node);
  if (context_.is_goal(node) || info.test || info.tag_cycle || tags.size() > kEfforts.guessed_tags) return false;
  return std::ranges::all_of(info.out, [&](std::uint32_t s) {
    const Step& step = model_.steps[s];
    std::vector<SetTag> next = tags;
    switch (step.kind) {
      case Deed::nothing:
        break;
      case Deed::tag:
        next.push_back({Codes(1, model_.tag_of.at(step.symbol.value)), VarId()});
        break;
      case Deed::tag_variable:
        next.push_back({{}, step.variable});
        break;
      case Deed::assign_any:
        return facts_.assignment_live(context_, step) && collect_choice(step, tags, into);
      default:
        return false;
    }
    return collect(step.to, next, into);
  });
}

bool GuessWriter::collect_choice(const Step& any, const std::vector<SetTag>& tags, Guesses& into) {
  WalkBounds bounds;
  bounds.for_single_value = true;
  auto walks = find_set_walks(model_, facts_, context_, any, std::move(bounds));
  if (!walks || !may_ask_one(walks->items)) return false;
  const auto& kept = into.walks.emplace_back(std::make_unique<SetWalks>(std::move(*walks)));
  std::vector<const SetItem*> way;
  return add_ends(*kept, kept->items, tags, way, into);
}

bool GuessWriter::add_ends(const SetWalks& walks, const std::vector<SetItem>& items, const std::vector<SetTag>& tags,
                           std::vector<const SetItem*>& way, Guesses& into) {
  for (const SetItem& item : items) {
    // A check needs the memory of an exploration, which is not at hand here.
    if (item.kind == SetItem::Kind::when && !item.split && item.step->kind == Deed::check) return false;
    way.push_back(&item);
    if (!is_end(item)) {
      if (!add_ends(walks, item.inside, tags, way, into)) return false;
    } else {
      Guess guess{&walks, way, tags};
      guess.way.pop_back();
      guess.count = static_cast<std::uint32_t>(item.possible.count());
      guess.end = &item;
      const std::size_t shown = (shared_.layout.wide ? 0 : tags.size()) + item.tags.size();
      if (item.kind != SetItem::Kind::moves || shown * shared_.layout.bits_in_word() > 64) return false;
      into.total += guess.count;
      into.guesses.push_back(std::move(guess));
    }
    way.pop_back();
  }
  return true;
}

// One of so many values: what is asked of it, and the move that it is then.
void GuessWriter::write_guess(const Guess& guess, bool last) {
  const SetItem& end = *guess.end;
  const std::uint32_t bits = shared_.layout.bits_in_word();
  const auto before = static_cast<std::uint32_t>(guess.tags.size());
  std::vector<std::uint64_t> values;
  std::vector<std::uint64_t> shown;
  std::string base = "0";
  const auto outer = [&](const SetTag& tag, std::uint32_t place) {
    base += fmt::format(" | with_tag({}, {})",
                        expressions_.encode(model_.variable_shape(tag.outer).leaf, expressions_.variable(tag.outer)),
                        place);
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
  if (!last) scope_.text.open(fmt::format("if (number < {}) {{", guess.count));
  const bool run = values.back() - values.front() + 1 == values.size();
  const std::string x = expressions_.fresh("x");
  scope_.text.line(
      fmt::format("const unsigned {} = {};", x,
                  run ? values.front() == 0 ? "number" : fmt::format("number + {}u", values.front())
                      : shared_.number_table(values, {values.size()}, "std::uint16_t", "values") + "[number]"));
  Code all;
  for (const SetItem* item : guess.way) {
    const Code holds = item_condition(*guess.walks, *item, end.possible, x);
    if (holds.text() == "true") continue;
    if (!all.empty()) all += " && ";
    all += "(" + holds + ")";
  }
  const std::string table = shared_.number_table(shown, {shown.size()}, "std::uint64_t", "shown");
  const std::string word =
      fmt::format("static_cast<Packed>({}[number]) << {}", table, shared_.layout.wide ? before * bits : 0);
  scope_.text.line(fmt::format("move.set(({}) + ({}));", base, word));
  scope_.text.line("return " + (all.empty() ? Code("true") : all) + ";");
  if (last) return;
  scope_.text.close();
  scope_.text.line(fmt::format("number -= {};", guess.count));
}

}  // namespace rgtrans::cpp
