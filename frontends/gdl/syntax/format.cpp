// The tree gives the nesting of statements, and a second scan of the text collects the comments. A comment that follows
// code on its line stays behind it; others get their own line. A list occupies one line if it fits and contains no
// comment; else each element has its own line.
#include "frontends/gdl/syntax/format.hpp"

#include <algorithm>

#include "core/support/comments.hpp"
#include "frontends/gdl/syntax/grammar.hpp"
#include "frontends/gdl/syntax/syntax.hpp"

namespace rgtrans::gdl {

namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kRuleIndent = 4;

// --- Layout. ---

class Formatter {
 public:
  Formatter(const Sources::File& file, const Tree& tree, bool infix)
      : file_(file), tree_(tree), infix_(infix), comments_(comments_of<grammar::comment>(file, " \t\f\v")) {}

  std::string run() {
    std::uint32_t last = file_.base;
    for (const Node& statement : tree_.statements) {
      own_lines(statement.where.begin, 0, last);
      keep_blank_line(last, statement.where.begin);
      if (infix_) {
        infix_statement(statement);
      } else {
        prefix(statement, 0);
      }
      last = end_of(statement);
      behind(last);
      end_line();
    }
    own_lines(0xffffffffU, 0, last);
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string_view source(Range where) const {
    return std::string_view(file_.text).substr(where.begin - file_.base, where.end - where.begin);
  }
  std::span<const Node> elements(const Node& node) const { return tree_.elements(node); }

  // The range of an infix rule includes trailing blanks, so its end is the end of its last element.
  std::uint32_t end_of(const Node& node) const {
    return infix_ && node.kind == Node::Kind::list && is_rule(node) ? end_of(elements(node).back()) : node.where.end;
  }
  bool is_rule(const Node& node) const {
    return node.count > 1 && elements(node)[0].kind == Node::Kind::word && source(elements(node)[0].where) == ":-";
  }

  // --- Lines. ---
  [[nodiscard]] std::size_t column() const { return out_.size() - line_begin_; }
  void new_line(std::size_t indent) {
    end_line();
    out_.append(indent, ' ');
  }
  void end_line() {
    if (out_.empty() || column() == 0) return;
    out_ += '\n';
    line_begin_ = out_.size();
  }
  // Keeps at most one blank line where the source has some.
  void keep_blank_line(std::uint32_t from, std::uint32_t to) {
    const std::string_view gap = source({from, to});
    std::size_t lines = 0;
    for (std::size_t i = 0; i < gap.size(); ++i)
      if (gap[i] == '\n' || (gap[i] == '\r' && (i + 1 == gap.size() || gap[i + 1] != '\n'))) ++lines;
    // The first line break ends the previous line.
    if (!out_.empty() && lines > 1) {
      out_ += '\n';
      line_begin_ = out_.size();
    }
  }

  // --- Comments. ---
  [[nodiscard]] bool comment_before(std::uint32_t place) const {
    return next_ < comments_.size() && comments_[next_].begin < place;
  }
  // Prints the comments before a place, each on its own line.
  void own_lines(std::uint32_t place, std::size_t indent, std::uint32_t& last) {
    while (comment_before(place)) {
      const Comment& comment = comments_[next_++];
      end_line();
      keep_blank_line(last, comment.begin);
      out_.append(indent, ' ');
      out_ += comment.text;
      end_line();
      last = comment.begin + static_cast<std::uint32_t>(comment.text.size());
    }
  }
  void own_lines(std::uint32_t place, std::size_t indent) {
    while (comment_before(place)) {
      new_line(indent);
      out_ += comments_[next_++].text;
      must_break_ = true;
    }
  }
  // Prints the comment that follows on the line where an element ends.
  void behind(std::uint32_t end) {
    if (next_ == comments_.size() || !comments_[next_].behind) return;
    const std::string_view gap = source({end, std::max(end, comments_[next_].begin)});
    if (comments_[next_].begin < end || gap.find_first_not_of(" \t\f\v&,") != std::string_view::npos) return;
    out_ += "  ";
    out_ += comments_[next_++].text;
    must_break_ = true;
  }
  [[nodiscard]] bool holds_comment(const Node& node) const {
    return next_ < comments_.size() && comments_[next_].begin < end_of(node) &&
           comments_[next_].begin > node.where.begin;
  }

  // --- Prefix. ---
  void flat(const Node& node, std::string& out) const {
    if (node.kind != Node::Kind::list) {
      out += source(node.where);
      return;
    }
    out += '(';
    bool first = true;
    for (const Node& element : elements(node)) {
      if (!first) out += ' ';
      first = false;
      flat(element, out);
    }
    out += ')';
  }

  void prefix(const Node& node, std::size_t indent) {
    std::string text;
    const bool rule = indent == 0 && node.count > 2 && source(elements(node)[0].where) == "<=";
    if (!holds_comment(node) && !rule) {
      flat(node, text);
      if (node.count < 2 || column() + text.size() <= kWidth) {
        out_ += text;
        return;
      }
    }
    if (node.kind != Node::Kind::list) {
      out_ += source(node.where);
      return;
    }
    out_ += '(';
    const std::size_t base = column();
    std::size_t inner = base + 1;
    must_break_ = false;
    const std::span<const Node> all = elements(node);
    for (std::size_t i = 0; i < all.size(); ++i) {
      // `(or a` aligns b with a.
      const std::string_view word = source(all[0].where);
      if (i == 1 && all[0].kind != Node::Kind::list && word.size() < kRuleIndent) inner = base + word.size() + 1;
      own_lines(all[i].where.begin, inner);
      if (i == 0 && !must_break_) {
        // the first element follows the parenthesis directly
      } else if (i == 1 && !must_break_) {
        out_ += ' ';
      } else {
        new_line(inner);
      }
      must_break_ = false;
      prefix(all[i], inner);
      must_break_ = false;
      behind(all[i].where.end);
    }
    own_lines(node.where.end, inner);
    if (must_break_) new_line(base - 1);
    out_ += ')';
    must_break_ = false;
  }
  // --- Infix. ---
  void infix_flat(const Node& node, std::string& out) const {
    if (node.kind != Node::Kind::list) {
      out += source(node.where);
      return;
    }
    const std::span<const Node> all = elements(node);
    if (source(all[0].where) == "~") {
      out += '~';
      infix_flat(all[1], out);
      return;
    }
    out += source(all[0].where);
    out += '(';
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (i > 1) out += ", ";
      infix_flat(all[i], out);
    }
    out += ')';
  }

  // Comments inside a sentence move in front of it.
  void infix_sentence(const Node& node, std::size_t indent, bool rule_body) {
    const std::size_t before = next_;
    own_lines(end_of(node), indent);
    if (rule_body || next_ != before) new_line(indent);
    must_break_ = false;
    infix_flat(node, out_);
  }

  void infix_statement(const Node& node) {
    if (node.kind != Node::Kind::list || !is_rule(node)) {
      infix_sentence(node, 0, false);
      return;
    }
    const std::span<const Node> all = elements(node);
    infix_sentence(all[1], 0, false);
    out_ += " :-";
    behind(all[0].where.end);
    for (std::size_t i = 2; i < all.size(); ++i) {
      infix_sentence(all[i], kRuleIndent, true);
      if (i + 1 == all.size()) break;
      out_ += " &";
      behind(end_of(all[i]));
    }
  }

  const Sources::File& file_;
  const Tree& tree_;
  bool infix_;
  std::vector<Comment> comments_;
  std::size_t next_ = 0;  // index into comments_
  std::string out_;
  std::size_t line_begin_ = 0;
  bool must_break_ = false;  // the line ends in a comment
};

}  // namespace

std::string format(const Sources::File& file, Diagnostics& diagnostics) {
  Symbols symbols;
  const Tree tree = read_tree(file, symbols, diagnostics, false);
  if (diagnostics.has_errors()) return "";
  return Formatter(file, tree, detect_notation(file.text) == Notation::infix).run();
}

}  // namespace rgtrans::gdl
