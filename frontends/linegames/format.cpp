// Formats a definition: the tree gives the nesting, the text the spelling. An object or array is written on one line if
// it fits. Otherwise each member gets a line, but plain values of an array share lines. The definition itself always
// has one line per member.
#include "frontends/linegames/format.hpp"

#include "frontends/linegames/json_value.hpp"
#include "frontends/linegames/limits.hpp"

namespace rgtrans::linegames {

namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kIndent = 2;

// kMaxJsonDepth bounds the recursion.
class Formatter {
 public:
  Formatter(const Sources::File& file, const JsonTree& tree) : file_(file), tree_(tree) {}

  std::string run() {
    if (is_container(tree_.root())) {
      put_broken(tree_.root(), 0);
    } else {
      out_ = flat(tree_.root());
    }
    out_ += '\n';
    return std::move(out_);
  }

 private:
  using Kind = JsonTree::Kind;
  using Row = JsonTree::Row;

  [[nodiscard]] bool is_container(Row row) const {
    return tree_.kind(row) == Kind::object || tree_.kind(row) == Kind::array;
  }
  [[nodiscard]] bool is_object(Row row) const { return tree_.kind(row) == Kind::object; }
  [[nodiscard]] std::string_view spelling(Range range) const {
    return std::string_view(file_.text).substr(range.begin - file_.base, range.end - range.begin);
  }
  // A line break always exists, because the definition itself is split into lines.
  [[nodiscard]] std::size_t column() const { return out_.size() - out_.rfind('\n') - 1; }

  // The text before a member of an object.
  [[nodiscard]] std::string head(Row parent, Row row) const {
    std::string head;
    if (is_object(parent)) head.append("\"").append(spelling(tree_.key_range(row))).append("\": ");
    return head;
  }

  // The value on one line.
  [[nodiscard]] std::string flat(Row row) const {
    if (tree_.kind(row) == Kind::string) return "\"" + std::string(spelling(tree_.where(row))) + "\"";
    if (!is_container(row)) return std::string(spelling(tree_.where(row)));
    std::string text;
    for (Row child = tree_.first(row); child != kNone; child = tree_.next(child)) {
      if (!text.empty()) text += ", ";
      text += head(row, child) + flat(child);
    }
    if (!is_object(row)) return "[" + text + "]";
    return text.empty() ? "{}" : "{ " + text + " }";
  }

  void put_broken(Row row, std::size_t indent) {
    out_ += is_object(row) ? '{' : '[';
    const std::size_t inside = indent + kIndent;
    bool first = true, after_plain = false;
    for (Row child = tree_.first(row); child != kNone; child = tree_.next(child)) {
      const bool last = tree_.next(child) == kNone, plain = !is_object(row) && !is_container(child);
      const std::string line = head(row, child) + flat(child);
      const std::size_t width = line.size() + (last ? 0 : 1);
      if (!first) out_ += ',';
      if (after_plain && plain && column() + 1 + width <= kWidth) {
        out_ += ' ';
      } else {
        out_.append("\n").append(inside, ' ');
      }
      if (is_container(child) && inside + width > kWidth) {
        out_ += head(row, child);
        put_broken(child, inside);
      } else {
        out_ += line;
      }
      first = false, after_plain = plain;
    }
    if (!first) out_.append("\n").append(indent, ' ');
    out_ += is_object(row) ? '}' : ']';
  }

  const Sources::File& file_;
  const JsonTree& tree_;
  std::string out_;
};

}  // namespace

std::string format(const Sources::File& file, Diagnostics& diagnostics) {
  const JsonTree tree(file, diagnostics, {limits::values, kMaxJsonDepth});
  return tree.empty() ? std::string() : Formatter(file, tree).run();
}

}  // namespace rgtrans::linegames
