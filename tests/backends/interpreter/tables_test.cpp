// Tables as text: writing and reading gives equal tables, on random games of all kinds.
#include "backends/interpreter/tables.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::interpreter {
namespace {

TEST(Tables, NumbersOfAllSizes) {
  TableWriter writer;
  const std::vector<std::uint64_t> numbers = {0,    1,    31,          32,
                                              1023, 1024, 0xffffffffU, std::numeric_limits<std::uint64_t>::max()};
  for (const std::uint64_t number : numbers) writer.number(number);
  TableReader reader(writer.text().c_str());
  for (const std::uint64_t number : numbers) {
    std::uint64_t read = 0;
    reader.number(read);
    EXPECT_EQ(read, number);
  }
}

TEST(Tables, SuccessorsLieAnywhere) {
  for (const Pc from : {1U, 7U, 1U << 24U}) {
    for (const Pc to : {0U, 1U, 6U, 7U, 8U, 1U << 24U}) EXPECT_EQ(near_pc(near_code(to, from), from), to);
  }
}

// Reading needs no checks of the text, which is never from outside; but it must lose nothing.
TEST(Tables, WhatIsReadIsWrittenAgain) {
  const std::uint64_t count = test::random_count(2000);
  std::size_t games = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    test::Choices choices(seed * 7919);
    const ir::Game game = rg::parse_game(test::random_game(choices));
    Diagnostics diagnostics;
    ir::verify(game, diagnostics, {.warnings = false});
    if (diagnostics.has_errors()) continue;
    WrittenTables written;
    try {
      written = write_tables(game);
    } catch (const Error&) {
      continue;
    }
    MachineTables tables;
    TableReader reader(written.text.c_str());
    transfer(reader, tables);
    TableWriter writer;
    transfer(writer, std::as_const(tables));
    ASSERT_EQ(writer.text(), written.text) << "seed " << seed;
    EXPECT_EQ(tables.initial.size(), written.cells);
    ++games;
  }
  EXPECT_GT(games, count / 4);
}

}  // namespace
}  // namespace rgtrans::interpreter
