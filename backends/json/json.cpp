// Writes text directly, because a tree of JSON objects would need many times the memory of the game.
#include "backends/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "backends/rg/rg.hpp"

namespace rgtrans::json {

namespace {

using std::string_view_literals::operator""sv;

class Writer {
 public:
  explicit Writer(const ir::Game& game) : game_(game), node_names_(game.node_names()) {}

  std::string run();

 private:
  // --- Objects and lists of values that write() supports, or that a function writes. ---

  // Keys and values alternate.
  template <class... Members>
  void object(const Members&... all) {
    out_ += '{';
    members("", all...);
    out_ += '}';
  }
  void members(std::string_view) {}
  template <class Value, class... More>
  void members(std::string_view before, std::string_view key, const Value& value, const More&... more) {
    out_ += before;
    out_ += '"';
    out_ += key;
    out_ += "\":";
    write(value);
    members(",", more...);
  }

  template <class List, class Item>
  void list(const List& items, const Item& item) {
    out_ += '[';
    bool first = true;
    for (const auto& each : items) {
      if constexpr (requires { each.alive; }) {
        if (!each.alive) continue;
      }
      if (!std::exchange(first, false)) out_ += ',';
      item(each);
    }
    out_ += ']';
  }
  template <class List, class Item>
  auto living(const List& items, Item item) {
    return [this, items, item] { list(items, item); };
  }
  template <class List>
  auto listed(List items) {
    return living(items, [this](const auto& item) { this->write(item); });
  }
  template <std::invocable F>
  void write(const F& f) {
    f();
  }
  template <class T>
  void write(const std::vector<T>& items) {
    list(items, [this](const T& item) { this->write(item); });
  }

  // --- Texts and numbers. ---

  void write(std::string_view s) {
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
  template <std::size_t kSize>
  void write(const char (&s)[kSize]) {
    write(std::string_view(s));
  }
  void write(bool truth) { out_ += truth ? "true" : "false"; }
  template <std::integral Number>
  void write(Number number) {
    out_ += fmt::to_string(number);
  }

  // --- Parts of games. ---

  void write(SymbolId id) { write(game_.symbols.text(id)); }
  void write(ir::VarId id) { write(game_.variable(id).name); }
  void write(ir::NodeId id) { object("identifier", node_names_[id.value], "kind", "Node"); }

  void write(ir::TypeId id) {
    switch (game_.types.kind(id)) {
      case ir::TypeKind::alias:
        return object("identifier", game_.types.alias_name(id), "kind", "TypeReference");
      case ir::TypeKind::arrow:
        return object("kind", "Arrow", "lhs", game_.types.from(id), "rhs", game_.types.to(id));
      case ir::TypeKind::set:
        return object("identifiers", listed(game_.types.members(id)), "kind", "Set");
    }
  }

  void value(ir::ValueId id, ir::TypeId type) {
    if (game_.values.is_symbol(id)) return object("identifier", game_.values.as_symbol(id), "kind", "Element");
    type = game_.resolve(type);
    const ir::TypeId target = game_.is_arrow(type) ? game_.types.to(type) : ir::TypeId();
    const auto entries = [&] {
      out_ += '[';
      for (const auto& entry : rg::ordered_entries(game_, id, type)) {
        object("identifier", entry.key, "kind", "ValueEntry", "value", [&] { value(entry.value, target); });
        out_ += ',';
      }
      object(
          "identifier", [&] { out_ += "null"; }, "kind", "ValueEntry", "value",
          [&] { value(game_.values.default_of(id), target); });
      out_ += ']';
    };
    object("entries", entries, "kind", "Map");
  }

  void write(ir::ExprId id) {
    const ir::Expressions& e = game_.expressions();
    switch (e.kind(id)) {
      case ir::ExprKind::symbol:
        return reference(e.symbol(id));
      case ir::ExprKind::constant:
        return reference(game_.constant(e.constant(id)).name);
      case ir::ExprKind::variable:
        return reference(game_.variable(e.variable(id)).name);
      case ir::ExprKind::access:
        return object("kind", "Access", "lhs", e.map(id), "rhs", e.index(id));
      case ir::ExprKind::cast:
        return object("kind", "Cast", "lhs", e.cast_type(id), "rhs", e.operand(id));
    }
  }
  void reference(SymbolId name) { object("identifier", name, "kind", "Reference"); }

  void write(ir::EdgeId id) {
    object("kind", "EdgeDeclaration", "label", game_.graph.label(id), "lhs", game_.graph.source(id), "rhs",
           game_.graph.target(id));
  }

  void write(const ir::Label& label) {
    std::visit(ir::Overloaded{
                   [&](const ir::Empty&) { object("kind", "Skip"); },
                   [&](const ir::Compare& c) {
                     object("kind", "Comparison", "lhs", c.lhs, "negated", c.negated, "rhs", c.rhs);
                   },
                   [&](const ir::Assign& a) { object("kind", "Assignment", "lhs", a.lhs, "rhs", a.rhs); },
                   [&](const ir::AssignAny& a) { object("kind", "AssignmentAny", "lhs", a.lhs, "rhs", a.type); },
                   [&](const ir::Reachability& r) {
                     object("kind", "Reachability", "lhs", r.from, "negated", r.negated, "rhs", r.to);
                   },
                   [&](const ir::Tag& t) { object("kind", "Tag", "symbol", t.symbol); },
                   [&](const ir::TagVariable& t) { object("identifier", t.variable, "kind", "TagVariable"); },
               },
               label);
  }

  void write(const ir::SimpleApply::Effect& effect) { object("lhs", effect.lhs, "rhs", effect.rhs); }
  void write(const ir::SimpleApply::TagPattern& tag) {
    if (tag.type.valid()) {
      object("Variable", [&] { object("identifier", tag.name, "type", tag.type); });
    } else {
      object("Symbol", [&] { object("symbol", tag.name); });
    }
  }

  void write(const ir::Pragma& pragma) {
    std::visit(
        ir::Overloaded{
            [&](const ir::ArtificialTag& p) { object("kind", "ArtificialTag", "tags", p.tags); },
            [&](const ir::Disjoint& p) {
              object("kind", p.exhaustive ? "DisjointExhaustive"sv : "Disjoint"sv, "node", p.node, "nodes", p.targets);
            },
            [&](const ir::Integer& p) { object("identifiers", p.symbols, "kind", "Integer", "offset", p.offset); },
            [&](const ir::Iterator& p) {
              object("kind", "Iterator", "node_a", p.a, "node_b", p.b, "node_c", p.c, "variable", p.variable);
            },
            [&](const ir::Repeat& p) { object("identifiers", p.variables, "kind", "Repeat", "nodes", p.nodes); },
            [&](const ir::Unique& p) { object("kind", "Unique", "nodes", p.nodes); },
            [&](const ir::SimpleApply& p) {
              object("assignments", p.effects, "kind", p.exhaustive ? "SimpleApplyExhaustive"sv : "SimpleApply"sv,
                     "lhs", p.from, "rhs", p.to, "tags", p.tags);
            },
            [&](const ir::TagIndex& p) {
              object("index", p.index, "kind", p.maximum ? "TagMaxIndex"sv : "TagIndex"sv, "nodes", p.nodes);
            },
            [&](const ir::TranslatedFromRbg&) { object("kind", "TranslatedFromRbg"); },
            [&](const ir::Unknown& p) { object("content", p.content, "kind", "Unknown"); },
        },
        pragma.content);
  }

  // The author's texts of the symbols in types and tags, by symbol.
  std::map<std::string_view, std::string_view> words() const {
    std::map<std::string_view, std::string_view> texts;
    if (game_.words == nullptr) return texts;
    const auto add = [&](SymbolId symbol) {
      const auto it = game_.words->texts.find(symbol);
      if (it != game_.words->texts.end()) texts.emplace(game_.symbols.text(symbol), it->second);
    };
    for (const ir::TypeDef& def : game_.type_defs()) {
      if (!def.alive) continue;
      for (const SymbolId member : game_.members(def.type)) add(member);
    }
    for (const ir::EdgeId edge : game_.graph.edges()) {
      if (const auto* tag = std::get_if<ir::Tag>(&game_.graph.label(edge))) add(tag->symbol);
    }
    return texts;
  }

  const ir::Game& game_;
  std::vector<std::string> node_names_;
  std::string out_;
};

std::string Writer::run() {
  out_.reserve(game_.graph.edge_count() * 256);
  object("constants",
         living(game_.constants(),
                [&](const ir::Constant& def) {
                  object("identifier", def.name, "kind", "ConstantDeclaration", "type", def.type, "value",
                         [&] { value(def.value, def.type); });
                }),
         "edges", listed(game_.graph.edges()), "kind", "GameDeclaration", "pragmas", game_.pragmas, "types",
         living(game_.type_defs(),
                [&](const ir::TypeDef& def) {
                  object("identifier", def.name, "kind", "TypeDeclaration", "type", def.type);
                }),
         "variables", living(game_.variables(), [&](const ir::Variable& def) {
           object(
               "defaultValue", [&] { value(def.initial, def.type); }, "identifier", def.name, "kind",
               "VariableDeclaration", "type", def.type);
         }));
  const auto texts = words();
  if (texts.empty()) return std::move(out_);
  out_.pop_back();
  out_ += ",\"words\":{";
  std::string_view separator;
  for (const auto& [symbol, text] : texts) {
    out_ += std::exchange(separator, ",");
    write(symbol);
    out_ += ':';
    write(text);
  }
  out_ += "}}";
  return std::move(out_);
}

}  // namespace

std::string print(const ir::Game& game) {
  if (rg::written_symbols(game) > kMaxSymbols) {
    throw Error(fmt::format("the JSON text of the game would have more than {} symbols", kMaxSymbols),
                "constants that contain other constants are written out in full; " + kMaxSymbols.advice());
  }
  return Writer(game).run();
}

}  // namespace rgtrans::json
