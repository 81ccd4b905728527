// The inputs of a conversion: the games below folders, inside archives, and on lists.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_set>
#include <vector>

#include "cli/batch/batch.hpp"

namespace rgtrans::batch {

struct Input {
  std::string name;            // as messages and reports show it
  std::filesystem::path file;  // to read; an unpacked one for archives
  std::string relative;        // where it is in the tree that the output mirrors; safe to append to a folder
  std::string problem;         // why it cannot be read; else ""
};

struct Collected {
  std::vector<Input> inputs;              // sorted by `relative`, each file once
  std::unordered_set<std::string> files;  // file_key() of all that is read: games, archives, lists
  std::vector<std::string> passed_over;   // files that --include matches but that look like no game
};
// Archives are unpacked below `spool`, in a child process with the limits of a game.
Collected collect(const Options& options, const std::filesystem::path& spool);

// Whether a file found in a folder or archive is left out, or wanted, by its path below the folder.
bool excluded(const Options& options, const std::string& relative);
bool wanted(const Options& options, const std::string& relative);
// Removes from a path inside an archive or on a list: its root, "." and "..", control characters, invalid UTF-8. The
// result stays below the folder to which it is appended. `changed` says whether the path climbs out of its folder.
std::string safe_relative(std::string_view path, bool* climbs = nullptr);
bool is_archive(const std::filesystem::path& path);

// Unpacks the wanted games of one archive to spool/0, spool/1, … and writes spool/list.json. Runs in a child.
void unpack(const std::filesystem::path& archive, const Options& options, const std::filesystem::path& spool);

// --- Names in the output folder. ---
struct Planned {
  Input input;
  std::string output;  // below the output folder
};
// a/b.kif -> a/b.rg. Where two games would get one name, or one would lie inside the other, they keep their extension
// (a/b.kif.rg); where that is not enough they are numbered.
std::vector<Planned> plan_names(std::vector<Input> inputs, const std::string& form);

}  // namespace rgtrans::batch
