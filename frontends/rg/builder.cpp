#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/support/letters.hpp"
#include "frontends/rg/actions.hpp"

namespace rgtrans::rg {

namespace {

// By ast::Pragma::Kind.
constexpr std::string_view kPragmaForms[] = {
    "@artificialTag tag …;",
    "@disjoint node : target …;",
    "@disjointExhaustive node : target …;",
    "@integer 0 : symbol …;",
    "@iterator a b c : variable;",
    "@repeat node … : variable …;",
    "@simpleApply a b [tag, name: Type] x = y, …;",
    "@simpleApplyExhaustive a b [tag, name: Type] x = y, …;",
    "@tagIndex node … : 0;",
    "@tagMaxIndex node … : 0;",
    "@translatedFromRbg;",
    "@unique node …;",
};

std::string_view word_at(const char* at, const char* end) { return {at, name_length(at, end)}; }

// The text at `at` for messages: a name, a symbol, or a description of an unprintable byte.
std::string describe(const char* at, const char* end) {
  if (at == end) return "the end of the file";
  constexpr std::size_t kLongest = 40;
  if (std::string_view word = word_at(at, end); !word.empty()) {
    if (is_keyword(word)) return fmt::format("the keyword {}", word);
    if (word.size() <= kLongest) return fmt::format("'{}'", word);
    std::size_t cut = kLongest;  // not inside a UTF-8 sequence
    while (!begins_character(word[cut])) --cut;
    return fmt::format("'{}…'", word.substr(0, cut));
  }
  for (std::string_view token : {"->", "==", "!=", "$$"}) {
    if (std::string_view(at, std::min<std::size_t>(2, static_cast<std::size_t>(end - at))) == token) {
      return fmt::format("'{}'", token);
    }
  }
  const auto byte = static_cast<unsigned char>(*at);
  std::uint32_t code_point = 0;
  const std::size_t length = decode_utf8(at, end, code_point);
  if (length == 0) return fmt::format("the byte 0x{:02x}, which is not UTF-8", byte);
  if (byte < 0x20 || byte == 0x7f) return fmt::format("the control character 0x{:02x}", byte);
  if (length > 1) return fmt::format("'{}' (U+{:04X})", std::string_view(at, length), code_point);
  return fmt::format("'{}'", *at);
}

std::size_t token_length(const char* at, const char* end) {
  if (at == end) return 0;
  if (const std::size_t length = name_length(at, end); length > 0) return length;
  std::uint32_t code_point = 0;
  return std::max<std::size_t>(1, decode_utf8(at, end, code_point));
}

}  // namespace

void Builder::start_item() {
  names_.clear();
  types_.clear();
  values_.clear();
  expressions_.clear();
  entries_.clear();
  maps_.clear();
  edge_ = {};
  in_pragma_ = false;
}

void Builder::comment(Range where) {
  // The grammar may match the same trivia several times.
  if (!keep_comments_ || (!program.comments.empty() && program.comments.back().begin >= where.begin)) return;
  program.comments.push_back(where);
}

ast::Slice Builder::take_names(std::size_t base) {
  const auto begin = static_cast<std::uint32_t>(program.names.size());
  program.names.insert(program.names.end(), names_.begin() + static_cast<std::ptrdiff_t>(base), names_.end());
  names_.resize(base);
  return {begin, static_cast<std::uint32_t>(program.names.size())};
}

void Builder::end_set(Range close) {
  const ast::Slice members = take_names(set_base_);
  types_.push_back(ast::add(program.types, {ast::Type::Kind::set, join(open_, close), members.begin, members.end}));
}

void Builder::end_type() {
  if (types_.size() - type_base_ > kMaxNesting + 1) {
    const char* at = program.file->text.data() + (program.types[types_.back()].where.begin - program.file->base);
    diagnostics_.error(program.types[types_.back()].where,
                       fmt::format("the type is nested more than {} levels deep", kMaxNesting), kMaxNesting.advice());
    leave_item(at);
  }
  while (types_.size() - type_base_ > 1) {
    const std::uint32_t to = pop(types_);
    const std::uint32_t from = pop(types_);
    const Range where = join(program.types[from].where, program.types[to].where);
    types_.push_back(ast::add(program.types, {ast::Type::Kind::arrow, where, from, to}));
  }
}

void Builder::end_map(Range close) {
  const OpenMap open = pop(maps_);
  const auto begin = static_cast<std::uint32_t>(program.entries.size());
  program.entries.insert(program.entries.end(), entries_.begin() + static_cast<std::ptrdiff_t>(open.entries),
                         entries_.end());
  entries_.resize(open.entries);
  const ast::Slice slice{begin, static_cast<std::uint32_t>(program.entries.size())};
  values_.push_back(ast::add(program.values, {true, join(open.where, close), slice}));
}

void Builder::name_expression(Range where) {
  expressions_.push_back({ast::add(program.expressions, {ast::Expression::Kind::name, where, where, 0, 0}), 1});
}

void Builder::cast_expression(Range close) {
  const Operand operand = pop(expressions_);
  ast::Expression& cast = program.expressions[expressions_.back().row];
  cast.kind = ast::Expression::Kind::cast;
  cast.a = operand.row;
  cast.where = join(cast.where, close);
  expressions_.back().depth = operand.depth + 1;
}

void Builder::access_expression(Range close) {
  const Operand index = pop(expressions_);
  const Operand map = pop(expressions_);
  const std::uint32_t depth = std::max(index.depth, map.depth) + 1;
  const Range where = join(program.expressions[map.row].where, close);
  if (depth > kMaxNesting + 1) {
    diagnostics_.error(close, fmt::format("the expression is nested more than {} levels deep", kMaxNesting),
                       kMaxNesting.advice());
    leave_item(program.file->text.data() + (close.begin - program.file->base));
  }
  expressions_.push_back(
      {ast::add(program.expressions, {ast::Expression::Kind::access, where, {}, map.row, index.row}), depth});
}

void Builder::set_label(ast::Edge::Label label, bool negated) {
  using enum ast::Edge::Label;
  edge_.label = label;
  edge_.negated = negated;
  switch (label) {
    case compare:
    case assign:
      edge_.b = pop(expressions_).row;
      edge_.a = pop(expressions_).row;
      break;
    case assign_any:
      edge_.b = pop(types_);
      edge_.a = pop(expressions_).row;
      break;
    case reachability:
      edge_.b = ast::add(program.names, pop(names_));
      edge_.a = ast::add(program.names, pop(names_));
      break;
    case tag:
    case tag_variable:
      edge_.a = ast::add(program.names, pop(names_));
      break;
    case empty:
      break;
  }
}

void Builder::end_edge(Range where) {
  edge_.source = names_[0];
  edge_.target = names_[1];
  edge_.end = where.end;
  program.edges.push_back(edge_);
}

void Builder::end_definition(std::vector<ast::Definition>& list, Range where, bool has_value) {
  list.push_back({names_.front(), types_.back(), has_value ? values_.back() : kNone, where});
}

void Builder::begin_pragma(Range at) {
  in_pragma_ = true;
  pragma_ = {};
  pragma_.where = at;
  split_ = std::string::npos;
}

void Builder::pragma_number(Range where) {
  const std::string_view text = program.text(where);
  const bool small =
      pragma_.kind == ast::PragmaText::Kind::tag_index || pragma_.kind == ast::PragmaText::Kind::tag_max_index;
  const std::uint64_t most = small ? 0xffffffffU : ~std::uint64_t{0};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pragma_.number);
  if (error == std::errc() && pragma_.number <= most) return;
  diagnostics_.error(where, "the number is too large", fmt::format("the largest possible one is {}", most));
  pragma_.number = 0;
}

void Builder::apply_effect() {
  const std::uint32_t rhs = pop(expressions_).row;
  const std::uint32_t lhs = pop(expressions_).row;
  pragma_.effects.push_back({lhs, rhs});
}

void Builder::end_known_pragma(Range where) {
  pragma_.where = join(pragma_.where, where);
  const std::size_t split = std::min(split_, names_.size());
  pragma_.second = take_names(split);
  pragma_.first = take_names(0);
  program.pragmas.push_back(std::move(pragma_));
}

void Builder::unknown_pragma(Range content) {
  pragma_ = {};
  pragma_.content = content;
  pragma_.where = {content.begin - 1, content.end};
  // Comments matched inside an unknown pragma are part of its text.
  while (!program.comments.empty() && program.comments.back().begin >= content.begin) program.comments.pop_back();
  const std::string_view text = program.text(content);
  for (const char *at = text.data(), *end = at + text.size(); at != end;) {
    std::uint32_t code_point = 0;
    const bool is_ascii = static_cast<unsigned char>(*at) < 0x80;
    const std::size_t length = is_ascii ? 1 : decode_utf8(at, end, code_point);
    if (length == 0) mistake(at, "the text of a pragma", "");
    at += length;
  }
  warn_of_unknown(text, pragma_.where);
  program.pragmas.push_back(std::move(pragma_));
}

void Builder::warn_of_unknown(std::string_view content, Range where) {
  const std::string_view name = word_at(content.data(), content.data() + content.size());
  if (content.find('\n') != std::string_view::npos) {
    diagnostics_.warning(Range{where.begin, where.begin + 1 + static_cast<std::uint32_t>(name.size())},
                         "the text of this unknown pragma goes on in the next line", "is a ';' missing?");
    return;
  }
  const std::string hint = name == "tagIndexMax" ? "did you mean tagMaxIndex?" : did_you_mean(name, ast::kPragmaNames);
  if (!hint.empty()) diagnostics_.warning(where, fmt::format("unknown pragma {}", name), hint);
}

Deeper Builder::enter(const char* at) {
  if (depth_ >= kMaxNesting) {
    diagnostics_.error(range(at, at + 1), fmt::format("nested more than {} levels deep", kMaxNesting),
                       kMaxNesting.advice());
    leave_item(at);
  }
  return Deeper(depth_);
}

bool begins_like_known_pragma(std::string_view content) {
  grammar::peg::memory_input<grammar::peg::tracking_mode::lazy> input(content.data(), content.size(), "");
  return grammar::peg::parse<grammar::peg::seq<grammar::sep, grammar::pragma_word>>(input);
}

void Builder::leave_item(const char* at) {
  if (diagnostics_.full()) throw Enough{};
  mistake_ = at;
  throw grammar::Mistake{};
}

std::string Builder::advice(const char* at, std::string_view expected) const {
  const char* end = program.file->text.data() + program.file->text.size();
  const std::string_view word = word_at(at, end);
  if (is_keyword(word) && expected != Expected<grammar::item>::what) {
    return fmt::format("{} is a keyword and cannot be a name", word);
  }
  if (expected == Expected<grammar::edge_comma>::what && !word.empty() && !names_.empty()) {
    constexpr std::string_view kKeywords[] = {"const", "type", "var"};
    return did_you_mean(program.text(names_.back()), kKeywords);
  }
  if (in_pragma_ && pragma_.kind != ast::PragmaText::Kind::unknown) {
    return fmt::format("write {}", kPragmaForms[static_cast<std::size_t>(pragma_.kind)]);
  }
  return {};
}

void Builder::mistake(const char* at, std::string_view expected, std::string_view hint) {
  const char* end = program.file->text.data() + program.file->text.size();
  std::string better = advice(at, expected);
  diagnostics_.error(range(at, at + token_length(at, end)),
                     fmt::format("expected {}, found {}", expected, describe(at, end)),
                     better.empty() ? std::string(hint) : std::move(better));
  leave_item(at);
}

void Builder::missing_semicolon(const char* at, const char* end) {
  grammar::peg::memory_input<grammar::peg::tracking_mode::lazy> rest(at, end, "");
  grammar::peg::parse<grammar::sep>(rest);
  const char* next = rest.current();
  const bool item_follows = next == end || grammar::peg::parse<grammar::item_ahead>(rest);
  if (item_follows) {
    diagnostics_.error(range(at, at), "missing ';'", "every item ends with a semicolon");
    if (diagnostics_.full()) throw Enough{};
    return;
  }
  const bool no_label = edge_.end != 0 && edge_.label == ast::Edge::Label::empty;
  mistake(
      next, no_label ? "a label or ';'" : "';'",
      no_label ? "a label is x = y, x = T(*), x == y, x != y, ? a -> b, ! a -> b, $ tag, $$ variable or nothing" : "");
}

}  // namespace rgtrans::rg
