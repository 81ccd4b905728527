#include "frontends/gdl/names.hpp"

#include <fmt/format.h>

namespace rgtrans::gdl {

Names::Names(const GroundProgram& program) : program_(program) {
  for (const char* word : {"keeper", "random", "begin", "end", "player", "goals", "visible", "Player", "Score", "Bool",
                           "Goals", "Visibility", "PlayerOrSystem", "type", "var", "const"})
    used_.insert(word);
}

std::string Names::readable(std::string_view text) {
  std::string out;
  bool gap = false;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
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
  if (is_new) it->second = fresh(readable(program_.text(term)));
  return it->second;
}

void Names::add_words(ir::Words& words, Symbols& symbols) const {
  for (const auto& [term, name] : terms_) {
    std::string text = program_.text(term);
    if (text != name) words.texts.emplace(symbols.intern(name), std::move(text));
  }
}

}  // namespace rgtrans::gdl
