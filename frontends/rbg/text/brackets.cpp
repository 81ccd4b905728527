#include "frontends/rbg/text/brackets.hpp"

#include <vector>

#include "frontends/rbg/ast.hpp"

namespace rgtrans::rbg {

const Token* too_deep(std::span<const Token> tokens) {
  std::size_t depth = 0;
  for (const Token& token : tokens) {
    switch (token.kind) {
      case '(':
      case '[':
      case '{':
      case token::kPositive:
      case token::kNegative:
      case token::kComparison:
      case token::kAssignment:
        if (++depth > kMaxNesting) return &token;
        break;
      case ')':
      case ']':
      case '}':
        if (depth > 0) --depth;
        break;
      default:
        break;
    }
  }
  return nullptr;
}

void check_patterns(std::span<const Token> tokens, const Macros& macros) {
  std::vector<bool> open;  // for every bracket: does it open a pattern?
  std::size_t patterns = 0;
  for (const Token& token : tokens) {
    switch (token.kind) {
      case '{':
      case token::kPositive:
      case token::kNegative:
      case token::kComparison: {
        const bool pattern = token.kind == token::kPositive || token.kind == token::kNegative;
        open.push_back(pattern);
        patterns += pattern ? 1 : 0;
        break;
      }
      case '}':
        if (open.empty()) return;
        patterns -= open.back() ? 1 : 0;
        open.pop_back();
        break;
      case token::kSwitch:
      case token::kKeeperSwitch:
        if (patterns > 0) macros.error(token, "a switch cannot stand inside a pattern", "a pattern only looks ahead");
        break;
      default:
        break;
    }
  }
}

}  // namespace rgtrans::rbg
