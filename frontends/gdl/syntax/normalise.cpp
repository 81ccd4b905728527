// From the tree to rules in normal form. Negation is pushed inwards, and each disjunct becomes a rule of its own, or an
// auxiliary predicate where that would multiply the rules. Equalities are unified away, and `distinct` is evaluated
// where its terms are known.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <unordered_map>

#include "core/support/letters.hpp"
#include "frontends/gdl/limits.hpp"
#include "frontends/gdl/syntax/predicate_graph.hpp"
#include "frontends/gdl/syntax/rules.hpp"
#include "frontends/gdl/syntax/substitution.hpp"

namespace rgtrans::gdl {

PredId Program::predicate(SymbolId name, std::uint32_t arity, Keyword keyword, Range where) {
  const auto fresh = static_cast<std::uint32_t>(predicates.size());
  // A keyword is one predicate, however it is spelled.
  const bool by_keyword = keyword != Keyword::none && keyword != Keyword::auxiliary;
  const std::uint64_t hash = by_keyword ? combine_hash(1, static_cast<std::uint64_t>(keyword))
                                        : combine_hash(combine_hash(0, name.value), arity);
  const std::uint32_t row = index_.find_or_insert(hash, fresh, [&](std::uint32_t r) {
    const Predicate& p = predicates[r];
    return p.keyword == keyword && p.arity == arity && (by_keyword || p.name == name);
  });
  if (row == fresh) predicates.push_back({name, arity, keyword, where, false});
  return PredId(row);
}

PredId Program::find_keyword(Keyword keyword) const {
  return PredId(index_.find(combine_hash(1, static_cast<std::uint64_t>(keyword)),
                            [&](std::uint32_t r) { return predicates[r].keyword == keyword; }));
}

std::vector<std::uint32_t> Program::components() const { return PredicateGraph(*this).components().of; }

PredId Program::auxiliary(std::uint32_t arity, Range where) {
  std::string text = fmt::format("#{}", predicates.size());
  while (symbols.find(text).valid()) text += '#';
  const SymbolId name = symbols.intern(text);
  const PredId id = predicate(name, arity, Keyword::auxiliary, where);
  predicates[id.value].defined = true;
  return id;
}

std::string Program::text(TermId term) const {
  std::string out;
  patterns.terms.print(term, symbols, out);
  return out;
}

std::string Program::describe(PredId id) const {
  const Predicate& p = (*this)[id];
  return fmt::format("{}/{}", symbols.text(p.name), p.arity);
}

namespace {

// A disjunction with more alternatives is an error.
const Limit& kMaxAlternatives = limits::alternatives;

enum class Word : std::uint8_t { plain, implies, negation, disjunction, conjunction, keyword };

struct KeywordRow {
  std::string_view text;
  Word word;
  Keyword keyword;
  std::uint32_t arity;
};
constexpr std::array<KeywordRow, 16> kKeywords = {{
    {"<=", Word::implies, Keyword::none, 0},
    {"not", Word::negation, Keyword::none, 1},
    {"or", Word::disjunction, Keyword::none, 0},
    {"and", Word::conjunction, Keyword::none, 0},
    {"role", Word::keyword, Keyword::role, 1},
    {"init", Word::keyword, Keyword::init, 1},
    {"true", Word::keyword, Keyword::fact, 1},
    {"does", Word::keyword, Keyword::does, 2},
    {"next", Word::keyword, Keyword::next, 1},
    {"legal", Word::keyword, Keyword::legal, 2},
    {"goal", Word::keyword, Keyword::goal, 2},
    {"terminal", Word::keyword, Keyword::terminal, 0},
    {"base", Word::keyword, Keyword::base, 1},
    {"input", Word::keyword, Keyword::input, 2},
    {"sees", Word::keyword, Keyword::sees, 2},
    {"distinct", Word::keyword, Keyword::distinct, 2},
}};

using Conjunction = std::vector<Literal>;
using Alternatives = std::vector<Conjunction>;

class Normaliser {
 public:
  Normaliser(const Tree& tree, Symbols symbols, Diagnostics& diagnostics) : tree_(tree), diagnostics_(diagnostics) {
    program_.symbols = std::move(symbols);
  }

  Program run() {
    const std::vector<Node>& all = tree_.statements;
    ignore_base_ = std::ranges::any_of(all, [&](const Node& s) { return is_odd_base(head_of(s)); }) &&
                   std::ranges::none_of(all, [&](const Node& s) { return asks_for_base(s); });
    for (const Node& node : tree_.statements) {
      if (diagnostics_.full()) break;
      statement(node);
    }
    program_.random = program_.symbols.intern("random");
    return std::move(program_);
  }

 private:
  struct Failure {};  // thrown after a diagnostic; ends the statement

  [[noreturn]] void fail(Range where, std::string message, std::string hint = {}) {
    diagnostics_.error(where, std::move(message), std::move(hint));
    throw Failure{};
  }

  // --- Words. ---
  const KeywordRow* keyword(SymbolId symbol) {
    if (keyword_of_.size() <= symbol.value) keyword_of_.resize(program_.symbols.size() + 1, kUnknown);
    std::int8_t& slot = keyword_of_[symbol.value];
    if (slot == kUnknown) {
      const std::string text = lower_case(program_.symbols.text(symbol));
      const std::ptrdiff_t found = std::ranges::find(kKeywords, text, &KeywordRow::text) - kKeywords.begin();
      slot = found == std::ssize(kKeywords) ? kPlain : static_cast<std::int8_t>(found);
    }
    return slot == kPlain ? nullptr : &kKeywords[static_cast<std::uint8_t>(slot)];
  }
  std::span<const Node> elements(const Node& node) const { return tree_.elements(node); }
  // The first word of a list, or the node itself if it is a word.
  const Node* name_of(const Node& node) const {
    if (node.kind == Node::Kind::word) return &node;
    if (node.kind == Node::Kind::list && node.count > 0 && elements(node)[0].kind == Node::Kind::word)
      return &elements(node)[0];
    return nullptr;
  }
  Word word_of(const Node& node) {
    const Node* name = name_of(node);
    const KeywordRow* row = name == nullptr ? nullptr : keyword(name->symbol);
    return row == nullptr ? Word::plain : row->word;
  }

  const Node& head_of(const Node& statement) {
    if (word_of(statement) == Word::implies && statement.count > 1) return elements(statement)[1];
    return statement;
  }
  bool is_odd_base(const Node& head) {
    const Node* name = name_of(head);
    const KeywordRow* row = name == nullptr ? nullptr : keyword(name->symbol);
    return row != nullptr && row->keyword == Keyword::base && head.kind == Node::Kind::list && head.count != 2;
  }
  // The rule has a condition on `base` or `input`; such a program uses them as ordinary relations.
  bool asks_for_base(const Node& rule) {
    return word_of(rule) == Word::implies && rule.count > 2 &&
           std::ranges::any_of(elements(rule).subspan(2), [&](const Node& part) { return is_about_base(part); });
  }
  bool is_about_base(const Node& formula) {
    const Node* name = name_of(formula);
    const KeywordRow* row = name == nullptr ? nullptr : keyword(name->symbol);
    if (row == nullptr) return false;
    if (row->word == Word::keyword) return row->keyword == Keyword::base || row->keyword == Keyword::input;
    return formula.kind == Node::Kind::list &&
           std::ranges::any_of(elements(formula).subspan(1), [&](const Node& part) { return is_about_base(part); });
  }

  // --- Terms and sentences. ---
  Pattern variable(const Node& node) {
    const auto [it, fresh] =
        variable_number_.try_emplace(node.symbol, static_cast<std::uint32_t>(rule_.variables.size()));
    if (fresh) rule_.variables.push_back(node.symbol);
    return Pattern::variable(it->second);
  }

  Pattern term(const Node& node) {
    switch (node.kind) {
      case Node::Kind::word:
        return program_.patterns.constant(node.symbol);
      case Node::Kind::variable:
        return variable(node);
      case Node::Kind::list:
        break;
    }
    const Node* name = name_of(node);
    if (name == nullptr) {
      fail(node.where, node.count == 0 ? "an empty list is no term" : "a term must begin with a function symbol",
           "write (f x y) with a word f");
    }
    std::vector<Pattern> arguments;
    arguments.reserve(node.count - 1);
    for (const Node& argument : elements(node).subspan(1)) arguments.push_back(term(argument));
    return program_.patterns.make(name->symbol, arguments);
  }

  Literal sentence(const Node& node, bool negated) {
    const Node* name = name_of(node);
    if (node.kind == Node::Kind::variable) fail(node.where, "a variable cannot stand for a whole sentence");
    if (name == nullptr) {
      fail(node.where,
           node.count == 0 ? "an empty list is no sentence" : "a sentence must begin with the name of a relation",
           node.count != 0 && elements(node)[0].kind == Node::Kind::variable ? "a variable cannot be a relation" : "");
    }
    Literal literal;
    literal.negated = negated;
    literal.where = node.where;
    const KeywordRow* row = keyword(name->symbol);
    const std::uint32_t arity = node.kind == Node::Kind::word ? 0 : node.count - 1;
    Keyword kind = Keyword::none;
    if (row != nullptr && row->word == Word::keyword) kind = row->keyword;
    if (row != nullptr && row->word != Word::keyword)
      fail(node.where, fmt::format("'{}' cannot be used as a relation here", program_.symbols.text(name->symbol)));
    if (kind != Keyword::none && row->arity != arity && kind != Keyword::base && kind != Keyword::input) {
      fail(node.where,
           fmt::format("'{}' takes {} argument{}, not {}", row->text, row->arity, row->arity == 1 ? "" : "s", arity));
    }
    literal.arguments.reserve(arity);
    if (arity > 0)
      for (const Node& argument : elements(node).subspan(1)) literal.arguments.push_back(term(argument));
    literal.predicate = program_.predicate(name->symbol, arity, kind, name->where);
    return literal;
  }

  // --- Bodies. ---
  Alternatives formula(const Node& node, bool negated) {
    switch (word_of(node)) {
      case Word::negation:
        if (node.kind != Node::Kind::list || node.count != 2) fail(node.where, "'not' takes one sentence");
        return formula(elements(node)[1], !negated);
      case Word::conjunction:
      case Word::disjunction: {
        const bool is_or = (word_of(node) == Word::disjunction) != negated;
        if (node.kind != Node::Kind::list || (node.count < 2 && word_of(node) == Word::disjunction))
          fail(node.where, "'or' takes at least one sentence");
        Alternatives result;
        if (!is_or) result.emplace_back();
        for (const Node& part : elements(node).subspan(1)) {
          Alternatives next = formula(part, negated);
          if (is_or) {
            std::ranges::move(next, std::back_inserter(result));
          } else {
            result = product(result, next);
          }
          if (result.size() > kMaxAlternatives)
            fail(node.where, fmt::format("more than {} alternatives in one formula", kMaxAlternatives),
                 "name parts of it by relations of their own; " + kMaxAlternatives.advice());
        }
        return result;
      }
      case Word::implies:
        fail(node.where, "'<=' inside a rule", "a ')' may be missing before it");
      case Word::plain:
      case Word::keyword:
        break;
    }
    Literal literal = sentence(node, negated);
    check_in_body(literal);
    if (program_[literal.predicate].keyword == Keyword::distinct && negated) {
      literal.negated = false;
      literal.predicate = program_.predicate(program_.symbols.intern("#="), 2, Keyword::equal, {});
    }
    return {{std::move(literal)}};
  }

  void check_in_body(const Literal& literal) {
    const Keyword kind = program_[literal.predicate].keyword;
    if (kind == Keyword::init || kind == Keyword::next) {
      diagnostics_.error(literal.where,
                         fmt::format("'{}' cannot be used in the body of a rule",
                                     program_.symbols.text(program_[literal.predicate].name)),
                         kind == Keyword::next ? "the next state is known only after the step; use 'true'"
                                               : "use 'true', or a relation that both rules share");
    }
  }

  static Alternatives product(const Alternatives& a, const Alternatives& b) {
    Alternatives result;
    if (a.size() * b.size() > 4 * kMaxAlternatives) return Alternatives(4 * kMaxAlternatives);
    for (const Conjunction& x : a) {
      for (const Conjunction& y : b) {
        result.push_back(x);
        result.back().insert(result.back().end(), y.begin(), y.end());
      }
    }
    return result;
  }

  // --- Statements. ---
  void statement(const Node& node) try {
    rule_ = Rule();
    variable_number_.clear();
    rule_.where = node.where;
    const bool is_rule = word_of(node) == Word::implies;
    if (is_rule && (node.kind != Node::Kind::list || node.count < 2)) fail(node.where, "'<=' needs a head");
    const Node& head = is_rule ? elements(node)[1] : node;
    if (word_of(head) != Word::plain && word_of(head) != Word::keyword) {
      fail(head.where,
           fmt::format("'{}' cannot begin the head of a rule", program_.symbols.text(name_of(head)->symbol)),
           word_of(head) == Word::negation ? "heads are never negated" : "");
    }
    rule_.head = sentence(head, false);
    const Keyword kind = program_[rule_.head.predicate].keyword;
    if (kind == Keyword::fact || kind == Keyword::does || kind == Keyword::distinct) {
      fail(head.where, fmt::format("'{}' cannot be the head of a rule", program_.symbols.text(name_of(head)->symbol)),
           kind == Keyword::fact   ? "use 'init' or 'next'"
           : kind == Keyword::does ? "use 'legal'"
                                   : "");
    }
    if (ignore_base_ && (kind == Keyword::base || kind == Keyword::input)) return;
    program_.predicates[rule_.head.predicate.value].defined = true;
    if (!is_rule) {
      add({});
      return;
    }
    std::vector<Alternatives> parts;
    for (const Node& part : elements(node).subspan(2)) parts.push_back(formula(part, false));
    shrink(parts);
    Alternatives all(1);
    for (const Alternatives& part : parts) all = product(all, part);
    for (Conjunction& body : all) add(std::move(body));
  } catch (const Failure&) {
  }

  // Replaces disjunctions by auxiliary predicates until the product of the alternatives is small.
  void shrink(std::vector<Alternatives>& parts) {
    for (;;) {
      std::uint64_t size = 1;
      std::size_t largest = 0;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        size = std::min<std::uint64_t>(size * std::max<std::size_t>(parts[i].size(), 1), kGroundLimits.product + 1);
        if (parts[i].size() > parts[largest].size()) largest = i;
      }
      if (size <= kGroundLimits.product || parts[largest].size() < 2) return;
      Literal named = name_disjunction(parts, largest);
      parts[largest] = {{std::move(named)}};
    }
  }

  Literal name_disjunction(const std::vector<Alternatives>& parts, std::size_t which) {
    std::vector<bool> inside(rule_.variables.size());
    std::vector<bool> outside(rule_.variables.size());
    const auto mark = [&](const Literal& literal, std::vector<bool>& set) {
      for (const Pattern p : literal.arguments)
        program_.patterns.for_each_variable(p, [&](std::uint32_t v) { set[v] = true; });
    };
    mark(rule_.head, outside);
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (const Conjunction& c : parts[i])
        for (const Literal& l : c) mark(l, i == which ? inside : outside);
    Literal named;
    for (std::uint32_t v = 0; v < inside.size(); ++v)
      if (inside[v] && outside[v]) named.arguments.push_back(Pattern::variable(v));
    named.predicate = program_.auxiliary(static_cast<std::uint32_t>(named.arguments.size()), rule_.where);
    named.where = rule_.where;
    const Rule saved = rule_;
    for (Conjunction body : parts[which]) {
      rule_.head = named;
      bind_missing(named, parts, body);
      add(std::move(body));
      rule_ = saved;
    }
    return named;
  }

  // Adds literals of the rest of the rule that bind the variables of `named` that `body` leaves unbound.
  void bind_missing(const Literal& named, const std::vector<Alternatives>& parts, Conjunction& body) {
    for (const Pattern wanted : named.arguments) {
      const auto binds = [&](const Literal& l) {
        const Keyword kind = program_[l.predicate].keyword;
        if (l.negated || kind == Keyword::distinct || kind == Keyword::equal) return false;
        return std::ranges::any_of(l.arguments,
                                   [&](Pattern p) { return program_.patterns.occurs(wanted.number(), p); });
      };
      if (std::ranges::any_of(body, binds)) continue;
      for (const Alternatives& part : parts) {
        if (part.size() != 1) continue;
        const auto found = std::ranges::find_if(part[0], binds);
        if (found == part[0].end()) continue;
        body.push_back(*found);
        break;
      }
    }
  }

  // --- One rule. ---
  void add(Conjunction body) {
    Rule rule = rule_;
    rule.body = std::move(body);
    if (!solve_equalities(rule) || !simplify_body(rule)) return;
    bind_role(rule);
    const bool ground = std::ranges::all_of(rule.head.arguments, &Pattern::is_ground);
    if (!rule.body.empty() || !ground) {
      program_.rules.push_back(std::move(rule));
      return;
    }
    program_.facts.push_back(
        {rule.head.predicate, static_cast<std::uint32_t>(program_.fact_arguments.size()), rule.where});
    for (const Pattern p : rule.head.arguments) program_.fact_arguments.push_back(p.term());
  }

  bool solve_equalities(Rule& rule) {
    const auto is_equal = [&](const Literal& l) { return program_[l.predicate].keyword == Keyword::equal; };
    if (std::ranges::none_of(rule.body, is_equal)) return true;
    Substitution solution(program_.patterns, rule.variables.size());
    for (const Literal& literal : rule.body)
      if (is_equal(literal) && !solution.unify(literal.arguments[1], literal.arguments[0])) return false;
    std::erase_if(rule.body, is_equal);
    rule.head = solution.apply(std::move(rule.head));
    for (Literal& literal : rule.body) literal = solution.apply(std::move(literal));
    return true;
  }

  // False if the rule can never fire.
  bool simplify_body(Rule& rule) {
    const Patterns& patterns = program_.patterns;
    std::vector<Literal> kept;
    for (Literal& literal : rule.body) {
      if (program_[literal.predicate].keyword == Keyword::distinct) {
        const Pattern a = literal.arguments[0];
        const Pattern b = literal.arguments[1];
        if (a == b) return false;
        if (a.is_ground() && b.is_ground()) continue;
        if (!a.is_variable() && !b.is_variable() &&
            (patterns.symbol(a) != patterns.symbol(b) || patterns.arity(a) != patterns.arity(b)))
          continue;
      }
      const auto same = std::ranges::find_if(kept, [&](const Literal& other) {
        return other.predicate == literal.predicate && other.arguments == literal.arguments;
      });
      if (same == kept.end()) {
        kept.push_back(std::move(literal));
      } else if (same->negated != literal.negated) {
        return false;
      }
    }
    rule.body = std::move(kept);
    return true;
  }

  // Binds an unbound role: old descriptions write (legal ?p noop) for every role.
  void bind_role(Rule& rule) {
    const Keyword kind = program_[rule.head.predicate].keyword;
    if (kind != Keyword::legal && kind != Keyword::goal && kind != Keyword::input && kind != Keyword::sees) return;
    if (rule.head.arguments.empty() || !rule.head.arguments[0].is_variable()) return;
    const std::uint32_t v = rule.head.arguments[0].number();
    const bool bound = std::ranges::any_of(rule.body, [&](const Literal& l) {
      return !l.negated && program_[l.predicate].keyword != Keyword::distinct &&
             std::ranges::any_of(l.arguments, [&](Pattern p) { return program_.patterns.occurs(v, p); });
    });
    if (bound) return;
    Literal role;
    role.predicate = program_.predicate(program_.symbols.intern("role"), 1, Keyword::role, rule.head.where);
    role.arguments = {rule.head.arguments[0]};
    role.where = rule.head.where;
    rule.body.push_back(std::move(role));
  }

  static constexpr std::int8_t kUnknown = -2;
  static constexpr std::int8_t kPlain = -1;

  const Tree& tree_;
  Diagnostics& diagnostics_;
  Program program_;
  std::vector<std::int8_t> keyword_of_;
  std::unordered_map<SymbolId, std::uint32_t> variable_number_;
  Rule rule_;
  bool ignore_base_ = false;
};

}  // namespace

Program normalise(const Tree& tree, Symbols symbols, Diagnostics& diagnostics) {
  return Normaliser(tree, std::move(symbols), diagnostics).run();
}

}  // namespace rgtrans::gdl
