// What the two forms of generated projects have in common (code in files.cpp, tables in table_form.cpp).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cpp/cpp.hpp"
#include "backends/cpp/shared.hpp"
#include "backends/interpreter/interpreter.hpp"

namespace rgtrans::cpp {

// A text that projects carry, by its name: a file of runtime/, or a header of another folder ("search/tree.hpp").
std::string_view embedded_text(std::string_view name);

// A set of players, as those who see a tag, is an integer.
inline constexpr std::size_t kMostPlayers = 64;

// Such a file of runtime/.
GeneratedFile embedded_file(const std::string& name);
// A header of the interpreter as a part of the project: in its namespace, beside the other headers.
GeneratedFile carried(const std::string& header);
// The files that are the same for every game.
void add_common_files(std::vector<GeneratedFile>& files, bool for_device = false);
// Those of the tree search.
void add_search_files(std::vector<GeneratedFile>& files);
// Those of the batch engine, and the one of them that tells where the variables of a state lie.
void add_env_files(std::vector<GeneratedFile>& files);
GeneratedFile env_layout(NumberedGame& model, const GameFacts& facts, const Shared& shared, std::string_view header);
GeneratedFile env_layout(const WrittenTables& tables);
// Its C interface.
GeneratedFile env_interface();
// Two reasoners in one process must not share tables of equal names, however they were compiled: what the files declare
// is not seen outside of the library or program that they become a part of. The C interfaces name themselves visible.
void hide_names(std::vector<GeneratedFile>& files, bool for_device);
// The names by which others find a game in a program.
struct ProjectNames {
  std::string game;    // of functions in C
  std::string target;  // of CMake
  std::string space;   // the namespace
  std::string macros;  // begins the names of macros
  std::string getter;  // the function that returns the C interface
};
inline constexpr std::string_view kGetter = "rgtrans_get_reasoner";  // of every shared library
ProjectNames names_of(const GenerateOptions& options);
// The definition of that function, and of the one that all shared libraries have in common.
std::string with_getter(std::string text, const ProjectNames& names);
// Gives files these names, and a head that says where they come from.
void name_files(std::vector<GeneratedFile>& files, const GenerateOptions& options);
// The standard headers that they read, as one text that can be compiled before.
std::string_view common_headers();
// What is read before each file of a portable reasoner, for each level of processors ("v2.hpp" and so on), and
// dispatch.cpp, which chooses among them when it runs; nothing where there is only one kind.
std::vector<GeneratedFile> portable_files(const std::vector<GeneratedFile>& files, const ProjectNames& names);
// The beginning of a header, up to its namespace: what it says of itself, what it includes ("<name>" or a file beside).
void write_head(Text& text, const std::vector<std::string>& says, const std::vector<std::string_view>& includes);
// What says which game this is.
void write_game_constants(Text& text, const std::string& title);
// The beginning of state.hpp, up to the name of the game; a `remark` is a comment of one line.
void write_header_start(Text& text, const std::string& title, std::string_view remark,
                        const std::vector<std::string_view>& includes);
// What the functions that find moves can do.
struct MoveForms {
  bool duplicates = false;  // two walks may have one labeling
  bool draws = false;       // moves are counted as sets
  bool guesses = false;     // moves are picked before anything is asked
  bool candidates = false;  // moves are drawn before it is asked whether they are possible
  bool waits = false;       // … and some of them before their walk was walked to its end
  bool asks = false;        // … and it is asked of some of them that are drawn
  bool stores = true;       // the end of the list lies in the cache
  bool marks = false;       // moves become bits
  bool remembers = true;    // playouts remember states
  bool together = true;     // playouts go on side by side
};
// The constants that the texts above ask for: how moves are stored, and these.
void write_move_constants(Text& text, const MoveLayout& layout, std::size_t tags, const MoveForms& forms);
// The scores by code: names, and what each is worth.
void write_scores(Text& text, const std::vector<std::string>& scores, std::string_view table_head);
// Literals of C++; and an array that has at least one element, with lines of about so many characters.
std::vector<std::string> literals_of(const std::vector<std::string>& names);
void write_list(Text& text, const std::string& head, const std::vector<std::string>& items, std::size_t width = 100);
// The definition of kTagNames; the first is that of no tag.
void write_tag_names(Text& text, const std::vector<std::string>& names);

// Moves can be asked for part by part (backends/interpreter/parts.hpp): what says so, and what it needs.
void write_parts(Text& text);
GeneratedFile parts_header();

// Automata of other sizes were never seen to take less code an edge, so that it need not be written to be found too
// large.
bool may_be_code(const ir::Game& game);
// The project whose automaton is data, walked by the machine of the interpreter.
std::vector<GeneratedFile> generate_tables(const ir::Game& game, const GenerateOptions& options);

}  // namespace rgtrans::cpp
