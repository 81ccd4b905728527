#include "frontends/gdl/direct/direct.hpp"

#include <algorithm>
#include <deque>

#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/ground/grounder.hpp"

namespace rgtrans::gdl {

namespace {

Program read(const std::string& text) {
  Diagnostics diagnostics;
  Program program = read_program(diagnostics.sources()->add("<description>", text), diagnostics, false);
  diagnostics.throw_if_errors();
  return program;
}

Direct::State facts(const std::vector<std::vector<std::vector<TermId>>>& answers) {
  Direct::State out;
  for (const auto& tuple : answers[0]) out.push_back(tuple[0]);
  return out;
}

}  // namespace

Direct::Direct(const std::string& text) : program_(read(text)), rules_(std::move(program_.rules)) {
  const auto find = [&](Keyword keyword) { return program_.find_keyword(keyword); };
  fact_ = find(Keyword::fact);
  does_ = find(Keyword::does);
  const std::vector<PredId> init = {find(Keyword::init)}, choose = {find(Keyword::legal), find(Keyword::terminal)},
                            step = {find(Keyword::next)};
  // The evaluation of what does not depend on the state is all that is needed once the state consists of facts.
  for (Predicate& predicate : program_.predicates) {
    if (predicate.keyword != Keyword::role && predicate.keyword != Keyword::distinct) predicate.keyword = Keyword::none;
  }
  first_ = question(init);
  moves_ = question(choose);
  next_ = question(step);
}

std::string Direct::text(TermId term) const {
  std::string out;
  program_.patterns.terms.print(term, program_.symbols, out);
  return out;
}

Direct::Question Direct::question(std::vector<PredId> asked) const {
  std::vector<bool> needed(program_.predicates.size());
  std::deque<PredId> waiting;
  const auto need = [&](PredId p) {
    if (!p.valid() || needed[p.value]) return;
    needed[p.value] = true;
    waiting.push_back(p);
  };
  for (const PredId p : asked) need(p);
  while (!waiting.empty()) {
    const PredId p = waiting.front();
    waiting.pop_front();
    for (const Rule& rule : rules_) {
      if (rule.head.predicate != p) continue;
      for (const Literal& literal : rule.body) need(literal.predicate);
    }
  }
  Question out;
  out.asked = std::move(asked);
  for (const Rule& rule : rules_) {
    if (needed[rule.head.predicate.value]) out.rules.push_back(rule);
  }
  return out;
}

std::vector<std::vector<std::vector<TermId>>> Direct::answer(Question& question, const State& state,
                                                             const std::vector<TermId>& joint) {
  const std::size_t facts = program_.facts.size(), arguments = program_.fact_arguments.size();
  const auto add = [&](PredId predicate, std::initializer_list<TermId> terms) {
    if (!predicate.valid()) return;
    program_.facts.push_back({predicate, static_cast<std::uint32_t>(program_.fact_arguments.size()), {}});
    program_.fact_arguments.insert(program_.fact_arguments.end(), terms);
  };
  for (const TermId fact : state) add(fact_, {fact});
  for (std::size_t r = 0; r < joint.size(); ++r) add(does_, {program_.roles[r], joint[r]});
  program_.rules.swap(question.rules);
  Diagnostics diagnostics;
  std::vector<std::vector<std::vector<TermId>>> out(question.asked.size());
  {
    const RawGround raw = instantiate(program_, {}, diagnostics);
    for (std::size_t i = 0; i < out.size() && !diagnostics.has_errors(); ++i) {
      const PredId asked = question.asked[i];
      if (!asked.valid()) continue;
      const Relation& tuples = *raw.engine->relations[raw.engine->ordinary(asked, false).value].tuples;
      for (std::uint32_t row = 0; row < tuples.size(); ++row) {
        std::vector<TermId>& tuple = out[i].emplace_back();
        for (std::uint32_t c = 0; c < program_[asked].arity; ++c) tuple.emplace_back(tuples.row(row)[c]);
      }
    }
  }
  program_.rules.swap(question.rules);
  program_.facts.resize(facts);
  program_.fact_arguments.resize(arguments);
  diagnostics.throw_if_errors();
  return out;
}

Direct::State Direct::initial() { return facts(answer(first_, {}, {})); }

Direct::Moves Direct::moves(const State& state) {
  const auto found = answer(moves_, state, {});
  Moves out;
  out.terminal = !found[1].empty();
  out.legal.resize(program_.roles.size());
  for (const auto& tuple : found[0]) {
    const auto role = std::ranges::find(program_.roles, tuple[0]);
    if (role != program_.roles.end()) {
      out.legal[static_cast<std::size_t>(role - program_.roles.begin())].push_back(tuple[1]);
    }
  }
  for (auto& legal : out.legal) {
    std::ranges::sort(legal, {}, [&](TermId move) { return text(move); });
  }
  return out;
}

Direct::State Direct::successor(const State& state, const std::vector<TermId>& joint) {
  return facts(answer(next_, state, joint));
}

}  // namespace rgtrans::gdl
