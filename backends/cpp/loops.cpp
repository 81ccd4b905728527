// Loops over the members of a type. Conditions behind the choice are decided for 64 members at once where possible.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

namespace {
class LoopWriter : CodeWriter {
 public:
  using CodeWriter::CodeWriter;
  void write(const Step& step, const std::string& name) {
    const std::vector<Loop> loops = planner_.loops.choose(step, scope_);
    std::vector<std::vector<WordCode>> filters;
    for (const Loop& loop : loops) {
      filters.emplace_back();
      for (const LoopFilter& filter : loop.filters)
        filters.back().push_back(expressions_.word_where(filter.predicate, words_of_values(model_, step)));
    }
    const Restored restored(scope_.excluded, scope_.on_way);
    for (std::size_t i = 0; i < loops.size(); ++i) {
      scope_.excluded = loops[i].excluded;
      scope_.on_way = loops[i].on_way;
      write_loop(step, i == 0 ? name : fresh(model_.identifiers[step.variable.value]), loops[i], filters[i]);
    }
  }

  // The values that pass the filters: a word of them.
  WordCode bits_of(const Step& step, const std::vector<WordCode>& filters) {
    std::vector<std::uint64_t> domain = model_.members(step.type).to_words();
    while (domain.back() == 0) domain.pop_back();
    WordCode bits;
    if (domain.size() > 1)
      bits = {shared_.number_list(domain, "std::uint64_t", "all") + "[", "]"};
    else if (~domain[0] != 0 || filters.empty())
      bits = WordCode(fmt::format("0x{:x}u", domain[0]));
    for (const WordCode& filter : filters) {
      if (!bits.empty()) bits += WordCode(" & ");
      bits += filter;
    }
    return bits;
  }

  void write_flood(const Step& step, const std::string& name, const Flood& flood, const WordCode& bits) {
    open("{");
    line("Cells<{}> {};", flood.words, name);
    std::vector<std::uint64_t> all = flood.all ? flood.all->to_words() : std::vector<std::uint64_t>();
    all.resize(std::min(all.size(), flood.words));
    const std::size_t words = flood.all ? all.size() : words_of_values(model_, step);
    for (std::size_t w = 0; w < words; ++w)
      line("{}.words[{}] = {};", name, w, flood.all ? fmt::format("0x{:x}u", all[w]) : bits.at(std::to_string(w)));
    const Restored restored(scope_.env[flood.key.value]);
    scope_.env[flood.key.value] = name;
    at_.enter(flood.node);
    close();
  }

  void write_loop(const Step& step, const std::string& name, const Loop& loop, const std::vector<WordCode>& filters) {
    const auto body = [&] {
      const Restored restored(scope_.env[step.variable.value], scope_.epoch);
      scope_.env[step.variable.value] = name;
      at_.enter_value(step);
    };
    if (const auto* const sets = std::get_if<SetChoice>(&loop.form)) {
      const std::vector<AssumedCell>& assumed = sets->walks.assumed;
      if (assumed.empty()) return write_sets(at_, *sets);
      block(Code("if (" + expressions_.hold(assumed) + ") {"), [&] { write_sets(at_, *sets); });
      const Restored rare(scope_.rare);
      scope_.rare = true;
      return block("else {", [&] { write_members(step, name, body); });
    }
    if (std::holds_alternative<EachMember>(loop.form)) return write_members(step, name, body);
    const WordCode bits = bits_of(step, filters);
    if (const auto* const flood = std::get_if<Flood>(&loop.form)) return write_flood(step, name, *flood, bits);
    const Restored restored(scope_.known);
    for (const LoopFilter& filter : loop.filters) scope_.known.insert(filter.steps.begin(), filter.steps.end());
    const ValueSet values{step, name, words_of_values(model_, step), bits};
    if (const auto* const sample = std::get_if<Sampling>(&loop.form)) return write_sample(at_, *sample, values, body);
    write_each_value(values, body);
  }

  void write_members(const Step& step, const std::string& name, const std::function<void()>& body) {
    const std::vector<std::uint32_t> codes = model_.member_codes(step.type);
    if (codes.back() - codes.front() + 1 == codes.size()) {
      open("for (unsigned {0} = {1}; {0} <= {2}; ++{0}) {{", name, codes.front(), codes.back());
    } else {
      open("for (const unsigned {} : {}) {{", name, shared_.number_list(codes, "std::uint16_t", "members"));
    }
    body();
    close();
  }
};

}  // namespace

void write_loops(Workplace& at, const Step& step, const std::string& name) { LoopWriter(at).write(step, name); }

}  // namespace rgtrans::cpp
