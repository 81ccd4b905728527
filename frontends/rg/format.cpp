// The formatter writes the syntax tree in canonical layout, in the order of the source. A comment that follows a token
// on its line stays after that token; other comments get lines of their own. Separators (a space, a line break) are
// held back until the next token, because a comment may still come before them.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/rg/names.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans::rg {

namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kIndent = 4;

class Formatter {
 public:
  explicit Formatter(const ast::Program& program)
      : program_(program), source_(program.file->text), base_(program.file->base) {}

  std::string run() {
    out_.reserve(source_.size() + source_.size() / 8);
    for (const Item& item : items_in_order()) {
      comments_above(item.begin);
      start_line(item.begin);
      indent_ = kIndent;
      write(item);
      put(";");
      end_item();
    }
    comments_above(0xffffffffU);
    if (!out_.empty()) out_ += '\n';
    return std::move(out_);
  }

 private:
  enum class ItemKind : std::uint8_t { pragma, type, constant, variable, edge };
  struct Item {
    std::uint32_t begin;
    ItemKind kind;
    std::uint32_t row;
  };
  enum class Separator : std::uint8_t { none, space, line };

  std::vector<Item> items_in_order() const {
    std::vector<Item> items;
    auto add = [&](ItemKind kind, const auto& list, auto&& begin) {
      for (std::uint32_t i = 0; i < list.size(); ++i) items.push_back({begin(list[i]), kind, i});
    };
    add(ItemKind::pragma, program_.pragmas, [](const ast::PragmaText& p) { return p.where.begin; });
    add(ItemKind::type, program_.type_defs, [](const ast::Definition& d) { return d.where.begin; });
    add(ItemKind::constant, program_.constants, [](const ast::Definition& d) { return d.where.begin; });
    add(ItemKind::variable, program_.variables, [](const ast::Definition& d) { return d.where.begin; });
    add(ItemKind::edge, program_.edges, [](const ast::Edge& e) { return e.source.begin; });
    std::ranges::sort(items, std::less<>(), &Item::begin);
    return items;
  }

  // --- Source --- Whether only white space precedes the offset on its line.
  bool alone_on_line(std::uint32_t offset) const {
    const std::size_t last = source_.find_last_not_of(" \t", offset - base_ == 0 ? 0 : offset - base_ - 1);
    return offset == base_ || last == std::string_view::npos || source_[last] == '\n' || source_[last] == '\r';
  }
  // The same, but a comma may precede it, too: rows of a table in the source stay rows.
  bool starts_line(std::uint32_t offset) const {
    const std::size_t last = source_.find_last_not_of(" \t,", offset - base_ - 1);
    return source_[last] == '\n' || source_[last] == '\r';
  }
  bool blank_line_above(std::uint32_t offset) const {
    std::size_t lines = 0;
    for (std::size_t i = offset - base_; i > 0 && std::string_view(" \t\r\n").find(source_[i - 1]) < 4; --i) {
      if (source_[i - 1] == '\n' || (source_[i - 1] == '\r' && source_[i] != '\n')) ++lines;
    }
    return lines >= 2;
  }
  bool has_comment(Range range) const {
    const auto it = std::ranges::lower_bound(program_.comments, range.begin, std::less<>(), &Range::begin);
    return it != program_.comments.end() && it->begin < range.end;
  }

  // --- Output ---
  std::size_t column() const { return out_.size() - line_start_; }

  void put(std::string_view text) {
    if (separator_ == Separator::line) {
      out_ += '\n';
      line_start_ = out_.size();
      out_.append(break_indent_, ' ');
    } else if (separator_ == Separator::space) {
      out_ += ' ';
    }
    separator_ = Separator::none;
    after_comment_ = false;
    out_ += text;
  }
  void space() {
    if (separator_ == Separator::none) separator_ = Separator::space;
  }
  void line_break(std::size_t indent) {
    separator_ = Separator::line;
    break_indent_ = indent;
  }
  void spaced(std::string_view text) {
    space();
    put(text);
    space();
  }
  // Writes a token of the source, after the comments before it.
  void token(Range where) {
    flush(where.begin);
    put(program_.text(where));
  }
  void token(std::string_view text, std::uint32_t offset) {
    flush(offset);
    put(text);
  }

  // --- Comments ---
  bool comment_before(std::uint32_t offset) const {
    return next_comment_ < program_.comments.size() && program_.comments[next_comment_].begin < offset;
  }
  std::string_view take_comment() {
    std::string_view text = program_.text(program_.comments[next_comment_++]);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
  }
  // Writes comments inside an item.
  void flush(std::uint32_t offset) {
    while (comment_before(offset)) {
      if (after_comment_ || alone_on_line(program_.comments[next_comment_].begin)) {
        line_break(indent_);
      } else {
        separator_ = Separator::space;
      }
      put(take_comment());
      line_break(indent_);
      after_comment_ = true;
    }
  }
  // Starts a line at the outermost level. Keeps a blank line above it.
  void start_line(std::uint32_t offset) {
    if (out_.empty()) {
      separator_ = Separator::none;
      return;
    }
    line_break(0);
    if (blank_line_above(offset)) out_ += '\n';
  }
  void comments_above(std::uint32_t offset) {
    while (comment_before(offset)) {
      start_line(program_.comments[next_comment_].begin);
      put(take_comment());
    }
  }
  // Writes the comments before the semicolon, and the one after it on its line.
  void end_item() {
    const std::size_t semicolon = find_semicolon();
    bool first = true;
    while (comment_before(static_cast<std::uint32_t>(semicolon + base_))) {
      first ? space() : line_break(0);
      put(take_comment());
      first = false;
    }
    if (!first || next_comment_ >= program_.comments.size()) return;
    const std::size_t next = program_.comments[next_comment_].begin - base_;
    const std::string_view between = source_.substr(semicolon + 1, next - semicolon - 1);
    if (between.find_first_not_of(" \t") != std::string_view::npos) return;
    space();
    put(take_comment());
  }
  // Finds the semicolon after the end of the item, skipping white space and comments.
  std::size_t find_semicolon() const {
    std::size_t at = item_end_ - base_;
    std::size_t comment = next_comment_;
    while (source_[at] != ';') {
      const bool in_comment = comment < program_.comments.size() && program_.comments[comment].begin - base_ == at;
      at = in_comment ? program_.comments[comment++].end - base_ : at + 1;
    }
    return at;
  }

  // --- Items ---
  void write(const Item& item) {
    switch (item.kind) {
      case ItemKind::pragma:
        pragma(program_.pragmas[item.row]);
        break;
      case ItemKind::type:
        definition("type", program_.type_defs[item.row]);
        break;
      case ItemKind::constant:
        definition("const", program_.constants[item.row]);
        break;
      case ItemKind::variable:
        definition("var", program_.variables[item.row]);
        break;
      case ItemKind::edge:
        edge(program_.edges[item.row]);
        break;
    }
  }

  void definition(std::string_view keyword, const ast::Definition& def) {
    item_end_ = def.where.end;
    put(keyword);
    space();
    token(def.name);
    if (def.value == kNone) {
      spaced("=");
      type(def.type, 0);
      return;
    }
    put(":");
    space();
    type(def.type, 0);
    spaced("=");
    value(def.value, 0);
  }

  void edge(const ast::Edge& edge) {
    item_end_ = edge.end;
    token(edge.source);
    put(",");
    space();
    token(edge.target);
    put(":");
    space();
    label(edge);
  }

  void label(const ast::Edge& edge) {
    using enum ast::Edge::Label;
    switch (edge.label) {
      case empty:
        break;
      case compare:
      case assign:
      case assign_any:
        expression(edge.a);
        spaced(edge.label != compare ? "=" : edge.negated ? "!=" : "==");
        if (edge.label == assign_any) {
          type(edge.b, kIndent);
          put("(*)");
        } else {
          expression(edge.b);
        }
        break;
      case reachability:
        put(edge.negated ? "!" : "?");
        space();
        token(program_.names[edge.a]);
        spaced("->");
        token(program_.names[edge.b]);
        break;
      case tag:
      case tag_variable:
        put(edge.label == tag ? "$" : "$$");
        space();
        token(program_.names[edge.a]);
        break;
    }
  }

  void expression(std::uint32_t row) {
    const ast::Expression& e = program_.expressions[row];
    switch (e.kind) {
      case ast::Expression::Kind::name:
        token(e.name);
        break;
      case ast::Expression::Kind::cast:
        token(e.name);
        put("(");
        expression(e.a);
        token(")", e.where.end - 1);
        break;
      case ast::Expression::Kind::access:
        expression(e.a);
        put("[");
        expression(e.b);
        token("]", e.where.end - 1);
        break;
    }
  }

  // --- Types and values --- Whether `width` more columns do not fit, or comments inside the range must be kept.
  bool must_break(Range where, std::size_t width) const {
    return column() + (separator_ == Separator::space ? 1 : 0) + width + 1 > kWidth || has_comment(where);
  }

  void type(std::uint32_t row, std::size_t indent) {
    const ast::Type& t = program_.types[row];
    switch (t.kind) {
      case ast::Type::Kind::name:
        token(t.where);
        break;
      case ast::Type::Kind::arrow:
        type(t.a, indent);
        spaced("->");
        type(t.b, indent);
        break;
      case ast::Type::Kind::set:
        set(t, indent);
        break;
    }
  }

  void set(const ast::Type& t, std::size_t indent) {
    std::size_t width = 2;
    for (std::uint32_t i = t.a; i < t.b && width <= kWidth; ++i) width += name_width(program_.names[i]) + 2;
    const bool lines = must_break(t.where, width);
    token("{", t.where.begin);
    const std::size_t outer = indent_;
    indent_ = indent + kIndent;
    for (std::uint32_t i = t.a; i < t.b; ++i) {
      if (i > t.a) put(",");
      const bool row = i == t.a || starts_line(program_.names[i].begin);
      separate(lines, row, name_width(program_.names[i]) + 1);
      token(program_.names[i]);
    }
    close(t.where, lines, indent);
    indent_ = outer;
  }

  void value(std::uint32_t row, std::size_t indent) {
    const ast::Value& v = program_.values[row];
    if (v.is_map) {
      map(v, indent);
    } else {
      token(v.where);
    }
  }

  void map(const ast::Value& v, std::size_t indent) {
    const bool lines = must_break(v.where, value_width(v, kWidth));
    token("{", v.where.begin);
    const std::size_t outer = indent_;
    indent_ = indent + kIndent;
    bool nested = false;  // for maps of maps: one entry per line
    for (std::uint32_t i = v.entries.begin; i < v.entries.end; ++i) {
      nested = nested || program_.values[program_.entries[i].value].is_map;
    }
    for (std::uint32_t i = v.entries.begin; i < v.entries.end; ++i) {
      const ast::Entry& entry = program_.entries[i];
      if (i > v.entries.begin) put(",");
      const bool row = i == v.entries.begin || nested || starts_line(entry.key.begin);
      separate(lines, row, entry_width(entry, kWidth) + 1);
      if (entry.is_default) {
        token(":", entry.key.begin);
      } else {
        token(entry.key);
        put(":");
        space();
      }
      value(entry.value, indent_);
    }
    close(v.where, lines, indent);
    indent_ = outer;
  }

  // Writes the separator before an element of width `width` in a set or map, which may be split into lines.
  void separate(bool lines, bool row, std::size_t width) {
    if (lines && (row || column() + 1 + width > kWidth)) {
      if (separator_ != Separator::line) line_break(indent_);
    } else {
      space();
    }
  }

  void close(Range where, bool lines, std::size_t indent) {
    flush(where.end - 1);
    if (lines) {
      line_break(indent);
    } else {
      space();
    }
    put("}");
  }

  // Widths on one line. Counting stops above `most`.
  static std::size_t name_width(Range name) { return name.end - name.begin; }
  std::size_t value_width(const ast::Value& v, std::size_t most) const {
    if (!v.is_map) return name_width(v.where);
    std::size_t width = 3;
    for (std::uint32_t i = v.entries.begin; i < v.entries.end && width <= most; ++i) {
      width += entry_width(program_.entries[i], most - width) + 2;
    }
    return width;
  }
  std::size_t entry_width(const ast::Entry& entry, std::size_t most) const {
    const std::size_t key = entry.is_default ? 1 : name_width(entry.key) + 2;
    return key + (key > most ? 0 : value_width(program_.values[entry.value], most - key));
  }

  // --- Pragmas ---
  void names(ast::Slice slice) {
    for (std::uint32_t i = slice.begin; i < slice.end; ++i) {
      space();
      token(program_.names[i]);
    }
  }

  void pragma(const ast::PragmaText& p) {
    using enum ast::PragmaText::Kind;
    item_end_ = p.where.end;
    put("@");
    if (p.kind == unknown) return put(program_.text(p.content));
    put(ast::kPragmaNames[static_cast<std::size_t>(p.kind)]);
    if (p.kind == integer) put(fmt::format(" {}", p.number));
    names(p.first);
    switch (p.kind) {
      case disjoint:
      case disjoint_exhaustive:
      case integer:
      case iterator:
      case repeat:
        put(" :");
        return names(p.second);
      case tag_index:
      case tag_max_index:
        return put(fmt::format(" : {}", p.number));
      case simple_apply:
      case simple_apply_exhaustive:
        return apply(p);
      default:
        return;
    }
  }
  void apply(const ast::PragmaText& p) {
    put(" [");
    for (std::size_t i = 0; i < p.tags.size(); ++i) {
      if (i > 0) {
        put(",");
        space();
      }
      token(p.tags[i].name);
      if (p.tags[i].type == kNone) continue;
      put(":");
      space();
      type(p.tags[i].type, kIndent);
    }
    put("]");
    for (std::size_t i = 0; i < p.effects.size(); ++i) {
      put(i == 0 ? "" : ",");
      space();
      expression(p.effects[i].lhs);
      spaced("=");
      expression(p.effects[i].rhs);
    }
  }

  const ast::Program& program_;
  std::string_view source_;
  std::uint32_t base_;
  std::string out_;
  std::size_t line_start_ = 0;
  Separator separator_ = Separator::none;
  std::size_t break_indent_ = 0;
  bool after_comment_ = false;    // the last output inside an item was a comment
  std::size_t indent_ = 0;        // indentation of lines in the current item
  std::size_t next_comment_ = 0;  // the first unwritten comment
  std::uint32_t item_end_ = 0;
};

}  // namespace

std::string format(const Sources::File& file, Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  const ast::Program program = parse(file, diagnostics, true);
  if (diagnostics.error_count() != errors) return {};
  return Formatter(program).run();
}

}  // namespace rgtrans::rg
