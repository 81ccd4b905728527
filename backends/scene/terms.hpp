// Reading what symbols say. Whatever the language, a square is written as a word with parts: S(1,2), (cell 1 2), b7,
// rx0y3, V__3_4. Domains of such words span dimensions, and dimensions make boards.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rgtrans::scene {

struct NameTerm {
  std::string functor;
  std::vector<std::string> parts;
};
NameTerm read_term(std::string_view written);

// The words in a name: "whitePawn", "M(white,pawn)" and "white_pawn" all have two; in lower case.
std::vector<std::string> words_in(std::string_view name);

bool is_number(std::string_view text);  // of at most six digits
bool is_letter(std::string_view text);  // a single one

}  // namespace rgtrans::scene
