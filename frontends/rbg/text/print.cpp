#include "frontends/rbg/text/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace rgtrans::rbg {

namespace {

constexpr std::size_t kWidth = 100;

class Printer {
 public:
  explicit Printer(const Description& description)
      : d_(description), e_(description.expressions), widths_(e_.shape_count()) {}

  std::string run() {
    board();
    out_ += "#players = ";
    bounded(d_.players, false);
    out_ += "#pieces = ";
    names(d_.pieces);
    out_ += "#variables =";
    if (!d_.variables.empty()) out_ += ' ';
    bounded(d_.variables, true);
    out_ += "#rules =\n  ";
    item(d_.rules, 2, false);
    out_ += '\n';
    return std::move(out_);
  }

 private:
  std::string_view text(SymbolId id) const { return d_.symbols.text(id); }

  std::vector<const Declared*> sorted(const std::vector<Declared>& list) const {
    std::vector<const Declared*> result;
    for (const Declared& item : list) result.push_back(&item);
    std::ranges::sort(result, {}, [&](const Declared* item) { return text(item->name); });
    return result;
  }
  void names(const std::vector<Declared>& list) {
    std::string_view separator;
    for (const Declared* item : sorted(list)) {
      out_ += separator;
      out_ += text(item->name);
      separator = ", ";
    }
    out_ += '\n';
  }
  void bounded(const std::vector<Declared>& list, bool sort) {
    std::vector<const Declared*> items;
    for (const Declared& item : list) items.push_back(&item);
    if (sort) items = sorted(list);
    for (std::size_t i = 0; i < items.size(); ++i) {
      out_ += fmt::format("{}{}({})", i == 0 ? "" : ", ", text(items[i]->name), items[i]->bound);
    }
    out_ += '\n';
  }

  void board() {
    const std::vector<const Declared*> labels = sorted(d_.labels);
    out_ += "#board =\n";
    for (std::uint32_t v = 0; v < d_.board.size(); ++v) {
      out_ += fmt::format("  {}[{}]{{", text(d_.board[v].name), text(d_.pieces[d_.board[v].piece].name));
      std::string_view separator;
      for (const Declared* label : labels) {
        const std::uint32_t target = d_.neighbour(static_cast<std::uint32_t>(label - d_.labels.data()), v);
        if (target == kNone) continue;
        out_ += fmt::format("{}{}:{}", separator, text(label->name), text(d_.board[target].name));
        separator = ",";
      }
      out_ += "}\n";
    }
  }

  // The length of the expression on one line, saturated.
  std::size_t width(ExprId id) {
    const ExprNode& node = e_[id];
    std::size_t& known = widths_[node.shape];
    if (known != 0) return known;
    std::size_t sum = 0;
    switch (node.kind) {
      case Kind::sum:
      case Kind::concat:
        for (ExprId part : e_.children(id)) sum += width(part) + 3;
        sum += 2;
        break;
      case Kind::star:
      case Kind::pattern:
        sum = width(e_.child(id)) + 4;
        break;
      default:
        sum = leaf(id).size();
        break;
    }
    known = std::min<std::size_t>(sum, 1'000'000);
    return known;
  }

  // The low-level form cannot declare a direction without edges; a shift along it never succeeds.
  bool has_edge(std::uint32_t label) const {
    for (std::uint32_t v = 0; v < d_.board.size(); ++v) {
      if (d_.neighbour(label, v) != kNone) return true;
    }
    return false;
  }

  void newline(std::size_t indent) {
    out_ += '\n';
    out_.append(indent, ' ');
  }

  // Prints an item of a sequence. `tight`: an operator outside binds to the item.
  void item(ExprId id, std::size_t indent, bool tight) {
    const ExprNode& node = e_[id];
    switch (node.kind) {
      case Kind::sum:
        group("(", ")", id, indent);
        break;
      case Kind::concat:
        if (tight) {
          group("(", ")", id, indent);
        } else {
          sequence(id, indent);
        }
        break;
      case Kind::star: {
        const Kind inner = e_[e_.child(id)].kind;
        const bool bare = (inner == Kind::shift && has_edge(e_[e_.child(id)].index)) || inner == Kind::noop ||
                          is_switch(inner) || inner == Kind::sum;
        if (bare) {
          item(e_.child(id), indent, true);
        } else {
          group("(", ")", e_.child(id), indent);
        }
        out_ += '*';
        break;
      }
      case Kind::pattern:
        group(node.negated ? "{! " : "{? ", "}", e_.child(id), indent);
        break;
      default:
        out_ += leaf(id);
        break;
    }
  }

  void group(std::string_view open, std::string_view close, ExprId id, std::size_t indent) {
    const bool one_line = indent + width(id) <= kWidth;
    out_ += one_line ? open : open.substr(0, open.find(' '));
    if (!one_line) newline(indent + 2);
    if (e_[id].kind == Kind::sum) {
      bool first = true;
      for (ExprId part : e_.children(id)) {
        if (!first && one_line) out_ += " + ";
        if (!first && !one_line) {
          newline(indent + 2);
          out_ += "+ ";
        }
        first = false;
        item(part, indent + 4, false);
      }
    } else {
      item(id, indent + 2, false);
    }
    if (!one_line) newline(indent);
    out_ += close;
  }

  void sequence(ExprId id, std::size_t indent) {
    const bool one_line = indent + width(id) <= kWidth;
    std::size_t column = indent;
    bool first = true;
    for (ExprId part : e_.children(id)) {
      const std::size_t size = width(part);
      if (!first) {
        if (!one_line && column + size + 1 > kWidth) {
          newline(indent);
          column = indent;
        } else {
          out_ += ' ';
          ++column;
        }
      }
      first = false;
      item(part, indent, false);
      column += size;
    }
  }

  std::string leaf(ExprId id) const {
    const ExprNode& node = e_[id];
    switch (node.kind) {
      case Kind::shift:
        return has_edge(node.index) ? d_.symbols.str(d_.labels[node.index].name) : "{}";
      case Kind::on: {
        std::vector<std::string_view> list;
        for (std::uint32_t piece : e_.pieces(node.index)) list.push_back(text(d_.pieces[piece].name));
        std::ranges::sort(list);
        return fmt::format("{{{}}}", fmt::join(list, ", "));
      }
      case Kind::off:
        return fmt::format("[{}]", text(d_.pieces[node.index].name));
      case Kind::assign:
        return fmt::format("[$ {} = {}]", text(d_.variable(node.index).name), arith(node.left, 0));
      case Kind::compare: {
        static constexpr std::array<std::string_view, 6> kRelations = {"==", "!=", "<", "<=", ">", ">="};
        return fmt::format("{{$ {} {} {}}}", arith(node.left, 0), kRelations[static_cast<std::size_t>(node.relation)],
                           arith(node.right, 0));
      }
      case Kind::to_player:
        return fmt::format("->{}", text(d_.players[node.index].name));
      case Kind::to_keeper:
        return "->>";
      default:
        return ".";
    }
  }

  // `level`: 0 allows any expression, 1 excludes sums, 2 excludes sums and products.
  std::string arith(ArithId id, int level) const {
    const ArithNode& node = e_.arith(id);
    if (node.kind == Arith::number) return std::to_string(node.value);
    if (node.kind == Arith::variable) return d_.symbols.str(d_.variable(static_cast<std::uint32_t>(node.value)).name);
    if (node.kind == Arith::piece) return d_.symbols.str(d_.pieces[static_cast<std::size_t>(node.value)].name);
    const bool additive = node.kind == Arith::add || node.kind == Arith::subtract;
    static constexpr std::array<char, 4> kSigns = {'+', '-', '*', '/'};
    const int own = additive ? 0 : 1;
    const std::string text = fmt::format(
        "{} {} {}", arith(node.left, own),
        kSigns[static_cast<std::size_t>(node.kind) - static_cast<std::size_t>(Arith::add)], arith(node.right, own + 1));
    return level > own ? "(" + text + ")" : text;
  }

  const Description& d_;
  const RuleExpressions& e_;
  std::vector<std::size_t> widths_;
  std::string out_;
};

}  // namespace

std::string print(const Description& description) { return Printer(description).run(); }

}  // namespace rgtrans::rbg
