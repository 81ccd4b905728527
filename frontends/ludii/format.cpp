// Formats a description as its author wrote it, with defines and options, which are pieces of text. So the tree of this
// file knows brackets, strings and words alone. Parts without white space between them stay together: a label and its
// value, the stars behind an item, the quotes of a range. A list is written on one line if it fits and contains no
// comment. Otherwise each item after the first words gets a line; arrays of short items fill their lines.
#include "frontends/ludii/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tao/pegtl.hpp>
#include <vector>

#include "core/support/actions.hpp"
#include "core/support/comments.hpp"
#include "frontends/comment_lines.hpp"
#include "frontends/ludii/limits.hpp"
#include "frontends/ludii/text/text.hpp"

namespace rgtrans::ludii {

namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kIndent = 4;
constexpr std::size_t kShort = 24;  // of an item of an array that fills its lines

namespace layout {

namespace p = tao::pegtl;

struct comment : p::seq<TAO_PEGTL_STRING("//"), p::until<p::at<p::sor<p::one<'\n', '\r'>, p::eof>>>> {};
struct space : p::one<' ', '\t', '\r', '\n', '\f'> {};
struct blanks : p::plus<p::sor<space, comment>> {};
struct quoted : p::if_must<p::one<'"'>, p::star<p::sor<p::string<'\\', '"'>, p::not_one<'"'>>>, p::one<'"'>> {};
struct letter : p::seq<p::not_at<p::sor<space, comment>>, p::not_one<'(', ')', '{', '}', '"'>> {};
struct word : p::plus<letter> {};
struct open : p::one<'(', '{'> {};
struct close : p::one<')', '}'> {};
struct byte_order_mark : TAO_PEGTL_STRING("\xEF\xBB\xBF") {};
struct begin : p::star<p::sor<space, byte_order_mark>> {};
struct text : p::seq<begin, p::star<p::sor<blanks, quoted, open, close, word>>, p::must<p::eof>> {};

}  // namespace layout

struct Part {
  char open = 0;  // '(' or '{' of a list
  std::string_view text;
  std::uint32_t begin = 0, end = 0;
  std::vector<std::vector<Part>> items;

  [[nodiscard]] bool is_list() const { return open != 0; }
};
// Parts that stay together.
using Chain = std::vector<Part>;

struct Broken {
  Range where;
  std::string message, hint;
};

class PartBuilder {
 public:
  explicit PartBuilder(const Sources::File& file) : file_(file), open_(1) {}

  [[nodiscard]] Range range(std::string_view part) const {
    const auto begin = static_cast<std::size_t>(part.data() - file_.text.data());
    return file_.range(begin, begin + part.size());
  }
  void blank() { apart_ = true; }
  void leaf(std::string_view text) { add({0, text, range(text).begin, range(text).end, {}}); }
  void open(std::string_view text) {
    if (open_.size() > limits::nesting)
      throw Broken{range(text), fmt::format("brackets are nested more than {} deep", limits::nesting),
                   limits::nesting.advice()};
    open_.push_back({{text[0], text, range(text).begin, 0, {}}, apart_});
    apart_ = true;
  }
  void close(std::string_view text) {
    const char wanted = text == ")" ? '(' : '{';
    if (open_.back().part.open != wanted)
      throw Broken{range(text), fmt::format("unexpected `{}`", text),
                   "brackets are closed in the order in which they open"};
    Open done = std::move(open_.back());
    open_.pop_back();
    done.part.end = range(text).end;
    apart_ = done.apart;
    add(std::move(done.part));
  }
  std::vector<Chain> result() {
    if (open_.size() > 1)
      throw Broken{range(open_.back().part.text), fmt::format("`{}` is not closed", open_.back().part.text),
                   "add the missing bracket"};
    return std::move(open_.front().part.items);
  }

 private:
  struct Open {
    Part part;
    bool apart = true;
  };

  // A label keeps its value; `<(a)>`, `(a)**` and `"A1".."C2"` are one as long as no white space stands between.
  [[nodiscard]] bool joins(const Part& last, const Part& next) const {
    const auto is_word = [](const Part& part) { return !part.is_list() && !part.text.starts_with('"'); };
    if (is_word(last) && last.text.ends_with(':')) return true;
    if (apart_) return false;
    if (is_word(last) && (last.text.ends_with('<') || last.text.ends_with(".."))) return true;
    return is_word(next) && (next.text.starts_with('*') || next.text.starts_with('>') || next.text.starts_with(".."));
  }

  void add(Part part) {
    std::vector<Chain>& items = open_.back().part.items;
    if (items.empty() || !joins(items.back().back(), part)) items.emplace_back();
    items.back().push_back(std::move(part));
    apart_ = false;
  }

  const Sources::File& file_;
  std::vector<Open> open_;
  bool apart_ = true;  // white space stands before the next part
};

void act(On<layout::blanks>, PartBuilder& b) { b.blank(); }
void act(On<layout::quoted>, std::string_view text, PartBuilder& b) { b.leaf(text); }
void act(On<layout::word>, std::string_view text, PartBuilder& b) { b.leaf(text); }
void act(On<layout::open>, std::string_view text, PartBuilder& b) { b.open(text); }
void act(On<layout::close>, std::string_view text, PartBuilder& b) { b.close(text); }

template <class Rule>
struct LayoutControl : tao::pegtl::normal<Rule> {
  template <class Input>
  [[noreturn]] static void raise(const Input& in, PartBuilder& builder) {
    throw Broken{builder.range(std::string_view(in.current(), in.empty() ? 0 : 1)), "the string is not closed",
                 "a string ends with `\"`"};
  }
};

class Formatter {
 public:
  explicit Formatter(const Sources::File& file)
      : file_(file), lines_(comments_of<layout::comment, layout::quoted>(file, " \t\f")) {}

  std::string run(const std::vector<Chain>& items) {
    for (const Chain& item : items) {
      own_paragraphs(item.front().begin);
      keep_blank_line(item.front().begin);
      lines_.start_line(0);
      put(item, 0);
    }
    own_paragraphs(0xffffffffU);
    return lines_.finish();
  }

 private:
  // A blank line before a place on the top level stays.
  void keep_blank_line(std::uint32_t place) {
    std::string_view before = std::string_view(file_.text).substr(0, place - file_.base);
    before = before.substr(before.find_last_not_of(" \t\r\n\f") + 1);
    if (lines_.out.empty() || std::ranges::count(before, '\n') < 2) return;
    lines_.start_line(0);
    lines_.out += '\n';
  }
  void own_paragraphs(std::uint32_t place) {
    for (; lines_.comment_before(place); lines_.write_comment(0)) {
      if (!lines_.next_comment().behind) keep_blank_line(lines_.next_comment().begin);
    }
  }

  // --- Text. ---
  static void flat(const Chain& chain, std::string& out) {
    for (const Part& part : chain) flat(part, out);
  }
  static void flat(const Part& part, std::string& out) {
    out += part.text;
    if (!part.is_list()) return;
    for (std::size_t i = 0; i < part.items.size(); ++i) {
      if (i > 0) out += ' ';
      flat(part.items[i], out);
    }
    out += part.open == '(' ? ')' : '}';
  }
  static bool is_plain(const Chain& chain) {
    return std::ranges::none_of(chain, [](const Part& part) { return part.is_list(); });
  }
  // As in args:{ <a> <b> }, behind any number of labels.
  static bool is_list_of_words(const Chain& chain) {
    return chain.size() > 1 && chain.back().is_list() && is_plain({chain.begin(), chain.end() - 1}) &&
           std::ranges::all_of(chain.back().items, is_plain);
  }
  // Sections are always split into lines, so that games look alike.
  static bool is_section(const Part& part) {
    static constexpr std::string_view kSections[] = {"game", "match", "rules", "option", "rulesets"};
    return part.open == '(' && !part.items.empty() && part.items.front().size() == 1 &&
           std::ranges::find(kSections, part.items.front().front().text) != std::end(kSections);
  }
  // So are the arrays of these with more than one clause.
  static bool is_listing(const Part& part) {
    static constexpr std::string_view kListings[] = {"equipment", "start", "end", "rulesets", "option"};
    if (part.open != '(' || part.items.empty() || part.items.front().size() != 1) return false;
    const Chain& last = part.items.back();
    return std::ranges::find(kListings, part.items.front().front().text) != std::end(kListings) && last.size() == 1 &&
           last.front().open == '{' && last.front().items.size() > 1;
  }
  static bool has_section(const Part& part) {
    return is_section(part) || is_listing(part) || std::ranges::any_of(part.items, [](const Chain& item) {
             return std::ranges::any_of(item, [](const Part& inner) { return has_section(inner); });
           });
  }
  [[nodiscard]] bool fits(const Chain& chain, std::string& text) const {
    if (lines_.comment_before(chain.back().end) || std::ranges::any_of(chain, has_section)) return false;
    flat(chain, text);
    return lines_.column() + text.size() <= kWidth && text.find('\n') == std::string::npos;
  }

  void put(const Chain& chain, std::size_t indent) {
    std::string text;
    if (is_plain(chain) || fits(chain, text)) {
      if (text.empty()) flat(chain, text);
      lines_.out += text;
      return;
    }
    for (const Part& part : chain) put(part, indent);
  }

  void put(const Part& part, std::size_t indent, bool split = false) {
    std::string text;
    if (!part.is_list() || (!split && fits({part}, text))) {
      if (text.empty()) flat(part, text);
      lines_.out += text;
      return;
    }
    lines_.out += part.text;
    if (part.open == '{' && fills(part)) {
      fill(part, indent);
    } else {
      put_items(part, indent);
    }
    lines_.own_lines(part.end, indent + kIndent);
    if (lines_.line_ended()) lines_.out.append(indent, ' ');
    lines_.out += part.open == '(' ? ')' : '}';
  }

  void put_items(const Part& part, std::size_t indent) {
    const std::size_t inner = indent + kIndent;
    bool head = part.open == '(';  // still on the first line
    for (std::size_t i = 0; i < part.items.size(); ++i) {
      const Chain& item = part.items[i];
      lines_.own_lines(item.front().begin, inner);
      const bool is_array = item.size() == 1 && item.front().open == '{';
      const bool last = i + 1 == part.items.size();
      // The condition stays behind its `if`.
      std::string text;
      const bool condition = i == 1 && part.items.front().front().text == "if" && fits(item, text);
      const bool fitting = condition || (is_list_of_words(item) && fits(item, text));
      const bool stays = head && !lines_.line_ended() && (is_plain(item) || fitting || (i > 0 && last && is_array));
      if (stays) {
        if (i > 0) lines_.out += ' ';
        if (last && is_array) return put(item.front(), indent, is_listing(part));
        put(item, inner);
        continue;
      }
      head = false;
      lines_.start_line(inner);
      put(item, inner);
    }
    if (head) return;
    lines_.own_lines(part.end, inner);
    lines_.start_line(indent);
  }

  bool fills(const Part& part) const {
    return !lines_.comment_before(part.end) && std::ranges::all_of(part.items, [](const Chain& item) {
      std::string text;
      flat(item, text);
      return text.size() <= kShort && std::ranges::none_of(item, [](const Part& p) { return p.open == '('; });
    });
  }
  void fill(const Part& part, std::size_t indent) {
    lines_.start_line(indent + kIndent);
    bool first = true;
    for (const Chain& item : part.items) {
      std::string text;
      flat(item, text);
      if (!first && lines_.column() + 1 + text.size() > kWidth) {
        lines_.start_line(indent + kIndent);
        first = true;
      }
      if (!first) lines_.out += ' ';
      lines_.out += text;
      first = false;
    }
    lines_.start_line(indent);
  }
  const Sources::File& file_;
  CommentLines lines_;
};

}  // namespace

std::string format(const Sources::File& file, Diagnostics& diagnostics) {
  namespace p = tao::pegtl;
  p::memory_input<p::tracking_mode::lazy> input(file.text.data(), file.text.data() + file.text.size(), file.name);
  PartBuilder builder(file);
  try {
    p::parse<layout::text, RuleAction, LayoutControl>(input, builder);
    return Formatter(file).run(builder.result());
  } catch (const Broken& broken) {
    diagnostics.error(broken.where, broken.message, broken.hint);
    return {};
  }
}

}  // namespace rgtrans::ludii
