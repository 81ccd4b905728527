// Runs the rgtrans program as a user would and collects what it says.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rgtrans::test {

// A game of one move, for tests that need any game.
inline constexpr std::string_view kCoin =
    "// one player names a side\n"
    "type Player = { p };\n"
    "type Score = { 0, 100 };\n"
    "type Side = { heads, tails };\n"
    "var side: Side = heads;\n"
    "begin, choose: player = p;\n"
    "choose, chosen: side = Side(*);\n"
    "chosen, done: $$ side;\n"
    "done, judge: player = keeper;\n"
    "judge, won: side == heads;\n"
    "judge, lost: side != heads;\n"
    "won, lost: goals[p] = 100;\n"
    "lost, end: player = keeper;\n";

struct Outcome {
  int code = -1;  // exit code; 128 + signal when it was killed
  std::string out, err;
};

// Starts a program with these arguments behind its name, which ends when the calling thread does, however that ends.
// `prepare` runs in the new process.
pid_t start_program(const std::string& program, const std::vector<std::string>& arguments,
                    const std::function<void()>& prepare = {});

// The program in this file. No shell is involved. `input` becomes standard input; `out` is where standard output goes,
// if not to Outcome::out.
Outcome run_program(const std::string& program, const std::vector<std::string>& arguments, std::string_view input = {},
                    const char* out = nullptr);
Outcome run_rgtrans(const std::vector<std::string>& arguments, std::string_view input = {}, const char* out = nullptr);

// The program at a terminal of 100 columns: everything that comes out, byte by byte. After so many seconds somebody
// presses Ctrl-C; 0: never.
Outcome run_in_terminal(const std::vector<std::string>& arguments, std::string_view typed = {},
                        double seconds_to_interrupt = 0);

// A folder that is removed at the end of the scope.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Writes a file in it and returns its path.
  std::string file(std::string_view name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

std::string read_text(const std::filesystem::path& path);

}  // namespace rgtrans::test
