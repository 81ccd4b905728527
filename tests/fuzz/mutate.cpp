#include "tests/fuzz/mutate.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace rgtrans::fuzz {

namespace {

using Tokens = std::vector<std::string_view>;

bool of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Words, runs of blanks, and single characters for the rest.
Tokens tokens_of(std::string_view text) {
  Tokens tokens;
  while (!text.empty()) {
    std::size_t length = 1;
    const auto run = [&](auto&& same) {
      while (length < text.size() && same(text[length])) ++length;
    };
    if (of_word(text[0])) run(of_word);
    if (text[0] == ' ') run([](char c) { return c == ' '; });
    tokens.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return tokens;
}

struct Piece {
  std::size_t begin = 0, end = 0;  // in the tokens
};

bool opens(std::string_view token) { return token == "(" || token == "[" || token == "{"; }
bool closes(std::string_view token) { return token == ")" || token == "]" || token == "}"; }

// A token, a few of them, a line, or a part in parentheses.
Piece piece_of(const Tokens& tokens, test::Choices& c) {
  if (tokens.empty()) return {};
  std::size_t begin = c.below(tokens.size()), end = begin + 1;
  switch (c.below(4)) {
    case 0:
      end = std::min(tokens.size(), begin + 1 + c.below(8));
      break;
    case 1:
      while (begin > 0 && tokens[begin - 1] != "\n") --begin;
      while (end < tokens.size() && tokens[end - 1] != "\n") ++end;
      break;
    case 2: {
      while (begin > 0 && !opens(tokens[begin])) --begin;
      int depth = 1;
      for (end = begin + 1; end < tokens.size() && depth > 0; ++end)
        depth += opens(tokens[end]) ? 1 : closes(tokens[end]) ? -1 : 0;
      break;
    }
    default:
      break;
  }
  return {begin, end};
}

std::string text_of(const Tokens& tokens, const Piece& piece) {
  std::string text;
  for (std::size_t i = piece.begin; i < piece.end; ++i) text += tokens[i];
  return text;
}

// Numbers around which something changes.
std::string number(test::Choices& c) {
  return c.one_of({"0", "1", "2", "63", "64", "65", "255", "256", "257", "65535", "65536", "2147483647", "2147483648",
                   "18446744073709551615", "18446744073709551616", "-1", "007"});
}

std::string replaced(const Tokens& tokens, const Piece& piece, std::string_view by) {
  return text_of(tokens, {0, piece.begin}) + std::string(by) + text_of(tokens, {piece.end, tokens.size()});
}

std::string change(std::string_view text, std::string_view other, test::Choices& c) {
  const Tokens tokens = tokens_of(text);
  const Piece piece = piece_of(tokens, c);
  const Piece there{piece.begin, piece.begin};
  switch (c.below(8)) {
    case 0:
      return replaced(tokens, piece, "");
    case 1:
      return replaced(tokens, there, text_of(tokens, piece));
    case 2: {
      const Piece from = piece_of(tokens, c);
      return replaced(tokens, piece, text_of(tokens, from));
    }
    case 3: {
      const Piece from = piece_of(tokens, c);
      return replaced(tokens, there, text_of(tokens, from));
    }
    case 4:
    case 5: {
      const Tokens lent = tokens_of(other);
      return replaced(tokens, c.chance(2) ? piece : there, text_of(lent, piece_of(lent, c)));
    }
    case 6: {
      // The next number of the text.
      std::size_t at = piece.begin;
      while (at < tokens.size() && std::isdigit(static_cast<unsigned char>(tokens[at][0])) == 0) ++at;
      return at == tokens.size() ? std::string(text) : replaced(tokens, {at, at + 1}, number(c));
    }
    default:
      return replaced(tokens, there,
                      c.one_of({"(", ")", "{", "}", "[", "]", ",", ";", ":", "=", " ", "\n", "//", "\"", "$", "*"}));
  }
}

}  // namespace

std::string mutate(std::string_view text, std::string_view other, test::Choices& choices) {
  std::string result(text);
  for (std::size_t i = 1 + choices.below(4); i > 0; --i) result = change(result, other, choices);
  return result;
}

std::string mutate_or_generate(std::string_view text, std::span<const Generator> generators, test::Choices& choices) {
  constexpr std::size_t kOneNewOf = 12;
  const std::string fresh = generators[choices.below(generators.size())](choices);
  return text.empty() || choices.chance(kOneNewOf) ? fresh : mutate(text, fresh, choices);
}

}  // namespace rgtrans::fuzz
