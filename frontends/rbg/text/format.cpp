// Formats tokens and comments rather than a syntax tree, so that macros with unbalanced bodies are allowed. Keeps all
// line breaks, because authors use them to group parts of a rule, and keeps the picture of a board.
#include "frontends/rbg/text/format.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

#include "frontends/rbg/text/tokens.hpp"

namespace rgtrans::rbg {

namespace {

struct Atom {
  PieceKind piece;
  std::string_view text;
  char kind = 0;           // class of the token
  int breaks = 0;          // line breaks before it
  std::size_t column = 0;  // position in its line, in bytes
};

class Formatter {
 public:
  Formatter(const Sources::File& file, Diagnostics& diagnostics) {
    std::size_t end = 0, line = 0;
    for (const PieceKind& piece : pieces_of(file, diagnostics)) {
      Atom atom;
      atom.piece = piece;
      const std::size_t begin = piece.where.begin - file.base;
      atom.text = std::string_view(file.text).substr(begin, piece.where.end - piece.where.begin);
      for (std::size_t i = end; i < begin; ++i) {
        if (file.text[i] != '\n') continue;
        ++atom.breaks;
        line = i + 1;
      }
      end = piece.where.end - file.base;
      atom.column = begin - line;
      if (piece.kind == PieceKind::Kind::token) {
        atom.kind = classify(atom.text);
        if (atom.text.front() == '"') atom.kind = token::kString;
      } else {
        while (!atom.text.empty() && (atom.text.back() == ' ' || atom.text.back() == '\r')) atom.text.remove_suffix(1);
      }
      atoms_.push_back(atom);
    }
    find_macros();
  }

  std::string run() {
    for (std::size_t i = 0; i < atoms_.size(); ++i) put(i);
    if (!out_.empty()) out_ += '\n';
    return std::move(out_);
  }

 private:
  // Finds names that are followed by arguments in brackets.
  void find_macros() {
    for (std::size_t i = 0; i + 2 < atoms_.size(); ++i) {
      if (atoms_[i].kind == '#' && atoms_[i + 1].kind == token::kIdentifier && atoms_[i + 2].kind == '(') {
        macros_.insert(atoms_[i + 1].text);
      }
    }
  }

  void put(std::size_t i) {
    const Atom& atom = atoms_[i];
    if (atom.kind == '#') start_directive(i);
    const bool comment = atom.piece.kind != PieceKind::Kind::token;
    const bool after_line_comment = i > 0 && atoms_[i - 1].piece.kind == PieceKind::Kind::line_comment;
    if (i > 0 && (atom.breaks > 0 || after_line_comment || atom.kind == '#')) {
      out_ += atom.breaks > 1 ? "\n\n" : "\n";
      if (atom.kind != '#') out_.append(indent(i), ' ');
    } else if (i > 0) {
      if (picture_) {
        // Keeps the original distance.
        const Atom& last = atoms_[i - 1];
        const std::size_t gap = atom.piece.where.begin - last.piece.where.end;
        out_.append(gap, ' ');
      } else if (comment || space(i)) {
        out_ += ' ';
      }
    }
    out_ += atom.text;
    if (comment) return;
    if (token::opens(atom.kind)) {
      ++depth_;
      arithmetic_.push_back(atom.kind == token::kComparison || atom.kind == token::kAssignment ||
                            (atom.kind == '(' && !arithmetic_.empty() && arithmetic_.back()));
    } else if (token::closes(atom.kind) && depth_ > 0) {
      --depth_;
      arithmetic_.pop_back();
    }
  }

  void start_directive(std::size_t i) {
    depth_ = 0;
    arithmetic_.clear();
    picture_ = i + 1 < atoms_.size() && atoms_[i + 1].text == "board";
  }

  std::size_t indent(std::size_t i) const {
    const Atom& atom = atoms_[i];
    if (atom.piece.kind != PieceKind::Kind::token) {
      // A comment is indented like the token that follows it.
      std::size_t next = i;
      while (next < atoms_.size() && atoms_[next].piece.kind != PieceKind::Kind::token) ++next;
      if (next == atoms_.size() || atoms_[next].kind == '#') return 0;
      if (!picture_) return indent(next);
    }
    if (picture_) return atom.column;
    const std::size_t depth = token::closes(atom.kind) && depth_ > 0 ? depth_ - 1 : depth_;
    return 2 + 2 * depth;
  }

  // Whether the texts would be read as other tokens, or as a comment, without a space between them.
  static bool join(std::string_view before, std::string_view after) {
    if (before == "/" && (after.front() == '/' || after.front() == '*')) return true;
    return classify(std::string(before) + after.front()) != 0;
  }

  // Whether a space separates the last atom from this one on the same line.
  bool space(std::size_t i) const {
    const Atom& last = atoms_[i - 1];
    const char a = last.kind;
    const char b = atoms_[i].kind;
    if (last.piece.kind != PieceKind::Kind::token || join(last.text, atoms_[i].text)) return true;
    if (a == '#' || a == '~' || b == '~') return false;
    if (token::opens(a))
      return a == token::kAssignment || a == token::kComparison || a == token::kPositive || a == token::kNegative;
    if (token::closes(b) || b == ',' || b == ';' || b == ':') return false;
    if (a == token::kSwitch || a == '^' || b == '^') return false;
    const bool in_arithmetic = !arithmetic_.empty() && arithmetic_.back();
    if (b == '*' && !in_arithmetic) return false;
    if (b == '(' && (is_keyword(a) || (a == token::kIdentifier && is_call(i)))) return false;
    return true;
  }

  // Whether the bracket at atoms_[i] belongs to the name before it, as in a call, the head of a definition, or a bound.
  bool is_call(std::size_t i) const {
    if (i >= 2 && atoms_[i - 2].kind == '#') return true;
    if (macros_.contains(atoms_[i - 1].text)) return true;
    return i + 2 < atoms_.size() && atoms_[i + 1].kind == token::kNumber && atoms_[i + 2].kind == ')';
  }

  std::vector<Atom> atoms_;
  std::unordered_set<std::string_view> macros_;
  std::string out_;
  std::size_t depth_ = 0;
  std::vector<bool> arithmetic_;
  bool picture_ = false;
};

}  // namespace

std::string format(const Sources::File& file, Diagnostics& diagnostics) {
  Formatter formatter(file, diagnostics);
  if (diagnostics.has_errors()) return {};
  return formatter.run();
}

}  // namespace rgtrans::rbg
