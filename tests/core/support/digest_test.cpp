// Digests compared with those of other implementations, and numbers derived from secrets.
#include "core/support/digest.hpp"

#include <gmock/gmock.h>

#include <set>

#include "core/support/secrets.hpp"
#include "tests/support/instrumented.hpp"

namespace rgtrans {
namespace {

TEST(Digest, IsBlake2b) {
  EXPECT_EQ(Digest().hex(), "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  EXPECT_EQ(Digest().add("abc").hex(), "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
  EXPECT_EQ(Digest().add(std::string(128, 'a')).hex(),
            "ae2aa48507885c4c950fb809b2076f959cde9f8ea6da260d9a3587df33dac450")
      << "a whole block";
  std::string long_text, key;
  for (int i = 0; i < 5 * 251; ++i) long_text += static_cast<char>(i % 251);
  EXPECT_EQ(Digest("key").add(long_text).hex(), "01d42d512e1c5cb40a5d95d676df41ee6d86950e40c6ebd837d7a9f97fd191c0");
  for (int i = 0; i < 64; ++i) key += static_cast<char>(i);
  EXPECT_EQ(Digest(key).hex(), "2fa9fbd9be36437de204e139e97d402bce68c828f43391608c891b5faed8a98a");
}

TEST(Digest, DependsOnTheBytesAlone) {
  const std::string text(1000, 'x');
  const std::string whole = Digest().add(text).hex();
  for (const std::size_t cut : {1U, 127U, 128U, 129U, 256U, 999U}) {
    Digest parts;
    parts.add(std::string_view(text).substr(0, cut));
    EXPECT_NE(parts.hex(), whole) << "asking in between changes nothing";
    EXPECT_EQ(parts.add(std::string_view(text).substr(cut)).hex(), whole) << cut;
  }
}

TEST(Digest, TellsFieldsApart) {
  EXPECT_NE(Digest().field("ab").field("c").hex(), Digest().field("a").field("bc").hex());
}

TEST(Secrets, SeedsDifferInEverything) {
  std::set<std::uint64_t> seeds;
  for (const std::uint64_t secret : {0U, 1U, 2U}) {
    for (const char* purpose : {"player", "table"}) {
      for (std::uint64_t number = 0; number < 100; ++number) seeds.insert(derived_seed(secret, purpose, number));
    }
  }
  EXPECT_EQ(seeds.size(), 600U);
  EXPECT_EQ(derived_seed(7, "player", 3), derived_seed(7, "player", 3));
}

TEST(Secrets, NumbersAreSpreadEvenly) {
  SecretNumbers numbers(1, "dice"), again(1, "dice"), others(1, "cards");
  constexpr int kCount = kSanitized ? 6'000 : 60'000;
  constexpr double kTolerance = kSanitized ? 145 : 460;  // five standard deviations
  std::array<int, 6> seen{};
  int equal = 0;
  for (int i = 0; i < kCount; ++i) {
    const std::uint64_t number = numbers.below(6);
    ++seen[number];
    EXPECT_EQ(again.below(6), number);
    equal += others.below(6) == number ? 1 : 0;
  }
  for (const int count : seen) EXPECT_NEAR(count, kCount / 6, kTolerance);
  EXPECT_NEAR(equal, kCount / 6, kTolerance) << "numbers for another purpose are not these";
}

}  // namespace
}  // namespace rgtrans
