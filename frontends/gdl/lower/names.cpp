#include "frontends/gdl/lower/names.hpp"

#include <fmt/format.h>

#include "core/support/letters.hpp"

namespace rgtrans::gdl {

Names::Names(std::function<std::string(TermId)> text) : text_(std::move(text)) {
  for (const char* word : {"keeper", "random", "begin", "end", "player", "goals", "visible", "Player", "Score", "Bool",
                           "Goals", "Visibility", "PlayerOrSystem", "type", "var", "const"})
    used_.insert(word);
}

std::string Names::readable(std::string_view text) {
  std::string out;
  bool gap = false;
  for (const char c : text) {
    const bool letter = is_letter(c) || is_digit(c);
    if (c == '+') {
      out += gap ? "_plus" : "plus";
      gap = false;
      continue;
    }
    if (!letter) {
      gap = !out.empty();
      continue;
    }
    if (gap) out += '_';
    gap = false;
    out += c;
  }
  return out.empty() ? "x" : out;
}

std::string Names::fresh(std::string_view wish) {
  std::string name(wish);
  for (int i = 2; !used_.insert(name).second; ++i) name = fmt::format("{}_{}", wish, i);
  return name;
}

std::string Names::term(TermId term) {
  const auto [it, is_new] = terms_.try_emplace(term);
  if (is_new) it->second = fresh(readable(text_(term)));
  return it->second;
}

void Names::add_words(ir::Words& words, Symbols& symbols) const {
  for (const auto& [term, name] : terms_) {
    std::string text = text_(term);
    if (text != name) words.texts.emplace(symbols.intern(name), std::move(text));
  }
}

}  // namespace rgtrans::gdl
