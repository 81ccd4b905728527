#include "frontends/library/library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace rgtrans {
namespace {

TEST(Library, FindsGamesByNameLanguageAndPath) {
  for (const char* name : {"chess", "Chess", "hrg/chess", "hrg/chess.hrg"}) {
    ASSERT_NE(find_game(name), nullptr) << name;
    EXPECT_EQ(find_game(name)->path, "hrg/chess.hrg") << name;
  }
  EXPECT_EQ(find_game("rbg/chess")->path, "rbg/chess.rbg");
  EXPECT_EQ(find_game("Connect Four")->path, "hrg/connect-four.hrg");
  EXPECT_EQ(find_game("connect_four")->path, "hrg/connect-four.hrg");
  for (const char* name : {"", "ches", "hrg", "hrg/", "chess.hrg", "gdl/chess/"})
    EXPECT_EQ(find_game(name), nullptr) << name;
}

TEST(Library, NamesFindTheirGames) {
  std::set<const LibraryGame*> found;
  for (const std::string& name : library_names()) {
    ASSERT_NE(find_game(name), nullptr) << name;
    found.insert(find_game(name));
  }
  EXPECT_EQ(found.size(), library().size());
  EXPECT_GE(library().size(), 100U);
  EXPECT_EQ(name_of(*find_game("rbg/chess.rbg")), "rbg/chess");
  EXPECT_EQ(name_of(*find_game("hrg/chess.hrg")), "chess");
}

}  // namespace
}  // namespace rgtrans
