#include "frontends/gdl/lifted/author.hpp"

#include <algorithm>
#include <sstream>

namespace rgtrans::gdl::lifted {

std::size_t AuthorTerms::width(RelId relation, std::uint32_t column) const {
  const auto joined = cells_.relations.find(relation);
  return joined == cells_.relations.end() ? 1 : joined->second.columns[column].size();
}

AuthorTerms::Texts AuthorTerms::value(TermId term) const {
  const auto cell = cells_.coordinates.find(term.value);
  if (cell == cells_.coordinates.end()) return {program_.text(term)};
  Texts texts;
  for (const std::uint32_t coordinate : cell->second) texts.push_back(program_.text(TermId(coordinate)));
  return texts;
}

std::string AuthorTerms::term(RelId relation, const std::vector<Texts>& columns) const {
  Texts arguments;
  const auto joined = cells_.relations.find(relation);
  if (joined == cells_.relations.end()) {
    for (const Texts& own : columns) arguments.push_back(own[0]);
  } else {
    relation = joined->second.before;
    arguments.resize(u_.info(relation).tuples->arity());
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (std::size_t i = 0; i < columns[c].size(); ++i) arguments[joined->second.columns[c][i]] = columns[c][i];
  }
  if (const auto part = std::ranges::find(parted_.parts, relation, &Part::relation); part != parted_.parts.end()) {
    relation = part->whole;
    if (part->value) arguments.insert(arguments.begin() + part->column, program_.text(*part->value));
  }
  if (u_.info(relation).kind == RelationInfo::Kind::move) arguments.erase(arguments.begin());
  const std::string form = form_of(program_, u_.info(relation), relation, forms_);
  std::string text;
  std::size_t next = 0;
  for (const char c : form) c == kPlaceholder ? text += arguments[next++] : text += c;
  return text;
}

bool AuthorTerms::partial(RelId relation) const {
  if (const auto joined = cells_.relations.find(relation); joined != cells_.relations.end())
    relation = joined->second.before;
  return forms_.contains(relation) ||
         std::ranges::find(parted_.parts, relation, &Part::relation) != parted_.parts.end();
}

std::string AuthorTerms::move(const std::string& term) const {
  std::string words = term;
  if (std::ranges::count(words, '(') > 1) return term;  // the rewritten rules have flat terms only
  std::erase_if(words, [](char c) { return c == '(' || c == ')'; });
  std::istringstream in(words);
  std::string functor, word;
  in >> functor;
  std::vector<Texts> columns = {{std::string()}};  // the role
  while (in >> word) {
    const SymbolId symbol = program_.symbols.find(word);
    const TermId constant = symbol.valid() ? program_.patterns.terms.find(symbol, {}) : TermId();
    columns.push_back(constant.valid() ? value(constant) : Texts{word});
  }
  for (const RelId shape : u_.engine().shapes(RelationInfo::Kind::move))
    if (program_.symbols.str(u_.info(shape).functor) == functor && u_.info(shape).tuples->arity() == columns.size())
      return this->term(shape, columns);
  return term;
}

}  // namespace rgtrans::gdl::lifted
