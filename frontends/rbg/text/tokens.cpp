// The actions of the lexical grammar.
#include "frontends/rbg/text/tokens.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/support/actions.hpp"
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

  [[nodiscard]] Range range(std::string_view text) const {
    const auto begin = static_cast<std::size_t>(text.data() - file.text.data());
    return file.range(begin, begin + text.size());
  }
  void emit(Range where, std::string_view spelling, char kind) const {
    if (pieces != nullptr) pieces->push_back({PieceKind::Kind::token, where});
    if (tokens != nullptr) tokens->push_back({symbols->intern(spelling), where, 0, kind});
  }
  void comment(Range where, PieceKind::Kind kind) const {
    if (pieces != nullptr) pieces->push_back({kind, where});
  }
};

void act(On<lexical::word>, std::string_view text, Sink& sink) { sink.emit(sink.range(text), text, classify(text)); }
void act(On<lexical::number>, std::string_view text, Sink& sink) {
  std::string_view spelling = text;
  while (spelling.size() > 1 && spelling.front() == '0') spelling.remove_prefix(1);
  if (spelling.size() > 10 || std::stoull(std::string(spelling)) > kMaxNumber) {
    sink.diagnostics.error(sink.range(text), "number too large", fmt::format("the largest one is {}", kMaxNumber));
    spelling = "0";
  }
  sink.emit(sink.range(text), spelling, token::kNumber);
}
void act(On<lexical::punctuation>, std::string_view text, Sink& sink) {
  sink.emit(sink.range(text), text, classify(text));
}
void act(On<lexical::quoted>, std::string_view text, Sink& sink) { sink.emit(sink.range(text), text, token::kString); }
void act(On<lexical::open_quoted>, std::string_view text, Sink& sink) {
  Range where = sink.range(text);
  where.end = where.begin + 1;
  sink.diagnostics.error(where, "the quoted string does not end", "the language has no use for strings");
}
void act(On<lexical::line_comment>, std::string_view text, Sink& sink) {
  sink.comment(sink.range(text), PieceKind::Kind::line_comment);
}
void act(On<lexical::block_comment>, std::string_view text, Sink& sink) {
  sink.comment(sink.range(text), PieceKind::Kind::block_comment);
}
void act(On<lexical::open_comment>, std::string_view text, Sink& sink) {
  Range where = sink.range(text);
  where.end = where.begin + 2;
  sink.diagnostics.error(where, "the comment does not end", "close it with */");
}
void act(On<lexical::stray>, std::string_view text, Sink& sink) {
  const bool alternative = text == "|" || text == "||";
  sink.diagnostics.error(sink.range(text), fmt::format("stray character{}", text.size() > 1 ? "s" : ""),
                         alternative ? "alternatives are written with +" : "");
}

void run(Sink sink) {
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy> input(sink.file.text.data(), sink.file.text.size(), "");
  tao::pegtl::parse<lexical::text, RuleAction>(input, sink);
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
