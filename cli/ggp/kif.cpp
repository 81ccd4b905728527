#include "cli/ggp/kif.hpp"

#include <algorithm>
#include <cctype>

#include "core/support/letters.hpp"
#include "core/support/support.hpp"

namespace rgtrans::cli::ggp {

namespace {

constexpr std::size_t kDeepest = 200;
constexpr std::size_t kMostParts = 500'000;  // each takes 80 bytes; a large description has 20,000

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool ends_word(char c) { return is_space(c) || c == '(' || c == ')' || c == ';'; }

// Past spaces and comments, which end where any system ends a line.
std::size_t skip_blank(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_space(text[at]) || text[at] == ';')) {
    at = text[at] == ';' ? std::min(text.find_first_of("\r\n", at), text.size()) : at + 1;
  }
  return at;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  Kif read() {
    Kif root;
    root.is_list = true;
    std::vector<Kif> open = {root};
    for (;;) {
      skip();
      if (at_ == text_.size()) throw Error("the message ends before its parentheses are closed");
      const std::size_t begin = at_;
      if (text_[at_] == '(') {
        if (open.size() > kDeepest) throw Error("the message is nested too deeply");
        ++at_;
        Kif list;
        list.is_list = true;
        list.begin = begin;
        open.push_back(std::move(list));
        continue;
      }
      Kif item;
      if (text_[at_] == ')') {
        if (open.size() == 1) throw Error("the message begins with a closing parenthesis");
        ++at_;
        item = std::move(open.back());
        open.pop_back();
      } else {
        while (at_ < text_.size() && !ends_word(text_[at_])) ++at_;
        item.word = text_.substr(begin, at_ - begin);
        item.begin = begin;
      }
      item.end = at_;
      if (++parts_ > kMostParts) throw Error("the message has too many parts");
      if (open.size() == 1) return item;
      open.back().items.push_back(std::move(item));
    }
  }

 private:
  void skip() { at_ = skip_blank(text_, at_); }
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t parts_ = 0;
};

}  // namespace

std::string Kif::keyword() const { return upper_case(word); }

std::string Kif::text() const {
  if (!is_list) return word;
  if (items.size() == 1 && !items[0].is_list) return items[0].word;
  std::string out = "(";
  for (const Kif& item : items) out += (out.size() > 1 ? " " : "") + item.text();
  return out + ")";
}

Kif read_kif(std::string_view text) { return Reader(text).read(); }

std::string one_line(std::string_view description) {
  std::string out;
  std::size_t depth = 0;
  for (std::size_t at = skip_blank(description, 0); at < description.size(); at = skip_blank(description, at)) {
    const std::size_t begin = at++;
    const char first = description[begin];
    if (first == ')' && depth-- == 0) throw Error("the description closes a parenthesis that is not open");
    if (first == '(') ++depth;
    if (first != '(' && first != ')') {
      while (at < description.size() && !ends_word(description[at])) ++at;
    }
    if (!out.empty() && first != ')' && out.back() != '(') out += ' ';
    out += description.substr(begin, at - begin);
  }
  if (depth > 0) throw Error("the description ends before its parentheses are closed");
  return out;
}

}  // namespace rgtrans::cli::ggp
