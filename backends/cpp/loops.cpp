// Loops over the members of a type. Conditions behind the choice are decided for 64 members at once where possible.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

std::optional<CellPredicate> CodeWriter::filter(VarId variable, const Comparisons& steps) const {
  return shared_.techniques.use(Technique::loops) ? find_filter(model_, variable, steps) : std::nullopt;
}

// Conditions behind `variable = T(*)` that can be decided for 64 values at once. `node` becomes the node where looking
// for them ended.
std::vector<LoopWriter::Filter> LoopWriter::find_filters(VarId variable, std::uint32_t& node,
                                                         std::set<std::uint32_t>& way) {
  std::vector<Filter> filters;
  for (int i = 0; i < kEfforts.filter_nodes; ++i) {
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
      if (auto predicate = filter(variable, out)) filters.push_back({std::move(*predicate), out});
    } else if (out.size() != 1 || is_assignment(first)) {
      break;
    }
    node = first.to;
    way.insert(node);
  }
  return filters;
}

void LoopWriter::write(const Step& step, const std::string& name) {
  if (const auto sets = sets_.choose(step)) return sets_.write(*sets);
  std::uint32_t fork = step.to;
  std::set<std::uint32_t> way = {step.to};
  std::vector<Filter> filters = find_filters(step.variable, fork, way);
  if (filters.size() == 1 && context_.purpose == Purpose::check && context_.is_goal(fork) &&
      model_.member_codes(step.type).size() <= kCosts.cells_one_by_one) {
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
      auto predicate = arm.guarded && arms.size() > 1 ? filter(step.variable, arm.steps) : std::nullopt;
      if (predicate)
        ways.push_back({std::move(*predicate), arm.steps});
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
    if (auto predicate = asks ? filter(step.variable, out) : std::nullopt)
      filters.push_back({std::move(*predicate), {}});
  }
  for (auto* of : {&filters, &ways}) {
    for (Filter& filter : *of) filter.word = expressions_.word_where(filter.predicate);
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
WordCode LoopWriter::bits_of(const Step& step, const std::vector<Filter>& filters) {
  const std::vector<std::uint32_t> codes = model_.member_codes(step.type);
  std::vector<std::uint64_t> domain(codes.back() / 64 + 1, 0);
  for (const std::uint32_t c : codes) domain[c / 64] |= std::uint64_t{1} << (c % 64);
  WordCode bits;
  if (domain.size() > 1)
    bits = {shared_.number_table(domain, {domain.size()}, "std::uint64_t", "all") + "[", "]"};
  else if (~domain[0] != 0 || filters.empty())
    bits = WordCode(fmt::format("0x{:x}u", domain[0]));
  for (const Filter& filter : filters) {
    if (!bits.empty()) bits += WordCode(" & ");
    bits += filter.word;
  }
  return bits;
}

// Where a check goes round by round from each value, it can begin with all of them.
std::optional<LoopWriter::Flood> LoopWriter::choose_flood(const Step& step, const std::vector<Filter>& filters,
                                                          std::uint32_t node) {
  if (context_.purpose != Purpose::check || context_.is_goal(node) || !context_.contains(node) ||
      !plan_.own_function(node, scope_.excluded) || context_.begins_epoch.test(step.variable.value))
    return std::nullopt;
  const SetWriter::Around* const around = sets_.around(node);
  const std::size_t words = model_.member_codes(step.type).back() / 64 + 1;
  if (around == nullptr || around->key != step.variable || words > around->walks.words) return std::nullopt;
  // All that is asked on the way has been asked.
  const auto asked = [&](std::uint32_t s) {
    return model_.steps[s].kind == Deed::nothing || std::ranges::any_of(filters, [&](const Filter& filter) {
             return std::ranges::find(filter.steps, s) != filter.steps.end();
           });
  };
  for (std::uint32_t at = step.to; at != node; at = model_.steps[context_.at(at).out[0]].to) {
    if (!context_.contains(at) || context_.at(at).out.empty() || !std::ranges::all_of(context_.at(at).out, asked))
      return std::nullopt;
  }
  return Flood{around->walks.words};
}

void LoopWriter::write_flood(const Step& step, const std::string& name, const Flood& flood, const WordCode& bits,
                             std::uint32_t node) {
  scope_.text.open("{");
  scope_.text.line(fmt::format("Cells<{}> {};", flood.words, name));
  const std::size_t words = model_.member_codes(step.type).back() / 64 + 1;
  for (std::size_t w = 0; w < words; ++w)
    scope_.text.line(fmt::format("{}.words[{}] = {};", name, w, bits.at(std::to_string(w))));
  const LocalValue before = std::exchange(scope_.env[step.variable.value], name);
  sets_.enter(node);
  scope_.env[step.variable.value] = before;
  scope_.text.close();
}

// What follows the filters, which hold, begins at the node.
LoopWriter::Choice LoopWriter::choose(const Step& step, const std::vector<Filter>& filters, std::uint32_t node) {
  // What is found at once need not wait.
  const bool quick = !facts_.takes_long_behind(node);
  const std::uint32_t most = may_wait() && !quick ? facts_.max_deferred_moves(step.to, node) : 0;
  if (most > 0) return Deferred{most};
  if (auto flood = choose_flood(step, filters, node)) return *flood;
  if (filters.empty()) return EachMember();
  const std::set<std::uint32_t> before = scope_.known;
  for (const Filter& filter : filters) scope_.known.insert(filter.steps.begin(), filter.steps.end());
  Choice result = EachBit();
  if (auto reached = targets_.choose_reached(step))
    result = std::move(reached);
  else
    result = EachBit{targets_.choose_pairs(step)};
  scope_.known = before;
  return result;
}

void LoopWriter::write_loop(const Step& step, const std::string& name, const std::vector<Filter>& filters,
                            std::uint32_t node) {
  if (!scope_.excluded.empty()) {
    if (const auto sets = sets_.choose(step)) return sets_.write(*sets);
  }
  const Choice choice = choose(step, filters, node);
  const auto body = [&] {
    const LocalValue before = scope_.env[step.variable.value];
    const std::string epoch = scope_.epoch;
    scope_.env[step.variable.value] = name;
    enter_(step);
    scope_.env[step.variable.value] = before;
    scope_.epoch = epoch;
  };
  if (std::holds_alternative<EachMember>(choice)) return write_members(step, name, body);
  const WordCode bits = bits_of(step, filters);
  if (const auto* const flood = std::get_if<Flood>(&choice)) return write_flood(step, name, *flood, bits, node);
  const std::size_t words = model_.member_codes(step.type).back() / 64 + 1;
  const std::set<std::uint32_t> before = scope_.known;
  for (const Filter& filter : filters) scope_.known.insert(filter.steps.begin(), filter.steps.end());
  if (const auto* const deferred = std::get_if<Deferred>(&choice)) {
    write_values(step.to, name, words, bits, [&] {
      const std::size_t sets = shared_.set_ends;
      body();
      return shared_.set_ends == sets || deferred->most <= kCosts.moves_behind_sets ? deferred->most : 0;
    });
  } else if (const auto* const reached = std::get_if<Reached>(&choice)) {
    targets_.write_reached(step, **reached, name, words, bits, body);
  } else {
    write_bits(step, name, std::get<EachBit>(choice), bits, body);
  }
  scope_.known = before;
}

void LoopWriter::write_members(const Step& step, const std::string& name, const std::function<void()>& body) {
  const std::vector<std::uint32_t> codes = model_.member_codes(step.type);
  if (codes.back() - codes.front() + 1 == codes.size()) {
    scope_.text.open(fmt::format("for (unsigned {0} = {1}; {0} <= {2}; ++{0}) {{", name, codes.front(), codes.back()));
  } else {
    std::vector<std::uint64_t> list(codes.begin(), codes.end());
    scope_.text.open(fmt::format("for (const unsigned {} : {}) {{", name,
                                 shared_.number_table(list, {list.size()}, "std::uint16_t", "members")));
  }
  body();
  scope_.text.close();
}

void LoopWriter::write_bits(const Step& step, const std::string& name, const EachBit& choice, const WordCode& bits,
                            const std::function<void()>& body) {
  const std::size_t words = model_.member_codes(step.type).back() / 64 + 1;
  const bool one_word = words == 1;
  if (choice.pairs) targets_.write_pairs(*choice.pairs, words, bits);
  const std::string number = one_word ? "0" : expressions_.fresh("word");
  if (!one_word) scope_.text.open(fmt::format("for (unsigned {0} = 0; {0} < {1}; ++{0}) {{", number, words));
  const std::string mask = expressions_.fresh("mask");
  scope_.text.open(fmt::format("for (std::uint64_t {0} = {1}; {0} != 0; {0} &= {0} - 1) {{", mask, bits.at(number)));
  scope_.text.line(
      fmt::format("const unsigned {} = {}lowest_bit({});", name, one_word ? "" : "64 * " + number + " + ", mask));
  body();
  scope_.text.close();
  if (!one_word) scope_.text.close();
  if (choice.pairs) scope_.text.close();
}

}  // namespace rgtrans::cpp
