// Formats a description: the tree gives the nesting of lists, and a second pass over the text collects the comments. A
// list is written on one line if it fits and contains no comment. Otherwise each item after the head gets a line,
// except that short words stay with the head. A comment that follows text stays on that line; other comments get lines
// of their own.
#include "frontends/ludax/format.hpp"

#include <algorithm>

#include "core/support/comments.hpp"
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
      : comments_(comments_of<grammar::comment, grammar::string>(file, " \t\f")) {}

  std::string run(const std::vector<Node>& items) {
    for (const Node& item : items) {
      own_lines(item.where.begin, 0);
      start_line(0);
      put(item, 0);
    }
    own_lines(0xffffffffU, 0);
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::size_t column() const {
    const std::size_t line = out_.rfind('\n');
    return line == std::string::npos ? out_.size() : out_.size() - line - 1;
  }
  void start_line(std::size_t indent) {
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    out_.append(indent, ' ');
  }

  // --- Comments. ---
  [[nodiscard]] bool comment_before(std::uint32_t place) const {
    return next_ < comments_.size() && comments_[next_].begin < place;
  }
  // Writes the comments before a place. A comment that follows text stays on its line.
  void own_lines(std::uint32_t place, std::size_t indent) {
    while (comment_before(place)) {
      const Comment& comment = comments_[next_++];
      if (comment.behind && !out_.empty() && out_.back() != '\n') {
        out_ += "  ";
      } else {
        start_line(indent);
      }
      out_ += comment.text;
      out_ += '\n';
    }
  }

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
      if (i > 0 && node.items[i - 1].kind == Node::Kind::name) {
        out += ':';
      } else if (i > 0) {
        out += ' ';
      }
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
    if (is_section(node) || comment_before(node.where.end)) return false;
    flat(node, text);
    return column() + text.size() <= kWidth;
  }

  void put(const Node& node, std::size_t indent) {
    std::string text;
    if (!node.is_list() || fits(node, text)) {
      if (!node.is_list()) text = std::string(word(node));
      out_ += text;
      return;
    }
    out_ += '(';
    const std::size_t inner = indent + kIndent;
    bool head = true;  // still on the line of the head
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const Node& item = node.items[i];
      const bool value = i > 0 && node.items[i - 1].kind == Node::Kind::name;
      own_lines(item.where.begin, inner);
      const bool line_ended = !out_.empty() && out_.back() == '\n';
      const bool stays = i == 0 || (head && (!item.is_list() || is_players(node, item)));
      if (value && !line_ended) {
        out_ += ':';
      } else if (value || !stays || line_ended) {
        start_line(inner);
        if (value) out_ += ':';
        head = false;
      } else if (i > 0) {
        out_ += ' ';
      }
      put(item, inner);
    }
    own_lines(node.where.end, inner);
    if (!out_.empty() && out_.back() == '\n') out_.append(indent, ' ');
    out_ += ')';
  }
  static bool is_players(const Node& parent, const Node& item) {
    return &item == &parent.items[1] && is_section(parent) && !item.items.empty() &&
           (item.items[0].is_word("P1") || item.items[0].is_word("P2"));
  }

  std::vector<Comment> comments_;
  std::size_t next_ = 0;  // the next comment
  std::string out_;
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
