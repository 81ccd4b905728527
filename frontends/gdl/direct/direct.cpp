#include "frontends/gdl/direct/direct.hpp"

#include <algorithm>

#include "core/support/sorted.hpp"
#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/syntax/predicate_graph.hpp"
#include "frontends/gdl/syntax/separate.hpp"

namespace rgtrans::gdl {

namespace {

Program read_rules(const std::string& text, const std::string& name, bool fold_case,
                   const std::shared_ptr<Sources>& sources, const std::string& more) {
  Diagnostics diagnostics(sources);
  const Sources::File& file = sources->add(name, text);
  const Sources::File* added = more.empty() ? nullptr : &sources->add("<claims>", more);
  Program program = read_program(file, diagnostics, fold_case, added);
  diagnostics.throw_if_errors();
  return program;
}

// Calls f and turns an exceeded limit into an Error.
template <class F>
void within_limits(const std::shared_ptr<Sources>& sources, F&& f) try {
  f();
} catch (const GroundingStopped& stop) {
  Diagnostics diagnostics(sources);
  diagnostics.error(stop.where, stop.message, stop.hint);
  diagnostics.throw_if_errors();
}

// A rule that negates a relation which depends on its head; null if there is none.
const Rule* self_negation(const Program& program) {
  const std::vector<std::uint32_t> component = program.components();
  const auto found = std::ranges::find_if(program.rules, [&](const Rule& rule) {
    return std::ranges::any_of(rule.body, [&](const Literal& l) {
      return l.negated && component[l.predicate.value] == component[rule.head.predicate.value];
    });
  });
  return found == program.rules.end() ? nullptr : &*found;
}

// Serialises a number, seven bits a byte; all bytes but the last have the highest bit.
void write_number(std::size_t number, std::vector<std::byte>& out) {
  for (; number >= 0x80; number >>= 7U) out.push_back(static_cast<std::byte>(number | 0x80U));
  out.push_back(static_cast<std::byte>(number));
}

[[noreturn]] void no_state() { throw Error("these bytes are no state of this game"); }

std::size_t read_number(std::span<const std::byte>& bytes) {
  std::size_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (bytes.empty() || shift > 28) no_state();
    const auto byte = std::to_integer<std::size_t>(bytes.front());
    bytes = bytes.subspan(1);
    number |= (byte & 0x7fU) << shift;
    if (byte < 0x80) return number;
  }
}

// Serialises a term: its arity, the length of its name, its name, its arguments.
void write_term(const Program& program, TermId term, std::vector<std::byte>& out) {
  const Terms& terms = program.patterns.terms;
  const std::string_view name = program.symbols.text(terms.symbol(term));
  write_number(terms.arity(term), out);
  write_number(name.size(), out);
  for (const char c : name) out.push_back(static_cast<std::byte>(c));
  for (const TermId argument : terms.arguments(term)) write_term(program, argument, out);
}

constexpr std::size_t kDeepestTerm = 10'000;

TermId read_term(Program& program, std::span<const std::byte>& bytes, std::size_t depth = 0) {
  const std::size_t arity = read_number(bytes);
  const std::size_t length = read_number(bytes);
  // Each argument takes bytes, too.
  if (depth > kDeepestTerm || length > bytes.size() || arity > bytes.size() - length) no_state();
  std::string name;
  for (const std::byte c : bytes.first(length)) name += static_cast<char>(c);
  bytes = bytes.subspan(length);
  std::vector<TermId> arguments(arity);
  for (TermId& argument : arguments) argument = read_term(program, bytes, depth + 1);
  return program.patterns.terms.intern(program.symbols.intern(name), arguments);
}

}  // namespace

Direct::Direct(const std::string& text, const std::string& name, bool fold_case) : Direct(text, name, fold_case, "") {}

Direct::Direct(const std::string& text, const std::string& name, bool fold_case, const std::string& more)
    : sources_(std::make_shared<Sources>()), program_(read_rules(text, name, fold_case, sources_, more)) {
  prepare();
}

Direct::Direct(Program program, std::shared_ptr<Sources> sources)
    : sources_(std::move(sources)), program_(std::move(program)) {
  prepare();
}

void Direct::prepare() {
  EngineLimits limits;
  for (std::uint32_t t = 0; t < program_.patterns.terms.size(); ++t)
    limits.max_depth = std::max(limits.max_depth, program_.patterns.terms.depth(TermId(t)) + 20);
  // A relation may query itself with other constants.
  if (self_negation(program_) != nullptr) separate(program_);
  engine_ = std::make_unique<Engine>(program_, limits);
  describe();
  within_limits(sources_, [&] { sort_into_stages(); });
  if (const Relation* init = ask(program_.find_keyword(Keyword::init))) {
    for (std::uint32_t row = 0; row < init->size(); ++row) initial_.push_back(*init->row(row));
  }
  sort_unique(initial_);
  set_state(initial_);
}

std::unique_ptr<Steps> Direct::clone() const {
  std::unique_ptr<Direct> copy(new Direct(program_, sources_));
  copy->set_state(state_);
  return copy;
}

void Direct::describe() {
  const auto find = [&](Keyword keyword) { return program_.find_keyword(keyword); };
  fact_ = find(Keyword::fact);
  does_ = find(Keyword::does);
  legal_ = find(Keyword::legal);
  terminal_ = find(Keyword::terminal);
  goal_ = find(Keyword::goal);
  next_ = find(Keyword::next);
  sees_ = find(Keyword::sees);
  for (const TermId role : program_.roles) {
    if (program_.random.valid() && program_.patterns.terms.symbol(role) == program_.random)
      random_ = static_cast<std::uint32_t>(roles_.size());
    roles_.push_back(text(role));
  }
  imperfect_ = random_ != kNone || (sees_.valid() && program_[sees_].defined);
  const auto goal = [&](TermId value) { most_goal_ = std::max(most_goal_, goal_number(text(value)).value_or(0)); };
  for (const Fact& fact : program_.facts) {
    if (fact.predicate == goal_) goal(program_.arguments(fact)[1]);
  }
  for (const Rule& rule : program_.rules) {
    if (rule.head.predicate != goal_) continue;
    const Pattern value = rule.head.arguments[1];
    if (value.is_ground()) goal(value.term());
    if (!value.is_ground()) most_goal_ = std::max(most_goal_, 100);
  }
}

// --- Dependencies. ---

void Direct::sort_into_stages() {
  if (const Rule* rule = self_negation(program_)) {
    throw GroundingStopped{rule->where, "a relation depends on its own negation",
                           "the rules are only played as they stand where negation is stratified"};
  }
  const std::size_t count = program_.predicates.size();
  const Components components = PredicateGraph(program_).components();
  const auto component = [&](PredId p) { return components.of[p.value]; };
  struct Component {
    std::vector<PredId> members;
    std::vector<const Rule*> rules;
    std::vector<std::uint32_t> stages;  // the stages to complete before it, and its own
    bool recursive = false, state = false, moves = false;
  };
  std::vector<Component> all(components.count);
  for (std::uint32_t p = 0; p < count; ++p) {
    Component& own = all[components.of[p]];
    own.members.emplace_back(p);
    own.moves = own.moves || PredId(p) == does_;
    own.state = own.state || own.moves || PredId(p) == fact_;
  }
  for (const Rule& rule : program_.rules) all[component(rule.head.predicate)].rules.push_back(&rule);
  for (const Fact& fact : program_.facts) {
    if (!all[component(fact.predicate)].state) insert(fact);
  }
  stages_for_.resize(count);
  for (Component& own : all) {  // bodies come first
    for (const Rule* rule : own.rules) {
      for (const Literal& literal : rule->body) {
        const Component& other = all[component(literal.predicate)];
        own.recursive = own.recursive || &other == &own;
        own.state = own.state || other.state;
        own.moves = own.moves || other.moves;
        own.stages.insert(own.stages.end(), other.stages.begin(), other.stages.end());
      }
    }
    const bool given = own.members.front() == fact_ || own.members.front() == does_;
    if (!given) {
      Stage stage = make_stage(own.members, own.rules, own.recursive);
      stage.moves = own.moves;
      if (own.state) {
        own.stages.push_back(static_cast<std::uint32_t>(stages_.size()));
        stages_.push_back(std::move(stage));
      } else {
        complete(stage);
      }
    }
    sort_unique(own.stages);
    for (const PredId p : own.members) stages_for_[p.value] = own.stages;
  }
}

Direct::Stage Direct::make_stage(std::span<const PredId> members, std::span<const Rule* const> rules, bool recursive) {
  Stage stage;
  for (const PredId p : members) stage.members.push_back(relation(p));
  for (const Fact& fact : program_.facts) {
    if (std::ranges::find(members, fact.predicate) != members.end()) stage.facts.push_back(&fact);
  }
  stage.recursive = recursive;
  engine_->open_component(stage.members, recursive);
  stage.first = static_cast<std::uint32_t>(engine_->rule_count());
  for (const Rule* rule : rules) engine_->add_rule(compile(*rule));
  stage.last = static_cast<std::uint32_t>(engine_->rule_count());
  return stage;
}

EngineRule Direct::compile(const Rule& rule) {
  EngineRule result;
  result.source = &rule;
  result.variables = static_cast<std::uint32_t>(rule.variables.size());
  result.head.relation = relation(rule.head.predicate);
  result.head.arguments = rule.head.arguments;
  for (const Literal& literal : rule.body) result.body.push_back(compile(literal));
  return result;
}

EngineLiteral Direct::compile(const Literal& literal) {
  EngineLiteral result;
  result.negated = literal.negated;
  result.arguments = literal.arguments;
  if (program_[literal.predicate].keyword == Keyword::distinct) return result;
  result.relation = relation(literal.predicate);
  const bool fact = literal.predicate == fact_;
  const Pattern term = literal.arguments.empty() ? Pattern{} : literal.arguments.back();
  if ((!fact && literal.predicate != does_) || term.is_variable()) return result;
  const Patterns& patterns = program_.patterns;
  const SymbolId functor = patterns.symbol(term);
  const std::uint32_t arity = patterns.arity(term);
  result.arguments.pop_back();
  for (std::uint32_t i = 0; i < arity; ++i) result.arguments.push_back(patterns.argument(term, i));
  result.relation = shape(fact ? fact_shapes_ : move_shapes_, functor, arity, arity + (fact ? 0 : 1));
  return result;
}

RelId Direct::shape(std::vector<Shape>& shapes, SymbolId functor, std::uint32_t arity, std::uint32_t columns) {
  const auto known =
      std::ranges::find_if(shapes, [&](const Shape& s) { return s.functor == functor && s.arity == arity; });
  if (known != shapes.end()) return known->relation;
  shapes.push_back({functor, arity, relation(program_.auxiliary(columns, {}))});
  return shapes.back().relation;
}

void Direct::insert(const Fact& fact) {
  std::vector<std::uint32_t> tuple;
  for (const TermId term : program_.arguments(fact)) tuple.push_back(term.value);
  engine_->insert(relation(fact.predicate), tuple.data());
}

// --- The current state. ---

void Direct::clear(Stage& stage) {
  stage.done = false;
  for (const RelId id : stage.members) tuples(id).clear();
}

void Direct::complete(Stage& stage) {
  engine_->open_component(stage.members, stage.recursive);
  for (const Fact* fact : stage.facts) insert(*fact);
  engine_->complete_component(stage.first, stage.members, stage.last);
  stage.done = true;
}

const Relation* Direct::ask(PredId predicate) {
  if (!predicate.valid()) return nullptr;
  within_limits(sources_, [&] {
    for (const std::uint32_t s : stages_for_[predicate.value]) {
      if (!stages_[s].done) complete(stages_[s]);
    }
  });
  return &tuples(relation(predicate));
}

void Direct::forget(PredId predicate, std::span<const Shape> shapes) {
  if (predicate.valid()) tuples(relation(predicate)).clear();
  for (const Shape& shape : shapes) tuples(shape.relation).clear();
}

void Direct::add(PredId predicate, std::span<const Shape> shapes, std::span<const std::uint32_t> tuple) {
  if (!predicate.valid()) return;
  tuples(relation(predicate)).insert(tuple.data());
  const Terms& terms = program_.patterns.terms;
  const TermId term(tuple.back());
  for (const Shape& shape : shapes) {
    if (shape.functor != terms.symbol(term) || shape.arity != terms.arity(term)) continue;
    std::vector<std::uint32_t> row(tuple.begin(), tuple.end() - 1);
    for (const TermId argument : terms.arguments(term)) row.push_back(argument.value);
    tuples(shape.relation).insert(row.data());
  }
}

void Direct::settle(PredId predicate, std::span<const Shape> shapes) {
  if (predicate.valid()) tuples(relation(predicate)).settle();
  for (const Shape& shape : shapes) tuples(shape.relation).settle();
}

void Direct::set_state(const State& state) {
  state_ = state;
  for (Stage& stage : stages_) clear(stage);
  forget(fact_, fact_shapes_);
  forget(does_, move_shapes_);
  for (const std::uint64_t fact : state_) {
    const auto term = static_cast<std::uint32_t>(fact);
    add(fact_, fact_shapes_, {&term, 1});
  }
  settle(fact_, fact_shapes_);
}

void Direct::set_moves(std::span<const std::uint32_t> joint) {
  for (Stage& stage : stages_) {
    if (stage.moves) clear(stage);
  }
  forget(does_, move_shapes_);
  for (std::size_t r = 0; r < joint.size(); ++r) {
    const std::uint32_t tuple[2] = {program_.roles[r].value, joint[r]};
    add(does_, move_shapes_, tuple);
  }
  settle(does_, move_shapes_);
}

bool Direct::terminal() {
  const Relation* const found = ask(terminal_);
  return found != nullptr && found->size() > 0;
}

std::vector<TermId> Direct::ask(PredId predicate, std::uint32_t role) {
  std::vector<TermId> out;
  const Relation* const found = ask(predicate);
  for (std::uint32_t row = 0; found != nullptr && row < found->size(); ++row) {
    if (found->row(row)[0] == program_.roles[role].value) out.emplace_back(found->row(row)[1]);
  }
  return out;
}

void Direct::legal(std::uint32_t role, std::vector<std::uint32_t>& out) {
  out.clear();
  for (const TermId move : ask(legal_, role)) out.push_back(move.value);
  std::ranges::sort(out, {}, [&](std::uint32_t move) -> const std::string& { return text(TermId(move)); });
}

int Direct::goal(std::uint32_t role) {
  int best = 0;
  for (const TermId value : ask(goal_, role)) best = std::max(best, goal_of(text(value)));
  return best;
}

std::vector<std::string> Direct::percepts(std::span<const std::uint32_t> joint, std::uint32_t role) {
  set_moves(joint);
  std::vector<std::string> out;
  for (const TermId percept : ask(sees_, role)) out.push_back(text(percept));
  std::ranges::sort(out);
  return out;
}

void Direct::step(std::span<const std::uint32_t> joint) {
  set_moves(joint);
  State next;
  const Relation* const found = ask(next_);
  for (std::uint32_t row = 0; found != nullptr && row < found->size(); ++row) next.push_back(*found->row(row));
  sort_unique(next);
  set_state(next);
}

bool Direct::holds(const std::string& relation, std::span<const std::uint32_t> joint) {
  const SymbolId name = program_.symbols.find(relation);
  const auto known = std::ranges::find_if(
      program_.predicates, [&](const Predicate& p) { return p.name == name && p.arity == 0 && p.defined; });
  if (known == program_.predicates.end()) return false;
  if (!joint.empty()) set_moves(joint);
  return ask(PredId(static_cast<std::size_t>(known - program_.predicates.begin())))->size() > 0;
}

std::vector<std::string> Direct::facts() const {
  std::vector<std::string> out;
  for (const std::uint64_t fact : state_) out.push_back(text(TermId(static_cast<std::uint32_t>(fact))));
  std::ranges::sort(out);
  return out;
}

// Serialises the move of each role, or its absence, then the facts in the order of their texts.
std::vector<std::byte> Direct::bytes(std::span<const std::uint32_t> joint) const {
  std::vector<std::byte> out;
  for (const std::uint32_t move : joint) {
    out.push_back(static_cast<std::byte>(move == kNone ? 0 : 1));
    if (move != kNone) write_term(program_, TermId(move), out);
  }
  std::vector<TermId> sorted;
  for (const std::uint64_t fact : state_) sorted.emplace_back(static_cast<std::uint32_t>(fact));
  std::ranges::sort(sorted, {}, [&](TermId term) -> const std::string& { return text(term); });
  for (const TermId term : sorted) write_term(program_, term, out);
  return out;
}

void Direct::read(std::span<const std::byte> bytes, std::span<std::uint32_t> joint) {
  for (std::uint32_t& move : joint) {
    if (bytes.empty()) no_state();
    const bool chosen = bytes.front() != std::byte{0};
    bytes = bytes.subspan(1);
    move = chosen ? read_term(program_, bytes).value : kNone;
  }
  State state;
  while (!bytes.empty()) state.push_back(read_term(program_, bytes).value);
  sort_unique(state);
  set_state(state);
}

const std::string& Direct::text(TermId term) const {
  std::string& known = texts_[term.value];
  if (known.empty()) known = program_.text(term);
  return known;
}

}  // namespace rgtrans::gdl
