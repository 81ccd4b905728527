#include "frontends/rbg/text/brackets.hpp"

#include <vector>

#include "frontends/rbg/ast.hpp"

namespace rgtrans::rbg {

const Token* too_deep(std::span<const Token> tokens) {
  std::size_t depth = 0;
  for (const Token& token : tokens) {
    if (token::opens(token.kind) && ++depth > kMaxNesting) return &token;
    if (token::closes(token.kind) && depth > 0) --depth;
  }
  return nullptr;
}

void check_patterns(std::span<const Token> tokens, const Macros& macros) {
  std::vector<const Token*> open;  // for every open bracket: the pattern around it
  for (const Token& token : tokens) {
    switch (token.kind) {
      case '{':
      case token::kPositive:
      case token::kNegative:
      case token::kComparison: {
        const bool pattern = token.kind == token::kPositive || token.kind == token::kNegative;
        open.push_back(pattern ? &token : open.empty() ? nullptr : open.back());
        break;
      }
      case '}':
        if (open.empty()) return;
        open.pop_back();
        break;
      case token::kSwitch:
      case token::kKeeperSwitch:
        if (open.empty() || open.back() == nullptr) break;
        macros.error(token, "a switch cannot stand inside a pattern", "a pattern only looks ahead")
            .notes.push_back({open.back()->where, "the pattern begins here"});
        break;
      default:
        break;
    }
  }
}

}  // namespace rgtrans::rbg
