// Loops over the members of a type. Conditions behind the choice are decided for 64 members at once where possible.
#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>

#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

namespace {
constexpr std::uint64_t kMostFilterWords = 32768;  // 64-bit words of a filter table
// Where sets of moves follow, they are counted sooner than one of more moves is picked that may not be there.
constexpr std::uint32_t kFewBehind = 8;
// So few cells are asked one after the other whether something stands on one of them: to read a whole board takes long
// where a cell of it has just been written.
constexpr std::size_t kFewAsked = 8;
}  // namespace

// Conditions behind `variable = T(*)` that can be decided for 64 values at once. `node` becomes the node where looking
// for them ended.
std::vector<LoopWriter::Filter> LoopWriter::find_filters(VarId variable, std::uint32_t& node,
                                                         std::set<std::uint32_t>& way) {
  constexpr int kLookahead = 12;
  std::vector<Filter> filters;
  for (int i = 0; i < kLookahead; ++i) {
    if (context_.is_goal(node) || plan_.own_function(node, scope_.excluded)) break;
    const std::vector<std::uint32_t>& out = context_.at(node).out;
    if (out.empty()) break;
    const Step& first = model_.steps[out[0]];
    bool one_target = true;
    bool compares = true;
    for (const std::uint32_t s : out) {
      one_target &= model_.steps[s].to == first.to;
      compares &= model_.steps[s].kind == Deed::compare;
    }
    if (!one_target || first.ends_move) break;
    if (compares) {
      if (std::string word = filter_word(variable, out); !word.empty()) filters.push_back({std::move(word), out});
    } else if (out.size() != 1 || is_assignment(first)) {
      break;
    }
    node = first.to;
    way.insert(node);
  }
  return filters;
}

std::string LoopWriter::filter_word(VarId variable, const std::vector<std::uint32_t>& steps) {
  if (!shared_.techniques.use(Technique::loops)) return {};
  const auto compares = [&](std::uint32_t s) { return model_.steps[s].kind == Deed::compare; };
  if (!std::all_of(steps.begin(), steps.end(), compares)) return {};
  const auto& e = model_.game.expressions();
  const ExprId x = model_.game.variable_ref(variable);
  // board[x] == anything that does not depend on x
  if (steps.size() == 1) {
    const Step& step = model_.steps[steps[0]];
    for (const auto& [l, r] : {std::pair(step.lhs, step.rhs), std::pair(step.rhs, step.lhs)}) {
      if (e.kind(l) != ExprKind::access || e.index(l) != x || model_.reads(r, variable)) continue;
      if (e.kind(e.map(l)) != ExprKind::variable) continue;
      const VarId board = e.variable(e.map(l));
      const ArrayShape& shape = model_.variable_shape(board);
      if (!model_.assigned[board.value] || shape.keys.size() != 1 || shared_.padded_size(board) % 16 != 0) continue;
      if (shared_.cell_type(shape.leaf) != "std::uint8_t") continue;
      return (step.negated ? "~" : "") + shared_.equal_cells(board, expressions_.value(r, shape.leaf), "$word");
    }
  }
  if (std::string word = constant_filter(variable, steps); !word.empty()) return word;
  return cell_filter(variable, steps);
}

// A function of x and at most one other variable: a table of bit sets.
std::string LoopWriter::constant_filter(VarId variable, const std::vector<std::uint32_t>& steps) {
  Reads reads;
  for (const std::uint32_t s : steps) {
    reads.add(model_, model_.steps[s].lhs);
    reads.add(model_, model_.steps[s].rhs);
  }
  const auto it = std::find(reads.scalars.begin(), reads.scalars.end(), variable);
  if (reads.maps || it == reads.scalars.end() || reads.scalars.size() > 2) return {};
  reads.scalars.erase(it);
  const Universe& u = model_.universes[model_.variable_shape(variable).leaf];
  const std::size_t words = (u.size() + 63) / 64;
  static const std::vector<SymbolId> kOne(1);
  const std::vector<SymbolId>& others =
      reads.scalars.empty() ? kOne : model_.universes[model_.variable_shape(reads.scalars[0]).leaf].symbols;
  if (words * others.size() > kMostFilterWords) return {};
  std::vector<std::uint64_t> bits;
  Bindings bindings = {{model_.game.variable_ref(variable), SymbolId()}};
  if (!reads.scalars.empty()) bindings.emplace_back(model_.game.variable_ref(reads.scalars[0]), SymbolId());
  for (const SymbolId other : others) {
    if (bindings.size() > 1) bindings[1].second = other;
    std::vector<std::uint64_t> row(words, 0);
    for (std::uint32_t c = 0; c < u.size(); ++c) {
      bindings[0].second = u.symbols[c];
      for (const std::uint32_t s : steps) {
        const Folded a = model_.fold(model_.steps[s].lhs, bindings);
        const Folded b = model_.fold(model_.steps[s].rhs, bindings);
        if (!a.symbol.valid() || !b.symbol.valid()) return {};
        if ((a.symbol == b.symbol) != model_.steps[s].negated) row[c / 64] |= std::uint64_t{1} << (c % 64);
      }
    }
    bits.insert(bits.end(), row.begin(), row.end());
  }
  std::string index;
  std::vector<std::size_t> dimensions;
  if (!reads.scalars.empty()) {
    index = fmt::format("[{}]", expressions_.variable(reads.scalars[0]));
    dimensions.push_back(others.size());
  }
  dimensions.push_back(words);
  return shared_.number_table(bits, dimensions, "std::uint64_t", "where") + index + "[$word]";
}

// A function of board[x] and at most one other variable, with few kinds of cells: one byte shuffle.
std::string LoopWriter::cell_filter(VarId variable, const std::vector<std::uint32_t>& steps) {
  const auto& e = model_.game.expressions();
  const ExprId x = model_.game.variable_ref(variable);
  ExprId cell;
  Reads reads;
  bool bad = false;
  for (const std::uint32_t s : steps) {
    for (const ExprId side : {model_.steps[s].lhs, model_.steps[s].rhs}) {
      model_.for_each_atom(side, [&](ExprId atom) {
        if (e.kind(atom) == ExprKind::variable || e.index(atom) != x) return reads.add(model_, atom);
        bad = bad || (cell.valid() && cell != atom);
        cell = atom;
      });
    }
  }
  if (bad || !cell.valid() || reads.maps || reads.scalars.size() > 1) return {};
  if (!reads.scalars.empty() && reads.scalars[0] == variable) return {};
  const VarId board = e.variable(e.map(cell));
  const ArrayShape& shape = model_.variable_shape(board);
  if (shape.keys.size() != 1 || shared_.padded_size(board) % 16 != 0) return {};
  const Universe& kinds = model_.universes[shape.leaf];
  if (kinds.size() > kMostKinds) return {};
  const std::size_t lanes_of_row = kind_lanes(kinds.size());
  static const std::vector<SymbolId> kOne(1);
  const std::vector<SymbolId>& others =
      reads.scalars.empty() ? kOne : model_.universes[model_.variable_shape(reads.scalars[0]).leaf].symbols;
  std::vector<std::uint64_t> lanes;
  Bindings bindings = {{cell, SymbolId()}};
  if (!reads.scalars.empty()) bindings.emplace_back(model_.game.variable_ref(reads.scalars[0]), SymbolId());
  for (const SymbolId other : others) {
    if (bindings.size() > 1) bindings[1].second = other;
    for (std::uint32_t k = 0; k < lanes_of_row; ++k) {
      std::uint64_t lane = 0;
      if (k < kinds.size()) {
        bindings[0].second = kinds.symbols[k];
        for (const std::uint32_t s : steps) {
          const Folded a = model_.fold(model_.steps[s].lhs, bindings);
          const Folded b = model_.fold(model_.steps[s].rhs, bindings);
          if (!a.symbol.valid() || !b.symbol.valid()) return {};
          if ((a.symbol == b.symbol) != model_.steps[s].negated) lane = 255;
        }
      }
      lanes.push_back(lane);
    }
  }
  std::vector<std::size_t> dimensions = {lanes_of_row};
  std::string index;
  if (!reads.scalars.empty()) {
    dimensions.insert(dimensions.begin(), others.size());
    index = fmt::format("[{}]", expressions_.variable(reads.scalars[0]));
  }
  return fmt::format("match_cells(s.{}, {}{}, $word)", model_.identifiers[board.value],
                     shared_.number_table(lanes, dimensions, "std::uint8_t", "kinds"), index);
}

void LoopWriter::write(const Step& step, const std::string& name) {
  if (sets_.write(step)) return;
  std::uint32_t fork = step.to;
  std::set<std::uint32_t> way = {step.to};
  std::vector<Filter> filters = find_filters(step.variable, fork, way);
  if (filters.size() == 1 && context_.purpose == Purpose::check && context_.is_goal(fork) &&
      model_.member_codes(step.type).size() <= kFewAsked) {
    write_loop(step, name, {}, fork);
    return;
  }
  // Where the ways then part by conditions that can be decided for many values at once, each way gets a loop of its
  // own: nothing is tested value by value. Not at the head of a cycle, which the ways come to again with other values.
  std::vector<Filter> ways;
  std::vector<std::uint32_t> rest;
  if (!context_.is_goal(fork) && context_.at(fork).loop.empty() && !plan_.own_function(fork, scope_.excluded)) {
    const std::vector<Arm> arms = plan_.arms_of(context_.at(fork).out);
    for (const Arm& arm : arms) {
      std::string word = arm.guarded && arms.size() > 1 ? filter_word(step.variable, arm.steps) : "";
      if (!word.empty())
        ways.push_back({std::move(word), arm.steps});
      else
        rest.insert(rest.end(), arm.steps.begin(), arm.steps.end());
    }
  }
  // A function with nothing but conditions on the value: it is called only where one of them holds.
  if (!context_.is_goal(fork) && plan_.own_function(fork, scope_.excluded)) {
    const std::vector<std::uint32_t>& out = context_.at(fork).out;
    const bool asks = !out.empty() && std::all_of(out.begin(), out.end(), [&](std::uint32_t s) {
      return model_.steps[s].kind == Deed::compare;
    });
    if (std::string word = asks ? filter_word(step.variable, out) : ""; !word.empty()) {
      filters.push_back({std::move(word), {}});
    }
  }
  if (ways.empty()) {
    write_loop(step, name, filters, fork);
    return;
  }
  const std::set<std::uint32_t> before = scope_.excluded;
  const std::set<std::uint32_t> way_before = scope_.on_way;
  scope_.on_way.insert(way.begin(), way.end());
  for (std::size_t w = 0; w < ways.size(); ++w) {
    scope_.excluded = before;
    scope_.excluded.insert(rest.begin(), rest.end());
    for (std::size_t other = 0; other < ways.size(); ++other) {
      if (other != w) scope_.excluded.insert(ways[other].steps.begin(), ways[other].steps.end());
    }
    std::vector<Filter> with = filters;
    with.push_back(ways[w]);
    write_loop(step, w == 0 ? name : expressions_.fresh(model_.identifiers[step.variable.value]), with,
               model_.steps[ways[w].steps[0]].to);
  }
  if (!rest.empty()) {
    scope_.excluded = before;
    for (const Filter& way : ways) scope_.excluded.insert(way.steps.begin(), way.steps.end());
    write_loop(step, expressions_.fresh(model_.identifiers[step.variable.value]), filters, fork);
  }
  scope_.excluded = before;
  scope_.on_way = way_before;
}

// The values that pass the filters: a word of them.
std::string LoopWriter::bits_of(const Step& step, const std::vector<Filter>& filters) {
  const std::vector<std::uint32_t> codes = model_.member_codes(step.type);
  std::vector<std::uint64_t> domain(codes.back() / 64 + 1, 0);
  for (const std::uint32_t c : codes) domain[c / 64] |= std::uint64_t{1} << (c % 64);
  const bool one_word = domain.size() == 1;
  const std::string word = one_word ? "0" : "$word";
  std::string bits = one_word
                         ? (~domain[0] == 0 && !filters.empty() ? "" : fmt::format("0x{:x}u", domain[0]))
                         : shared_.number_table(domain, {domain.size()}, "std::uint64_t", "all") + "[" + word + "]";
  for (const Filter& filter : filters) {
    bits += (bits.empty() ? "" : " & ") + boost::replace_all_copy(filter.word, "$word", word);
  }
  return bits;
}

// Where a check goes round by round from each value, it can begin with all of them.
bool LoopWriter::write_together(const Step& step, const std::string& name, const std::vector<Filter>& filters,
                                std::uint32_t node) {
  if (context_.purpose != Purpose::check || context_.is_goal(node) || !context_.contains(node) ||
      !plan_.own_function(node, scope_.excluded) || context_.begins_epoch.test(step.variable.value))
    return false;
  const SetWriter::Around* const around = sets_.around(node);
  const std::size_t words = model_.member_codes(step.type).back() / 64 + 1;
  if (around == nullptr || around->key != step.variable || words > around->walks.words) return false;
  // All that is asked on the way has been asked.
  const auto asked = [&](std::uint32_t s) {
    return model_.steps[s].kind == Deed::nothing || std::ranges::any_of(filters, [&](const Filter& filter) {
             return std::ranges::find(filter.steps, s) != filter.steps.end();
           });
  };
  for (std::uint32_t at = step.to; at != node; at = model_.steps[context_.at(at).out[0]].to) {
    if (!context_.contains(at) || context_.at(at).out.empty() || !std::ranges::all_of(context_.at(at).out, asked))
      return false;
  }
  const std::string bits = bits_of(step, filters);
  scope_.text.open("{");
  scope_.text.line(fmt::format("Cells<{}> {};", around->walks.words, name));
  for (std::size_t w = 0; w < words; ++w)
    scope_.text.line(
        fmt::format("{}.words[{}] = {};", name, w, boost::replace_all_copy(bits, "$word", std::to_string(w))));
  const std::string before = std::exchange(scope_.env[step.variable.value], name);
  sets_.enter(node);
  scope_.env[step.variable.value] = before;
  scope_.text.close();
  return true;
}

// What follows the filters begins at the node.
void LoopWriter::write_loop(const Step& step, const std::string& name, const std::vector<Filter>& filters,
                            std::uint32_t node) {
  if (!scope_.excluded.empty() && sets_.write(step)) return;
  const std::uint32_t v = step.variable.value;
  const std::vector<std::uint32_t> codes = model_.member_codes(step.type);
  const auto body = [&] {
    const std::string before = scope_.env[v];
    const std::string epoch = scope_.epoch;
    scope_.env[v] = name;
    enter_(step);
    scope_.env[v] = before;
    scope_.epoch = epoch;
  };
  // What is found at once need not wait.
  const bool quick = !facts_.takes_long_behind(node);
  const std::uint32_t most = may_wait() && !quick ? facts_.waiting_behind(step.to, node) : 0;
  if (most == 0 && write_together(step, name, filters, node)) return;
  if (filters.empty() && most == 0) {
    if (codes.back() - codes.front() + 1 == codes.size()) {
      scope_.text.open(
          fmt::format("for (unsigned {0} = {1}; {0} <= {2}; ++{0}) {{", name, codes.front(), codes.back()));
    } else {
      std::vector<std::uint64_t> list(codes.begin(), codes.end());
      scope_.text.open(fmt::format("for (const unsigned {} : {}) {{", name,
                                   shared_.number_table(list, {list.size()}, "std::uint16_t", "members")));
    }
    body();
    scope_.text.close();
    return;
  }
  const std::size_t words = codes.back() / 64 + 1;
  const bool one_word = words == 1;
  std::string bits = bits_of(step, filters);
  const std::set<std::uint32_t> before = scope_.known;
  for (const Filter& filter : filters) scope_.known.insert(filter.steps.begin(), filter.steps.end());
  if (most > 0) {
    write_values(step.to, name, words, bits, [&] {
      const std::size_t sets = shared_.set_ends;
      body();
      return shared_.set_ends == sets || most <= kFewBehind ? most : 0;
    });
    scope_.known = before;
    return;
  }
  if (reached_(step, name, words, bits, body)) {
    scope_.known = before;
    return;
  }
  const bool drawn = pairs_(step, words, bits);
  const std::string number = one_word ? "0" : expressions_.fresh("word");
  boost::replace_all(bits, "$word", number);
  if (!one_word) scope_.text.open(fmt::format("for (unsigned {0} = 0; {0} < {1}; ++{0}) {{", number, words));
  const std::string mask = expressions_.fresh("mask");
  scope_.text.open(fmt::format("for (std::uint64_t {0} = {1}; {0} != 0; {0} &= {0} - 1) {{", mask, bits));
  scope_.text.line(
      fmt::format("const unsigned {} = {}lowest_bit({});", name, one_word ? "" : "64 * " + number + " + ", mask));
  body();
  scope_.text.close();
  if (!one_word) scope_.text.close();
  if (drawn) scope_.text.close();
  scope_.known = before;
}

}  // namespace rgtrans::cpp
