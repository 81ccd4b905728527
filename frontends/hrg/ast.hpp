// The syntax tree of an HRG text. Nodes are stored in flat pools and refer to each other by ids and lists (ranges of a
// pool). A tree thus takes few allocations and is traversed without following ownership.
#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::hrg::ast {

template <class T>
struct List {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  [[nodiscard]] bool empty() const { return count == 0; }
};

struct Name {
  SymbolId symbol;
  Range where;
};

using ExprId = Id<struct ExprTag>;
using TypeId = Id<struct TypeTag>;

enum class Operator : std::uint8_t {
  add,
  subtract,
  remainder,
  in,
  equal,
  unequal,
  less,
  less_equal,
  greater,
  greater_equal
};

enum class ExpressionKind : std::uint8_t {
  wildcard,     // _ (patterns only)
  name,         // x
  constructor,  // C(args)
  access,       // args[0] [ args[1] ]
  call,         // args[0] ( args[1], … )
  binary,       // args[0] op args[1]
  all,          // args joined by &&
  any,          // args joined by ||
  negation,     // ! args[0]
  conditional,  // if args[0] then args[1] else args[2]
  map,          // { entries }
};

struct WhereRange {  // variable in first..last, or variable in { names }
  Name variable;
  Range where;
  bool numeric = false;
  std::int64_t first = 0;
  std::int64_t last = 0;
  List<Name> names;
};

struct Entry {  // pattern = value where ranges; no pattern for the default entry
  ExprId pattern;
  ExprId value;
  List<WhereRange> ranges;
  Range where;
};

struct Expr {
  ExpressionKind kind = ExpressionKind::name;
  Operator op = Operator::add;
  std::uint16_t depth = 1;
  Range where = {};
  SymbolId name = {};  // for a name or a constructor
  List<ExprId> args = {};
  List<Entry> entries = {};
  // Set by name resolution: the slot of a bound name, or kFree.
  std::uint32_t slot = kNone;

  static constexpr std::uint32_t kFree = 0xfffffffeU;  // a symbol, not a bound name
};

enum class TypeForm : std::uint8_t { name, set, arrow };

struct Type {
  TypeForm kind = TypeForm::name;
  Range where;
  Name name;
  List<Name> members;
  TypeId from, to;
};

struct Element {  // a plain name, or a constructor with arguments
  Name name;
  bool constructor = false;
  List<Name> args;
  List<WhereRange> ranges;
  Range where;
};

struct Domain {
  Name name;
  List<Element> elements;
  Range where;
};

struct Case {
  Name name;
  List<ExprId> patterns;
  ExprId body;
  Range where;
};

struct Function {
  Name name;
  TypeId type;
  List<Case> cases;
  Range where;
};

struct VariableRule {
  Name name;
  TypeId type;
  ExprId initial;  // may be absent
  Range where;
};

struct Statement;
struct Block {
  List<Statement> statements;
  Range where;
};

enum class StatementKind : std::uint8_t {
  assign,        // name [indices] = value; exprs: indices, then the value
  assign_any,    // name [indices] = type(*)
  branch,        // blocks
  branch_in,     // name, type, block
  loop,          // block
  repeat,        // count, block
  repeat_in,     // name, type, block
  while_,        // exprs[0], block
  if_,           // exprs[0], block, optionally a second block
  call,          // name(exprs)
  tag,           // names, joined
  tag_variable,  // name
};

struct Statement {
  StatementKind kind = StatementKind::call;
  bool artificial = false;  // for a tag
  bool jumps_out = false;   // for a loop: its body contains a break() of this loop
  bool jumps_back = false;  // … a continue()
  Range where;
  Name name;
  List<ExprId> exprs;
  List<Name> names;
  List<Block> blocks;
  TypeId type;
  std::uint64_t count = 0;
};

struct Param {
  Name name;
  TypeId type;
};

struct GraphRule {
  Name name;
  bool reusable = false;
  List<Param> params;
  Block body;
  Range where;
};

class Program {
 public:
  std::vector<Domain> domains;
  std::vector<Function> functions;
  std::vector<VariableRule> variables;
  std::vector<GraphRule> graphs;

  [[nodiscard]] const Expr& operator[](ExprId id) const { return exprs[id.value]; }
  [[nodiscard]] Expr& operator[](ExprId id) { return exprs[id.value]; }
  [[nodiscard]] const Type& operator[](TypeId id) const { return types[id.value]; }

  template <class T>
  [[nodiscard]] std::span<const T> items(List<T> list) const {
    return {std::get<std::vector<T>>(pools_).data() + list.first, list.count};
  }
  template <class T>
  [[nodiscard]] std::span<T> items(List<T> list) {
    return {std::get<std::vector<T>>(pools_).data() + list.first, list.count};
  }
  // All nodes of one kind, in no particular order.
  template <class T>
  [[nodiscard]] const std::vector<T>& pool() const {
    return std::get<std::vector<T>>(pools_);
  }
  // Moves the items of `stack` from position `from` on into the pool.
  template <class T>
  List<T> take(std::vector<T>& stack, std::size_t from) {
    std::vector<T>& pool = std::get<std::vector<T>>(pools_);
    const List<T> list{static_cast<std::uint32_t>(pool.size()), static_cast<std::uint32_t>(stack.size() - from)};
    pool.insert(pool.end(), stack.begin() + static_cast<std::ptrdiff_t>(from), stack.end());
    stack.resize(from);
    return list;
  }

  std::vector<Expr> exprs;
  std::vector<Type> types;

 private:
  std::tuple<std::vector<Name>, std::vector<ExprId>, std::vector<Entry>, std::vector<WhereRange>, std::vector<Element>,
             std::vector<Case>, std::vector<Statement>, std::vector<Block>, std::vector<Param>>
      pools_;
};

}  // namespace rgtrans::hrg::ast
