// The text of a certificate. Lines add rows to the tables of a game, change rows, and give the record of a pass; ids
// are positions in the tables. Each line ends with a checksum of the text up to it, so that a damage is found in its
// line, and the last line is a fingerprint of all before it.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/certificate/certificate.hpp"
#include "core/recorder/recorder.hpp"
#include "core/support/digest.hpp"

namespace rgtrans::certificate {

namespace {

// Ids, each behind a space.
std::string numbers(const auto& ids) {
  std::string text;
  for (const auto id : ids) text += fmt::format(" {}", id.value);
  return text;
}

// Of most pragmas the checker only asks whether they are equal.
std::string pragma_text(const ir::Pragma& pragma) {
  return std::visit(ir::Overloaded{
                        [](const ir::ArtificialTag& p) { return "artificial" + numbers(p.tags); },
                        [](const ir::Disjoint& p) {
                          return fmt::format("disjoint {} {}", p.exhaustive ? 1 : 0, p.node.value) + numbers(p.targets);
                        },
                        [](const ir::Integer& p) { return fmt::format("integer {}", p.offset) + numbers(p.symbols); },
                        [](const ir::Iterator& p) {
                          return fmt::format("iterator {} {} {} {}", p.a.value, p.b.value, p.c.value, p.variable.value);
                        },
                        [](const ir::Repeat& p) { return "repeat" + numbers(p.nodes) + " :" + numbers(p.variables); },
                        [](const ir::Unique& p) { return "unique" + numbers(p.nodes); },
                        [](const ir::SimpleApply& p) {
                          std::string text =
                              fmt::format("apply {} {} {}", p.exhaustive ? 1 : 0, p.from.value, p.to.value);
                          for (const auto& tag : p.tags) text += fmt::format(" {} {}", tag.name.value, tag.type.value);
                          for (const auto& effect : p.effects)
                            text += fmt::format(" : {} {}", effect.lhs.value, effect.rhs.value);
                          return text;
                        },
                        [](const ir::TagIndex& p) {
                          return fmt::format("tag-index {} {}", p.maximum ? 1 : 0, p.index) + numbers(p.nodes);
                        },
                        [](const ir::TranslatedFromRbg&) -> std::string { return "rbg"; },
                        [](const ir::Unknown& p) {
                          std::string text = "other " + p.content;
                          std::ranges::replace_if(
                              text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
                          return text;
                        },
                    },
                    pragma.content);
}

// Writes the lines that turn one version of a game into the next.
class Differences {
 public:
  Differences(const ir::Game& before, const ir::Game& after) : before_(before), after_(after) {}

  std::string run() {
    tables();
    declarations();
    expressions();
    graph();
    pragmas();
    return std::move(text_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> form, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Args>(args)...);
    text_ += '\n';
  }

  void tables() {
    for (std::size_t i = before_.symbols.size(); i < after_.symbols.size(); ++i)
      line("symbol {}", after_.symbols.text(SymbolId(i)));
    for (std::size_t i = before_.types.size(); i < after_.types.size(); ++i) {
      const TypeId id(i);
      if (after_.types.kind(id) == ir::TypeKind::arrow) {
        line("arrow {} {}", after_.types.from(id).value, after_.types.to(id).value);
      } else if (after_.types.kind(id) == ir::TypeKind::alias) {
        line("alias {}", after_.types.alias_name(id).value);
      } else {
        text_ += "set";
        for (const SymbolId member : after_.types.members(id)) text_ += fmt::format(" {}", member.value);
        text_ += '\n';
      }
    }
    for (std::size_t i = before_.values.size(); i < after_.values.size(); ++i) {
      const ValueId id(i);
      if (after_.values.is_symbol(id)) {
        line("value {}", after_.values.as_symbol(id).value);
        continue;
      }
      text_ += fmt::format("map {}", after_.values.default_of(id).value);
      for (const auto& entry : after_.values.exceptions(id))
        text_ += fmt::format(" {} {}", entry.key.value, entry.value.value);
      text_ += '\n';
    }
  }

  void declarations() {
    for (std::size_t i = 0; i < after_.type_defs().size(); ++i) {
      const ir::TypeDef& now = after_.type_defs()[i];
      const ir::TypeDef* then = i < before_.type_defs().size() ? &before_.type_defs()[i] : nullptr;
      if (then == nullptr || then->type != now.type || then->alive != now.alive)
        line("type {} {} {} {}", i, now.name.value, now.type.value, now.alive ? 1 : 0);
    }
    for (std::size_t i = 0; i < after_.constants().size(); ++i) {
      const ir::Constant& now = after_.constants()[i];
      const ir::Constant* then = i < before_.constants().size() ? &before_.constants()[i] : nullptr;
      if (then == nullptr || then->type != now.type || then->value != now.value || then->alive != now.alive)
        line("const {} {} {} {} {}", i, now.name.value, now.type.value, now.value.value, now.alive ? 1 : 0);
    }
    for (std::size_t i = 0; i < after_.variables().size(); ++i) {
      const ir::Variable& now = after_.variables()[i];
      const ir::Variable* then = i < before_.variables().size() ? &before_.variables()[i] : nullptr;
      if (then == nullptr || then->type != now.type || then->initial != now.initial || then->alive != now.alive)
        line("var {} {} {} {} {}", i, now.name.value, now.type.value, now.initial.value, now.alive ? 1 : 0);
    }
    line("declared");
  }

  void expressions() {
    const ir::Expressions& e = after_.expressions();
    for (std::size_t i = before_.expressions().size(); i < e.size(); ++i) {
      const ExprId id(i);
      switch (e.kind(id)) {
        case ir::ExprKind::symbol:
          line("symbol-of {}", e.symbol(id).value);
          break;
        case ir::ExprKind::constant:
          line("const-of {}", e.constant(id).value);
          break;
        case ir::ExprKind::variable:
          line("var-of {}", e.variable(id).value);
          break;
        case ir::ExprKind::access:
          line("access {} {}", e.map(id).value, e.index(id).value);
          break;
        case ir::ExprKind::cast:
          line("cast {} {}", e.cast_type(id).value, e.operand(id).value);
          break;
      }
    }
  }

  static std::string label_text(const ir::Label& label) {
    return std::visit(ir::Overloaded{
                          [](const ir::Empty&) -> std::string { return "empty"; },
                          [](const ir::Compare& l) {
                            return fmt::format("{} {} {}", l.negated ? "!=" : "==", l.lhs.value, l.rhs.value);
                          },
                          [](const ir::Assign& l) { return fmt::format("= {} {}", l.lhs.value, l.rhs.value); },
                          [](const ir::AssignAny& l) { return fmt::format("any {} {}", l.lhs.value, l.type.value); },
                          [](const ir::Reachability& l) {
                            return fmt::format("{} {} {}", l.negated ? "!" : "?", l.from.value, l.to.value);
                          },
                          [](const ir::Tag& l) { return fmt::format("$ {}", l.symbol.value); },
                          [](const ir::TagVariable& l) { return fmt::format("$$ {}", l.variable.value); },
                      },
                      label);
  }

  void graph() {
    const ir::Automaton &then = before_.graph, &now = after_.graph;
    for (std::size_t i = then.node_bound(); i < now.node_bound(); ++i) {
      const SymbolId name = now.name(NodeId(i));
      if (name.valid()) {
        line("node {}", name.value);
      } else {
        line("node");
      }
    }
    for (std::size_t i = 0; i < now.edge_bound(); ++i) {
      const EdgeId id(i);
      const bool old = i < then.edge_bound();
      const bool was = old && then.alive(id);
      if (!now.alive(id)) {
        if (was || !old) line("no-edge {}", i);
        continue;
      }
      if (was && then.source(id) == now.source(id) && then.target(id) == now.target(id) &&
          then.label(id) == now.label(id))
        continue;
      line("edge {} {} {} {}", i, now.source(id).value, now.target(id).value, label_text(now.label(id)));
    }
    for (std::size_t i = 0; i < now.node_bound(); ++i) {
      const bool was = i >= then.node_bound() || then.alive(NodeId(i));
      if (was && !now.alive(NodeId(i))) line("no-node {}", i);
    }
  }

  void pragmas() {
    std::vector<std::string> then, now;
    for (const ir::Pragma& pragma : before_.pragmas) then.push_back(pragma_text(pragma));
    for (const ir::Pragma& pragma : after_.pragmas) now.push_back(pragma_text(pragma));
    if (then == now) return;
    line("no-pragmas");
    for (const std::string& pragma : now) line("pragma {}", pragma);
  }

  const ir::Game& before_;
  const ir::Game& after_;
  std::string text_;
};

}  // namespace

Writer::Writer(const ir::Game& first) : last_(std::make_unique<ir::Game>(first)) {
  text_ = "begin\n" + Differences(ir::Game(), first).run();
}
Writer::~Writer() = default;

void Writer::add(std::string_view pass, std::size_t changes, const ir::Game& after) {
  text_ += fmt::format("pass {} {}\n", pass, changes) + Differences(*last_, after).run();
  const PassRecord record = derive_record(*last_, after);
  for (const auto& [now, then] : record.nodes) text_ += fmt::format("same {} {}\n", now.value, then.value);
  for (const PassRecord::Origin& origin : record.origins)
    text_ += fmt::format("origin {} {}", origin.after.value, origin.before.value) + numbers(origin.keys) + '\n';
  for (const PassRecord::Unread& cell : record.unread)
    text_ += fmt::format("unread {} {}", cell.variable.value, cell.keys.size()) + numbers(cell.keys) +
             numbers(cell.nodes) + '\n';
  *last_ = after;
}

std::string Writer::text() const {
  std::string text = fmt::format("{}\n", kHeader);
  LineSums sums;
  const auto add = [&](std::string_view line) {
    text += line;
    text += sums.next(line);
    text += '\n';
  };
  for (std::size_t at = 0; at < text_.size();) {
    const std::size_t end = text_.find('\n', at);
    add(std::string_view(text_).substr(at, end - at));
    at = end + 1;
  }
  add("end " + Digest().add(text).hex());
  return text;
}

}  // namespace rgtrans::certificate
