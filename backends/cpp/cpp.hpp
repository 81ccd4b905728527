// The C++ back end: turns a game into a self-contained reasoner in C++20, compiles it with the system's compiler
// (results are kept by content) and loads it behind the Reasoner interface.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/cpp/techniques.hpp"
#include "backends/reasoner.hpp"
#include "core/ir/ir.hpp"
#include "core/support/support.hpp"

struct rgtrans_reasoner;  // interface.h

namespace rgtrans::cpp {

struct GeneratedFile {
  std::string name;
  std::string text;
};

struct GenerateOptions {
  std::string title = "game";  // shown in comments and by the driver
  bool search = false;         // with tree search (search.cpp) in the shared library
  bool env = false;            // with the batch engine (batch.hpp) in it
  bool device = false;         // for a GPU, and for the processor as its twin (backends/cuda)
  Techniques techniques = {};  // all, or without some of them
  std::string source = {};     // the file that the game comes from, for the head of each file
  std::string licence = {};    // a text for that head
  std::string space = {};      // the namespace; "" is "reasoner"
  std::string prefix = {};     // of NAME_get_reasoner(); "" is the title as a name in C
};
// Whether a namespace or a prefix can have this name.
bool is_name(const std::string& name);

// The game as reasoners walk it: cycles that depend on one variable only need no search, and what is the same from
// everywhere is chosen directly. Large games, which become tables, stay as they are.
ir::Game with_direct_choices(ir::Game game);
// Without the conditions that are decided by where a play can be, which reasoners do not ask, and the ways behind those
// that never hold: a variable that decides nothing else is no part of their states.
ir::Game without_decided_steps(ir::Game game);

// The files of the reasoner: reasoner.hpp, reasoner.cpp, support.hpp, driver.cpp, library.cpp, CMakeLists.txt. Where
// there would be more code than limits::cpp_code, the automaton is data, in reasoner_tables.cpp. The game must have
// passed the verifier. Throws Error (a check that depends on itself, sizes beyond reason).
std::vector<GeneratedFile> generate(const ir::Game& game, const GenerateOptions& options = {});

// The choices that these files would follow: for each function its strategy, the cost and the reason, and alternatives
// that were rejected.
std::string plan_text(const ir::Game& game, const GenerateOptions& options = {});

// Whether a folder holds the files of a reasoner, and whether a file is the program made of them: what may be replaced
// by a new one.
bool is_reasoner(const std::filesystem::path& folder);
bool is_program(const std::filesystem::path& file);
bool is_library(const std::filesystem::path& file);
// The header of the C interface, and the name that it should have.
GeneratedFile library_header(const GenerateOptions& options);

struct BuildOptions {
  GenerateOptions generate;
  std::string compiler;                  // "" is $CXX, else the first of c++, g++, clang++ that exists
  std::vector<std::string> extra_flags;  // appended
  bool nvcc = false;                     // with generate.device: by nvcc ($NVCC), for a GPU
  bool profile_guided = false;           // compile, play, compile again with the profile
  bool link_time = false;                // then also optimize all files together
  std::size_t much_code = 2'000'000;     // characters beyond which it is optimized less, unless with a profile
  bool archive = false;                  // also make a static library
  bool portable = false;                 // for every processor of its kind, with code for newer ones beside
  std::filesystem::path cache;           // "" is $XDG_CACHE_HOME/rgtrans, else ~/.cache/rgtrans
  bool use_cache = true;
  // Asked a few times a second while compilers work; they are ended, and Stopped is thrown, when it says yes.
  std::function<bool()> stop;
};
class Stopped {};

struct Built {
  std::filesystem::path folder;       // in the cache
  std::filesystem::path executable;   // perft, playouts, play
  std::filesystem::path library;      // the C ABI of library.cpp
  std::filesystem::path archive;      // the same as a static library, if it was wanted
  std::vector<std::string> commands;  // what was run, in order; empty when it was found in the cache
  bool found = false;
  bool tables = false;  // the automaton is data, for as code it would take too long to compile
};

// Throws Error when there is no compiler or it fails; the message has the first lines of what it said.
Built build(const ir::Game& game, const BuildOptions& options = {});

// Builds and loads. The library stays loaded as long as one reasoner of it exists.
std::unique_ptr<Reasoner> make_cpp_reasoner(const ir::Game& game, const BuildOptions& options = {});
// The same of a library that build() made of this game. `variables` reads a state for Reasoner::variables().
std::unique_ptr<Reasoner> load_cpp_reasoner(
    const std::filesystem::path& library, bool hidden,
    std::function<std::vector<VariableView>(const std::byte* state)> variables = {});
// Of functions that are loaded already, and stay so. `hidden`: moves can be hidden from somebody.
std::unique_ptr<Reasoner> make_cpp_reasoner(const rgtrans_reasoner& functions, bool hidden);

// What compiled code has counted, for people. `Raw` is the result of playouts in one of the C interfaces; they agree in
// the names of these members.
template <class Raw>
PlayoutStats to_stats(const Raw& raw, std::size_t players, std::size_t scores, const char* const* score_names) {
  PlayoutStats stats;
  stats.playouts = raw.count;
  stats.moves = raw.moves;
  stats.max_length = raw.longest;
  stats.min_length = raw.shortest;
  stats.length_squares = static_cast<double>(raw.length_squares);
  stats.branching_sum = raw.choices;
  stats.branching_max = raw.most_choices;
  stats.seconds = raw.seconds;
  for (std::size_t p = 0; p < players; ++p) {
    double sum = 0;
    double squares = 0;
    for (std::size_t s = 0; s < scores; ++s) {
      const double value = score_value(score_names[s]);
      const auto times = static_cast<double>(raw.scores[p * scores + s]);
      sum += times * value;
      squares += times * value * value;
    }
    stats.goal_sum.push_back(sum);
    stats.goal_squares.push_back(squares);
    stats.wins.push_back(raw.wins[p]);
  }
  return stats;
}

}  // namespace rgtrans::cpp
