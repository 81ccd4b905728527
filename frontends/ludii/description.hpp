// A game as it was read: the text without options and defines, its tree, and the main clauses.
#pragma once

#include <vector>

#include "frontends/ludii/text/expand.hpp"
#include "frontends/ludii/text/tree.hpp"

namespace rgtrans::ludii {

struct Description {
  std::vector<Node> tree;
  const Node* game = nullptr;
  const Node* players = nullptr;
  const Node* mode = nullptr;  // or null
  const Node* equipment = nullptr;
  const Node* rules = nullptr;
  std::map<std::string, int, std::less<>> bounds;
};

// Throws Refused.
Description read_description(const Sources::File& file, Sources& sources, const ReadOptions& options = {});

}  // namespace rgtrans::ludii
