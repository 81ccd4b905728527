#include "tests/differential/driver/shrink.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "core/support/clock.hpp"
#include "core/support/text.hpp"

namespace rgtrans::differential {

namespace {

// Tries to leave out runs of parts, long ones first. Whether anything went.
template <class Part, class Try>
bool leave_out(std::vector<Part>& parts, std::size_t first, const Try& shows_without) {
  bool changed = false;
  for (std::size_t length = std::max<std::size_t>((parts.size() - first + 1) / 2, 1); length > 0; length /= 2) {
    for (std::size_t begin = first; begin < parts.size();) {
      const std::size_t end = std::min(parts.size(), begin + length);
      std::vector<Part> removed(parts.begin() + static_cast<std::ptrdiff_t>(begin),
                                parts.begin() + static_cast<std::ptrdiff_t>(end));
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(begin), parts.begin() + static_cast<std::ptrdiff_t>(end));
      if (shows_without()) {
        changed = true;
      } else {
        parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(begin), removed.begin(), removed.end());
        begin = end;
      }
    }
  }
  return changed;
}

// A word, or a list.
struct Term {
  std::string word;
  std::vector<Term> parts;
};

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}
  std::vector<Term> all() {
    std::vector<Term> out;
    while (blanks(), at_ < text_.size() && text_[at_] != ')') out.push_back(term());
    return out;
  }

 private:
  void blanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == ';') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else {
        return;
      }
    }
  }
  Term term() {
    if (text_[at_] == '(') {
      ++at_;
      Term list{"", all()};
      ++at_;
      return list;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '(' && text_[at_] != ')' && text_[at_] != ';' &&
           std::isspace(static_cast<unsigned char>(text_[at_])) == 0)
      ++at_;
    return {text_.substr(begin, at_ - begin), {}};
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

void print(const Term& term, std::string& out) {
  if (!term.word.empty()) {
    out += term.word;
    return;
  }
  const bool fact = term.parts.size() == 2 && term.parts[0].word == "<=";
  if (fact) return print(term.parts[1], out);
  if (term.parts.size() == 1 && !term.parts[0].word.empty()) return print(term.parts[0], out);
  out += '(';
  for (std::size_t i = 0; i < term.parts.size(); ++i) {
    if (i > 0) out += ' ';
    print(term.parts[i], out);
  }
  out += ')';
}

class ListShrinker {
 public:
  ListShrinker(const std::string& text, const Shows& shows, double seconds)
      : shows_(shows), deadline_(processor_seconds() + seconds), statements_(Reader(text).all()) {}

  std::string run() {
    if (!shows()) return "";  // not a text of this kind
    for (bool changed = true; changed && !late();) {
      changed = leave_out(statements_, 0, [&] { return shows(); });
      for (std::size_t i = 0; i < statements_.size() && !late(); ++i) changed |= inside(statements_[i]);
    }
    return text();
  }

 private:
  // A rule without literals is a fact; a negation or disjunction may become what is in it.
  bool inside(Term& term) {
    if (!term.word.empty() || term.parts.empty()) return false;
    const bool rule = term.parts[0].word == "<=";
    bool changed = leave_out(term.parts, rule ? 2 : 1, [&] { return shows(); });
    for (std::size_t i = rule ? 1 : 0; i < term.parts.size() && !late(); ++i) {
      changed |= inside(term.parts[i]);
      const std::vector<Term>& parts = term.parts[i].parts;
      if (parts.size() < 2 || (parts[0].word != "not" && parts[0].word != "or")) continue;
      Term whole = term.parts[i];
      term.parts[i] = Term(whole.parts[1]);
      if (shows()) {
        changed = true;
      } else {
        term.parts[i] = std::move(whole);
      }
    }
    return changed;
  }
  [[nodiscard]] bool late() const { return processor_seconds() > deadline_; }
  [[nodiscard]] std::string text() const {
    std::string out;
    for (const Term& statement : statements_) {
      print(statement, out);
      out += '\n';
    }
    return out;
  }
  bool shows() { return !late() && shows_(text()); }

  const Shows& shows_;
  double deadline_;
  std::vector<Term> statements_;
};

}  // namespace

std::string shrink_lists(const std::string& text, const Shows& shows, double seconds) {
  return ListShrinker(text, shows, seconds).run();
}

std::string shrink_lines(const std::string& text, const Shows& shows, double seconds) {
  const double deadline = processor_seconds() + seconds;
  std::vector<std::string> lines = split_lines(text);
  const auto whole = [&] {
    std::string out;
    for (const std::string& line : lines) out += line + "\n";
    return out;
  };
  const auto still = [&] { return processor_seconds() < deadline && shows(whole()); };
  if (!still()) return "";
  while (leave_out(lines, 0, still)) {
  }
  return whole();
}

}  // namespace rgtrans::differential
