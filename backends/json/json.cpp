// Written straight to text: a tree of JSON objects in memory would be many times as large as the game.
#include "backends/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "backends/rg/rg.hpp"

namespace rgtrans::json {

namespace {

class Writer {
 public:
  explicit Writer(const ir::Game& game) : game_(game), node_names_(game.node_names()) {}

  std::string run() {
    out_.reserve(game_.graph.edge_count() * 256);
    text("{\"constants\":");
    living(game_.constants(), [&](const ir::Constant& def) {
      text("{\"identifier\":");
      symbol(def.name);
      text(R"(,"kind":"ConstantDeclaration","type":)");
      type(def.type);
      text(",\"value\":");
      value(def.value, def.type);
      text("}");
    });
    text(",\"edges\":");
    list(game_.graph.edges(), [&](ir::EdgeId id) { edge(id); });
    text(R"(,"kind":"GameDeclaration","pragmas":)");
    list(game_.pragmas, [&](const ir::Pragma& p) { pragma(p); });
    text(",\"types\":");
    living(game_.type_defs(), [&](const ir::TypeDef& def) {
      text("{\"identifier\":");
      symbol(def.name);
      text(R"(,"kind":"TypeDeclaration","type":)");
      type(def.type);
      text("}");
    });
    text(",\"variables\":");
    living(game_.variables(), [&](const ir::Variable& def) {
      text("{\"defaultValue\":");
      value(def.initial, def.type);
      text(",\"identifier\":");
      symbol(def.name);
      text(R"(,"kind":"VariableDeclaration","type":)");
      type(def.type);
      text("}");
    });
    text("}");
    return std::move(out_);
  }

 private:
  void text(std::string_view part) { out_ += part; }

  void string(std::string_view s) {
    const bool plain = std::ranges::all_of(s, [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\';
    });
    if (plain) {
      out_ += '"';
      out_ += s;
      out_ += '"';
    } else {
      out_ += nlohmann::json(s).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
  }

  void symbol(SymbolId id) { string(game_.symbols.text(id)); }
  void variable(ir::VarId id) { symbol(game_.variable(id).name); }

  template <typename List, typename Item>
  void list(const List& items, Item&& write) {
    std::string_view before = "[";
    for (const auto& item : items) {
      text(before);
      write(item);
      before = ",";
    }
    text(before == "[" ? "[]" : "]");
  }
  template <typename List, typename Item>
  void living(const List& items, Item&& write) {
    std::string_view before = "[";
    for (const auto& item : items) {
      if (!item.alive) continue;
      text(before);
      write(item);
      before = ",";
    }
    text(before == "[" ? "[]" : "]");
  }

  void type(ir::TypeId id) {
    switch (game_.types.kind(id)) {
      case ir::TypeKind::alias:
        text("{\"identifier\":");
        symbol(game_.types.alias_name(id));
        text(R"(,"kind":"TypeReference"})");
        break;
      case ir::TypeKind::arrow:
        text(R"({"kind":"Arrow","lhs":)");
        type(game_.types.from(id));
        text(",\"rhs\":");
        type(game_.types.to(id));
        text("}");
        break;
      case ir::TypeKind::set:
        text("{\"identifiers\":");
        list(game_.types.members(id), [&](SymbolId member) { symbol(member); });
        text(R"(,"kind":"Set"})");
        break;
    }
  }

  void value(ir::ValueId id, ir::TypeId type) {
    if (game_.values.is_symbol(id)) {
      text("{\"identifier\":");
      symbol(game_.values.as_symbol(id));
      text(R"(,"kind":"Element"})");
      return;
    }
    type = game_.resolve(type);
    const bool is_arrow = type.valid() && game_.types.kind(type) == ir::TypeKind::arrow;
    const ir::TypeId target = is_arrow ? game_.types.to(type) : ir::TypeId();
    text("{\"entries\":[");
    for (const auto& entry : rg::ordered_entries(game_, id, type)) {
      text("{\"identifier\":");
      symbol(entry.key);
      text(R"(,"kind":"ValueEntry","value":)");
      value(entry.value, target);
      text("},");
    }
    text(R"({"identifier":null,"kind":"ValueEntry","value":)");
    value(game_.values.default_of(id), target);
    text(R"(}],"kind":"Map"})");
  }

  void expression(ir::ExprId id) {
    const ir::Expressions& expressions = game_.expressions();
    switch (expressions.kind(id)) {
      case ir::ExprKind::symbol:
        reference(expressions.symbol(id));
        break;
      case ir::ExprKind::constant:
        reference(game_.constant(expressions.constant(id)).name);
        break;
      case ir::ExprKind::variable:
        reference(game_.variable(expressions.variable(id)).name);
        break;
      case ir::ExprKind::access:
        text(R"({"kind":"Access","lhs":)");
        expression(expressions.map(id));
        text(",\"rhs\":");
        expression(expressions.index(id));
        text("}");
        break;
      case ir::ExprKind::cast:
        text(R"({"kind":"Cast","lhs":)");
        type(expressions.cast_type(id));
        text(",\"rhs\":");
        expression(expressions.operand(id));
        text("}");
        break;
    }
  }
  void reference(SymbolId name) {
    text("{\"identifier\":");
    symbol(name);
    text(R"(,"kind":"Reference"})");
  }

  void node(ir::NodeId id) {
    text("{\"identifier\":");
    string(node_names_[id.value]);
    text(R"(,"kind":"Node"})");
  }

  void edge(ir::EdgeId id) {
    text(R"({"kind":"EdgeDeclaration","label":)");
    label(game_.graph.label(id));
    text(",\"lhs\":");
    node(game_.graph.source(id));
    text(",\"rhs\":");
    node(game_.graph.target(id));
    text("}");
  }

  void label(const ir::Label& label) {
    std::visit(ir::Overloaded{
                   [&](const ir::Empty&) { text(R"({"kind":"Skip"})"); },
                   [&](const ir::Compare& c) {
                     text(R"({"kind":"Comparison","lhs":)");
                     expression(c.lhs);
                     negation(c.negated);
                     expression(c.rhs);
                     text("}");
                   },
                   [&](const ir::Assign& a) {
                     text(R"({"kind":"Assignment","lhs":)");
                     expression(a.lhs);
                     text(",\"rhs\":");
                     expression(a.rhs);
                     text("}");
                   },
                   [&](const ir::AssignAny& a) {
                     text(R"({"kind":"AssignmentAny","lhs":)");
                     expression(a.lhs);
                     text(",\"rhs\":");
                     type(a.type);
                     text("}");
                   },
                   [&](const ir::Reachability& r) {
                     text(R"({"kind":"Reachability","lhs":)");
                     node(r.from);
                     negation(r.negated);
                     node(r.to);
                     text("}");
                   },
                   [&](const ir::Tag& t) {
                     text(R"({"kind":"Tag","symbol":)");
                     symbol(t.symbol);
                     text("}");
                   },
                   [&](const ir::TagVariable& t) {
                     text("{\"identifier\":");
                     variable(t.variable);
                     text(R"(,"kind":"TagVariable"})");
                   },
               },
               label);
  }
  void negation(bool negated) { text(negated ? ",\"negated\":true,\"rhs\":" : ",\"negated\":false,\"rhs\":"); }

  void nodes(const std::vector<ir::NodeId>& ids) {
    list(ids, [&](ir::NodeId id) { node(id); });
  }
  void symbols(const std::vector<SymbolId>& ids) {
    list(ids, [&](SymbolId id) { symbol(id); });
  }

  void simple_apply(const ir::SimpleApply& p) {
    text("{\"assignments\":");
    list(p.effects, [&](const ir::SimpleApply::Effect& effect) {
      text("{\"lhs\":");
      expression(effect.lhs);
      text(",\"rhs\":");
      expression(effect.rhs);
      text("}");
    });
    text(p.exhaustive ? R"(,"kind":"SimpleApplyExhaustive","lhs":)" : R"(,"kind":"SimpleApply","lhs":)");
    node(p.from);
    text(",\"rhs\":");
    node(p.to);
    text(",\"tags\":");
    list(p.tags, [&](const ir::SimpleApply::TagPattern& tag) {
      text(tag.type.valid() ? R"({"Variable":{"identifier":)" : R"({"Symbol":{"symbol":)");
      symbol(tag.name);
      if (tag.type.valid()) {
        text(",\"type\":");
        type(tag.type);
      }
      text("}}");
    });
    text("}");
  }

  void pragma(const ir::Pragma& pragma) {
    std::visit(ir::Overloaded{
                   [&](const ir::ArtificialTag& p) {
                     text(R"({"kind":"ArtificialTag","tags":)");
                     symbols(p.tags);
                     text("}");
                   },
                   [&](const ir::Disjoint& p) {
                     text(p.exhaustive ? R"({"kind":"DisjointExhaustive","node":)" : R"({"kind":"Disjoint","node":)");
                     node(p.node);
                     text(",\"nodes\":");
                     nodes(p.targets);
                     text("}");
                   },
                   [&](const ir::Integer& p) {
                     text("{\"identifiers\":");
                     symbols(p.symbols);
                     text(fmt::format(R"(,"kind":"Integer","offset":{}}})", p.offset));
                   },
                   [&](const ir::Iterator& p) {
                     text(R"({"kind":"Iterator","node_a":)");
                     node(p.a);
                     text(",\"node_b\":");
                     node(p.b);
                     text(",\"node_c\":");
                     node(p.c);
                     text(",\"variable\":");
                     variable(p.variable);
                     text("}");
                   },
                   [&](const ir::Repeat& p) {
                     text("{\"identifiers\":");
                     list(p.variables, [&](ir::VarId id) { variable(id); });
                     text(R"(,"kind":"Repeat","nodes":)");
                     nodes(p.nodes);
                     text("}");
                   },
                   [&](const ir::Unique& p) {
                     text(R"({"kind":"Unique","nodes":)");
                     nodes(p.nodes);
                     text("}");
                   },
                   [&](const ir::SimpleApply& p) { simple_apply(p); },
                   [&](const ir::TagIndex& p) {
                     text(fmt::format(R"({{"index":{},"kind":"{}","nodes":)", p.index,
                                      p.maximum ? "TagMaxIndex" : "TagIndex"));
                     nodes(p.nodes);
                     text("}");
                   },
                   [&](const ir::TranslatedFromRbg&) { text(R"({"kind":"TranslatedFromRbg"})"); },
                   [&](const ir::Unknown& p) {
                     text("{\"content\":");
                     string(p.content);
                     text(R"(,"kind":"Unknown"})");
                   },
               },
               pragma.content);
  }

  const ir::Game& game_;
  std::vector<std::string> node_names_;
  std::string out_;
};

}  // namespace

std::string print(const ir::Game& game) {
  if (rg::written_symbols(game) > kMaxSymbols) {
    throw Error(fmt::format("the JSON text of the game would have more than {} symbols", kMaxSymbols),
                "constants that contain other constants are written out in full; " + kMaxSymbols.advice());
  }
  return Writer(game).run();
}

}  // namespace rgtrans::json
