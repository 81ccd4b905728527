// Any text is read as GDL, with seeds and a dictionary of the infix notation. Random descriptions are written in it.
#include "tests/fuzz/gdl.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::fuzz {
namespace {

// Writes what a description in parentheses says.
class Infix {
 public:
  explicit Infix(std::string_view text) : text_(text) {}

  std::string description() {
    std::string out;
    for (skip(); at_ < text_.size(); skip()) out += sentence() + "\n";
    return out;
  }

 private:
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == ';')) {
      if (text_[at_] == ';')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else
        ++at_;
    }
  }
  std::string word() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::string_view("() \n;").find(text_[at_]) == std::string_view::npos) ++at_;
    std::string word(text_.substr(begin, at_ - begin));
    // Variables begin with a capital letter instead of a question mark.
    if (word.starts_with('?')) word = "V" + word.substr(1);
    return word;
  }
  bool closes() {
    skip();
    if (at_ < text_.size() && text_[at_] != ')') return false;
    ++at_;
    return true;
  }
  std::string joined(const char* separator) {
    std::string out;
    while (!closes()) out += (out.empty() ? "" : separator) + term();
    return out;
  }
  std::string term() {
    skip();
    if (at_ >= text_.size() || text_[at_] != '(') return word();
    ++at_;
    const std::string head = word();
    if (head == "not") return "~" + joined("");
    if (head == "or") return "(" + joined(" | ") + ")";
    const std::string parts = joined(", ");
    return parts.empty() ? head : head + "(" + parts + ")";
  }
  std::string sentence() {
    if (text_.substr(at_, 3) != "(<=") return term();
    at_ += 3;
    const std::string head = term(), body = joined(" & ");
    return body.empty() ? head : head + " :- " + body;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string infix(test::Choices& choices) { return Infix(test::random_gdl(choices)).description(); }
std::string infix_board(test::Choices& choices) { return Infix(test::random_board_gdl(choices)).description(); }

const Registration kRegistration("gdl_infix", read_gdl, {infix, infix_board});

}  // namespace
}  // namespace rgtrans::fuzz
