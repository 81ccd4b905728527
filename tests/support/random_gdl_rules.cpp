#include "tests/support/random_gdl_rules.hpp"

#include <algorithm>
#include <cctype>

namespace rgtrans::test {

namespace {

constexpr std::size_t kMostAssignments = 250;  // of a rule's variables, which keeps the number of ground rules small

// Whether the text contains this word.
bool mentions(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if (end == text.size() || text[end] == ' ' || text[end] == ')') return true;
  }
  return false;
}

}  // namespace

std::string gdl_sentence(const std::string& name, const std::vector<std::string>& arguments) {
  if (arguments.empty()) return name;
  std::string out = "(" + name;
  for (const std::string& argument : arguments) out += " " + argument;
  return out + ")";
}

std::size_t GdlVocabulary::tuples(const std::vector<std::size_t>& columns) const {
  std::size_t result = 1;
  for (const std::size_t sort : columns) result *= sorts[sort].values.size();
  return result;
}

std::size_t GdlRule::assignments() const {
  std::size_t result = 1;
  for (const Variable& variable : variables_) result *= v_.sorts[variable.sort].values.size();
  return result;
}

std::string GdlRule::constant(std::size_t sort) {
  const std::vector<std::string>& values = v_.sorts[sort].values;
  return values[c_.below(values.size())];
}

std::string GdlRule::variable(std::size_t sort) {
  variables_.push_back({"?" + v_.sorts[sort].letter + std::to_string(variables_.size()), sort});
  return variables_.back().name;
}

std::string GdlRule::term(std::size_t sort) {
  const GdlSort& of = v_.sorts[sort];
  if (c_.coin(18)) return constant(sort);
  if (!of.parts.empty() && c_.coin(50)) {
    std::vector<std::string> parts;
    for (const std::size_t part : of.parts) parts.push_back(term(part));
    return gdl_sentence(of.functor, parts);
  }
  std::vector<std::string> known;
  for (const Variable& variable : variables_)
    if (variable.sort == sort) known.push_back(variable.name);
  const bool room = assignments() * of.values.size() <= kMostAssignments;
  if (!known.empty() && (!room || c_.coin(65))) return known[c_.below(known.size())];
  return room ? variable(sort) : constant(sort);
}

std::vector<std::string> GdlRule::terms(const GdlRelation& relation) {
  std::vector<std::string> out;
  for (const std::size_t sort : relation.columns) out.push_back(term(sort));
  return out;
}

std::vector<std::string> GdlRule::head_terms(const GdlRelation& relation) {
  std::vector<std::string> out;
  for (const std::size_t sort : relation.columns) out.push_back(c_.coin(25) ? term(sort) : variable(sort));
  return out;
}

void GdlRule::add(const std::string& literal, bool binds) {
  body_.push_back(literal);
  if (binds) bound_.push_back(literal);
}

std::string GdlRule::fact() {
  if (v_.facts.empty()) return "(role " + term(0) + ")";
  const GdlRelation& relation = v_.facts[c_.below(v_.facts.size())];
  return "(true " + gdl_sentence(relation.name, terms(relation)) + ")";
}

std::string GdlRule::does() {
  const GdlRelation& move = v_.moves[c_.below(v_.moves.size())];
  const std::string who = term(0);
  return "(does " + who + " " + gdl_sentence(move.name, terms(move)) + ")";
}

const GdlRelation* GdlRule::readable() {
  std::vector<const GdlRelation*> found;
  for (const GdlRelation& relation : v_.derived) {
    if (relation.kind > scope_.kind || relation.rank > scope_.rank) continue;
    if (relation.rank == scope_.rank && !c_.coin(30)) continue;
    found.push_back(&relation);
  }
  return found.empty() ? nullptr : found[c_.below(found.size())];
}

std::string GdlRule::atom() {
  switch (c_.pick(0, 9)) {
    case 0:
      return "(" + v_.successor + " " + term(v_.numbers) + " " + term(v_.numbers) + ")";
    case 1:
    case 2:
      if (v_.fixed.empty()) return "(role " + term(0) + ")";
      {
        const GdlRelation& relation = v_.fixed[c_.below(v_.fixed.size())];
        return gdl_sentence(relation.name, terms(relation));
      }
    case 3:
    case 4:
      if (const GdlRelation* relation = readable()) return gdl_sentence(relation->name, terms(*relation));
      [[fallthrough]];
    case 5:
    case 6:
      if (scope_.kind == GdlKind::move) return does();
      [[fallthrough]];
    default:
      if (scope_.kind == GdlKind::fixed) {
        const GdlSort& sort = v_.sorts[c_.below(v_.sorts.size())];
        return "(" + sort.domain + " " + term(static_cast<std::size_t>(&sort - v_.sorts.data())) + ")";
      }
      return fact();
  }
}

std::string GdlRule::distinct() {
  const std::size_t sort =
      variables_.empty() || c_.coin(20) ? c_.below(v_.sorts.size()) : variables_[c_.below(variables_.size())].sort;
  const std::string left = term(sort);
  std::string right = term(sort);
  if (left == right) right = constant(sort);
  return "(distinct " + left + " " + right + ")";
}

std::string GdlRule::disjunction() {
  std::string out = "(or";
  for (int n = c_.pick(2, 3); n > 0; --n) out += " " + (c_.coin(20) ? denied() : c_.coin(12) ? distinct() : atom());
  return out + ")";
}

std::string GdlRule::denied() {
  const Scope scope = scope_;
  if (scope_.rank > 0) --scope_.rank;  // excludes relations that may depend on the rule's head
  const std::string result = "(not " + atom() + ")";
  scope_ = scope;
  return result;
}

void GdlRule::literal() {
  const int what = c_.pick(1, 100);
  if (what <= 12) return add(distinct(), false);
  if (what <= 19) return add(disjunction(), false);
  if (what <= 42) return add(denied(), false);
  add(atom());
}

void GdlRule::literals(int count) {
  for (; count > 0; --count) literal();
}

std::string GdlRule::finish(const std::string& head, const std::string& free) {
  std::vector<std::string> domains;
  for (const Variable& variable : variables_) {
    const auto has = [&](const std::string& text) { return mentions(text, variable.name); };
    if (variable.name == free || std::ranges::any_of(bound_, has)) continue;
    if (has(head) || std::ranges::any_of(body_, has))
      domains.push_back("(" + v_.sorts[variable.sort].domain + " " + variable.name + ")");
  }
  body_.insert(c_.coin(60) ? body_.begin() : body_.end(), domains.begin(), domains.end());
  if (c_.coin(20)) {
    for (std::size_t i = body_.size(); i > 1; --i) std::swap(body_[i - 1], body_[c_.below(i)]);
  }
  if (body_.empty()) return head + "\n";
  std::string out = "(<= " + head;
  for (const std::string& literal : body_) out += " " + literal;
  return out + ")\n";
}

namespace {

// Reads one list or word at a time.
class Infix {
 public:
  explicit Infix(const std::string& text) : text_(text) {}

  std::string run() {
    std::string out;
    for (blanks(); at_ < text_.size(); blanks()) out += statement() + "\n";
    return out;
  }

 private:
  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  std::string word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != ')' && text_[at_] != '(' && text_[at_] != '\n')
      ++at_;
    std::string result = text_.substr(begin, at_ - begin);
    if (result.starts_with('?')) {
      result.erase(0, 1);
      result[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(result[0])));
    }
    return result;
  }
  std::string term() {
    blanks();
    if (text_[at_] != '(') return word();
    ++at_;
    blanks();
    const std::string name = word();
    std::string arguments;
    for (blanks(); text_[at_] != ')'; blanks()) {
      const std::string argument = term();
      arguments += (arguments.empty() ? "" : ", ") + argument;
    }
    ++at_;
    if (name == "not") return "~" + arguments;
    return arguments.empty() ? name : name + "(" + arguments + ")";
  }
  std::string statement() {
    if (text_.compare(at_, 4, "(<= ") != 0) return term();
    at_ += 4;
    const std::string head = term();
    std::string body;
    for (blanks(); text_[at_] != ')'; blanks()) {
      const std::string literal = term();
      body += (body.empty() ? " :- " : " & ") + literal;
    }
    ++at_;
    return head + body;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string gdl_infix(const std::string& kif) { return Infix(kif).run(); }

}  // namespace rgtrans::test
