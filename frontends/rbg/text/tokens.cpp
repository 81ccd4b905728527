// The actions of the lexical grammar.
#include "frontends/rbg/text/tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/support/letters.hpp"
#include "frontends/rbg/text/token_grammar.hpp"

namespace rgtrans::rbg {

namespace {

constexpr std::uint64_t kMaxNumber = 2'147'483'647;

constexpr std::array<std::pair<std::string_view, char>, 8> kKeywords = {{{"hexagon", token::kHexagon},
                                                                         {"cuboid", token::kCuboid},
                                                                         {"rectangle", token::kRectangle},
                                                                         {"players", token::kSection},
                                                                         {"pieces", token::kSection},
                                                                         {"variables", token::kSection},
                                                                         {"rules", token::kSection},
                                                                         {"board", token::kSection}}};

constexpr std::array<std::pair<std::string_view, char>, 12> kCompound = {{{"{?", token::kPositive},
                                                                          {"{!", token::kNegative},
                                                                          {"{$", token::kComparison},
                                                                          {"[$", token::kAssignment},
                                                                          {"!=", token::kNotEqual},
                                                                          {"==", token::kEqual},
                                                                          {"<=", token::kLessOrEqual},
                                                                          {">=", token::kGreaterOrEqual},
                                                                          {"->", token::kSwitch},
                                                                          {"->>", token::kKeeperSwitch},
                                                                          {"+>", token::kPriority},
                                                                          {"", 0}}};

struct Sink {
  const Sources::File& file;
  Diagnostics& diagnostics;
  Symbols* symbols = nullptr;
  std::vector<Token>* tokens = nullptr;
  std::vector<PieceKind>* pieces = nullptr;

  template <class Input>
  Range range(const Input& in) const {
    const auto begin = static_cast<std::size_t>(in.begin() - file.text.data());
    return file.range(begin, begin + in.size());
  }
  void emit(Range where, std::string_view spelling, char kind) const {
    if (pieces != nullptr) pieces->push_back({PieceKind::Kind::token, where});
    if (tokens != nullptr) tokens->push_back({symbols->intern(spelling), where, 0, kind});
  }
  void comment(Range where, PieceKind::Kind kind) const {
    if (pieces != nullptr) pieces->push_back({kind, where});
  }
};

template <class Rule>
struct Action : tao::pegtl::nothing<Rule> {};

template <>
struct Action<lexical::word> {
  template <class Input>
  static void apply(const Input& in, Sink& sink) {
    const std::string_view spelling(in.begin(), in.size());
    sink.emit(sink.range(in), spelling, classify(spelling));
  }
};
template <>
struct Action<lexical::number> {
  template <class Input>
  static void apply(const Input& in, Sink& sink) {
    std::string_view spelling(in.begin(), in.size());
    while (spelling.size() > 1 && spelling.front() == '0') spelling.remove_prefix(1);
    if (spelling.size() > 10 || std::stoull(std::string(spelling)) > kMaxNumber) {
      sink.diagnostics.error(sink.range(in), "number too large", fmt::format("the largest one is {}", kMaxNumber));
      spelling = "0";
    }
    sink.emit(sink.range(in), spelling, token::kNumber);
  }
};
template <>
struct Action<lexical::punctuation> {
  template <class Input>
  static void apply(const Input& in, Sink& sink) {
    const std::string_view spelling(in.begin(), in.size());
    sink.emit(sink.range(in), spelling, classify(spelling));
  }
};
template <>
struct Action<lexical::quoted> {
  template <class Input>
  static void apply(const Input& in, Sink& sink) {
    sink.emit(sink.range(in), std::string_view(in.begin(), in.size()), token::kString);
  }
};
template <>
struct Action<lexical::open_quoted> {
  template <class Input>
  static void apply(const Input& in, Sink& sink) {
    Range where = sink.range(in);
    where.end = where.begin + 1;
    sink.diagnostics.error(where, "the quoted string does not end", "the language has no use for strings");
  }
};
template <>
struct Action<lexical::line_comment> {
  template <class Input>
  static void apply(const Input& in, Sink& sink) {
    sink.comment(sink.range(in), PieceKind::Kind::line_comment);
  }
};
template <>
struct Action<lexical::block_comment> {
  template <class Input>
  static void apply(const Input& in, Sink& sink) {
    sink.comment(sink.range(in), PieceKind::Kind::block_comment);
  }
};
template <>
struct Action<lexical::open_comment> {
  template <class Input>
  static void apply(const Input& in, Sink& sink) {
    Range where = sink.range(in);
    where.end = where.begin + 2;
    sink.diagnostics.error(where, "the comment does not end", "close it with */");
  }
};
template <>
struct Action<lexical::stray> {
  template <class Input>
  static void apply(const Input& in, Sink& sink) {
    const std::string_view spelling(in.begin(), in.size());
    const bool alternative = spelling == "|" || spelling == "||";
    sink.diagnostics.error(sink.range(in), fmt::format("stray character{}", spelling.size() > 1 ? "s" : ""),
                           alternative ? "alternatives are written with +" : "");
  }
};

void run(Sink sink) {
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy> input(sink.file.text.data(), sink.file.text.size(), "");
  tao::pegtl::parse<lexical::text, Action>(input, sink);
}

}  // namespace

std::uint32_t number_of(const Token& token, const Symbols& symbols) {
  return static_cast<std::uint32_t>(std::stoul(symbols.str(token.text)));
}

char classify(std::string_view spelling) {
  if (spelling.empty()) return 0;
  if (is_digit(spelling[0])) return all_digits(spelling) ? token::kNumber : 0;
  if (is_word(spelling[0])) {
    for (const auto& [name, kind] : kKeywords) {
      if (name == spelling) return kind;
    }
    return all_word(spelling) ? token::kIdentifier : 0;
  }
  for (const auto& [name, kind] : kCompound) {
    if (name == spelling) return kind;
  }
  return spelling.size() == 1 ? spelling[0] : '\0';
}

bool is_keyword(char kind) {
  return kind == token::kHexagon || kind == token::kCuboid || kind == token::kRectangle || kind == token::kSection;
}

std::vector<Token> tokenize(const Sources::File& file, Symbols& symbols, Diagnostics& diagnostics) {
  std::vector<Token> tokens;
  tokens.reserve(file.text.size() / 4 + 16);
  run({file, diagnostics, &symbols, &tokens, nullptr});
  return tokens;
}

std::vector<PieceKind> pieces_of(const Sources::File& file, Diagnostics& diagnostics) {
  std::vector<PieceKind> pieces;
  run({file, diagnostics, nullptr, nullptr, &pieces});
  return pieces;
}

}  // namespace rgtrans::rbg
