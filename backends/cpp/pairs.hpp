// Cells that are compared with others, content by content: a piece here and the same piece there, or one that belongs
// to it. Behind a choice these are many walks, each with two conditions; together they are one comparison of the cells
// with those of the other board, or other part of it, once a byte shuffle has told what belongs to each.
#pragma once

#include "backends/cpp/sets.hpp"

namespace rgtrans::cpp {

// Makes one condition of such walks that are side by side and come to the goal.
void join_pairs(SetWalks& walks, const NumberedGame& model);

}  // namespace rgtrans::cpp
