// Formats a description: the tree gives the nesting of lists, and a second pass over the text collects the comments. A
// list is written on one line if it fits and contains no comment. Otherwise each item after the head gets a line,
// except that short words stay with the head. A comment that follows text stays on that line; other comments get lines
// of their own.
#include "frontends/ludax/format.hpp"

#include <algorithm>

#include "core/support/comments.hpp"
#include "frontends/comment_lines.hpp"
#include "frontends/ludax/grammar.hpp"
#include "frontends/ludax/reader.hpp"
#include "frontends/ludax/tree.hpp"

namespace rgtrans::ludax {

namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kIndent = 2;

class Formatter {
 public:
  explicit Formatter(const Sources::File& file)
      : lines_(comments_of<grammar::comment, grammar::string>(file, " \t\f")) {}

  std::string run(const std::vector<Node>& items) {
    for (const Node& item : items) {
      lines_.own_lines(item.where.begin, 0);
      lines_.start_line(0);
      put(item, 0);
    }
    return lines_.finish();
  }

 private:
  // --- Text. ---
  static std::string_view word(const Node& node) {
    return node.text == "once_through" ? std::string_view("once-through") : node.text;
  }
  static void flat(const Node& node, std::string& out) {
    if (!node.is_list()) {
      out += word(node);
      return;
    }
    out += '(';
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      if (i > 0) out += node.items[i - 1].kind == Node::Kind::name ? ':' : ' ';
      flat(node.items[i], out);
    }
    out += ')';
  }
  // Sections are always split into lines, so that games look alike.
  static bool is_section(const Node& node) {
    static constexpr std::string_view kSections[] = {"game",   "rules",        "start",        "play",
                                                     "repeat", "once-through", "once_through", "end"};
    return std::ranges::find(kSections, node.head()) != std::end(kSections);
  }
  bool fits(const Node& node, std::string& text) const {
    if (is_section(node) || lines_.comment_before(node.where.end)) return false;
    flat(node, text);
    return lines_.column() + text.size() <= kWidth;
  }

  void put(const Node& node, std::size_t indent) {
    std::string text;
    if (!node.is_list() || fits(node, text)) {
      if (!node.is_list()) text = std::string(word(node));
      lines_.out += text;
      return;
    }
    lines_.out += '(';
    const std::size_t inner = indent + kIndent;
    bool head = true;  // still on the line of the head
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const Node& item = node.items[i];
      const bool value = i > 0 && node.items[i - 1].kind == Node::Kind::name;
      lines_.own_lines(item.where.begin, inner);
      const bool line_ended = lines_.line_ended();
      const bool stays = i == 0 || (head && (!item.is_list() || is_players(node, item)));
      if (line_ended || (!value && !stays)) {
        lines_.start_line(inner);
        head = false;
      } else if (i > 0 && !value) {
        lines_.out += ' ';
      }
      put(item, inner);
      // The colon belongs to the name, also if a comment follows.
      if (item.kind == Node::Kind::name) lines_.out += ':';
    }
    lines_.own_lines(node.where.end, inner);
    if (lines_.line_ended()) lines_.out.append(indent, ' ');
    lines_.out += ')';
  }
  static bool is_players(const Node& parent, const Node& item) {
    return &item == &parent.items[1] && is_section(parent) && !item.items.empty() &&
           (item.items[0].is_word("P1") || item.items[0].is_word("P2"));
  }

  CommentLines lines_;
};

}  // namespace

std::string format(const Sources::File& file, Diagnostics& diagnostics) {
  // An invalid description is left unchanged.
  Diagnostics found(diagnostics.sources());
  if (!read_description(file, diagnostics)) return {};
  const std::vector<Node> items = read_tree(file, found);
  return Formatter(file).run(items);
}

}  // namespace rgtrans::ludax
