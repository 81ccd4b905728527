// Compiled reasoners that are kept: one that was damaged, or that another user could have written, is never loaded but
// built again.
#include "backends/cpp/kept.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "backends/cpp/cpp.hpp"
#include "core/support/support.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::cpp {
namespace {

namespace fs = std::filesystem;

class Kept : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "made");
    // Compiles each file once and copies the result from then on.
    write_file(folder_ / "compiler",
               fmt::format("#!/bin/sh\nout= next=\nfor a in \"$@\"; do\n  [ -z \"$next\" ] || out=$a\n  next=\n"
                           "  [ \"$a\" != -o ] || next=1\ndone\nmade={}/$(basename \"$out\")\n"
                           "[ -f \"$made\" ] || {{ c++ \"$@\" && cp \"$out\" \"$made\"; }} || exit 1\n"
                           "cp \"$made\" \"$out\"\n",
                           (folder_ / "made").string()));
    fs::permissions(folder_ / "compiler", fs::perms::owner_all);
    options_.compiler = (folder_ / "compiler").string();
    options_.cache = folder_ / "cache";
    options_.extra_flags = {"-O0"};
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] ir::Game game() const {
    Diagnostics diagnostics;
    const std::string path = RGTRANS_SOURCE_DIR "/games/hrg/tic-tac-toe.hrg";
    return load_text(path, read_file(path), *find_frontend("hrg"), diagnostics);
  }
  [[nodiscard]] std::uint64_t leaves() const { return make_cpp_reasoner(game(), options_)->perft(2); }

  fs::path folder_ = fs::temp_directory_path() / ("rgtrans-kept-test-" + std::to_string(getpid()));
  BuildOptions options_;
};

void overwrite(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

// A home may be shared by machines, and the code of one may have instructions that the other one lacks.
TEST(Processor, IsNamedByWhatDecidesTheCode) {
  const auto machine = [](const std::string& speed, const std::string& flags) {
    return processor_of("processor\t: 0\nvendor_id\t: A\nmodel\t\t: 7\ncpu MHz\t\t: " + speed + "\nflags\t\t: fpu " +
                        flags + "\n\nprocessor\t: 1\nflags\t\t: other\n");
  };
  EXPECT_EQ(machine("1000", "avx2"), "vendor_id\t: A\nmodel\t\t: 7\nflags\t\t: fpu avx2\n");
  EXPECT_EQ(machine("1000", "avx2"), machine("2000", "avx2"));
  EXPECT_NE(machine("1000", "avx2"), machine("1000", "avx2 avx512f"));
}

TEST_F(Kept, DamagedEntriesAreBuiltAgain) {
  constexpr int kMutants = 60;
  const Built built = build(game(), options_);
  EXPECT_TRUE(build(game(), options_).found);
  const std::string library = read_file(built.library);
  std::mt19937_64 random(1);
  for (int mutant = 0; mutant < kMutants; ++mutant) {
    std::string bytes = library;
    if (mutant % 6 == 0) {
      bytes.resize(random() % bytes.size());
    } else if (mutant % 6 == 1) {
      const std::size_t at = random() % (bytes.size() / 2);
      for (std::size_t i = 0; i < 4096 && at + i < bytes.size(); ++i) bytes[at + i] = static_cast<char>(random());
    } else {
      bytes[random() % (mutant % 2 == 0 ? std::size_t{4096} : bytes.size())] ^= static_cast<char>(1U << random() % 8);
    }
    overwrite(built.library, bytes);
    ASSERT_EQ(leaves(), 72U) << mutant;
    ASSERT_TRUE(build(game(), options_).found) << "it was mended";
  }
  overwrite(built.executable, "");
  EXPECT_FALSE(build(game(), options_).found);
  overwrite(built.folder / "sealed", "nonsense");
  EXPECT_FALSE(build(game(), options_).found);
  fs::remove(built.folder / "sealed");
  EXPECT_FALSE(build(game(), options_).found);
  EXPECT_TRUE(build(game(), options_).found);
}

TEST_F(Kept, WhatOthersCanWriteIsNotUsed) {
  const Built built = build(game(), options_);
  for (const fs::path& path : {built.library, built.executable, built.folder, built.folder / "sealed"}) {
    ASSERT_TRUE(build(game(), options_).found);
    fs::permissions(path, fs::perms::others_write, fs::perm_options::add);
    EXPECT_FALSE(build(game(), options_).found) << path;
  }
  const fs::path root = options_.cache / "cpp";
  fs::permissions(root, fs::perms::group_write, fs::perm_options::add);
  EXPECT_TRUE(build(game(), options_).found) << "a mask that lets a group write is common";
  EXPECT_EQ(fs::status(root).permissions() & fs::perms::group_write, fs::perms::none);
  fs::permissions(root, fs::perms::others_write, fs::perm_options::add);
  EXPECT_THROW(build(game(), options_), Error);
}

TEST_F(Kept, FilesOfAnotherUserAreNotUsed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const Built built = build(game(), options_);
  constexpr uid_t kSomebody = 12345;
  for (const fs::path& path : {built.library, built.folder}) {
    ASSERT_TRUE(build(game(), options_).found);
    ASSERT_EQ(chown(path.c_str(), kSomebody, static_cast<gid_t>(-1)), 0);
    EXPECT_FALSE(build(game(), options_).found) << path;
    EXPECT_EQ(leaves(), 72U);
  }
  ASSERT_EQ(chown((options_.cache / "cpp").c_str(), kSomebody, static_cast<gid_t>(-1)), 0);
  EXPECT_THROW(build(game(), options_), Error);
}

TEST_F(Kept, NothingHalfMadeHasTheNameOfAnEntry) {
  const fs::path made = folder_ / "entry-being-made", target = folder_ / "entry";
  fs::create_directory(made);
  overwrite(made / "result", "whole");
  EXPECT_FALSE(intact(made, {"result"})) << "it is not sealed";
  seal(made);
  EXPECT_TRUE(intact(made, {"result"}));
  EXPECT_FALSE(intact(made, {"other"}));
  fs::create_directory(target);
  overwrite(target / "result", "half");
  EXPECT_TRUE(put_in_place(made, target, {"result"})) << "what lies there is no entry";
  EXPECT_TRUE(intact(target, {"result"}));
  fs::create_directory(made);
  overwrite(made / "result", "other");
  seal(made);
  EXPECT_FALSE(put_in_place(made, target, {"result"})) << "somebody was faster";
  EXPECT_EQ(read_file(target / "result"), "whole");
}

}  // namespace
}  // namespace rgtrans::cpp
