// Loops over the members of a type. Conditions behind the choice are decided for 64 members at once where possible.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

void LoopWriter::write(const Step& step, const std::string& name) {
  const std::vector<Loop> loops = planner_.loops.choose(step, scope_);
  std::vector<std::vector<WordCode>> filters;
  for (const Loop& loop : loops) {
    filters.emplace_back();
    for (const LoopFilter& filter : loop.filters) filters.back().push_back(expressions_.word_where(filter.predicate));
  }
  const Where before = scope_;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    scope_.excluded = loops[i].excluded;
    scope_.on_way = loops[i].on_way;
    write_loop(step, i == 0 ? name : expressions_.fresh(model_.identifiers[step.variable.value]), loops[i], filters[i]);
  }
  scope_.excluded = before.excluded;
  scope_.on_way = before.on_way;
}

// The values that pass the filters: a word of them.
WordCode LoopWriter::bits_of(const Step& step, const std::vector<WordCode>& filters) {
  const std::vector<std::uint32_t> codes = model_.member_codes(step.type);
  std::vector<std::uint64_t> domain(codes.back() / 64 + 1, 0);
  for (const std::uint32_t c : codes) domain[c / 64] |= std::uint64_t{1} << (c % 64);
  WordCode bits;
  if (domain.size() > 1)
    bits = {shared_.number_table(domain, {domain.size()}, "std::uint64_t", "all") + "[", "]"};
  else if (~domain[0] != 0 || filters.empty())
    bits = WordCode(fmt::format("0x{:x}u", domain[0]));
  for (const WordCode& filter : filters) {
    if (!bits.empty()) bits += WordCode(" & ");
    bits += filter;
  }
  return bits;
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

void LoopWriter::write_loop(const Step& step, const std::string& name, const Loop& loop,
                            const std::vector<WordCode>& filters) {
  if (const auto* const sets = std::get_if<SetChoice>(&loop.form)) return sets_.write(*sets);
  const auto body = [&] {
    const LocalValue before = scope_.env[step.variable.value];
    const std::string epoch = scope_.epoch;
    scope_.env[step.variable.value] = name;
    enter_(step);
    scope_.env[step.variable.value] = before;
    scope_.epoch = epoch;
  };
  if (std::holds_alternative<EachMember>(loop.form)) return write_members(step, name, body);
  const WordCode bits = bits_of(step, filters);
  if (const auto* const flood = std::get_if<Flood>(&loop.form)) return write_flood(step, name, *flood, bits, loop.node);
  const std::size_t words = model_.member_codes(step.type).back() / 64 + 1;
  const std::set<std::uint32_t> before = scope_.known;
  for (const LoopFilter& filter : loop.filters) scope_.known.insert(filter.steps.begin(), filter.steps.end());
  if (const auto* const deferred = std::get_if<DeferredValues>(&loop.form)) {
    write_values(step.to, name, words, bits, [&] {
      const std::size_t sets = shared_.set_ends;
      body();
      return shared_.set_ends == sets || deferred->most <= kCosts.moves_behind_sets ? deferred->most : 0;
    });
  } else if (const auto* const reached = std::get_if<DrawnReached>(&loop.form)) {
    targets_.write_reached(step, **reached, name, words, bits, body);
  } else {
    write_bits(step, name, std::get<EachBit>(loop.form), bits, body);
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
